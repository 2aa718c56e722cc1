"""A program for the first-order compiler: clauses, directives, and the facts that steer it."""

from dataclasses import dataclass, field
from typing import Any

from prism_repl.model.logic_terms import indicator
from prism_repl.prolog.source import Clause
from prism_repl.prolog.terms import Atom, Struct, Var

Indicator = tuple[str, int]
CHOICES = {("msw", 2), ("soft_msw", 2), ("b_msw", 2), ("msw", 3), ("soft_msw", 3), ("b_msw", 3)}
LIST_SORT = [Atom("[]"), Struct(".", Var(), Var())]


class FirstOrderError(Exception):
    """A clause that cannot be compiled. `goal` is what was met, `why` says what is wrong with it."""

    def __init__(self, why: str, goal: Any, clause: Clause) -> None:
        super().__init__(why)
        self.why, self.goal, self.clause = why, goal, clause


@dataclass
class SourceClause:
    """A clause of the program, and where it stands."""

    head: Any
    body: Any
    place: Clause


@dataclass
class SourceProgram:
    """A program as the compiler takes it: clauses and directives in their order, and what steers it."""

    items: list[Any] = field(default_factory=list)  # SourceClauses; any other term is written as it is
    clauses: dict[Indicator, list[SourceClause]] = field(default_factory=dict)
    dynamic: set[Indicator] = field(default_factory=set)
    sorts: dict[str, list[Any]] = field(default_factory=lambda: {"list": LIST_SORT})
    argument_sorts: dict[Indicator, list[Any]] = field(default_factory=dict)
    modes: dict[Indicator, list[str]] = field(default_factory=dict)  # built_in_mode
    probabilistic_modes: dict[Indicator, list[str]] = field(default_factory=dict)  # built_in_p_mode
    delay_disequalities: bool = False
    distribute: bool = False
    use_built_in: bool = True

    def probabilistic(self) -> set[Indicator]:
        """The predicates that reach a switch, also through goals inside of terms."""
        called = {p: {i for c in cs for i in indicators_in(c.body)} for p, cs in self.clauses.items()}
        found: set[Indicator] = set()
        size = -1
        while len(found) != size:
            size = len(found)
            found |= {p for p, inner in called.items() if inner & (CHOICES | found)}
        return found


def indicators_in(term: Any) -> set[Indicator]:
    """Name and arity of all parts of a term."""
    found = set()
    stack = [term]
    while stack:
        term = stack.pop()
        found.add(indicator(term))
        if isinstance(term, Struct):
            stack.extend(term.args)
    return found
