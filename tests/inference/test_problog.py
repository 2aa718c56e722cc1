"""The same numbers as ProbLog 2, where it is installed (pip install '.[bench]')."""

import warnings

import pytest

from tests.benchmarks.exact import difference, ours, theirs
from tests.benchmarks.exact_programs import CASES, Case
from tests.support.worlds import random_program

pytest.importorskip("problog", reason="ProbLog is not installed: pip install '.[bench]'")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", CASES)
def test_the_same_numbers(name):
    make, small, _ = CASES[name]
    case = make(small)
    assert difference(ours(case)[0], theirs(case)[0]) < 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_random_programs(seed):
    program = random_program(seed)
    goals = [f"g{i}" for i in range(5) if program.probability(f"g{i}") > 0.0]
    case = Case(program.prism(), program.problog(), goals)
    assert difference(ours(case)[0], theirs(case)[0]) < 1e-9
