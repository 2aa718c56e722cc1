"""Warnings of clauses that call predicates, or evaluate functions, which are nowhere defined."""

from collections.abc import Callable, Iterator
from typing import Any

from prism_repl.core.errors import PrologError
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.definitions import Definitions
from prism_repl.prolog.goals import Call, calls_in, indicator, unknown_functions
from prism_repl.prolog.reader import Reader
from prism_repl.prolog.source import Clause
from prism_repl.prolog.writer import write_term

F_DYNAMIC = CONSTANTS["F_DYNAMIC"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]
P_FLAGS = CONSTANTS["P_FLAGS"]
P_KIND = CONSTANTS["P_KIND"]

Parts = Callable[[Any, int], Iterator[Call]]  # the parts of a clause that a warning may be about


def is_defined(m: Any, functor: int) -> bool:
    p = m.program.find_pred(functor)
    if not p:
        return False
    return bool(
        m.program.pred_field(p, P_KIND) != K_UNDEFINED or m.program.pred_field(p, P_FLAGS) & F_DYNAMIC
    )


def report_undefined(m: Any, loaded: list[Definitions]) -> None:
    """Say, as comments, which clauses call predicates or evaluate functions that are not there."""
    found = []
    silent = m.prolog_flags.get("unknown", "error") == "fail"
    for definitions in loaded:
        for functor, clauses in {} if silent else definitions.calls.items():
            if not is_defined(m, functor):
                found += warnings(m, functor, clauses, calls_in, "is called and not defined")
        for functor, clauses in definitions.functions.items():
            found += warnings(m, functor, clauses, evaluated_in, "is no function of arithmetic")
    for file, line, column, what in sorted(found):
        m.streams.complain(f"% Warning: {file}:{line}:{column}: {what}\n")


def warnings(
    m: Any, functor: int, clauses: list[Clause], parts_of: Parts, what: str
) -> list[tuple[str, int, int, str]]:
    """File, line, column and text of a warning for each of the clauses."""
    name, arity = m.functor_name_of(functor), m.functor_arity_of(functor)
    shown = write_term(m, m.struct("/", name, m.int_cell(arity)), quoted=True)
    return [
        (clause.file, *place_of(m, clause, m.atom_text(name), arity, parts_of), f"{shown} {what}")
        for clause in clauses
    ]


def evaluated_in(m: Any, term: int) -> Iterator[Call]:
    for call in calls_in(m, term):
        yield from unknown_functions(m, call.goal)


def place_of(m: Any, clause: Clause, name: str, arity: int, parts_of: Parts) -> tuple[int, int]:
    """Line and column of a part of a clause in its text; of the clause, if it is not found there."""
    start = clause.line, clause.column
    heap_top = m.heap.H
    try:
        term = Reader(m, clause.text, clause.file, positions=True).read_term()
        if term is None:
            return start
        best = None
        for call in parts_of(m, m.deref(term.cell)):
            if indicator(m, call.goal)[0] == name:
                best = call
                # a grammar rule's goals have two arguments more than the text shows
                if indicator(m, call.goal)[1] + call.extra in (arity, arity - 2):
                    break
        place = best and term.position(best.parent, best.place)
        if not place:
            return start
        before = clause.text[: place[0]]
        lines = before.count("\n")
        column = len(before) - before.rfind("\n")
        return clause.line + lines, column if lines else clause.column + column - 1
    except PrologError:
        return start
    finally:
        if not m.stacks.has_open_goals():
            m.heap.H = heap_top
