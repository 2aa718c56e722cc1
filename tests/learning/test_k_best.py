"""k-best Viterbi training: one explanation is Viterbi training, all of them are EM."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from prism_repl import PrismError, Session
from prism_repl.graph.plan import Plan
from prism_repl.inference.sums import Sums
from prism_repl.learning.expectations import GraphExpecting
from prism_repl.learning.k_best import KBestExpectations, KBestExpecting
from prism_repl.learning.runs import Run
from tests.graph.cyclic_graphs import parameters, random_cyclic_graph
from tests.graph.random_graphs import graphs, random_parameters, ranked_derivations

pytestmark = pytest.mark.quick

COINS = """
values(first,[a,b]).
values(second(_),[x,y,z]).
seen(V) :- msw(first,F), msw(second(F),V).
"""


def counted(expecting, theta, weights, logs=False):
    given_theta = np.log(theta) if logs else theta
    values, counts = expecting.expectations(1, None, None).expect(
        given_theta[:, None], weights[:, None], logs
    )
    return (np.exp(values) if logs else values)[:, 0], counts[:, 0]


@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 2**32 - 1), st.booleans())
def test_limits(graph, seed, logs):
    rng = np.random.default_rng(seed)
    theta = random_parameters(graph, rng)
    weights = rng.integers(1, 4, len(graph.roots)).astype(float)
    plan = Plan(graph)
    explanations, _ = counted(GraphExpecting(plan), np.ones_like(theta), weights)
    assume(explanations.max() <= 10**6)  # one of some thousand graphs has more
    for k, expecting in ((1, GraphExpecting(plan, viterbi=True)), (10**6, GraphExpecting(plan))):
        values, counts = counted(KBestExpecting(graph, k), theta, weights, logs)
        right_values, right_counts = counted(expecting, theta, weights)
        np.testing.assert_allclose(values, right_values, rtol=1e-9)
        np.testing.assert_allclose(counts, right_counts, rtol=1e-9, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_sums_are_those_of_the_best_explanations(graph, seed, k):
    theta = random_parameters(graph, np.random.default_rng(seed))
    values, _ = counted(KBestExpecting(graph, k), theta, np.ones(len(graph.roots)))
    for root, value in zip(graph.roots, values, strict=True):
        ranked = ranked_derivations(graph, root, theta)
        assume(ranked is not None)  # too many
        right = math.fsum(math.ldexp(mantissa, exponent) for (exponent, mantissa), _ in ranked[:k])
        assert value == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_limits_on_cycles(seed):
    """One explanation is Viterbi training there, too. There are infinitely many; enough of them are nearly
    EM, and never more."""
    rng = np.random.default_rng(seed)
    graph = random_cyclic_graph(rng, linear=seed % 2 == 0)
    theta = parameters(graph, rng, ending=0.8)
    weights = np.ones(len(graph.roots))
    plan = Plan(graph)
    values, counts = counted(KBestExpecting(graph, 1), theta, weights)
    best_values, best_counts = counted(GraphExpecting(plan, viterbi=True), theta, weights)
    np.testing.assert_allclose(values, best_values, rtol=1e-12)
    np.testing.assert_allclose(counts, best_counts)
    all_values, all_counts = counted(GraphExpecting(plan), theta, weights)
    last = values
    for k in (2, 10, 2000):
        values, counts = counted(KBestExpecting(graph, k), theta, weights)
        assert (values >= last * (1 - 1e-12)).all()
        assert (values <= all_values * (1 + 1e-9)).all()
        last = values
    np.testing.assert_allclose(values, all_values, rtol=1e-2)
    np.testing.assert_allclose(counts, all_counts, atol=0.05)


@pytest.mark.parametrize("seed", range(6))
def test_sums_of_the_best_on_cycles(seed):
    """The sum of the k best is that of the k first of the lazy enumeration."""
    rng = np.random.default_rng(100 + seed)
    graph = random_cyclic_graph(rng)
    theta = parameters(graph, rng, ending=0.5)
    values, _ = counted(KBestExpecting(graph, 7), theta, np.ones(len(graph.roots)))
    for root, value in enumerate(values):
        best = Sums(graph, theta).n_viterbi(7, root)
        assert value == pytest.approx(math.fsum(e.probability.value for e in best), rel=1e-9)


@pytest.fixture
def session(tmp_path):
    program = tmp_path / "coins.psm"
    program.write_text(COINS)
    session = Session([].append)
    session.prism(program)
    return session


GOALS = ["seen(x)", "seen(x)", "seen(y)", "seen(z)", "seen(x)"]


def objective(session, mode, best):
    session.once(f"set_seed(7), set_prism_flag(learn_mode,{mode}), set_prism_flag(vt_best,{best})")
    session.once("set_sw_all(_,uniform), set_prism_flag(init,random), set_prism_flag(epsilon,1.0e-10)")
    seen = []
    found = session.learn(GOALS, progress=lambda progress: seen.append(progress.objective))
    assert all(later >= earlier - 1e-9 for earlier, later in itertools.pairwise(seen))
    return found["log_likelihood"]


def test_the_flag(session):
    em = objective(session, "ml", 1)
    assert objective(session, "ml_vt", 2) == pytest.approx(em, abs=1e-6)  # a goal has two explanations
    assert objective(session, "ml_vt", 1) <= em + 1e-9
    for wrong in ("0", "x", "1.5"):
        with pytest.raises(PrismError):
            session.once(f"set_prism_flag(vt_best,{wrong})")


def test_runs_that_are_over_are_not_computed(session, monkeypatch):
    passes = []
    whole = KBestExpectations.derivations
    monkeypatch.setattr(
        KBestExpectations, "derivations", lambda self, theta: passes.append(1) or whole(self, theta)
    )
    ended = []
    session.once("set_prism_flag(learn_mode,ml_vt), set_prism_flag(vt_best,2)")
    session.once("set_prism_flag(threads,1), set_prism_flag(restart,6)")
    monkeypatch.setattr(Run, "tell", told(Run.tell, ended))
    session.learn(GOALS)
    assert len(ended) == 6
    assert len(passes) == sum(iterations + 1 for iterations in ended)


def told(tell, ended):
    """Run.tell that also notes after how many iterations a run ended."""

    def noting(self, event, *arguments):
        if event == "run_ended":
            ended.append(arguments[0])
        tell(self, event, *arguments)

    return noting
