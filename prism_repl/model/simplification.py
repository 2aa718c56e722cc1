"""Clauses made by a compiler, simplified: equations are carried out, alternatives that cannot succeed go.

An alternative cannot succeed if an equation in it clashes, if it wants a new variable to differ from
something, or if it calls a continuation of an arity that no clause has.
What goes may let more go: this is repeated.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from prism_repl.model.logic_terms import (
    FAIL,
    TRUE,
    Substitution,
    alternatives,
    conjunction,
    conjuncts,
    disjunction,
    indicator,
    mentions,
    occurrences,
    substitute,
    unifier,
    variables_of,
)
from prism_repl.prolog.terms import Struct, Var

IsLogical = Callable[[tuple[str, int]], bool]


@dataclass
class Generated:
    """A clause made by the compiler."""

    head: Struct
    body: Any


@dataclass
class Either:
    """A disjunction inside of a body; each alternative is a body. A variable that occurs in several
    alternatives and nowhere else is local to each."""

    bodies: list[list[Any]]


@dataclass
class Conditional:
    """An if-then-else; condition and branches are bodies."""

    condition: list[Any]
    then: list[Any]
    otherwise: list[Any]


def simplified(output: list[Any], distribute: bool, is_logical: IsLogical) -> list[Any]:
    """The clauses of a program with the generated ones simplified. `distribute` writes one clause for each
    alternative; `is_logical` says of which calls it does not matter when a variable is bound."""
    while True:
        arities = {len(c.head.args) for c in output if isinstance(c, Generated) and c.head.name == "cont"}
        simplifier = Simplifier(arities, is_logical)
        new: list[Any] = []
        for item in output:
            if isinstance(item, Generated):
                clauses = list(simplifier.clauses(item, distribute))
                if not clauses and item.head.name != "cont":
                    clauses = [Generated(item.head, FAIL)]
                new += clauses
            else:
                new.append(item)
        left = {len(c.head.args) for c in new if isinstance(c, Generated) and c.head.name == "cont"}
        output = new
        if left == arities:
            return [as_term(item) for item in output]


def as_term(item: Any) -> Any:
    if not isinstance(item, Generated):
        return item
    return item.head if item.body == TRUE else Struct(":-", item.head, item.body)


def parsed(goal: Any) -> list[Any]:
    """A body as a list of goals, Eithers and Conditionals."""
    body: list[Any] = []
    for part in conjuncts(goal):
        if indicator(part) != (";", 2):
            body.append(part)
        elif indicator(part.args[0]) == ("->", 2):
            condition, then = part.args[0].args
            body.append(Conditional(parsed(condition), parsed(then), parsed(part.args[1])))
        else:
            body.append(Either([parsed(a) for a in alternatives(part)]))
    return body


def term_of(body: list[Any]) -> Any:
    """A body as one goal."""
    return conjunction(goal_of(item) for item in body)


def goal_of(item: Any) -> Any:
    if isinstance(item, Either):
        return disjunction(term_of(b) for b in item.bodies)
    if isinstance(item, Conditional):
        chosen = Struct("->", term_of(item.condition), term_of(item.then))
        return Struct(";", chosen, term_of(item.otherwise))
    return item


def replaced(item: Any, values: Substitution) -> Any:
    def in_body(body: list[Any]) -> list[Any]:
        return [replaced(part, values) for part in body]

    if isinstance(item, Either):
        return Either([in_body(body) for body in item.bodies])
    if isinstance(item, Conditional):
        return Conditional(in_body(item.condition), in_body(item.then), in_body(item.otherwise))
    return substitute(item, values)


class Simplifier:
    """One pass, for the arities of cont/N that there are."""

    def __init__(self, arities: set[int], is_logical: IsLogical) -> None:
        self.arities, self.is_logical = arities, is_logical

    def clauses(self, clause: Generated, distribute: bool) -> Iterator[Generated]:
        cleaned = self.clause(clause.head, parsed(clause.body))
        if cleaned is None:
            return
        head, body = cleaned
        if not distribute:
            yield Generated(head, term_of(body))
            return
        for flat in distributed(body):
            one = self.clause(head, flat)
            if one is not None:
                yield Generated(one[0], term_of(one[1]))

    def clause(self, head: Any, body: list[Any]) -> tuple[Any, list[Any]] | None:
        """Head and body with the equations carried out; None if the body cannot succeed."""
        while True:
            cleaned = self.body(body, set(variables_of(head)))
            if cleaned is None:
                return None
            for i, goal in enumerate(cleaned):
                values = self.binding(goal, cleaned[:i])
                if values is not None:
                    head = substitute(head, values)
                    body = [replaced(g, values) for j, g in enumerate(cleaned) if j != i]
                    break
            else:
                return head, cleaned

    def binding(self, goal: Any, before: list[Any]) -> Substitution | None:
        """What an equation binds, if it makes no difference to bind it at the beginning of the clause."""
        if indicator(goal) != ("=", 2):
            return None
        values = unifier(*goal.args)
        if values is None:
            return None  # an infinite term: left to be found out
        if len(values) == 1:
            ((variable, term),) = values.items()
            choices = [values] + ([{term: variable}] if isinstance(term, Var) else [])
            return next((c for c in choices if self.may_bind(c, before)), None)
        return values if self.may_bind(values, before) else None

    def may_bind(self, values: Substitution, before: list[Any]) -> bool:
        for goal in before:
            logical = not isinstance(goal, (Either, Conditional)) and self.is_logical(indicator(goal))
            if not logical and mentions(goal_of(goal), values):
                return False
        return True

    def body(self, body: list[Any], outside: set[Var]) -> list[Any] | None:
        """A body with what is decided taken out; None if it cannot succeed. Variables of `outside` stay."""
        while True:
            new: list[Any] = []
            again = False
            counts = occurrences(term_of(body))
            for i, item in enumerate(body):
                if isinstance(item, Either):
                    others = outside | set(variables_of(term_of(body[:i] + body[i + 1 :])))
                    bodies = [b for b in (self.alternative(a, others) for a in item.bodies) if b is not None]
                    if not bodies:
                        return None
                    if len(bodies) == 1:
                        again = True
                        new += bodies[0]
                    else:
                        new.append(Either(bodies))
                    continue
                if isinstance(item, Conditional):
                    others = outside | set(
                        variables_of(term_of([*body[:i], *item.condition, *body[i + 1 :]]))
                    )
                    then, otherwise = (self.alternative(b, others) for b in (item.then, item.otherwise))
                    new.append(Conditional(item.condition, never(then), never(otherwise)))
                    continue
                verdict = self.verdict(item, outside, counts)
                if verdict is False:
                    return None
                if verdict is None:
                    new.append(item)
            body = new
            if not again:
                return body

    def alternative(self, body: list[Any], outside: set[Var]) -> list[Any] | None:
        """An alternative or branch: equations that bind only variables of its own are carried out."""
        while True:
            cleaned = self.body(body, outside)
            if cleaned is None:
                return None
            for i, goal in enumerate(cleaned):
                values = self.binding(goal, cleaned[:i])
                if values is not None and len(values) == 1:
                    ((variable, term),) = values.items()
                    if (
                        variable in outside
                        and isinstance(term, Var)
                        and self.may_bind({term: variable}, cleaned[:i])
                    ):
                        values = {term: variable}
                if values is not None and not outside & set(values):
                    body = [replaced(g, values) for j, g in enumerate(cleaned) if j != i]
                    break
            else:
                return cleaned

    def verdict(self, goal: Any, outside: set[Var], counts: dict[Var, int]) -> bool | None:
        """Whether a goal is known to succeed or fail."""
        name = indicator(goal)
        if name == ("=", 2):
            values = unifier(*goal.args)
            if values is None:
                return None if unifies_infinitely(*goal.args) else False
            return None if values else True
        if name == ("\\+", 1) and indicator(goal.args[0]) == ("=", 2):
            left, right = goal.args[0].args
            values = unifier(left, right)
            if values is None:
                return None if unifies_infinitely(left, right) else True
            if not values or any(is_new(side, outside, counts) for side in (left, right)):
                return False
        if name[0] == "cont" and name[1] not in self.arities:
            return False
        return None


def never(body: list[Any] | None) -> list[Any]:
    """A branch that cannot succeed, as a body; an empty one stays empty."""
    return [FAIL] if body is None else body


def is_new(side: Any, outside: set[Var], counts: dict[Var, int]) -> bool:
    """Whether one side of a disequality is a variable that occurs nowhere else."""
    return isinstance(side, Var) and side not in outside and counts.get(side) == 1


def unifies_infinitely(a: Any, b: Any) -> bool:
    """Whether two terms fail to unify only because a variable would occur in its own value."""
    stack = [(a, b)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Var) or isinstance(b, Var):
            continue
        if indicator(a) != indicator(b) or type(a) is not type(b):
            return False
        if isinstance(a, Struct):
            stack.extend(zip(a.args, b.args, strict=True))
        elif a != b:
            return False
    return True


def distributed(body: list[Any]) -> Iterator[list[Any]]:
    """The bodies without disjunctions that a body stands for, in order."""
    for i, item in enumerate(body):
        if isinstance(item, Either):
            for inner in item.bodies:
                yield from distributed(body[:i] + inner + body[i + 1 :])
            return
    yield body
