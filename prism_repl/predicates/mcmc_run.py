"""One run of mcmc: its options, VB for the start, the chains, what they print."""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from prism_repl.arrays import Array, np
from prism_repl.core.cells import REF
from prism_repl.core.errors import Interrupted, domain_error, instantiation_error
from prism_repl.flags import words_in_sum
from prism_repl.graph.chain import Chain
from prism_repl.inference import mixing
from prism_repl.inference.mcmc import Kept, Samples, Schedule, Words, log_normalizers
from prism_repl.inference.search import Search, check_goal, poll
from prism_repl.inference.sums import Sums
from prism_repl.learning.loop import learn
from prism_repl.learning.observations import FAILURE, Observations, observations
from prism_repl.learning.problem import LearningError, LearnResult, SwitchNumbers
from prism_repl.learning.progress import bar_text
from prism_repl.learning.report import mark
from prism_repl.learning.segments import Segments
from prism_repl.learning.starts import start_hyperparameters
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, runtime_error, say
from prism_repl.model.switches import Switch, fetch
from prism_repl.predicates.learning import Learning, statistics_text

Source = tuple[str, int]

MESSAGES = ("search", "em", "mcmc", "stats", "misc")
OPTIONS = {"end": {1}, "burn_in": {1}, "skip": {1}, "chains": {1}, "trace": {1, 2}, "post_param": {1, 2}}
CELLS = 1 << 24  # counts whose mixing is looked at


@dataclass(frozen=True)
class Watched:
    """A switch that is shown after each step from `step` on."""

    switch: Switch
    step: int


@dataclass(frozen=True)
class Options:
    schedule: Schedule
    trace: Watched | None
    post_param: Watched | None


# ---- arguments


def goal_list(m: Any, goals: int, source: Source) -> list[int] | None:
    """The goals of a list, each of them one that can be searched; None if it is not a list."""
    if goals & 7 == REF:
        raise prism_error(m, "1302", instantiation_error(), goals, source=source)
    items, tail = m.list_items(goals)
    if tail != m.nil:
        return None
    if m.prob.flags["trials"] == "once":
        raise prism_error(m, "1507", runtime_error("throws_once_in_mcmc"), source=source)
    for item in items:
        check_goal(m, item, "0006", source)
    return list(items)


def options_of(m: Any, given: int, source: Source) -> Options:
    found = checks.option_list(m, given, OPTIONS, source)
    flags = m.prob.flags

    def refuse(name: str) -> Exception:
        return checks.unknown_option(m, m.struct(name, *found[name]), source)

    def natural(name: str, default: int, least: int) -> int:
        if name not in found:
            return default
        cell = found[name][0]
        if not m.is_integer(cell) or m.int_value(cell) < least:
            raise refuse(name)
        return int(m.int_value(cell))

    end = natural("end", flags["mcmc_e"], 0)
    burn_in = natural("burn_in", flags["mcmc_b"], 0)
    skip = natural("skip", flags["mcmc_s"], 1)
    chains = natural("chains", flags["mcmc_chains"], 1)

    def wrong(ident: str, kind: str, value: int) -> Exception:
        cell = m.int_cell(value)
        return prism_error(m, ident, domain_error(kind, cell), cell, source=source)

    if burn_in > end:
        raise wrong("1502", "burn_in", burn_in)
    if skip > end - burn_in:
        raise wrong("1503", "skip", skip)

    def watched(name: str) -> Watched | None:
        if name not in found:
            return None
        cell = found[name][0]
        if cell & 7 == REF or m.is_integer(cell):
            raise refuse(name)
        step = burn_in
        if len(found[name]) == 2:
            at = found[name][1]
            if not m.is_integer(at) or m.int_value(at) < 1:
                raise refuse(name)
            step = m.int_value(at)
        if step > end:
            raise wrong("1504", f"{name}_step", step)
        return Watched(known_switch(m, cell, source), step)

    return Options(Schedule(end, burn_in, skip, chains), watched("trace"), watched("post_param"))


def known_switch(m: Any, name: int, source: Source) -> Switch:
    """A switch that is registered or declared."""
    switches = m.prob.switches
    found = switches.find(m, name) if m.is_ground(name) else None
    if found is None and m.is_ground(name) and m.prob.get_values(name) is not None:
        found = switches.declared(m, name, source)
    if found is None:
        raise prism_error(m, "1505", runtime_error("switch_unavailable"), name, source=source)
    return found


def refuse_failure(m: Any, items: list[int], goals: int, source: Source) -> None:
    if m.atom(FAILURE) in items:
        raise prism_error(m, "1500", runtime_error("failure_in_mcmc"), goals, source=source)


def messages_of(m: Any) -> set[str]:
    chosen = m.prob.flags["mcmc_message"]
    words = MESSAGES if chosen == "all" else () if chosen == "none" else words_in_sum(chosen) or ()
    return set(words)


# ---- the run


class Preparation(Learning):
    """VB for the start of the chain: nothing is stored in the switches."""

    def __init__(self, m: Any, observed: Observations, messages: set[str]) -> None:
        super().__init__(m, observed, "both")
        self.messages = messages

    def exporting(self) -> str:
        return ""

    def resets(self) -> bool:
        return False

    def prepare(self, goals: int, source: Source) -> tuple[Search, SwitchNumbers, LearnResult, Array]:
        """The graph of the goals, the numbers of its switches, what VB finds, the prior of the chain."""
        m = self.m
        started = time.perf_counter()
        found = self.search()
        if self.observed.failure is not None:
            raise prism_error(m, "1500", runtime_error("failure_in_mcmc"), goals, source=source)
        found.refuse_cycle(always=True)
        numbers = self.numbers(found)
        options = self.options(found)
        before = m.prob.random.mark()
        try:
            result = learn(found.graph, numbers, options, m.prob.random, self.events(), None, poll(m))
        except LearningError as error:
            raise self.error(found, error) from None
        prior = numbers.delta + 1.0
        if self.flags["mcmc_prior"] == "start":
            after = m.prob.random.mark()
            m.prob.random.go_back(before)
            segments = Segments(found.graph.switch_instances)
            fixed = segments.spread(numbers.fixed_h[:, None])[:, 0]
            for _ in range(options.restart):
                prior = start_hyperparameters(prior, fixed, segments, options, m.prob.random)
            m.prob.random.go_back(after)
        seconds = time.perf_counter() - started
        self.note(found, result, seconds)
        if "stats" in self.messages:
            self.say("stats", statistics_text(found, result, True, seconds))
        return found, numbers, result, prior


class Sampling:
    """One call of mcmc."""

    def __init__(self, m: Any, goals: int, items: list[int], options: Options, messages: set[str]) -> None:
        self.m, self.goals, self.items, self.options = m, goals, items, options
        self.messages = messages

    def run(self, source: Source) -> Samples:
        """Sample; what was kept before is there until the end."""
        m = self.m
        if "misc" in self.messages:
            say(m, "\n<<Running VBEM for the initial state>>\n")
        learning = self.learning = Preparation(m, observations(m, self.goals), self.messages)
        try:
            found, _, result, prior = learning.prepare(self.goals, source)
            learning.say("misc", "\n<<Running MCMC sampling>>\n")
            samples = self.sample(found, result, prior)
        except KeyboardInterrupt:
            if learning.within_line:
                learning.line.write("(Interrupted)\n")
            text = f"error(prism_runtime_error(ctrl_c_pressed),{source[0]}/{source[1]})"
            raise Interrupted(text) from None
        finally:
            learning.line.finish()
        m.prob.statistics["mcmc_samples"] = samples
        m.prob.statistics["mcmc"] = self.statistics(samples)
        return samples

    def sample(self, found: Search, result: LearnResult, prior: Array) -> Samples:
        m, graph = self.m, found.graph
        started = time.perf_counter()
        theta = result.theta
        assert theta is not None
        inference = Sums(graph, theta, False, poll(m))
        place = {m.intern(goal, True): i for i, goal in enumerate(self.learning.observed.goals)}
        roots = [place[m.intern(item, True)] for item in self.items]
        best: dict[int, list[int]] = {}
        for root in set(roots):
            counts = inference.switch_counts(inference.viterbi(root))
            best[root] = list(counts.elements())
        chains = []
        for number in range(self.options.schedule.chains):
            chains.append(self.one_chain(found, roots, prior, best if number == 0 else None, number))
        samples = Samples(graph, prior, theta, chains)
        samples.free_energy = result.objective
        samples.log_likelihood = sum(
            times * inference.probability(root).log for root, times in Counter(roots).items()
        )
        self.seconds = time.perf_counter() - started
        if "stats" in self.messages:
            text = f"Statistics on MCMC sampling:\n        MCMC sampling time: {self.seconds:.3f}\n"
            if len(chains) > 1:
                text += "".join(f"        {line}\n" for line in mixing_lines(self.statistics(samples)))
            self.learning.say("stats", text + "\n")
        return samples

    def one_chain(
        self, found: Search, roots: list[int], prior: Array, start: dict[int, list[int]] | None, number: int
    ) -> Kept:
        """Run a chain, from the best explanations or from explanations that are drawn."""
        m, schedule = self.m, self.options.schedule
        words = Words(m.prob.random)
        nodes = found.graph.roots[roots]
        chain = Chain(found.graph, nodes, prior, m.prob.flags["log_scale"] == "on", words, poll(m))
        report = Report(self, found, chain, words, prior, number)
        try:
            if start is None:
                chain.scatter()
            else:
                for goal, root in enumerate(roots):
                    chain.set_state(goal, start[root])
            if schedule.burn_in == 0:
                chain.keep()
            report.begin()
            while chain.steps < schedule.steps:
                chain.run(report.until_next(), schedule.burn_in, schedule.skip)
                report.after_step()
            report.end()
        finally:
            words.settle(chain)
        changes, ends = chain.kept()
        return Kept(changes, ends, chain.accepted, chain.steps)

    def statistics(self, samples: Samples) -> dict[str, float | int]:
        """What mcmc_statistics tells."""
        found: dict[str, float | int] = {"mcmc_sample_time": self.seconds}
        steps = sum(kept.steps for kept in samples.chains)
        found["mcmc_chains"] = len(samples.chains)
        found["mcmc_samples"] = len(samples)
        found["mcmc_acceptance"] = sum(kept.accepted for kept in samples.chains) / steps
        size = len(samples.chains[0])
        if size < mixing.LEAST:
            return found
        series = samples.log_joint().reshape(len(samples.chains), size)
        found["mcmc_ess"] = mixing.effective_size(series)
        found["mcmc_r_hat"] = mixing.split_r_hat(series)
        columns = np.unique(np.concatenate([kept.changes[:, 0] for kept in samples.chains]))
        if len(columns) and len(samples) * len(columns) <= CELLS:
            counts = np.concatenate(list(samples.blocks(columns)))
            parts = [counts[:, i].reshape(len(samples.chains), size) for i in range(len(columns))]
            found["mcmc_least_ess"] = min(map(mixing.effective_size, parts))
            found["mcmc_greatest_r_hat"] = max(map(mixing.split_r_hat, parts))
        return found


def mixing_lines(found: dict[str, float | int]) -> list[str]:
    lines = [f"Number of chains: {found['mcmc_chains']}", f"Acceptance: {found['mcmc_acceptance']:.3f}"]
    if "mcmc_ess" in found:
        lines.append(f"Effective sample size: {found['mcmc_ess']:.0f} of {found['mcmc_samples']}")
        lines.append(f"Split R-hat: {found['mcmc_r_hat']:.3f}")
    return lines


class Report:
    """What a chain prints: marks of progress, and rows for switches that are watched."""

    def __init__(
        self, sampling: Sampling, found: Search, chain: Chain, words: Words, prior: Array, number: int
    ) -> None:
        self.sampling, self.graph, self.chain, self.words, self.prior = (
            sampling,
            found.graph,
            chain,
            words,
            prior,
        )
        self.learning, self.number = sampling.learning, number
        options = sampling.options
        self.steps, self.chains = options.schedule.steps, options.schedule.chains
        self.every = sampling.m.prob.flags["mcmc_progress"]
        self.trace, self.post_param = self.found(options.trace), self.found(options.post_param)
        # a trace begins one step early, as in PRISM
        first = [self.trace.step - 1] if self.trace else []
        first += [self.post_param.step] if self.post_param else []
        self.first_row = max(0, min(first)) if first else self.steps
        self.width = len(str(len(sampling.items)))

    def found(self, watched: Watched | None) -> Watched | None:
        """The switch as the search has registered it."""
        if watched is None:
            return None
        m = self.sampling.m
        switch = m.prob.switches.find(m, fetch(m, watched.switch.name))
        return Watched(switch or watched.switch, watched.step)

    def begin(self) -> None:
        prefix = f"[{self.number}] " if self.chains > 1 else ""
        self.learning.say("mcmc", f"{prefix}#visited: ")

    def until_next(self) -> int:
        """How many steps to the next one after which something is printed."""
        step = self.chain.steps
        if step >= self.first_row:
            return 1
        next_mark = step + (-step) % self.every + 1
        return min(next_mark, self.first_row + 1, self.steps) - step

    def after_step(self) -> None:
        step = self.chain.steps - 1
        if step >= self.first_row:
            row = self.row(step)
            if row:
                self.learning.line.write(row + "\n")
                self.learning.within_line = False
        self.learning.say("mcmc", mark(step, self.every))
        self.learning.line.status(lambda seconds: bar_text("#visited:", step + 1, self.steps, seconds))

    def end(self) -> None:
        self.learning.say("mcmc", f"({self.steps}) (Stopped)\n")

    def row(self, step: int) -> str:
        text = ""
        chain = self.chain
        if self.trace is not None and step + 1 >= self.trace.step:
            numbers = self.prior + chain.counts
            score = float(log_normalizers(numbers[None, :], self.graph.switch_instances)[0])
            counts = "".join(f" {n}" for n in self.values_of(self.trace.switch, chain.counts))
            text = f"{step:6d}  {score:7.3f} {counts}  : #G = {chain.goal + 1:{self.width}d}, "
            if chain.outcome == 0:
                text += " -" + " " * 13
            else:
                text += f" {'*' if chain.outcome == 1 else '-'}  R = {chain.ratio:.3f}  "
        if self.post_param is not None and step >= self.post_param.step:
            self.words.settle(chain)
            drawn = self.drawn_parameters(self.post_param.switch)
            text = (text or f"{step:6d}  ") + "".join(f" {x:.3f}" for x in drawn)
        return text

    def values_of(self, switch: Switch, values: Array) -> list[Any]:
        """The values of a switch's instances; none of a switch that does not occur."""
        found = np.flatnonzero(self.graph.switch_ids == switch.number)
        if not len(found):
            return [0] * switch.size
        begin, end = self.graph.switch_instances[found[0] : found[0] + 2]
        return list(values[begin:end].tolist())

    def drawn_parameters(self, switch: Switch) -> list[float]:
        """Parameters from the posterior given the state."""
        m = self.sampling.m
        if (self.graph.switch_ids == switch.number).any():
            numbers = self.values_of(switch, self.prior + self.chain.counts)
        else:
            alphas, _ = m.prob.switches.hyperparameters(m, [switch.number])
            numbers = alphas[switch.base : switch.base + switch.size].tolist()
        drawn = [m.prob.random.gamma(x) for x in numbers]
        return [x / math.fsum(drawn) for x in drawn]
