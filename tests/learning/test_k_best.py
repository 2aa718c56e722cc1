"""k-best Viterbi training: one explanation is Viterbi training, all of them are EM."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl import PrismError, Session
from prism_repl.graph.plan import Plan
from prism_repl.learning.expectations import GraphExpecting
from prism_repl.learning.k_best import KBestExpecting
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
        if ranked is not None:  # None: too many
            right = math.fsum(math.ldexp(mantissa, exponent) for (exponent, mantissa), _ in ranked[:k])
            assert value == pytest.approx(right, rel=1e-9)


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
