"""How counts are found: what the loop asks, once an iteration, and the answer from an explanation graph.

A new way (worker processes, a decision diagram, the K best explanations) is another pair of classes with
these functions; learn() takes it as its argument `expecting`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from prism_repl.arrays import Array
from prism_repl.graph.equations import NoSolution
from prism_repl.graph.plan import Plan, Poll, Workspace
from prism_repl.learning.problem import LearningError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


class Expectations(Protocol):
    """Answers for `lanes` parameter sets side by side. Arrays have the shapes (instances, lanes) and
    (goals, lanes); with `logs`, theta and the values of goals are logarithms.

    A lane's numbers must be the same bits whatever is in the other lanes and however many there are."""

    lanes: int

    def values(self, theta: Array, logs: bool) -> Array:
        """The probabilities of the observed goals."""

    def expect(self, theta: Array, weights: Array, logs: bool) -> tuple[Array, Array]:
        """The values of the observed goals (probabilities, or those of the best explanations), and how often
        each switch instance is expected or used if goal g is observed weights[g] times."""


class Expecting(Protocol):
    """What makes Expectations: each thread of learning has its own."""

    splits: bool  # whether one pass can use several threads
    side_by_side: bool  # whether one pass can do LANES parameter sets; else it does one

    def expectations(self, lanes: int, pool: ThreadPoolExecutor | None, poll: Poll) -> Expectations:
        """For 1 or LANES parameter sets; `poll` is to be called every few milliseconds and may raise."""


class GraphExpecting:
    """Expectations by sums over an explanation graph, or by its best explanations if `viterbi`."""

    def __init__(self, plan: Plan, viterbi: bool = False) -> None:
        self.plan, self.viterbi = plan, viterbi
        self.splits = plan.blocks is not None
        self.side_by_side = not plan.cyclic

    def expectations(self, lanes: int, pool: ThreadPoolExecutor | None, poll: Poll) -> GraphExpectations:
        return GraphExpectations(Workspace(self.plan, lanes, pool, poll), self.viterbi)


class GraphExpectations:
    def __init__(self, space: Workspace, viterbi: bool) -> None:
        self.space, self.viterbi, self.lanes = space, viterbi, space.lanes

    def values(self, theta: Array, logs: bool) -> Array:
        return self.space.inside(theta, logs)

    def counts(self, theta: Array, weights: Array, logs: bool) -> Array:
        """What expect() counts, after values() of the same parameters."""
        if self.space.plan.blocks is None:
            return self.space.flow(weights)
        return self.expect(theta, weights, logs)[1]

    def expect(self, theta: Array, weights: Array, logs: bool) -> tuple[Array, Array]:
        try:
            return self.space.expect(theta, weights, logs, self.viterbi)
        except NoSolution as error:
            raise LearningError(error.args[0], "no_finite_probability") from None
