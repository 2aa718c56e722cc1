"""Explanation search of many goals, a few at a time: what is found of one slice is used, and dropped before
the next one is searched. Memory is that of one slice, whatever the number of goals."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph
from prism_repl.inference.search import (
    NoExplanation,
    Search,
    answers,
    msw_cell,
    set_outside_hook,
    use_shortcuts,
)
from prism_repl.tabling import table_space

# A slice ends when its tables have so many bytes: small beside a process, large beside the work of a slice.
SLICE_BYTES = 1 << 18


def search_slices(
    m: Any,
    goals: list[int],
    visit: Callable[[int, Search], None],
    progress: Callable[[int], None] | None = None,
) -> None:
    """Search all explanations of the goals. `visit` is given each slice, and the number of its first goal;
    nothing of it stays. Raises NoExplanation, and the errors of the program that is run."""
    use_shortcuts(m)
    nested = m.tabling.tables_in_use()
    outside_hook = m.switches.outside_hook
    hidden = m.tabling.begin_nested(True) if nested else None
    if not nested:
        m.tabling.clear_tables()
        table_space.begin(m.tabling)
    set_outside_hook(m)
    try:
        first = 0
        while first < len(goals):
            found = one_slice(m, goals, first, progress)
            visit(first, found)
            first += len(found.goals)
            if not nested:  # else what is in use stays, and all that came after it
                table_space.drop_young(m.tabling)
    finally:
        if nested:
            m.tabling.end_nested(hidden)
            m.switches.outside_hook = outside_hook
        else:
            table_space.end(m.tabling)


def one_slice(m: Any, goals: list[int], first: int, progress: Callable[[int], None] | None) -> Search:
    started = time.perf_counter()
    before = m.tabling.tables.table_bytes()
    found: list[list[int]] = []
    for i in range(first, len(goals)):
        if progress is not None:
            progress(i)
        found.append(answers(m, goals[i]))
        if not found[-1]:
            raise NoExplanation(goals[i])
        if m.tabling.tables.table_bytes() - before > SLICE_BYTES:
            break
    if progress is not None and first + len(found) == len(goals):
        progress(len(goals))
    m.prob.switches.register(m, m.outcomes.arrays()[0])
    return Search(m, goals[first : first + len(found)], found, None, started)


class SurveyedGraph(Graph):
    """The switches and the observed goals of graphs that were searched and dropped, and how large they were
    (what several slices share is counted in each)."""

    def __init__(self, switch_ids: Array, ranges: Array, counts: list[int], sizes: dict[str, int]) -> None:
        lengths = ranges[switch_ids + 1] - ranges[switch_ids]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        instance_ids = np.repeat(ranges[switch_ids] - starts[:-1], lengths) + np.arange(starts[-1])
        roots = np.zeros(len(counts))
        super().__init__([0], [0], [], starts, roots, counts, [], instance_ids, switch_ids)
        self.sizes = sizes

    @property
    def size(self) -> int:
        return self.sizes["num_nodes"]

    def statistics(self) -> dict[str, float]:
        nodes = self.sizes["num_subgraphs"]
        return self.sizes | {"avg_shared": self.sizes["num_goal_nodes"] / nodes if nodes else 0.0}


class Survey:
    """One search by slices, as far as learning has to know of it: which switches there are, and how much of
    everything. It has what learning uses of a Search."""

    def __init__(
        self,
        m: Any,
        goals: list[int],
        counts: list[int],
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.m = m
        self.table_bytes = 0
        self.met: list[int] = []
        used: set[int] = set()
        sizes = {"num_subgraphs": 0, "num_nodes": 0, "num_goal_nodes": 0, "num_switch_nodes": 0}

        def note(first: int, found: Search) -> None:
            found.refuse_cycle()
            used.update(found.graph.switch_ids.tolist())
            self.met = found.met
            self.table_bytes = max(self.table_bytes, found.table_bytes)
            statistics = found.graph.statistics()
            for key in sizes:
                sizes[key] += statistics[key]

        started = time.perf_counter()
        search_slices(m, goals, note, progress)
        self.seconds = time.perf_counter() - started
        ranges = m.prob.switches.ranges()
        self.graph = SurveyedGraph(np.array(sorted(used), dtype=np.int64), ranges, counts, sizes)

    def switch_cell(self, instance: int) -> int:
        """msw(Name,Value) for a switch instance of the graph."""
        return msw_cell(self.m, int(self.graph.instance_ids[instance]))
