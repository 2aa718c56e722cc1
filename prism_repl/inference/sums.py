"""Inference by sums over explanations, their maxima, n-best, hindsight: one fold, different algebras.

Probabilities are plain numbers where doubles hold them; where they underflow, logarithms are taken without
being asked for, and the result says so (`logs`). Best explanations are compared by numbers with an exponent
of their own, which are the same bits as plain products and never underflow: so the choice is the same in
every mode. Cycles in the graph make infinitely many explanations, whose sums are solutions of equations.
"""

from __future__ import annotations

import math

from prism_repl.arrays import Array, np
from prism_repl.graph.best import LOG_SCALE, SCALE_BITS, BestPaths
from prism_repl.graph.derivations import Derivations
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import SMALLEST, Plan, Poll, Workspace
from prism_repl.inference.interface import Explanation, Inference, Probability, Values

# An explanation is written out as a tree, shared subgoals each time they are used: there must be an end.
LARGEST_EXPLANATION = 50_000_000


def scaled_probability(number: tuple[int, float]) -> Probability:
    """A number given as (exponent, mantissa), as in BestPaths."""
    exponent, mantissa = number
    if mantissa == 0.0:
        return Probability(0.0, -math.inf)
    value = math.ldexp(mantissa, SCALE_BITS * exponent) if exponent > -8 else 0.0
    return Probability(value, math.log(mantissa) + exponent * LOG_SCALE, value == 0.0)


def log_probability(log: float) -> Probability:
    """A probability given by its logarithm."""
    plain = math.exp(log) if log < 700.0 else math.inf
    return Probability(plain, log, plain == 0.0 and log > -math.inf)


class Sums(Inference):
    """Every explanation counts, and all of them exclude each other."""

    def __init__(
        self,
        graph: Graph,
        theta: Array,
        log_scale: bool = False,
        poll: Poll = None,
    ) -> None:
        super().__init__(graph, theta, log_scale, poll)
        self.plan = Plan(graph, merge=False, poll=poll)
        self.space = Workspace(self.plan, poll=poll)
        self._best: BestPaths | None = None
        self._nbest: Derivations | None = None

    # -- sums ----------------------------------------------------------------------------------

    def _inside(self, logs: bool) -> Array:
        """Values of the goals; node values are then in the workspace."""
        theta = self.log_theta if logs else self.theta
        return self.space.inside(theta[:, None], logs)[:, 0]

    def _inside_safe(self, root: int) -> tuple[float, bool]:
        """The value of a goal, and whether it is a logarithm: by flag, or because a double cannot hold it."""
        if not self.log_scale:
            value = float(self._inside(logs=False)[root])
            if value >= SMALLEST:
                return value, False
        return float(self._inside(logs=True)[root]), True

    def probability(self, root: int = 0) -> Probability:
        """The probability of a goal: the sum over its explanations."""
        value, logs = self._inside_safe(root)
        return log_probability(value) if logs else Probability(value, math.log(value))

    def probabilities(self) -> list[Probability]:
        """The probabilities of all goals, by one pass over the graph; by two if some underflow."""
        plain = [] if self.log_scale else self._inside(logs=False).tolist()
        if plain and min(plain) >= SMALLEST:
            return [Probability(value, math.log(value)) for value in plain]
        return [log_probability(value) for value in self._inside(logs=True).tolist()]

    def inside(self) -> Values:
        """Inside probabilities (probfi)."""
        self._inside(self.log_scale)
        nodes = self.space.node_values()[:, 0]
        instances = self.log_theta if self.log_scale else self.theta
        return Values(nodes, self._path_products(nodes, self.log_scale), instances, self.log_scale)

    def outside(self, root: int = 0) -> Values:
        """Outside probabilities of the nodes (probfo); a path has that of its node, a switch instance how
        often it is expected."""
        graph, logs = self.graph, self.log_scale
        self._inside(logs)
        out = self.space.outside(root)
        counts, _ = self._expected(root)
        if logs:
            with np.errstate(divide="ignore"):
                counts = np.log(counts)
        return Values(out, np.repeat(out, np.diff(graph.node_paths)), counts, logs)

    def _expected(self, root: int) -> tuple[Array, Array]:
        """How often each switch instance and each node is used, given that the goal holds."""
        graph = self.graph
        value, logs = self._inside_safe(root)
        if value <= (-math.inf if logs else 0.0):
            return np.zeros(graph.n_instances), np.zeros(graph.n_nodes)
        weights = np.zeros((len(graph.roots), 1))
        weights[root] = 1.0
        counts = self.space.flow(weights, keep=True)
        return counts[:, 0], self.space.node_weights()[:, 0]

    def expectations(self, root: int = 0) -> Array:
        """How often each switch instance is expected, given that the goal holds."""
        return self._expected(root)[0]

    def hindsight(self, root: int = 0, conditional: bool = False) -> Array:
        """Inside times outside of each node; divided by the goal's probability if `conditional`. Logarithms
        with log_scale."""
        if self.log_scale:
            values = self.inside().nodes + self.outside(root).nodes
            return values - self.probability(root).log if conditional else values
        _, weights = self._expected(root)
        return weights if conditional else weights * self.probability(root).value

    def _path_products(self, nodes: Array, logs: bool) -> Array:
        graph = self.graph
        values = np.concatenate([self.log_theta if logs else self.theta, nodes])[graph.factors]
        result = np.zeros(graph.n_paths) if logs else np.ones(graph.n_paths)
        starts = graph.path_factors[:-1]
        filled = np.flatnonzero(np.diff(graph.path_factors))
        if len(filled):
            operation = np.add if logs else np.multiply
            result[filled] = operation.reduceat(values, starts[filled])
        return result

    # -- maxima --------------------------------------------------------------------------------

    def _best_paths(self) -> BestPaths:
        if self._best is None:
            self._best = BestPaths(self.graph, self.theta, self.space.pause)
        return self._best

    def viterbi_values(self) -> Values:
        """Probabilities of the best explanations of all nodes and paths (probfv)."""
        best, every = self._best_paths(), np.arange(self.graph.n_nodes)
        nodes = best.logs(every) if self.log_scale else best.plain(every)
        instances = self.log_theta if self.log_scale else self.theta
        return Values(nodes, self._path_products(nodes, self.log_scale), instances, self.log_scale)

    def viterbi_probability(self, root: int = 0) -> Probability:
        best = self._best_paths()
        at = self.graph.n_instances + int(self.graph.roots[root])
        return scaled_probability((int(best.exponents[at]), float(best.mantissas[at])))

    def n_viterbi(self, n: int, root: int = 0) -> list[Explanation]:
        """The n best explanations of a goal, or all if there are fewer; among equals later paths first."""
        derivations = self._derivations()
        return [
            Explanation(
                scaled_probability(derivations.value(reference)),
                derivations.explanation(reference, LARGEST_EXPLANATION),
            )
            for reference in derivations.find(int(self.graph.roots[root]), n)
        ]

    def n_viterbi_probabilities(self, n: int, root: int = 0) -> list[Probability]:
        """Only the probabilities of n_viterbi."""
        derivations = self._derivations()
        found = derivations.find(int(self.graph.roots[root]), n)
        return [scaled_probability(derivations.value(reference)) for reference in found]

    def _derivations(self) -> Derivations:
        if self._nbest is None:
            best = self._best_paths()
            self._nbest = Derivations(self.graph, best.mantissas, best.exponents, best.chosen, self.poll)
        return self._nbest
