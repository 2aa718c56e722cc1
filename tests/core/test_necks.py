"""The neck of a clause (head and tests) runs before there is a choice point: one that fails leaves nothing,
one that succeeds is followed by a cut, or makes the choice point."""

import pytest

from prism_repl import Session

pytestmark = pytest.mark.quick

PROGRAM = """
order(X,Y,less) :- X < Y, !.
order(X,Y,equal) :- X =:= Y, !.
order(_,_,more).
twice(f(X,Y),g(Y),X) :- X == 1, !.
twice(f(X,b),g(Z),r(X,Z)) :- Z == c, !.
twice(A,B,none(A,B)).
deep(k(s(s(X)),[X|T]),T) :- atom(X), T = [], !.
deep(k(A,s(B)),A-B) :- !.
deep(k(A,B),A/B) :- nonvar(B), !.
deep(_,none).
:- dynamic(size/2).
size(X,large) :- X > 10, !.
size(X,middle) :- X > 5, !.
size(_,small).
same(f(X,X),yes) :- !.
same(_,no).
ending([K-_],K) :- !.
ending([_|L],K) :- ending(L,K).
sign(X,P) :- X >= 0, !, P = plus ; P = minus.
late(X,Y) :- number(X), !, Y = number.
late(X,Y) :- atom(X), member(Y,[a,b]).
late(_,other).
big(X) :- X > 1000000000000000000000, !.
big(_) :- fail.
pick(X,[X|_]).
pick(X,[_|L]) :- pick(X,L).
pairs(A,B,[B,A|_]).
pairs(A,B,[_|L]) :- pairs(A,B,L).
band(X,low) :- X < 3, true.
band(X,Y) :- X > 1, X < 9, pick(Y,[mid,high]).
band(X,none) :- X > 100, true.
second(_,[],none).
second(X,[Y|_],X-Y).
both(X,f(X,Y),Y) :- Y \\== a, pick(X,[1,2]).
both(X,f(Z,Y),other(X,Z,Y)).
until(X,f(X,Y),Y) :- Y \\== a, pick(X,[1,2]), !.
until(X,f(Z,Y),other(X,Z,Y)).
succ_of(s(X),s(Y)) :- !, succ_of(X,Y).
succ_of(z,z) :- !.
succ_of(_,none).
towers(0) :- !.
towers(N) :- succ_of(s(s(s(s(s(s(s(s(z)))))))),_), M is N-1, towers(M).
:- dynamic(kept/2).
kept(X,[X|_]).
kept(X,[_|L]) :- assertz(kept(new,X)), kept(X,L).
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    path = tmp_path_factory.mktemp("necks") / "necks.pl"
    path.write_text(PROGRAM)
    session = Session(output=lambda text: None)
    session.consult(path)
    return session


@pytest.mark.parametrize(
    ("template", "goal", "answers"),
    [
        ("A-B-C", "order(1,2,A), order(2,2,B), order(3,2,C)", "[less-equal-more]"),
        ("X", "twice(f(1,2),g(Y),X), Y == 2", "[1]"),
        # the first clause binds Y before its test fails: this is undone
        ("X-Y-Z", "twice(f(2,Y),g(Z),X)", "[none(f(2,_A),g(_B))-_A-_B]"),
        ("X-Y", "twice(f(2,Y),g(c),X)", "[r(2,c)-b]"),
        ("X-B", "deep(k(s(s(a)),B),X)", "[[]-[a]]"),
        ("X-B", "deep(k(s(s(V)),B),X)", "[s(s(_A))-_B-s(_B)]"),
        ("X", "deep(k(s(z),[q]),X)", "[s(z)/[q]]"),
        ("X", "deep(j,X)", "[none]"),
        ("A-B-C", "size(20,A), size(7,B), size(1,C)", "[large-middle-small]"),
        ("A", "same(f(g(P),g(Q)),A), P == Q", "[yes]"),
        ("A-P-Q", "same(f(g(P,1),g(Q,2)),A)", "[no-_A-_B]"),
        ("K", "ending([1-a,2-b,3-c],K)", "[3]"),
        ("P-Q", "sign(1,P), sign(-1,Q)", "[plus-minus]"),
        ("Y", "member(X,[1,a,f]), late(X,Y)", "[number,a,b,other,a,b,other]"),
        ("X", "member(X,[5,2000000000000000000000]), big(X)", "[2000000000000000000000]"),
        ("E", "catch(order(z,1,_),error(E,_),true)", "[type_error(evaluable,z/0)]"),
        ("X", "pick(X,[a,b,c])", "[a,b,c]"),
        ("X-Y-Z", "pick(f(X,Y,1),[f(a,Z,2),f(Z,b,1),c,f(Y,Y,V)])", "[_A-b-_A,_B-_B-_C]"),
        ("A-B", "pairs(p(A,1),q(B,2),[q(x,2),p(y,2),q(z,W),p(W,V)])", "[2-z]"),
        ("Y", "member(X,[0,2,5,200]), band(X,Y)", "[low,low,mid,high,mid,high,none]"),
        ("D", "setup_call_cleanup(true,second(k,[a],_),D=det), nonvar(D)", "[det]"),
        ("X", "second(k,L,X), L = [b|_]", "[k-b]"),
        ("X-Y-R", "both(X,f(Y,b),R)", "[1-1-b,2-2-b,_A-_B-other(_A,_B,b)]"),
        ("X-Y-R", "both(X,f(Y,a),R)", "[_A-_B-other(_A,_B,a)]"),
        ("X-Y-R", "until(X,f(Y,b),R)", "[1-1-b]"),
        ("X-Y-R", "until(3,f(Y,b),R), X = Y", "[_A-_A-other(3,_A,b)]"),
        # what is added while it runs is not seen (logical update view)
        ("X", "kept(b,[a,b]), X = yes", "[yes]"),
        ("E", "catch(band(z,_),error(E,_),true)", "[type_error(evaluable,z/0)]"),
        ("X", "between(3,5,X)", "[3,4,5]"),
        ("X", "between(3,2,X)", "[]"),
    ],
)
def test_answers(session, template, goal, answers):
    query = f"findall({template},({goal}),L), copy_term({answers},M), variant(L,M)"
    assert session.once(query)


def test_what_a_neck_bound_does_not_stay_on_the_trail(session):
    size = session.machine.heap.trail_size
    assert session.once("towers(5000)")
    assert session.machine.heap.trail_size < size + 20000  # of 45000 bindings
