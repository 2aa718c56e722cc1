"""Goals that hold or fail together, where every switch is thrown once: their probability, given others."""

from __future__ import annotations

import math
import time
from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, evaluation_error, instantiation_error
from prism_repl.inference.interface import NotOffered, Probability, TooLarge
from prism_repl.inference.methods import exact
from prism_repl.inference.search import Search, check_goal, poll, refused, search
from prism_repl.model.messages import prism_error

NEGATIONS = {"not", "\\+"}


def is_combination(m: Any, goal: int) -> bool:
    """Whether it is a negation or a conjunction of goals."""
    if not m.is_compound(goal):
        return False
    name, arity = m.atom_text(m.name_of(goal)), m.arity_of(goal)
    return (name in NEGATIONS and arity == 1) or (name == "," and arity == 2)


def evidence(m: Any, c: int) -> list[tuple[int, bool]]:
    """The goals of a list or conjunction, and whether each is to hold; not(G) is to fail."""
    todo = [c]
    found = []
    while todo:
        c = m.deref(todo.pop())
        if c & 7 == REF:
            raise prism_error(m, "0006", instantiation_error(), c)
        if c == m.nil or c == m.atom("true"):
            continue
        if m.is_list_cell(c):
            todo += reversed(m.proper_list(c))
            continue
        name = m.atom_text(m.name_of(c)) if m.is_compound(c) else ""
        if name == "," and m.arity_of(c) == 2:
            todo += [m.arg(c, 1), m.arg(c, 0)]
        elif name in NEGATIONS and m.arity_of(c) == 1:
            goal = m.deref(m.arg(c, 0))
            check_goal(m, goal)
            found.append((goal, False))
        else:
            check_goal(m, c)
            found.append((c, True))
    return found


def conditional(m: Any, goal: int, given: int) -> Probability:
    """The probability of a goal (or of its negation) given the evidence."""
    if m.prob.flags["trials"] != "once":
        # PRISM has no prob/3; where switches are thrown afresh it has no meaning here either.
        indicator = m.struct("/", m.atom("prob"), m.int_cell(3))
        raise PrologError("existence_error", "procedure", indicator, context=("call", 1))
    asked, observed = evidence(m, goal), evidence(m, given)
    started = time.perf_counter()
    goals = asked + observed
    found = search(m, [cell for cell, _ in goals], may_fail=True)
    m.prob.statistics["graph"] = found.graph.statistics()
    try:
        inference = exact(found.graph, parameters(found), m.prob.flags, poll=poll(m))
        signs = [holds for _, holds in goals]
        both = inference.joint(list(enumerate(signs)))
        alone = inference.joint(list(enumerate(signs))[len(asked) :])
    except (NotOffered, TooLarge) as error:
        raise refused(m, error, goal) from None
    total = time.perf_counter() - started
    m.prob.statistics["infer"] = {
        "infer_time": total,
        "infer_search_time": found.seconds,
        "infer_calc_time": total - found.seconds,
    }
    if alone.log == -math.inf:
        raise prism_error(m, "4022", evaluation_error("zero_divisor"), given)
    if not both.underflow and not alone.underflow and alone.value > 0.0:
        value = both.value / alone.value
        return Probability(value, math.log(value) if value > 0.0 else -math.inf)
    log = both.log - alone.log
    return Probability(math.exp(log), log)


def parameters(found: Search) -> Any:
    return found.m.prob.switches.parameters()[found.graph.instance_ids]
