"""Statistics of the last runs: graph_statistics, learn_statistics, infer_statistics, mcmc_statistics and
all of them, prism_statistics. The /2 versions are in library/statistics.pl."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.model.messages import say
from prism_repl.predicates.observed_goals import goal_counts_cell, goals_cell
from prism_repl.prolog.builtins.registry import builtin, helper

GROUPS = {
    "graph": "Statistics on the size of the explanation graphs:",
    "learn": "Statistics on learning:",
    "infer": "Statistics on inference:",
    "mcmc": "Statistics on MCMC:",
}
ALL = "Statistics in PRISM:"
# Terms, not numbers: they are printed by show_goals/0.
TERMS: dict[str, Callable[[Any], int]] = {"goals": goals_cell, "goal_counts": goal_counts_cell}
# The order of the learning statistics; a run has only some of them.
LEARN_KEYS = (
    "log_likelihood log_post log_prior lambda num_switches num_switch_values num_parameters num_iterations "
    "num_iterations_vb goals goal_counts bic cs free_energy squared_error learn_time learn_search_time "
    "em_time"
).split()


def entries(m: Any, group: str) -> list[tuple[str, Any]]:
    """Names and values of a group, or of all (`prism`); the value of a term is None."""
    if group == "prism":
        return [entry for name in GROUPS for entry in entries(m, name)]
    values = m.prob.statistics.get(group, {})
    if group == "learn" and values:
        values = values | dict.fromkeys(TERMS)
        return [(key, values[key]) for key in LEARN_KEYS if key in values]
    return list(values.items())


@helper("$statistics", 3)
def statistics(m: Any, group: int, name: int, pairs: int) -> bool:
    """Name-Value pairs of a group: all of them, or the one that is named."""
    wanted = m.atom_text(name) if name & 7 == ATM else None
    cells = [
        m.struct("-", m.atom(key), TERMS[key](m) if key in TERMS else number_cell(m, value))
        for key, value in entries(m, m.atom_text(group))
        if wanted is None or wanted == key
    ]
    return m.unify(pairs, m.list_from(cells))


def number_cell(m: Any, value: float) -> int:
    return m.int_cell(value) if isinstance(value, int) else m.float_cell(value)


def define(group: str, header: str) -> None:
    def show(m: Any) -> bool:
        say(m, header + "\n")
        found = entries(m, group)
        if dict(found).get("mcmc_chains") == 1:  # as PRISM prints them
            found = [
                (key, value) for key, value in found if not key.startswith("mcmc_") or key.endswith("_time")
            ]
        for key, value in found:
            text = "(run show_goals/0)" if key in TERMS else value_text(key, value)
            say(m, f"  {key:<22}: {text}\n")
        return True

    builtin(f"{group}_statistics is det")(show)


def value_text(key: str, value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{round(value, 3):.9g}" if key.endswith("_time") else f"{value:.9g}"


for group_name, title in GROUPS.items():
    define(group_name, title)
define("prism", ALL)
