"""Sampling: msw as a draw, and the checks of sample/1 and get_samples."""

import itertools
from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.core.errors import domain_error, type_error
from prism_repl.inference.search import indicator as goal_indicator
from prism_repl.inference.search import node_goal
from prism_repl.model import checks, sampling
from prism_repl.model.messages import prism_error, say
from prism_repl.model.term_values import to_cell
from prism_repl.prolog.builtins.checks import indicator
from prism_repl.prolog.builtins.registry import helper
from prism_repl.tabling.explanations import explain

SWITCH_CALLS = {("msw", 2), ("soft_msw", 2), ("b_msw", 2)}


@helper("$draw", 2)
def draw(m: Any, name: int, value: int) -> bool:
    """One draw; it fails if the value is bound to something else."""
    return m.unify(value, sampling.sample_outcome(m, name))


@helper("$candidates", 2, context=("soft_msw", 2))
def candidates(m: Any, name: int, pairs: int) -> bool:
    """The outcomes of a switch with their parameters, as Value-Parameter."""
    switch = sampling.switch_for_msw(m, name)
    numbers = [to_cell(m, p) for p in switch.parameters or []]
    cells = zip(switch.outcome_cells(m), numbers, strict=True)
    return m.unify(pairs, m.list_from([m.struct("-", *pair) for pair in cells]))


@helper("$draw_candidate", 3)
def draw_candidate(m: Any, pairs: int, value: int, left: int) -> bool:
    """Draw one of the candidates and take it (and its equals) away; fails if none is possible."""
    cells = m.proper_list(pairs)
    weights = [m.number_value(m.deref(m.arg(m.deref(pair), 1))) for pair in cells]
    sums = list(itertools.accumulate(weights))
    if not sums or not sums[-1] > 0:
        return False
    target = m.prob.random.uniform() * sums[-1]
    drawn = cells[next((i for i, s in enumerate(sums) if target < s), len(sums) - 1)]
    others = [pair for pair in cells if m.compare(pair, drawn) != 0]
    return m.unify(value, m.arg(m.deref(drawn), 0)) and m.unify(left, m.list_from(others))


@helper("$sampling", 0)
def is_sampling(m: Any) -> bool:
    return m.stacks.mode == 0


@helper("$sampled_apart", 1)
def sampled_apart(m: Any, goal: int) -> bool:
    """Sample a goal in the middle of a search for explanations, which its switches are no part of."""
    thrown, m.prob.thrown = m.prob.thrown, {}
    try:
        return bool(m.prob.solve_plainly("call", goal))
    finally:
        m.prob.thrown = thrown


@helper("$thrown_once", 0)
def thrown_once(m: Any) -> bool:
    return m.prob.flags["trials"] == "once"


@helper("$world_answers", 2)
def world_answers(m: Any, goal: int, answers: int) -> bool:
    """The answers of a tabled goal in a world that is drawn as far as they need it. Fails where the goal is
    to be called as it is; what was thrown before is forgotten then, too."""
    m.prob.thrown.clear()
    if not thrown_once(m) or goal_indicator(m, goal) not in m.prob.tabled or m.stacks.mode != 0:
        return False
    m.tabling.clear_tables()
    hook, m.switches.switch_hook = m.switches.switch_hook, sampling.drawn_in_search
    try:
        found = [m.copy(node_goal(m, node)) for node in explain(m, goal)]
    finally:
        m.switches.switch_hook = hook
        m.tabling.clear_tables()
    return m.unify(answers, m.list_from(found))


@helper("$check_sample", 2)
def check_sample(m: Any, goal: int, by: int) -> bool:
    """The goal must be a call of a probabilistic predicate."""
    source = indicator(m, by)
    checks.callable_term(m, "1201", goal, source)
    arity = 0 if goal & 7 == ATM else m.arity_of(goal)
    name = m.atom_text(goal if arity == 0 else m.name_of(goal))
    if (name, arity) not in m.prob.probabilistic and (name, arity) not in SWITCH_CALLS:
        raise prism_error(m, "1201", type_error("probabilistic_atom", goal), goal, source=source)
    return True


@helper("$check_samples", 2)
def check_samples(m: Any, count: int, by: int) -> bool:
    checks.positive_integer(m, "1203", count, indicator(m, by))
    return True


@helper("$check_trials", 2)
def check_trials(m: Any, count: int, by: int) -> bool:
    """A number of trials; `inf` was taken out."""
    source = indicator(m, by)
    if checks.integer(m, "1204", count, source) <= 0:
        error = domain_error("infinity_or_greater_than_zero", count)
        raise prism_error(m, "1204", error, count, source=source)
    return True


@helper("$report_samples", 2)
def report_samples(m: Any, successes: int, failures: int) -> bool:
    say(m, f"sampling -- #success = {m.int_value(successes)}\n")
    say(m, f"sampling -- #failure = {m.int_value(failures)}\n")
    return True


@helper("$check_constraint", 2)
def check_constraint(m: Any, goal: int, by: int) -> bool:
    checks.callable_term(m, "1202", goal, indicator(m, by))
    return True
