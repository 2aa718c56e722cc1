"""Parameter learning: one loop; EM, MAP, VB and Viterbi training as small strategies.

An iteration folds the graph under the current numbers, judges the objective, takes the (expected or
Viterbi) counts and updates. What differs between the methods is in a Strategy: which numbers the graph is
folded with, what the objective is, and how counts become new numbers. Restarts run side by side: several in
one pass over the graph (the lanes of a Workspace) and on all threads. Each run's numbers are the same
wherever it runs.

Nothing is printed here: progress leaves as calls of LearnEvents (learn_report.py makes PRISM's text of them).
"""

from __future__ import annotations

import math
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from prism_repl.graph import kernels
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import LANES, SMALLEST, Plan, Poll, Workspace
from prism_repl.model.gamma import digamma, log_gamma

Array = np.ndarray[Any, Any]

# An objective may exceed zero, or fall, by rounding alone.
ROUNDING = 1e-9
LARGEST = sys.float_info.max
TINY = 1e-9  # noisy_u: the least value before normalisation
DEFAULT_MAX_ITERATE = 10000


class LearningError(Exception):
    """Learning cannot go on. `reason` is the atom in prism_runtime_error(reason); `goal` the index of the
    observed goal and `instance` the graph's switch instance that is to blame, if one is."""

    def __init__(
        self, message: str, reason: str, goal: int | None = None, instance: int | None = None
    ) -> None:
        super().__init__(message)
        self.message, self.reason, self.goal, self.instance = message, reason, goal, instance


class LearnEvents:
    """What learning tells while it runs, in the order of the runs. Override what is of interest."""

    def run_started(self, run: int, n_runs: int) -> None: ...

    def temperature(self, itemp: float) -> None: ...

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        """The numbers before update `iteration`; prior is None unless the method has one."""

    def continued(self, iteration: int) -> None:
        """Not converged: another update follows."""

    def run_ended(self, iterations: int, converged: bool, objective: float) -> None: ...

    def log_scale_needed(self, run: int, goal: int) -> None:
        """The probability of this goal is too small for plain numbers: the run goes on with logarithms."""


@dataclass(frozen=True)
class LearnOptions:
    mode: str = "ml"  # ml, vb, both, ml_vt, vb_vt, both_vt
    init: str = "random"  # random, noisy_u, none
    restart: int = 1
    epsilon: float = 1e-4
    max_iterate: int | None = DEFAULT_MAX_ITERATE  # None: no limit
    std_ratio: float = 0.2
    daem: bool = False
    itemp_init: float = 0.1
    itemp_rate: float = 1.5
    log_scale: bool = False
    refuse_zero: bool = False  # whether EM stops with an error at a parameter of 0
    threads: int = 1
    failure: int | None = None  # index of the goal `failure` among the observed ones
    init_order: list[int] | None = None  # graph switches in the order of initialisation

    def __post_init__(self) -> None:
        if self.mode not in ("ml", "vb", "both", "ml_vt", "vb_vt", "both_vt"):
            raise ValueError(f"no such mode of learning: {self.mode}")
        if self.init not in ("random", "noisy_u", "none"):
            raise ValueError(f"no such initialisation: {self.init}")

    @property
    def viterbi(self) -> bool:
        return self.mode.endswith("_vt")

    @property
    def variational(self) -> bool:
        return not self.mode.startswith("ml")


@dataclass
class SwitchNumbers:
    """The numbers of a graph's switches: one per instance, flags one per switch. Alpha is delta + 1."""

    theta: Array
    delta: Array
    fixed: Array  # bool: parameters fixed
    fixed_h: Array  # bool: hyperparameters fixed


@dataclass
class LearnResult:
    """The best run. `theta` is set by ml and both, `alpha` by vb and both; `counts` are the (expected)
    counts of the last update."""

    theta: Array | None
    alpha: Array | None
    counts: Array
    objective: float
    iterations: int
    converged: bool
    best_run: int
    log_scale: bool  # whether logarithms were used
    em_time: float  # seconds of all runs, without what was made ready before them
    statistics: dict[str, float | int] = field(default_factory=dict)


# -- strategies -------------------------------------------------------------------------------------


def weighted_sums(weights: Array, values: Array) -> Array:
    """The sum of weights[i] * values[i, lane] for each lane; weights of zero do not count."""
    totals = np.empty(values.shape[1])
    kernels.weighted_sums(
        np.ascontiguousarray(weights), np.ascontiguousarray(values), totals, values.shape[1]
    )
    return totals


class Segments:
    """Sums over the instances of each switch, in arrays of shape (n_instances, lanes)."""

    def __init__(self, graph: Graph) -> None:
        self.edges = graph.switch_instances
        self.starts = self.edges[:-1]
        self.sizes = np.diff(self.edges)
        self.size_of = np.repeat(self.sizes, self.sizes)[:, None].astype(float)

    def sums(self, values: Array) -> Array:
        totals = np.empty((len(self.sizes), values.shape[1]))
        kernels.segment_sums(self.edges, np.ascontiguousarray(values), totals, values.shape[1])
        return totals

    def total(self, values: Array) -> Array:
        """The sum over all instances (or all switches), for each lane."""
        return weighted_sums(np.ones(len(values)), values)

    def spread(self, per_switch: Array) -> Array:
        return np.repeat(per_switch, self.sizes, axis=0)

    def in_order(self, order: list[int] | None, fixed: Array) -> Array:
        """The instances that are not fixed, switch by switch in this order."""
        if order is None:
            instances = np.arange(len(fixed))
        else:
            starts, sizes = self.starts[order], self.sizes[order]
            ends = np.cumsum(sizes)
            instances = np.repeat(starts - (ends - sizes), sizes) + np.arange(
                int(ends[-1]) if len(ends) else 0
            )
        result: Array = instances[~fixed[instances]]
        return result


class Estimate:
    """ML, or MAP where there are pseudo counts: the numbers of a run are its parameters."""

    def __init__(self, segments: Segments, numbers: SwitchNumbers, options: LearnOptions) -> None:
        self.segments, self.options = segments, options
        self.start = numbers.theta
        self.delta = numbers.delta[:, None]
        self.fixed = np.repeat(numbers.fixed, segments.sizes)[:, None]
        occurring = numbers.delta
        self.smooth = bool((occurring > 0.0).any())  # MAP
        if (occurring < 0.0).any():
            raise LearningError(
                "negative delta values in MAP estimation",
                "invalid_numeric_value",
                instance=int(np.flatnonzero(occurring < 0.0)[0]),
            )
        if self.smooth and (occurring == 0.0).any():
            raise LearningError(
                "mixture of zero and non-zero pseudo counts",
                "invalid_numeric_value",
                instance=int(np.flatnonzero(occurring == 0.0)[0]),
            )
        if self.smooth:
            zero = self.fixed[:, 0] & (self.start <= 0.0)
            if zero.any():
                raise LearningError(
                    "parameters fixed to zero in MAP estimation",
                    "invalid_numeric_value",
                    instance=int(np.flatnonzero(zero)[0]),
                )

    def initial(self, rng: np.random.Generator) -> Array:
        """Starting numbers; `rng` is drawn from switch by switch."""
        theta = np.array(self.start, dtype=float)
        options, segments = self.options, self.segments
        if options.init == "none":
            return theta
        drawn_for = segments.in_order(options.init_order, self.fixed[:, 0])
        share = 1.0 / segments.size_of[drawn_for, 0]
        if options.init == "random":
            theta[drawn_for] = share + rng.random(len(drawn_for))
        else:
            noise = rng.standard_normal(len(drawn_for)) * options.std_ratio
            theta[drawn_for] = np.maximum(share * (1.0 + noise), TINY)
        totals = segments.spread(segments.sums(theta[:, None]))[:, 0]
        theta[drawn_for] /= totals[drawn_for]
        return theta

    def parameters(self, numbers: Array) -> Array:
        """Logarithms are taken by the caller: these are what the graph is folded with, at temperature 1."""
        return numbers

    def objective(self, numbers: Array, data: Array, itemp: Array) -> tuple[Array, Array | None]:
        """The objective from the data's part (log likelihood at this temperature), and the log prior, per
        lane.

        Annealing maximises data/itemp + prior; it is written times itemp, so that ML is judged by the
        data."""
        if not self.smooth:
            return data, None
        with np.errstate(divide="ignore"):
            prior = weighted_sums(self.delta, np.log(numbers))
        return data + itemp * prior, prior

    def updated(self, numbers: Array, counts: Array, itemp: Array) -> Array:
        raw = counts + self.delta
        totals = self.segments.spread(self.segments.sums(raw))
        with np.errstate(invalid="ignore", divide="ignore"):
            fresh = raw / totals
        return np.where(self.fixed | (totals <= 0.0), numbers, fresh)


class Variational:
    """VB: the numbers of a run are the hyperparameters (alphas) of the posterior."""

    smooth = False

    def __init__(self, segments: Segments, numbers: SwitchNumbers, options: LearnOptions) -> None:
        self.segments, self.options = segments, options
        self.alpha = (numbers.delta + 1.0)[:, None]
        self.fixed = np.repeat(numbers.fixed_h, segments.sizes)[:, None]
        if (self.alpha <= 0.0).any():
            raise LearningError(
                "non-positive alpha values in variational Bayes",
                "invalid_numeric_value",
                instance=int(np.flatnonzero(self.alpha[:, 0] <= 0.0)[0]),
            )
        self.constant = self._log_normalizer(self.alpha)

    def _log_normalizer(self, alpha: Array) -> Array:
        total = self.segments.total
        return total(log_gamma(alpha)) - total(log_gamma(self.segments.sums(alpha)))

    def initial(self, rng: np.random.Generator) -> Array:
        alpha = self.alpha[:, 0].copy()
        drawn_for = self.segments.in_order(self.options.init_order, self.fixed[:, 0])
        spread = self.options.std_ratio / self.segments.size_of[drawn_for, 0]
        alpha[drawn_for] *= 1.0 + np.abs(rng.standard_normal(len(drawn_for)) * spread)
        return alpha

    def _expected_logs(self, alpha: Array) -> Array:
        return digamma(alpha) - self.segments.spread(digamma(self.segments.sums(alpha)))

    def parameters(self, numbers: Array) -> Array:
        return np.exp(self._expected_logs(numbers))

    def objective(self, numbers: Array, data: Array, itemp: Array) -> tuple[Array, Array | None]:
        """The free energy: (data + entropy of the posterior)/itemp + expected log prior."""
        logs = self._expected_logs(numbers)
        log_prior = weighted_sums(self.alpha - 1.0, logs) - self.constant
        entropy = self._log_normalizer(numbers) - self.segments.total((numbers - 1.0) * logs)
        return (data + entropy) / itemp + log_prior, None

    def updated(self, numbers: Array, counts: Array, itemp: Array) -> Array:
        return np.where(self.fixed, numbers, itemp * (counts + self.alpha - 1.0) + 1.0)


# -- runs -------------------------------------------------------------------------------------------


class Run:
    """One start of the learning loop: its numbers, how far it is, and what it has to tell."""

    def __init__(self, index: int, numbers: Array, itemp: float, logs: bool) -> None:
        self.index, self.numbers, self.itemp, self.logs = index, numbers, itemp, logs
        self.iteration = 0
        self.before: tuple[float, Array] | None = None  # objective and numbers of the last iteration
        self.counts: Array | None = None
        self.objective = -math.inf
        self.likelihood = -math.inf
        self.log_prior: float | None = None
        self.converged = False
        self.done = False
        self.underflow: int | None = None  # a goal whose probability plain floats could not hold
        self.error: LearningError | None = None
        self.told: deque[tuple[str, tuple[Any, ...]]] = deque()

    def tell(self, event: str, *arguments: Any) -> None:
        self.told.append((event, arguments))

    def fail(self, error: LearningError) -> None:
        self.error = error
        self.done = True


class Learner:
    """Everything that the runs of one learn share."""

    def __init__(
        self,
        graph: Graph,
        numbers: SwitchNumbers,
        options: LearnOptions,
        plan: Plan | None,
        poll: Poll,
    ) -> None:
        self.graph, self.options, self.poll = graph, options, poll
        self.plan = plan or Plan(graph, poll=poll)
        self.segments = Segments(graph)
        self.strategy: Estimate | Variational = (
            Variational(self.segments, numbers, options)
            if options.variational
            else Estimate(self.segments, numbers, options)
        )
        self.counts = graph.counts.copy()
        if options.failure is not None:
            if options.viterbi:
                raise LearningError(
                    "Viterbi training not applicable to models with failure", "invalid_argument"
                )
            if options.daem:
                raise LearningError("DAEM not applicable to models with failure", "daem_with_failure")
            self.counts[options.failure] = 0.0
        self.total = float(self.counts.sum())

    def new_run(self, index: int, seed: int) -> Run:
        options = self.options
        numbers = self.strategy.initial(np.random.default_rng(seed))
        run = Run(
            index,
            numbers,
            options.itemp_init if options.daem and not options.viterbi else 1.0,
            options.log_scale,
        )
        run.tell("run_started", index, options.restart)
        if options.daem and not options.viterbi:
            run.tell("temperature", run.itemp)
        return run

    def work(
        self,
        next_run: Callable[[], Run | None],
        lanes: int,
        width: int,
        logs: bool,
        pool: ThreadPoolExecutor | None,
        after_pass: Callable[[], None],
    ) -> list[Run]:
        """Runs what `next_run` hands out to its end, in `width` of the lanes. Returns the runs that need
        logarithms."""
        options, strategy = self.options, self.strategy
        space = Workspace(self.plan, lanes, pool, self.poll)
        crew: list[Run | None] = [None] * lanes
        numbers = np.ones((self.graph.n_instances, lanes))
        weights = np.zeros((len(self.counts), lanes))
        to_logs: list[Run] = []
        while True:
            for lane in range(width):
                if crew[lane] is None:
                    run = crew[lane] = next_run()
                    weights[:, lane] = 0.0 if run is None else self.counts
                    if run is not None:
                        numbers[:, lane] = run.numbers
            if all(run is None for run in crew):
                return to_logs
            itemp = np.array([1.0 if run is None else run.itemp for run in crew])
            theta = strategy.parameters(numbers)
            if (itemp != 1.0).any():
                theta = theta**itemp
            if logs:
                with np.errstate(divide="ignore"):
                    theta = np.log(theta)
            failing = self._failing(space, theta, logs)
            if options.failure is not None:
                # How many failures are expected; none where there are nothing but failures, an error below.
                odds = np.divide(failing, 1.0 - failing, out=np.zeros(lanes), where=failing < 1.0)
                weights[options.failure] = self.total * odds
            # Up and down at once: for a run that proves to be at its end, the counts are not needed.
            roots, counts = space.expect(theta, weights, logs, options.viterbi)
            data, weak = self._data(roots, logs, failing)
            objective, prior = strategy.objective(numbers, data, itemp)

            going = np.zeros(lanes, dtype=bool)
            for lane, run in enumerate(crew):
                if run is None:
                    continue
                goal = None if weak[lane] < 0 else int(weak[lane])
                if logs and run.underflow is not None and goal is None:
                    run.tell("log_scale_needed", run.index, run.underflow)
                    run.underflow = None
                if goal is not None:
                    if logs:
                        run.fail(
                            LearningError(
                                "Probability of an observed goal being non-positive",
                                "invalid_numeric_value",
                                goal=goal,
                            )
                        )
                    else:
                        run.underflow = goal
                        run.logs = True
                        run.numbers = numbers[:, lane].copy()
                        to_logs.append(run)
                        crew[lane] = None
                        continue
                elif (zero := self._zero_parameter(numbers[:, lane])) is not None:
                    run.fail(
                        LearningError("Parameter being zero (-inf in log scale)", "underflow", instance=zero)
                    )
                elif options.failure is not None and not failing[lane] < 1.0:
                    run.fail(
                        LearningError(
                            "Probability of failure being one", "invalid_numeric_value", goal=options.failure
                        )
                    )
                else:
                    log_prior = None if prior is None else float(prior[lane])
                    going[lane] = self._judge(
                        run, numbers[:, lane], float(objective[lane]), float(data[lane]), log_prior
                    )
                if run.done:
                    run.numbers = numbers[:, lane].copy()
                    crew[lane] = None

            if going.any():
                counts[:, ~going] = 0.0
                numbers = np.where(going, strategy.updated(numbers, counts, itemp), numbers)
                for lane, run in enumerate(crew):
                    if run is not None and going[lane]:
                        run.counts = counts[:, lane]
                        run.iteration += 1
            after_pass()

    def _zero_parameter(self, numbers: Array) -> int | None:
        """The first instance whose parameter is 0, if EM is to stop there."""
        options = self.options
        if not options.refuse_zero or options.viterbi or options.variational:
            return None
        zero = np.flatnonzero(numbers == 0.0)
        return int(zero[0]) if len(zero) else None

    def _failing(self, space: Workspace, theta: Array, logs: bool) -> Array:
        """The probability of failure, per lane."""
        if self.options.failure is None:
            return np.zeros(space.lanes)
        roots = space.inside(theta, logs)[self.options.failure]
        return np.exp(roots) if logs else roots

    def _data(self, roots: Array, logs: bool, failing: Array) -> tuple[Array, Array]:
        """Per lane: the log likelihood of the observed goals, and the first goal, or -1, whose probability is
        zero or too small for plain numbers."""
        lanes = roots.shape[1]
        data, weak = np.empty(lanes), np.empty(lanes, dtype=np.int32)
        least = -LARGEST if logs else SMALLEST
        kernels.log_likelihood(self.counts, np.ascontiguousarray(roots), data, weak, lanes, logs, least)
        if self.options.failure is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                data = data - self.total * np.log1p(-failing)
        return data, weak

    def _judge(
        self, run: Run, numbers: Array, objective: float, likelihood: float, prior: float | None
    ) -> bool:
        """Whether the run goes on with another update; else it is done, has failed, or has a new
        temperature."""
        options = self.options
        n = run.iteration
        run.objective, run.likelihood, run.log_prior = objective, likelihood, prior
        run.tell("evaluated", n, objective, likelihood, prior)
        reason = "invalid_free_energy" if options.variational else "invalid_likelihood"
        name = "free energy" if options.variational else "log likelihood"
        if math.isnan(objective) or objective == math.inf:
            run.fail(LearningError(f"invalid {name} [value: {objective}] (at iteration #{n})", reason))
            return False
        if run.itemp == 1.0 and likelihood > ROUNDING * (1.0 + self.total):
            run.fail(
                LearningError(
                    f"{name} greater than zero [value: {likelihood:.9f}] (at iteration #{n})", reason
                )
            )
            return False
        settled = False
        if run.before is not None:
            old, old_numbers = run.before
            if old - objective > max(options.epsilon, ROUNDING * (1.0 + abs(old))):
                name = "free energy" if options.variational else "log likelihood or log post"
                run.fail(
                    LearningError(
                        f"{name} decreased [old: {old:.9f}, new: {objective:.9f}] (at iteration #{n})", reason
                    )
                )
                return False
            if options.viterbi:
                # The same explanations give the same numbers again; a start at the optimum differs by
                # rounding.
                settled = bool(np.abs(numbers - old_numbers).max(initial=0.0) <= 1e-12) or (
                    objective - old <= 1e-13 * abs(old)
                )
            else:
                settled = objective - old <= options.epsilon
        if settled and run.itemp < 1.0:
            run.itemp = min(1.0, run.itemp * options.itemp_rate)
            run.before = None
            run.tell("temperature", run.itemp)
            return False
        if settled or (options.max_iterate is not None and n >= options.max_iterate):
            run.converged = settled
            run.tell("run_ended", n, settled, objective)
            run.done = True
            return False
        run.before = (objective, numbers.copy())
        run.tell("continued", n)
        return True


def learn(
    graph: Graph,
    numbers: SwitchNumbers,
    options: LearnOptions,
    rng: np.random.Generator,
    events: LearnEvents | None = None,
    plan: Plan | None = None,
    poll: Poll = None,
) -> LearnResult:
    """Learns the switches of a graph; `numbers` stay as they are. Raises LearningError.

    `poll` is called every few milliseconds (from any thread) and may raise to break off."""
    learner = Learner(graph, numbers, options, plan, poll)
    started = time.perf_counter()
    seeds = rng.integers(1 << 62, size=options.restart).tolist()
    driver = Driver(learner, events or LearnEvents())
    if options.init == "none" and not options.variational:
        # Each run begins where the last one ended.
        for index, seed in enumerate(seeds):
            run = learner.new_run(index, seed)
            if driver.runs:
                run.numbers = driver.runs[-1].numbers
            driver.drive(iter([run]), 1)
    else:
        driver.drive((learner.new_run(i, seed) for i, seed in enumerate(seeds)), len(seeds))
    best = driver.runs[0]
    for run in driver.runs:
        if run.objective > best.objective:
            best = run
    return _result(learner, numbers, best, time.perf_counter() - started)


class Driver:
    """Takes runs through the learner, on one thread or several, and passes on what they tell, in their
    order and in the caller's thread."""

    def __init__(self, learner: Learner, events: LearnEvents) -> None:
        self.learner, self.events = learner, events
        self.runs: list[Run] = []
        self.shown = 0
        self.lock = Lock()
        self.cancelled = False
        # The other threads stop at their next slice of work when one was interrupted.
        self.poll, learner.poll = learner.poll, self._check

    def drive(self, source: Iterator[Run], n_runs: int) -> None:
        """Runs all of `source` to the end: first those that plain numbers can hold, then the others."""

        def fresh() -> Run | None:
            with self.lock:
                run = next(source, None)
                if run is not None:
                    self.runs.append(run)
                return run

        if self.learner.options.log_scale:
            self._work(fresh, n_runs, logs=True)
        else:
            again = sorted(self._work(fresh, n_runs, logs=False), key=lambda run: run.index)
            queue = deque(again)
            if queue:
                self._work(lambda: queue.popleft() if queue else None, len(queue), logs=True)
        self._pass_on()

    def _work(self, next_run: Callable[[], Run | None], n_runs: int, logs: bool) -> list[Run]:
        threads = max(1, self.learner.options.threads)
        workers = min(threads, n_runs)
        # A few runs are quicker one after the other than in a block of lanes that stay empty.
        width = min(LANES, -(-n_runs // workers))
        lanes = LANES if width >= 4 else 1
        width = min(width, lanes)
        if workers == 1:
            cut = self.learner.plan.blocks is not None
            pool = ThreadPoolExecutor(threads) if threads > 1 and cut else None
            try:
                return self.learner.work(next_run, lanes, width, logs, pool, self._pass_on)
            finally:
                if pool is not None:
                    pool.shutdown()
        with ThreadPoolExecutor(workers) as executor:
            try:
                futures = [
                    executor.submit(self.learner.work, next_run, lanes, width, logs, None, self._check)
                    for _ in range(workers)
                ]
                pending = True
                while pending:
                    finished, pending_futures = wait(futures, timeout=0.05, return_when=FIRST_EXCEPTION)
                    pending = bool(pending_futures)
                    for future in finished:
                        error = future.exception()
                        if error is not None and not isinstance(error, InterruptedError):
                            raise error
                    self._pass_on()
                return [run for future in futures for run in future.result()]
            except BaseException:
                self.cancelled = True
                raise

    def _check(self) -> None:
        if self.cancelled:
            raise InterruptedError
        if self.poll is not None:
            try:
                self.poll()
            except BaseException:
                self.cancelled = True
                raise

    def _pass_on(self) -> None:
        while self.shown < len(self.runs):
            run = self.runs[self.shown]
            done = run.done
            while run.told:
                event, arguments = run.told.popleft()
                getattr(self.events, event)(*arguments)
            if run.error is not None:
                raise run.error
            if not done:
                return
            self.shown += 1


def _result(learner: Learner, numbers: SwitchNumbers, run: Run, seconds: float) -> LearnResult:
    options, graph, segments = learner.options, learner.graph, learner.segments
    theta: Array | None = None
    alpha: Array | None = None
    if options.variational:
        alpha = run.numbers
        if options.mode.startswith("both"):
            means = alpha / segments.spread(segments.sums(alpha[:, None]))[:, 0]
            theta = np.where(np.repeat(numbers.fixed, segments.sizes), numbers.theta, means)
    else:
        theta = run.numbers
    counts = run.counts if run.counts is not None else np.zeros(graph.n_instances)
    n_parameters = graph.n_instances - graph.n_switches
    statistics: dict[str, float | int] = {}
    if not options.variational:
        statistics["log_likelihood"] = run.likelihood
        if run.log_prior is not None:
            statistics["log_post"] = run.objective
            statistics["log_prior"] = run.log_prior
        statistics["lambda"] = run.objective
    statistics["num_switches"] = graph.n_switches
    statistics["num_switch_values"] = graph.n_instances
    statistics["num_parameters"] = n_parameters
    statistics["num_iterations_vb" if options.variational else "num_iterations"] = run.iteration
    if options.variational:
        statistics["free_energy"] = run.objective
    else:
        statistics["bic"] = run.likelihood - 0.5 * n_parameters * math.log(learner.total)
        if run.log_prior is not None:
            statistics["cs"] = _cheeseman_stutz(segments, numbers.delta + 1.0, counts, run)
    return LearnResult(
        theta,
        alpha,
        counts,
        run.objective,
        run.iteration,
        run.converged,
        run.index,
        run.logs,
        seconds,
        statistics,
    )


def _cheeseman_stutz(segments: Segments, alpha: Array, counts: Array, run: Run) -> float:
    """The score of the completed data, corrected by how much likelier the completed data are than the
    data."""
    alpha, full = alpha[:, None], (alpha + counts)[:, None]
    complete = (log_gamma(full) - log_gamma(alpha)).sum() - (
        log_gamma(segments.sums(full)) - log_gamma(segments.sums(alpha))
    ).sum()
    used = counts > 0.0
    return float(complete - (counts[used] * np.log(run.numbers[used])).sum() + run.likelihood)
