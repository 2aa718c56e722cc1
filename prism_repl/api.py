"""What Python programs ask a session about probabilities: goals are text or terms, results Python values."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from prism_repl.answers import Answer
from prism_repl.learning.events import LearnEvents
from prism_repl.prolog.terms import Struct, Term, Var

if TYPE_CHECKING:
    import numpy as np


class Viterbi(NamedTuple):
    """The most probable explanation of a goal: node(Goal,[path(Goals,Switches)]) terms, the goal first."""

    probability: float
    explanation: list[Term]


@dataclass(frozen=True)
class Switch:
    """A random switch: its outcomes and their parameters, in the same order."""

    name: Term
    outcomes: list[Term]
    parameters: np.ndarray[Any, Any]
    fixed: bool


class LearnProgress(NamedTuple):
    """Where learning is. `objective` is the log likelihood, log posterior or free energy; `converged` is None
    until the run has ended."""

    run: int  # from 0
    runs: int
    iteration: int
    objective: float
    converged: bool | None


class ProgressListener(LearnEvents):
    """Tells a function how learning goes on; keeps the exception that the function raised."""

    def __init__(self, tell: Callable[[LearnProgress], object]) -> None:
        self.tell = tell
        self.run, self.runs = 0, 1
        self.error: BaseException | None = None

    def run_started(self, run: int, n_runs: int) -> None:
        self.run, self.runs = run, n_runs

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        self.report(iteration, objective, None)

    def run_ended(self, iterations: int, converged: bool, objective: float) -> None:
        self.report(iterations, objective, converged)

    def report(self, iteration: int, objective: float, converged: bool | None) -> None:
        try:
            self.tell(LearnProgress(self.run, self.runs, iteration, objective, converged))
        except Exception as error:
            self.error = error
            raise


class Probabilities(ABC):
    """The part of a session that knows about goals and their probabilities."""

    machine: Any

    @abstractmethod
    def ask(self, query: str | Term, timeout: float | None = None) -> Generator[Answer, None, None]: ...

    @abstractmethod
    def once(self, query: str | Term, timeout: float | None = None) -> Answer: ...

    @abstractmethod
    def term(self, text: str) -> Term: ...

    def as_term(self, goal: str | Term) -> Term:
        """Text at the top is read; inside a term a str is an atom."""
        return self.term(goal) if isinstance(goal, str) else goal

    def number(self, predicate: str, goal: str | Term) -> float | None:
        """P of predicate(Goal,P), None if it fails."""
        result = Var("Result")
        answer = self.once(Struct(predicate, self.as_term(goal), result))
        return float(answer["Result"]) if answer else None  # type: ignore[arg-type]

    def prob(self, goal: str | Term) -> float:
        """The probability of a goal, 0.0 if it has no explanation; its logarithm if log_scale is on."""
        value = self.number("prob", goal)
        if value is not None:
            return value
        return -math.inf if self.once("get_prism_flag(log_scale,on)") else 0.0

    def log_prob(self, goal: str | Term) -> float:
        """The natural logarithm of the probability of a goal."""
        value = self.number("log_prob", goal)
        return -math.inf if value is None else value

    def viterbi(self, goal: str | Term) -> Viterbi | None:
        """The most probable explanation of a goal, None if there is none."""
        answer = self.once(Struct("viterbif", self.as_term(goal), Var("P"), Var("E")))
        if not answer:
            return None
        explanation = answer["E"]
        assert isinstance(explanation, list)
        return Viterbi(float(answer["P"]), explanation)  # type: ignore[arg-type]

    def sample(self, goal: str | Term, n: int = 1) -> list[Term]:
        """n samples of a goal."""
        answer = self.once(Struct("get_samples", n, self.as_term(goal), Var("Samples")))
        samples = answer["Samples"] if answer else []
        assert isinstance(samples, list)
        return samples

    def learn(
        self,
        goals: Iterable[str | Term] | Mapping[Any, int],
        progress: Callable[[LearnProgress], object] | None = None,
    ) -> dict[str, Term]:
        """Learn parameters from observed goals; the flags say how. The result are the statistics.

        Goals are text or terms, from any iterable, or a mapping from goals to counts (a Counter).
        What PRISM prints while it learns goes to the session's output. `progress` is called at each
        iteration and at the end of each run; if it raises an exception, learning ends with it and the
        switches stay as they were.
        """
        if isinstance(goals, Mapping):
            observed: list[Term] = [
                Struct("count", self.as_term(goal), count) for goal, count in goals.items()
            ]
        else:
            observed = [self.as_term(goal) for goal in goals]
        listener = ProgressListener(progress) if progress is not None else None
        self.machine.prob.learn_listener = listener
        try:
            self.once(Struct("learn", observed))
        except Exception:
            if listener is not None and listener.error is not None:
                raise listener.error from None
            raise
        finally:
            self.machine.prob.learn_listener = None
        found = self.ask(Struct("learn_statistics", Var("Name"), Var("Value")))
        return {str(answer["Name"]): answer["Value"] for answer in found if answer}

    def switch(self, name: str | Term) -> Switch:
        """A switch by its name."""
        name = self.as_term(name)
        answer = self.once(Struct("get_sw", name, Var("Status"), Var("Values"), Var("Parameters")))
        return switch_of(name, answer)

    def switches(self) -> list[Switch]:
        """All registered switches, in standard order."""
        query = Struct("get_sw", Var("Name"), Var("Status"), Var("Values"), Var("Parameters"))
        return [switch_of(answer["Name"], answer) for answer in self.ask(query) if answer]

    def set_switch(self, name: str | Term, parameters: Iterable[float] | str) -> None:
        """Set the parameters of a switch: numbers, or the text of a distribution such as uniform."""
        values = self.term(parameters) if isinstance(parameters, str) else [float(p) for p in parameters]
        self.once(Struct("set_sw", self.as_term(name), values))

    def switch_names(self) -> list[str]:
        """The names of the registered switches, as text."""
        return [answer.bindings[0][1] for answer in self.ask("get_reg_sw(Name)") if answer.bindings]


def switch_of(name: Term, answer: Answer) -> Switch:
    import numpy as np

    outcomes, parameters = answer["Values"], answer["Parameters"]
    assert isinstance(outcomes, list)
    return Switch(name, outcomes, np.array(parameters, dtype=float), answer["Status"] == "fixed")
