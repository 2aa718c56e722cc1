"""Viterbi counts without a stored graph: each iteration searches the explanations anew, a slice of the goals
at a time, keeps what the best ones count, and forgets the rest. Slower than on a stored graph by the time of
a search for each iteration; the memory does not grow with the number of goals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prism_repl.arrays import Array, np
from prism_repl.graph.plan import Plan, Poll
from prism_repl.inference.search import Search
from prism_repl.inference.slices import search_slices
from prism_repl.learning.expectations import Expecting, GraphExpecting
from prism_repl.learning.k_best import KBestExpecting

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


class SearchExpecting:
    """Expectations by the K best explanations of the goals, which are searched each time. The switch
    instances are numbered by their place in `instance_ids`, the ascending numbers that searches use."""

    splits = False  # there is one machine to search with
    side_by_side = True

    def __init__(self, m: Any, goals: list[int], instance_ids: Array, k: int) -> None:
        self.m, self.goals, self.instance_ids, self.k = m, goals, instance_ids, k

    def expectations(self, lanes: int, pool: ThreadPoolExecutor | None, poll: Poll) -> SearchExpectations:
        return SearchExpectations(self, lanes, poll)

    def on_slice(self, found: Search, poll: Poll) -> Expecting:
        if self.k > 1:
            return KBestExpecting(found.graph, self.k)
        return GraphExpecting(Plan(found.graph, poll=poll), viterbi=True)


class SearchExpectations:
    def __init__(self, expecting: SearchExpecting, lanes: int, poll: Poll) -> None:
        self.expecting, self.lanes, self.poll = expecting, lanes, poll

    def values(self, theta: Array, logs: bool) -> Array:
        weights = np.zeros((len(self.expecting.goals), self.lanes))
        return self.expect(theta, weights, logs)[0]

    def expect(self, theta: Array, weights: Array, logs: bool) -> tuple[Array, Array]:
        expecting = self.expecting
        values = np.empty((len(expecting.goals), self.lanes))
        counts = np.zeros((len(expecting.instance_ids), self.lanes))

        def visit(first: int, found: Search) -> None:
            places = np.searchsorted(expecting.instance_ids, found.graph.instance_ids)
            goals = slice(first, first + len(found.goals))
            on_slice = expecting.on_slice(found, self.poll).expectations(self.lanes, None, self.poll)
            parameters = np.ascontiguousarray(theta[places])
            values[goals], of_slice = on_slice.expect(parameters, np.ascontiguousarray(weights[goals]), logs)
            counts[places] += of_slice

        search_slices(expecting.m, expecting.goals, visit)
        return values, counts
