"""Learning by gradient steps, of objectives that are functions of the log probabilities of goals.

The parameters of a switch are theta(v) = exp w(v) / sum of exp w, and steps are taken in the weights w. The
derivative of ln P(g) by w(v) is E(v) - theta(v) * sum of E, where E are the counts expected given g: an
objective only says with which weight each goal counts. Fixed switches keep their parameters, and a parameter
of zero (a weight of -infinity) stays zero.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import SMALLEST, Plan, Poll
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.expectations import Expecting, GraphExpectations, GraphExpecting
from prism_repl.learning.loop import Stopped
from prism_repl.learning.optimizers import OptimizerOptions, optimizer
from prism_repl.learning.problem import LearningError, LearnOptions, LearnResult, SwitchNumbers, sizes_of
from prism_repl.learning.segments import Segments
from prism_repl.learning.starts import start_parameters
from prism_repl.model.chance import Random


@dataclass(frozen=True)
class GradientOptions:
    optimizer: OptimizerOptions
    decay: float = 0.01  # of the penalty: decay times the sum of the squares of the weights
    batches: int = 1


@dataclass
class Evaluation:
    """An objective at one point: what is reported, and the parts of it."""

    value: float
    likelihood: float  # or the loss without its penalty
    prior: float | None = None


class Objective(Protocol):
    """A function of the goals' log probabilities (`logs`) and the weights of the switches."""

    minimised: bool  # a loss; else it is to be as large as possible
    pseudo_counts: Array | None  # per instance, if the logarithms of parameters are part of it

    def evaluate(self, logs: Array, weights: Array, log_theta: Array) -> Evaluation: ...

    def goal_weights(self, logs: Array, batch: int) -> Array:
        """How the part of one batch grows with the log probability of each goal (of a loss: how it falls)."""

    def scores(self, at: Evaluation, n_parameters: int) -> dict[str, float | int]:
        """Its part of learn_statistics."""


@dataclass
class Point:
    """Where a run is: its parameters, and the objective there."""

    run: int
    iteration: int
    theta: Array
    gradient: Array  # of the last step
    at: Evaluation


class GradientLearner:
    """Everything that the runs of one call share."""

    def __init__(
        self,
        graph: Graph,
        numbers: SwitchNumbers,
        objective: Objective,
        options: LearnOptions,
        gradients: GradientOptions,
        expecting: Expecting | None = None,
        poll: Poll = None,
    ) -> None:
        self.graph, self.numbers, self.objective = graph, numbers, objective
        self.options, self.gradients = options, gradients
        self.segments = Segments(graph.switch_instances)
        self.fixed = np.repeat(numbers.fixed, self.segments.sizes)
        expecting = expecting or GraphExpecting(Plan(graph, poll=poll))
        self.expectations = expecting.expectations(1, None, poll)
        self.in_logs = False  # plain numbers, until they prove too small
        self.poll = poll

    # ---- the weights

    def log_parameters(self, weights: Array) -> Array:
        """ln theta; that of fixed switches is as it is."""
        heads = np.maximum.reduceat(weights, self.segments.starts) if len(weights) else weights
        shifted = weights - self.segments.spread(heads)
        totals = self.segments.sums(np.exp(shifted)[:, None])[:, 0]
        return np.where(self.fixed, weights, shifted - self.segments.spread(np.log(totals)))

    def goal_logs(self, log_theta: Array) -> Array:
        """The log probabilities of the goals."""
        if not self.in_logs:
            values = self.expectations.values(np.exp(log_theta)[:, None], False)[:, 0]
            if (values > SMALLEST).all():
                return np.log(values)
            self.in_logs = True
        logs = self.expectations.values(log_theta[:, None], True)[:, 0]
        if not (logs > -math.inf).all():
            goal = int(np.flatnonzero(~(logs > -math.inf))[0])
            text = "Probability of an observed goal being non-positive"
            raise LearningError(text, "invalid_numeric_value", goal=goal)
        return logs

    def counts(self, log_theta: Array, goal_weights: Array) -> Array:
        """The counts that are expected if goal g is observed goal_weights[g] times, which may be negative."""
        theta = (log_theta if self.in_logs else np.exp(log_theta))[:, None]
        total = np.zeros(self.graph.n_instances)
        for sign in (1.0, -1.0):
            part = np.maximum(sign * goal_weights, 0.0)
            if part.any():
                total += sign * self.counted(theta, part[:, None])[:, 0]
        return total

    def counted(self, theta: Array, goal_weights: Array) -> Array:
        if isinstance(self.expectations, GraphExpectations):
            return self.expectations.counts(theta, goal_weights, self.in_logs)
        return self.expectations.expect(theta, goal_weights, self.in_logs)[1]

    def gradient(self, log_theta: Array, logs: Array, batch: int) -> Array:
        """By the weights of the switches, where goal_logs() was asked last; without the penalty."""
        counts = self.counts(log_theta, self.objective.goal_weights(logs, batch))
        if self.objective.pseudo_counts is not None:
            counts += self.objective.pseudo_counts
        totals = self.segments.spread(self.segments.sums(counts[:, None]))[:, 0]
        result: Array = np.where(self.fixed, 0.0, counts - np.exp(log_theta) * totals)
        return result

    # ---- runs

    def start(self, random: Random, last: Point | None) -> Array:
        """The weights that a run begins with: with init=none, where the last one ended."""
        given = self.numbers.theta if last is None else last.theta
        theta = start_parameters(given, self.fixed, self.segments, self.options, random)
        with np.errstate(divide="ignore"):
            return np.log(theta)

    def climb(self, run: int, weights: Array, events: LearnEvents) -> Iterator[Point]:
        """One run: a point for each iteration."""
        options, minimised = self.options, self.objective.minimised
        free = ~self.fixed & np.isfinite(weights)
        optimizing = optimizer(self.gradients.optimizer)
        gradient = np.zeros(len(weights))
        last: Point | None = None
        t = 0
        while True:
            log_theta = self.log_parameters(weights)
            logs = self.goal_logs(log_theta)
            at = self.objective.evaluate(logs, weights, log_theta)
            events.evaluated(t, at.value, at.likelihood, at.prior)
            if not math.isfinite(at.value):
                name = "loss" if minimised else "log likelihood"
                text = f"invalid {name}: {at.value} (at iteration #{t})"
                raise LearningError(text, "invalid_likelihood")
            if last is not None and minimised and self.gradients.batches == 1:
                if at.value - last.at.value > options.epsilon:
                    # The step was too large. What was reached before it is kept.
                    events.loss_rose(t, last.at.value, at.value)
                    events.run_ended(last.iteration, False, last.at.value)
                    return
            theta = np.where(self.fixed, self.numbers.theta, np.exp(log_theta))
            last = Point(run, t, theta, gradient, at)
            yield last
            if options.max_iterate is not None and t >= options.max_iterate:
                events.run_ended(t, False, at.value)
                return
            events.continued(t)
            gradient = self.gradient(log_theta, logs, t % self.gradients.batches)
            slope = np.where(free, gradient, 0.0)
            with np.errstate(over="ignore", invalid="ignore"):  # looked at below
                slope[free] -= 2.0 * self.gradients.decay * weights[free]
                weights = weights + optimizing.step(slope)
            if not np.isfinite(weights[free]).all():
                instance = int(np.flatnonzero(free & ~np.isfinite(weights))[0])
                text = f"weight not finite; the steps are too large (at iteration #{t + 1})"
                raise LearningError(text, "invalid_numeric_value", instance=instance)
            t += 1

    def better(self, one: Point, other: Point | None) -> bool:
        if other is None:
            return True
        first, second = one.at.value, other.at.value
        return first < second if self.objective.minimised else first > second

    def learn(self, random: Random, events: LearnEvents) -> LearnResult:
        """The best of the runs. Raises LearningError, and Stopped if it is interrupted."""
        best: Point | None = None
        point: Point | None = None
        started = time.perf_counter()
        try:
            for run in range(self.options.restart):
                events.run_started(run, self.options.restart)
                weights = self.start(random, point)
                for point in self.climb(run, weights, events):
                    if self.poll is not None:
                        self.poll()
                assert point is not None
                best = point if self.better(point, best) else best
        except KeyboardInterrupt:
            if point is None:
                raise
            reached = best if best is not None and not self.better(point, best) else point
            raise Stopped(self.result(reached, time.perf_counter() - started)) from None
        assert best is not None
        return self.result(best, time.perf_counter() - started)

    def result(self, point: Point, seconds: float) -> LearnResult:
        graph = self.graph
        sizes = sizes_of(graph)
        scores = self.objective.scores(point.at, int(sizes["num_parameters"]))
        statistics = scores | sizes | {"num_iterations": point.iteration}
        return LearnResult(
            theta=point.theta,
            alpha=None,
            counts=point.gradient,
            objective=point.at.value,
            iterations=point.iteration,
            converged=False,
            best_run=point.run,
            log_scale=self.in_logs,
            em_time=seconds,
            statistics=statistics,
        )


class LogLikelihood:
    """The log likelihood of the observed goals; with pseudo counts, the log posterior. The penalty on the
    weights is part of the steps, not of what is reported."""

    minimised = False

    def __init__(self, counts: Array, delta: Array, failure: int | None, batches: int) -> None:
        self.counts = np.array(counts, dtype=float)
        self.failure = failure
        if failure is not None:
            self.counts[failure] = 0.0
        self.pseudo_counts = delta if (delta > 0.0).any() else None
        observed = np.array([g for g in range(len(self.counts)) if g != failure], dtype=int)
        self.batches = [observed[b::batches] for b in range(batches)]

    def evaluate(self, logs: Array, weights: Array, log_theta: Array) -> Evaluation:
        with np.errstate(over="ignore"):
            likelihood = float(self.counts @ logs)
        if self.failure is not None:
            failing = self.probability_of_failure(logs)
            likelihood -= float(self.counts.sum()) * math.log1p(-failing)
        if self.pseudo_counts is None:
            return Evaluation(likelihood, likelihood)
        given = self.pseudo_counts > 0.0
        with np.errstate(over="ignore"):
            prior = float(self.pseudo_counts[given] @ log_theta[given])
        return Evaluation(likelihood + prior, likelihood, prior)

    def goal_weights(self, logs: Array, batch: int) -> Array:
        goals = self.batches[batch]
        weights = np.zeros(len(self.counts))
        weights[goals] = self.counts[goals]
        if self.failure is not None:
            failing = self.probability_of_failure(logs)
            weights[self.failure] = weights.sum() * failing / (1.0 - failing)
        return weights

    def probability_of_failure(self, logs: Array) -> float:
        assert self.failure is not None
        failing = math.exp(float(logs[self.failure]))
        if failing >= 1.0:
            raise LearningError("Probability of failure being unity", "invalid_numeric_value")
        return failing

    def scores(self, at: Evaluation, n_parameters: int) -> dict[str, float | int]:
        scores: dict[str, float | int] = {"log_likelihood": at.likelihood}
        if at.prior is not None:
            scores |= {"log_post": at.value, "log_prior": at.prior}
        return scores | {"lambda": at.value}
