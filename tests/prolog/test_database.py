"""The clause database: what one query asserts and erases, the next one sees."""

import re

import pytest

from prism_repl.core.instructions import CONSTANTS
from prism_repl.core.queries import Query
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.system import new_machine
from prism_repl.prolog.writer import write_term

pytestmark = pytest.mark.quick


def all_values(m, query, variable="X"):
    """The values of a variable in all solutions of a query of its own."""
    read = read_term(m, query + " .")
    run = Query(m, m.deref(read.cell))
    values = []
    while run.next():
        values.append(
            write_term(m, dict(read.variables)[variable]) if variable in dict(read.variables) else ""
        )
    run.close()
    return values


def test_erased_clauses_leave_no_trace_in_later_queries():
    m = new_machine()
    all_values(m, "dynamic(p/1)")
    for i in range(30):
        assert all_values(m, f"retractall(p(_)), assertz(p({i})), assertz(p(z)), p(X)") == [str(i), "z"]
        assert all_values(m, "p(X)") == [str(i), "z"]
        assert all_values(m, f"p({i})") == [""]
    assert all_values(m, "retract(p(z))") == [""]
    assert all_values(m, "assertz(p(w))") == [""]
    assert all_values(m, "p(X)") == ["29", "w"]


def consult(m, *clauses):
    for clause in clauses:
        m.database.add_clause(m.deref(read_term(m, clause + " .").cell), True, 0)


def test_recursion_down_a_list_sees_all_clauses():
    """The machine has a short way to the only clause for lists: it must not be taken when there are more."""
    m = new_machine()
    consult(m, "last([],X,X)", "last([X|T],_,Y) :- last(T,X,Y)", "seen([],_)", "seen([X|T],Y) :- last(T,X,Y)")
    assert all_values(m, "seen([a,b,c,d],X)") == ["d"]
    consult(m, "last([c|_],_,more)")
    assert all_values(m, "seen([a,b,c,d],X)") == ["d", "more"]
    consult(m, "last(_,b,any)")
    assert all_values(m, "seen([a,b,c,d],X)") == ["d", "more", "any"]


def test_retractall_takes_what_matches_and_nothing_else():
    m = new_machine()
    all_values(m, "dynamic(f/2), dynamic(g/0)")
    facts = "assertz(f(a,1)), assertz((f(g(_,_),b) :- g)), assertz(f(a,_)), assertz(f(c,3)), assertz(g)"
    left = {
        "f(g(X,Y),b)": ["a", "a", "c"],
        "f(a,1)": ["g(_,_)", "c"],
        "f(a,_)": ["g(_,_)", "c"],
        "f(X,X)": ["a", "g(_,_)", "c"],
        "f(_,3)": ["a", "g(_,_)"],
        "f(_,_)": [],
        "f(z,_)": ["a", "g(_,_)", "a", "c"],
        "g": ["a", "a", "c"],
    }
    for head, names in left.items():
        all_values(m, f"retractall(f(_,_)), retractall(g), {facts}, retractall({head})")
        assert [re.sub(r"_\w+", "_", value) for value in all_values(m, "f(X,_)")] == names, head


def test_a_running_call_sees_clauses_that_retractall_erased():
    m = new_machine()
    all_values(m, "dynamic(f/1)")
    for n in (3, 30, 3000):
        assert all_values(m, f"between(1,{n},I), assertz(f(I)), fail ; true")
        found = all_values(m, "f(X), ( X == 2 -> retractall(f(_)), assertz(f(new)) ; true )")
        assert found == [str(i) for i in range(1, n + 1)]
        assert all_values(m, "f(X), retractall(f(_))") == ["new"]
        assert all_values(m, "f(X)") == []


def test_facts_are_the_same_however_they_are_asserted():
    m = new_machine()
    all_values(m, "dynamic(f/3)")
    all_values(
        m,
        "A = 1, asserta(f(A,b,5)), assertz(f(x,Y,1.5)), assertz((f(y,[],'Z z') :- true)), assert(f(1,2,3))",
    )
    assert all_values(m, "f(1,A,B), X = A/B") == ["b/5", "2/3"]
    assert all_values(m, "f(A,_,B), X = A/B") == ["1/5", "x/1.5", "y/Z z", "1/3"]
    assert all_values(m, "clause(f(1,A,B),true), X = A/B") == ["b/5", "2/3"]
    assert all_values(m, "retract(f(1,A,B)), X = A/B") == ["b/5", "2/3"]
    assert all_values(m, "f(1,_,_)") == []


def test_calls_of_consulted_predicates_see_the_clauses_of_their_moment(tmp_path):
    program = tmp_path / "program.pl"
    program.write_text("q(1). q(2). q(3).\nr(a,1). r(_,2). r(a,3). r(_,4).\n:- dynamic q/1, r/2.\n")
    m = new_machine()
    all_values(m, f"consult('{program}')")
    assert all_values(m, "q(X), ( X == 1 -> assertz(q(9)), retract(q(2)) ; true )") == ["1", "2", "3"]
    assert all_values(m, "q(X)") == ["1", "3", "9"]
    change = "retract(r(a,3)), retract(r(_,4)), assertz(r(a,9))"
    assert all_values(m, f"r(a,X), ( X == 1 -> {change} ; true )") == ["1", "2", "3", "4"]
    assert all_values(m, "r(a,X)") == ["1", "2", "9"]
    assert all_values(m, "r(b,X)") == ["2"]


def test_a_fact_has_no_cut_of_the_clause_before_it():
    m = new_machine()
    consult(m, "first(X) :- X > 1, !", "second(a,1)", "second(b,2)", "third(X) :- first(X)")
    cuts = [
        m.program.pred_field(m.program.pred(m.functor(m.atom(name), arity)), CONSTANTS["P_FLAGS"])
        & CONSTANTS["F_CUTS"]
        for name, arity in (("first", 1), ("second", 2), ("third", 1))
    ]
    assert [bool(flag) for flag in cuts] == [True, False, False]
