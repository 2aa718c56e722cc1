"""Inference by sums over explanations, their maxima, n-best, hindsight: one fold, different algebras.

Probabilities are plain numbers where doubles hold them; where they underflow, logarithms are taken without
being asked for, and the result says so (`logs`). Best explanations are compared by numbers with an exponent
of their own, which are the same bits as plain products and never underflow: so the choice is the same in
every mode.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prism_repl.graph import kernels
from prism_repl.graph.derivations import Derivations
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import SMALLEST, Plan, Poll, Workspace
from prism_repl.inference.interface import Explanation, Inference, Probability, Values

Array = np.ndarray[Any, Any]

# An explanation is written out as a tree, shared subgoals each time they are used: there must be an end.
LARGEST_EXPLANATION = 50_000_000
# Scaled numbers are mantissa * 2**(SCALE_BITS * exponent), as in kernels.best_paths.
SCALE_BITS = 256
_SCALE = 2.0**SCALE_BITS
_LEAST = 1.0 / _SCALE
_LOG_SCALE = SCALE_BITS * math.log(2.0)


def scaled_number(x: float) -> tuple[int, float]:
    """A number as (exponent, mantissa); zero has the least exponent."""
    exponent = 0
    if x == 0.0:
        return (-(1 << 30), 0.0)
    while x < _LEAST:
        x *= _SCALE
        exponent -= 1
    return (exponent, x)


def scaled_probability(number: tuple[int, float]) -> Probability:
    exponent, mantissa = number
    if mantissa == 0.0:
        return Probability(0.0, -math.inf)
    value = math.ldexp(mantissa, SCALE_BITS * exponent) if exponent > -8 else 0.0
    return Probability(value, math.log(mantissa) + exponent * _LOG_SCALE, value == 0.0)


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
        self._inside_logs: bool | None = None  # what the workspace holds now
        self._best: tuple[Array, Array, Array] | None = None
        self._nbest: Derivations | None = None

    # -- sums ----------------------------------------------------------------------------------

    def _inside(self, logs: bool) -> Array:
        """Values of the goals; node values are then in the workspace."""
        theta = self.log_theta if logs else self.theta
        self._inside_logs = logs
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
        if not logs:
            return Probability(value, math.log(value))
        plain = math.exp(value) if value < 700.0 else math.inf
        return Probability(plain, value, plain == 0.0 and value > -math.inf)

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
        plan = self.plan
        out = np.full(plan.n_mono + graph.n_nodes, -math.inf if logs else 0.0)
        out[plan.roots[root]] = 0.0 if logs else 1.0
        scratch = np.empty(int(np.diff(graph.path_factors).max(initial=0)) + 1)
        kernels.outside(
            plan.start,
            plan.stream,
            self.space.values[0],
            out,
            scratch,
            plan.n_mono,
            0,
            graph.n_nodes,
            logs,
        )
        out = out[plan.n_mono :]
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

    def _best_paths(self) -> tuple[Array, Array, Array]:
        """Mantissas and exponents of the switch instances and then of the best explanation of each node, and
        its path."""
        if self._best is None:
            graph = self.graph
            scaled = [scaled_number(x) for x in self.theta.tolist()]
            unset = np.zeros(graph.n_nodes)
            mantissas = np.concatenate([[m for _, m in scaled], unset])
            exponents = np.concatenate([[e for e, _ in scaled], unset]).astype(np.int32)
            chosen = np.empty(graph.n_nodes, dtype=np.int32)
            for begin, end in self.plan.slices():
                self.space.pause()
                kernels.best_paths(
                    graph.node_paths,
                    graph.path_factors,
                    graph.factors,
                    graph.n_instances,
                    mantissas,
                    exponents,
                    chosen,
                    begin,
                    end,
                )
            self._best = (mantissas, exponents, chosen)
        return self._best

    def viterbi_values(self) -> Values:
        """Probabilities of the best explanations of all nodes and paths (probfv)."""
        mantissas, exponents, _ = self._best_paths()
        mantissas, exponents = mantissas[self.graph.n_instances :], exponents[self.graph.n_instances :]
        if self.log_scale:
            with np.errstate(divide="ignore"):
                nodes = np.log(mantissas) + exponents * _LOG_SCALE
        else:
            nodes = np.ldexp(mantissas, SCALE_BITS * np.maximum(exponents, -8))
        instances = self.log_theta if self.log_scale else self.theta
        return Values(nodes, self._path_products(nodes, self.log_scale), instances, self.log_scale)

    def viterbi_probability(self, root: int = 0) -> Probability:
        mantissas, exponents, _ = self._best_paths()
        at = self.graph.n_instances + int(self.graph.roots[root])
        return scaled_probability((int(exponents[at]), float(mantissas[at])))

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
            self._nbest = Derivations(self.graph, *self._best_paths(), self.poll)
        return self._nbest
