"""Tables that are dropped, and searches that begin, while tabled calls run: what is in use stays."""

import pytest

from tests.support.programs import Program

DROPPED = """
:- table t/1.
t(0).
t(N) :- N > 0, M is N-1, t(M), ( N =:= 250 -> initialize_table ; true ).
:- table u/1.
u(0) :- initialize_table.
u(N) :- N > 0, M is N-1, u(M).
:- table reach/2.
reach(X,Y) :- edge(X,Y).
reach(X,Y) :- reach(X,Z), initialize_table, edge(Z,Y).
edge(1,2). edge(2,3). edge(3,1).
:- table letter/1.
letter(X) :- member(X,[a,b,c,d]).
"""


@pytest.fixture(scope="module")
def dropped(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("dropped"), DROPPED)


def test_tables_are_dropped_while_calls_run(dropped):
    assert dropped.ask("t(5000)") == [{}]
    assert dropped.ask("u(5000)") == [{}]
    assert sorted(dropped.all("reach(1,X)")) == ["1", "2", "3"]
    assert dropped.ask("t(6000)") == [{}]


def test_answers_that_are_left_survive(dropped):
    assert dropped.all("letter(X), initialize_table, t(3000)") == ["a", "b", "c", "d"]
    assert dropped.all("letter(X), initialize_table, letter(Y), Y = b") == ["a", "b", "c", "d"]


CHAIN = """
values(c,[h,t]).
r(0) :- msw(c,_).
r(N) :- N > 0, M is N-1, msw(c,h), r(M).
:- table u/2.
u(0,P) :- prob(r(3),P).
u(N,P) :- N > 0, M is N-1, u(M,P).
:- table down/2.
down(0,1) :- !.
down(N,P) :- M is N-1, prob(r(N),P0), down(M,P1), P is P0+P1.
:- table up/2.
up(0,1).
up(N,P) :- N > 0, M is N-1, up(M,P1), prob(r(N),P0), P is P0+P1.
:- table best/1.
best(P) :- viterbi(r(3),P).
best(P) :- learn([r(3)]), P = 1.
:- table letter/1.
letter(X) :- member(X,[a,b,c,d]).
inner(N) :- msw(c,h), prob(r(N),P), P > 0.2, r(1).
again(N) :- r(N), prob(again2(N),P), P > 0, r(N).
again2(N) :- r(N), msw(c,t).
left(X) :- left(Y), prob(r(Y),_), X is Y+1, X =< 3, msw(c,h).
left(0) :- msw(c,t).
itself(N) :- msw(c,_), prob(itself(N),_).
"""


@pytest.fixture(params=["on", "off"])
def chain(request, tmp_path):
    program = Program(tmp_path, CHAIN)
    program.ask(f"set_prism_flag(clean_table,{request.param}), set_prism_flag(learn_message,none)")
    return program


def test_inference_in_a_tabled_call(chain):
    assert chain.number("u(5000,P)") == 0.125
    assert chain.number("down(5,P)") == chain.number("up(5,P)") == 1.96875
    assert chain.all("best(P)", "P") == ["0.0625", "1"]
    assert chain.all("letter(X), prob(r(2),_)") == ["a", "b", "c", "d"]


def test_inference_in_a_search(chain):
    assert chain.number("prob(inner(2),P)") == 0.25
    assert chain.number("prob(inner(3),P)") is None
    assert chain.number("prob(again(1),P)") == 0.25
    assert chain.number("prob(r(3),P)") == 0.125


def test_a_search_within_a_component(chain):
    """The inner search meets calls that the outer one has not finished; then that one goes on."""
    assert [chain.number(f"prob(left({n}),P)") for n in range(4)] == [0.5, 0.25, 0.125, 0.0625]


def test_searches_without_end_are_an_error(chain):
    assert chain.formal("prob(itself(1),_)").startswith("resource_error")
    assert chain.number("prob(r(3),P)") == 0.125


EFFECTS = """
values(c,[h,t]).
values(d(_),[a,b,z]).
:- dynamic(cnt/1).
q(X) :- msw(d(X),_).
r(0) :- msw(c,_).
r(N) :- N > 0, M is N-1, msw(c,_), r(M).
e(1) :- msw(c,X), initialize_table, q(X), r(5).
e(2) :- msw(c,X), garbage_collect, q(X), r(50).
e(5) :- msw(c,X), set_sw(c,[0.3,0.7]), q(X), set_sw(d(X),[0.2,0.3,0.5]).
e(8) :- msw(c,X), catch((r(5),throw(oops)),_,true), r(7), q(X).
e(11) :- msw(c,X), prob(r(5),_), q(X).
e(13) :- msw(c,X), learn([r(5)]), q(X).
e(16) :- msw(c,X), set_prism_flag(clean_table,off), q(X), r(3).
e(18) :- msw(c,X), catch(deep(6),deep(_),true), q(X), r(4).
e(24) :- msw(c,X), retractall(cnt(_)), forall(between(1,3000,I),assertz(cnt(I))),
         cnt(J), J =< 1, retractall(cnt(_)), q(X).
e(29) :- msw(c,X), reset_prism_flags, q(X), r(5).
e(33) :- msw(c,X), random_set_seed(1), probf(q(X)), q(X).
deep(N) :- msw(c,X), ( X = h -> M is N-1, M > 0, deep(M) ; throw(deep(N)) ).
wrong(3) :- msw(c,X), consult('no such file'), q(X).
wrong(4) :- msw(c,X), prism(program), q(X).
wrong(6) :- msw(c,X), assertz((r(X) :- msw(c,_))), r(X).
wrong(30) :- msw(c,X), dynamic(r/1), q(X), r(5).
wrong(32) :- msw(c,X), msw(d(f(X,_)),_).
"""


def test_effects_in_a_search(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = Program(tmp_path, EFFECTS)
    for number in (1, 2, 5, 8, 11, 13, 16, 18, 24, 29, 33):
        assert program.number(f"prob(e({number}),P)") == pytest.approx(1), number
        assert program.number("prob(r(3),P)") == pytest.approx(1), number
    for number in (3, 4, 6, 30, 32):
        assert program.ask(f"prob(wrong({number}),P)").startswith("error("), number
        assert program.number("prob(r(3),P)") == pytest.approx(1), number


def test_a_look_that_needs_too_much_heap_is_given_up(tmp_path):
    program = Program(
        tmp_path,
        """
        values(s,[a,b]).
        r(L) :- p(L).
        p([X|_]) :- loop(150000,z), msw(s,X).
        loop(0,_) :- !.
        loop(N,_) :- M is N-1, loop(M,f(N,g(N),h(N))).
        """,
    )
    assert program.number("prob(r([a,b]),P)") == 0.5
    assert program.number("prob(r([b,b]),P)") == 0.5


@pytest.mark.parametrize("count", [(1 << 23) - 4, (1 << 31) - 4, (1 << 32) - 4])
def test_a_session_may_be_long(tmp_path, count):
    """What tells old words from valid ones has room for any number of inferences."""
    program = Program(tmp_path, "values(c,[h,t]).\np([X|_]) :- q(X).\nq(X) :- msw(c,X).\n")
    m = program.m
    m.tabling.tables.epoch = m.tabling.shortcuts.index.generation = m.outcomes.generation = (
        m.tabling.tables.goal_number
    ) = count
    for _ in range(12):
        assert program.number("prob(p([h,h]),P)") == 0.5
        assert program.number("prob(p([x]),P)") is None
        assert program.number("viterbi(p([t]),P)") == 0.5
    assert m.outcomes.generation > count + 12


def test_answers_of_general_and_of_special_calls(tmp_path):
    """The answers of p(_) and of p(1) that are p(1) have different explanations."""
    program = Program(
        tmp_path,
        """
        values(c,[h,t]).
        p(_) :- msw(c,h).
        p(1) :- msw(c,t).
        q1 :- p(_), p(1).
        q2 :- p(1), p(_).
        s(X) :- msw(c,X).
        both :- s(_), s(h).
        """,
    )
    assert program.number("prob(p(1),P)") == program.number("prob(p(_),P)") == 1
    assert program.number("prob(q1,P)") == program.number("prob(q2,P)") == 1
    program.ask("set_prism_flag(clean_table,off)")
    assert program.number("prob(q2,P)") == program.number("prob(q1,P)") == 1
    # where they have the same ones, they are shown once
    assert program.printed("probf(both)").count("\ns(h)\n") == 1


COMPUTED = """
values(c,[h,t]).
values(by_prob,L) :- prob(pc(h),P), ( P > 0.4 -> L = [a,b] ; L = [a] ).
values(by_viterbi,L) :- viterbif(pc(h),_,_), L = [a,b].
values(by_learning,L) :- learn([pc(h)]), L = [a,b].
values(by_table,L) :- findall(X,letter(X),L), initialize_table.
values(dropping,L) :- initialize_table, L = [a,b].
values(looking,L) :- hindsight(r(2),r(_),_), L = [a,b].
:- table letter/1.
letter(a). letter(b).
pc(X) :- msw(c,X).
r(0) :- msw(c,_).
r(N) :- N > 0, M is N-1, msw(c,_), r(M).
early(S) :- msw(S,a), pc(h).
between(S) :- r(3), msw(S,a), r(4).
late(0,S) :- msw(S,a).
late(N,S) :- N > 0, M is N-1, msw(c,X), ( X == h -> true ; r(N) ), late(M,S).
deep(0,S) :- msw(S,a).
deep(N,S) :- N > 0, M is N-1, deep(M,S), msw(c,_).
"""


@pytest.mark.parametrize("clean", ["on", "off"])
@pytest.mark.parametrize(
    "switch", ["by_prob", "by_viterbi", "by_learning", "by_table", "dropping", "looking"]
)
def test_outcomes_that_a_search_computes(tmp_path, switch, clean):
    """The search for the outcomes of a switch begins within the one that meets it, and when that is over."""
    program = Program(tmp_path, COMPUTED)
    program.ask(f"set_prism_flag(verb,none), set_prism_flag(clean_table,{clean})")
    for goal, probability in (
        (f"early({switch})", 0.25),
        (f"between({switch})", 0.5),
        (f"late(300,{switch})", 0.5),
        (f"deep(300,{switch})", 0.5),
    ):
        if switch == "by_learning":  # then pc(h) is certain
            probability = 0.5
        for _ in range(2):
            assert program.number(f"prob({goal},P)") == pytest.approx(probability), goal
        assert program.number(f"viterbi({goal},P)") > 0
