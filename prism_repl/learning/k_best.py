"""Counts from the K best explanations of each goal, weighted by their probabilities: k-best Viterbi training.

One explanation is Viterbi training, all of them are EM. The objective, the logarithm of the sum of the K
best, never falls: an update raises the sum of those that were counted, and the new best ones are no worse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_repl.arrays import Array, np
from prism_repl.graph.best import BestPaths
from prism_repl.graph.derivations import Derivations
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


class KBestExpecting:
    """Expectations over the K best explanations of an explanation graph."""

    splits = False  # one pass is one thread's
    side_by_side = False  # runs share no work; in a block of lanes those that are over would be computed, too

    def __init__(self, graph: Graph, k: int) -> None:
        self.graph, self.k = graph, k

    def expectations(self, lanes: int, pool: ThreadPoolExecutor | None, poll: Poll) -> KBestExpectations:
        return KBestExpectations(self.graph, self.k, lanes, poll)


class KBestExpectations:
    def __init__(self, graph: Graph, k: int, lanes: int, poll: Poll) -> None:
        self.graph, self.k, self.lanes, self.poll = graph, k, lanes, poll

    def values(self, theta: Array, logs: bool) -> Array:
        weights = np.zeros((len(self.graph.roots), self.lanes))
        return self.expect(theta, weights, logs)[0]

    def expect(self, theta: Array, weights: Array, logs: bool) -> tuple[Array, Array]:
        graph = self.graph
        values = np.empty((len(graph.roots), self.lanes))
        counts = np.zeros((graph.n_instances, self.lanes))
        plain = np.exp(theta) if logs else theta
        for lane in range(self.lanes):
            of_lane = np.zeros(graph.n_instances)
            log_values = self.derivations(plain[:, lane]).expect(
                graph.roots, self.k, np.ascontiguousarray(weights[:, lane]), of_lane
            )
            values[:, lane] = log_values if logs else np.exp(log_values)
            counts[:, lane] = of_lane
        return values, counts

    def derivations(self, theta: Array) -> Derivations:
        """The derivations of the graph with these parameters, none but the best found so far."""
        best = BestPaths(self.graph, theta, self.poll or (lambda: None))
        return Derivations(self.graph, best.mantissas, best.exponents, best.chosen, self.poll)
