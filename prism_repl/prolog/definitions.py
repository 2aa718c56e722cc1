"""What files put into the database: whose a predicate is, and what happens to what was there before."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.goals import EVALUATING, calls_in, unknown_functions
from prism_repl.prolog.source import Clause, head_of
from prism_repl.prolog.writer import write_term

F_CONSULTED = CONSTANTS["F_CONSULTED"]
F_DISCONTIGUOUS = CONSTANTS["F_DISCONTIGUOUS"]
F_DYNAMIC = CONSTANTS["F_DYNAMIC"]
F_LIBRARY = CONSTANTS["F_LIBRARY"]
F_MULTIFILE = CONSTANTS["F_MULTIFILE"]
F_EXPLAINED = CONSTANTS["F_EXPLAINED"]
F_MODED = CONSTANTS["F_MODED"]
F_TABLED = CONSTANTS["F_TABLED"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]
P_FLAGS = CONSTANTS["P_FLAGS"]
P_KIND = CONSTANTS["P_KIND"]
C_BIRTH = CONSTANTS["C_BIRTH"]
C_PRED = CONSTANTS["C_PRED"]
# What a declaration says of a predicate: gone when another file, or a new version, defines it.
DECLARED = F_DYNAMIC | F_TABLED | F_MODED | F_EXPLAINED | F_DISCONTIGUOUS | F_MULTIFILE


@dataclass
class LoadedFile:
    """What a file put into the database when it was last loaded."""

    path: Path
    modified: float
    predicates: set[int] = field(default_factory=set)
    shared: list[tuple[int, int, int]] = field(default_factory=list)  # see Definitions


def loaded_files(m: Any) -> dict[str, LoadedFile]:
    """What was loaded, by absolute path."""
    files: dict[str, LoadedFile] = m.state.setdefault("files", {})
    return files


def is_loaded(m: Any, path: Path) -> bool:
    """Whether the file was loaded as it is now."""
    loaded = loaded_files(m).get(str(path.resolve()))
    return loaded is not None and path.exists() and path.stat().st_mtime == loaded.modified


def forget_file(m: Any, path: Path) -> None:
    """Remove what the last load of a file defined."""
    before = loaded_files(m).pop(str(path.resolve()), None)
    if before is None:
        return
    for p in before.predicates:
        m.database.remove_all(p)
        m.program.set_pred_field(p, P_FLAGS, 0)
        m.program.set_pred_field(p, P_KIND, K_UNDEFINED)
    for p, at, birth in before.shared:
        # the address may be another clause's by now
        if m.program.code_word(at + C_PRED) == p and m.program.code_word(at + C_BIRTH) == birth:
            m.database.erase(at)


def loading(m: Any) -> "list[Definitions]":
    """The files that are being loaded, innermost last."""
    stack: list[Definitions] = m.state.setdefault("loading", [])
    return stack


def note_declared(m: Any, p: int) -> None:
    """A directive says something of a predicate."""
    if loading(m):
        loading(m)[-1].declare(p)


def note_clause(places: dict[int, list[Clause]], functor: int, clause: Clause) -> None:
    clauses = places.setdefault(functor, [])
    if not clauses or clauses[-1] is not clause:
        clauses.append(clause)


class Definitions:
    """Adds clauses to predicates while a file is loaded: the first clause of a predicate replaces what
    was there, a protected one is refused, scattered clauses are noticed."""

    def __init__(self, m: Any, path: Path, keep_terms: bool, plain: bool = False) -> None:
        self.m = m
        self.path = path
        self.keep_terms = keep_terms
        self.plain = plain  # ordinary Prolog, in which more of PRISM's predicates may be redefined
        self.predicates: set[int] = set()
        self.declared: set[int] = set()
        self.shared: list[tuple[int, int, int]] = []  # predicate, address, birth of clauses of multifile ones
        self.refused: set[int] = set()
        self.seen: set[int] = set()  # functors, as in scattered and current
        self.scattered: set[int] = set()
        self.current = 0
        self.errors = 0
        self.calls: dict[int, list[Clause]] = {}  # functors that are called, with the clauses that do
        self.functions: dict[int, list[Clause]] = {}  # functors in expressions that arithmetic has not
        self.evaluating = {m.functor(m.atom(name), arity) for name, arity in EVALUATING}

    def declare(self, p: int) -> None:
        """A directive of this file names the predicate: an older version of it goes first."""
        known = p in self.predicates or p in self.declared
        if not known and not self.m.database.has_flag(p, F_MULTIFILE):
            self.m.database.remove_all(p)
            self.m.database.set_flag(p, DECLARED, False)
        self.declared.add(p)

    def add(self, clause: Clause, cell: int) -> None:
        m = self.m
        head = head_of(m, cell)
        if head & 7 == REF or not m.is_callable(head):
            self.bad_clause(clause, "a clause must have a callable head")
            return
        functor = m.functor(m.name_of(head), m.arity_of(head))
        p = m.database.user_predicate(functor, self.plain)
        if p == 0:
            self.refuse(clause, functor)
            return
        if p not in self.predicates:
            self.begin(p)
        if m.program.pred_field(p, P_FLAGS) & (F_DISCONTIGUOUS | F_DYNAMIC | F_MULTIFILE):
            self.scattered.add(functor)  # and may be
        self.note_place(functor)
        try:
            at = m.database.add_clause(cell, True, clause.line)
        except PrologError as error:
            self.bad_clause(clause, write_term(m, error.formal(m), quoted=True))
            return
        if m.program.pred_field(p, P_FLAGS) & F_MULTIFILE:
            self.shared.append((p, at, m.program.code_word(at + C_BIRTH)))
        if head != cell:
            self.note_calls(clause, cell)

    def begin(self, p: int) -> None:
        """The first clause of a predicate in this file."""
        m = self.m
        self.predicates.add(p)
        if not m.program.pred_field(p, P_FLAGS) & F_MULTIFILE:
            m.database.remove_all(p)
            if p not in self.declared:
                m.database.set_flag(p, DECLARED, False)
        if self.keep_terms:
            m.database.set_flag(p, F_CONSULTED)

    def refuse(self, clause: Clause, functor: int) -> None:
        """Clauses for a predicate that stays what it is."""
        m = self.m
        if functor in self.refused:
            return
        self.refused.add(functor)
        arity = m.int_cell(m.functor_arity_of(functor))
        name = write_term(m, m.struct("/", m.functor_name_of(functor), arity), quoted=True)
        m.streams.complain(f"** Error  : Trying to redefine built-in:'{clause.file}',{clause.line}::{name}\n")
        if not m.database.has_flag(m.program.pred(functor), F_LIBRARY):
            self.errors += 1

    def note_calls(self, clause: Clause, cell: int) -> None:
        m = self.m
        for call in calls_in(m, cell):
            functor = m.functor(m.name_of(call.goal), m.arity_of(call.goal) + call.extra)
            note_clause(self.calls, functor, clause)
            for part in unknown_functions(m, call.goal) if functor in self.evaluating else ():
                functor = m.functor(m.name_of(part.goal), m.arity_of(part.goal))
                note_clause(self.functions, functor, clause)

    def note_place(self, functor: int) -> None:
        """A clause of this functor comes now: is it apart from the earlier ones?"""
        if functor in self.seen and functor != self.current and functor not in self.scattered:
            if self.m.prolog_flags.get("contiguous_warning", "on") == "on":
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

    def record(self) -> None:
        """Remember what the file defined, for when it is loaded again."""
        m, path = self.m, self.path
        own = {
            p for p in self.predicates | self.declared if not m.program.pred_field(p, P_FLAGS) & F_MULTIFILE
        }
        modified = path.stat().st_mtime if path.exists() else 0.0  # a program that was given as a text
        loaded_files(m)[str(path.resolve())] = LoadedFile(path, modified, own, self.shared)
