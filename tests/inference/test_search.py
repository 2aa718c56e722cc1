"""Explanation search end to end: what is searched, what is refused, what is left behind."""

import os
import signal

import pytest

from prism_repl.tabling.explanations import forget_terms
from tests.support.programs import WEATHER, Program

LOOP = """
values(c,[0,1]).
a(X) :- msw(c,X).
a(X) :- b(X).
b(X) :- a(X).
ok(X) :- msw(c,X).
thrower(X) :- msw(c,X), ok(X), throw(ball).
picky(X) :- msw(c,X), ( catch(never(X),_,fail) -> true ; ok(X) ).
never(_) :- throw(ball).
forever(X) :- msw(c,X), turn.
turn :- turn.
loose(f(X,_)) :- msw(c,X).
"""


@pytest.fixture
def weather(tmp_path):
    program = Program(tmp_path, WEATHER)
    program.ask("params")
    return program


@pytest.fixture
def loop(tmp_path):
    return Program(tmp_path, LOOP)


def test_goals_that_are_refused(weather):
    assert weather.formal("prob(_,_)") == "instantiation_error"
    assert weather.formal("prob(7,_)") == "type_error(callable,7)"
    assert weather.formal("prob(plain(1),_)") == "type_error(probabilistic_atom,plain(1))"
    assert weather.formal("viterbif(nothing,_,_)") == "type_error(probabilistic_atom,nothing)"
    assert weather.one("catch(prob(plain(1),_),error(_,X),true)") == "(prob)/2"
    assert weather.one("catch(n_viterbig(2,plain(1),_),error(_,X),true)") == "n_viterbig/3"


def test_a_probabilistic_predicate_that_is_not_tabled(tmp_path):
    program = Program(tmp_path, ":- p_not_table b/1.\nvalues(c,[0,1]).\na(X) :- b(X).\nb(X) :- msw(c,X).\n")
    assert program.number("prob(a(0),P)") == 0.5
    assert program.formal("prob(b(0),_)") == "type_error(tabled_probabilistic_atom,b(0))"


def test_switches_are_goals(weather):
    assert weather.number("prob(msw(first,calm),P)") == pytest.approx(0.6)
    assert weather.number("prob(msw(first,_),P)") == pytest.approx(1.0)
    assert weather.ask("prob(msw(first,hail),P)") == []
    assert weather.ask("viterbig(msw(report(storm),X))") == [{"X": "wind"}]
    assert weather.printed("probf(msw(first,_))").endswith("<=> msw(first,calm)\n     v msw(first,storm)\n")


def test_a_value_that_occurs_twice_among_the_outcomes(tmp_path):
    program = Program(tmp_path, "values(k,[a,a,b]).\nkk(X) :- msw(k,X).\nka :- msw(k,a).\n")
    for goal in ("kk(a)", "ka", "ka", "msw(k,a)"):
        assert program.number(f"prob({goal},P)") == pytest.approx(2 / 3)
    assert program.number("prob(kk(_),P)") == pytest.approx(1)
    assert program.number("prob(kk(b),P)") == pytest.approx(1 / 3)


def test_a_switch_that_different_calls_follow(tmp_path):
    """Trying the outcomes for whole/3 within front/2 must not say what front/2 has still to try."""
    program = Program(
        tmp_path,
        ":- set_prism_flag(error_on_cycle,off).\n"
        "values(hike,[[hike],[walk],[walk,rest]],[0.3,0.5,0.2]).\n"
        "top(As) :- fronts([hike,camp],As).\nfront(walk,[walk]).\n"
        "front(hike,As) :- msw(hike,Body), fronts(Body,As).\n"
        "fronts([X|_],As) :- front(X,As).\nfronts([X|_],As) :- whole(X,As,_), fail.\n"
        "whole(walk,[walk|R],R).\nwhole(hike,As,Rest) :- msw(hike,Body), wholes(Body,As,Rest).\n"
        "wholes([],As,As).\nwholes([X|Xs],As,Rest) :- whole(X,As,Mid), wholes(Xs,Mid,Rest).\n",
    )
    assert program.number("prob(top([walk]),P)") == pytest.approx(1.0)


def test_a_cycle_is_named(loop):
    assert loop.formal("prob(a(0),_)") == "prism_runtime_error(cycle_detected)"
    assert "cyclic explanation graph -- a(0) -> b(0) -> a(0)" in loop.output
    assert loop.formal("learn([a(0)])") == "prism_runtime_error(cycle_detected)"
    assert loop.number("prob(ok(0),P)") == 0.5


def test_a_cycle_can_be_shown_but_has_no_finite_sum(loop):
    loop.ask("set_prism_flag(error_on_cycle,off)")
    assert loop.printed("probf(a(0))") == "a(0)\n   <=> msw(c,0)\n     v b(0)\nb(0)\n   <=> a(0)\n"
    for query in ("prob(a(0),_)", "probfi(a(0))", "probfo(a(0),_)", "hindsight(a(0))"):
        assert loop.formal(query) == "evaluation_error(non_solvable)"
    assert loop.formal("learn([a(0)])") == "prism_runtime_error(no_finite_probability)"


def test_an_exception_leaves_no_half_made_table(loop):
    loop.ask("set_prism_flag(clean_table,off)")
    assert loop.ask("prob(thrower(0),P)") == "ball"
    assert loop.number("prob(ok(0),P)") == 0.5
    assert loop.ask("prob(thrower(0),P)") == "ball"
    assert loop.number("prob(picky(0),P)") == 0.25


def test_an_interrupt_leaves_no_half_made_table(loop):
    loop.ask("set_prism_flag(clean_table,off)")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)  # SIGINT itself may be ignored here
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            loop.ask("prob(forever(0),P)")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert loop.m.stacks.mode == 0
    assert loop.number("prob(ok(0),P)") == 0.5


def test_inference_inside_a_search(tmp_path):
    program = Program(tmp_path, "values(c,[0,1]).\na(X) :- msw(c,X), prob(b(X),_).\nb(X) :- msw(c,X).\n")
    assert program.number("prob(a(0),P)") == 0.5
    assert program.number("prob(b(0),P)") == 0.5


def test_answers_that_are_not_ground(loop):
    graph = loop.printed("probf(loose(_))")
    assert graph.count("loose(f(0,_") == 2  # in the path of the top goal, and as a node
    assert loop.number("prob(loose(_),P)") == 1.0
    assert loop.number("prob(loose(f(1,_)),P)") == 0.5


def test_a_variant_answer_is_the_goal_itself(tmp_path):
    program = Program(tmp_path, "values(c,[0,1]).\na(_) :- msw(c,0).\n")
    assert program.printed("probf(a(_),_G), length(_G,1), print_graph(_G)").count("msw(c,0)") == 1


def test_clean_table_off_keeps_the_tables(weather):
    weather.ask("set_prism_flag(clean_table,off)")
    assert weather.number("prob(week([sun]),P)") == pytest.approx(0.46)
    nodes = weather.m.tabling.tables.node_count
    assert weather.number("prob(week([sun]),P)") == pytest.approx(0.46)
    assert weather.m.tabling.tables.node_count == nodes
    weather.ask("set_sw(first,[1.0,0.0])")
    assert weather.number("prob(week([sun]),P)") == pytest.approx(0.7)


def test_kept_tables_do_not_hide_that_outcomes_have_changed(tmp_path):
    program = Program(
        tmp_path,
        ":- dynamic menu/1.\nmenu([soup,pie]).\nvalues(dish,L) :- menu(L).\nvalues(coin,[h,t]).\n"
        "order(X) :- msw(dish,X).\ntoss(X) :- msw(coin,X).\n"
        "change(L) :- retractall(menu(_)), ( L == none -> true ; assertz(menu(L)) ).\n",
    )
    program.ask("set_prism_flag(clean_table,off)")
    assert program.number("prob(order(pie),P)") == 0.5
    for change in ("change([soup,pie,stew])", "change(none)", "change([_|_])"):
        program.ask(change)
        for goal in ("order(stew)", "order(pie)"):
            assert program.formal(f"prob({goal},_)").startswith(("prism_runtime_error(mod", "existence_err"))
        assert program.number("prob(toss(h),P)") == 0.5
    program.ask("change([soup,pie])")
    assert program.number("prob(order(pie),P)") == 0.5


def test_encoded_graphs_can_be_decoded(weather):
    query = (
        "probef(week([sun]),[node(N,[path(_,[S|_])|_])|_],Gs,Ss), "
        "hashtable_get(Gs,N,G), hashtable_get(Ss,S,V)"
    )
    (solution,) = weather.ask(query)
    assert (solution["G"], solution["V"]) == ("week([sun])", "msw(first,calm)")
    query = "probef(week([sun]),[node(N,_)|_]), get_subgoal_hashtable(T), hashtable_get(T,N,X)"
    assert weather.one(query) == "week([sun])"
    query = "probef(week([_]),[node(N,_)|_],T,_), hashtable_get(T,N,X)"
    assert weather.one(query).startswith("week([_")


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.unchecked  # sanitizers keep what is freed
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_many_queries_do_not_grow_the_process(weather):
    def ask(times):
        for i in range(times):
            assert weather.ask(f"prob(week([sun,rain,wind,{'sun,' * (i % 3)}sun]),P)")
            forget_terms(weather.m)

    ask(300)
    before = resident()
    ask(1000)
    assert resident() - before < 5_000_000  # the allocator may keep some


def test_work_grows_with_the_length_only_linearly(weather):
    def calls(n):
        before = weather.m.call_count()
        assert weather.ask(f"long({n},G), log_prob(G,P)", limit=1)
        return weather.m.call_count() - before

    calls(50)
    assert calls(4000) < 12 * calls(400)
