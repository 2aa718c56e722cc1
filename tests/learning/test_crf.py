"""Generative CRFs: weights against enumeration, gradients against differences, fixed switches, restarts."""

import itertools
import math

import numpy as np
import pytest

from prism_repl.inference.search import search
from prism_repl.learning.crf import CrfProblem
from prism_repl.prolog.reader import read_term
from tests.support.programs import Program

WALK = """
values(then(_),[stroll,climb]).
values(slope(_),[up,flat,down]).
walk(Rs,Ms) :- go(gate,Rs,Ms).
go(_,[],[]).
go(P,[R|Rs],[M|Ms]) :- msw(then(P),M), msw(slope(M),R), go(M,Rs,Ms).
walk(Rs) :- walk(Rs,_).
"""
LAMBDAS = {
    "then(gate)": [0.4, -0.2], "then(stroll)": [0.5, 0.1], "then(climb)": [-0.35, 0.6],
    "slope(stroll)": [-1.0, 0.5, 0.2], "slope(climb)": [1.2, -0.4, -0.6],
}  # fmt: skip
DATA = "[walk([up,flat,down],[climb,stroll,stroll]),count(walk([flat,up,up],[stroll,climb,climb]),3)]"


@pytest.fixture
def walk(tmp_path):
    program = Program(tmp_path, WALK)
    for switch, numbers in LAMBDAS.items():
        assert program.ask(f"set_sw({switch},{numbers})") == [{}], program.output
    return program


def score(readings, moves):
    total, before = 0.0, "gate"
    for reading, move in zip(readings, moves, strict=True):
        total += LAMBDAS[f"then({before})"][["stroll", "climb"].index(move)]
        total += LAMBDAS[f"slope({move})"][["up", "flat", "down"].index(reading)]
        before = move
    return total


@pytest.mark.parametrize("readings", [["up"], ["up", "flat"], ["down", "down", "up", "flat"]])
def test_weights_and_best_explanations(walk, readings):
    text = f"[{','.join(readings)}]"
    all_moves = list(itertools.product(["stroll", "climb"], repeat=len(readings)))
    scores = sorted((score(readings, moves) for moves in all_moves), reverse=True)
    total = sum(map(math.exp, scores))
    assert math.isclose(walk.number(f"crf_prob(walk({text}),P)"), total)
    assert math.isclose(walk.number(f"log_crf_prob(walk({text}),P)"), math.log(total))
    assert math.isclose(walk.number(f"crf_viterbi(walk({text}),P)"), scores[0])
    found = walk.one(f"n_crf_viterbi(100,walk({text}),X)").strip("[]").split(",")
    assert np.allclose([float(x) for x in found], scores)
    best = walk.one(f"crf_viterbig(walk({text},X))").strip("[]").split(",")
    assert math.isclose(score(readings, best), scores[0])


def test_the_gradient_agrees_with_differences(walk):
    m = walk.m
    goals = [
        m.deref(read_term(m, text + " .").cell)
        for text in (
            "walk([up,flat],[climb,stroll])",
            "walk([up,flat])",
            "walk([flat],[stroll])",
            "walk([flat])",
        )
    ]
    found = search(m, goals)
    rng = np.random.default_rng(1)
    n = found.graph.n_instances
    features, lambdas = rng.uniform(0.5, 2.0, n), rng.normal(size=n)
    problem = CrfProblem(found.graph, [0, 2], [1, 3], [2, 1], features, 0.3, None)
    problem.value(lambdas)
    gradient, _ = problem.gradient(lambdas)
    for i in range(n):
        step = np.zeros(n)
        step[i] = 1e-6
        slope = (problem.value(lambdas + step) - problem.value(lambdas - step)) / 2e-6
        assert math.isclose(slope, gradient[i], abs_tol=1e-6)


@pytest.mark.parametrize("mode", ["fg", "lbfgs"])
def test_fixed_switches_are_no_part_of_the_problem(walk, mode):
    walk.ask(f"set_prism_flag(crf_learn_mode,{mode}), set_prism_flag(crf_penalty,1.0)")
    walk.ask("set_prism_flag(epsilon,1.0e-9)")
    walk.ask(f"fix_sw(then(gate),[0.1,0.2]), crf_learn({DATA})")
    assert walk.one("get_sw(then(gate),[_,_,X])") == "[0.1,0.2]"
    other = "lbfgs" if mode == "fg" else "fg"
    before = walk.number("learn_statistics(log_likelihood,P)")
    walk.ask(f"set_prism_flag(crf_learn_mode,{other}), crf_learn({DATA})")
    assert math.isclose(before, walk.number("learn_statistics(log_likelihood,P)"), abs_tol=1e-6)


def test_the_best_restart_is_kept(walk):
    walk.ask("set_prism_flag(restart,5), set_prism_flag(crf_init,random), set_seed(1)")
    walk.ask("set_prism_flag(max_iterate,1)")
    walk.ask(f"set_prism_flag(crf_learn_mode,fg), set_prism_flag(crf_penalty,1.0), crf_learn({DATA})")
    kept = walk.number("learn_statistics(log_likelihood,P)")
    walk.ask("set_prism_flag(restart,1), set_prism_flag(crf_init,none), set_prism_flag(verb,em)")
    walk.ask(f"crf_learn({DATA})")
    assert f"Iteration #0:\tlog_likelihood={kept:.9f}" in walk.output


def test_goals_with_several_explanations_are_learned(tmp_path):
    text = "values(s,[a,b]).\nvalues(t,[a,b,c]).\ng(x,Y) :- msw(s,_), msw(t,Y).\ng(X) :- g(X,_).\n"
    program = Program(tmp_path, text)
    program.ask("set_prism_flag(epsilon,1.0e-10), crf_learn([count(g(x,a),3),g(x,b)])")
    p = program.number("crf_prob(g(x,a),_A), crf_prob(g(x),_B), P is _A/_B")
    assert math.isclose(p, 0.75, abs_tol=1e-3)


def test_overflow_is_an_error_but_not_of_logarithms(walk):
    walk.ask("set_sw(then(gate),[800.0,1.0])")
    assert walk.formal("crf_prob(walk([up]),P)") == "prism_runtime_error(overflow)"
    assert walk.formal("crf_probfi(walk([up]),_)") == "prism_runtime_error(overflow)"
    assert math.isclose(walk.number("log_crf_prob(walk([up]),P)"), 799.0)
    assert walk.number("crf_viterbi(walk([up]),P)") == 800.0 - 1.0
    assert walk.ask(f"crf_learn({DATA})") == [{}]


@pytest.mark.parametrize(
    ("goals", "formal", "text"),
    [
        ("[go(gate,[up],[climb])]", "prism_runtime_error(invalid_goal_argument)", "goal/2 expected -- go("),
        ("[go(gate,[])]", "type_error(probabilistic_atom,go(gate,[]))", "expected -- go(gate,[])"),
        ("[walk([up],_)]", "instantiation_error", "non-ground goal name"),
        ("X", "instantiation_error", "invalid observed data"),
    ],
)
def test_what_cannot_be_learned(walk, goals, formal, text):
    assert walk.formal(f"crf_learn({goals})") == formal
    assert text in walk.output


def test_the_report_may_have_the_graphs(walk):
    walk.ask(f"set_prism_flag(verb,graph), crf_learn({DATA})")
    assert walk.output.count("<<Goal[") == 4  # two goals with their normalisers
    assert (
        walk.output.index("routine ... done") < walk.output.index("<<Goal[0]") < walk.output.index("L-BFGS")
    )


def test_a_run_that_ends_in_an_error_leaves_no_statistics(walk):
    walk.ask(f"crf_learn({DATA})")
    assert walk.all("learn_statistics(X,_)")
    assert walk.formal("crf_learn([walk([up],[run])])") == "prism_runtime_error(explanation_not_found)"
    assert walk.all("learn_statistics(X,_)") == []


def test_a_goal_without_normaliser_is_refused(tmp_path):
    program = Program(tmp_path, "values(s,[a,b]).\ng(x,Y) :- msw(s,Y).\n")
    assert program.formal("crf_learn([g(x,a)])") == "type_error(probabilistic_atom,g(x))"
    assert program.formal("set_sw(s,[0.4,-0.2])") == "domain_error(distribution,[0.4,-0.2])"
