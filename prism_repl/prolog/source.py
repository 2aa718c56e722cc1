"""Program files: reading their clauses, and consulting them.

SourceReader turns a file into clauses, with the messages that go with bad ones; it is shared with
the loader of PRISM programs. consult() adds the clauses to the database as it goes.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError, PrologHalt, PrologThrow, permission_error, type_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.reader import Reader, ReadError
from prism_repl.prolog.writer import write_term

F_DYNAMIC = CONSTANTS["F_DYNAMIC"]
F_SYSTEM = CONSTANTS["F_SYSTEM"]
F_CONSULTED = CONSTANTS["F_CONSULTED"]
F_DISCONTIGUOUS = CONSTANTS["F_DISCONTIGUOUS"]
P_FLAGS = CONSTANTS["P_FLAGS"]
P_FUNCTOR = CONSTANTS["P_FUNCTOR"]
P_KIND = CONSTANTS["P_KIND"]
P_LIVE = CONSTANTS["P_LIVE"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]


@dataclass
class Clause:
    """A clause or directive of a file. `cell` is only valid until the next one is read, unless the
    reader was told to keep its terms."""

    cell: int
    file: str
    line: int
    last_line: int


@dataclass
class LoadedFile:
    """What a file put into the database when it was last loaded."""

    path: Path
    modified: float
    predicates: set[int] = field(default_factory=set)


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
    """The first of name+suffix that is a file."""
    for suffix in suffixes:
        path = Path(name + suffix)
        if path.is_file():
            return path
    return None


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

    def clauses(self) -> Iterator[Clause]:
        yield from self.clauses_of(read_text(self.m, self.path), self.shown, self.path.parent)

    def clauses_of(self, text: str, shown: str, folder: Path) -> Iterator[Clause]:
        m = self.m
        reader = Reader(m, text, shown)
        while True:
            try:
                term = reader.read_term()
            except ReadError as error:
                self.errors += 1
                m.streams.complain(error.report)
                continue
            if term is None:
                return
            cell = m.deref(term.cell)
            if self.is_directive(cell, "end_of_file", 0):
                return
            if self.singletons and term.singletons and not self.is_directive(cell, None, 0):
                names = ",".join(term.singletons)
                m.streams.complain(
                    f"** Warning: singleton variables ({shown}, {term.start_line}-{term.end_line}): {names}\n"
                )
            if self.is_directive(cell, "include", 1):
                yield from self.included(m.arg(m.arg(cell, 0), 0), folder)
                continue
            yield Clause(cell, shown, term.start_line, term.end_line)

    def included(self, spec: int, folder: Path) -> Iterator[Clause]:
        """The clauses of an included file. A file that is being read cannot be included in itself."""
        name = file_name(self.m, spec)
        for path in (folder / name, Path(name)):
            if path.is_file():
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
    if m.is_compound(clause) and m.functor_of(clause) == m.f_neck:
        return int(m.arg(clause, 0))
    return clause


def expand(m: Any, cell: int) -> list[int]:
    """A clause after term expansion and grammar translation: usually itself."""
    user = m.find_pred(m.functor(m.atom("term_expansion"), 2))
    is_rule = m.is_compound(cell) and m.arity_of(cell) == 2 and m.atom_text(m.name_of(cell)) == "-->"
    if not is_rule and not (user and m.pred_field(user, P_LIVE) > 0):
        return [cell]
    result = m.new_var()
    m.solve_once(m.struct("expand_term", cell, result))
    result = m.deref(result)
    if result == m.nil or m.is_list_cell(result):
        return [m.deref(c) for c in m.proper_list(result)]
    return [result]


def run_directive(m: Any, goal: int) -> None:
    """Run a directive: failure is silent, an exception is one line on the output, and the load goes on."""
    try:
        m.solve_once(goal)
    except PrologHalt:
        raise
    except (PrologThrow, PrologError) as error:
        report_directive_error(m, error)


def report_directive_error(m: Any, error: Exception) -> None:
    record = error.record if isinstance(error, PrologThrow) else m.freeze(error_term(m, error))
    ball = m.thaw(record)
    m.streams.complain(write_term(m, ball, quoted=True) + "\n")


def error_term(m: Any, error: Any) -> int:
    return int(m.struct("error", error.formal(m), m.new_var()))


class Definitions:
    """Adds clauses to predicates while a file is loaded: the first clause of a predicate replaces what
    was there, a protected one is refused, scattered clauses are noticed."""

    def __init__(self, m: Any, shown: str, keep_terms: bool) -> None:
        self.m = m
        self.shown = shown
        self.keep_terms = keep_terms
        self.predicates: set[int] = set()
        self.refused: set[int] = set()
        self.seen: set[int] = set()  # functors, as in scattered and current
        self.scattered: set[int] = set()
        self.current = 0
        self.errors = 0

    def add(self, clause: Clause, cell: int) -> None:
        m = self.m
        head = head_of(m, cell)
        if head & 7 == REF or not m.is_callable(head):
            self.bad_clause(clause, "a clause must have a callable head")
            return
        functor = m.functor(m.name_of(head), m.arity_of(head))
        p = m.database.user_predicate(functor)
        if p == 0:
            if functor not in self.refused:
                self.refused.add(functor)
                indicator = m.struct("/", m.name_of(head), m.int_cell(m.arity_of(head)))
                name = write_term(m, indicator, quoted=True)
                m.streams.complain(
                    f"** Error  : Trying to redefine built-in:'{clause.file}',{clause.line}::{name}\n"
                )
                self.errors += 1
            return
        if p not in self.predicates:
            self.predicates.add(p)
            m.database.remove_all(p)
            if self.keep_terms:
                m.database.set_flag(p, F_CONSULTED)
        if m.pred_field(p, P_FLAGS) & (F_DISCONTIGUOUS | F_DYNAMIC):
            self.scattered.add(functor)  # and may be
        self.note_place(functor)
        try:
            m.database.add_clause(cell, True, clause.line)
        except PrologError as error:
            self.bad_clause(clause, write_term(m, error.formal(m), quoted=True))

    def note_place(self, functor: int) -> None:
        """A clause of this functor comes now: is it apart from the earlier ones?"""
        if functor in self.seen and functor != self.current and functor not in self.scattered:
            self.report_scattered(functor)
        self.seen.add(functor)
        self.current = functor

    def report_scattered(self, functor: int) -> None:
        m = self.m
        name = write_term(m, m.functor_name_of(functor), quoted=True)
        m.streams.complain(
            f"** Warning: Predicate is not defined contiguously: {name}/{m.functor_arity_of(functor)}\n"
        )

    def bad_clause(self, clause: Clause, why: str) -> None:
        self.errors += 1
        self.m.streams.complain(f"** Error  : {clause.file}, {clause.line}: {why}\n")


def loaded_files(m: Any) -> dict[str, LoadedFile]:
    """What was consulted, by absolute path."""
    files: dict[str, LoadedFile] = m.state.setdefault("files", {})
    return files


def consult(m: Any, name: str, label: str = "consulting", keep_terms: bool = True) -> None:
    """Load a file of ordinary Prolog. Clauses replace those of an earlier load of the file."""
    path = find_file(name, (".pl", ".pro", "", ".psm"))
    if path is None:
        raise file_not_found(m, name)
    m.streams.current_output.write(f"{label}::{path}\n")
    key = str(path.resolve())
    before = loaded_files(m).pop(key, None)
    if before is not None:
        for p in before.predicates:
            m.database.remove_all(p)
    replace_library_predicates(m, path)
    source = SourceReader(m, path)
    definitions = Definitions(m, path.name, keep_terms)
    load_clauses(m, source, definitions, path)
    if source.errors + definitions.errors:
        m.streams.complain(f"{source.errors + definitions.errors} error(s)\n")


def replace_library_predicates(m: Any, path: Path) -> None:
    """Make room for the file's own versions of library predicates before any of its clauses is
    compiled, so that all its calls go to them. The file is read for this only if some line begins
    with the name of a library predicate."""
    output, m.streams.current_output = m.streams.current_output, NullOutput()
    heap_top = m.H
    try:
        names = set(re.findall(r"^([a-z]\w*)", read_text(m, path), re.MULTILINE))
        if not any(m.database.is_library_name(name) for name in names):
            return
        for clause in SourceReader(m, path).clauses():
            head = head_of(m, clause.cell)
            extra = 0
            if m.is_compound(head) and m.arity_of(head) == 2 and m.atom_text(m.name_of(head)) == "-->":
                head, extra = m.arg(head, 0), 2
            if m.is_callable(head):
                m.database.user_predicate(m.functor(m.name_of(head), m.arity_of(head) + extra))
            if not m.has_open_goals():
                m.H = heap_top
    except (PrologError, PrologThrow):
        pass  # the load itself reports what is wrong with the file
    finally:
        m.streams.current_output = output


class NullOutput:
    """Swallows the messages of the first look at a file."""

    def write(self, text: str) -> None:
        pass


def load_clauses(m: Any, source: SourceReader, definitions: Definitions, path: Path) -> None:
    """Add clauses and run directives in the order of the file; initialization goals come last."""
    waiting = m.state.setdefault("initialization", [])
    first = len(waiting)
    m.state["load_depth"] = m.state.get("load_depth", 0) + 1
    try:
        for clause in source.clauses():
            heap_top = m.H
            for cell in expand(m, clause.cell):
                if source.is_directive(cell, None, 0):
                    run_directive(m, m.arg(cell, 0))
                else:
                    definitions.add(clause, cell)
            if not m.has_open_goals():
                m.H = heap_top
    finally:
        m.state["load_depth"] -= 1
        record = LoadedFile(path, path.stat().st_mtime, definitions.predicates)
        loaded_files(m)[str(path.resolve())] = record
    goals = waiting[first:]
    del waiting[first:]
    for goal in goals:
        run_directive(m, m.thaw(goal))


def consult_user(m: Any) -> None:
    """[user]: clauses typed at the terminal, until end of file."""
    lines = []
    while True:
        line = m.streams.user_input_source()
        if line == "" or line.strip() == "end_of_file.":
            break
        lines.append(line)
    source = SourceReader(m, Path("user"), "user")
    definitions = Definitions(m, "user", True)
    for clause in source.clauses_of("".join(lines), "user", Path()):
        for cell in expand(m, clause.cell):
            if source.is_directive(cell, None, 0):
                run_directive(m, m.arg(cell, 0))
            else:
                definitions.add(clause, cell)
