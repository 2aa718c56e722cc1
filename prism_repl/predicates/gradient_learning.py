"""sgd_learn and rank_learn: parameters by gradient steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, instantiation_error
from prism_repl.inference.search import Search, poll
from prism_repl.inference.slices import Survey
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.expectations import Expecting
from prism_repl.learning.gradients import GradientLearner, GradientOptions, LogLikelihood, Objective
from prism_repl.learning.observations import Observations, check_observed, observations, observed_data
from prism_repl.learning.optimizers import OptimizerOptions
from prism_repl.learning.problem import LearnOptions, LearnResult, SwitchNumbers
from prism_repl.learning.ranking import RankLoss
from prism_repl.learning.report import GradientText
from prism_repl.learning.updates import check_pseudo_counts
from prism_repl.model.messages import prism_error, prism_warning
from prism_repl.predicates.cycle_details import DetailedLearning
from prism_repl.predicates.learning_text import below
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.standard_order import by_first


class GradientLearning(DetailedLearning, ABC):
    """One call of sgd_learn or rank_learn."""

    anneals = False
    batch_name = "minibatch"
    members_name = "goals"  # what batches are made of

    def __init__(self, m: Any, observed: Observations) -> None:
        super().__init__(m, observed, "ml")

    # What the two differ in.

    @abstractmethod
    def members(self) -> list[list[int]]:
        """What is dealt out to the batches: each is a list of numbers of goals."""

    @abstractmethod
    def objective(self, numbers: SwitchNumbers, fixed: Any, batches: int) -> Objective:
        """What is made small or large, with its gradient."""

    @abstractmethod
    def details(self, objective: float, likelihood: float, prior: float | None) -> str:
        """What the line of an iteration says of the objective."""

    # What they share.

    def learned(
        self,
        found: Search | Survey,
        numbers: SwitchNumbers,
        options: LearnOptions,
        expecting: Expecting | None,
    ) -> LearnResult | None:
        m, flags = self.m, self.flags
        assert isinstance(found, Search)  # only Viterbi training does without graphs
        gradients = GradientOptions(
            OptimizerOptions(
                name=flags["sgd_optimizer"],
                rate=float(flags["sgd_learning_rate"]),
                adadelta_gamma=float(flags["sgd_adadelta_gamma"]),
                adadelta_epsilon=float(flags["sgd_adadelta_epsilon"]),
                adam_beta=float(flags["sgd_adam_beta"]),
                adam_gamma=float(flags["sgd_adam_gamma"]),
                adam_epsilon=float(flags["sgd_adam_epsilon"]),
            ),
            float(flags["sgd_weight_decay"]),
            self.batches(),
        )
        fixed = np.repeat(numbers.fixed, np.diff(found.graph.switch_instances))
        self.problem = self.objective(numbers, fixed, gradients.batches)
        self.describe_batches(found, gradients.batches)
        learner = GradientLearner(found.graph, numbers, self.problem, options, gradients, expecting, poll(m))
        return learner.learn(m.prob.random, self.events())

    def batches(self) -> int:
        """How many there are: no more than can have a member."""
        wanted, most = self.flags["num_minibatch"], len(self.members())
        if wanted > most:
            text = f"The indicated {self.batch_name} size ({wanted}) is greater than the number of"
            self.say("em", f"{text} {self.members_name} ({most}) \n")
        return min(wanted, most)

    def describe_batches(self, found: Search, batches: int) -> None:
        if self.flags["verb"] not in ("em", "full"):
            return
        roots = found.graph.roots.tolist()
        for batch in range(batches):
            members = self.members()[batch::batches]
            size = len(below(found, *[roots[goal] for member in members for goal in member]))
            name = self.batch_name if self.batch_name.startswith("rank") else self.batch_name.capitalize()
            self.say("em", f" {name}({batch}): Number of goals = {len(members)}, Graph size = {size}\n")

    def report(self) -> LearnEvents:
        return GradientText(
            lambda text: self.say("em", text),
            self.flags["em_progress"],
            self.flags["verb"] in ("em", "full"),
            self.line,
            self.details,
        )


class SgdLearning(GradientLearning):
    """The log likelihood (or posterior) of observed goals."""

    def __init__(self, m: Any, observed: Observations) -> None:
        super().__init__(m, observed)
        self.routine = "VT"  # as PRISM has it

    def members(self) -> list[list[int]]:
        return [[goal] for goal in range(len(self.observed.goals)) if goal != self.observed.failure]

    def objective(self, numbers: SwitchNumbers, fixed: Any, batches: int) -> Objective:
        check_pseudo_counts(numbers, fixed)
        counts = np.array(self.observed.counts, dtype=float)
        return LogLikelihood(counts, numbers.delta, self.observed.failure, batches)

    def details(self, objective: float, likelihood: float, prior: float | None) -> str:
        if prior is None:
            return f"log_likelihood={likelihood:.9f}"
        return f"log_likelihood={likelihood:.9f}\tlog_prior={prior:.9f}\tlog_post={objective:.9f}"


class RankLearning(GradientLearning):
    """The loss of lists of goals, the best first; `lists` have the numbers of the observed goals."""

    batch_name = "rank_minibatch"
    members_name = "ranking lists"
    objective_name = "loss"

    def __init__(self, m: Any, observed: Observations, lists: list[list[int]]) -> None:
        super().__init__(m, observed)
        self.lists = lists

    def members(self) -> list[list[int]]:
        return self.lists

    def learned(
        self,
        found: Search | Survey,
        numbers: SwitchNumbers,
        options: LearnOptions,
        expecting: Expecting | None,
    ) -> LearnResult | None:
        mode = self.flags["learn_mode"]
        if mode not in ("ml", "ml_vt"):
            prism_warning(self.m, "4030", mode)
            return None
        return super().learned(found, numbers, options, expecting)

    def objective(self, numbers: SwitchNumbers, fixed: Any, batches: int) -> RankLoss:
        flags = self.flags
        return RankLoss(
            self.lists,
            len(self.observed.goals),
            flags["rank_loss"],
            float(flags["rank_loss_c"]),
            float(flags["sgd_weight_decay"]),
            batches,
            bool((numbers.delta > 0.0).any()),
        )

    def details(self, objective: float, likelihood: float, prior: float | None) -> str:
        problem = self.problem
        assert isinstance(problem, RankLoss)
        parts = f"log likelihood loss = {likelihood:.6f}, regularization loss = {prior:.6f}"
        pairs = f"positive loss pairs: {problem.positive}/{len(problem.better)}"
        return f" total loss = {objective:.6f} ({parts}) [{pairs}]"


def ranked_lists(m: Any, data: int) -> tuple[Observations, list[list[int]]]:
    """The distinct goals in standard order, and the lists as numbers of these goals. A goal by itself is a
    list of one."""
    items, tail = m.list_items(data)
    if tail & 7 == REF:
        raise prism_error(m, "1302", instantiation_error(), data)
    if tail != m.nil:
        check_observed(m, data)  # what is no goal, either, is called so
    if tail != m.nil or not items:
        raise prism_error(m, "1302", domain_error("observed_data", data), data)
    lists = []
    for item in items:
        goals, tail = m.list_items(item)
        if tail != m.nil:
            goals = [item]
        if not goals:
            raise prism_error(m, "1302", domain_error("observed_data", data), data)
        for goal in goals:
            check_observed(m, goal)
            if not m.is_ground(goal):
                raise prism_error(m, "1303", instantiation_error(), goal)
        lists.append([m.intern(goal, True) for goal in goals])
    goals = [goal for (goal,) in by_first(m, [(goal,) for goal in {g for ranked in lists for g in ranked}])]
    place = {goal: i for i, goal in enumerate(goals)}
    numbered = [[place[goal] for goal in ranked] for ranked in lists]
    counts = np.bincount([goal for ranked in numbered for goal in ranked]).tolist()
    return Observations(goals, counts, None), numbered


@builtin("sgd_learn is det")
def sgd_learn_data(m: Any) -> bool:
    return SgdLearning(m, observed_data(m)).run("sgd_learn/0")


@builtin("sgd_learn(+Goals) is det")
def sgd_learn_goals(m: Any, goals: int) -> bool:
    return SgdLearning(m, observations(m, goals)).run("sgd_learn/1")


@builtin("rank_learn(+Lists) is det")
def rank_learn(m: Any, lists: int) -> bool:
    return RankLearning(m, *ranked_lists(m, lists)).run("rank_learn/1")
