"""What a session's Python methods give back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from prism_repl.pictures.trees import Tree
from prism_repl.prolog.terms import Struct, Term

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, repr=False)
class Viterbi:
    """An explanation of a goal: its probability, and node(Goal,[path(Goals,Switches)]) terms, the goal first.
    A notebook shows its tree."""

    probability: float
    explanation: list[Term]
    tree: Tree

    @property
    def switches(self) -> list[tuple[Term, Term]]:
        """The switches with their outcomes, in the order of the proof."""
        found = []
        for node in self.explanation:
            for path in parts(node, "node", 1):
                found += [(s.args[0], s.args[1]) for s in parts(path, "path", 1) if isinstance(s, Struct)]
        return found

    @property
    def goals(self) -> list[Term]:
        """The goals that are explained."""
        return [node.args[0] for node in self.explanation if isinstance(node, Struct)]

    def __str__(self) -> str:
        return f"{self.tree}{self.probability:.6g}\n"

    def __repr__(self) -> str:
        return f"<Viterbi {self.probability:.6g}: {', '.join(f'{s} = {v}' for s, v in self.switches)}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """IPython draws the tree; within a list it is named."""
        printer.text(repr(self) if printer.indentation else str(self).rstrip("\n"))

    def _repr_svg_(self) -> str | None:
        return self.tree._repr_svg_()


def parts(term: Term, name: str, i: int) -> list[Term]:
    """The list that is argument i of name(...)."""
    if isinstance(term, Struct) and term.name == name:
        value = term.args[i]
        if isinstance(value, list):
            return value
    return []


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


@dataclass(frozen=True, repr=False)
class LearnStatistics(Mapping[str, Any]):
    """The statistics of a learn. What a mode does not have is None; it is also a mapping of what there is."""

    log_likelihood: float | None = None
    log_post: float | None = None
    log_prior: float | None = None
    free_energy: float | None = None
    squared_error: float | None = None
    bic: float | None = None
    cs: float | None = None
    num_switches: int | None = None
    num_switch_values: int | None = None
    num_parameters: int | None = None
    num_iterations: int | None = None
    num_iterations_vb: int | None = None
    learn_time: float | None = None
    learn_search_time: float | None = None
    em_time: float | None = None
    # The observed goals, which are made terms of Python only if somebody asks: they may be many.
    make_goals: Callable[[], list[Term]] | None = field(default=None, compare=False)

    @staticmethod
    def of(values: Mapping[str, Any], make_goals: Callable[[], list[Term]] | None = None) -> LearnStatistics:
        known = {name: value for name, value in values.items() if name in NUMBERS}
        return LearnStatistics(**known, make_goals=make_goals)

    @cached_property
    def goals(self) -> list[Term] | None:
        """The observed goals."""
        return None if self.make_goals is None else self.make_goals()

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        return getattr(self, name)

    def __contains__(self, name: object) -> bool:
        return any(name == known for known in self)

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in NUMBERS if getattr(self, name) is not None)
        if self.make_goals is not None:
            yield "goals"

    def __getstate__(self) -> dict[str, Any]:
        """With the goals, without the session that they come from."""
        state = {name: getattr(self, name) for name in NUMBERS} | {"goals": self.goals}
        return state | {"make_goals": None if self.make_goals is None else Kept(self.goals)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self[name]!r}" for name in self if name != "goals")
        return f"LearnStatistics({shown})"


NUMBERS = [part.name for part in fields(LearnStatistics) if part.name != "make_goals"]


@dataclass(frozen=True)
class Kept:
    """Goals that are there already."""

    goals: Any

    def __call__(self) -> list[Term]:
        found: list[Term] = self.goals
        return found
