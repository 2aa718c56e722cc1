"""Generative conditional random fields: explanations have weights exp(lambda * feature), not probabilities.

All is computed with logarithms; weights that no float can hold are an error unless logarithms are asked for.
"""

from __future__ import annotations

import math

from prism_repl.arrays import Array, np
from prism_repl.graph.best import LOG_SCALE, BestPaths
from prism_repl.graph.derivations import Derivations
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll
from prism_repl.inference.interface import Explanation, Probability, Values
from prism_repl.inference.sums import LARGEST_EXPLANATION, Sums


class WeightOverflow(Exception):
    """A weight is too large for a float."""


class Weights(Sums):
    """Inference with `scores`, lambda times feature value, for the graph's switch instances."""

    def __init__(self, graph: Graph, scores: Array, log_scale: bool = False, poll: Poll = None) -> None:
        with np.errstate(over="ignore"):
            super().__init__(graph, np.exp(scores), log_scale, poll)
        self.log_theta = np.ascontiguousarray(scores, dtype=np.float64)

    # -- sums ----------------------------------------------------------------------------------

    def _inside_safe(self, root: int) -> tuple[float, bool]:
        return float(self._inside(logs=True)[root]), True

    def log_weight(self, root: int = 0) -> float:
        return self._inside_safe(root)[0]

    def weight(self, root: int = 0) -> float:
        return self._plain(np.array([self.log_weight(root)]))[0].item()

    def _plain(self, logs: Array) -> Array:
        with np.errstate(over="ignore"):
            values: Array = np.exp(logs)
        if np.isinf(values).any():
            raise WeightOverflow
        return values

    def inside(self) -> Values:
        self._inside(True)
        nodes = self.space.node_values()[:, 0]
        paths = self._path_products(nodes, True)
        if self.log_scale:
            return Values(nodes, paths, self.log_theta, True)
        return Values(self._plain(nodes), self._plain(paths), self._plain(self.log_theta), False)

    def outside(self, root: int = 0) -> Values:
        plain, self.log_scale = self.log_scale, True
        try:
            values = super().outside(root)
        finally:
            self.log_scale = plain
        if self.log_scale:
            return values
        return Values(self._plain(values.nodes), self._plain(values.paths), values.instances, False)

    def hindsight(self, root: int = 0, conditional: bool = False) -> Array:
        self._inside(True)
        logs = self.space.node_values()[:, 0]
        plain, self.log_scale = self.log_scale, True
        try:
            logs = logs + super().outside(root).nodes
        finally:
            self.log_scale = plain
        if conditional:
            logs = logs - self.log_weight(root)
        return logs if self.log_scale else self._plain(logs)

    # -- maxima --------------------------------------------------------------------------------

    def score(self, explanation: Explanation) -> float:
        """The log weight of an explanation."""
        counts = self.switch_counts(explanation)
        return math.fsum(times * self.log_theta[instance] for instance, times in counts.items())

    def _best_paths(self) -> BestPaths:
        if self._best is None:
            # numbers of any size: mantissas in (2**-SCALE_BITS, 1]
            exponents = np.ceil(self.log_theta / LOG_SCALE).astype(np.int32)
            scaled = (np.exp(self.log_theta - exponents * LOG_SCALE), exponents)
            self._best = BestPaths(self.graph, self.theta, self.space.pause, scaled)
        return self._best

    def viterbi(self, root: int = 0) -> Explanation:
        """The best explanation; among equals the first path of each node, as PRISM has it here."""
        graph = self.graph
        best = np.full(graph.n_nodes, -math.inf)
        chosen = [0] * graph.n_nodes
        scores = self.log_theta.tolist()
        values: list[float] = best.tolist()
        for node in range(graph.n_nodes):
            for path in graph.paths(node):
                subgoals, switches = graph.split(path)
                value = sum([scores[i] for i in switches]) + sum([values[n] for n in subgoals])
                if value > values[node]:
                    values[node], chosen[node] = value, path
        paths = []
        todo = [int(graph.roots[root])]
        while todo:
            path = chosen[todo.pop()]
            paths.append(path)
            todo.extend(reversed(graph.split(path)[0]))
        return Explanation(Probability(0.0, values[int(graph.roots[root])]), paths)

    def n_viterbi(self, n: int, root: int = 0) -> list[Explanation]:
        derivations: Derivations = self._derivations()
        found = []
        for reference in derivations.find(int(self.graph.roots[root]), n):
            paths = derivations.explanation(reference, LARGEST_EXPLANATION)
            explanation = Explanation(Probability(0.0, 0.0), paths)
            found.append(Explanation(Probability(0.0, self.score(explanation)), paths))
        return found
