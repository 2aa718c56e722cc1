"""Hints for a person whose query met an unknown predicate, and the names that they look at."""

import pytest

from prism_repl import Session
from prism_repl.repl.hints import CLAUSES, IN_A_LIST, LEAVE, NO_ATOM, hint
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
        ("prob(not(toss(_)),P)", NO_ATOM),
        ("prob((toss(_),toss(_)),P)", NO_ATOM),
        ("exit", LEAVE),
        ("help viterbi", "Arguments stand in brackets: help(viterbi)."),
        ("unheard_of viterbi", ""),
        ("X = a b", ""),
        ("learn(toss(_))", IN_A_LIST),
        ("learn([])", ""),
        ("X = 1", ""),
        ("fail", ""),
    ],
)
def test_hint(session, query, expected):
    answer = next(session.ask(query))
    assert hint(SessionNames(session), answer) == expected


def test_a_recursion_without_end():
    session = Session(lambda text: None)
    session.machine.heap.limit = 1 << 21  # so that the test is quick
    session.once("assertz((endless(X) :- endless(X), endless(X)))")
    names = SessionNames(session)
    assert hint(names, next(session.ask("endless(1)"))).startswith(
        "Perhaps endless/1 calls itself without end;"
    )
    assert hint(names, next(session.ask("length(L,L)"))) == ""


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


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("prob(deys([walk]))", "Perhaps days/1?"),
        ("prob(days([walk],2))", "Perhaps days/1?"),
        ("viterbi(day,P)", "Perhaps day/2?"),
        ("learn([deys([walk])])", "Perhaps days/1?"),
        ("sample(deys(X))", "Perhaps days/1?"),
        ("prob(plain(1))", "plain/1 does not reach msw/2: it has no probability."),
        ("prob(something_else)", ""),
        ("prob(3)", ""),
        ("prob(days(_),P)", ""),
    ],
)
def test_goals_that_are_spelled_wrong(tmp_path, query, expected):
    program = tmp_path / "m.psm"
    program.write_text(
        "values(s,[a,b]).\ndays([]).\ndays([X|Xs]) :- day(X,Xs).\n"
        "day(X,Xs) :- msw(s,X), days(Xs).\nplain(1).\n"
    )
    session = Session(lambda text: None)
    session.prism(program)
    session.once("set_prolog_flag(stack_limit,20000000)")  # the search for days(_) has no end
    answer = next(session.ask(query))
    assert hint(SessionNames(session), answer) == expected


def test_no_probabilities_yet(tmp_path):
    session = Session(lambda text: None)
    names = SessionNames(session)
    assert hint(names, next(session.ask("prob(a)"))) == "No program is loaded; prism(File) loads one."
    (tmp_path / "a.psm").write_text("p(1).\n")
    session.prism(tmp_path / "a.psm")
    assert hint(names, next(session.ask("prob(p(1))"))) == "No predicate of the program reaches msw/2."
