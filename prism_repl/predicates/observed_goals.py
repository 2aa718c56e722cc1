"""The observed goals of the last run of learning."""

from __future__ import annotations

from typing import Any

from prism_repl.model.messages import prism_error, runtime_error, say, text_of
from prism_repl.model.switches import fetch
from prism_repl.prolog.builtins.registry import builtin


def last_observed(m: Any) -> list[tuple[int, int]]:
    observed = m.prob.statistics.get("observed")
    if observed is None:
        raise prism_error(m, "3004", runtime_error("observation_not_found"))
    return [(fetch(m, goal), count) for goal, count in observed]


@builtin("show_goals is det")
def show_goals(m: Any) -> bool:
    observed = last_observed(m)
    total = sum(count for _, count in observed)
    for goal, count in observed:
        say(m, f"Goal {text_of(m, goal)} (count={count}, freq={100.0 * count / total:.3f}%)\n")
    say(m, f"Total_count={total}\n")
    return True


@builtin("get_goals(-Goals) is det")
def get_goals(m: Any, goals: int) -> bool:
    return m.unify(goals, goals_cell(m))


@builtin("get_goal_counts(-Counts) is det")
def get_goal_counts(m: Any, counts: int) -> bool:
    return m.unify(counts, goal_counts_cell(m))


def goals_cell(m: Any) -> int:
    return m.list_from([goal for goal, _ in last_observed(m)])


def goal_counts_cell(m: Any) -> int:
    """[[Goal,Count,Percent],...]"""
    observed = last_observed(m)
    total = sum(count for _, count in observed)
    rows = [
        m.list_from([goal, m.int_cell(count), m.float_cell(100.0 * count / total)])
        for goal, count in observed
    ]
    return m.list_from(rows)
