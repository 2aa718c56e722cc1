"""How the tracer enters prob and its relatives: it goes through the explanation search step by step.

The search itself is done first, natively. Then the goal is traced: msw has each outcome in turn, and a tabled
goal is entered once; calls of it that follow have the answers that the search has found.
"""

from __future__ import annotations

from typing import Any

from prism_repl.core.errors import PrologError, PrologThrow
from prism_repl.inference.search import SWITCH_CALLS, NoExplanation, indicator, node_goal, search
from prism_repl.model.switches import key_of
from prism_repl.prolog.builtins.registry import helper
from prism_repl.prolog.tracing import Indicator, tracing

# Predicates of explanation search with their arities, and which argument is the goal.
FIRST = {
    "prob": (1, 2), "log_prob": (1, 2), "probf": (1, 2), "probfi": (1, 2), "probfo": (1, 2), "probfv": (1, 2),
    "probfio": (1, 2), "viterbi": (1, 2), "viterbif": (1, 3), "viterbig": (1, 2, 3), "viterbit": (1, 3),
    "hindsight": (1, 2, 3), "chindsight": (1, 2, 3),
}  # fmt: skip
SECOND = {"n_viterbi": (2, 3), "n_viterbif": (2, 3), "n_viterbig": (2, 3, 4), "n_viterbit": (2, 3)}


def attach(m: Any) -> None:
    """Tell the tracer of a machine about these predicates."""
    for place, table in enumerate((FIRST, SECOND)):
        for name, arities in table.items():
            for arity in arities:
                tracing(m).rewritten[name, arity] = entering(place)


def entering(place: int) -> Any:
    """The rewriting of a goal whose argument at a place is searched."""

    def rewrite(m: Any, goal: int, above: int) -> int:
        searched = m.deref(m.arg(goal, place))
        if not m.is_callable(searched) or indicator(m, searched) not in m.prob.tabled or m.stacks.mode != 0:
            return goal  # it knows the right error
        return m.struct(",", m.struct("$trace_explanations", searched, above), goal)

    return rewrite


class TracedSearch:
    """What the tracer needs to know of an explanation search: the answers of its tables."""

    def __init__(self, m: Any, goal: int, outer: TracedSearch | None) -> None:
        self.outer = outer
        self.entered: set[Any] = set()
        self.answers: dict[Indicator, Any] = {}
        try:
            search(m, [m.copy(goal)])
        except (NoExplanation, PrologError, PrologThrow):
            pass  # an error comes again, where it belongs
        nodes: dict[Indicator, list[int]] = {}
        for node in range(1, m.tabling.tables.node_count):
            cell = node_goal(m, node)
            nodes.setdefault(indicator(m, cell), []).append(cell)
        self.answers = {name: m.freeze(m.list_from(cells)) for name, cells in nodes.items()}

    def way(self, m: Any, goal: int, called: Indicator, enter: bool = True) -> tuple[str, int]:
        """How a goal runs: entered, known, native (another goal), or '' if the search has nothing to say."""
        if called in SWITCH_CALLS:
            return "native", m.struct("$each_outcome", m.arg(goal, 0), m.arg(goal, 1))
        if called not in m.prob.tabled:
            return "", goal
        key = key_of(m, goal)
        if not enter or key in self.entered:
            return "known", goal
        self.entered.add(key)
        return "entered", goal


@helper("$trace_search", 1)
def trace_search(m: Any, goal: int) -> bool:
    state = tracing(m)
    state.search = TracedSearch(m, goal, state.search)
    return True


@helper("$trace_search_ends", 0)
def trace_search_ends(m: Any) -> bool:
    state = tracing(m)
    state.search = state.search.outer
    return True


@helper("$trace_answers", 2)
def trace_answers(m: Any, goal: int, result: int) -> bool:
    record = tracing(m).search.answers.get(indicator(m, goal))
    return m.unify(result, m.nil if record is None else m.thaw(record))
