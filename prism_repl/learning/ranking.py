"""Learning to rank: of two goals, the better one is to be more probable. The loss of a pair is a function of
z = ln P(worse) - ln P(better)."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from prism_repl.arrays import Array, np
from prism_repl.learning.gradients import Evaluation

Loss = Callable[[Array, float], tuple[Array, Array]]


def hinge(z: Array, c: float) -> tuple[Array, Array]:
    h = z + c
    return np.maximum(h, 0.0), np.where(h > 0.0, 1.0, 0.0)


def square(z: Array, c: float) -> tuple[Array, Array]:
    h = np.maximum(z + c, 0.0)
    with np.errstate(over="ignore"):
        return h**2, 2.0 * h


def exponential(z: Array, c: float) -> tuple[Array, Array]:
    with np.errstate(over="ignore"):
        e = np.exp(z)
    return e, e


def logistic(z: Array, c: float) -> tuple[Array, Array]:
    loss = np.logaddexp(0.0, z)
    return loss, np.exp(z - loss)


# The losses of the flag rank_loss: values and derivatives by z.
LOSSES: dict[str, Loss] = {"hinge": hinge, "square": square, "exp": exponential, "log": logistic}


class RankLoss:
    """The losses of all pairs, and the penalty on the weights. `lists` have the numbers of goals, the best
    first: neighbours are pairs. With pseudo counts (`smooth`), which the loss does not know, the loss is
    reported as a posterior."""

    minimised = True
    pseudo_counts: Array | None = None

    def __init__(
        self,
        lists: list[list[int]],
        n_goals: int,
        loss: str,
        c: float,
        decay: float,
        batches: int,
        smooth: bool,
    ) -> None:
        pairs = [(a, b, k % batches) for k, ranked in enumerate(lists) for a, b in pairwise(ranked)]
        self.better, self.worse, self.batch = np.array(pairs, dtype=int).reshape(len(pairs), 3).T
        self.n_goals, self.n_observed = n_goals, sum(map(len, lists))
        self.loss, self.c, self.decay, self.smooth = LOSSES[loss], c, decay, smooth
        self.positive = 0  # pairs that have a loss, where it was evaluated last

    def losses(self, logs: Array) -> tuple[Array, Array]:
        return self.loss(logs[self.worse] - logs[self.better], self.c)

    def evaluate(self, logs: Array, weights: Array, log_theta: Array) -> Evaluation:
        losses, _ = self.losses(logs)
        self.positive = int((losses > 0.0).sum())
        finite = weights[np.isfinite(weights)]
        with np.errstate(over="ignore"):
            loss, penalty = float(losses.sum()), self.decay * float(finite @ finite)
        return Evaluation(loss + penalty, loss, penalty)

    def goal_weights(self, logs: Array, batch: int) -> Array:
        slopes = np.where(self.batch == batch, self.losses(logs)[1], 0.0)
        weights = np.zeros(self.n_goals)
        np.add.at(weights, self.better, slopes)
        np.add.at(weights, self.worse, -slopes)
        return weights

    def scores(self, at: Evaluation, n_parameters: int) -> dict[str, float | int]:
        """PRISM's names: what it calls the log likelihood is the loss."""
        scores: dict[str, float | int] = {"log_likelihood": at.value}
        if self.smooth:
            scores["log_post"] = at.value
        bic = at.value - 0.5 * n_parameters * math.log(self.n_observed)
        return scores | {"lambda": at.value, "bic": bic}
