"""Sampling where switches are thrown once: a switch keeps its value through one sample."""

import pytest

from tests.predicates.test_exact import CIRCLES
from tests.support.programs import Program

DIE = """
values(die,[1,2,3,4,5,6]).
twice(X,Y) :- msw(die,X), msw(die,Y).
even :- msw(die,X), X mod 2 =:= 0.
odd :- msw(die,X), X mod 2 =:= 1.
soft(X,Y) :- soft_msw(die,X), soft_msw(die,Y).
again(X,Y) :- msw(die,X), other(Y).
other(Y) :- msw(die,Y).
never :- even, odd.
:- set_prism_flag(trials,once).
"""


@pytest.mark.parametrize("goal", ["twice(X,Y)", "soft(X,Y)", "again(X,Y)", "(msw(die,X),msw(die,Y))"])
def test_a_switch_keeps_its_value(tmp_path, goal):
    program = Program(tmp_path, DIE)
    query = goal if goal[0] == "(" else f"sample({goal})"
    solutions = [program.ask(query)[0] for _ in range(30)]
    assert all(solution["X"] == solution["Y"] for solution in solutions)


def test_another_sample_is_another_throw(tmp_path):
    program = Program(tmp_path, DIE)
    values = {program.one("sample(twice(X,_))") for _ in range(100)}
    assert values == set("123456")
    samples = program.one("get_samples(200,twice(_,_),X)")
    assert {f"twice({i},{i})" for i in range(1, 7)} == set(samples.strip("[]").replace("),", ") ").split())
    assert program.ask("get_samples_c(50,never,L)")[0]["L"] == "[]"
    assert "#failure = 50" in program.output


def test_backtracking_does_not_throw_again(tmp_path):
    program = Program(tmp_path, DIE)
    for _ in range(20):
        assert program.one("findall(A,(member(_,[1,2,3]),msw(die,A)),L), sort(L,S), length(S,X)") == "1"


def test_paths_that_run_in_circles_can_be_sampled(tmp_path):
    program = Program(tmp_path, CIRCLES)
    program.printed("random_set_seed(1), set_prism_flag(trials,once)")
    program.printed("get_samples_c(2000,path(1,4),_)")
    words = program.output.split()
    successes = int(words[words.index("#success") + 2])
    assert abs(successes / 2000 - 0.53864) < 0.04  # more than three standard deviations
    reached = [s["X"] for s in program.ask("sample(path(1,X))")]
    assert "1" in reached
    assert len(reached) == len(set(reached))
    # a search afterwards sees all outcomes again
    assert program.number("prob(path(1,4),P)") == pytest.approx(0.53864)
