"""Cleanups that wait for a choice point: long runs, garbage collection, the end of queries."""

import pytest

from prism_repl import Session
from tests.support.sizes import sized

pytestmark = pytest.mark.quick

LOOP = "assertz((lp(0) :- !)), assertz((lp(N) :- M is N-1, _ = f(M,N), lp(M)))"


@pytest.fixture
def printed():
    return []


@pytest.fixture
def session(printed):
    return Session(printed.append)


def test_while_the_goal_is_open_other_calls_go_on(session, printed):
    session.once(LOOP)
    run = "lp(200000), garbage_collect, lp(1000)"
    query = f"call_cleanup((X = g(Y) ; X = b),write(X)), Y = 1, {run}, !, write(end)"
    assert session.once(query)["Y"] == 1
    assert "".join(printed) == "g(1)end"


def test_arguments_of_the_call_that_waits_are_kept(session, printed):
    session.once("assertz((t(A,B,C,D) :- write([A,B,C,D])))")
    session.once('assertz((go :- call_cleanup((true ; true),write(c)), !, t(a,f(b),"x",1.5)))')
    assert session.once("go")
    assert "".join(printed) == "c[a,f(b),[120],1.5]"


def test_cleanup_at_the_end_of_a_query(session, printed):
    answers = session.ask("call_cleanup(member(X,[1,2]),write(c))")
    assert next(answers)["X"] == 1
    assert printed == []
    answers.close()
    assert printed == ["c"]
    assert session.once("true")
    assert printed == ["c"]


def test_calls_are_counted_exactly(session):
    session.once(LOOP)
    query = "statistics(inferences,A), lp(1000), statistics(inferences,B), C is B-A"
    before = session.once(query)["C"]
    open_ = f"call_cleanup((true ; true),true), {query}"
    assert abs(session.once(open_)["C"] - before) <= 5


def test_a_call_that_is_held_up_is_counted_once(session):
    """Now and then a call waits for a look at signals."""
    session.once(LOOP)

    def count(n):
        return session.once(f"statistics(inferences,A), lp({n}), statistics(inferences,B), C is B-A")["C"]

    assert count(100_000) - count(1000) == 99_000


@pytest.mark.parametrize(
    "end", ["nested(0,_).", "nested(0,_) :- fail.", "nested(0,_) :- throw(e).", "nested(0,_).\nnested(0,_)."]
)
def test_nested_cleanups_run_from_the_innermost_out(session, end):
    """Many of them, each with what was bound in it: searching the others for each would take minutes."""
    depth = sized(30_000)
    session.program(
        f":- dynamic(seen/1).\n{end}\n"
        "nested(N,L) :- N > 0, M is N-1, call_cleanup((nested(M,L), X = y),assertz(seen(N-X))).\n"
    )
    session.once(f"catch(nested({depth},_),_,true) -> true ; true")
    seen = session.once("findall(N,seen(N-_),Ns), findall(x,(seen(_-X), X == y),Bound)")
    assert seen["Ns"] == list(range(1, depth + 1))
    assert len(seen["Bound"]) == (depth if end.endswith("_).") else 0)
