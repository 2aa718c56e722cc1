"""Warnings of clauses that call predicates which are nowhere defined."""

from typing import Any

from prism_repl.core.errors import PrologError
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.definitions import Definitions
from prism_repl.prolog.goals import calls_in, indicator
from prism_repl.prolog.reader import Reader
from prism_repl.prolog.source import Clause
from prism_repl.prolog.writer import write_term

F_DYNAMIC = CONSTANTS["F_DYNAMIC"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]
P_FLAGS = CONSTANTS["P_FLAGS"]
P_KIND = CONSTANTS["P_KIND"]


def is_defined(m: Any, functor: int) -> bool:
    p = m.program.find_pred(functor)
    if not p:
        return False
    return bool(
        m.program.pred_field(p, P_KIND) != K_UNDEFINED or m.program.pred_field(p, P_FLAGS) & F_DYNAMIC
    )


def report_undefined(m: Any, loaded: list[Definitions]) -> None:
    """Say, as comments, which clauses of the files call what is not there."""
    if m.prolog_flags.get("unknown", "error") == "fail":
        return
    found = []
    for definitions in loaded:
        for functor, clauses in definitions.calls.items():
            if is_defined(m, functor):
                continue
            name, arity = m.functor_name_of(functor), m.functor_arity_of(functor)
            shown = write_term(m, m.struct("/", name, m.int_cell(arity)), quoted=True)
            for clause in clauses:
                line, column = place_of_call(m, clause, m.atom_text(name), arity)
                found.append((clause.file, line, column, shown))
    for file, line, column, shown in sorted(found):
        m.streams.complain(f"% Warning: {file}:{line}:{column}: {shown} is called and not defined\n")


def place_of_call(m: Any, clause: Clause, name: str, arity: int) -> tuple[int, int]:
    """Line and column of the call in the text of its clause; of the clause, if it is not found there."""
    start = clause.line, clause.column
    heap_top = m.heap.H
    try:
        term = Reader(m, clause.text, clause.file, positions=True).read_term()
        if term is None:
            return start
        best = None
        for call in calls_in(m, m.deref(term.cell)):
            if indicator(m, call.goal)[0] == name:
                best = call
                # a grammar rule's goals have two arguments more than the text shows
                if indicator(m, call.goal)[1] + call.extra in (arity, arity - 2):
                    break
        place = best and term.position(m, best.parent, best.place)
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
