import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prism_repl.prolog.builtins  # noqa: F401
from prism_repl.core.memory import Memory
from prism_repl.core.sorting import sort_list
from tests.support.term_values import ask, build, error_of, value_of


def test_sort_2():
    m = Memory()
    assert ask(m, "sort", [1, 1], "_S")[1] == [1]
    mixed = [("f", 1), "c", 2, 1.5, "b", 2, "z", 1]
    assert ask(m, "sort", mixed, "_S")[1] == [1.5, 1, 2, "b", "c", "z", ("f", 1)]
    assert ask(m, "sort", [], "_S")[1] == []
    assert ask(m, "sort", [3, 1], [1, 2]) is None
    assert error_of(m, "sort", ["a"], ("f", 1)) == ("type_error", "list", ("f", 1))
    assert error_of(m, "sort", "_L", "_S") == "instantiation_error"
    assert error_of(m, "sort", "a", "_S") == ("type_error", "list", "a")
    assert error_of(m, "sort", (".", "a", "b"), "_S")[:2] == ("type_error", "list")


def test_orders():
    m = Memory()
    unsorted = [2, 1, 3, 2]
    assert ask(m, "msort", unsorted, "_S")[1] == [1, 2, 2, 3]
    assert ask(m, "sort", "=<", unsorted, "_S")[2] == [1, 2, 2, 3]
    assert ask(m, "sort", "<", unsorted, "_S")[2] == [1, 2, 3]
    assert ask(m, "sort", ">=", unsorted, "_S")[2] == [3, 2, 2, 1]
    assert ask(m, "sort", 0, "@>", unsorted, "_S")[3] == [3, 2, 1]
    pairs = [("p", 2, "x"), ("p", 1, "y"), ("p", 2, "a")]
    assert ask(m, "sort", 1, "@>=", pairs, "_S")[3] == [("p", 2, "x"), ("p", 2, "a"), ("p", 1, "y")]
    assert ask(m, "sort", 1, "@<", pairs, "_S")[3] == [("p", 1, "y"), ("p", 2, "x")]
    assert error_of(m, "sort", "up", unsorted, "_S") == ("domain_error", "order", "up")
    assert error_of(m, "sort", 1, "@<", [1], "_S") == ("type_error", "compound", 1)


def test_keysort():
    m = Memory()
    pairs = [("-", 1, 1), ("-", 0, 9), ("-", 1, 0)]
    assert ask(m, "keysort", pairs, "_S")[1] == [("-", 0, 9), ("-", 1, 1), ("-", 1, 0)]
    assert error_of(m, "keysort", ["a"], "_S") == ("type_error", "pair", "a")
    assert error_of(m, "keysort", ["_X"], "_S") == "instantiation_error"
    assert error_of(m, "keysort", [("-", 1, 1)], ["a"]) == ("type_error", "pair", "a")


@given(st.lists(st.tuples(st.integers(0, 20), st.integers()), max_size=200), st.booleans())
def test_sort_is_stable(pairs, descending):
    m = Memory()
    unsorted = build(m, [("p", *x) for x in pairs])
    expected = sorted(pairs, key=lambda p: p[0], reverse=descending)
    assert value_of(m, sort_list(m, unsorted, 1, descending, False)) == [("p", *x) for x in expected]


def test_long_list():
    m = Memory()
    items = list(range(20_000))
    random.Random(1).shuffle(items)
    assert value_of(m, sort_list(m, build(m, items), 0, False, True)) == list(range(20_000))


def test_sort_can_be_interrupted():
    m = Memory()
    items = build(m, list(range(60_000, 0, -1)))  # fewer than what is looked at before the sorting itself
    m.interrupts.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        sort_list(m, items, 0, False, False)
