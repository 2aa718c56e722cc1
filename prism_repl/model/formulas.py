"""Formulas of the first-order compiler, as terms: not/1, all/2, exist/2, implications."""

from typing import Any

from prism_repl.model.logic_terms import (
    FAIL,
    TRUE,
    indicator,
    list_items,
    list_of,
    renamed,
    substitute,
    variables_of,
)
from prism_repl.prolog.terms import Struct, Var

IMPLICATIONS = {("not", 1), ("all", 2), ("->", 2)}


def negated(goal: Any) -> Struct:
    return Struct("\\+", goal)


def equation(a: Any, b: Any) -> Struct:
    return Struct("=", a, b)


def implication(formula: Any) -> tuple[list[Var], Any, Any]:
    """(quantified variables, condition, conclusion) of not/1, all/2 or ->."""
    name = indicator(formula)
    if name == ("not", 1):
        return [], formula.args[0], FAIL
    if name == ("->", 2):
        return [], formula.args[0], formula.args[1]
    variables = [v for v in list_items(formula.args[0]) or [] if isinstance(v, Var)]
    inner = formula.args[1]
    if indicator(inner) in IMPLICATIONS:
        more, condition, conclusion = implication(inner)
        variables, inner = variables + more, Struct("->", condition, conclusion)
    else:
        condition, conclusion = TRUE, inner
    names = renamed(variables)
    return list(names.values()), substitute(condition, names), substitute(conclusion, names)


def for_all(variables: list[Var], condition: Any, conclusion: Any) -> Any:
    return Struct("all", list_of(variables), Struct("->", condition, conclusion))


def free_variables(formula: Any) -> list[Var]:
    """The variables that no all/2 or exist/2 of the formula binds, in order of their first occurrence."""
    name = indicator(formula)
    if name in ((",", 2), (";", 2), ("->", 2), ("not", 1)):
        found: dict[Var, None] = {}
        for part in formula.args:
            found.update(dict.fromkeys(free_variables(part)))
        return list(found)
    if name in (("all", 2), ("exist", 2)):
        bound = set(variables_of(formula.args[0]))
        return [v for v in free_variables(formula.args[1]) if v not in bound]
    return variables_of(formula)
