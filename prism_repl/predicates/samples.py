"""Learning from several samples of the same goals at once, which Python asks for (Session.learn_samples)."""

from __future__ import annotations

from typing import Any

from prism_repl.arrays import Array
from prism_repl.inference.search import Search, poll
from prism_repl.inference.slices import Survey
from prism_repl.learning.expectations import Expecting
from prism_repl.learning.loop import learn_samples
from prism_repl.learning.observations import sampled
from prism_repl.learning.problem import LearnOptions, LearnResult, SwitchNumbers
from prism_repl.model.switches import keep
from prism_repl.predicates.learning import Learning
from prism_repl.prolog.builtins.registry import helper


class SampledLearning(Learning):
    """One search for all samples, and runs side by side. What was learned from the first sample is stored;
    use(i) stores what was learned from another one."""

    def __init__(self, m: Any, goals: int, samples: Array) -> None:
        observed, self.samples = sampled(m, goals, samples)
        super().__init__(m, observed, m.prob.flags["learn_mode"])
        self.messages &= {"search"}  # the others tell of one sample
        self.registered = m.prob.switches.all
        self.at = 0

    def learned(
        self,
        found: Search | Survey,
        numbers: SwitchNumbers,
        options: LearnOptions,
        expecting: Expecting | None,
    ) -> LearnResult | None:
        m = self.m
        self.found = found
        self.results = learn_samples(
            found.graph, numbers, options, m.prob.random, self.samples, expecting, poll(m)
        )
        return self.results[0]

    def use(self, i: int) -> None:
        """Make what was learned from sample i the numbers of the switches."""
        if self.registered is not self.m.prob.switches.all:
            raise ValueError("another program was loaded: what was learned from the samples does not fit it")
        self.at = i
        self.take(self.found, self.results[i])
        self.note(self.found, self.results[i], self.seconds)

    def note(self, found: Search | Survey, result: LearnResult, seconds: float) -> None:
        self.seconds = seconds
        self.note_numbers(found, result, seconds)
        m = self.m
        m.prob.statistics.pop("course", None)  # nobody followed so many runs
        seen = zip(self.observed.goals, self.samples[self.at].tolist(), strict=True)
        m.prob.statistics["observed"] = [(keep(m, goal), int(n)) for goal, n in seen if n > 0]


@helper("$learn_samples", 1)
def learn_samples_of(m: Any, goals: int) -> bool:
    """Takes the counts from m.prob.samples, and leaves itself there with what was learned."""
    if m.prob.samples is None:
        return False
    learning = SampledLearning(m, goals, m.prob.samples)
    m.prob.samples = learning
    return learning.run("learn_samples/1")
