"""trace, spy: the ports of goals in programs of all kinds, and the keys at them."""

import re

import pytest

from prism_repl import Session
from prism_repl.prolog.tracing import tracing
from prism_repl.repl.console import record

PROGRAM = """
values(coin,[head,tail],fix@[1.0,0.0]).
values(dice,[1,2],fix@[0.25,0.75]).
side(S) :- msw(coin,F), ( F == head -> S = left ; S = right ).
first([X|_],X).
first([_|T],X) :- first(T,X).
least(X) :- first([3,1,2],X), X < 3, !.
bad(X) :- X > a.
both(X,Y) :- side(X), side(Y).
"""


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "model.psm"
    path.write_text(PROGRAM, encoding="utf-8")
    s = Session([].append)
    s.prism(path)
    return s


def ports(session, query, alternatives=0):
    """The lines of the tracer, variables as _."""
    text = record(session, query, alternatives)
    return [re.sub(r"\b_\w+", "_", line.strip()) for line in text.split("\n") if line.endswith(" ?")]


def test_ports_of_a_program_loaded_by_prism(session):
    assert record(session, "trace.").endswith("yes\n{Trace mode}\n")
    assert ports(session, "side(X)") == [
        "Call: (1) side(_) ?",
        "Call: (2) msw(coin,_):_ ?",
        "Exit: (2) msw(coin,head):1.0 ?",
        "Call: (3) head==head ?",
        "Exit: (3) head==head ?",
        "Call: (4) _=left ?",
        "Exit: (4) left=left ?",
        "Exit: (1) side(left) ?",
    ]
    assert record(session, "notrace.").endswith("yes\n")
    assert ports(session, "side(X)") == []


def test_probability_of_the_outcome(session):
    lines = ports(session, "trace, msw(dice,X)")
    assert lines[1] in ("Exit: (1) msw(dice,1):0.25 ?", "Exit: (1) msw(dice,2):0.75 ?")


def test_redo_and_fail(session):
    assert ports(session, "trace, first([a],X), X == b") == [
        "Call: (1) first([a],_) ?",
        "Exit: (1) first([a],a) ?",
        "Call: (2) a==b ?",
        "Fail: (2) a==b ?",
        "Redo: (1) first([a],a) ?",
        "Call: (3) first([],_) ?",
        "Fail: (3) first([],_) ?",
        "Fail: (1) first([a],_) ?",
    ]


def test_cut_is_local_and_leaves_no_alternative(session):
    text = record(session, "trace, least(X)")
    assert text.endswith("Exit: (1) least(1) ?\nX = 1\nyes\n{Trace mode}\n")


def test_answers_are_those_without_tracing(session):
    queries = [
        "findall(X,first([a,b],X),L)",
        "forall(member(X,[1,2]),X > 0)",
        "( first([1,2],X), X > 1 -> true ; X = none )",
        "( fail *-> true ; X = 2 )",
        "( member(X,[1,2]) *-> true ; X = none )",
        "\\+ least(3)",
        "catch(bad(1),error(type_error(T,_),_),true)",
        "catch((member(X,[1,2,3]), X > 1, throw(found(X))),found(Y),true)",
        "bagof(X-Y,member(X-Y,[1-a,2-b]),L)",
        "setof(X,Y^member(X-Y,[2-a,1-b]),L)",
        "maplist(side,[A,B])",
        "maplist(succ,[1,2],L)",
        "maplist(X,X > 0,[1,2])",
        "foldl(plus,[1,2],0,S)",
        "call((member(X,[1,2]), !))",
        "G = (X = 1, Y = 2), call(G)",
        "once(first([a,b],X))",
        "call(plus(1),2,X)",
        "sample(side(X))",
        "prob(side(left),P)",
        "nosuch(1)",
        "call(1)",
        "findall(X,G,L)",
        "atom_length(X,Y)",
    ]
    for query in queries:
        session.once("notrace")
        plain = [strip(a) for a in session.ask(query)]
        session.once("trace")
        assert [strip(a) for a in session.ask(query)] == plain, query


def strip(answer):
    return answer.status, [(n, re.sub(r"\b_\w+", "_", t)) for n, t in answer.bindings], answer.message


def test_exceptions(session):
    assert ports(session, "trace, bad(1)") == [
        "Call: (1) bad(1) ?",
        "Call: (2) 1>a ?",
        "Exception: (2) 1>a: error(type_error(evaluable,a/0),> /2) ?",
        "Exception: (1) bad(1): error(type_error(evaluable,a/0),> /2) ?",
    ]


def test_consulted_and_dynamic_predicates(tmp_path):
    path = tmp_path / "plain.pl"
    path.write_text("p(X) :- q(X).\nq(1).\n:- dynamic r/1.\nr(X) :- p(X).\n", encoding="utf-8")
    s = Session([].append)
    s.consult(path)
    assert ports(s, "trace, r(X)") == [
        "Call: (1) r(_) ?",
        "Call: (2) p(_) ?",
        "Call: (3) q(_) ?",
        "Exit: (3) q(1) ?",
        "Exit: (2) p(1) ?",
        "Exit: (1) r(1) ?",
    ]


def test_tabled_predicates_end(tmp_path):
    path = tmp_path / "path.pl"
    path.write_text(":- table t/1.\nt(X) :- t(Y), X is Y+1, X < 4.\nt(1).\n", encoding="utf-8")
    s = Session([].append)
    s.consult(path)
    assert ports(s, "trace, findall(X,t(X),L)")[-1] == "Exit: (1) findall(_,t(_),[1,2,3]) ?"


def test_spy_points(session):
    assert record(session, "spy(side).").endswith("yes\n{Spy mode}\n")
    assert ports(session, "both(X,Y)") == [
        "+ Call: (2) side(_) ?",
        "+ Exit: (2) side(left) ?",
        "+ Call: (6) side(_) ?",
        "+ Exit: (6) side(left) ?",
    ]
    assert "  side\n" in record(session, "debugging.")
    session.once("spy((first/2,bad/1))")
    session.once("nospy(side)")
    assert "  bad/1\n  first/2\n" in record(session, "debugging.")
    assert record(session, "nospy.").endswith("yes\n")
    assert record(session, "debugging.").startswith("Tracing is off.\nNo spy points.\n")
    assert "no predicate nosuch/7 yet" in record(session, "spy(nosuch/7).")
    assert "type_error(predicate_indicator,1)" in record(session, "spy(1).")
    assert "instantiation_error" in record(session, "spy(_).")


def with_keys(session, keys, query):
    waiting = list(keys)
    tracing(session.machine).ask = lambda: waiting.pop(0)
    text = record(session, query)
    assert not waiting
    return re.sub(r"\b_\w+", "_", text)


def test_skip(session):
    text = with_keys(session, "s\r\r\r", "trace, side(X), true, Y = 1")
    assert text.startswith(
        "   Call: (1) side(_) ? skip\n   Exit: (1) side(left) ? creep\n   Call: (2) _=1 ? creep\n"
    )


def test_leap_goes_to_the_next_spy_point(session):
    session.once("trace, spy(side/1)")
    text = with_keys(session, "llcll", "both(X,Y)")
    assert re.findall(r"(\w+): \(\d\) (\w+)", text) == [
        ("Call", "both"),
        ("Call", "side"),
        ("Exit", "side"),
        ("Call", "side"),  # creeping: what comes next in any case
        ("Exit", "side"),
    ]


def test_abort_is_not_caught(session):
    text = with_keys(session, "\ra", "trace, catch(side(X),_,true)")
    assert text.endswith("Call: (2) side(_) ? abort\n*** aborted\n{Trace mode}\n")
    assert record(session, "notrace.").endswith("yes\n")


def test_retry_at_each_port(session):
    text = with_keys(session, "\rr\r\r", "trace, first([a],X)")
    assert re.findall(r"(\w+): \((\d)\)", text) == [
        ("Call", "1"),
        ("Exit", "1"),
        ("Call", "1"),
        ("Exit", "1"),
    ]
    assert "X = a" in text
    text = with_keys(session, "\rr\r\r", "trace, first([],X)")
    assert re.findall(r"(\w+): \((\d)\)", text) == [
        ("Call", "1"),
        ("Fail", "1"),
        ("Call", "1"),
        ("Fail", "1"),
    ]
    assert "\nno\n" in text
    text = with_keys(session, "\rrr\r", "trace, 1 > a")  # at a call it is where it starts
    assert re.findall(r"(\w+): \(\d\)", text) == ["Call", "Exception", "Call", "Exception"]


def test_retry_after_other_answers_were_tried(session):
    text = with_keys(session, "\r\r\r\rrs\r\r\r", "trace, first([a,b],X), X == b")
    ports = re.findall(r"(\w+): \((\d)\) (\w+)", text)
    assert ports[:6] == [
        ("Call", "1", "first"), ("Exit", "1", "first"), ("Call", "2", "a"), ("Fail", "2", "a"),
        ("Redo", "1", "first"), ("Call", "1", "first"),
    ]  # fmt: skip
    assert "Exit: (1) first([a,b],a)" in text


def test_fail(session):
    text = with_keys(session, "f\r", "trace, side(X)")
    assert text.startswith("   Call: (1) side(_) ? fail\n   Fail: (1) side(_) ? creep\nno\n")
    text = with_keys(session, "sf\r", "trace, first([a,b],X)")  # the other answer is gone, too
    assert re.findall(r"(\w+): \((\d)\)", text) == [("Call", "1"), ("Exit", "1"), ("Fail", "1")]
    assert "\nno\n" in text


def test_ancestors(session):
    text = with_keys(session, "\r\rg\rn", "trace, both(X,Y)")
    assert "Call: (3) msw(coin,_):_ ? ancestors\n     (1) both(_,_)\n     (2) side(_)\n   Call: (3)" in text
    text = with_keys(session, "\r\rgn", "trace, bagof(X,Y^both(X,Y),L)")  # through built-in predicates
    assert "     (1) bagof(" in text
    assert "     (2) both(_,_)\n" in text
    assert "L = [left]" in text


def test_a_long_chain_of_ancestors_is_cut(tmp_path):
    (tmp_path / "deep.pl").write_text("down(0) :- here.\ndown(N) :- N > 0, M is N-1, down(M), true.\nhere.\n")
    session = Session([].append)
    session.consult(tmp_path / "deep.pl")
    session.once("spy(here)")
    text = with_keys(session, "gn", "down(1000)")
    assert "\n     ...\n" in text
    assert " down(0)\n" in text
    assert " down(900)\n" not in text


def test_prob_is_entered(session):
    lines = ports(session, "trace, prob(both(left,Y),P)")
    assert lines[:6] == [
        "Call: (1) prob(both(left,_),_) ?",
        "Call: (2) both(left,_) ?",
        "Call: (3) side(left) ?",
        "Call: (4) msw(coin,_):_ ?",
        "Exit: (4) msw(coin,head):1.0 ?",
        "Call: (5) head==head ?",
    ]
    assert "Redo: (4) msw(coin,head):_ ?" in lines  # all outcomes are tried
    assert "Exit: (4) msw(coin,tail):0.0 ?" in lines
    assert sum("side(left)" in line and line.startswith("Call") for line in lines) == 1
    assert lines[-1] == "Exit: (1) prob(both(left,_),1.0) ?"


def test_search_through_recursion(tmp_path):
    (tmp_path / "pcfg.psm").write_text(
        "values(s,[[s,s],[a]],[0.3,0.7]).\n"
        "parse(L) :- s(L,[]).\n"
        "s(L,R) :- msw(s,Rhs), ( Rhs == [a] -> L = [a|R] ; s(L,M), s(M,R) ).\n"
    )
    session = Session([].append)
    session.prism(tmp_path / "pcfg.psm")
    plain = session.once("prob(parse([a,a]),P)")["P"]
    traced = record(session, "trace, prob(parse([a,a]),P).")
    assert f"P = {plain:.6g}" in traced
    assert "Exit: (2) parse([a,a])" in traced
    assert "yes\n" in traced
    assert session.machine.state["tracing"].search is None
    skipped = with_keys(session, "\rss\r", "prob(parse([a,a]),P)")
    assert f"P = {plain:.6g}" in skipped


def test_help_and_going_on_without_tracing(session):
    text = with_keys(session, "hn", "trace, both(X,Y)")
    assert "  h          this help\n   Call: (1) both(_,_) ? nodebug\nX = left\nY = left\nyes\n" in text


def test_long_goals_are_folded(session):
    lines = ports(session, "numlist(1,2000,L), trace, is_list(L)")
    assert all(len(line) < 1100 and " ..." in line for line in lines)


def test_the_mode_stands_above_the_prompt_of_a_replay(session):
    session.once("trace")
    assert record(session, "fail.").endswith("no\n{Trace mode}\n")


def test_the_way_to_a_spy_point_needs_no_room(tmp_path):
    (tmp_path / "long.pl").write_text(
        "count(N,N) :- !.\ncount(I,N) :- J is I+1, near(J), count(J,N).\nnear(_).\ndone.\n"
    )
    session = Session([].append)
    session.consult(tmp_path / "long.pl")
    session.machine.heap.limit = 1 << 18  # words that one stack may have
    session.once("spy(done)")
    assert ports(session, "count(0,30000), done") == ["+ Call: (90002) done ?", "+ Exit: (90002) done ?"]
