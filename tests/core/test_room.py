"""Room on the heap and the trail: whatever follows a return finds it, and so do clauses of any size."""

import pytest

from prism_repl import Session
from tests.support.sizes import sized

PROGRAM = """
len([],z).
len([_|T],N) :- len(T,M), N = s(M).
app([],Y,Y).
app([X|T],Y,Z) :- app(T,Y,W), Z = [X|W].
tree(0,leaf) :- !.
tree(N,T) :- M is N-1, tree(M,L), T = t(L,N,L).
tr([],_).
tr([_|T],[N|Ns]) :- tr(T,Ns), N = a.
flen([],0.0).
flen([_|T],N) :- flen(T,M), N is M+1.0.
blen([],100000000000000000000).
blen([_|T],N) :- blen(T,M), N is M+1.
fun([],_).
fun([_|T],X) :- fun(T,X), functor(_,f,3).
univ([],_).
univ([_|T],X) :- univ(T,X), _ =.. [f,a,b].
cp([],_).
cp([_|T],X) :- cp(T,X), copy_term(f(_,_,_),_).
ar([],_).
ar([_|T],X) :- ar(T,X), arg(1,f(g(_,_)),_).
ite([],_).
ite([_|T],X) :- ite(T,X), ( X == a -> Y = f(X,X,X) ; Y = g(X,X,X) ), Y \\== b.
cmp([],_).
cmp([_|T],X) :- cmp(T,X), f(X,Y,Y) \\== g(X).
ref([],_).
ref([_|T],X) :- ref(T,X), fact(_), f(_,_,_) = f(X,X,X).
:- dynamic(fact/1).
fact(f(_,_,_,_)).
"""

LONG = sized(200_000)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    path = tmp_path_factory.mktemp("room") / "returns.pl"
    path.write_text(PROGRAM)
    session = Session(output=lambda text: None)
    session.consult(path)
    return session


@pytest.mark.parametrize(
    "goal",
    [
        "len(L,R), functor(R,s,1)",
        f"app(L,[],R), length(R,{LONG})",
        f"flen(L,R), R =:= {LONG}",
        f"blen(L,R), R =:= {10**20 + LONG}",
        "fun(L,R)",
        "univ(L,R)",
        "cp(L,R)",
        "ar(L,R)",
        "ite(L,R)",
        "cmp(L,R)",
        "ref(L,R)",
        f"length(M,{LONG}), ( tr(L,M) ; true ), R = M",
        f"( length(M,{LONG}), ( true ; true ), tr(L,M), fail ; R = none )",
    ],
)
def test_work_after_deep_returns(session, goal):
    assert session.once(f"numlist(1,{LONG},L), {goal}, K = 1")["K"] == 1


def test_a_clause_that_builds_much_after_a_call(session):
    half = sized(30_000)
    long_list = ",".join(f"X{i}" for i in range(half)) + "," + ",".join(["f(X)"] * half)
    session.once(f"assertz((many(X,L) :- atom(X), nop(X), L = [{long_list}], nop(L)))")
    session.once("assertz(nop(_))")
    for _ in range(5):
        assert session.once(f"many(a,L), length(L,{2 * half}), last(L,f(a))")


def test_a_clause_that_builds_much_in_each_branch(session):
    size = sized(20_000)
    long_list = ",".join(["g(X,Y)"] * size)
    other = ",".join(["h(X)"] * size)
    session.once(f"assertz((either(X,L) :- ( X == a -> L = [{long_list}] ; nop(X), L = [{other}] ), nop(L)))")
    assert session.once(f"either(a,L), last(L,g(a,_)), either(b,M), last(M,h(b)), length(M,{size})")


def test_large_numbers_in_a_long_clause(session):
    last = sized(2000) - 1
    sums = ",".join(f"X{i} is B*B+{i}.5" if i % 2 else f"X{i} is B*B" for i in range(last + 1))
    session.once(f"assertz((sums(B,X{last},X{last - 1}) :- nop(B), {sums}))")
    answer = session.once("B is 7**20000, sums(3,X,_), catch(sums(B,_,Y),_,Y = none)")
    assert answer["X"] == 9 + last + 0.5


def test_long_and_deep_conditions(session):
    session.once("assertz((conj(0,true) :- !))")
    session.once("assertz((conj(N,(X==X,C)) :- M is N-1, conj(M,C)))")
    assert session.once(f"conj({sized(300_000)},C), assertz((long(_) :- ( C -> true ; fail ))), long(1)")
    session.once("assertz((nest(0,true) :- !))")
    session.once("assertz((nest(N,(nop(N) -> C ; true)) :- M is N-1, nest(M,C)))")
    assert session.once("nest(1000,C), assertz((deep :- C)), deep")
    assert session.once("nest(300000,C), catch(assertz((deep :- C)),error(E,_),true), E = resource_error(_)")


def test_conditions_in_conditions_are_looked_through_once(session):
    session.once("assertz((left(0,C,C) :- !))")
    session.once("assertz((left(N,A,C) :- M is N-1, left(M,(A->true;fail),C)))")
    session.once("assertz((soft(0,C,C) :- !))")
    session.once("assertz((soft(N,A,C) :- M is N-1, soft(M,(A*->true;fail),C)))")
    for name in ("left", "soft"):  # it would take half an hour
        assert session.once(f"{name}({sized(100_000)},true,C), call(C)", timeout=100)


def test_a_float_in_a_head_is_met_while_the_store_grows(tmp_path):
    path = tmp_path / "stored.pl"
    path.write_text(
        ":- table q/1.\nq(T) :- p(T).\np(f(1.5,X)) :- X = g(_).\np(pad(_)).\n"
        "loop(N,N) :- !.\nloop(I,N) :- q(f(1.5,g(I))), J is I+1, loop(J,N).\n"
    )
    session = Session(output=lambda text: None)
    session.consult(path)
    for size in range(5, 12):
        assert session.once(f"numlist(1,{size},L), T =.. [w|L], q(pad(T)), loop(0,3000)")


def test_an_answer_with_many_variables(tmp_path):
    path = tmp_path / "variables.pl"
    path.write_text(":- table p/2.\np(N,L) :- length(L,N).\n")
    session = Session(output=lambda text: None)
    session.consult(path)
    assert session.once(f"p({LONG},L), length(L,N)")["N"] == LONG


@pytest.mark.parametrize("arity", [60, 289, 300, 400, 480, 1000])
def test_choice_points_of_predicates_with_many_arguments(tmp_path, arity):
    arguments = ",".join(f"A{i}" for i in range(arity))
    path = tmp_path / "wide.pl"
    path.write_text(
        f"p(0,{arguments}).\np(N,{arguments}) :- N > 0, M is N-1, p(M,{arguments}).\np(_,{arguments}).\n"
        f"go(D) :- functor(T,p,{arity + 1}), arg(1,T,D), call(T).\n"
    )
    session = Session(output=lambda text: None)
    session.consult(path)
    for depth in (10, 100, sized(3000)):
        assert session.once(f"go({depth})")
        assert session.once("aggregate_all(count,go(10),N)")["N"] == 12


def test_stacks_use_all_that_they_may():
    session = Session(output=lambda text: None)
    session.once("assertz((deep(N) :- N > 0, M is N-1, deep(M), true)), assertz(deep(0))")
    session.machine.heap.limit = 3 << 16  # frames have three words
    assert session.once("deep(60000)")
    assert session.once("catch(deep(70000),error(E,_),true), E = resource_error(memory)")
    assert session.once("deep(60000)")
