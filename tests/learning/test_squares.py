"""Learning from given probabilities: the gradient against finite differences, and the fit."""

import itertools
import re

import numpy as np
import pytest

from prism_repl import PrismError, Session
from prism_repl.graph.plan import Plan
from prism_repl.inference.interface import SizeLimits
from prism_repl.inference.search import search
from prism_repl.learning.exact import DiagramExpecting
from prism_repl.learning.expectations import GraphExpecting
from prism_repl.learning.segments import Segments
from prism_repl.learning.squares import Squares

PROGRAM = """
values(c,[h,t]). values(d,[1,2,3]). values(e(_,_),[y,n]). values(s,[[s,s],[a],[b]],[0.3,0.4,0.3]).
a(X) :- msw(c,X).
ab :- msw(c,h), msw(d,1).
ab :- msw(c,t), msw(d,2), msw(d,_).
path(X,Y) :- edge(X,Y), msw(e(X,Y),y).
path(X,Y) :- edge(X,Z), msw(e(X,Z),y), path(Z,Y).
edge(1,2). edge(2,3). edge(1,3). edge(3,4). edge(2,4). edge(4,1).
p(L) :- p([s],L,[]).
p([],L,L).
p([X|Xs],L0,L) :- ( X == s -> msw(s,B), p(B,L0,L1) ; L0 = [X|L1] ), p(Xs,L1,L).
walk(X) :- msw(d,D), ( D == 1 -> true ; D == 2 -> walk(X) ; fail ).
"""


@pytest.fixture
def session(tmp_path):
    (tmp_path / "model.psm").write_text(PROGRAM)
    printed: list[str] = []
    session = Session(printed.append)
    session.prism(tmp_path / "model.psm")
    session.printed = printed
    for flag in ("error_on_cycle,off", "epsilon,1.0e-9"):
        session.once(f"set_prism_flag({flag})")
    return session


CASES = {
    "fresh": ["ab", "a(h)", "p([a,b,a])", "p([b])"],
    "cyclic": ["walk(1)", "ab"],
    "once": ["path(1,4)", "path(2,3)", "path(1,3)", "ab", "walk(1)"],
}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("seed", range(5))
def test_gradient(session, kind, seed):
    m = session.machine
    if kind == "once":
        session.once("set_prism_flag(trials,once)")
    goals = terms(m, CASES[kind])
    graph = search(m, goals).graph
    if kind == "once":
        expecting = DiagramExpecting(graph, False, SizeLimits(), None)
    else:
        expecting = GraphExpecting(Plan(graph))
    segments = Segments(graph.switch_instances)
    random = np.random.default_rng(seed)
    goal_of = random.integers(0, len(goals), 7)
    squares = Squares(
        expecting.expectations(1, None, None),
        segments,
        goal_of,
        random.random(7),
        random.integers(1, 4, 7).astype(float),
    )
    logits = random.normal(size=graph.n_instances)

    def error(x):
        return squares.error(squares.values(squares.softmax(x)))

    theta = squares.softmax(logits)
    found = squares.gradient(theta, squares.values(theta))
    step = 1e-5
    for i, unit in enumerate(np.eye(len(logits))):
        expected = (error(logits + step * unit) - error(logits - step * unit)) / (2 * step)
        assert found[i] == pytest.approx(expected, abs=1e-8)


def terms(m, texts):
    from prism_repl.prolog.reader import read_term

    return [m.deref(read_term(m, text + " .").cell) for text in texts]


def test_probabilities_that_can_be_reached_are(session):
    session.once("learn([prob(a(h),0.3),prob(ab,0.35)])")
    assert session.once("prob(a(h),P)")["P"] == pytest.approx(0.3, abs=1e-6)
    assert session.once("prob(ab,P)")["P"] == pytest.approx(0.35, abs=1e-6)
    assert session.once("learn_statistics(squared_error,X)")["X"] == pytest.approx(0, abs=1e-10)


def test_switches_thrown_once_and_restarts(session):
    for flag in ("trials,once", "restart,3"):
        session.once(f"set_prism_flag({flag})")
    session.once("learn([prob(path(1,4),0.5),prob(path(2,4),0.4),(2 times prob(path(1,3),0.45))])")
    for goal, p in [("path(1,4)", 0.5), ("path(2,4)", 0.4), ("path(1,3)", 0.45)]:
        assert session.once(f"prob({goal},P)")["P"] == pytest.approx(p, abs=1e-6)
    lines = "".join(session.printed)
    assert len(re.findall(r"^\[\d\] #ls-iters: 0.*\(Converged: ", lines, re.M)) == 3
    assert "Final squared error: 0.0000" in lines


def test_contradictions_meet_in_the_weighted_mean(session):
    session.once("learn([prob(a(h),0.2),count(prob(a(h),0.8),2)])")
    assert session.once("prob(a(h),P)")["P"] == pytest.approx(0.6, abs=1e-6)
    assert session.once("learn_statistics(squared_error,X)")["X"] == pytest.approx(0.16 + 2 * 0.04, abs=1e-9)


def test_fixed_switches_stay(session):
    session.once("fix_sw(c,[0.25,0.75])")
    session.once("learn([prob(ab,0.3),prob(a(h),0.9)])")
    assert session.once("prob(a(h),P)")["P"] == 0.25
    assert session.once("prob(ab,P)")["P"] == pytest.approx(0.3, abs=1e-6)


def test_the_error_falls(session):
    session.once("set_prism_flag(verb,em)")
    session.once("learn([prob(p([a,b,a]),0.05),prob(p([b]),0.9),prob(p([a]),0.3)])")
    errors = [float(x) for x in re.findall(r"squared_error=(\S+)\n", "".join(session.printed))]
    assert len(errors) > 2
    assert all(later <= earlier for earlier, later in itertools.pairwise(errors))


@pytest.mark.parametrize(
    ("goals", "error"),
    [
        ("[prob(ab,0.3),ab]", "observed_data"),
        ("[ab,prob(ab,0.3)]", "observed_data"),
        ("[prob(ab,0.3)|x]", "observed_data"),
        ("[prob(ab,1.5)]", "domain_error"),
        ("[prob(ab,-1)]", "domain_error"),
        ("[prob(ab,x)]", "type_error"),
        ("[prob(ab,_)]", "instantiation_error"),
        ("[prob(_,0.5)]", "instantiation_error"),
        ("[prob(foo,0.5)]", "probabilistic_atom"),
        ("[count(prob(ab,0.5),0)]", "error"),
        ("[prob(path(1,9),0.5)]", "explanation_not_found"),
    ],
)
def test_bad_observations(session, goals, error):
    with pytest.raises(PrismError, match=error):
        session.once(f"learn({goals})")


@pytest.mark.parametrize("learn", ["vlearn_p", "learn_h", "learn_b"])
def test_other_modes_are_refused(session, learn):
    with pytest.raises(PrismError, match="not_offered"):
        session.once(f"{learn}([prob(ab,0.3)])")


def test_a_goal_that_zeros_make_impossible(session):
    session.once("fix_sw(c,[0,1])")
    with pytest.raises(PrismError, match="invalid_numeric_value"):
        session.once("learn([prob(a(h),0.3)])")
