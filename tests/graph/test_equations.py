"""Sums and maxima on graphs with cycles against plain iteration, a dense solve and finite differences."""

import itertools
import math

import numpy as np
import pytest

from prism_repl.graph.equations import NoSolution
from prism_repl.graph.graph import build_graph
from prism_repl.graph.plan import Plan, Workspace
from prism_repl.inference.sums import Sums
from tests.graph.cyclic_graphs import (
    best_by_iteration,
    by_iteration,
    by_solve,
    parameters,
    random_cyclic_graph,
    tables,
)


def check_one(seed):
    """One random graph, all of its sums and maxima; whether it has a cycle."""
    rng = np.random.default_rng(seed)
    linear = bool(rng.random() < 0.5)
    graph = random_cyclic_graph(rng, linear)
    # expected numbers of subgoals below 1: the iteration then ends soon
    theta = parameters(graph, rng, ending=0.5 if rng.random() < 0.8 else 0.1)
    expected = by_iteration(graph, theta)
    if linear:
        assert np.allclose(by_solve(graph, theta), expected, rtol=1e-9, atol=0.0)
    plain, logs = Sums(graph, theta), Sums(graph, theta, log_scale=True)
    assert np.allclose(plain.inside().nodes, expected, rtol=1e-9, atol=0.0)
    assert np.allclose(np.exp(logs.inside().nodes), expected, rtol=1e-9, atol=0.0)
    assert np.allclose(plain.viterbi_values().nodes, best_by_iteration(graph, theta), rtol=1e-12, atol=0.0)
    root = int(graph.roots[0])
    # expected uses are theta times the derivative of log P by theta
    counts = plain.expectations()
    assert np.allclose(logs.expectations(), counts, rtol=1e-9, atol=1e-12)
    value = expected[root]
    for i in rng.choice(graph.n_instances, size=min(4, graph.n_instances), replace=False):
        step = 1e-4 * theta[i] / (1.0 + counts[i]) ** 2  # where loops are long, the values bend
        moved = []
        for sign in (1.0, -1.0):
            other = theta.copy()
            other[i] += sign * step
            moved.append(by_iteration(graph, other)[root])
        assert math.isclose(
            counts[i], theta[i] * (moved[0] - moved[1]) / (2.0 * step) / value, rel_tol=1e-5, abs_tol=1e-7
        )
    # inside times outside: what a goal's probability changes by, relatively, with the value of a node
    assert np.allclose(
        plain.outside().nodes * expected / value, plain.hindsight(conditional=True), rtol=1e-9, atol=1e-12
    )
    assert np.allclose(np.exp(logs.outside().nodes), plain.outside().nodes, rtol=1e-8, atol=1e-12)
    check_n_best(graph, theta, plain)
    return graph.components is not None


def check_n_best(graph, theta, inference):
    """The first explanations are different, in order, and none of the short ones is left out."""
    found = inference.n_viterbi(12)
    values = [e.probability.value for e in found]
    assert values == sorted(values, reverse=True)
    assert len({tuple(e.paths) for e in found}) == len(found)
    for e in found:
        used = inference.switch_counts(e).elements()
        assert math.isclose(math.prod(theta[i] for i in used), e.probability.value, rel_tol=1e-12)
    listed = sorted(derivations(graph, theta, int(graph.roots[0]), 5), reverse=True)
    for k, value in enumerate(listed[: len(values)]):
        assert values[k] >= value * (1.0 - 1e-12)


def derivations(graph, theta, node, depth):
    """The values of the derivations of a node of at most this depth, not more than some thousand."""
    if depth == 0:
        return []
    values = []
    for p in graph.paths(node):
        goals, switches = graph.split(p)
        c = math.prod(theta[i] for i in switches)
        parts = [derivations(graph, theta, g, depth - 1)[:30] for g in goals]
        values += [c * math.prod(choice) for choice in itertools.islice(itertools.product(*parts), 300)]
    return values


def test_random_graphs():
    assert sum(check_one(seed) for seed in range(300)) > 200


@pytest.mark.long
def test_two_thousand_random_graphs():
    assert sum(check_one(seed) for seed in range(300, 2300)) > 1300


def chain(n, loss=0.0):
    """A walk on n states, one step up or down, that ends below the first; up has switch outcome 1."""
    nodes = [[([], [])]]
    for state in range(1, n + 1):
        nodes.append([([state - 1], [0])])
        if state < n:
            nodes[-1].append(([state + 1], [1]))
    return build_graph([n // 2], *tables(nodes, [3]))


@pytest.mark.parametrize("log_scale", [False, True])
def test_a_long_chain_of_states(log_scale):
    """Gambler's ruin with 10,000 states has a closed form: the chance to lose all before n + 1."""
    n, up, down = 10_000, 0.5, 0.5
    graph = chain(n)
    inference = Sums(graph, np.array([down, up, 0.0]), log_scale)
    state = n // 2
    assert math.isclose(inference.probability().value, 1.0 - state / (n + 1), rel_tol=1e-9)
    uses = inference.expectations()
    assert np.isfinite(uses).all()
    assert uses[0] - uses[1] == pytest.approx(state, rel=1e-6)  # from the middle to the ground
    best = inference.viterbi()
    assert best.probability.log == pytest.approx(state * math.log(down), rel=1e-12)
    up, down = 0.3, 0.69
    r = np.roots([up, -1.0, down])
    low, high = sorted(r.tolist())
    expected = math.log(low) * state + math.log1p(-((low / high) ** (n + 1 - state)))
    assert Sums(graph, np.array([down, up, 0.01]), log_scale).probability().log == pytest.approx(
        expected, rel=1e-9
    )


@pytest.mark.parametrize("n", [1, 5, 80])
def test_a_critical_process_is_found_as_well_as_doubles_allow(n):
    """x = 1/2 + 1/2 y z, all alike: a double root at 1."""
    nodes = [[([], [0]), ([(i + 1) % n, (i * 3 + 1) % n], [1])] for i in range(n)]
    graph = build_graph([0], *tables(nodes, [2]))
    assert Sums(graph, np.array([0.5, 0.5])).probability().value == pytest.approx(1.0, abs=1e-6)
    assert Sums(graph, np.array([0.4, 0.6])).probability().value == pytest.approx(2 / 3, rel=1e-12)
    assert Sums(graph, np.array([0.4, 0.6]), log_scale=True).probability().value == pytest.approx(
        2 / 3, rel=1e-12
    )


@pytest.mark.parametrize("n", [1, 3, 100])
@pytest.mark.parametrize("log_scale", [False, True])
def test_what_has_no_finite_sum_is_refused(n, log_scale):
    ring = [[([(i + 1) % n], []), ([], [0])] for i in range(n)]  # x = x' + 1/2
    graph = build_graph([0], *tables(ring, [2]))
    with pytest.raises(NoSolution) as error:
        Sums(graph, np.array([0.5, 0.5]), log_scale).probability()
    assert len(error.value.nodes) == n
    twice = [[([(i + 1) % n, (i + 1) % n], []), ([], [0])] for i in range(n)]  # x = x'^2 + 1/2
    graph = build_graph([0], *tables(twice, [2]))
    with pytest.raises(NoSolution):
        Sums(graph, np.array([0.5, 0.5]), log_scale).probability()


@pytest.mark.parametrize("n", [1, 3, 100])
@pytest.mark.parametrize("log_scale", [False, True])
def test_what_cannot_happen_is_zero(n, log_scale):
    """x = x' + 0: the least solution is zero, although any number is one."""
    ring = [[([(i + 1) % n], []), ([], [0])] for i in range(n)]
    graph = build_graph([0], *tables(ring, [2]))
    inference = Sums(graph, np.array([0.0, 1.0]), log_scale)
    assert inference.probability().value == 0.0
    assert inference.expectations().tolist() == [0.0, 0.0]
    assert inference.viterbi_probability().value == 0.0
    assert len(inference.viterbi().paths) <= n


@pytest.mark.parametrize("n", [2, 90])
def test_tiny_probabilities_do_not_vanish(n):
    """1e-200 at each step around a loop: plain numbers give up, logarithms do not."""
    nodes = [[([(i + 1) % n], [0]), ([], [1])] for i in range(n)]
    nodes[0] = [([1], [0])]
    graph = build_graph([0], *tables([*nodes], [3]))
    theta = np.array([1e-200, 1e-200, 1.0])
    assert Sums(graph, theta).probability().log == pytest.approx(2 * math.log(1e-200), rel=1e-12)
    counts = Sums(graph, theta).expectations()
    assert counts.tolist() == pytest.approx([1.0, 1.0, 0.0], rel=1e-9)


def test_a_plan_with_cycles_has_one_lane():
    with pytest.raises(ValueError, match="one parameter set"):
        Workspace(Plan(chain(3)), lanes=8)
