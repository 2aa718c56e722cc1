"""An allocation that fails is a resource error, wherever it happens; the session goes on.

fail_allocation(n) makes the n-th allocation from now fail. Each query is asked in new sessions, n = 1, 2 ...
until it needs fewer allocations.
"""

import pytest

from prism_repl import Session
from prism_repl.core.areas import fail_allocation
from tests.support.sizes import SLOW

PROGRAM = """
values(c,[h,t]).
values(d(_),[a,b,c]).
hmm([],_).
hmm([X|R],S) :- msw(d(S),X), msw(c,T), hmm(R,T).
s(L) :- msw(c,S), hmm(L,S).
p(X,Y) :- msw(c,_), q(X,Y).
q(X,f(X,_)) :- msw(d(X),_).
loop(X) :- msw(c,h), X = 1.
loop(X) :- msw(c,t), loop(Y), X is Y + 1, X < 5.
pairs([],[]).
pairs([X|R],[a(X,_)|S]) :- pairs(R,S).
nested(0,z) :- !.
nested(N,s(T,N)) :- M is N - 1, nested(M,T).
g(N) :- msw(c,_), w(N), k(N,0).
w(N) :- junk(N,60).
w(_).
junk(N,K) :- K > 0, junk(f(N,K,big(1,2,3,4,5,6,7,8))), fail.
junk(N,K) :- K > 0, K1 is K-1, junk(N,K1).
junk(_) :- msw(c,_), fail.
k(N,K) :- K >= 12, last(x(foo(bar,baz,qux,1,2,3,4,5))).
k(N,K) :- K < 12, msw(c,_), K1 is K+1, k(N,K1).
last(_) :- msw(c,h).
caught(L) :- msw(c,_), catch(looked(L),_,true).
looked([a|R]) :- msw(c,h), rest(R).
rest([]).
rest([_|R]) :- msw(c,_), rest(R).
product(0,1) :- !.
product(N,P) :- M is N - 1, product(M,Q), P is N * Q.
"""
LIST = "numlist(1,3000,N), pairs(N,"
QUERIES = {
    "search": "length(L,60), maplist(=(a),L), prob(s(L),P)",
    "search with variables": "findall(P,(member(X,[1,2,3,4]), prob(p(X,_),P)),Ps)",
    "sweeps": "set_prism_flag(verb,none), numlist(1,60,L), findall(g(N),member(N,L),Gs), learn(Gs)",
    "look ahead": "length(L,30), maplist(=(a),L), prob(caught(L),P)",
    "component": "set_prism_flag(error_on_cycle,off), prob(loop(X),P)",
    "best explanations": "length(L,30), maplist(=(b),L), n_viterbif(5,s(L),V)",
    "learning": "set_prism_flag(verb,none), learn([s([a,b,c]),s([b,b]),s([c,a,a,a,b])])",
    "sampling": "set_prism_flag(verb,none), get_samples(200,s([_,_,_]),L)",
    "unify": f"{LIST}A), {LIST}B), A = B",
    "copy": f"{LIST}A), copy_term(A,B), A \\== B",
    "assert": "numlist(1,3000,L), T =.. [t|L], assertz(k(T)), assertz((k2(X) :- k(X), k(Y), X = Y)), k2(_)",
    "many clauses": "forall(between(1,800,I),assertz(e(I,f(I)))), e(799,X), retractall(e(_,_))",
    "findall": "findall(X-Y,(between(1,2000,X), Y is X * 1.5),L), length(L,N)",
    "sort": "findall(X-1,(between(1,3000,Y), X is (Y * 7919) mod 3001),L), sort(L,M), msort(L,K)",
    "atoms": "numlist(1,3000,L), findall(A,(member(I,L), atom_number(B,I), atom_concat(t,B,A)),K), sort(K,_)",
    "lists": "length(L,3000), numlist(1,3000,M), L = M, nth1(3000,L,X), msort(L,K), T =.. [t|K]",
    "deep": "nested(20000,T), ground(T), nested(20000,U), T == U",
    "write": "numlist(1,2000,L), with_output_to(atom(A),write(f(L,g(L)))), atom_length(A,N)",
    "read": "numlist(1,2000,L), format(atom(A),'~w',[f(L,[((a:-b),c)])]), term_to_atom(T,A)",
    "big integers": "product(300,N), M is N // 3, number_codes(M,L), length(L,K)",
    "garbage": "between(1,3,_), numlist(1,20000,L), garbage_collect, nth1(20000,L,X)",
}


def new_session(tmp_path):
    session = Session(output=lambda text: None)
    path = tmp_path / "program.psm"
    path.write_text(PROGRAM)
    answers = list(session.ask(f"prism('{path}')"))
    assert answers[-1].error is None
    return session


def first(session, query):
    """The first answer's text, without the names of variables; or its error."""
    for answer in session.ask(query):
        if answer.error is not None:
            return f"error {answer.error}"
        return "yes" if answer else "no"
    return "nothing"


# every fourth allocation in each run of the suite (where areas grow by little there are very many), the
# others if asked for
STEP = 4
FARTHER = 10 if SLOW else 1
STARTS = [pytest.param(i, marks=[pytest.mark.long] if i > 1 else []) for i in range(1, STEP + 1)]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", QUERIES)
def test_a_failed_allocation_is_a_resource_error(name, start, tmp_path):
    query = QUERIES[name]
    expected = first(new_session(tmp_path), query)
    assert expected == "yes"
    for n in range(start, 1000 * FARTHER, STEP * FARTHER):
        session = new_session(tmp_path)
        fail_allocation(n)
        try:
            found = first(session, query)
        finally:
            left = fail_allocation(0)
        if left > 0:
            break
        assert found == expected or "resource_error" in found, (n, found)
        assert session.machine.stacks.watch == 0, n  # no look ahead is under way
        assert first(session, "X = f(Y), atom_length(abc,3), prob(s([a,b]),P), P > 0.1") == "yes", n
        assert first(session, query) == expected, n
    assert n > start or start > 1, "no allocation was made"
