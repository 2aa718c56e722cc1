"""Switches, flags and values that are not there, and what is suspicious in a program: told at the prompt."""

import re

import pytest

from prism_repl import Session
from prism_repl.answers import NO
from prism_repl.model.declaration_checks import suspicions
from prism_repl.model.translation import translate_program
from prism_repl.repl.hints import hint
from prism_repl.repl.names import SessionNames

MODEL = """values(first,[a,b]).
values(act(_),[walk,shop]).
p(X) :- msw(first,_), msw(act(x),X).
:- set_sw(first).
"""


@pytest.fixture
def names(tmp_path):
    (tmp_path / "m.psm").write_text(MODEL)
    names = SessionNames(Session(lambda text: None))
    names.session.prism(tmp_path / "m.psm")
    return names


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("fix_sw(firts)", "No switch firts is declared. Perhaps first?"),
        ("show_sw(atc(_))", "No switch atc(_) is declared. Perhaps act?"),
        ("show_sw(act(_))", ""),  # declared, though not registered yet
        ("show_sw(first)", ""),
        ("show_sw", ""),
        ("set_sw(firsd,uniform)", "Perhaps first?"),
        ("set_prism_flag(restrat,3)", "Perhaps restart?"),
        ("set_prism_flag(learn_mode,bth)", "Perhaps both?"),
        ("set_prism_flag(restart,0)", "restart takes integer >= 1."),
        ("set_prism_flag(xyzzy,3)", ""),
        ("msw(something_else,X)", ""),
    ],
)
def test_what_may_have_been_meant(names, query, expected):
    hint(names, NO)  # takes what the load noted
    answer = next(names.session.ask(query), NO)
    said = hint(names, answer)
    assert re.sub(r"_\w+", "_", said) == expected
    assert hint(names, NO) == ""


def test_a_program_is_looked_over_when_it_is_loaded(tmp_path):
    (tmp_path / "m.psm").write_text(
        "values(c,[a,b,a]).\nvalues(d,[x,y],[0.2,0.2]).\nvalues(e,[1-3],uniform).\n"
        "p(X) :-\n    msw(c,X), msw(e,_),\n    msw(f(X),_).\n"
        "q(X) :- msw(e,1), ( msw(e,1) -> X = 1 ; once(p(X)) ; X = 2 -> true ).\n"
    )
    names = SessionNames(Session(lambda text: None))
    with pytest.warns(UserWarning, match="1 error"):
        names.session.prism(tmp_path / "m.psm")
    assert re.sub(r"_\w+", "_", hint(names, NO)).split("\n") == [
        "m.psm, 6-5: no values/2 for the switch f(_)",
        "m.psm, 7-9: a search keeps only the first explanation of msw/2 in a condition",
        "m.psm, 7-46: a search keeps only the first explanation of p/1 in once/1",
        "m.psm, 1-1: a is an outcome of c more than once",
        "m.psm, 2-1: [0.2,0.2] is no distribution of the 2 outcomes of d",
    ]


def test_a_switch_without_outcomes_does_not_end_the_load(names, tmp_path):
    program = "values(s,[],uniform).\nvalues(c,[a,b],[0.3,0.7]).\np(X) :- msw(c,X).\n"
    (tmp_path / "none.psm").write_text(program)
    with pytest.warns(UserWarning, match="1 error"):
        names.session.prism(tmp_path / "none.psm")
    assert names.session.prob("p(a)") == 0.3


class CountingUnifications:
    """A machine that counts how often terms are unified."""

    def __init__(self, machine):
        self.machine = machine
        self.count = 0

    def __getattr__(self, name):
        return getattr(self.machine, name)

    def unify(self, a, b):
        self.count += 1
        return self.machine.unify(a, b)


def test_many_declared_switches_are_not_compared_with_each_other(tmp_path):
    """A left-corner grammar of a treebank has some six thousand."""
    size = 300
    declared = "".join(f"values(s({i}),[a,b]).\n" for i in range(size))
    used = "".join(f"p({i},X) :- msw(s({i}),X).\n" for i in range(size))
    (tmp_path / "m.psm").write_text(declared + used)
    machine = Session(lambda text: None).machine
    counting = CountingUnifications(machine)
    assert suspicions(counting, translate_program(machine, tmp_path / "m.psm"), "") == []
    assert counting.count == 0
    (tmp_path / "m.psm").write_text(declared + used + "q(X) :- msw(s(300),X).\n")
    found = suspicions(machine, translate_program(machine, tmp_path / "m.psm"), "")
    assert found == ["m.psm, 601-1: no values/2 for the switch s(300)"]
