"""Samples of the same goals that are learned side by side: what one after the other gives."""

import pickle

import numpy as np
import pytest

from prism_repl import PrismError, Session
from prism_repl.experiments import folds, learned_folds, restarted
from prism_repl.learning.loop import learn, learn_samples
from prism_repl.learning.problem import LearnOptions, SwitchNumbers
from prism_repl.model.chance import Random
from tests.support.search import WEATHER_PARAMS, weather

pytestmark = pytest.mark.quick

COINS = """
values(first,[a,b]).
values(second(_),[x,y,z]).
seen(V) :- msw(first,F), msw(second(F),V).
"""
GOALS = ["seen(x)", "seen(y)", "seen(z)", "seen(x)"]


@pytest.fixture
def session():
    session = Session(lambda text: None)
    session.program(COINS, "coins")
    return session


WEEKS = [["sun", "sun", "rain"], ["rain", "wind", "wind"], ["sun"] * 3, ["wind", "rain"], ["rain"] * 2]


@pytest.mark.parametrize("mode", ["ml", "ml_vt", "vb", "both"])
@pytest.mark.parametrize("restarts", [1, 3])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("vt_best", [1, 2])
def test_samples_are_learned_as_if_alone(mode, restarts, threads, vt_best):
    """To the last bit, if the starts are drawn in the same order."""
    seed = 7
    rng = np.random.default_rng(seed)
    graph, search = weather(*WEEKS)
    n = graph.n_instances
    none = np.zeros(graph.n_switches, dtype=bool)
    numbers = SwitchNumbers(search.vector(graph, WEATHER_PARAMS), np.full(n, 0.5), none, none)
    options = LearnOptions(mode=mode, restart=restarts, threads=threads, vt_best=vt_best)
    samples = rng.integers(0, 3, (12, len(graph.roots))).astype(float)
    samples[:, 0] += 1
    found = learn_samples(graph, numbers, options, Random(seed), samples)
    random = Random(seed)
    for sample, result in zip(samples, found, strict=True):
        graph.counts = sample
        alone = learn(graph, numbers, options, random)
        assert (result.objective, result.iterations) == (alone.objective, alone.iterations)
        np.testing.assert_array_equal(result.counts, alone.counts)
        for ours, theirs in ((result.theta, alone.theta), (result.alpha, alone.alpha)):
            assert (ours is None) == (theirs is None)
            if ours is not None:
                np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("mode", ["ml", "ml_vt", "both"])
def test_a_session_has_the_numbers_of_one_sample_after_the_other(session, mode):
    flags = session.flags
    flags.learn_mode, flags.init, flags.std_ratio, flags.default_sw_d = mode, "none", 1e-9, 0.5
    samples = [[1, 2, 0, 1], [0, 0, 3, 0], [5, 1, 1, 2]]
    steps = session.learn_samples(GOALS, samples)
    found = []
    for statistics in steps:
        found.append((statistics, [s.parameters for s in session.switches()], session.prob("seen(y)")))
        assert session.once("get_goals(Gs)")["Gs"] == statistics.goals
    assert [list(map(str, s.goals)) for s, _, _ in found] == [
        ["seen(x)", "seen(y)"],
        ["seen(z)"],
        ["seen(x)", "seen(y)", "seen(z)"],
    ]
    for sample, (statistics, parameters, p) in zip(samples, found, strict=True):
        session.once("set_sw_all(_,uniform), set_sw_all_d(_,0.5)")
        alone = session.learn([(g, n) for g, n in zip(GOALS, sample, strict=True) if n])
        assert statistics.keys() == alone.keys()
        # Alone, switches and outcomes of goals that were not observed are not learned.
        if all(sample):
            assert p == pytest.approx(session.prob("seen(y)"), rel=1e-6)
            for ours, switch in zip(parameters, session.switches(), strict=True):
                np.testing.assert_allclose(ours, switch.parameters, rtol=1e-6)


def test_goals_that_fail(session):
    session.program(
        """values(c,[h,t]).
        two(X,Y) :- msw(c,X), msw(c,Y), X == Y.
        failure :- msw(c,X), msw(c,Y), X \\== Y.""",
        "same",
    )
    steps = session.learn_samples(["two(h,h)", "two(t,t)", "failure"], [[3, 1, 1], [1, 1, 1]])
    heads = [session.switch("c").parameters[0] for _ in steps]
    # Of pairs that are equal, p*p / (p*p + (1-p)*(1-p)) are heads: as many as were seen.
    odds = [(p / (1 - p)) ** 2 for p in heads]
    assert odds == pytest.approx([3, 1], rel=0.05)


def test_wrong_samples(session):
    for samples in ([], [[1, 2]], [1, 2, 3, 4], [[[1]]]):
        with pytest.raises(ValueError, match="a count for each of the 4 goals"):
            session.learn_samples(GOALS, samples)
    for samples in ([[1, 1, 1, -1]], [[1, 1, 1, 0.5]]):
        with pytest.raises(ValueError, match="integers, 0 or larger"):
            session.learn_samples(GOALS, samples)
    with pytest.raises(ValueError, match="a sample is empty"):
        session.learn_samples(GOALS, [[1, 0, 0, 0], [0, 0, 0, 0]])
    with pytest.raises(PrismError, match="seen"):
        session.learn_samples(["seen(x)", "seen(w)"], [[1, 0]])
    assert not session.once("'$learn_samples'([seen(x)])")
    assert session.prob("seen(x)") == pytest.approx(1 / 3)


def test_another_program_does_not_take_what_was_learned(session):
    steps = session.learn_samples(GOALS, [[1, 1, 1, 1], [2, 1, 1, 1]])
    next(steps)
    session.program("values(c,[h,t]). f(X) :- msw(c,X).", "other")
    with pytest.raises(ValueError, match="another program was loaded"):
        next(steps)


def test_learned_folds(session):
    goals = ["seen(x)", "seen(y)", "seen(x)", "seen(z)", "seen(y)", "seen(x)"]
    session.flags.default_sw_d = 1.0
    for fold, right in zip(
        learned_folds(session, goals, 3, "ml", seed=4, epsilon=1e-12),
        folds(list(map(session.term, goals)), 3, seed=4),
        strict=True,
    ):
        assert fold == right
        p = session.prob("seen(x)")
        other = Session(lambda text: None)
        other.program(COINS, "coins")
        other.flags.default_sw_d = 1.0
        restarted(other, fold.training, "ml", epsilon=1e-12)
        assert p == pytest.approx(other.prob("seen(x)"), rel=1e-4)
    with pytest.raises(PrismError):
        list(learned_folds(session, goals, 3, "nothing"))


def test_statistics_make_goals_when_they_are_asked(session):
    statistics = session.learn(["seen(x)", "seen(y)"])
    session.learn(["seen(z)"])
    assert list(map(str, statistics["goals"])) == ["seen(x)", "seen(y)"]
    assert "goals" in statistics
    assert len(statistics) == len(dict(statistics)) == len(list(statistics))
    again = pickle.loads(pickle.dumps(statistics))
    assert again == statistics
    assert again.goals == statistics.goals
    assert dict(again) == dict(statistics)
