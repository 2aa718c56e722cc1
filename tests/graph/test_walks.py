"""Explanations drawn by chance have the probabilities that they should."""

from collections import Counter

import numpy as np
import pytest

from prism_repl.graph.plan import Plan, Workspace
from prism_repl.graph.walks import Walks
from prism_repl.inference.sums import Sums
from tests.graph.cyclic_graphs import parameters, random_cyclic_graph
from tests.support.search import WEATHER_PARAMS, pcfg, weather

pytestmark = pytest.mark.quick


def walks(model, theta, logs, seed=1, poll=None):
    graph, search = model
    plan = Plan(graph)
    space = Workspace(plan)
    vector = search.vector(graph, theta)[:, None]
    space.inside(np.log(vector) if logs else vector, logs)
    expected = space.flow(np.eye(len(graph.roots), 1))[:, 0]
    return Walks(plan, space.values[0], logs, np.random.default_rng(seed).random, poll), expected


@pytest.mark.parametrize("logs", [False, True])
@pytest.mark.parametrize(
    ("model", "theta"),
    [
        (weather(["sun", "rain", "wind", "wind", "rain"]), WEATHER_PARAMS),
        (pcfg("ababab"), {"S": [0.4, 0.3, 0.3]}),
    ],
    ids=["weather", "grammar"],
)
def test_draws_use_switches_as_often_as_expected(model, theta, logs):
    sampler, expected = walks(model, theta, logs)
    n = 4000
    used = np.zeros(len(expected))
    squares = np.zeros(len(expected))
    for _ in range(n):
        counts = np.bincount(sampler.draw(0), minlength=len(expected))
        used += counts
        squares += counts**2
    mean = used / n
    error = np.sqrt(np.maximum(squares / n - mean**2, 0.0) / n)
    assert (np.abs(mean - expected) <= 4.5 * error + 1e-9).all()


def test_draws_are_explanations_with_their_probabilities():
    sampler, _ = walks(pcfg("aaa"), {"S": [0.4, 0.3, 0.3]}, False)
    drawn = Counter(tuple(sampler.draw(0).tolist()) for _ in range(1000))
    # both trees have two binary rules and three words
    assert {tuple(sorted(d)) for d in drawn} == {(0, 0, 1, 1, 1)}


def test_a_walk_can_be_interrupted():
    def poll():
        raise KeyboardInterrupt

    sampler, _ = walks(pcfg("ab" * 20), {"S": [0.4, 0.3, 0.3]}, True, poll=poll)
    with pytest.raises(KeyboardInterrupt):
        [sampler.draw(0) for _ in range(1000)]


def test_a_plan_that_does_not_fit_is_refused():
    graph, _ = weather(["sun"])
    with pytest.raises(ValueError, match="one value for each node"):
        Walks(Plan(graph), np.zeros(3), False, np.random.default_rng(1).random)


@pytest.mark.parametrize("seed", range(8))
def test_draws_on_cycles(seed):
    """A walk may pass a goal many times: switches are used as often as the adjoint system says, and short
    explanations come as often as their probabilities say."""
    rng = np.random.default_rng(seed)
    graph = random_cyclic_graph(rng, linear=seed % 2 == 0)
    theta = parameters(graph, rng, ending=0.5)
    plan = Plan(graph)
    space = Workspace(plan)
    values = space.inside(theta[:, None], False)[:, 0].copy()
    expected = space.flow(np.eye(len(graph.roots), 1))[:, 0].copy()
    sampler = Walks(plan, space.values[0], False, rng.random)
    n = 4000
    drawn = [np.bincount(sampler.draw(0), minlength=graph.n_instances) for _ in range(n)]
    mean, variance = np.mean(drawn, axis=0), np.var(drawn, axis=0)
    # what is rare may not have been drawn at all: its variance is about what is expected
    assert (np.abs(mean - expected) <= 4.5 * np.sqrt((variance + expected) / n)).all()
    shares = Counter(counts.tobytes() for counts in drawn)
    probability = Counter()
    for explanation in Sums(graph, theta).n_viterbi(50):
        counts = np.zeros(graph.n_instances, dtype=drawn[0].dtype)
        for instance, times in Sums(graph, theta).switch_counts(explanation).items():
            counts[instance] = times
        probability[counts.tobytes()] += explanation.probability.value / values[0]
    for counts, p in probability.most_common(5):
        if p < 0.05:
            continue  # others with the same counts may weigh as much
        assert abs(shares[counts] / n - p) <= 4.5 * np.sqrt(p * (1 - p) / n) + 0.01
