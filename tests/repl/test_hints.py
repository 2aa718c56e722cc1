"""Hints for a person whose query met an unknown predicate, and the names that they look at."""

import pytest

from prism_repl import Session
from prism_repl.repl.hints import CLAUSES, hint
from prism_repl.repl.names import SessionNames


@pytest.fixture(scope="module")
def session():
    return Session(lambda text: None)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("p :- q", CLAUSES),
        ("s --> [a]", CLAUSES),
        ("unheard_of(1)", CLAUSES),  # nothing is loaded
        ("viterbff(a,P,E)", "Perhaps viterbif or viterbi?"),
        ("show_sw(a,b)", "There is show_sw/0,1."),
        ("atom_length(X,Y)", ""),
        ("throw(error(existence_error(procedure,a),b))", ""),
        ("prob(a,b,P)", "prob/3 needs set_prism_flag(trials,once)."),
        ("X = 1", ""),
        ("fail", ""),
    ],
)
def test_hint(session, query, expected):
    answer = next(session.ask(query))
    assert hint(SessionNames(session), answer) == expected


def test_no_word_about_clauses_with_a_program(tmp_path):
    session = Session(lambda text: None)
    (tmp_path / "a.pl").write_text("known(1).")
    session.consult(tmp_path / "a.pl")
    names = SessionNames(session)
    assert hint(names, next(session.ask("unheard_of(1)"))) == ""
    assert hint(names, next(session.ask("knwon(1)"))) == "Perhaps known?"


def test_names_of_one_predicate_stand_together():
    names = SessionNames(Session())
    shown = [c.shown for c in names.predicates().starting_with("show_sw")]
    assert shown[:2] == ["show_sw/0,1", "show_sw_a/0,1"]
    assert next(c.shown for c in names.topics().starting_with("show_sw")) == "show_sw/0,1"


def test_names_are_found_again_after_a_query():
    session = Session()
    names = SessionNames(session)
    list(session.ask("mine(1)"))
    assert "mine" not in names.arities()
    session.once("assertz(mine(1))")
    names.forget()
    assert names.arities()["mine"] == [1]
