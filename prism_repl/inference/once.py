"""Inference where every ground switch is thrown once for a goal (the flag trials), by decision diagrams.

Explanations may overlap, the same msw may stand in one explanation several times, and goals may depend on
themselves: probabilities are those of the worlds in which the goal holds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import islice

from oxidd.bcdd import BCDDFunction as Function

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import SMALLEST, Poll
from prism_repl.inference.compiling import Functions, Note, in_pairs
from prism_repl.inference.diagrams import Diagram, Expectation
from prism_repl.inference.interface import (
    Explanation,
    Impossible,
    Inference,
    NotOffered,
    Probability,
    SizeLimits,
    Values,
)
from prism_repl.inference.overlaps import overlap
from prism_repl.inference.proofs import best_sets, proof
from prism_repl.inference.sums import LARGEST_EXPLANATION

BEST_COMPARED = 32  # explanations that are compared with each other before all are


class Once(Inference):
    """Every switch has one value; all explanations are seen in the light of that."""

    def __init__(
        self,
        graph: Graph,
        theta: Array,
        log_scale: bool = False,
        poll: Poll = None,
        limits: SizeLimits | None = None,
    ) -> None:
        super().__init__(graph, theta, log_scale, poll)
        self.limits = limits or SizeLimits()

    @cached_property
    def functions(self) -> Functions:
        """Of complete worlds."""
        return Functions(self.graph, False, self.limits, self.poll)

    @cached_property
    def partial(self) -> Functions:
        """Of sets of msw."""
        return Functions(self.graph, True, self.limits, self.poll)

    # -- probabilities -------------------------------------------------------------------------

    def _logs(self, functions: Functions, wanted: list[Function], best: bool = False) -> Array:
        """The logarithms of the probabilities of functions, or of the best sets that make them true."""
        diagram = Diagram(functions, wanted)
        weights = diagram.weights(self.theta[:, None])
        values = diagram.values(weights, best=best)[diagram.roots, 0]
        with np.errstate(divide="ignore"):
            if self.log_scale or (values < SMALLEST).any():
                result: Array = diagram.values(np.log(weights), logs=True, best=best)[diagram.roots, 0]
                # what plain numbers hold is not rounded twice
                return np.where(values >= SMALLEST, np.log(np.maximum(values, SMALLEST)), result)
            return np.log(values)

    def _probability(self, functions: Functions, function: Function, best: bool = False) -> Probability:
        diagram = Diagram(functions, [function])
        weights = diagram.weights(self.theta[:, None])
        value = float(diagram.values(weights, best=best)[diagram.roots[0], 0])
        if value >= SMALLEST:
            return Probability(value, math.log(value))
        with np.errstate(divide="ignore"):
            log = float(diagram.values(np.log(weights), logs=True, best=best)[diagram.roots[0], 0])
        return Probability(math.exp(log), log, math.exp(log) == 0.0 and log > -math.inf)

    def probability(self, root: int = 0) -> Probability:
        return self._probability(self.functions, self._goal(root))

    def _goal(self, root: int) -> Function:
        return self.functions.nodes[int(self.graph.roots[root])]

    def joint(self, signs: list[tuple[int, bool]]) -> Probability:
        """The probability that observed goals all hold; those with the sign False are not to hold."""

        def conjunction(note: Note) -> Function:
            goals = [self._goal(root) if holds else ~self._goal(root) for root, holds in signs]
            true = self.functions.manager.true()
            return in_pairs(lambda one, other: note(one & other), [true, *goals], lambda: None)

        return self._probability(self.functions, self.functions.guarded(conjunction))

    def _shown(self, logs: Array) -> Array:
        return logs if self.log_scale else np.exp(logs)

    def inside(self) -> Values:
        functions = self.functions
        paths = functions.guarded(self._paths(functions))
        return self._values(functions, paths, best=False)

    def _paths(self, functions: Functions) -> Callable[[Note], list[Function]]:
        return lambda note: [note(functions.path(path)) for path in range(self.graph.n_paths)]

    def _values(self, functions: Functions, paths: list[Function], best: bool) -> Values:
        logs = self._logs(functions, functions.nodes + paths, best)
        n_nodes = self.graph.n_nodes
        instances = self.log_theta if self.log_scale else self.theta
        return Values(self._shown(logs[:n_nodes]), self._shown(logs[n_nodes:]), instances, self.log_scale)

    def outside(self, root: int = 0) -> Values:
        raise NotOffered(
            "outside probabilities have no meaning where every switch is thrown once: a goal's probability "
            "is no sum of products"
        )

    def expectations(self, root: int = 0) -> Array:
        diagram = Diagram(self.functions, [self._goal(root)])
        logs = self.probability(root).value < SMALLEST
        theta = self.log_theta if logs else self.theta
        return Expectation(diagram).expect(theta[:, None], np.ones((1, 1)), logs)[1][:, 0]

    def hindsight(self, root: int = 0, conditional: bool = False) -> Array:
        """The probability that the subgoal holds together with the goal; given the goal, if `conditional`."""
        functions = self.functions
        both = functions.guarded(lambda note: [note(node & self._goal(root)) for node in functions.nodes])
        logs = self._logs(functions, both)
        return self._shown(logs - self.probability(root).log if conditional else logs)

    # -- best explanations ---------------------------------------------------------------------

    def viterbi_values(self) -> Values:
        functions = self.partial
        paths = functions.guarded(self._paths(functions))
        return self._values(functions, paths, best=True)

    def viterbi_probability(self, root: int = 0) -> Probability:
        return self.n_viterbi_probabilities(1, root)[0]

    def n_viterbi_probabilities(self, n: int, root: int = 0) -> list[Probability]:
        return [self._product(instances) for instances in self._best(n, root)]

    def n_viterbi(self, n: int, root: int = 0) -> list[Explanation]:
        """The n best of the least sets of msw that prove the goal, each with a proof."""
        node = int(self.graph.roots[root])
        return [
            Explanation(self._product(instances), proof(self.graph, node, instances, LARGEST_EXPLANATION))
            for instances in self._best(n, root)
        ]

    def _best(self, n: int, root: int) -> list[list[int]]:
        diagram = Diagram(self.partial, [self.partial.nodes[int(self.graph.roots[root])]])
        found = list(islice(best_sets(diagram, 0, self.log_theta), n))
        if not found:
            raise Impossible
        return found

    def overlap(self, root: int = 0) -> tuple[list[int], list[int]] | None:
        """Two explanations that can hold together, as lists of switch instances: probable ones that need all
        they have, if there are such among the best; None if all explanations exclude each other."""
        owner = self.graph.switch_of_instance().tolist()
        diagram = Diagram(self.partial, [self.partial.nodes[int(self.graph.roots[root])]])
        seen: list[list[int]] = []
        for instances in islice(best_sets(diagram, 0, self.log_theta), BEST_COMPARED):
            values = {owner[instance]: instance for instance in instances}
            for other in seen:
                if all(values.get(owner[instance], instance) == instance for instance in other):
                    return other, instances
            seen.append(instances)
        return overlap(self.functions, int(self.graph.roots[root]))

    def _product(self, instances: list[int]) -> Probability:
        """The probability that all of these msw hold, multiplied in the order of the switches."""
        instances = sorted(instances)
        value = math.prod(self.theta[instances].tolist())
        log = math.fsum(self.log_theta[instances].tolist()) if value < SMALLEST else math.log(value)
        return Probability(value, log, value == 0.0 and log > -math.inf)

    def switch_counts(self, explanation: Explanation) -> Counter[int]:
        """Each switch instance of an explanation, once."""
        return Counter(dict.fromkeys(super().switch_counts(explanation), 1))
