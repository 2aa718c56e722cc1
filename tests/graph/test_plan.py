"""The passes over a graph: against brute force, finite differences, and themselves in other arrangements."""

import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from prism_repl import Session
from prism_repl.graph import plan as plan_module
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import LANES, Plan, Workspace
from prism_repl.inference.search import search
from tests.benchmarks.hmm_graph import hmm_graph
from tests.graph.random_graphs import explanations, graphs, random_parameters


def brute(graph, theta, root):
    found = explanations(graph, int(graph.roots[root]))
    if found is None:
        return None
    return [(math.prod(theta[i] for i in e), e) for e in found]


@pytest.mark.quick
@settings(max_examples=100, deadline=None)
@given(graphs(), st.integers(0, 2**30), st.booleans(), st.booleans())
def test_sums_maxima_and_counts_against_enumeration(graph, seed, zeros, logs):
    rng = np.random.default_rng(seed)
    theta = random_parameters(graph, rng, zeros)
    space = Workspace(Plan(graph))
    with np.errstate(divide="ignore"):
        numbers = np.log(theta) if logs else theta
    for best in (False, True):
        values = space.inside(numbers[:, None], logs, best)[:, 0]
        values = np.exp(values) if logs else values
        expected = np.zeros(graph.n_instances)
        weights = np.zeros((len(graph.roots), 1))
        for root in range(len(graph.roots)):
            listed = brute(graph, theta, root)
            assume(listed is not None)  # too many
            total = max(p for p, _ in listed) if best else sum(p for p, _ in listed)
            assert math.isclose(values[root], total, rel_tol=1e-12, abs_tol=1e-300)
            if total > 0.0:
                weights[root] = graph.counts[root]
                if not best:
                    for p, explanation in listed:
                        for instance in explanation:
                            expected[instance] += graph.counts[root] * p / total
        counts = space.flow(weights)[:, 0]
        if not best:
            assert np.allclose(counts, expected, rtol=1e-12, atol=1e-12)
        else:
            # The counts are those of some best explanations: their product is the best value.
            logs_of = np.log(np.where(counts > 0.0, theta, 1.0))
            wanted = sum(w * math.log(v) for w, v in zip(weights[:, 0], values, strict=True) if w > 0.0)
            assert math.isclose((counts * logs_of).sum(), wanted, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.quick
@settings(max_examples=40, deadline=None)
@given(graphs(), st.integers(0, 2**30))
def test_expected_counts_are_derivatives(graph, seed):
    theta = random_parameters(graph, np.random.default_rng(seed))
    space = Workspace(Plan(graph))
    space.inside(theta[:, None])
    counts = space.flow(graph.counts[:, None])[:, 0].copy()

    def log_likelihood(theta):
        return float(graph.counts @ np.log(space.inside(theta[:, None])[:, 0]))

    for i in range(graph.n_instances):
        step = 1e-6 * theta[i]
        up, down = theta.copy(), theta.copy()
        up[i] += step
        down[i] -= step
        slope = (log_likelihood(up) - log_likelihood(down)) / (2.0 * step)
        assert math.isclose(theta[i] * slope, counts[i], rel_tol=1e-5, abs_tol=1e-6)


def lane_results(space, thetas, counts, logs, best):
    weights = np.repeat(counts[:, None], thetas.shape[1], axis=1)
    return space.expect(np.log(thetas) if logs else thetas, weights, logs, best)


@pytest.mark.quick
@settings(max_examples=40, deadline=None)
@given(graphs(), st.integers(0, 2**30), st.booleans(), st.booleans())
def test_lanes_are_the_same_bits_as_single_runs(graph, seed, logs, best):
    rng = np.random.default_rng(seed)
    thetas = np.stack([random_parameters(graph, rng) for _ in range(LANES)], axis=1)
    plan = Plan(graph)
    values, counts = lane_results(Workspace(plan, LANES), thetas, graph.counts, logs, best)
    for lane in range(LANES):
        one = lane_results(Workspace(plan), thetas[:, lane : lane + 1].copy(), graph.counts, logs, best)
        assert one[0][:, 0].tolist() == values[:, lane].tolist()
        assert one[1][:, 0].tolist() == counts[:, lane].tolist()


@pytest.fixture(scope="module")
def hmm():
    graph = hmm_graph(n_sequences=400, length=60)
    assert Plan(graph).blocks is not None  # large enough to be cut
    return graph


@pytest.fixture(scope="module")
def lists():
    """Lists that share their ends: goals that stand beside each other share nearly nothing."""
    session = Session(lambda text: None)
    session.program(
        "values(group,[1,2,3,4]). values(attr(_,_),[a,b,c,d]).\n"
        "row(Vs) :- msw(group,G), attributes(Vs,1,G).\n"
        "attributes([],_,_).\n"
        "attributes([V|Vs],J,G) :- msw(attr(J,G),V), J1 is J+1, attributes(Vs,J1,G).\n",
        "rows",
    )
    m = session.machine
    rows = itertools.product("abcd", repeat=6)
    goals = [m.struct("row", m.list_from([m.atom(v) for v in row])) for row in rows]
    return search(m, goals, [1 + i % 3 for i in range(len(goals))]).graph


@pytest.mark.parametrize(
    ("logs", "best", "lanes"), list(itertools.product([False, True], [False, True], [1, LANES]))
)
def test_goals_that_share_are_put_together(lists, logs, best, lanes, monkeypatch):
    monkeypatch.setattr(plan_module, "CUT_FROM", 20_000)
    plan = Plan(lists)
    assert plan.blocks is not None
    assert plan.blocks.n_common - plan.n_mono < 0.1 * plan.n_nodes
    test_threads_do_not_change_a_bit(lists, logs, best, lanes, monkeypatch)


@pytest.mark.parametrize(
    ("logs", "best", "lanes"), list(itertools.product([False, True], [False, True], [1, LANES]))
)
def test_threads_do_not_change_a_bit(hmm, logs, best, lanes, monkeypatch):
    rng = np.random.default_rng(7)
    thetas = np.stack([random_parameters(hmm, rng) for _ in range(lanes)], axis=1)
    plan = Plan(hmm)
    first = lane_results(Workspace(plan, lanes), thetas, hmm.counts, logs, best)
    with ThreadPoolExecutor(3) as pool:
        space = Workspace(plan, lanes, pool)
        for _ in range(2):
            again = lane_results(space, thetas, hmm.counts, logs, best)
            assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    # Cutting moves the order of additions, not more.
    monkeypatch.setattr(plan_module, "CUT_FROM", 10**9)
    uncut = Plan(hmm)
    assert uncut.blocks is None
    whole = lane_results(Workspace(uncut, lanes), thetas, hmm.counts, logs, best)
    assert np.allclose(first[0], whole[0], rtol=1e-12)
    assert np.allclose(first[1], whole[1], rtol=1e-9)


def test_node_values_and_weights_in_the_order_of_the_graph(hmm):
    theta = random_parameters(hmm, np.random.default_rng(1))[:, None]
    for best in (False, True):
        space, merged = Workspace(Plan(hmm, merge=False)), Workspace(Plan(hmm))
        values = space.inside(theta, best=best)
        assert np.array_equal(values, space.node_values()[hmm.roots])
        assert np.allclose(values, merged.inside(theta, best=best), rtol=1e-12)
        counts = space.flow(hmm.counts[:, None], keep=True)
        weights = space.node_weights()
        assert np.allclose(counts, merged.expect(theta, hmm.counts[:, None], best=best)[1], rtol=1e-9)
        assert np.array_equal(weights[hmm.roots][:, 0], hmm.counts)
        # The next pass starts from zero again.
        assert np.array_equal(space.flow(hmm.counts[:, None]), space.flow(hmm.counts[:, None]))


@pytest.mark.quick
@settings(max_examples=100, deadline=None)
@given(graphs(), st.integers(0, 2**30), st.booleans(), st.booleans())
def test_merged_nodes_give_the_same_values_and_counts(graph, seed, logs, best):
    thetas = random_parameters(graph, np.random.default_rng(seed))[:, None]
    one, other = (
        lane_results(Workspace(Plan(graph, merge)), thetas, graph.counts, logs, best)
        for merge in (True, False)
    )
    assert np.array_equal(one[0], other[0])
    assert np.allclose(one[1], other[1], rtol=1e-12, atol=1e-12)


def test_nodes_of_the_same_value_are_one():
    # Switch instances 0 and 1; nodes from 2 on. Nodes 2 and 3 are both [0]; 4 is [2, 1], 5 is [3, 1];
    # 6 is only 4; the goals are 4, 5, 6 and 2, a monomial.
    graph = Graph(
        [0, 1, 2, 3, 4, 5], [0, 1, 2, 4, 6, 7], [0, 0, 2, 1, 3, 1, 4], [0, 2], [2, 3, 4, 0], [1, 2, 4, 8]
    )
    plan = Plan(graph)
    assert plan.n_mono == 3
    assert plan.n_nodes == 1
    space = Workspace(plan)
    theta = np.array([[0.5], [0.25]])
    assert space.inside(theta)[:, 0].tolist() == [0.125, 0.125, 0.125, 0.5]
    assert space.flow(graph.counts[:, None])[:, 0].tolist() == [15.0, 7.0]


def test_long_passes_are_cut_into_slices_that_can_be_left(hmm, monkeypatch):
    monkeypatch.setattr(plan_module, "SLICE", 1000)
    polls = []

    def poll():
        polls.append(1)
        if len(polls) == 5:
            raise KeyboardInterrupt

    theta = random_parameters(hmm, np.random.default_rng(1))[:, None]
    weights = hmm.counts[:, None]
    fresh = Workspace(Plan(hmm)).expect(theta, weights)
    for threads in (0, 3):
        polls.clear()
        pool = ThreadPoolExecutor(threads) if threads else None
        space = Workspace(Plan(hmm), pool=pool, poll=poll)
        with pytest.raises(KeyboardInterrupt):
            space.expect(theta, weights)
        assert len(polls) < 100
        # Afterwards the workspace is as good as new.
        again = space.expect(theta, weights)
        assert all(np.array_equal(a, b) for a, b in zip(fresh, again, strict=True))
        if pool:
            pool.shutdown()


def test_long_passes_of_a_plan_that_is_not_cut_can_be_left_too(hmm, monkeypatch):
    plan = Plan(hmm, merge=False)
    theta = random_parameters(hmm, np.random.default_rng(1))[:, None]
    weights = hmm.counts[:, None]
    fresh = Workspace(plan).expect(theta, weights)
    monkeypatch.setattr(plan_module, "SLICE", 1000)
    n_slices = len(plan.slices())
    assert n_slices > 50
    for last in (n_slices - 5, n_slices + 5):  # on the way up, and down
        polls = []

        def poll(polls=polls, last=last):
            polls.append(1)
            if len(polls) == last:
                raise KeyboardInterrupt

        space = Workspace(plan, poll=poll)
        with pytest.raises(KeyboardInterrupt):
            space.expect(theta, weights)
        again = space.expect(theta, weights)
        assert all(np.array_equal(a, b) for a, b in zip(fresh, again, strict=True))
