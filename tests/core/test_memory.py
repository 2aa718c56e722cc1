"""Terms in memory: what is built is read back, compared, copied, frozen and interned as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.core.memory import Memory

pytestmark = pytest.mark.quick

ATOMS = ["a", "b", "[]", "foo", "a long name", "é"]
SMALL = 1 << 60  # the first integer that does not fit into a cell
EDGES = st.sampled_from([SMALL, -SMALL - 1])
INTEGERS = st.one_of(st.integers(-5, 5), st.integers(-(1 << 200), 1 << 200), EDGES)
LEAVES = st.one_of(
    st.sampled_from(ATOMS).map(lambda text: ("atom", text)),
    INTEGERS.map(lambda value: ("int", value)),
    st.floats(allow_nan=False).map(lambda value: ("float", value)),
)
VARIABLES = st.sampled_from("XYZ").map(lambda name: ("var", name))


def terms(leaves):
    return st.recursive(
        leaves,
        lambda children: st.one_of(
            st.tuples(st.just("list"), children, children),
            st.lists(children, min_size=1, max_size=4).map(lambda items: ("f", *items)),
        ),
        max_leaves=20,
    )


def build(m, term, variables):
    kind, *parts = term
    if kind == "atom":
        return m.atom(parts[0])
    if kind == "int":
        return m.int_cell(parts[0])
    if kind == "float":
        return m.float_cell(parts[0])
    if kind == "var":
        if parts[0] not in variables:
            variables[parts[0]] = m.new_var()
        return variables[parts[0]]
    cells = [build(m, part, variables) for part in parts]
    if kind == "list":
        return m.cons(*cells)
    return m.struct("f", *cells)


@settings(max_examples=60, deadline=None)
@given(terms(LEAVES))
def test_ground_terms(term):
    m = Memory()
    one = build(m, term, {})
    two = build(m, term, {})
    assert m.is_ground(one)
    assert m.compare(one, two) == 0
    assert m.intern(one) == m.intern(two) != 0
    assert m.compare(m.intern(one), two) == 0
    assert m.unify(one, two)
    record = m.freeze(one)
    assert m.compare(m.thaw(record), two) == 0


@settings(max_examples=60, deadline=None)
@given(terms(st.one_of(LEAVES, VARIABLES)))
def test_terms_with_variables(term):
    m = Memory()
    variables = {}
    cell = build(m, term, variables)
    assert m.is_ground(cell) == (not variables)
    assert len(m.term_vars(cell)) == len(variables)
    assert m.is_variant(cell, m.copy(cell))
    assert m.is_variant(cell, m.thaw(m.freeze(cell)))
    assert m.unify(cell, build(m, term, {}))


@settings(max_examples=60, deadline=None)
@given(terms(LEAVES), terms(LEAVES), terms(LEAVES))
def test_the_standard_order_is_an_order(a, b, c):
    m = Memory()
    a, b, c = (build(m, term, {}) for term in (a, b, c))
    assert m.compare(a, b) == -m.compare(b, a)
    if m.compare(a, b) <= 0 and m.compare(b, c) <= 0:
        assert m.compare(a, c) <= 0


@pytest.mark.parametrize("value", [0, -1, SMALL - 1, SMALL, -SMALL, -SMALL - 1, 1 << 64, -(1 << 64), 10**50])
def test_integers(value):
    m = Memory()
    assert m.int_value(m.int_cell(value)) == value


def test_deep_terms_do_not_recurse():
    m = Memory()
    depth = 20_000
    one = m.atom("leaf")
    two = m.atom("leaf")
    for _ in range(depth):
        one = m.struct("f", one)
        two = m.struct("f", two)
    assert m.compare(one, two) == 0
    assert m.unify(one, two)
    assert m.intern(m.copy(one)) == m.intern(two)
    assert m.is_ground(m.thaw(m.freeze(one)))
