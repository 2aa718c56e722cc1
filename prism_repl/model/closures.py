"""What the closures of the first-order compiler are made of: parts of clauses, and warnings about them."""

from typing import Any

from prism_repl.model.first_order_goals import OPPOSITE_COMPARISONS, OPPOSITE_TESTS
from prism_repl.model.first_order_program import SourceClause
from prism_repl.model.logic_terms import (
    TRUE,
    conjunction,
    conjuncts,
    disjunction,
    indicator,
    renamed,
    substitute,
    unifier,
    variables_of,
    variant,
)
from prism_repl.prolog.terms import Atom, Struct, Var


def clause_term(head: Any, body: Any) -> Any:
    return head if body == TRUE else Struct(":-", head, body)


def contains_cut(body: Any) -> bool:
    stack = [body]
    while stack:
        goal = stack.pop()
        if goal == "!":
            return True
        if indicator(goal) in ((",", 2), (";", 2), ("->", 2), ("*->", 2)):
            stack.extend(goal.args)
    return False


def other_patterns(pattern: Any, sort: list[Any]) -> list[Any] | None:
    """The other patterns of a sort, if this is one of them."""
    if not any(variant(pattern, one) for one in sort):
        return None
    return [substitute(o, renamed(variables_of(o))) for o in sort if not variant(pattern, o)]


def delayed(parts: list[list[Any]]) -> Any:
    """The parts of all clauses; that a head does not fit is tested after the parts of later clauses."""
    code: Any = TRUE
    for alternatives in reversed(parts):
        *fails, fits = alternatives
        if code == TRUE or not fails:
            code = conjunction([disjunction(alternatives), code])
        else:
            late = [[code, f] if indicator(f) == ("\\+", 1) else [f, code] for f in fails]
            code = disjunction([conjunction([fits, code]), *map(conjunction, late)])
    return code


def common_draw(first: SourceClause, second: SourceClause) -> Any:
    """A switch that both clauses may draw for the same call, if no test tells them apart before."""
    names = renamed(variables_of(second.head, second.body))
    values = unifier(first.head, substitute(second.head, names))
    if values is None:
        return None
    one = list(conjuncts(substitute(first.body, values)))
    two = list(conjuncts(substitute(substitute(second.body, names), values)))
    for draw in one:
        if indicator(draw) != ("msw", 2):
            continue
        for other in two:
            if indicator(other) != ("msw", 2) or unifier(draw.args[0], other.args[0]) is None:
                continue
            tests = [g for g in one[: one.index(draw)] if isinstance(g, Struct)]
            if not any(are_opposite(t, g) for t in tests for g in two[: two.index(other)]):
                return draw
    return None


def are_opposite(a: Any, b: Any) -> bool:
    """Whether two tests exclude each other, as X > 3 and X =< 3, X == 1 and X \\== 1 do."""
    if not isinstance(a, Struct) or not isinstance(b, Struct) or len(a.args) != 2 or a.args != b.args:
        return False
    opposite = OPPOSITE_COMPARISONS.get(indicator(a)) or OPPOSITE_TESTS.get(indicator(a))
    exclusive = {frozenset(pair) for pair in (("<", ">"), ("<", "=:="), (">", "=:="))}
    return opposite == b.name or frozenset((str(a.name), str(b.name))) in exclusive


def collection_clauses(size: int) -> list[Any]:
    """closure_findallN: the continuation holds of each collected answer."""
    name = f"closure_findall{size}"
    values, rest, after = [Var() for _ in range(size)], Var(), Var()
    answer = values[0] if size == 1 else Struct("y", *values)
    body = conjunction([Struct("cont", *values, after), Struct(name, rest, after)])
    return [
        Struct(name, Atom("[]"), Var()),
        clause_term(Struct(name, Struct(".", answer, rest), after), body),
    ]
