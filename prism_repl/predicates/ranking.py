"""rank: goals in the order of their probabilities."""

from __future__ import annotations

import functools
from typing import Any

from prism_repl.predicates.probability import goal_probability, in_logs, log_of
from prism_repl.prolog.builtins.registry import builtin


def ranked(m: Any, goals: int) -> list[tuple[int, float, int]] | None:
    """(goal, value, position from 1) of each goal, the most probable first; None if one has no explanation,
    or there is none. Of equal values the later goal in standard order is first, of equal goals the later
    one."""
    items, tail = m.list_items(goals)
    if tail != m.nil or not items:
        return None
    entries = []
    for place, goal in enumerate(items, 1):
        probability = goal_probability(m, goal)
        if probability is None:
            return None
        value = log_of(m, probability) if in_logs(m) else probability.value
        # Values that are too small for a float are still told apart.
        entries.append((goal, value, place, (value, probability.log)))

    def compare(a: tuple[int, float, int, Any], b: tuple[int, float, int, Any]) -> int:
        if a[3] != b[3]:
            return 1 if a[3] < b[3] else -1
        return m.compare(b[0], a[0]) or b[2] - a[2]

    entries.sort(key=functools.cmp_to_key(compare))
    return [(goal, value, place) for goal, value, place, _ in entries]


@builtin("rank(+Goals, -Ranked) is semidet")
@builtin("rank(+Goals, -Ranked, -Ps) is semidet")
@builtin("rank(+Goals, -Ranked, -Ps, -Places) is semidet")
def rank(m: Any, goals: int, *results: int) -> bool:
    entries = ranked(m, goals)
    if entries is None:
        return False
    columns = [
        [goal for goal, _, _ in entries],
        [m.float_cell(value) for _, value, _ in entries],
        [m.int_cell(place) for _, _, place in entries],
    ]
    return all(m.unify(result, m.list_from(column)) for result, column in zip(results, columns, strict=False))
