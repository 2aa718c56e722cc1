"""PRISM's own names for inference and learning on graphs with cycles: lin_prob, nonlin_prob, lin_learn ...,
find_scc, solve_linear_system.

With the flag error_on_cycle off, prob, probfi, viterbi, learn ... do the same on such graphs. lin_prob and
its relatives refuse graphs that are not linear: those with two subgoals of one component in a path.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, evaluation_error, instantiation_error, type_error
from prism_repl.graph.components import LINEAR, NONLINEAR
from prism_repl.inference.interface import Probability
from prism_repl.inference.search import Search, infer
from prism_repl.learning.observations import observations, observed_data
from prism_repl.model.messages import prism_error, say, text_of
from prism_repl.predicates.cycle_details import (
    DetailedLearning,
    components_of,
    flag_level,
    show_details,
    system_text,
)
from prism_repl.predicates.graphs import Numbers, define_graphs, inside
from prism_repl.predicates.learning import Learning
from prism_repl.predicates.probability import define_probability, in_logs, warn_exclusiveness
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.stores import make_bigarray


def unbound(c: int) -> bool:
    return c & 7 == REF


def refuse_nonlinear(found: Search) -> None:
    found.refuse_cycle()
    components = found.graph.components
    if components is not None and (components.kinds == NONLINEAR).any():
        raise prism_error(found.m, "1402", evaluation_error("non_linear_dependence"), "non-linear dependence")


# ---- linear graphs


def refuse_singular(found: Search) -> None:
    """Where one goal leads to itself with probability 1, as many numbers solve its equation. PRISM's lin_prob
    refuses such a goal alone; prob takes the least, as it does for all others."""
    components, graph = found.graph.components, found.graph
    if components is None:
        return
    alone = [c for c in np.flatnonzero(components.kinds == LINEAR) if len(components.members(c)) == 1]
    if not alone:
        return
    inference = found.inference(log_scale=False)
    values, theta = inference.inside().nodes, inference.theta
    for node in (int(components.members(c)[0]) for c in alone):
        again = 0.0
        for goals, switches in (graph.split(path) for path in graph.paths(node)):
            if node in goals:
                again += theta[switches].prod() * values[[g for g in goals if g != node]].prod()
        if again == 1.0:
            raise found.not_solvable()


def linear_probability(found: Search) -> Probability:
    refuse_nonlinear(found)
    refuse_singular(found)
    return found.inference().probability()


def linear_numbers(found: Search) -> Numbers:
    refuse_nonlinear(found)
    refuse_singular(found)
    return inside(found)


define_probability("lin_prob", in_logs, linear_probability)
define_graphs("lin_probfi", linear_numbers, False)
define_graphs("lin_probefi", linear_numbers, True)


# ---- all graphs


def nonlinear_probability(m: Any, goal: int, level: int) -> float | None:
    """The probability of a goal; None if it has none. Levels above 0 show how it is found."""

    def compute(found: Search) -> Probability:
        found.refuse_cycle()
        begun = time.process_time()
        inference = found.inference(log_scale=False)
        probability = inference.probability()
        seconds = time.process_time() - begun
        if level:
            show_details(found, level, inference.theta, inference.inside().nodes, seconds)
        return probability

    probability = infer(m, goal, compute)
    if probability is None:
        return None
    warn_exclusiveness(m, goal, probability.log)
    return probability.value


def define_nonlinear(name: str, arity: int, level: Callable[[Any, tuple[int, ...]], int]) -> None:
    """name/arity, which prints, and name/(arity+1), which returns the probability; `level` reads the
    arguments before the goal."""

    def show(m: Any, *arguments: int) -> bool:
        value = nonlinear_probability(m, arguments[arity - 1], level(m, arguments))
        if value is not None:
            say(m, f"Probability is {text_of(m, m.float_cell(value))}\n")
        return value is not None

    def give(m: Any, *arguments: int) -> bool:
        value = nonlinear_probability(m, arguments[arity - 1], level(m, arguments))
        return value is not None and m.unify(arguments[arity], m.float_cell(value))

    arguments = "+Goal" if arity == 1 else "+Level:integer, +Goal"
    builtin(f"{name}({arguments}) is semidet")(show)
    builtin(f"{name}({arguments}, -P) is semidet")(give)


define_nonlinear("nonlin_prob", 1, lambda m, _: flag_level(m))
define_nonlinear("nonlin_prob_check", 1, lambda m, _: max(1, flag_level(m)))
define_nonlinear("nonlin_prob_m", 2, lambda m, arguments: max(arguments[0], flag_level(m)))


# ---- learning


def define_learning(name: str, mode: Callable[[Any], str | None], arities: tuple[int, ...]) -> None:
    """name/0, which reads the data source, and name/1; `mode` is None where they do nothing but fail."""

    def learn_data(m: Any) -> bool:
        chosen = mode(m)
        return chosen is not None and learning(m, observed_data(m), chosen).run(f"{name}/0")

    def learn_goals(m: Any, goals: int) -> bool:
        chosen = mode(m)
        return chosen is not None and learning(m, observations(m, goals), chosen).run(f"{name}/1")

    def learning(m: Any, observed: Any, chosen: str) -> Learning:
        return DetailedLearning(m, observed, chosen, cyclic=True)

    if 0 in arities:
        builtin(f"{name} is det")(learn_data)
    builtin(f"{name}(+Goals) is det")(learn_goals)


def viterbi_mode(m: Any) -> str | None:
    """The flag's, if it is one of Viterbi training."""
    mode: str = m.prob.flags["learn_mode"]
    if mode.endswith("_vt"):
        return mode
    m.streams.complain(
        "***  PRISM INTERNAL ERROR: not implemented yet -- "
        "cyc_learn/1 when the learn_mode flag is not set as ml_vt\n"
    )
    return None


define_learning("lin_learn", lambda m: m.prob.flags["learn_mode"], (1,))
define_learning("cyc_learn", viterbi_mode, (1,))
for letter, method in (("p", "ml_vt"), ("h", "vb_vt"), ("b", "both_vt")):
    define_learning(f"cyc_vlearn_{letter}", lambda m, method=method: method, (0, 1))  # type: ignore[misc]


# ---- components and systems of equations


@builtin("find_scc(+Goal, -Components, -Table) is det")
def find_scc(m: Any, goal: int, result: int, table: int) -> bool:
    """Components as lists of goals, which are numbered from 1 in printed order; and for each goal the pair
    (Component,Place)."""

    def compute(found: Search) -> tuple[int, int]:
        found.refuse_cycle()
        components = components_of(found)
        n_nodes = found.graph.n_nodes
        lists, places = [], [m.nil] * n_nodes
        for c in range(len(components)):
            numbers = (n_nodes - components.members(c)).tolist()
            lists.append(m.list_from([m.int_cell(number) for number in numbers]))
            for place, number in enumerate(numbers):
                places[number - 1] = m.struct(",", m.int_cell(c + 1), m.int_cell(place + 1))
        return m.list_from(lists), make_bigarray(m, places)

    cells = infer(m, goal, compute)
    return cells is not None and m.unify(result, cells[0]) and m.unify(table, cells[1])


def numbers_of(m: Any, c: int) -> list[float]:
    """The numbers of a list."""
    items, tail = m.list_items(c)
    if tail != m.nil:
        raise instantiation_error() if unbound(tail) else type_error("list", c)
    if any(unbound(item) for item in items):
        raise instantiation_error()
    wrong = next((item for item in items if not m.is_number(item)), None)
    if wrong is not None:
        raise type_error("number", wrong)
    return [float(m.number_value(item)) for item in items]


def solve(m: Any, coefficients: int, constants: int, result: int, level: int) -> bool:
    """A X + B = 0; A row by row."""
    right = numbers_of(m, constants)
    left = numbers_of(m, coefficients)
    n = len(right)
    if n == 0:
        raise domain_error("non_empty_list", constants)
    if len(left) != n * n:
        raise domain_error("square_matrix", coefficients)
    matrix = np.array(left).reshape(n, n)
    try:
        solved = np.linalg.solve(matrix, -np.array(right))
    except np.linalg.LinAlgError:
        raise evaluation_error("non_solvable") from None
    if not np.isfinite(solved).all():
        raise evaluation_error("non_solvable")
    if level > 0:
        say(m, system_text(matrix, np.array(right), solved))
    return m.unify(result, m.list_from([m.float_cell(x) for x in solved.tolist()]))


@builtin("solve_linear_system(+A, +B, -X) is det")
def solve_linear_system(m: Any, coefficients: int, constants: int, result: int) -> bool:
    return solve(m, coefficients, constants, result, 0)


@builtin("solve_linear_system(+A, +B, -X, +Level:integer) is det")
def solve_linear_system_shown(m: Any, coefficients: int, constants: int, result: int, level: int) -> bool:
    return solve(m, coefficients, constants, result, level)
