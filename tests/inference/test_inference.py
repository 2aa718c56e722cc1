"""Inference against enumeration on random graphs, and against numbers recorded from PRISM 2.4.2a."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.graph.best import scaled_numbers
from prism_repl.graph.derivations import ExplanationTooLarge
from prism_repl.graph.graph import build_graph
from prism_repl.inference import sums
from prism_repl.inference.sums import Sums, scaled_probability
from tests.benchmarks.hmm_graph import hmm_graph
from tests.graph.random_graphs import explanations, graphs, random_parameters, ranked_derivations
from tests.support.search import EDGES, WEATHER_PARAMS, edge_paths, pcfg, swim, weather

pytestmark = pytest.mark.quick

EDGE_PARAMS = {edge: [p, 1 - p] for edge, p in EDGES.items()}
GRAMMAR = {"S": [0.4, 0.3, 0.3]}
SWIM_PARAMS = {"shape": [0.6, 0.4], "place(fit)": [0.6, 0.3, 0.1], "place(tired)": [0.1, 0.3, 0.6]}


def infer(model, theta, **options):
    graph, search = model
    return Sums(graph, search.vector(graph, theta), **options)


def goals_of(inference, explanation):
    node_of = inference.graph.node_of_path()
    return [inference.graph.goals[node_of[path]] for path in explanation.paths]


@settings(max_examples=120, deadline=None)
@given(graphs(), st.integers(0, 2**30), st.booleans(), st.booleans())
def test_against_enumeration(graph, seed, zeros, log_scale):
    theta = random_parameters(graph, np.random.default_rng(seed), zeros)
    inference = Sums(graph, theta, log_scale)
    for root, node in enumerate(graph.roots.tolist()):
        listed = explanations(graph, node)
        if listed is None:
            continue
        values = sorted((math.prod(theta[i] for i in e) for e in listed), reverse=True)
        assert math.isclose(inference.probability(root).value, sum(values), rel_tol=1e-12)
        assert math.isclose(inference.viterbi_probability(root).value, values[0], rel_tol=1e-12)
        found = inference.n_viterbi(len(values) + 3, root)
        assert len(found) == len(values)
        assert np.allclose([e.probability.value for e in found], values, rtol=1e-12, atol=0.0)
        assert inference.viterbi(root) == found[0]
        assert len({tuple(e.paths) for e in found}) == len(found)
        for e in found:
            used = sorted(inference.switch_counts(e).elements())
            assert math.isclose(math.prod(theta[i] for i in used), e.probability.value, rel_tol=1e-12)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 2**30), st.booleans(), st.booleans())
def test_outside_is_the_derivative_by_the_inside(graph, seed, zeros, log_scale):
    """The value of a goal is linear in the value of each node that is used once: outside is the slope."""
    theta = random_parameters(graph, np.random.default_rng(seed), zeros)
    inference = Sums(graph, theta, log_scale)
    inside, outside = inference.inside(), inference.outside()
    values = np.exp(inside.nodes) if log_scale else inside.nodes
    slopes = np.exp(outside.nodes) if log_scale else outside.nodes

    def top(node, value):
        """The value of the goal if `node` had this value."""
        new = values.copy()
        for n in range(graph.n_nodes):
            new[n] = sum(
                math.prod([theta[i] for i in switches] + [new[c] for c in subgoals])
                for subgoals, switches in map(graph.split, graph.paths(n))
            )
            if n == node:
                new[n] = value
        return new[graph.roots[0]]

    for node in range(graph.n_nodes):
        v = values[node]
        slope = (top(node, v + 1e-6) - top(node, v - 1e-6)) / 2e-6
        assert math.isclose(slopes[node], slope, rel_tol=1e-5, abs_tol=1e-5)
    hindsight = inference.hindsight()
    hindsight = np.exp(hindsight) if log_scale else hindsight
    assert np.allclose(hindsight, values * slopes, rtol=1e-11, atol=1e-300)
    if values[graph.roots[0]] > 0.0:
        conditional = inference.hindsight(conditional=True)
        conditional = np.exp(conditional) if log_scale else conditional
        assert np.allclose(conditional, values * slopes / values[graph.roots[0]], rtol=1e-11, atol=1e-300)


def test_values_of_graphs():
    """probfi, probfo, probfv of week([sun,wind])."""
    inference = infer(weather(["sun", "wind"]), WEATHER_PARAMS)
    graph = inference.graph
    inside, outside, best = inference.inside(), inference.outside(), inference.viterbi_values()
    shown = {
        graph.goals[n]: tuple(f"{x:.6g}" for x in (inside.nodes[n], outside.nodes[n], best.nodes[n]))
        for n in graph.print_order()
    }
    assert shown[("week", ("sun", "wind"))] == ("0.0908", "1", "0.0294")
    assert shown[("days", "calm", ("sun", "wind"))] == ("0.126", "0.6", "0.049")
    assert shown[("days", "calm", ("wind",))] == ("0.1", "0.348", "0.08")
    assert shown[("days", "storm", ())] == ("1", "0.04616", "1")
    top = graph.paths(graph.n_nodes - 1)
    assert [f"{inside.paths[p]:.6g}" for p in top] == ["0.0756", "0.0152"]
    assert [f"{best.paths[p]:.6g}" for p in top] == ["0.0294", "0.0098"]
    assert [f"{outside.instances[i]:.6g}" for p in top for i in graph.split(p)[1]] == ["0.832599", "0.167401"]


def test_hindsight():
    inference = infer(weather(["sun", "rain"]), WEATHER_PARAMS)
    shown = dict(zip(inference.graph.goals, (f"{x:.15f}" for x in inference.hindsight()), strict=True))
    assert shown[("days", "calm", ())] == "0.069120000000000"
    assert shown[("days", "storm", ("sun", "rain"))] == "0.013600000000000"
    shown = dict(
        zip(inference.graph.goals, (f"{x:.15f}" for x in inference.hindsight(conditional=True)), strict=True)
    )
    assert shown[("days", "calm", ("rain",))] == "0.608391608391608"


def test_not_exclusive_sums_may_exceed_one():
    assert f"{infer(edge_paths(('path', 1, 2)), EDGE_PARAMS).probability().value:.6g}" == "1.43368"


def test_viterbi_explanation_in_proof_order():
    inference = infer(edge_paths(("path", 1, 4)), EDGE_PARAMS)
    best = inference.viterbi()
    assert f"{best.probability.value:.15f}" == "0.432000000000000"
    assert goals_of(inference, best) == [
        ("path", 1, 4),
        ("path", 1, 4, (1,)),
        ("d_e", 1, 2),
        ("path", 2, 4, (2, 1)),
        ("d_e", 2, 3),
        ("path", 3, 4, (3, 2, 1)),
        ("d_e", 3, 4),
        ("path", 4, 4, (4, 3, 2, 1)),
    ]
    shown = [f"{p.value:.6g}" for p in inference.n_viterbi_probabilities(3)]
    assert shown == ["0.432", "0.168", "0.1176"]


def test_a_subgoal_is_repeated_where_it_is_used():
    """PRISM prints pcfg([],[],[]) three times here."""
    inference = infer(pcfg("ab"), GRAMMAR)
    assert goals_of(inference, inference.viterbi())[-3:] == [("pcfg", (), (), 0)] * 3


def test_n_best():
    inference = infer(weather(["sun", "rain"]), WEATHER_PARAMS)
    assert [f"{p.value:.6g}" for p in inference.n_viterbi_probabilities(3)] == [
        "0.05376",
        "0.02352",
        "0.01344",
    ]
    inference = infer(weather(["sun"]), WEATHER_PARAMS)
    assert [f"{p.value:.6g}" for p in inference.n_viterbi_probabilities(20)] == [
        "0.336",
        "0.084",
        "0.028",
        "0.012",
    ]
    inference = infer(weather(["sun", "rain"]), WEATHER_PARAMS, log_scale=True)
    assert [f"{p.log:.6g}" for p in inference.n_viterbi_probabilities(3)] == [
        "-2.92323",
        "-3.7499",
        "-4.30952",
    ]
    inference = infer(weather([None, None]), WEATHER_PARAMS)
    assert [goals_of(inference, e)[1][1] for e in inference.n_viterbi(3)] == [
        ("sun", "sun"),
        ("sun", "rain"),
        ("rain", "sun"),
    ]


@pytest.mark.parametrize("log_scale", [False, True])
def test_among_equals_the_last_comes_first(log_scale):
    inference = infer(swim(("race", "second")), {**SWIM_PARAMS, "shape": [0.5, 0.5]}, log_scale=log_scale)
    assert inference.viterbi().paths == [1]
    assert [e.paths for e in inference.n_viterbi(5)] == [[1], [0]]


def test_rerank():
    model = swim(("two", "first", "last"))
    alpha = model[1].vector(
        model[0], {"shape": [1.2, 1.0], "place(fit)": [3.0, 2.0, 1.0], "place(tired)": [1.0, 2.0, 3.0]}
    )
    scores = [score for score, _ in infer(model, SWIM_PARAMS).rerank(2, 10, alpha)]
    assert [f"{s:.6g}" for s in scores] == ["-3.24519", "-3.42751"]
    scores = [score for score, _ in infer(swim(("two", "first", "second")), SWIM_PARAMS).rerank(1, 10, alpha)]
    assert [f"{s:.6g}" for s in scores] == ["-2.55205"]


def test_probability_zero():
    inference = infer(
        weather(["sun"]), {**WEATHER_PARAMS, "report(calm)": [0, 1, 0], "report(storm)": [0, 0, 1]}
    )
    assert inference.probability().value == 0.0
    assert inference.probability().log == -math.inf
    assert not inference.probability().underflow
    assert inference.viterbi().probability.log == -math.inf
    assert inference.hindsight().tolist() == [0.0] * inference.graph.n_nodes


def product(theta):
    """The probability of a goal with one path that uses as many switches as there are numbers."""
    n = len(theta)
    items = [i << 1 | 1 for i in range(n)]
    graph = build_graph([0], [0], [-1], [0], [n], items, np.arange(n), np.arange(n), np.ones(n, dtype=int))
    (probability,) = Sums(graph, theta).n_viterbi_probabilities(3)
    return probability


def test_products_that_underflow():
    assert product([]).value == 1.0
    tiny = product([1e-200] * 7)
    assert math.isclose(tiny.log, -1400 * math.log(10), rel_tol=1e-14)
    assert (tiny.value, tiny.underflow) == (0.0, True)
    assert math.isclose(product([5e-324] * 9).log, 9 * math.log(5e-324))
    assert product([0.1, 0.0, 0.5]).value == 0.0
    plain = [0.3, 0.7, 1e-60, 0.123, 1e-50, 0.9]
    assert product(plain).value == math.prod(plain)
    mantissas, exponents = scaled_numbers([0.0, 1e-300, 0.5])
    assert exponents.tolist() == [-(1 << 30), -3, 0]
    assert mantissas[1] * 2.0 ** (-256 * 3) == pytest.approx(1e-300)
    (mantissa,), (exponent,) = scaled_numbers([5e-324])
    assert scaled_probability((int(exponent), float(mantissa))).value == 5e-324


def test_explanations_have_an_end(monkeypatch):
    monkeypatch.setattr(sums, "LARGEST_EXPLANATION", 5)
    with pytest.raises(ExplanationTooLarge):
        infer(edge_paths(("path", 1, 4)), EDGE_PARAMS).viterbi()


@pytest.fixture(scope="module")
def long_hmm():
    graph = hmm_graph(n_sequences=1, length=3000, seed=3)
    theta = random_parameters(graph, np.random.default_rng(2))
    return graph, theta


def test_long_sequences_by_themselves(long_hmm):
    """A probability far below the least double: logarithms are taken, and the results are those of
    log_scale."""
    plain, logs = Sums(*long_hmm), Sums(*long_hmm, log_scale=True)
    p = plain.probability()
    assert (p.value, p.underflow) == (0.0, True)
    assert p.log == logs.probability().log < -800.0
    assert plain.viterbi() == logs.viterbi()
    assert np.allclose(
        plain.hindsight(conditional=True), np.exp(logs.hindsight(conditional=True)), atol=1e-12
    )
    assert math.isclose(plain.expectations().sum(), 6001.0, rel_tol=1e-12)
    best = plain.viterbi()
    used = plain.switch_counts(best)
    assert math.isclose(
        best.probability.log, sum(n * math.log(long_hmm[1][i]) for i, n in used.items()), rel_tol=1e-12
    )


def test_a_thousand_best_of_a_chain():
    graph = hmm_graph(n_sequences=1, length=200, seed=3)
    inference = Sums(graph, random_parameters(graph, np.random.default_rng(2)))
    found = inference.n_viterbi(200)
    values = [e.probability.log for e in found]
    assert values == sorted(values, reverse=True)
    assert len({tuple(e.paths) for e in found}) == 200
    assert found[0] == inference.viterbi()


# Where parameters come from: few values make ties, tiny ones underflow.
PARAMETERS = {
    "equal": [0.5],
    "ties": [1.0, 0.5, 0.25],
    "zeros": [0.0, 0.5, 0.3, 0.2],
    "tiny": [1e-200, 1e-120, 5e-324, 1e-77, 0.5, 0.0],
}


@settings(max_examples=200, deadline=None)
@given(graphs(), st.integers(0, 2**30), st.sampled_from(["any", *PARAMETERS]), st.integers(1, 50))
def test_order_of_the_n_best(graph, seed, kind, n):
    """Explanations, bits and order are those of enumeration, however many are asked for, and in any steps."""
    rng = np.random.default_rng(seed)
    if kind == "any":
        theta = random_parameters(graph, rng)
    else:
        theta = rng.choice(PARAMETERS[kind], size=graph.n_instances)
    inference = Sums(graph, theta)
    for root, node in enumerate(graph.roots.tolist()):
        listed = ranked_derivations(graph, node, theta.tolist())
        if listed is None:
            continue
        for number in (n, len(listed) + 1):
            found = inference.n_viterbi(number, root)
            assert [e.paths for e in found] == [paths for _, paths in listed[:number]]
            values = [math.ldexp(m, e) for (e, m), _ in listed[:number]]
            assert [e.probability.value for e in found] == values
            assert inference.n_viterbi_probabilities(number, root) == [e.probability for e in found]


def test_a_path_of_many_subgoals():
    """Each of 100 subgoals has three explanations: the next best differ from the best at one subgoal, then at
    two."""
    n = 100
    head = [*(3 * i for i in range(n)), 3 * n]
    following = [*(3 * i + 1 + j if j < 2 else -1 for i in range(n) for j in range(3)), -1]
    items = [j << 1 | 1 for _ in range(n) for j in range(3)] + [i << 1 for i in range(n)]
    graph = build_graph(
        [n], head, following, range(3 * n + 1), [1] * (3 * n) + [n], items, [0, 0, 0], [0], [3]
    )
    inference = Sums(graph, [0.5, 0.375, 0.125])
    found = inference.n_viterbi(n + 5)
    counts = [inference.switch_counts(e) for e in found]
    assert [(c[0], c[1]) for c in counts] == [(n, 0)] + [(n - 1, 1)] * n + [(n - 2, 2)] * 4
    # among equals the first subgoals keep their best explanation
    assert [[p % 3 for p in e.paths[1:]].index(1) for e in found[1 : n + 1]] == list(range(n))[::-1]


def test_an_interrupted_search_goes_on():
    graph = hmm_graph(n_sequences=1, length=100, seed=3)
    theta = random_parameters(graph, np.random.default_rng(2))
    left = 0

    def poll():
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt

    inference = Sums(graph, theta, poll=poll)
    inference.viterbi()
    for calls in (1, 2, 3):
        left = calls
        with pytest.raises(KeyboardInterrupt):
            inference.n_viterbi(300)
    assert inference.n_viterbi(300) == Sums(graph, theta).n_viterbi(300)


@pytest.mark.parametrize(
    "work", [lambda i: i.n_viterbi(10**9), lambda i: i.n_viterbi_probabilities(10**9), lambda i: i.viterbi()]
)
def test_long_loops_can_be_left(long_hmm, work):
    def poll():
        if ready:
            raise KeyboardInterrupt

    ready = False
    inference = Sums(*long_hmm, poll=poll)
    inference.viterbi_probability()
    ready = True
    with pytest.raises(KeyboardInterrupt):
        work(inference)
