"""Attributed variables in the machine: wake-ups at heads, cuts, calls and returns; backtracking;
collections at every call; long chains; errors in hooks; tables."""

import pytest

from prism_repl import Session
from tests.core.test_collector import load, with_stride
from tests.support.sizes import sized
from tests.support.solve import Prolog

pytestmark = pytest.mark.quick

LONG = sized(200_000)

PROGRAM = r"""
double(X,Z) :- freeze(X,Y is X*2), X = 3, Z is Y+1.
one(1,Y) :- Y > 0.
neck(X,Y) :- freeze(X,Y = 5), one(X,Y).
first(1) :- !.
first(_).
cut(X) :- freeze(X,fail), first(X).
branch(X,B) :- freeze(X,X > 5), ( X = 3 -> B = then ; X = 7 -> B = second ; B = else ).
soft(X,B) :- freeze(X,X > 5), ( ( X = 3 ; X = 7 ; X = 9 ) *-> B = then ; B = else ).
ways(X,Y) :- freeze(X,member(Y,[1,2,3])), X = 1.
committed(X,Y) :- freeze(X,member(Y,[1,2,3])), X = 1, !.
kept(X,Y,Z) :- freeze(X,Y = f(Z)), X = 1, Y = f(W), W = 2, integer(X), !.
kept(_,none,_).
at_end(X,Y) :- freeze(X,Y = done), X = 1.
args(A,B,C,D,R) :- A = 1, B == 2, C < 4, D = [C|T], T = B, R = r(A,B,C,D).
argument(R) :- freeze(A,B = 2), freeze(D,true), args(A,B,3,D,R).
chain(0,X,X) :- !.
chain(N,X,Y) :- freeze(X,Z = X), M is N-1, chain(M,Z,Y).
chained(N,Y) :- chain(N,X,Y), X = end.
cut_chain(0,X,X) :- !.
cut_chain(N,X,Y) :- freeze(X,follow(Z,X)), M is N-1, cut_chain(M,Z,Y).
follow(Z,X) :- Z = X, !.
cut_chained(N,Y) :- cut_chain(N,X,Y), X = end.
produce(0,[]) :- !.
produce(N,[N|T]) :- M is N-1, produce(M,T).
consume(L,S) :- freeze(L,consume(L,0,S)).
consume([],S,S).
consume([X|T],A,S) :- B is A+X, freeze(T,consume(T,B,S)).
pipe(N,S) :- consume(L,S), produce(N,L).
different([]).
different([X|L]) :- apart(L,X), different(L).
apart([],_).
apart([Y|L],X) :- dif(X,Y), apart(L,X).
colours(L) :- L = [A,B,C,D], different([A,B,C]), dif(C,D), dif(A,D), choose(L).
choose([]).
choose([X|L]) :- member(X,[r,g,b]), choose(L).
attr_unify_hook(limit(N),V) :- ( var(V) -> true ; V =< N ).
limited(X,N) :- put_attr(X,limit,limit(N)).
hook(X,Y) :- limited(X,3), member(Y,[5,4,3,2]), X = Y.
two(X,Y) :- limited(X,3), limited(Y,5), X = Y, member(X,[6,5,4,3,2]).
update(V) :- put_attr(X,store,0), ( put_attr(X,store,1), fail ; true ), count(10,X), get_attr(X,store,V).
count(0,_) :- !.
count(N,X) :- get_attr(X,store,V), W is V+1, put_attr(X,store,W), M is N-1, count(M,X).
error(X,E) :- freeze(X,throw(ball(X))), catch(X = 1,E,true).
late(E) :- freeze(X,_ is foo+X), catch(( X = 1, true ),error(E,_),true).
frozen_then(R) :- freeze(X,true), ( \+ X = 1 -> R = no ; R = yes ), var(X).
all(L) :- freeze(X,X > 1), findall(X,member(X,[1,2,3]),L).
copied(G) :- freeze(X,p(X,Y)), freeze(Y,q), copy_term(X,Z), frozen(Z,G).
fails_when(X) :- when(ground(X),fail), X = f(Y), Y = 1.
fires(L) :- when((nonvar(X);nonvar(Y)),L = [X,Y]), Y = 1, X = 2.
both(R) :- when((nonvar(X),nonvar(Y)),R = X-Y), X = 1, var(R), Y = 2.
decided(R) :- when(?=(X,Y),R = yes), X = f(A), Y = f(B), var(R), A = B.
aliased(R) :- freeze(X,R = X), Y = Z, X = Y, var(R), Z = 4.
old_first(R) :- R0 = f(A), freeze(X,A = seen), R0 = f(B), X = C, var(B), C = 1, R = B.
"""

ANSWERS = {
    "double(X,Z)": ["X=3, Z=7"],
    "neck(X,Y)": ["X=1, Y=5"],
    "cut(X)": ["true"],
    "branch(X,B)": ["X=7, B=second"],
    "soft(X,B)": ["X=7, B=then", "X=9, B=then"],
    "ways(X,Y)": ["X=1, Y=1", "X=1, Y=2", "X=1, Y=3"],
    "committed(X,Y)": ["X=1, Y=1"],
    "kept(X,Y,Z)": ["X=1, Y=f(2), Z=2"],
    "at_end(X,Y)": ["X=1, Y=done"],
    "argument(R)": ["R=r(1,2,3,[3|2])"],
    "chained(300,Y)": ["Y=end"],
    "cut_chained(300,Y)": ["Y=end"],
    "pipe(100,S)": ["S=5050"],
    "findall(L,colours(L),Ls), length(Ls,N), Ls = [F|_]": [
        "Ls=[[r,g,b,g],[r,b,g,b],[g,r,b,r],[g,b,r,b],[b,r,g,r],[b,g,r,g]], N=6, F=[r,g,b,g]"
    ],
    "hook(X,Y)": ["X=3, Y=3", "X=2, Y=2"],
    "two(X,Y)": ["X=3, Y=3", "X=2, Y=2"],
    "update(V)": ["V=10"],
    "error(X,E)": ["E=ball(1)"],
    "late(E)": ["E=type_error(evaluable,foo/0)"],
    "frozen_then(R)": ["R=yes"],
    "all(L)": ["L=[2,3]"],
    "copied(G)": ["G=(freeze(_,p(_,_)),freeze(_,q))"],
    "fails_when(X)": [],
    "fires(L)": ["L=[2,1]"],
    "both(R)": ["R=1-2"],
    "decided(R)": ["R=yes"],
    "aliased(R)": ["R=4"],
    "old_first(R)": ["R=seen"],
    "freeze(X,fail), ( X = 1 ; X = 2 ; true ), var(X)": ["true"],
    "freeze(X,write(w)), \\+ \\+ X = 1, X = 2": ["X=2"],
    "dif(X,Y), X = Y": [],
    "dif(f(X,Y),f(Y,X)), X = 1, ( Y = 1 ; Y = 2 )": ["X=1, Y=2"],
    "dif(X,f(X)), X = 1": ["X=1"],
    "freeze(X,(Y = 1 ; Y = 2)), catch(( X = 1, Y > 1, throw(Y) ),E,true)": ["E=2"],
    "put_attr(X,a,1), put_attr(X,b,2), del_attr(X,a), get_attrs(X,A)": ["A=att(b,2,[])"],
    "freeze(X,true), msort([c,X,B,a],[_,_|L])": ["L=[a,c]"],
    "freeze(X,true), assertz(fact(X)), fact(Y), Y = 1, retract(fact(_)), var(X)": ["Y=1"],
}


@pytest.fixture(scope="module")
def system():
    found = Prolog()
    load(found.m, PROGRAM)
    found.m.database.make_dynamic(found.m.program.pred(found.m.functor(found.m.atom("fact"), 1)))
    return found


@pytest.mark.parametrize("stride", [0, 1, 7, 100])
@pytest.mark.parametrize("query", ANSWERS)
def test_answers_do_not_depend_on_collections(system, query, stride):
    with_stride(system, stride)
    assert system.answers(query) == ANSWERS[query]
    assert system.m.heap.attr_floor == 0  # nothing is left of it after the query


@pytest.mark.parametrize("goal", [f"chained({LONG},Y)", f"cut_chained({LONG // 2},Y)"])
def test_a_long_chain_of_frozen_goals(system, goal):
    with_stride(system, 0)
    assert system.answers(goal) == ["Y=end"]


def test_many_goals_wait_for_one_variable(system):
    with_stride(system, 0)
    query = (
        "length(L,1000), freeze(X,true), findall(Y,member(Y,L),_), "
        "( member(_,L), freeze(X,nb_setval(woken,X)), fail ; true ), X = 7"
    )
    assert system.answers(query) == ["L=[" + ",".join("_" * 1000) + "], X=7"]


def test_garbage_with_attributes_is_collected(system):
    """A failure-free loop that makes attributed variables and drops them runs in little memory."""
    with_stride(system, 0)
    load(system.m, "lp(0) :- !.\nlp(N) :- freeze(X,Y = X), X = N, Y == N, M is N-1, lp(M).\n")
    assert system.answers(f"lp({LONG})") == ["true"]
    assert system.m.heap.size < 1 << 23


def test_answers_of_tables_are_seen_by_hooks():
    session = Session()
    session.once("assertz((edge(a,b))), assertz(edge(b,c)), assertz(edge(c,a))")
    session.once(
        "table(path/2), assertz((path(X,Y) :- edge(X,Y))), assertz((path(X,Y) :- path(X,Z), edge(Z,Y)))"
    )
    assert [str(a["X"]) for a in session.ask("dif(X,b), path(a,X)")] == ["c", "a"]
    assert [str(a["X"]) for a in session.ask("path(a,X)")] == ["b", "c", "a"]


def test_a_variable_that_is_bound_twice_in_a_query_within_a_query(tmp_path):
    """A variable below what a collection moves has two entries on the trail once its hook has been woken."""
    path = tmp_path / "twice.pl"
    path.write_text(
        "make(0,[]) :- !.\nmake(N,[f(N,_)|T]) :- N1 is N-1, make(N1,T).\n"
        "waste(0) :- !.\nwaste(N) :- make(20,_), N1 is N-1, waste(N1).\n"
        "outer(Y) :- freeze(X,true), initialization(inner(X,Y)).\n"
        "inner(X,Y) :- waste(20), K = s(k,k,k,_), hold(K), waste(100), X = Y, make(5,T), waste(10), X = T,\n"
        "    waste(100), garbage_collect, waste(1000), length(Y,5), K = s(k,k,k,end).\nhold(_).\n"
    )
    session = Session(output=lambda text: None)
    session.consult(path)
    answer = session.once("outer(Y), findall(N,member(f(N,_),Y),Ns)")
    assert answer["Ns"] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("number", [0x7FF8000000000001, 0x7FF8000000000001 << 64, 0x7FF8000000000002])
def test_big_integers_are_no_attributed_variables(tmp_path, number):
    """The last word of a big integer may stand before a variable, as the mark of an attributed one does."""
    path = tmp_path / "big.pl"
    path.write_text(
        "go(N) :- X is N+1, look(Y,f(a,b),X).\n"
        "look(Y,T,X) :- freeze(Z,true), \\+ attvar(Y), freeze(Y,true), T = f(a,b), integer(X),\n"
        "    use(Z), Y = 1.\n"
        "use(_).\n"
    )
    session = Session(output=lambda text: None)
    session.consult(path)
    assert session.once(f"go({number - 1})")
    assert session.once(f"X is {number - 1}+1, Y = f({number}), Y = f(X), X =:= {number}, X == {number}")
    assert session.once(f"X is {number}, assertz(big(X)), big(Y), Y == X, length(L,2), Z is -X, Z < 0")


def test_hooks_run_after_the_clause_is_erased(tmp_path):
    """A hook may give the memory of erased clauses to others, which must stay."""
    path = tmp_path / "hooks.pl"
    path.write_text(
        ":- dynamic p/2, short/1, kept/2.\n"
        "hook :- ignore(retract(p(_,1))), churn.\n"
        "churn :- between(1,3000,I), assertz(short(I)), fail.\n"
        "churn :- retractall(short(_)), between(1,3000,I), assertz(kept(I,I)), fail.\n"
        "churn.\n"
        "go(X) :- assertz(p(a,1)), freeze(X,hook), retract(p(X,1)), !.\n"
    )
    session = Session(output=lambda text: None)
    session.consult(path)
    assert session.once("go(X)")["X"] == "a"
    assert not session.once("p(_,_)")
    assert session.once("aggregate_all(count,kept(_,_),N)")["N"] == 3000
    assert not session.once("between(1,3000,I), \\+ kept(I,I)")
