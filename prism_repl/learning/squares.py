"""Least squares: parameters under which goals have given probabilities, as near as can be (LeProbLog).

The parameters of a switch are the softmax of its logits, over which L-BFGS lowers the sum of squared
differences. With E the expected count of an instance given goal g, dP(g)/dlogit is P(g) times E, less the
instance's share of the sum of E over its switch: the gradient comes from expectations, whatever gives them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prism_repl.arrays import Array, np
from prism_repl.graph.plan import SMALLEST
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.expectations import Expectations
from prism_repl.learning.problem import LearningError, LearnOptions, SwitchNumbers
from prism_repl.learning.segments import Segments
from prism_repl.learning.starts import start_parameters
from prism_repl.model.chance import Random


@dataclass
class Fit:
    """Where a run has ended. `values` are the probabilities of the goals, `counts` the expected counts of
    switch instances if each goal is observed once."""

    theta: Array
    values: Array
    counts: Array
    error: float
    iterations: int
    converged: bool
    run: int


class Squares:
    """The sum of squared differences between the probabilities of goals and the wanted ones, and its
    gradient: goal goals[i] is to have probability wanted[i], which counts weights[i] times. `expectations`
    are for one parameter set."""

    def __init__(
        self, expectations: Expectations, segments: Segments, goals: Array, wanted: Array, weights: Array
    ) -> None:
        self.expectations, self.segments = expectations, segments
        self.goals, self.wanted, self.weights = goals, wanted, weights

    def values(self, theta: Array) -> Array:
        """The probabilities of the goals."""
        values = self.expectations.values(theta[:, None], False)[:, 0]
        if values.min(initial=1.0) < SMALLEST:
            with np.errstate(divide="ignore"):
                values = np.exp(self.expectations.values(np.log(theta)[:, None], True)[:, 0])
        return np.array(values)

    def counts(self, theta: Array, weights: Array) -> Array:
        """Expected counts if goal g is observed weights[g] times."""
        values = self.expectations.values(theta[:, None], False)[:, 0]
        logs = bool(values.min(initial=1.0) < SMALLEST)
        with np.errstate(divide="ignore"):
            given = np.log(theta) if logs else theta
        return np.array(self.expectations.expect(given[:, None], weights[:, None], logs)[1][:, 0])

    def error(self, values: Array) -> float:
        return float(self.weights @ (values[self.goals] - self.wanted) ** 2)

    def gradient(self, theta: Array, values: Array) -> Array:
        """Of the error, by logits."""
        slopes = 2.0 * self.weights * (values[self.goals] - self.wanted)
        weights = np.bincount(self.goals, slopes, len(values)) * values
        # what is expected is not negative, and sums on cycles rely on that
        counts = self.counts(theta, np.maximum(weights, 0.0)) - self.counts(theta, np.maximum(-weights, 0.0))
        return counts - theta * self.segments.spread(self.segments.sums(counts[:, None]))[:, 0]

    def softmax(self, logits: Array) -> Array:
        peaks = np.maximum.reduceat(logits, self.segments.starts)
        powers = np.exp(logits - np.repeat(peaks, self.segments.sizes))
        return np.array(powers / self.segments.spread(self.segments.sums(powers[:, None]))[:, 0])


def fit(
    squares: Squares, numbers: SwitchNumbers, options: LearnOptions, random: Random, events: LearnEvents
) -> Fit:
    """The best of the runs; the first of equals. A run ends when the error falls by no more than the
    square of epsilon."""
    best: Fit | None = None
    fixed = np.repeat(numbers.fixed, squares.segments.sizes)
    given = numbers.theta
    for run in range(options.restart):
        events.run_started(run, options.restart)
        start = start_parameters(given, fixed, squares.segments, options, random)
        found = descend(squares, start, fixed, options, events, run)
        if best is None or found.error < best.error:
            best = found
        if options.init == "none":  # each run begins where the last one ended
            given = found.theta
    assert best is not None
    return best


def descend(
    squares: Squares, start: Array, fixed: Array, options: LearnOptions, events: LearnEvents, run: int
) -> Fit:
    """One run. Parameters that are fixed, or zero at the start, stay."""
    from scipy.optimize import minimize  # which takes a while to load

    free = ~fixed & (start > 0.0)
    with np.errstate(divide="ignore"):
        begin = np.log(start)

    def parameters(logits: Array) -> Array:
        full = begin.copy()
        full[free] = logits
        return np.where(fixed, start, squares.softmax(full))

    def look(logits: Array) -> tuple[float, Array]:
        theta = parameters(logits)
        values = squares.values(theta)
        refuse_impossible(values)
        return squares.error(values), squares.gradient(theta, values)[free]

    iteration = 0
    error, _ = look(begin[free])
    events.evaluated(0, error, error, None)

    def step(intermediate_result: Any) -> None:
        nonlocal iteration
        events.continued(iteration)
        iteration += 1
        events.evaluated(iteration, float(intermediate_result.fun), float(intermediate_result.fun), None)

    logits, converged = begin[free], True
    if free.any():
        least = max(options.epsilon**2, 1e-16)
        limit = options.max_iterate if options.max_iterate is not None else 1 << 30
        settings = {"ftol": least, "gtol": least, "maxiter": limit, "maxfun": 1 << 30}
        found = minimize(look, logits, jac=True, method="L-BFGS-B", callback=step, options=settings)
        logits, converged = found.x, iteration < limit
    theta = parameters(logits)
    values = squares.values(theta)
    error = squares.error(values)
    events.run_ended(iteration, converged, error)
    counts = squares.counts(theta, np.ones(len(values)))
    return Fit(theta, values, counts, error, iteration, converged, run)


def refuse_impossible(values: Array) -> None:
    """Parameters of zero stay zero: a goal that they make impossible cannot be helped."""
    goals = np.flatnonzero(values <= 0.0)
    if len(goals):
        raise LearningError(
            "Probability of an observed goal being non-positive", "invalid_numeric_value", goal=int(goals[0])
        )
