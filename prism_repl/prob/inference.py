"""Exact inference on an explanation graph: sums, maxima, n-best, hindsight. One fold, different algebras.

Probabilities are plain numbers where doubles hold them; where they underflow, logarithms are taken without
being asked for, and the result says so (`logs`). Best explanations are compared by numbers with an exponent
of their own, which are the same bits as plain products and never underflow: so the choice is the same in
every mode.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from prism_repl.prob import kernels
from prism_repl.prob.gamma import log_gamma
from prism_repl.prob.graph import Graph
from prism_repl.prob.plan import SMALLEST, Plan, Poll, Workspace

Array = np.ndarray[Any, Any]

# An explanation is written out as a tree, shared subgoals each time they are used: there must be an end.
LARGEST_EXPLANATION = 50_000_000
# Loops of Python look for an interrupt each time these bits of a counter are all set: a few milliseconds.
POLL = 0x7FF
# Scaled numbers are mantissa * 2**(SCALE_BITS * exponent), as in kernels.best_paths.
SCALE_BITS = 256
_SCALE = 2.0**SCALE_BITS
_LEAST = 1.0 / _SCALE
_LOG_SCALE = SCALE_BITS * math.log(2.0)


class ExplanationTooLarge(Exception):
    """The best explanation, with shared subgoals repeated, has too many nodes to write out."""


@dataclass(frozen=True)
class Probability:
    """A probability that may be too small for a double: `value` is then 0.0 and only `log` is right."""

    value: float
    log: float
    underflow: bool = False


@dataclass(frozen=True)
class Explanation:
    """One explanation of a goal. `steps` are (node, path) in the order of a proof: the goal first, then the
    explanations of the subgoals of its path one after the other."""

    probability: Probability
    steps: list[tuple[int, int]]


@dataclass(frozen=True)
class Values:
    """Numbers for all nodes, paths and switch instances of a graph; logarithms if `logs`."""

    nodes: Array
    paths: Array
    instances: Array
    logs: bool


def scaled_number(x: float) -> tuple[int, float]:
    """A number as (exponent, mantissa); zero has the least exponent."""
    exponent = 0
    if x == 0.0:
        return (-(1 << 30), 0.0)
    while x < _LEAST:
        x *= _SCALE
        exponent -= 1
    return (exponent, x)


def scaled_product(values: list[tuple[int, float]]) -> tuple[int, float]:
    """The product of scaled numbers (exponent, mantissa), from left to right."""
    exponent, mantissa = 0, 1.0
    for e, m in values:
        exponent += e
        mantissa *= m
        if mantissa < _LEAST:
            if mantissa == 0.0:
                return (-(1 << 30), 0.0)
            mantissa *= _SCALE
            exponent -= 1
    return (exponent, mantissa)


def scaled_probability(number: tuple[int, float]) -> Probability:
    exponent, mantissa = number
    if mantissa == 0.0:
        return Probability(0.0, -math.inf)
    value = math.ldexp(mantissa, SCALE_BITS * exponent) if exponent > -8 else 0.0
    return Probability(value, math.log(mantissa) + exponent * _LOG_SCALE, value == 0.0)


class Inference:
    """Inference on one graph under parameters `theta` (one for each of the graph's switch instances).

    `log_scale` makes Values logarithms. `root` below is the number of an observed goal, 0 for the only
    one."""

    def __init__(
        self,
        graph: Graph,
        theta: Array,
        log_scale: bool = False,
        poll: Poll = None,
    ) -> None:
        self.graph, self.log_scale, self.poll = graph, log_scale, poll
        self.theta = np.ascontiguousarray(theta, dtype=np.float64)
        self.plan = Plan(graph, merge=False, poll=poll)
        self.space = Workspace(self.plan, poll=poll)
        with np.errstate(divide="ignore"):
            self.log_theta = np.log(self.theta)
        self._inside_logs: bool | None = None  # what the workspace holds now
        self._best: tuple[Array, Array, Array] | None = None
        self._nbest: NBest | None = None

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
        """Mantissas and exponents of the best explanation of each node, and its path."""
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
            mantissas, exponents = mantissas[graph.n_instances :], exponents[graph.n_instances :]
            self._best = (mantissas, exponents, chosen)
            self._chosen: list[int] = chosen.tolist()
            self._subgoals: dict[int, list[int]] = {}  # of paths in explanations, last first
        return self._best

    def viterbi_values(self) -> Values:
        """Probabilities of the best explanations of all nodes and paths (probfv)."""
        mantissas, exponents, _ = self._best_paths()
        if self.log_scale:
            with np.errstate(divide="ignore"):
                nodes = np.log(mantissas) + exponents * _LOG_SCALE
        else:
            nodes = np.ldexp(mantissas, SCALE_BITS * np.maximum(exponents, -8))
        instances = self.log_theta if self.log_scale else self.theta
        return Values(nodes, self._path_products(nodes, self.log_scale), instances, self.log_scale)

    def viterbi(self, root: int = 0) -> Explanation:
        """The best explanation of a goal; among equals the last path of each node."""
        mantissas, exponents, _ = self._best_paths()
        node = int(self.graph.roots[root])
        probability = scaled_probability((int(exponents[node]), float(mantissas[node])))
        return Explanation(probability, self._steps(node, 0))

    def viterbi_probability(self, root: int = 0) -> Probability:
        mantissas, exponents, _ = self._best_paths()
        node = self.graph.roots[root]
        return scaled_probability((int(exponents[node]), float(mantissas[node])))

    def n_viterbi(self, n: int, root: int = 0) -> list[Explanation]:
        """The n best explanations of a goal, or all if there are fewer; among equals later paths first."""
        node = int(self.graph.roots[root])
        search = self.n_best()
        result = []
        for k in range(n):
            value = search.value(node, k)
            if value is None:
                break
            result.append(Explanation(scaled_probability(value), self._steps(node, k)))
        return result

    def n_viterbi_probabilities(self, n: int, root: int = 0) -> list[Probability]:
        """Only the probabilities of n_viterbi."""
        node = int(self.graph.roots[root])
        found: list[Probability] = []
        while len(found) < n:
            value = self.n_best().value(node, len(found))
            if value is None:  # there are no more
                break
            found.append(scaled_probability(value))
        return found

    def n_best(self) -> NBest:
        if self._nbest is None:
            mantissas, exponents, _ = self._best_paths()
            self._nbest = NBest(self.graph, self.theta, mantissas, exponents, self.poll)
        return self._nbest

    def _steps(self, node: int, rank: int) -> list[tuple[int, int]]:
        """The explanation of `node` of this rank (0: the best), goal first, subgoals in their order."""
        chosen = self._chosen
        subgoals = self._subgoals
        steps: list[tuple[int, int]] = []
        todo = [(node, rank)]
        while todo:
            node, rank = todo.pop()
            if rank:
                path, ranks = self.n_best().choice(node, rank)
            else:
                path = chosen[node]
            steps.append((node, path))
            if len(steps) & POLL == POLL and self.poll is not None:
                self.poll()
            if len(steps) > LARGEST_EXPLANATION:
                raise ExplanationTooLarge(f"more than {LARGEST_EXPLANATION} nodes in one explanation")
            children = subgoals.get(path)
            if children is None:
                children = subgoals[path] = self.graph.split(path)[0][::-1]
            if rank:
                todo += zip(children, reversed(ranks), strict=True)
            else:
                todo += [(child, 0) for child in children]
        return steps

    # -- re-ranking ----------------------------------------------------------------------------

    def switch_counts(self, explanation: Explanation) -> Counter[int]:
        """How often each switch instance is used in an explanation."""
        counts: Counter[int] = Counter()
        for path, times in Counter(path for _, path in explanation.steps).items():
            for instance in self.graph.split(path)[1]:
                counts[instance] += times
        return counts

    def rerank(self, n: int, candidates: int, alpha: Array, root: int = 0) -> list[tuple[float, Explanation]]:
        """The n best of the `candidates` likeliest explanations by their log probability under Dirichlet
        priors with hyperparameters `alpha`, parameters integrated out."""
        switch_of = self.graph.switch_of_instance()
        starts = self.graph.switch_instances
        scored = []
        for explanation in self.n_viterbi(max(n, candidates), root):
            counts = self.switch_counts(explanation)
            per_switch: Counter[int] = Counter()
            score = 0.0
            for instance, times in counts.items():
                per_switch[int(switch_of[instance])] += times
                score += float(log_gamma(alpha[instance] + times) - log_gamma(alpha[instance]))
            for switch, times in per_switch.items():
                total = float(alpha[starts[switch] : starts[switch + 1]].sum())
                score += float(log_gamma(np.array(total)) - log_gamma(np.array(total + times)))
            scored.append((score, explanation))
        scored.sort(key=lambda pair: -pair[0])
        return scored[:n]


class Derivations:
    """What NBest knows of one node."""

    __slots__ = ("candidates", "done", "found", "last", "seen")

    def __init__(self, candidates: list[Any]) -> None:
        self.candidates = candidates  # a heap of (-exponent, -mantissa, -path, ranks)
        self.found: list[tuple[tuple[int, float], int, tuple[int, ...]]] = []  # value, path, ranks
        # The last one found: its neighbours are not candidates yet.
        self.last: tuple[int, tuple[int, ...]] | None = None
        self.seen: set[tuple[int, tuple[int, ...]]] = set()
        self.done = False


class NBest:
    """The explanations of every node from the best downwards, found only as far as they are asked for.

    (Huang and Chiang's lazy algorithm.) A derivation of a node is a path and a rank for each of its subgoals.
    The next best derivation of a node is its best candidate; taking one makes candidates of those that differ
    from it by one rank."""

    def __init__(
        self, graph: Graph, theta: Array, mantissas: Array, exponents: Array, poll: Poll = None
    ) -> None:
        self.graph, self.poll = graph, poll
        self.looked = 0  # how often _find has looked at a node
        self.best = list(zip(exponents.tolist(), mantissas.tolist(), strict=True))
        self.theta = [scaled_number(x) for x in theta.tolist()]
        self.nodes: dict[int, Derivations] = {}
        self.paths: dict[int, tuple[list[int], list[tuple[int, float]]]] = {}

    def value(self, node: int, k: int) -> tuple[int, float] | None:
        """The scaled probability of the k-th best explanation of a node (from 0), None if there are fewer."""
        found = self._find(node, k).found
        return found[k][0] if k < len(found) else None

    def choice(self, node: int, k: int) -> tuple[int, tuple[int, ...]]:
        """The path and the ranks of the subgoals of an explanation that has been found, k > 0."""
        _, path, ranks = self.nodes[node].found[k]
        return path, ranks

    def _path(self, path: int) -> tuple[list[int], list[tuple[int, float]]]:
        """The subgoals of a path, and the parameters of its switches."""
        parts = self.paths.get(path)
        if parts is None:
            subgoals, switches = self.graph.split(path)
            parts = self.paths[path] = (subgoals, [self.theta[i] for i in switches])
        return parts

    def _node(self, node: int) -> Derivations:
        """A node with its first candidates: each path with the best explanations of its subgoals."""
        state = self.nodes.get(node)
        if state is None:
            candidates = []
            for path in self.graph.paths(node):
                subgoals, switches = self._path(path)
                exponent, mantissa = scaled_product([self.best[child] for child in subgoals] + switches)
                candidates.append((-exponent, -mantissa, -path, (0,) * len(subgoals)))
            heapq.heapify(candidates)
            state = self.nodes[node] = Derivations(candidates)
        return state

    def _find(self, node: int, k: int) -> Derivations:
        """Finds derivations of a node until there are more than k, or no more."""
        todo = [(node, k)]
        while todo:
            node, k = todo[-1]
            self.looked += 1
            if self.looked & POLL == POLL and self.poll is not None:
                self.poll()
            state = self._node(node)
            if state.done or len(state.found) > k:
                todo.pop()
                continue
            if state.last is not None:
                path, ranks = state.last
                missing = []
                for child, rank in zip(self._path(path)[0], ranks, strict=True):
                    below = self._node(child)
                    if not below.done and len(below.found) <= rank + 1:
                        missing.append((child, rank + 1))
                if missing:
                    todo.extend(missing)
                    continue
                self._add_neighbours(state, path, ranks)
                state.last = None
            if not state.candidates:
                state.done = True
                continue
            exponent, mantissa, path, ranks = heapq.heappop(state.candidates)
            state.found.append(((-exponent, -mantissa), -path, ranks))
            state.last = (-path, ranks)
        return state

    def _add_neighbours(self, state: Derivations, path: int, ranks: tuple[int, ...]) -> None:
        subgoals, switches = self._path(path)
        for i, child in enumerate(subgoals):
            following = (*ranks[:i], ranks[i] + 1, *ranks[i + 1 :])
            if ranks[i] + 1 >= len(self.nodes[child].found) or (path, following) in state.seen:
                continue
            if len(subgoals) > 1:  # with one subgoal there is one way to each rank
                state.seen.add((path, following))
            values = [
                self.nodes[c].found[r][0] if r else self.best[c]
                for c, r in zip(subgoals, following, strict=True)
            ]
            exponent, mantissa = scaled_product(values + switches)
            heapq.heappush(state.candidates, (-exponent, -mantissa, -path, following))
