"""hindsight and chindsight: how much of a goal's probability goes through its subgoals, one by one or
summed over groups of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import domain_error, evaluation_error, instantiation_error
from prism_repl.inference.interface import POLL
from prism_repl.inference.search import Search, check_goal, infer, poll
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, prism_warning, remark, say, text_of
from prism_repl.predicates.probability import in_logs, short_text, warn_exclusiveness
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.standard_order import by_first

Weighed = list[tuple[int, float]]  # subgoals with their hindsight probabilities


def subgoals(m: Any, goal: int, conditional: bool, matches: Callable[[int], bool]) -> Weighed | None:
    """The subgoals of a goal that match, with their probabilities; None if the goal has no explanation. The
    goal itself is not one of them."""

    def compute(found: Search) -> Weighed:
        inference = found.inference()
        probability = inference.probability()
        warn_exclusiveness(m, goal, probability.log)
        if conditional and probability.log == -math.inf:
            raise prism_error(m, "4006", evaluation_error("zero_divisor"), short_text(m, goal))
        if probability.underflow and not conditional and not in_logs(m):
            remark(m, "4003", short_text(m, goal))
        values = inference.hindsight(conditional=conditional).tolist()
        root = int(found.graph.roots[0])
        check = poll(m)
        weighed = []
        for n in range(found.graph.n_nodes):
            if n & POLL == POLL:
                check()
            if n != root and matches(found.node_cell(n)):
                weighed.append((found.node_cell(n), values[n]))
        return weighed

    return infer(m, goal, compute)


def matcher(m: Any, pattern: int) -> Callable[[int], bool]:
    """A test for the subgoals that unify with a pattern."""
    if pattern & 7 == REF:
        return lambda goal: True
    checks.callable_term(m, "1403", pattern)
    return lambda goal: m.unify(m.copy(pattern), m.copy(goal))


def in_order(m: Any, weighed: Weighed) -> Weighed:
    """Sorted as the flag sort_hindsight says: by goal, or likeliest first and equals from the last goal."""
    weighed = by_first(m, weighed)
    if m.prob.flags["sort_hindsight"] == "by_prob":
        weighed.sort(key=lambda pair: pair[1])
        weighed.reverse()
    return weighed


def pairs_cell(m: Any, weighed: Weighed) -> int:
    """[[Subgoal,P],...]"""
    return m.list_from([m.list_from([goal, m.float_cell(value)]) for goal, value in weighed])


def show(m: Any, weighed: Weighed, conditional: bool) -> None:
    if not weighed:
        prism_warning(m, "1404")
        return
    say(m, "conditional hindsight probabilities:\n" if conditional else "hindsight probabilities:\n")
    for goal, value in weighed:
        say(m, f"  {text_of(m, goal)}: {value:.15f}\n")


def define(name: str, conditional: bool) -> None:
    """Make name/1,2,3 for single subgoals and name_agg/2,3 for groups."""

    def show_all(m: Any, goal: int) -> bool:
        return show_matching(m, goal, m.new_var())

    def show_matching(m: Any, goal: int, pattern: int) -> bool:
        check_goal(m, goal)
        weighed = subgoals(m, goal, conditional, matcher(m, pattern))
        if weighed is None:
            return False
        show(m, in_order(m, weighed), conditional)
        return True

    def give(m: Any, goal: int, pattern: int, result: int) -> bool:
        check_goal(m, goal)
        weighed = subgoals(m, goal, conditional, matcher(m, pattern))
        return weighed is not None and m.unify(result, pairs_cell(m, in_order(m, weighed)))

    def show_groups(m: Any, goal: int, pattern: int) -> bool:
        check_goal(m, goal)
        aggregation = Aggregation(m, pattern)
        weighed = subgoals(m, goal, conditional, aggregation.matches)
        if weighed is None:
            return False
        show(m, [pair for group in aggregation.groups(weighed) for pair in group], conditional)
        return True

    def give_groups(m: Any, goal: int, pattern: int, result: int) -> bool:
        check_goal(m, goal)
        aggregation = Aggregation(m, pattern)
        weighed = subgoals(m, goal, conditional, aggregation.matches)
        if weighed is None:
            return False
        groups = [pairs_cell(m, group) for group in aggregation.groups(weighed)]
        return m.unify(result, m.list_from(groups))

    builtin(f"{name}(+Goal) is semidet")(show_all)
    builtin(f"{name}(+Goal, +Pattern) is semidet")(show_matching)
    builtin(f"{name}(+Goal, +Pattern, -Ps) is semidet")(give)
    builtin(f"{name}_agg(+Goal, +Pattern) is semidet")(show_groups)
    builtin(f"{name}_agg(+Goal, +Pattern, -Ps) is semidet")(give_groups)


# ---- sums over groups


class Aggregation:
    """An aggregation pattern: for each argument of the subgoals whether it is summed out, kept, a reason
    to group, or a filter."""

    def __init__(self, m: Any, pattern: int) -> None:
        checks.callable_term(m, "1402", pattern)
        self.m = m
        self.name = pattern if pattern & 7 == ATM else m.name_of(pattern)
        self.arguments = [] if pattern & 7 == ATM else [m.arg(pattern, i) for i in range(m.arity_of(pattern))]

    def matches(self, goal: int) -> bool:
        m = self.m
        if goal & 7 == ATM or not self.arguments:
            return goal == self.name and not self.arguments
        if m.name_of(goal) != self.name or m.arity_of(goal) != len(self.arguments):
            return False
        filters = (i for i, c in enumerate(self.arguments) if self.role(c) == "filter")
        return all(m.unify(m.copy(self.arguments[i]), m.copy(m.arg(goal, i))) for i in filters)

    def role(self, argument: int) -> str:
        if argument & 7 == REF:
            return "ignore"
        word = self.m.atom_text(argument) if argument & 7 == ATM else ""
        return word if word in ("ignore", "query") or word in GROUPINGS else "filter"

    def groups(self, weighed: Weighed) -> list[Weighed]:
        """The sums, in groups by the grouping arguments."""
        m = self.m
        star = m.atom("*")
        sums: dict[int, tuple[int, int, list[float]]] = {}  # key of the shown term -> group, term, values
        for goal, value in weighed:
            shown, key = [], []
            for i, argument in enumerate(self.arguments):
                role = self.role(argument)
                if role == "ignore":
                    shown.append(star)
                elif role == "query":
                    shown.append(m.arg(goal, i))
                elif role == "filter":
                    shown.append(argument)
                else:
                    shown.append(GROUPINGS[role](m, m.arg(goal, i)))
                    key.append(shown[-1])
            term = m.struct(m.atom_text(self.name), *shown) if shown else self.name
            sums.setdefault(m.intern(term, True), (m.list_from(key), term, []))[2].append(value)
        groups: dict[int, tuple[int, Weighed]] = {}
        for key_cell, term, values in sums.values():
            group = groups.setdefault(m.intern(key_cell, True), (key_cell, []))
            group[1].append((term, total(values, in_logs(m))))
        return [in_order(m, members) for _, members in by_first(m, groups.values())]


def total(values: list[float], logs: bool) -> float:
    """The sum; of logarithms, the logarithm of the sum."""
    if not logs:
        return math.fsum(values)
    most = max(values)
    if most == -math.inf:
        return most
    return most + math.log(math.fsum(math.exp(x - most) for x in values))


def wrong_kind(m: Any, ident: str, kind: str, c: int) -> Exception:
    formal = instantiation_error() if c & 7 == REF else domain_error(kind, c)
    return prism_error(m, ident, formal, c)


def integer(m: Any, c: int) -> int:
    if not m.is_integer(c):
        raise wrong_kind(m, "1405", "integer", c)
    return c


def atom(m: Any, c: int) -> int:
    if c & 7 != ATM:
        raise wrong_kind(m, "1406", "atom", c)
    return c


def compound(m: Any, c: int) -> int:
    if not m.is_compound(c) and c != m.nil:
        raise wrong_kind(m, "1407", "compound", c)
    return c


def length(m: Any, c: int) -> int:
    items, tail = m.list_items(c)
    if tail != m.nil:
        raise wrong_kind(m, "1408", "list", c)
    return m.struct("-", m.atom("L"), m.int_cell(len(items)))


def difference_length(m: Any, c: int) -> int:
    """The length of a difference list D0-D1."""
    if m.is_compound(c) and not m.is_list_cell(c) and m.arity_of(c) == 2 and m.name_of(c) == m.atom("-"):
        rest, end = m.arg(c, 0), m.arg(c, 1)
        steps = 0
        while m.compare(rest, end) != 0 and m.is_list_cell(rest):
            rest, steps = m.tail(rest), steps + 1
        if m.compare(rest, end) == 0:
            return m.struct("-", m.atom("DL"), m.int_cell(steps))
    raise wrong_kind(m, "1409", "difference_list", c)


def depth(m: Any, c: int) -> int:
    """How deep a term is: atomic terms and variables have depth 0."""
    deepest = 0
    todo = [(c, 0)]
    while todo:
        c, level = todo.pop()
        deepest = max(deepest, level)
        if m.is_compound(c):
            todo += [(m.arg(c, i), level + 1) for i in range(m.arity_of(c))]
    return m.struct("-", m.atom("D"), m.int_cell(deepest))


GROUPINGS: dict[str, Callable[[Any, int], int]] = {
    "integer": integer,
    "atom": atom,
    "compound": compound,
    "length": length,
    "d_length": difference_length,
    "depth": depth,
}

define("hindsight", False)
define("chindsight", True)
