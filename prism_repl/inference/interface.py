"""What inference offers, whoever computes it.

An `Inference` is made for one explanation graph under one set of parameters; predicates ask it and print.
inference/methods.py chooses by flags which one: `Sums` (sums.py) adds up explanations, the reading of PRISM;
graphs with cycles are solved as equations; decision diagrams and sampling are others. A new method is a
new file with a subclass, and a line in methods.py.

Nodes, paths and switch instances have the numbers of the Graph. `root` is the number of an observed goal
in graph.roots, 0 for the only one. What a method cannot give a meaning to raises NotOffered, whose text
reaches the user. All of it may raise KeyboardInterrupt through the `poll` that it was made with.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import chain

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll

# Loops of Python look for an interrupt each time these bits of a counter are all set: a few milliseconds.
POLL = 0x7FF


class NotOffered(Exception):
    """This way of inference has no such result; the text says what and why."""


class Impossible(Exception):
    """The goal has explanations, but each of them contradicts itself."""


@dataclass(frozen=True)
class SizeLimits:
    """How far decision diagrams may grow: nodes that are kept at a time, seconds of compiling."""

    nodes: int = 1 << 24
    seconds: float = 600.0


class TooLarge(Exception):
    """Inference ran out of `resource` (memory or time), at a node of the graph if it is known."""

    def __init__(self, resource: str, node: int | None = None) -> None:
        super().__init__(f"decision diagram: out of {resource}")
        self.resource, self.node = resource, node


@dataclass(frozen=True)
class Probability:
    """A probability that may be too small for a double: `value` is then 0.0 and only `log` is right."""

    value: float
    log: float
    underflow: bool = False


@dataclass(frozen=True)
class Explanation:
    """One explanation of a goal. `paths` are in the order of a proof: that of the goal first, then the
    explanations of its subgoals one after the other."""

    probability: Probability
    paths: list[int]


@dataclass(frozen=True)
class Values:
    """Numbers for all nodes, paths and switch instances of a graph; logarithms if `logs`."""

    nodes: Array
    paths: Array
    instances: Array
    logs: bool


def expected_parameters(graph: Graph, alpha: Array) -> Array:
    """The means of the parameters under Dirichlet distributions with these hyperparameters."""
    if not graph.n_switches:
        return alpha
    totals = np.add.reduceat(alpha, graph.switch_instances[:-1])
    return alpha / np.repeat(totals, np.diff(graph.switch_instances))


class Inference(ABC):
    """Inference on one graph under parameters `theta` (one for each of the graph's switch instances).

    `log_scale` (the flag) makes Values and hindsight logarithms; it changes nothing else."""

    def __init__(self, graph: Graph, theta: Array, log_scale: bool = False, poll: Poll = None) -> None:
        self.graph, self.log_scale, self.poll = graph, log_scale, poll
        self.theta = np.ascontiguousarray(theta, dtype=np.float64)
        with np.errstate(divide="ignore"):
            self.log_theta = np.log(self.theta)
        self._switches: dict[int, list[int]] = {}  # of the paths in explanations

    # -- sums over explanations ----------------------------------------------------------------

    @abstractmethod
    def probability(self, root: int = 0) -> Probability:
        """The probability of a goal (prob)."""

    def probabilities(self) -> list[Probability]:
        """The probabilities of all observed goals; 0 for one that is impossible (prob_all)."""
        found = []
        for root in range(len(self.graph.roots)):
            try:
                found.append(self.probability(root))
            except Impossible:
                found.append(Probability(0.0, -math.inf))
        return found

    @abstractmethod
    def inside(self) -> Values:
        """The probabilities of all nodes and paths, and the parameters (probfi)."""

    @abstractmethod
    def outside(self, root: int = 0) -> Values:
        """Outside probabilities of the nodes, the derivative of the goal's probability by the node's
        (probfo); a path has that of its node, a switch instance how often it is expected."""

    @abstractmethod
    def expectations(self, root: int = 0) -> Array:
        """How often each switch instance is expected, given that the goal holds."""

    @abstractmethod
    def hindsight(self, root: int = 0, conditional: bool = False) -> Array:
        """Inside times outside of each node; divided by the goal's probability if `conditional`."""

    # -- best explanations ---------------------------------------------------------------------

    @abstractmethod
    def viterbi_values(self) -> Values:
        """Probabilities of the best explanations of all nodes and paths (probfv)."""

    @abstractmethod
    def viterbi_probability(self, root: int = 0) -> Probability:
        """The probability of the best explanation of a goal."""

    @abstractmethod
    def n_viterbi(self, n: int, root: int = 0) -> list[Explanation]:
        """The n best explanations of a goal, or all if there are fewer; among equals later paths first."""

    def viterbi(self, root: int = 0) -> Explanation:
        """The best explanation of a goal; among equals the last path of each node."""
        return self.n_viterbi(1, root)[0]

    def n_viterbi_probabilities(self, n: int, root: int = 0) -> list[Probability]:
        """Only the probabilities of n_viterbi."""
        return [explanation.probability for explanation in self.n_viterbi(n, root)]

    # -- re-ranking ----------------------------------------------------------------------------

    def switch_counts(self, explanation: Explanation) -> Counter[int]:
        """How often each switch instance is used in an explanation, in the order of first use."""
        switches = self._switches
        for path in explanation.paths:
            if path not in switches:
                switches[path] = self.graph.split(path)[1]
        return Counter(chain.from_iterable(map(switches.__getitem__, explanation.paths)))

    def rerank(self, n: int, candidates: int, alpha: Array, root: int = 0) -> list[tuple[float, Explanation]]:
        """The n best of the `candidates` likeliest explanations by their log probability under Dirichlet
        priors with hyperparameters `alpha`, parameters integrated out. The candidates are the likeliest under
        the parameters of this inference: they should be expected_parameters(graph, alpha)."""
        switch_of = self.graph.switch_of_instance().tolist()
        starts = self.graph.switch_instances

        # The same few switches are used the same few times again and again.
        @cache
        def instance_score(instance: int, times: int) -> float:
            return math.lgamma(alpha[instance] + times) - math.lgamma(alpha[instance])

        @cache
        def switch_score(switch: int, times: int) -> float:
            total = float(alpha[starts[switch] : starts[switch + 1]].sum())
            return math.lgamma(total) - math.lgamma(total + times)

        scored = []
        for explanation in self.n_viterbi(max(n, candidates), root):
            per_switch: Counter[int] = Counter()
            score = 0.0
            for instance, times in self.switch_counts(explanation).items():
                per_switch[switch_of[instance]] += times
                score += instance_score(instance, times)
            for switch, times in per_switch.items():
                score += switch_score(switch, times)
            scored.append((score, explanation))
        scored.sort(key=lambda pair: -pair[0])
        return scored[:n]
