"""The loop of learning: one for EM, MAP, VB and Viterbi training.

An iteration asks for the values and the (expected or Viterbi) counts of the observed goals under the current
numbers (expectations.py), judges the objective, and updates (updates.py). Restarts run side by side: several
in one pass over the graph (lanes) and on all threads. Each run's numbers are the same wherever it runs.

Nothing is printed here: progress leaves as calls of LearnEvents.
"""

from __future__ import annotations

import math
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from copy import copy
from threading import Lock
from typing import TYPE_CHECKING

from prism_repl.arrays import Array, np
from prism_repl.graph import lane_sums
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import LANES, SMALLEST, Plan, Poll
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.expectations import Expectations, Expecting, GraphExpecting
from prism_repl.learning.k_best import KBestExpecting
from prism_repl.learning.problem import LearningError, LearnOptions, LearnResult, SwitchNumbers
from prism_repl.learning.runs import Run
from prism_repl.learning.scores import result_of
from prism_repl.learning.segments import Segments
from prism_repl.learning.updates import Estimate, Variational
from prism_repl.model.chance import Random

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


# An objective may exceed zero, or fall, by rounding alone.
ROUNDING = 1e-9
# A relative change of the objective that rounding alone may make: no epsilon asks for less.
STANDSTILL = 1e-14
LARGEST = sys.float_info.max


class Stopped(KeyboardInterrupt):
    """Learning was interrupted; `result` is what the best run had reached."""

    def __init__(self, result: LearnResult) -> None:
        super().__init__()
        self.result = result


class Learner:
    """Everything that the runs of one learn share."""

    def __init__(
        self,
        graph: Graph,
        numbers: SwitchNumbers,
        options: LearnOptions,
        expecting: Expecting,
        poll: Poll,
    ) -> None:
        self.graph, self.options, self.expecting, self.poll = graph, options, expecting, poll
        self.segments = Segments(graph.switch_instances)
        self.strategy: Estimate | Variational = (
            Variational(self.segments, numbers, options)
            if options.variational
            else Estimate(self.segments, numbers, options)
        )
        if options.failure is not None:
            if options.viterbi:
                raise LearningError(
                    "Viterbi training not applicable to models with failure", "invalid_argument"
                )
            if options.daem:
                raise LearningError("DAEM not applicable to models with failure", "daem_with_failure")

    def new_run(self, index: int, observed: Array, random: Random) -> Run:
        """A start of its own; `observed` says how often it has seen each goal."""
        options = self.options
        numbers = self.strategy.initial(random)
        if options.failure is not None:
            observed = observed.copy()
            observed[options.failure] = 0.0
        run = Run(
            index,
            numbers,
            observed,
            options.itemp_init if options.daem and not options.viterbi else 1.0,
            options.log_scale,
        )
        run.drawn = random.mark()
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
        expectations = self.expecting.expectations(lanes, pool, self.poll)
        crew: list[Run | None] = [None] * lanes
        numbers = np.ones((self.graph.n_instances, lanes))
        observed = np.zeros((len(self.graph.roots), lanes))
        totals = np.zeros(lanes)
        to_logs: list[Run] = []
        while True:
            if None in crew[:width]:
                numbers = numbers.copy()  # strategies may keep what they were given
            for lane in range(width):
                if crew[lane] is None:
                    run = crew[lane] = next_run()
                    observed[:, lane] = 0.0 if run is None else run.observed
                    totals[lane] = 0.0 if run is None else run.total
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
            failing = self._failing(expectations, theta, logs)
            weights = observed
            if options.failure is not None:
                # How many failures are expected; none where there are nothing but failures, an error below.
                odds = np.divide(failing, 1.0 - failing, out=np.zeros(lanes), where=failing < 1.0)
                weights = observed.copy()
                weights[options.failure] = totals * odds
            # Up and down at once: for a run that proves to be at its end, the counts are not needed.
            roots, counts = expectations.expect(theta, weights, logs)
            data, weak = self._data(observed, totals, roots, logs, failing)
            objective, prior = strategy.objective(numbers, data, itemp)

            going = np.zeros(lanes, dtype=bool)
            for lane, run in enumerate(crew):
                if run is None:
                    continue
                goal = None if weak[lane] < 0 else int(weak[lane])
                if logs and run.underflow is not None and goal is None:
                    run.tell("log_scale_needed", run.index, run.underflow)
                    run.underflow = None
                if options.failure is not None and not failing[lane] < 1.0:
                    run.fail(LearningError("Probability of failure being unity", "invalid_numeric_value"))
                elif goal is not None:
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
                else:
                    log_prior = None if prior is None else float(prior[lane])
                    going[lane] = self._judge(
                        run, numbers[:, lane], float(objective[lane]), float(data[lane]), log_prior
                    )
                if run.done:
                    run.numbers = numbers[:, lane].copy()
                    if run.counts is not None:
                        run.counts = run.counts.copy()  # not those of all lanes with it
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

    def _failing(self, expectations: Expectations, theta: Array, logs: bool) -> Array:
        """The probability of failure, per lane."""
        if self.options.failure is None:
            return np.zeros(expectations.lanes)
        roots = expectations.values(theta, logs)[self.options.failure]
        return np.exp(roots) if logs else roots

    def _data(
        self, observed: Array, totals: Array, roots: Array, logs: bool, failing: Array
    ) -> tuple[Array, Array]:
        """Per lane: the log likelihood of the observed goals, and the first goal, or -1, whose probability is
        zero or too small for plain numbers."""
        lanes = roots.shape[1]
        data, weak = np.empty(lanes), np.empty(lanes, dtype=np.int32)
        least = -LARGEST if logs else SMALLEST
        lane_sums.log_likelihood(observed, np.ascontiguousarray(roots), data, weak, lanes, logs, least)
        if self.options.failure is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                data = data - totals * np.log1p(-failing)
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
        if run.itemp == 1.0 and likelihood > ROUNDING * (1.0 + run.total):
            run.fail(
                LearningError(
                    f"{name} greater than zero [value: {likelihood:.9f}] (at iteration #{n})", reason
                )
            )
            return False
        settled = False
        if run.before is not None:
            old = run.before[0]
            if old - objective > max(options.epsilon, ROUNDING * (1.0 + abs(old))):
                name = "free energy" if options.variational else "log likelihood or log post"
                run.fail(
                    LearningError(
                        f"{name} decreased [old: {old:.9f}, new: {objective:.9f}] (at iteration #{n})", reason
                    )
                )
                return False
            # Viterbi training keeps to epsilon as EM does: PRISM compares objectives in each mode (a start
            # whose best explanations are the final ones takes it two updates, not one). The paper stops when
            # the best explanations stay the same: then the gain is 0, so with a small epsilon the ends are
            # the same.
            settled = objective - old <= max(options.epsilon, STANDSTILL * abs(old))
        over = settled or (options.max_iterate is not None and n >= options.max_iterate)
        if over and run.itemp < 1.0:
            # Also where no update is left: the objective at the end is that of temperature 1.
            run.itemp = min(1.0, run.itemp * options.itemp_rate)
            run.before = None
            run.tell("temperature", run.itemp)
            return False
        if over:
            run.converged = settled
            run.tell("run_ended", n, settled, objective)
            run.done = True
            return False
        run.before = (objective, numbers.copy())
        run.tell("continued", n)
        return True


def expecting_of(graph: Graph, options: LearnOptions, poll: Poll) -> Expecting:
    """Counts from a graph, as the options ask for them."""
    if options.viterbi and options.vt_best > 1:
        return KBestExpecting(graph, options.vt_best)
    return GraphExpecting(Plan(graph, poll=poll), options.viterbi)


def learn(
    graph: Graph,
    numbers: SwitchNumbers,
    options: LearnOptions,
    random: Random,
    events: LearnEvents | None = None,
    expecting: Expecting | None = None,
    poll: Poll = None,
    watch: Callable[[Callable[[], LearnResult | None]], None] | None = None,
) -> LearnResult:
    """Learns the switches of a graph; `numbers` stay as they are. Raises LearningError. The starts are drawn
    from `random` one after the other, wherever the runs go on.

    `expecting` says how counts are found, if not from the graph (of which then only the switches, and the
    counts of the observed goals, are needed). `poll` is called every few milliseconds (from any thread) and
    may raise to break off: KeyboardInterrupt becomes Stopped as soon as there is something to keep. `watch`
    is given a function that tells at any time what was reached so far."""
    if expecting is None:
        expecting = expecting_of(graph, options, poll)
    learner = Learner(graph, numbers, options, expecting, poll)
    started = time.perf_counter()
    driver = Driver(learner, events or LearnEvents(), random)

    def so_far() -> LearnResult | None:
        best = best_of([reached(run) for run in list(driver.runs)])
        if best is None:
            return None
        seconds = time.perf_counter() - started
        return result_of(graph, numbers, options, learner.segments, best, seconds)

    if watch is not None:
        watch(so_far)
    try:
        if options.init == "none" and not options.variational:
            # Each run begins where the last one ended.
            for index in range(options.restart):
                run = learner.new_run(index, graph.counts, random)
                if driver.runs:
                    run.numbers = driver.runs[-1].numbers
                driver.drive(iter([run]), 1)
        else:
            starts = (learner.new_run(i, graph.counts, random) for i in range(options.restart))
            driver.drive(starts, options.restart)
    except KeyboardInterrupt:
        result = so_far()
        if result is None:
            raise
        raise Stopped(result) from None
    result = so_far()
    assert result is not None
    return result


def learn_samples(
    graph: Graph,
    numbers: SwitchNumbers,
    options: LearnOptions,
    random: Random,
    samples: Array,
    expecting: Expecting | None = None,
    poll: Poll = None,
) -> list[LearnResult]:
    """Learns from each sample of the graph's goals: samples[s, g] says how often goal g was observed, instead
    of the graph's own counts. The best of the restarts of each sample. All runs are computed side by side, as
    restarts are: that is much quicker than one sample after the other."""
    learner = Learner(graph, numbers, options, expecting or expecting_of(graph, options, poll), poll)
    started = time.perf_counter()
    driver = Driver(learner, LearnEvents(), random)
    restarts = options.restart
    starts = (learner.new_run(i, sample, random) for sample in samples for i in range(restarts))
    driver.drive(starts, len(samples) * restarts)
    seconds = (time.perf_counter() - started) / len(samples)
    results = []
    for first in range(0, len(driver.runs), restarts):
        best = best_of([reached(run) for run in driver.runs[first : first + restarts]])
        assert best is not None
        results.append(result_of(graph, numbers, options, learner.segments, best, seconds))
    return results


def reached(run: Run) -> Run | None:
    """A run as far as it has come: where its objective was known last."""
    before = run.before
    if run.error is not None or not (run.done or before):
        return None
    if run.done or before is None:
        return run
    stage = copy(run)
    stage.objective, stage.numbers = before
    return stage


def best_of(runs: list[Run | None]) -> Run | None:
    """The run with the best objective, the first of equals."""
    best: Run | None = None
    for run in runs:
        if run is not None and (best is None or run.objective > best.objective):
            best = run
    return best


class Driver:
    """Takes runs through the learner, on one thread or several, and passes on what they tell, in their
    order and in the caller's thread."""

    def __init__(self, learner: Learner, events: LearnEvents, random: Random) -> None:
        self.learner, self.events, self.random = learner, events, random
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
        lanes = LANES if width >= 4 and self.learner.expecting.side_by_side else 1
        width = min(width, lanes)
        if workers == 1:
            pool = None
            if threads > 1 and self.learner.expecting.splits:
                from concurrent.futures import ThreadPoolExecutor

                pool = ThreadPoolExecutor(threads)
            try:
                return self.learner.work(next_run, lanes, width, logs, pool, self._pass_on)
            finally:
                if pool is not None:
                    pool.shutdown()
        from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

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
                self.random.go_back(run.drawn)  # the runs after it were not to be
                raise run.error
            if not done:
                return
            run.drawn = run.before = None  # the generator's state alone takes more than most runs' numbers
            self.shown += 1
