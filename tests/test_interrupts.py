"""Work that is broken off, wherever: the session goes on and gives the same answers.

Each query is interrupted at the n-th look for interrupts, for growing n, until it ends before that; and
by another thread after random times.
"""

import random
import threading

import pytest

from prism_repl import Session
from tests.support.sizes import sized

PROGRAM = """
values(init,[s0,s1]).
values(out(_),[a,b]).
values(tr(_),[s0,s1]).
:- dynamic fact/2.
hmm(L) :- msw(init,S), hmm(S,L).
hmm(_,[]).
hmm(S,[O|R]) :- msw(out(S),O), msw(tr(S),T), hmm(T,R).
s(X,Y) :- msw(init,s0), t(X,Y).
s(X,Z) :- msw(init,s1), s(X,Y), t(Y,Z).
t([O|R],R) :- msw(out(s0),O).
walk(N,X,Z) :- msw(tr(X),V), ( V == s0 -> Z = X ; Y is (X + 1) mod N, walk(N,Y,Z) ).
list(N,L) :- numlist(1,N,M), findall(O,(member(X,M), ( X mod 3 =:= 0 -> O = a ; O = b )),L).
pair(X,p(X,_)).
thrown(X) :- numlist(1,100,L), throw(e(X,L)).
freezing(X) :- freeze(X,integer(X)).
count(0) :- !.
count(N) :- M is N - 1, count(M).
keep(N) :- N > 0, !, assertz(fact(N,g(N,[N]))), M is N - 1, keep(M).
keep(_).
conditions(0,C,C) :- !.
conditions(N,A,C) :- M is N - 1, conditions(M,(A->true;fail),C).
:- table connected/3.
connected(N,X,Y) :- edge(N,X,Y).
connected(N,X,Z) :- connected(N,X,Y), edge(N,Y,Z).
edge(N,X,Y) :- between(1,N,X), Y is (X * 7) mod (N + 1).
"""
SIZE = sized(100)
QUERIES = {
    "search": f"list({SIZE * 200},L), log_prob(hmm(L),P), P < 0",
    "left recursion": f"list({SIZE * 20},L), log_prob(s(L,[]),P), P < 0",
    "cycles": f"prob(walk({SIZE * 4},0,_),P), P > 0",
    "best explanations": f"list({SIZE * 20},L), n_viterbif(3,hmm(L))",
    "hindsight": f"list({SIZE * 20},L), hindsight(hmm(L),hmm(_,_),H)",
    "learning": f"list({SIZE * 50},L), learn([hmm(L),hmm([a,b]),hmm([b,a,a])])",
    "sampling": f"get_samples({SIZE * 200},walk(40,0,_),L)",
    "tables": f"findall(X-Y,connected({SIZE},X,Y),L), length(L,N)",
    "calls": f"count({SIZE * 3000})",
    "collection": f"between(1,20,_), numlist(1,{SIZE * 600},L), garbage_collect, fail ; true",
    "findall": f"findall(X-f(X),between(1,{SIZE * 1500},X),L)",
    "sorting": f"findall(X,(between(1,{SIZE * 1000},Y), X is Y * 7919 mod 150001),L), msort(L,_), sort(L,_)",
    "atoms": f"findall(A,(between(1,{SIZE * 300},I), atom_number(B,I), atom_concat(it_,B,A)),L), sort(L,_)",
    "lists": f"length(L,{SIZE * 1500}), numlist(1,{SIZE * 1500},M), L = M, nth1({SIZE * 1500},L,X)",
    "writing": f"numlist(1,{SIZE * 1500},L), with_output_to(atom(A),write(f(L)))",
    "reading": f"numlist(1,{SIZE * 600},L), format(atom(A),'~w',[L]), term_to_atom(T,A)",
    "terms": f"numlist(1,{SIZE * 1000},L), maplist(pair,L,T), copy_term(T,U), T = U, term_variables(T,_)",
    "database": f"keep({SIZE * 300}), retractall(fact(_,_))",
    "clause": f"numlist(1,{SIZE * 1000},L), assertz(fact(L,L)), fact(X,Y), X == Y, retractall(fact(_,_))",
    "attributes": f"numlist(1,{SIZE * 60},N), length(N,K), length(L,K), maplist(freezing,L), L = N",
    "conditions": f"conditions({SIZE * 100},true,C), call(C)",
    "exceptions": f"between(1,{SIZE * 30},X), catch(thrown(X),e(_,_),true), X >= {SIZE * 30}",
}


def new_session() -> Session:
    session = Session(output=lambda text: None)
    session.program(PROGRAM)
    session.once("set_prism_flag(error_on_cycle,off), set_prism_flag(verb,none)")
    return session


def first(session, query):
    """How the first answer comes out."""
    for answer in session.answers(query):
        return str(answer.error or answer.status)
    return "nothing"


def is_usable(session) -> bool:
    """Whether a session still computes, searches and has tables that are complete."""
    machine = session.machine
    assert not machine.interrupts.interrupted
    assert first(session, "X = f(Y), atom_length(abc,3), numlist(1,1000,L), msort(L,L)") == "yes"
    # parameters may have been learned; the probabilities of all words sum up to 1 whatever they are
    words = "member(X,[a,b]), member(Y,[a,b])"
    total = f"findall(P,({words}, prob(hmm([X,Y]),P)),Ps), sumlist(Ps,S), abs(S - 1) < 1.0e-9"
    return first(session, total) == "yes"


@pytest.mark.parametrize("name", QUERIES)
def test_an_interrupt_at_any_look_for_it_leaves_the_session_usable(name):
    session = new_session()
    interrupts = session.machine.interrupts
    at = looks = 0

    def look():
        nonlocal looks
        looks += 1
        if looks == at:
            raise KeyboardInterrupt

    while True:
        at += max(1, at // 3)
        looks = 0
        interrupts.watcher = look
        found = first(session, QUERIES[name])
        interrupts.watcher = None
        if looks < at:
            break
        assert found == "interrupted", (at, found)
        assert is_usable(session), at
        first(session, "retractall(fact(_,_))")
    assert found == "yes", found
    assert is_usable(session)
    assert first(session, QUERIES[name]) == "yes"


@pytest.mark.parametrize("goal", ["is_list(L)", "call((is_list(L),C))"])
def test_a_few_long_calls_are_interrupted(goal):
    session = new_session()
    looks = []
    session.machine.interrupts.watcher = lambda: looks.append(1)
    query = f"length(L,2000), conditions(2000,true,C), between(1,50,_), {goal}, fail ; true"
    assert first(session, query) == "yes"
    assert len(looks) >= 50


def test_interrupts_at_random_times():
    """Another thread sets the flag; answers are the ones of an uninterrupted session, or 'interrupted'."""
    chance = random.Random(1)
    session = new_session()
    interrupts = session.machine.interrupts
    for _ in range(30):
        name = chance.choice(list(QUERIES))
        timer = threading.Timer(chance.random() ** 2 * 0.2, lambda: setattr(interrupts, "interrupted", True))
        timer.start()
        found = first(session, QUERIES[name])
        timer.cancel()
        timer.join()
        interrupts.interrupted = False
        assert found in ("yes", "interrupted"), (name, found)
        assert is_usable(session), name
        first(session, "retractall(fact(_,_))")


def test_threads_of_one_session_take_turns_and_are_interrupted():
    session = new_session()
    interrupts = session.machine.interrupts
    done = threading.Event()
    wrong = []

    def asks(seed):
        chance = random.Random(seed)
        for _ in range(6):
            name = chance.choice(list(QUERIES))
            found = first(session, QUERIES[name])
            if found not in ("yes", "interrupted"):
                wrong.append((name, found))

    def interrupt():
        chance = random.Random(0)
        while not done.wait(chance.random() * 0.2):
            interrupts.interrupted = True

    threads = [threading.Thread(target=asks, args=[seed]) for seed in range(4)]
    interrupter = threading.Thread(target=interrupt)
    for thread in [*threads, interrupter]:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    interrupter.join()
    interrupts.interrupted = False
    assert not wrong
    first(session, "retractall(fact(_,_))")
    assert is_usable(session)


def test_sessions_of_several_threads_do_not_disturb_each_other():
    found = {}

    def asks(seed):
        session = new_session()
        names = list(QUERIES)
        random.Random(seed).shuffle(names)
        found[seed] = [first(session, QUERIES[name]) for name in names] + [is_usable(session)]

    threads = [threading.Thread(target=asks, args=[seed]) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(3), ["yes"] * len(QUERIES) + [True])
