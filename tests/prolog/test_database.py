"""The clause database: what one query asserts and erases, the next one sees."""

import pytest

from prism_repl.prolog.reader import read_term
from prism_repl.prolog.system import new_machine
from prism_repl.prolog.writer import write_term

pytestmark = pytest.mark.quick


def all_values(m, query, variable="X"):
    """The values of a variable in all solutions of a query of its own."""
    read = read_term(m, query + " .")
    run = m.open_query(m.deref(read.cell))
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
