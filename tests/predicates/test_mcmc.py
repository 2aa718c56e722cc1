"""MCMC: the estimates are right, the chain draws as PRISM does, options and errors."""

import math
import re

import numpy as np
import pytest

from prism_repl.core.errors import Interrupted
from prism_repl.graph.chain import Chain
from prism_repl.inference import mixing
from prism_repl.inference.mcmc import Words
from prism_repl.model.chance import Random
from tests.support.programs import Program

LETTERS = "values(s,[a,b]).\nvalues(t(_),[a,b,c]).\n"

# Program, prior, goals: hidden data of different kinds, small enough for the exact value.
MODELS = {
    "mixture": ("g(X) :- msw(s,S), msw(t(S),X).\n", "set_sw_all_a(_,1.0)", "[g(a),g(b),g(a),g(c)]"),
    "skewed prior": ("g(X) :- msw(s,S), msw(t(S),X).\n", "set_sw_a(s,[3,1])", "[g(a),g(a),g(c)]"),
    "two draws": ("g(X,Y) :- msw(s,S), msw(t(S),X), msw(t(S),Y).\n", "true", "[g(a,a),g(b,c),g(a,b)]"),
    "same switch twice": ("g(X) :- msw(s,X), msw(s,_).\n", "true", "[g(a),g(b),g(a)]"),
    "sum": (
        "g(N) :- msw(s,X), msw(s,Y), v(X,A), v(Y,B), N is A+B.\nv(a,0).\nv(b,1).\n",
        "true",
        "[g(1),g(1),g(0)]",
    ),
    "chain": (
        "g(L) :- msw(s,S), h(S,L).\nh(_,[]).\nh(S,[X|L]) :- msw(t(S),X), msw(n(S),T), h(T,L).\n"
        "values(n(_),[a,b]).\n",
        "true",
        "[g([a,b]),g([b,b]),g([a,c,a])]",
    ),
    "grammar": (
        "g(L) :- e(L,[]).\ne([a|L],L) :- msw(s,a).\ne(L,M) :- msw(s,b), e(L,K), e(K,M).\n",
        "set_sw_a(s,[2,1])",
        "[g([a]),g([a,a,a])]",
    ),
    "small prior": ("g(X) :- msw(s,S), msw(t(S),X).\n", "set_sw_all_a(_,0.5)", "[g(a),g(b),g(a)]"),
    "open goal": ("g(X,Y) :- msw(s,S), msw(t(S),X), msw(t(S),Y).\n", "true", "[g(a,_),g(X,X),g(b,a)]"),
    "several paths": ("g :- msw(s,a).\ng :- msw(s,b), msw(t(x),a).\n", "true", "[g,g,g]"),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_estimates_agree_with_the_exact_value(tmp_path, name):
    clauses, prior, goals = MODELS[name]
    program = Program(tmp_path, LETTERS + clauses)
    assert program.ask(f"{prior}, set_seed(11)") == [{}]
    exact = program.number(f"marg_exact({goals},P)")
    runs = 20
    found = program.ask(f"ave_marg_mcmc({runs},{goals},[end(3000),burn_in(200),skip(1)],[P,S])")[0]
    error = max(float(found["S"]) / math.sqrt(runs), 1e-9)
    assert abs(float(found["P"]) - exact) < 3 * error, (exact, found)


@pytest.mark.parametrize("scale", ["off", "on"])
def test_the_posterior_of_a_conjugate_model(tmp_path, scale):
    """Two hidden draws of one coin with their sum seen: the counts of the states against all combinations."""
    program = Program(
        tmp_path, "values(c,[0,1]).\ng(N) :- msw(c,X), msw(c,Y), msw(d,Z), N is X+Y+Z.\nvalues(d,[0,1]).\n"
    )
    assert program.ask(
        f"set_prism_flag(log_scale,{scale}), set_seed(5), set_prism_flag(mcmc_message,none)"
    ) == [{}]
    assert program.ask("mcmc([g(1),g(2)],[end(60000),burn_in(100),skip(1)])") == [{}]
    samples = program.m.prob.statistics["mcmc_samples"]
    counts = np.concatenate(list(samples.blocks()))
    weights = {}
    draws = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    for first in draws:
        for second in draws:
            if sum(first) == 1 and sum(second) == 2:
                ones_c, ones_d = first[0] + first[1] + second[0] + second[1], first[2] + second[2]
                p = math.factorial(ones_c) * math.factorial(4 - ones_c) / math.factorial(5)
                p *= math.factorial(ones_d) * math.factorial(2 - ones_d) / math.factorial(3)
                weights[ones_c] = weights.get(ones_c, 0.0) + p
    total = sum(weights.values())
    c_columns = 0 if counts[0, 0] + counts[0, 1] == 4 else 2
    ones = counts[:, c_columns + 1]
    for value, weight in weights.items():
        assert abs((ones == value).mean() - weight / total) < 0.02


def test_predictions_are_differences_of_marginals(tmp_path):
    program = Program(tmp_path, LETTERS + "g(S,X) :- msw(s,S), msw(t(S),X).\n")
    data = "[g(a,a),g(a,b),g(b,c)]"
    program.ask("set_prism_flag(mcmc_message,none), set_sw_a(s,[2,1])")
    predicted = program.number(f"predict_mcmc_full({data},[end(50),burn_in(10)],[g(a,c)],[[_,_,P]])")
    with_goal = program.number(f"marg_exact([g(a,c)|{data}],P)")
    assert math.isclose(predicted, with_goal - program.number(f"marg_exact({data},P)"))


def test_a_switch_that_the_data_do_not_have_is_predicted_by_its_prior(tmp_path):
    program = Program(tmp_path, LETTERS + "g(X) :- msw(s,X).\nh(X) :- msw(t(new),X).\n")
    program.ask("set_prism_flag(mcmc_message,none), set_sw_a(t(new),[2,1,1])")
    assert math.isclose(
        program.number("predict_mcmc_full([g(a)],[end(50),burn_in(10)],[h(a)],[[_,_,P]])"), math.log(0.5)
    )


def test_samples_last_until_the_next_mcmc_or_load(tmp_path):
    program = Program(tmp_path, LETTERS + "g(X) :- msw(s,S), msw(t(S),X).\n")
    program.ask("set_prism_flag(mcmc_message,none), mcmc([g(a),g(b)],[end(100),burn_in(10)])")
    before = program.one("marg_mcmc(X)")
    program.ask("prob(g(a),_), viterbi(g(b),_), marg_exact([g(a)],_), learn([g(a)])")
    assert program.one("marg_mcmc(X)") == before
    assert program.formal("mcmc([g(a)],[end(1),burn_in(2)])") == "domain_error(burn_in,2)"
    assert program.one("marg_mcmc(X)") == before
    program.ask(f"prism('{tmp_path}/program.psm')")
    assert program.formal("marg_mcmc(X)") == "prism_runtime_error(mcmc_unfinished)"


def test_nothing_else_is_drawn_and_nothing_is_set(tmp_path):
    """After a run the generator stands where PRISM's does: two Gaussians for VB's start, then the steps."""
    program = Program(tmp_path, "values(s,[a,b]).\ng :- msw(s,_).\n")
    program.ask("set_prism_flag(mcmc_message,none), set_seed(3)")
    program.ask("mcmc([g,g],[end(20),burn_in(10),skip(1)])")
    left = program.one("random_uniform(X)")
    random = Random(3)
    random.gaussians(2)
    for _ in range(20):  # a goal of two, a path of two, accept or not
        random.below(2)
        random.uniforms(2)
    assert left == repr(random.uniform())
    assert program.one("get_sw(s,_,_,X)") == "[0.5,0.5]"


def test_traces_and_marks(tmp_path):
    program = Program(tmp_path, LETTERS + "g(X) :- msw(s,S), msw(t(S),X).\n")
    program.ask("set_prism_flag(mcmc_message,mcmc), set_prism_flag(mcmc_progress,2)")
    text = program.printed("mcmc([g(a),g(b)],[end(7),burn_in(3),skip(2),trace(s),post_param(t(a),5)])")
    lines = text.splitlines()
    assert lines[0].startswith("#visited: 0     2 ")
    assert [line.lstrip(". ").split()[0] for line in lines[1:-1]] == ["3", "4", "5", "6"]
    assert lines[-1] == ".(7) (Stopped)"
    row = (
        r"\.?     \d +-\d+\.\d{3}  \d \d  : #G = [12],  [*-](             |  R = \d\.\d{3}  )( 0\.\d{3}){%d}"
    )
    for line, drawn in zip(lines[1:-1], (0, 0, 3, 3), strict=True):
        assert re.fullmatch(row % drawn, line), line


def test_several_chains_have_diagnostics(tmp_path):
    program = Program(tmp_path, LETTERS + "g(X) :- msw(s,S), msw(t(S),X).\n")
    options = "[end(4000),burn_in(1000),skip(1),chains(4)]"
    text = program.printed(f"set_seed(1), mcmc([g(a),g(b),g(a)],{options})")
    assert [line for line in text.splitlines() if "#visited" in line][3].startswith("[3] #visited: 0")
    assert "Number of chains: 4" in text
    assert "Split R-hat: 1.0" in text
    assert program.one("mcmc_statistics(mcmc_samples,X)") == str(4 * 3001)
    assert 1000 < program.number("mcmc_statistics(mcmc_ess,P)") < 4 * 3001
    assert program.number("mcmc_statistics(mcmc_r_hat,P)") < 1.01
    assert "mcmc_ess" in program.printed("mcmc_statistics")
    exact = program.number("marg_exact([g(a),g(b),g(a)],P)")
    assert abs(float(program.one("marg_mcmc([_,X])")) - exact) < 0.1
    program.ask("set_prism_flag(mcmc_message,none), mcmc([g(a)],[end(100),burn_in(10)])")
    assert "mcmc_ess" not in program.printed("mcmc_statistics")


def test_mixing_of_known_series():
    random = np.random.default_rng(1)
    independent = random.normal(size=(4, 2000))
    assert 0.8 < mixing.effective_size(independent) / 8000 < 1.2
    assert mixing.split_r_hat(independent) < 1.005
    slow = np.zeros((4, 2000))
    for i in range(1, 2000):
        slow[:, i] = 0.9 * slow[:, i - 1] + random.normal(size=4)
    assert 0.5 < mixing.effective_size(slow) / (8000 * 0.1 / 1.9) < 1.6
    apart = independent + np.array([[0.0], [0.0], [3.0], [3.0]])
    assert mixing.split_r_hat(apart) > 1.5
    assert mixing.effective_size(apart) < 100
    still = np.ones((2, 10))
    assert (mixing.split_r_hat(still), mixing.effective_size(still)) == (1.0, 20.0)


def test_failure_is_refused_and_long_data_need_no_log_scale(tmp_path):
    chain = "g(L) :- msw(s,S), h(S,L).\nh(_,[]).\nh(S,[X|L]) :- msw(t(S),X), msw(s,T), h(T,L).\n"
    more = "failure :- msw(s,a).\nlong(0,[]).\nlong(N,[a,b|L]) :- N > 0, M is N-1, long(M,L).\n"
    program = Program(tmp_path, LETTERS + chain + more)
    program.ask("set_prism_flag(mcmc_message,none)")
    assert program.formal("mcmc([failure,g([a])])") == "prism_runtime_error(failure_in_mcmc)"
    query = "long(600,L), marg_mcmc_full([g(L),g(L)],[end(40),burn_in(10),skip(1)],[V,E])"
    (plain,) = program.ask(f"set_seed(1), {query}")
    (logs,) = program.ask(f"set_prism_flag(log_scale,on), set_seed(1), {query}")
    assert math.isclose(float(plain["E"]), float(logs["E"]), rel_tol=1e-6)


def test_the_same_chain_uncompiled_words(tmp_path):
    """Blocks of random words that are cut anywhere give the same chain."""
    program = Program(tmp_path, LETTERS + "g(X) :- msw(s,S), msw(t(S),X).\n")
    program.ask("set_prism_flag(mcmc_message,none)")
    rows = []
    for options in ("end(60),burn_in(0),skip(1)", "end(60),burn_in(0),skip(1),post_param(s,60)"):
        program.ask(f"set_seed(4), mcmc([g(a),g(b),g(c)],[{options}])")
        rows.append(np.concatenate(list(program.m.prob.statistics["mcmc_samples"].blocks())).tolist())
    assert rows[0] == rows[1]
    words = Words(Random(1))
    assert words(3).tolist() == [1791095845.0, 4282876139.0, 3093770124.0]
    assert Chain.__doc__


def test_an_interrupt_ends_the_chain_and_keeps_the_samples_before(tmp_path, monkeypatch):
    program = Program(tmp_path, LETTERS + "g(X) :- msw(s,S), msw(t(S),X).\n")
    program.ask("set_prism_flag(mcmc_message,mcmc), mcmc([g(a),g(b)],[end(100),burn_in(10)])")
    before = program.one("marg_mcmc(X)")
    steps = []

    def after_step(report):
        steps.append(report.chain.steps)
        program.m.interrupts.interrupted = True

    monkeypatch.setattr("prism_repl.predicates.mcmc_run.Report.after_step", after_step)
    with pytest.raises(Interrupted, match="ctrl_c_pressed"):
        program.ask("mcmc([g(a),g(b)],[end(10000000),burn_in(10)])")
    assert steps[-1] < 200_000
    assert program.output.endswith("(Interrupted)\n")
    assert program.one("marg_mcmc(X)") == before


def test_throwing_switches_once_has_no_mcmc(tmp_path):
    program = Program(tmp_path, LETTERS + "g(X) :- msw(s,X).\n")
    program.ask("set_prism_flag(trials,once)")
    for query in ("mcmc([g(a)])", "marg_exact([g(a)])", "predict_mcmc([g(a)],_)"):
        assert program.formal(query) == "prism_runtime_error(throws_once_in_mcmc)"


def test_cyclic_graphs_have_no_mcmc_and_no_weights(tmp_path):
    program = Program(tmp_path, "values(s,[a,b]).\ng :- msw(s,a).\ng :- msw(s,b), h.\nh :- g.\n")
    program.ask("set_prism_flag(error_on_cycle,off), set_prism_flag(mcmc_message,none)")
    for query in ("mcmc([g])", "marg_exact([g])", "crf_prob(g)", "crf_viterbi(g)"):
        assert program.formal(query) == "prism_runtime_error(cycle_detected)", query
