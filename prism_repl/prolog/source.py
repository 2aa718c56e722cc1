"""Program files as clauses.

SourceReader turns a file into clauses and directives, with the messages that go with bad ones; it is shared
by consult and the loader of PRISM programs.
"""

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError, PrologHalt, PrologThrow, permission_error, type_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.core.queries import solve_once
from prism_repl.prolog.reader import Reader, ReadError
from prism_repl.prolog.writer import write_term

P_LIVE = CONSTANTS["P_LIVE"]


@dataclass
class Clause:
    """A clause or directive of a file. `cell` is only valid until the next one is read, unless the
    reader was told to keep its terms; the text of rules and directives is kept for messages."""

    cell: int
    file: str
    line: int
    last_line: int
    column: int = 1
    text: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def file_not_found(m: Any, name: str) -> PrologThrow:
    """B-Prolog's own ball: error(file_not_found,Name)."""
    return PrologThrow(m.freeze(m.struct("error", m.atom("file_not_found"), m.atom(name))))


def file_name(m: Any, spec: int) -> str:
    """The text of a file argument: an atom, or a list of codes or characters."""
    if spec & 7 == REF:
        raise PrologError("instantiation_error")
    if spec & 7 == ATM and spec != m.nil:
        return str(m.atom_text(spec))
    if m.is_list_cell(spec):
        items = [m.deref(c) for c in m.proper_list(spec)]
        if all(m.is_integer(c) for c in items):
            return "".join(chr(m.int_value(c)) for c in items)
    raise type_error("atom", spec)


def find_file(name: str, suffixes: tuple[str, ...]) -> Path | None:
    """The first of name+suffix that is a file; ~ is the user's home."""
    for suffix in suffixes:
        path = Path(expanded_name(name + suffix))
        if path.is_file():
            return path
    return None


def expanded_name(name: str) -> str:
    """A file name with ~ or ~user at its beginning replaced by that home."""
    return os.path.expanduser(name)


def read_text(m: Any, path: Path) -> str:
    """The text of a source file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise file_not_found(m, str(path)) from None
    except OSError as error:
        what = "permission_error"
        raise PrologError(what, "open", "source_sink", m.atom(f"{path}: {error.strerror}")) from None
    return decoded(m, data, path.name)


def decoded(m: Any, data: bytes, shown: str) -> str:
    """The text of a file: UTF-8, or Latin-1 where it is not, with a warning."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        m.streams.complain(f"** Warning: {shown} is not UTF-8 (line {line}); it is read as Latin-1\n")
        return data.decode("latin-1")


# What a file name may lack.
SUFFIXES = (".pl", ".pro", "", ".psm")


class Conditions:
    """The :- if ... :- endif that are open, innermost last: which parts of the text count."""

    def __init__(self, m: Any) -> None:
        self.m = m
        self.active = True
        # (place of the if, whether the text around it counts, whether a part was chosen already)
        self.open: list[tuple[str, bool, bool]] = []

    def take(self, name: str, condition: int, place: str) -> bool:
        """Go on after a directive; False if it has no :- if. An error in a condition makes it false."""
        if name == "if":
            outer, self.active = self.active, False
            self.open.append((place, outer, not outer))
            self.choose(outer and self.holds(condition))
            return True
        if not self.open:
            return False
        chosen = self.open[-1][2]
        self.active = False
        if name == "elif":
            self.choose(not chosen and self.holds(condition))
        elif name == "else":
            self.choose(not chosen)
        else:
            self.active = self.open.pop()[1]
        return True

    def choose(self, yes: bool) -> None:
        self.active = yes
        if yes:
            place, outer, _ = self.open[-1]
            self.open[-1] = (place, outer, True)

    def holds(self, condition: int) -> bool:
        return bool(solve_once(self.m, condition))

    def open_places(self) -> list[str]:
        return [place for place, _, _ in self.open]


class SourceReader:
    """The clauses of a file, its included files in their places. Syntax errors and singleton
    variables are reported on the current output; `errors` counts the bad clauses."""

    def __init__(self, m: Any, path: Path, shown: str | None = None) -> None:
        self.m = m
        self.path = path
        self.shown = shown or path.name
        self.errors = 0
        self.singletons = True
        self.including = [path.resolve()]  # the file, and those that are included at this moment
        self.conditions = Conditions(m)

    def clauses(self) -> Iterator[Clause]:
        yield from self.clauses_of(read_text(self.m, self.path), self.shown, self.path.parent)
        for place in self.conditions.open_places():
            self.complain(f"{place}: :- if without :- endif")

    def complain(self, message: str) -> None:
        self.errors += 1
        self.m.streams.complain(f"** Error  : {message}\n")

    def clauses_of(self, text: str, shown: str, folder: Path) -> Iterator[Clause]:
        m = self.m
        reader = Reader(m, text, shown)
        while True:
            try:
                term = reader.read_term()
            except ReadError as error:
                if self.conditions.active:
                    self.errors += 1
                    m.streams.complain(error.report)
                continue
            if term is None:
                return
            cell = m.deref(term.cell)
            if self.is_directive(cell, "end_of_file", 0):
                return
            is_directive = self.is_directive(cell, None, 0)
            clause = Clause(cell, shown, term.start_line, term.end_line, term.start_column)
            if is_directive or is_rule(m, cell):
                clause.text = term.text
            if is_directive and self.conditional(clause, m.arg(cell, 0)):
                continue
            if not self.conditions.active:
                continue
            if self.warns_of_singletons() and term.singletons and not is_directive:
                names = ",".join(term.singletons)
                m.streams.complain(
                    f"** Warning: singleton variables ({shown}, {term.start_line}-{term.end_line}): {names}\n"
                )
            if self.is_directive(cell, "include", 1):
                yield from self.included(m.arg(m.arg(cell, 0), 0), folder)
                continue
            yield clause

    def warns_of_singletons(self) -> bool:
        return self.singletons and self.m.prolog_flags.get("singleton", "on") == "on"

    def conditional(self, clause: Clause, goal: int) -> bool:
        """Take a directive of conditional compilation; False if it is another one."""
        m = self.m
        if not m.is_callable(goal):
            return False
        name, arity = m.atom_text(m.name_of(goal)), m.arity_of(goal)
        if (name, arity) not in (("if", 1), ("elif", 1), ("else", 0), ("endif", 0)):
            return False
        try:
            good = self.conditions.take(name, m.arg(goal, 0) if arity else 0, clause.place)
        except (PrologThrow, PrologError) as error:
            report_directive_error(m, error, clause)
            self.errors += 1
            return True
        if not good:
            self.complain(f"{clause.place}: :- {name} without :- if")
        return True

    def included(self, spec: int, folder: Path) -> Iterator[Clause]:
        """The clauses of an included file. A file that is being read cannot be included in itself."""
        name = file_name(self.m, spec)
        for start in (str(folder / expanded_name(name)), name):
            path = find_file(start, SUFFIXES)
            if path is not None:
                if path.resolve() in self.including:
                    raise permission_error("include", "source_sink", spec)
                self.including.append(path.resolve())
                yield from self.clauses_of(read_text(self.m, path), path.name, path.parent)
                self.including.pop()
                return
        raise file_not_found(self.m, name)

    def is_directive(self, cell: int, name: str | None, arity: int) -> bool:
        """Is the cell `:- name(...)` (any directive if name is None; the atom itself for arity 0)?"""
        m = self.m
        if cell & 7 == ATM:
            return name is not None and arity == 0 and m.atom_text(cell) == name
        if not m.is_compound(cell) or m.arity_of(cell) != 1:
            return False
        if m.atom_text(m.name_of(cell)) not in (":-", "?-"):
            return False
        if name is None:
            return True
        goal = m.arg(cell, 0)
        if not m.is_callable(goal):
            return False
        return m.arity_of(goal) == arity and m.atom_text(m.name_of(goal)) == name


def head_of(m: Any, clause: int) -> int:
    """The head of a clause cell."""
    if m.is_compound(clause) and m.functor_of(clause) == m.symbols.f_neck:
        return int(m.arg(clause, 0))
    return clause


def is_rule(m: Any, cell: int) -> bool:
    """Has the clause a body?"""
    if not m.is_compound(cell) or m.arity_of(cell) != 2:
        return False
    return m.functor_of(cell) == m.symbols.f_neck or m.atom_text(m.name_of(cell)) in RULES


RULES = ("-->", "=>")  # clauses that are translated


def expand(m: Any, cell: int) -> list[int]:
    """A clause after term expansion and translation of grammar rules and matching clauses: usually itself."""
    user = m.program.find_pred(m.functor(m.atom("term_expansion"), 2))
    is_rule = m.is_compound(cell) and m.arity_of(cell) == 2 and m.atom_text(m.name_of(cell)) in RULES
    if not is_rule and not (user and m.program.pred_field(user, P_LIVE) > 0):
        return [cell]
    result = m.new_var()
    solve_once(m, m.struct("expand_term", cell, result))
    result = m.deref(result)
    if result == m.nil or m.is_list_cell(result):
        return [m.deref(c) for c in m.proper_list(result)]
    return [result]


def run_directive(m: Any, goal: int, clause: Clause | None = None) -> bool:
    """Run a directive: failure is silent, an exception is one line on the output, and the load goes on.
    False if there was an exception."""
    try:
        solve_once(m, goal)
    except PrologHalt:
        raise
    except (PrologThrow, PrologError) as error:
        report_directive_error(m, error, clause)
        return False
    return True


def report_directive_error(m: Any, error: Exception, clause: Clause | None = None) -> None:
    """The ball as it is, and below it, as a comment, the place of the directive."""
    record = error.record if isinstance(error, PrologThrow) else m.freeze(error_term(m, error))
    text = write_term(m, m.thaw(record), quoted=True, float_format="short") + "\n"
    if clause is not None:
        text += f"% {clause.place}: {shortened(clause.text)}\n"
    m.streams.complain(text)


def shortened(text: str) -> str:
    """Text on one line, its end left out if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 70 else line[:67] + "..."


def error_term(m: Any, error: Any) -> int:
    return int(m.struct("error", error.formal(m), m.new_var()))
