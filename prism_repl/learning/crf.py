"""Learning of generative conditional random fields: the conditional log likelihood is climbed by gradients.

Each observed goal g(x,y) has its normaliser g(x): L = sum of ln q(g(x,y)) - ln q(g(x)), less a penalty of the
squares of the lambdas. Directions are the gradient or L-BFGS's, steps are fixed, annealed, found by
backtracking or by golden section. Fixed switches keep their lambdas and are no part of the problem.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Plan, Poll, Workspace
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.problem import LearningError
from prism_repl.learning.segments import Segments
from prism_repl.model.chance import Random

MEMORY = 10  # pairs that L-BFGS keeps
LEAST_STEP = 1e-12
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True)
class CrfOptions:
    mode: str = "lbfgs"  # or fg
    rate: str = "backtrack"  # none, annealing, backtrack, golden
    init: str = "zero"  # none, noisy_u, random, zero
    step: float = 1.0  # crf_epsilon
    annealing_weight: float = 1.0
    golden_b: float = 1.0
    rho: float = 0.5
    c1: float = 0.5
    penalty: float = 0.0
    epsilon: float = 1e-4
    max_iterate: int | None = 10000
    restart: int = 1
    std_ratio: float = 0.2
    init_order: list[int] | None = None


@dataclass
class CrfResult:
    lambdas: Array
    expectations: Array
    objective: float
    iterations: int


class CrfProblem:
    """The objective and its gradient. `numerators` and `normalisers` are numbers of roots, one of each for
    each goal."""

    def __init__(
        self,
        graph: Graph,
        numerators: list[int],
        normalisers: list[int],
        counts: list[int],
        features: Array,
        penalty: float,
        poll: Poll,
    ) -> None:
        self.graph, self.features, self.penalty = graph, features, penalty
        self.space = Workspace(Plan(graph, merge=False, poll=poll), poll=poll)
        self.above = np.zeros(len(graph.roots))
        self.below = np.zeros(len(graph.roots))
        np.add.at(self.above, numerators, counts)
        np.add.at(self.below, normalisers, counts)

    def value(self, lambdas: Array) -> float:
        logs = self.space.inside((lambdas * self.features)[:, None], True)[:, 0]
        likelihood = math.fsum(((self.above - self.below) * logs).tolist())
        return likelihood - 0.5 * self.penalty * float(lambdas @ lambdas)

    def gradient(self, lambdas: Array) -> tuple[Array, Array]:
        """The gradient where value() was asked last, and the expected counts given the normalisers."""
        seen = self.space.flow(self.above[:, None])[:, 0].copy()
        expected = self.space.flow(self.below[:, None])[:, 0].copy()
        return (seen - expected) * self.features - self.penalty * lambdas, expected


class Memory:
    """L-BFGS's last steps: changes of the lambdas and of the negative gradient."""

    def __init__(self) -> None:
        self.pairs: deque[tuple[Array, Array]] = deque(maxlen=MEMORY)

    def direction(self, gradient: Array) -> Array:
        q = gradient.copy()
        factors = []
        for s, y in reversed(self.pairs):
            rho = 1.0 / float(y @ s)
            a = rho * float(s @ q)
            q -= a * y
            factors.append((a, rho))
        for (s, y), (a, rho) in zip(self.pairs, reversed(factors), strict=True):
            q += (a - rho * float(y @ q)) * s
        return q


def start(given: Array, fixed: Array, segments: Segments, options: CrfOptions, random: Random) -> Array:
    """The lambdas that a run begins with."""
    lambdas = given.copy()
    free = segments.in_order(options.init_order, fixed)
    if options.init == "zero":
        lambdas[free] = 0.0
    elif options.init == "random":
        lambdas[free] = random.uniforms(len(free))
    elif options.init == "noisy_u":
        lambdas[free] = options.std_ratio * np.array(random.gaussians(len(free)))
    return lambdas


def climb(
    problem: CrfProblem, lambdas: Array, fixed: Array, options: CrfOptions, events: LearnEvents
) -> CrfResult:
    """One run."""
    memory = Memory()
    old = -math.inf
    step = slope = 0.0
    before: tuple[Array, Array] | None = None  # lambdas and gradient of the last iteration
    k = 0
    while True:
        value = problem.value(lambdas)
        events.evaluated(k, value, value, None)
        if not math.isfinite(value) or value > 1e-9:
            kind = "greater than zero" if value > 0 else "not finite"
            text = f"log likelihood {kind} [value: {value:.9f}] (at iteration #{k})"
            raise LearningError(text, "invalid_likelihood")
        gradient, expected = problem.gradient(lambdas)
        gradient[fixed] = 0.0
        settled = k > 0 and abs(value - old) <= options.epsilon
        if settled or (options.max_iterate is not None and k >= options.max_iterate):
            events.run_ended(k, settled, value)
            return CrfResult(lambdas, expected, value, k)
        events.continued(k)
        direction = gradient
        if options.mode == "lbfgs" and before is not None:
            s, y = lambdas - before[0], before[1] - gradient
            if float(y @ s) > 0.0:  # else it would not climb
                memory.pairs.append((s, y))
            direction = memory.direction(gradient)
        before = (lambdas, gradient)
        last, slope = slope, -float(gradient @ direction)

        def along(a: float, lambdas: Array = lambdas, direction: Array = direction) -> float:
            return -problem.value(lambdas + a * direction)

        if options.rate == "none":
            step = options.step
        elif options.rate == "annealing":
            step = options.step * options.annealing_weight / (options.annealing_weight + k)
        elif options.rate == "golden":
            step = golden_section(along, options.golden_b, options.epsilon)
        else:
            first = 1.0 if k == 0 or slope == 0.0 else step * last / slope
            step = backtracked(along, first, -value, slope, options, k)
        lambdas = lambdas + step * direction
        old = value
        k += 1


def backtracked(
    along: Callable[[float], float], step: float, here: float, slope: float, options: CrfOptions, k: int
) -> float:
    """A step that descends enough; a value that is not finite counts as too far."""
    while not along(step) <= here + options.c1 * step * slope:
        step *= options.rho
        if step < LEAST_STEP:
            text = f"invalid alpha in line search(=0.0) (at iteration #{k})"
            raise LearningError(text, "line_search_alpha")
    return step


def golden_section(along: Callable[[float], float], end: float, width: float) -> float:
    begin = 0.0
    left, right = end - GOLDEN * (end - begin), begin + GOLDEN * (end - begin)
    at_left, at_right = along(left), along(right)
    while end - begin >= width:
        if at_left < at_right:
            end, right, at_right = right, left, at_left
            left = end - GOLDEN * (end - begin)
            at_left = along(left)
        else:
            begin, left, at_left = left, right, at_right
            right = begin + GOLDEN * (end - begin)
            at_right = along(right)
    return 0.5 * (begin + end)


def crf_learn(
    problem: CrfProblem, given: Array, fixed: Array, options: CrfOptions, random: Random, events: LearnEvents
) -> CrfResult:
    """The best of the runs. (PRISM keeps the lambdas of the last one.)"""
    segments = Segments(problem.graph.switch_instances)
    best: CrfResult | None = None
    for run in range(options.restart):
        events.run_started(run, options.restart)
        begin = given if best is None or options.init != "none" else best.lambdas
        result = climb(problem, start(begin, fixed, segments, options, random), fixed, options, events)
        if best is None or result.objective > best.objective:
            best = result
    assert best is not None
    return best
