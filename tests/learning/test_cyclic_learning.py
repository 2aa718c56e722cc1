"""Learning on graphs with cycles: objectives never fall, numbers stay finite, closed forms are met."""

import math
import re

import numpy as np
import pytest

from prism_repl import Session
from prism_repl.graph.graph import build_graph
from prism_repl.inference.sums import Sums
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.loop import learn
from prism_repl.learning.problem import LearningError, LearnOptions, SwitchNumbers
from prism_repl.model.chance import Random
from tests.graph.cyclic_graphs import parameters, random_cyclic_graph, tables
from tests.support.programs import Program

MODES = ["ml", "vb", "both", "ml_vt", "vb_vt", "both_vt"]


class Objectives(LearnEvents):
    def __init__(self):
        self.values = []

    def evaluated(self, iteration, objective, likelihood, prior):
        self.values.append(objective)


def numbers_for(graph, theta, delta):
    free = np.zeros(graph.n_switches, dtype=bool)
    return SwitchNumbers(theta, np.full(graph.n_instances, delta), free, free)


@pytest.mark.parametrize("log_scale", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_objectives_never_fall(mode, log_scale):
    cyclic = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        graph = random_cyclic_graph(rng, linear=seed % 2 == 0)
        cyclic += graph.components is not None
        delta = 0.5 if mode.endswith("vt") or seed % 3 == 0 else 0.0
        start = numbers_for(graph, parameters(graph, rng, ending=0.6), delta)
        seen = Objectives()
        options = LearnOptions(mode=mode, init="none", max_iterate=30, log_scale=log_scale)
        result = learn(graph, start, options, Random(seed), seen)
        steps = np.diff(seen.values)
        assert (steps >= -1e-9 * (1.0 + np.abs(seen.values[:-1]))).all()
        for array in (result.theta, result.alpha, result.counts):
            assert array is None or np.isfinite(array).all()
        assert math.isfinite(result.objective)
    assert cyclic > 20


def test_a_fixed_point_of_em_has_no_gradient():
    """At the end of EM the likelihood does not change when probability is moved between two outcomes."""
    rng = np.random.default_rng(7)
    graph = random_cyclic_graph(rng, n_nodes=4)
    assert graph.components is not None
    options = LearnOptions(init="none", epsilon=1e-13, max_iterate=20000)
    theta = learn(graph, numbers_for(graph, parameters(graph, rng, 0.5), 0.1), options, Random(1)).theta

    def posterior(theta):
        inference = Sums(graph, theta)
        likelihood = sum(n * inference.probability(i).log for i, n in enumerate(graph.counts.tolist()))
        return likelihood + 0.1 * np.log(theta).sum()

    for a, b in zip(graph.switch_instances[:-1], graph.switch_instances[1:], strict=True):
        moved = theta.copy()
        step = 1e-4 * theta[a : a + 2].min()
        assert b - a >= 2
        moved[a] += step
        moved[a + 1] -= step
        assert (posterior(moved) - posterior(theta)) / step == pytest.approx(0.0, abs=2e-2)


def test_restarts_and_threads():
    rng = np.random.default_rng(9)
    graph = random_cyclic_graph(rng, n_nodes=6)
    start = numbers_for(graph, parameters(graph, rng, 0.5), 0.0)
    results = [
        learn(graph, start, LearnOptions(restart=6, max_iterate=20, threads=threads), Random(3))
        for threads in (1, 2)
    ]
    assert results[0].theta.tolist() == results[1].theta.tolist()
    assert results[0].best_run == results[1].best_run


def test_an_infinite_sum_is_an_error_that_says_so():
    graph = build_graph([0], *tables([[([0], []), ([], [0])]], [2]))
    with pytest.raises(LearningError, match="no finite sum"):
        learn(graph, numbers_for(graph, np.array([0.5, 0.5]), 0.0), LearnOptions(init="none"), Random(1))


DEUCE = """
:- set_prism_flag(error_on_cycle,off), set_prism_flag(learn_message,none), set_prism_flag(epsilon,1.0e-13).
values(point,[ann,bea],[0.6,0.4]).
game(W) :- score(deuce,W).
score(won(W),W).
score(deuce,W) :- msw(point,P), score(adv(P),W).
score(adv(A),W) :- msw(point,P), ( P == A -> score(won(A),W) ; score(deuce,W) ).
"""


@pytest.mark.parametrize("predicate", ["learn", "lin_learn"])
def test_a_game_with_deuce(tmp_path, predicate):
    """P(ann wins) = p^2/(p^2+q^2): the estimate from 7:3 has a closed form."""
    program = Program(tmp_path, DEUCE)
    program.ask(f"{predicate}([count(game(ann),7),count(game(bea),3)])")
    (solution,) = program.ask("get_sw(point,[_,_,[P,_]]), X is P")
    expected = math.sqrt(7 / 3) / (1 + math.sqrt(7 / 3))
    assert float(solution["X"]) == pytest.approx(expected, rel=1e-5)
    assert program.number("prob(game(ann),P)") == pytest.approx(0.7, rel=1e-6)


def test_a_path_beside_its_own_component(tmp_path):
    """Where PRISM's lin_learn has no derivative for the neighbour (step/2) and ends with NaN."""
    program = Program(
        tmp_path,
        ":- set_prism_flag(error_on_cycle,off), set_prism_flag(init,none).\n"
        "values(run(nest),[nest,loft,drain],[0.2,0.5,0.3]).\nvalues(run(loft),[nest,larder],[0.6,0.4]).\n"
        "values(run(drain),[nest,garden],[0.7,0.3]).\n"
        "step(R,N) :- msw(run(R),N).\nflee(E,E) :- ( E == garden ; E == larder ), !.\n"
        "flee(R,E) :- R \\== garden, R \\== larder, step(R,N), flee(N,E).\n",
    )
    goals = "[count(flee(nest,garden),2),flee(nest,larder),flee(loft,larder),count(flee(drain,garden),2)]"
    program.ask(f"lin_learn({goals})")
    assert "#cyc-em-iters: 0....(42) (Converged: -1.910006573)" in program.output
    program.ask("show_sw")
    assert "nest (p: 0.200000000) loft (p: 0.266420348) drain (p: 0.533579652)" in program.output


def test_nonlinear_graphs_learn(tmp_path):
    program = Program(
        tmp_path,
        ":- set_prism_flag(error_on_cycle,off), set_prism_flag(init,none), set_prism_flag(verb,em).\n"
        "values(germ,[split,die,lost],[0.4,0.3,0.3]).\n"
        "gone :- msw(germ,X), gone(X).\ngone(die).\ngone(split) :- gone, twin.\ntwin :- gone.\n",
    )
    program.ask("lin_learn([count(gone,3)])")
    assert "iteration #0:\tlog_likelihood=-3.161385610" in program.output
    (solution,) = program.ask("get_sw(germ,[_,_,Ps])")
    assert solution["Ps"].endswith(",0.0]")


WALK = """
:- set_prism_flag(error_on_cycle,off).
values(m,[up,down,stop],[0.3,0.5,0.2]).
values(b,[two,none],[0.3,0.7]).
w(0).
w(N) :- N > 0, N < 4, msw(m,X), ( X == up -> M is N+1, w(M) ; X == down -> M is N-1, w(M) ; true ).
t :- msw(b,X), ( X == two -> t, t ; true ).
"""


@pytest.mark.parametrize("level", range(5))
def test_details_of_cycles(tmp_path, level):
    """What the flag scc_debug_level shows of learning and of Viterbi explanations."""
    (tmp_path / "walk.psm").write_text(WALK)
    printed = []
    session = Session(printed.append)
    session.prism(tmp_path / "walk.psm")
    session.once(f"set_prism_flag(scc_debug_level,{level})")
    session.once("set_prism_flag(max_iterate,3)")
    queries = (
        ("lin_learn([w(2),w(1)])", 1),
        ("sgd_learn([w(2),w(1)])", 1),
        ("rank_learn([[w(2),w(1)]])", 1),
        ("cyc_vlearn_p([t,w(2)])", 2),
        ("viterbi(w(2),_)", None),
    )
    for query, order in queries:
        printed.clear()
        session.once(query)
        text = "".join(printed)
        assert ("CPU time (scc,solution,all)" in text) == (level >= 1)
        assert (f"max SCC size : 3\nmax order : {order}\n" in text) == (level >= 1 and order is not None)
        assert ("check SCCs\n[OK] SCCs\n[OK] SCC order\n" in text) == (level >= 2)
        assert ("# linear equation \n" in text) == (level >= 2 and order == 1)
        assert ("non-linear viterbi: " in text) == (level >= 2 and order != 1)
        assert ("equations\n# x[0] : " in text) == (level >= 3)
        if level >= 3:  # each switch instance has a number of its own
            equations = text[text.index("equations\n") : text.index("check SCCs")]
            assert set(re.findall(r"\((\d+)\)", equations)) == set("01234" if order == 2 else "012")
    printed.clear()
    session.once("viterbi(t,_)")
    assert ("non-linear viterbi: \n0:1.000000\n" in "".join(printed)) == (level >= 2)
    assert ("0:(0,0)\n" in "".join(printed)) == (level >= 3)
    session.once("set_prism_flag(restart,3)")
    session.once("set_prism_flag(max_iterate,2)")
    printed.clear()
    session.once("lin_learn([w(2),w(1)])")
    shown = "".join(printed).count("### compute inside\n")
    assert shown == (9 if level == 4 else 0)  # three times before, between and after two updates
    assert "".join(printed).count("\nmsw(m,stop):") == shown


def test_annealing_on_cycles(tmp_path):
    """Below the temperature 1 parameters sum to more than 1."""
    program = Program(tmp_path, WALK)
    program.printed("set_prism_flag(daem,on), set_prism_flag(init,none)")
    assert "no_finite_probability" in program.ask("learn([w(2)])")
    assert "the flag daem" in program.output
    assert program.ask("lin_learn([w(2)])")
