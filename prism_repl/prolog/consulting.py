"""Consulting files of ordinary Prolog.

Clauses go to the database in the order of the file. Directives that tell how to read or declare something
run where they stand, the others when all clauses are there, as in PRISM; initialization goals come last.
"""

import re
from pathlib import Path
from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.core.errors import PrologError, PrologThrow, permission_error
from prism_repl.prolog.definitions import Definitions, forget_file, loading
from prism_repl.prolog.goals import indicator
from prism_repl.prolog.source import (
    SUFFIXES,
    Clause,
    SourceReader,
    expand,
    file_not_found,
    find_file,
    head_of,
    read_text,
    run_directive,
)
from prism_repl.prolog.undefined import report_undefined

# Directives that the rest of the file depends on.
IMMEDIATE = {
    ("op", 3),
    ("set_prolog_flag", 2),
    ("char_conversion", 2),
    ("dynamic", 1),
    ("discontiguous", 1),
    ("multifile", 1),
    ("table", 1),
    ("mode", 1),
    ("public", 1),
    ("meta_predicate", 1),
    ("module", 2),
    ("use_module", 1),
    ("use_module", 2),
    ("ensure_loaded", 1),
    ("consult", 1),
    (".", 2),
}

ATTRIBUTE_HOOKS = {("attr_unify_hook", 2), ("attribute_goals", 3), ("attr_portray_hook", 2)}


def is_immediate(m: Any, goal: int) -> bool:
    """Must a directive run where it stands?"""
    while m.is_compound(goal) and indicator(m, goal) == (",", 2):
        if not is_immediate(m, m.arg(goal, 0)):
            return False
        goal = m.arg(goal, 1)
    return bool(m.is_callable(goal)) and indicator(m, goal) in IMMEDIATE


def consult(m: Any, name: str, label: str = "consulting", keep_terms: bool = True) -> None:
    """Load a file of ordinary Prolog. Clauses replace those of an earlier load of the file."""
    path = find_file(name, SUFFIXES)
    if path is None:
        raise file_not_found(m, name)
    if path.resolve() in [one.path.resolve() for one in loading(m)]:
        raise permission_error("load", "source_sink", m.atom(name))
    m.streams.current_output.write(f"{label}::{path}\n")
    forget_file(m, path)
    replace_library_predicates(m, path)
    source = SourceReader(m, path)
    definitions = Definitions(m, path, keep_terms, plain=True)
    errors = Load(m, source, definitions).run()
    if errors:
        m.streams.complain(f"{errors} error(s)\n")


def typed_text(m: Any) -> str:
    """What is typed at the terminal until end of file."""
    lines: list[str] = []
    while True:
        line = m.streams.user_input_source()
        if line == "" or line.strip() == "end_of_file.":
            return "".join(lines)
        lines.append(line)


def consult_user(m: Any) -> None:
    """[user]: clauses typed at the terminal. A layer above may take them (m.state["typed_program"])."""
    text = typed_text(m)
    take = m.state.get("typed_program")
    if take is None or not take(m, text):
        source = SourceReader(m, Path("user"), "user")
        Load(m, source, Definitions(m, source.path, True, plain=True), text).run()


def replace_library_predicates(m: Any, path: Path) -> None:
    """Make room for the file's own versions of library predicates before any of its clauses is
    compiled, so that all its calls go to them. The file is read for this only if some line begins
    with the name of a library predicate."""
    output, m.streams.current_output = m.streams.current_output, NullOutput()
    heap_top = m.heap.H
    try:
        names = set(re.findall(r"^([a-z]\w*)", read_text(m, path), re.MULTILINE))
        if not any(m.database.is_library_name(name) for name in names):
            return
        for clause in SourceReader(m, path).clauses():
            head = head_of(m, clause.cell)
            extra = 0
            if m.is_compound(head) and indicator(m, head) == ("-->", 2):
                head, extra = m.arg(head, 0), 2
            if m.is_callable(head):
                m.database.user_predicate(m.functor(m.name_of(head), m.arity_of(head) + extra), True)
            if not m.stacks.has_open_goals():
                m.heap.H = heap_top
    except (PrologError, PrologThrow):
        pass  # the load itself reports what is wrong with the file
    finally:
        m.streams.current_output = output


def hook_clause(m: Any, cell: int, module: str) -> int:
    """A clause; that of a hook of attributed variables (attr_unify_hook/2 ...) in a file that calls itself a
    module, or with Module:Hook as its head, belongs to that module: there is one name space for all else."""
    head = head_of(m, cell)
    if m.is_compound(head) and indicator(m, head) == (":", 2) and m.arg(head, 0) & 7 == ATM:
        module, head = m.atom_text(m.arg(head, 0)), m.arg(head, 1)
    if not module or not m.is_compound(head) or indicator(m, head) not in ATTRIBUTE_HOOKS:
        return cell
    name, arity = indicator(m, head)
    hook = m.struct(f"{module}:{name}", *(m.arg(head, i) for i in range(arity)))
    return int(hook if head_of(m, cell) == cell else m.struct(":-", hook, m.arg(cell, 1)))


class NullOutput:
    """Swallows the messages of the first look at a file."""

    def write(self, text: str) -> None:
        pass


class Load:
    """One load of a file (or of text that was typed in)."""

    def __init__(
        self, m: Any, source: SourceReader, definitions: Definitions, typed: str | None = None
    ) -> None:
        self.m = m
        self.source = source
        self.definitions = definitions
        self.typed = typed
        self.errors = 0
        self.module = ""  # as the file calls itself
        self.waiting: list[tuple[Any, Clause]] = []  # directives, as records

    def run(self) -> int:
        """Load; the number of errors."""
        m = self.m
        initialization = m.state.setdefault("initialization", [])
        first = len(initialization)
        loading(m).append(self.definitions)
        if self.typed is None:
            self.definitions.record()  # so that ensure_loaded within it knows the file
        try:
            self.read()
            for record, clause in self.waiting:
                self.directive(m.thaw(record), clause)
        finally:
            loading(m).pop()
            if self.typed is None:
                self.definitions.record()
            m.tabling.clear_tables()
        goals = initialization[first:]
        del initialization[first:]
        for goal in goals:
            if not run_directive(m, m.thaw(goal)):
                self.errors += 1
        self.report()
        errors = self.errors + self.source.errors + self.definitions.errors
        m.state["load_errors"] = m.state.get("load_errors", 0) + errors
        return errors

    def read(self) -> None:
        """Add the clauses; directives run now or wait."""
        m = self.m
        if self.typed is None:
            clauses = self.source.clauses()
        else:
            clauses = self.source.clauses_of(self.typed, "user", Path())
        for clause in clauses:
            heap_top = m.heap.H
            for cell in expand(m, clause.cell):
                if not self.source.is_directive(cell, None, 0):
                    self.definitions.add(clause, hook_clause(m, cell, self.module))
                elif is_immediate(m, m.arg(cell, 0)):
                    self.directive(m.arg(cell, 0), clause)
                else:
                    self.waiting.append((m.freeze(m.arg(cell, 0)), clause))
            if not m.stacks.has_open_goals():
                m.heap.H = heap_top

    def directive(self, goal: int, clause: Clause) -> None:
        m = self.m
        if m.is_compound(goal) and indicator(m, goal) == ("module", 2) and m.arg(goal, 0) & 7 == ATM:
            self.module = m.atom_text(m.arg(goal, 0))
        if not run_directive(self.m, goal, clause):
            self.errors += 1

    def report(self) -> None:
        """Undefined predicates are looked for when the outermost load ends."""
        m = self.m
        unchecked = m.state.setdefault("unchecked", [])
        unchecked.append(self.definitions)
        if not loading(m):
            del m.state["unchecked"]
            report_undefined(m, unchecked)
