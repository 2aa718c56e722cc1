"""Inference predicates where the recorded sessions do not reach: underflow, warnings, long goals, errors."""

import math

import pytest

from prism_repl.predicates import viterbi
from tests.support.programs import WEATHER, Program


@pytest.fixture
def weather(tmp_path):
    program = Program(tmp_path, WEATHER)
    program.ask("params")
    return program


def test_underflow_of_a_probability(weather):
    assert weather.number("long(2000,G), prob(G,P)") == 0.0
    assert weather.output.startswith("% Warning: probability too small for a float; log_prob")
    assert weather.output.count("\n") == 1
    log = weather.number("long(2000,G), log_prob(G,P)")
    assert -10000 < log < -1000
    assert weather.output == ""
    weather.ask("long(2000,G), prob(G)")
    assert weather.output.endswith(f"is: 0.000000000000000\n% log-probability: {log:.15f}\n")


def test_no_conditional_probabilities_given_the_impossible(tmp_path):
    program = Program(tmp_path, "values(c,[a,b],[1.0,0.0]).\np(X) :- q(X).\nq(X) :- msw(c,X).\n")
    for query in ("chindsight(p(b))", "chindsight(p(b),q(_),_)", "chindsight_agg(p(b),q(query),_)"):
        assert program.formal(query) == "evaluation_error(zero_divisor)"
        assert "the probability of the goal is 0 -- p(b)" in program.output


def test_underflow_of_the_best_explanation(weather):
    assert weather.number("long(2000,G), viterbi(G,P)") == 0.0
    assert "log_scale" in weather.output
    weather.ask("set_prism_flag(log_scale,on)")
    log = weather.number("long(2000,G), viterbi(G,P)")
    assert log < -1000
    weather.ask("set_prism_flag(log_scale,off)")
    (solution,) = weather.ask(
        "long(2000,G), viterbif(G,_,E), viterbi_switches(E,_Ss), length(_Ss,N), E = []; N = 0"
    )
    assert solution["N"] == "0"
    assert (
        weather.number("long(2000,G), viterbif(G,_,_E), viterbi_switches(_E,_Ss), length(_Ss,N)", "N") == 8001
    )
    assert weather.number("long(2000,G), viterbit(G,_,_T), _T = [_,[_|_]|_], N = 1", "N") == 1


def test_hindsight_of_a_long_goal(weather):
    rows = weather.one("long(2000,G), chindsight(G,days(_,[rain]),X)")
    values = [float(part.rstrip("]")) for part in rows.split("),")[1:] for part in [part.split("]")[0]]]
    assert len(values) == 2
    assert math.fsum(values) == pytest.approx(1.0)


def test_a_probability_of_zero_is_no_underflow(weather):
    weather.ask("set_sw(report(calm),[0.0,0.5,0.5]), set_sw(report(storm),[0.0,0.5,0.5])")
    assert weather.number("prob(week([sun]),P)") == 0.0
    assert weather.output == ""
    assert weather.formal("log_prob(week([sun]),_)") == "evaluation_error(undefined)"
    assert weather.formal("chindsight(week([sun]))") == "evaluation_error(zero_divisor)"
    assert "the probability of the goal is 0 -- week([sun])" in weather.output
    weather.ask("set_prism_flag(log_scale,on)")  # there a zero is a number like any other
    assert weather.ask("prob(week([sun]),P), P < -1.0e300") != []
    assert weather.ask("log_prob(week([sun]),P), P < -1.0e300") != []


OVERLAP = "values(c,[0,1],[0.9,0.1]).\nvalues(d,[0,1],[0.8,0.2]).\nx :- msw(c,0).\nx :- msw(d,0).\n"


def test_probabilities_above_one(tmp_path):
    program = Program(tmp_path, OVERLAP)
    assert program.number("prob(x,P)") == pytest.approx(1.7)
    assert program.output.count("\n") == 1
    assert "exclusiveness condition" in program.output
    assert program.output.endswith("-- x\n")
    program.ask("set_prism_flag(warn_exclusiveness,off)")
    assert program.number("prob(x,P)") == pytest.approx(1.7)
    assert program.output == ""


def test_n_best_of_a_long_goal(weather):
    (solution,) = weather.ask("long(100,_G), n_viterbif(1000,_G,_L), length(_L,N), _L = [v_expl(0,P,_)|_]")
    assert solution["N"] == "1000"
    assert float(solution["P"]) == pytest.approx(weather.number("long(100,G), viterbi(G,P)"))
    (solution,) = weather.ask("long(100,_G), n_viterbi(1000,_G,Ps)")
    values = [float(x) for x in solution["Ps"][1:-1].split(",")]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 10


@pytest.mark.parametrize("suffix", ["_p", "_h"])
def test_trees_and_graphs_of_the_n_best_agree(weather, suffix):
    weather.ask(
        f"n_viterbif{suffix}(20,week([sun,rain]),_Es), n_viterbit{suffix}(20,week([sun,rain]),_Ts), "
        "findall(v_tree(K,P,T),(member(v_expl(K,P,E),_Es),viterbi_tree(E,T)),_Made), "
        "write(_Ts), nl, write(_Made), nl"
    )
    given, made = weather.output.splitlines()
    assert given == made
    assert given.count("v_tree(") == 8


def test_printed_explanations_are_those_returned(weather, monkeypatch):
    """Also where there is no room to keep what was printed."""
    printed = []
    for room in (viterbi.TEXT_KEPT, 60, 0):
        monkeypatch.setattr(viterbi, "TEXT_KEPT", room)
        weather.ask("n_viterbif(5,week([sun,rain]))")
        printed.append(weather.output)
    assert printed == [printed[0]] * 3
    weather.ask(
        "n_viterbif(5,week([sun,rain]),_Es), "
        "(member(v_expl(K,P,E),_Es), format('~n#~w~n',[K]), print_graph(E,[lr('<=')]), "
        "format('~nViterbi_P = ~15f~n',[P]), fail ; true)"
    )
    assert weather.output == printed[0]
    weather.ask("n_viterbit(2,week([sun,rain]))")
    printed = weather.output
    weather.ask(
        "n_viterbit(2,week([sun,rain]),_Ts), "
        "(member(v_tree(K,P,T),_Ts), format('~n#~w~n',[K]), print_tree(T), "
        "format('~nViterbi_P = ~15f~n',[P]), fail ; true)"
    )
    assert weather.output == printed


def test_reranking_takes_a_pair(weather):
    weather.ask("set_prism_flag(viterbi_mode,vb)")
    (solution,) = weather.ask("n_viterbi([2,4],week([sun,rain]),Ps)")
    assert len(solution["Ps"].split(",")) == 2
    assert weather.formal("n_viterbi([2,x],week([sun]),_)") == "type_error(integer,x)"
    weather.ask("set_prism_flag(viterbi_mode,ml)")
    assert weather.formal("n_viterbi([2,4],week([sun]),_)") == "type_error(integer,[2,4])"


def test_hyperparameters_rank_explanations(tmp_path):
    """All 64 explanations have the same probability; the candidates must be the likely ones a priori."""
    program = Program(
        tmp_path, "values(c,[0,1]).\ng(0).\ng(N) :- N > 0, msw(c,_), M is N-1, g(M).\n:- set_sw_a(c,[9,1]).\n"
    )
    (solution,) = program.ask("viterbif_h(g(6),P,_E), viterbi_switches(_E,S)")
    assert float(solution["P"]) == pytest.approx(math.log(9 / 15), rel=1e-5)
    assert solution["S"] == "[" + ",".join(["msw(c,0)"] * 6) + "]"
    name, value = program.printed("viterbi_h(g(6))").split(" = ")
    assert (name, float(value)) == ("#0: Viterbi_P", pytest.approx(math.log(9 / 15), rel=1e-14))
    assert program.printed("viterbif_h(g(0))") == "\n#0\ng(0)\n\nViterbi_P = 0.000000000000000\n"


def test_the_instance_explained_by_viterbig(weather):
    (solution,) = weather.ask("viterbig(week([X]),P,[node(G,_)|_])")
    assert (solution["X"], solution["G"]) == ("sun", "week([sun])")
    assert weather.ask("n_viterbig(2,week([snow|_]),_)") == []


AGG = """
values(c,[0,1],[0.25,0.75]).
top :- msw(c,X), sub(X,[a,b,c]-[c],f(g(X))).
sub(X,_,_) :- msw(c,X).
"""


def test_aggregation_patterns(tmp_path):
    program = Program(tmp_path, AGG)
    assert program.one("hindsight_agg(top,sub(_,d_length,depth),[[[X,_]]])") == "sub(*,'DL'-2,'D'-2)"
    assert program.one("hindsight_agg(top,sub(query,ignore,_),X)").count("sub(") == 2
    assert program.formal("hindsight_agg(top,sub(atom,_,_),_)") == "domain_error(atom,1)"
    assert program.formal("hindsight_agg(top,sub(_,length,_),_)") == "domain_error(list,[a,b,c]-[c])"
    assert program.formal("hindsight(top,7,_)") == "type_error(callable,7)"
    assert program.formal("hindsight(nothing,7,_)") == "type_error(probabilistic_atom,nothing)"
    assert program.formal("hindsight_agg(nothing,_)") == "type_error(probabilistic_atom,nothing)"
    assert program.one("hindsight_agg(top,other(_),X)") == "[]"


@pytest.mark.parametrize("word", ["integer", "atom", "compound", "length", "d_length"])
def test_a_variable_is_of_no_kind_that_groups(tmp_path, word):
    program = Program(tmp_path, "values(c,[a,b]).\ntop :- sub(_).\nsub(_) :- msw(c,a).\n")
    assert program.formal(f"hindsight_agg(top,sub({word}),_)") == "instantiation_error"


def test_statistics_of_an_inference(weather):
    assert weather.ask("prism_statistics(num_subgraphs,X)") == []
    weather.ask("prob(week([sun]),_)")
    assert weather.all("graph_statistics(num_subgraphs,X)") == ["5"]
    assert len(weather.all("infer_statistics(X,_)")) == 3


@pytest.mark.parametrize(
    "query",
    [
        "print_graph([a])",
        "print_graph([node(a,b)])",
        "print_graph([node(a,[path([],[],x)],y)])",
        "strip_switches([node(a,[path([],[],0.5)],0.5)],_)",
        "viterbi_switches([a],_)",
        "viterbi_subgoals([node(a,[path(b,c)])],_)",
        "viterbi_tree([f(x)],_)",
    ],
)
def test_what_is_not_a_graph_fails(weather, query):
    assert weather.ask(query) == []
    assert weather.output == ""


@pytest.mark.parametrize(
    "query",
    [
        "print_graph([node(a,[])],[and(3)])",
        "print_tree([a],[indent(0)])",
    ],
)
def test_illegal_options(weather, query):
    assert weather.formal(query) == "prism_runtime_error(unknown_option)"


def test_an_empty_explanation_among_others_is_shown(tmp_path):
    program = Program(tmp_path, "values(c,[a,b]).\nq(X) :- msw(c,X).\nq(a).\n")
    program.ask("probf(q(a))")
    assert program.output == "q(a)\n   <=> msw(c,a)\n     v true\n"


def test_probabilities_of_many_goals(weather):
    goals = ["week([sun])", "week([sun,rain])", "week([never])", "week([sun])"]
    alone = [weather.number(f"prob({goal},P)") if "never" not in goal else 0.0 for goal in goals]
    found = weather.one(f"prob_all([{','.join(goals)}],X)")
    assert [float(x) for x in found.strip("[]").split(",")] == pytest.approx(alone, rel=1e-12)
    assert weather.one("prob_all([],X)") == "[]"
    weather.ask("long(2000,G), prob_all([week([sun]),G],_)")
    assert weather.output.count("probability too small for a float") == 1
    weather.ask("set_prism_flag(log_scale,on)")
    logs = weather.one("prob_all([week([sun]),week([never])],X)")
    assert logs.endswith(",-1.0Inf]")
    assert float(logs.strip("[]").split(",")[0]) == pytest.approx(math.log(alone[0]))


def test_probabilities_of_many_goals_with_switches_thrown_once(weather):
    """Decision diagrams: each goal has its own."""
    weather.ask("set_prism_flag(trials,once)")
    alone = [weather.number(f"prob({goal},P)") for goal in ("week([sun])", "week([sun,rain])")]
    found = weather.one("prob_all([week([sun]),week([sun,rain])],X)")
    assert [float(x) for x in found.strip("[]").split(",")] == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("mode", ["ml", "vb"])
def test_best_explanations_of_many_goals(weather, mode):
    weather.ask(f"set_prism_flag(viterbi_mode,{mode}), set_sw_all_a(_,0.7)")
    goals = ["week([sun])", "week([rain,wind])", "week([never])"]
    alone = [weather.one(f"viterbif({goal},P,E), X = v_expl({goal},P,E)") for goal in goals[:2]]
    found = weather.one(f"viterbif_all([{','.join(goals)}],X)")
    assert found == f"[{','.join(alone)},v_expl(week([never]),0.0,[])]"
    assert weather.one("viterbif_all([week([never])],X)") == "[v_expl(week([never]),0.0,[])]"


@pytest.mark.parametrize(
    ("query", "formal"),
    [
        ("viterbif_all([foo],_)", "type_error(probabilistic_atom,foo)"),
        ("prob_all(week([sun]),_)", "type_error(list,week([sun]))"),
        ("prob_all(_,_)", "instantiation_error"),
        ("log_prob_all([week([sun]),nothing],_)", "type_error(probabilistic_atom,nothing)"),
    ],
)
def test_what_are_no_goals(weather, query, formal):
    assert weather.formal(query) == formal
