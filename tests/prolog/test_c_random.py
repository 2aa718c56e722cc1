"""X is random gives the numbers of the C library, as in B-Prolog."""

import pytest

from prism_repl import PrismError, Session
from prism_repl.prolog.c_random import CRandom


def test_the_numbers_of_c():
    random = CRandom()
    assert [random.number() for _ in range(4)] == [1804289383, 846930886, 1681692777, 1714636915]
    random.seed(10)
    assert random.number() == 1215069295


def test_every_session_has_the_same_numbers():
    for _ in range(2):
        session = Session(lambda text: None)
        assert session.once("X is random")["X"] == 1804289383
        assert session.once("X is random(10)")["X"] == 1215069295


def test_lists_of_one_element_are_evaluated():
    session = Session(lambda text: None)
    assert session.once("X is [3]+1")["X"] == 4
    for query in ("X is [1,2]", "format('~4f',[[0.5,0.7]])"):
        with pytest.raises(PrismError, match="evaluable"):
            session.once(query)
