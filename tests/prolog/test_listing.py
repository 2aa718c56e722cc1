"""Clauses as portray_clause/1 and listing/1 print them."""

import pytest

from prism_repl.core.memory import Memory
from prism_repl.core.queries import solve_once
from prism_repl.prolog.listing import clause_text, single_variables
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.system import new_machine


class Machine(Memory):
    def __init__(self):
        super().__init__()
        self.operators = Operators()
        self.prolog_flags = {}


@pytest.fixture
def m():
    return Machine()


CASES = [
    ("double(X,Y) :- Y is X*2", "double(A, B) :-\n        B is A*2.\n"),
    ("fact(X,Y,X,_)", "fact(A, _, A, _).\n"),
    ("p :- true", "p.\n"),
    ("p(\"ab\",'A b',[X|Y],Y)", "p([97,98], 'A b', [_|A], A).\n"),
    ("p :- a, b(X), \\+c(X)", "p :-\n        a,\n        b(A),\n        \\+c(A).\n"),
    ("p :- (a -> b ; c)", "p :-\n        (   a\n        ->  b\n        ;   c\n        ).\n"),
    (
        "p :- (a, x -> b, y ; c -> d ; e), f",
        "p :-\n        (   a,\n            x\n        ->  b,\n            y\n"
        "        ;   c\n        ->  d\n        ;   e\n"
        "        ),\n        f.\n",
    ),
    ("p :- (a ; b)", "p :-\n        (   a\n        ;   b\n        ).\n"),
    ("p :- (a -> b)", "p :-\n        (   a\n        ->  b\n        ).\n"),
    ("p :- (a *-> b ; c)", "p :-\n        (   a\n        *-> b\n        ;   c\n        ).\n"),
    (
        "p :- ((a ; b) ; c)",
        "p :-\n        (   (   a\n            ;   b\n            )\n        ;   c\n        ).\n",
    ),
    ("p :- (a, b), c", "p :-\n        (a,b),\n        c.\n"),
    (":- dynamic foo/1", ":- dynamic foo/1.\n"),
    (":- a, b", ":- a,\n        b.\n"),
    ("a --> b, {c}, [d]", "a -->\n        b,\n        {c},\n        [d].\n"),
    ("x = +", "x=(+).\n"),
    ("p :- X, call(X)", "p :-\n        A,\n        call(A).\n"),
    ("+", "+ .\n"),
    ("f('$VAR'(1),X,X)", "f('$VAR'(1), A, A).\n"),
    ("p(0.1, 1.0e22)", "p(0.1, 1.0e+22).\n"),
    ("p :- (a :- b)", "p :-\n        (a:-b).\n"),
]


@pytest.mark.parametrize(("source", "text"), CASES, ids=[case[0] for case in CASES])
def test_layout(m, source, text):
    cell = read_term(m, source + " .").cell
    assert clause_text(m, cell) == text
    again = read_term(m, text).cell
    if source != "p :- true":
        assert m.is_variant(cell, again)


def test_long_body(m):
    a = m.atom("a")
    body = a
    comma = m.functor(m.atom(","), 2)
    for _ in range(20_000):
        body = m.new_struct(comma, [a, body])
    text = clause_text(m, m.struct(":-", m.atom("p"), body))
    assert text == "p :-\n        " + ",\n        ".join(["a"] * 20_001) + ".\n"


def test_cyclic_clause(m):
    x = m.new_var()
    m.bind(x, m.struct("f", m.new_var(), x))
    assert clause_text(m, x) == "f(A, ...).\n"


def test_listing():
    m = new_machine()
    text = []
    m.streams.user_output_sink = text.append

    def solve(goal):
        text.clear()
        return solve_once(m, read_term(m, goal + " .").cell)

    assert solve("assertz((double(X,Y) :- Y is X*2)), assertz(item(1)), assertz(item(b)), dynamic(none/1)")
    assert solve("listing(double)")
    assert "".join(text) == "double(A, B) :-\n        B is A*2.\n"
    assert solve("listing(item/1)")
    assert "".join(text) == "item(1).\nitem(b).\n"
    assert solve("listing(none)")
    assert text == []
    assert solve("listing")
    assert "".join(text) == "double(A, B) :-\n        B is A*2.\n\nitem(1).\nitem(b).\n"
    assert not solve("listing(no_such)")
    assert solve("catch(listing(_),error(E,_),true), E == instantiation_error")


def test_variables_of_shared_terms_are_counted_in_one_walk(m):
    once, often = m.new_var(), m.new_var()
    term = m.new_struct(m.functor(m.atom("f"), 1), [often])
    for _ in range(2000):
        term = m.new_struct(m.functor(m.atom("t"), 2), [term, term])
    assert single_variables(m, m.cons(once, term)) == {once}
