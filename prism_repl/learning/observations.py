"""Observed goals: what learn/1 is given, merged and in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prism_repl.arrays import Array, np
from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import domain_error, instantiation_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.core.queries import solve_once
from prism_repl.inference.search import check_goal
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, runtime_error
from prism_repl.prolog.standard_order import by_first
from prism_repl.prolog.whole_files import read_terms

F_DEFINED = CONSTANTS["F_DEFINED"]
# Goal and count are these arguments of a term that says how often a goal was observed.
COUNTED = {"count": (0, 1), "goal": (0, 1), "times": (1, 0)}
FAILURE = "failure"


@dataclass(frozen=True)
class Observations:
    """Distinct goals in standard order, and how often each was observed. `failure` is the index of the goal
    that stands for the failures, if it is there."""

    goals: list[int]
    counts: list[int]
    failure: int | None


def observations(m: Any, data: int) -> Observations:
    """The goals of a list of observations; PRISM's errors if something is wrong with it."""
    items, tail = m.list_items(data)
    if tail & 7 == REF:
        raise prism_error(m, "1302", instantiation_error(), data)
    if not items or tail != m.nil:
        raise prism_error(m, "1302", domain_error("observed_data", data), data)
    return merged(m, items, data)


def sampled(m: Any, data: int, samples: Array) -> tuple[Observations, Array]:
    """The goals of a list, and how often each sample has them; samples[s, i] is of item i of the list."""
    observed = observations(m, data)
    place = {m.intern(goal, True): i for i, goal in enumerate(observed.goals)}
    columns = [place[m.intern(goal_and_count(m, item)[0], True)] for item in m.list_items(data)[0]]
    counts = np.zeros((len(observed.goals), len(samples)))
    np.add.at(counts, columns, samples.T)
    return observed, counts.T


def merged(m: Any, items: list[int], data: int) -> Observations:
    found: dict[int, tuple[int, int]] = {}
    failure_atom = m.atom(FAILURE)
    if all(item & 7 == REF or item == failure_atom for item in items):
        # failure alone, which an unbound goal might be, too, says nothing
        raise prism_error(m, "1302", domain_error("observed_data", data), data)
    for item in items:
        goal, count = goal_and_count(m, item)
        check_observed(m, goal)
        key = m.intern(goal, True)  # one cell for all variants
        if key in found:
            found[key] = (found[key][0], found[key][1] + count)
        else:
            # a stored goal need not be stored again by the search
            found[key] = (goal if m.has_numbered_vars(key) else key, count)
    ordered = by_first(m, found.values())
    goals = [goal for goal, _ in ordered]
    counts = [count for _, count in ordered]
    failure = goals.index(failure_atom) if failure_atom in goals else None
    if failure is not None:
        counts[failure] = 1
        if len(goals) == 1:
            raise prism_error(m, "1302", domain_error("observed_data", data), data)
    return Observations(goals, counts, failure)


def goal_and_count(m: Any, item: int) -> tuple[int, int]:
    """G, count(G,N), goal(G,N) or (N times G)."""
    if item & 7 != ATM and m.is_compound(item) and not m.is_list_cell(item) and m.arity_of(item) == 2:
        places = COUNTED.get(m.atom_text(m.name_of(item)))
        if places is not None:
            return m.arg(item, places[0]), checks.positive_integer(m, "1304", m.arg(item, places[1]))
    return item, 1


def check_observed(m: Any, goal: int) -> None:
    if goal & 7 == REF:
        raise prism_error(m, "1303", instantiation_error(), goal)
    check_goal(m, goal, "1303")


def observed_data(m: Any) -> Observations:
    """The goals of the file that the flag data_source names."""
    items = data_items(m)
    return merged(m, items, m.list_from(items))


def data_items(m: Any) -> list[int]:
    """The terms of the file that the flag data_source names."""
    source = m.prob.flags["data_source"]
    not_found = runtime_error("data_source_not_found")
    if source == "none":
        raise prism_error(m, "1300", not_found)
    if source == ("/", "data", 1):
        file = data_file(m)
        if file is None:
            raise prism_error(m, "1301", not_found)
    else:
        file = m.atom(source[1])
    items = list(read_terms(m, file))
    if not items:
        raise prism_error(m, "1302", domain_error("observed_data", m.nil), m.nil)
    return items


def data_file(m: Any) -> int | None:
    """The file that the program's fact data/1 names."""
    p = m.program.find_pred(m.functor(m.atom("data"), 1))
    if not p or not m.database.has_flag(p, F_DEFINED):
        return None
    name = m.new_var()
    if not solve_once(m, m.struct("data", name)):
        return None
    cell = m.deref(name)
    return m.atom(str(m.number_value(cell))) if m.is_number(cell) else cell
