"""What writeq and write_canonical print reads back as the same term."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.core.memory import Memory
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import Reader
from prism_repl.prolog.writer import write_term

pytestmark = pytest.mark.quick

NAMES = ["a", "foo", "B c", "", "[]", "{}", "!", ";", ",", "|", ".", "-", "+", "*", "\\+", ":-", "=", "->"]
NAMES += ["mod", "is", "dynamic", "prob", "not", "times", "@", "..", "in", "xf", "yf", "fx", "é", "É", "_x"]
NAMES += ["X", "0", "e", "don't", "\\", "\n", "\0", "a\tb", "/*", "%", "//", "=..", "??", "#!", "'", '"', "`"]
NAMES += ["\x7f", "\u2028", "→", "^", "**"]
TEXT = st.text(max_size=3, alphabet=st.characters(exclude_categories=["Cs"]))
ATOMS = st.one_of(st.sampled_from(NAMES), TEXT)
LEAVES = st.one_of(
    ATOMS.map(lambda name: ("atom", name)),
    st.one_of(st.integers(-3, 3), st.integers()).map(lambda value: ("integer", value)),
    st.floats(allow_nan=False).map(lambda value: ("float", value)),
    st.sampled_from("XYZ").map(lambda name: ("variable", name)),
)
TERMS = st.recursive(
    LEAVES,
    lambda children: st.one_of(
        st.tuples(st.just("list"), children, children),
        st.tuples(st.just("compound"), ATOMS, st.lists(children, min_size=1, max_size=3)),
    ),
    max_leaves=12,
)


class Prolog(Memory):
    def __init__(self):
        super().__init__()
        self.operators = Operators()
        self.prolog_flags = {}
        self.operators.add(300, "xf", "xf")
        self.operators.add(1150, "yf", "yf")
        self.operators.add(500, "fx", "fx")


def build(m, term, variables):
    kind, value, *rest = term
    if kind == "atom":
        return m.atom(value)
    if kind == "integer":
        return m.int_cell(value)
    if kind == "float":
        return m.float_cell(value)
    if kind == "variable":
        return variables.setdefault(value, m.new_var())
    if kind == "list":
        return m.cons(build(m, value, variables), build(m, rest[0], variables))
    return m.struct(value, *[build(m, argument, variables) for argument in rest[0]])


@given(TERMS, st.sampled_from([{}, {"ignore_ops": True}, {"spacing": "next_argument"}]))
@settings(max_examples=200, deadline=None)
def test_quoted_text_reads_back(term, options):
    m = Prolog()
    cell = build(m, term, {})
    text = write_term(m, cell, quoted=True, float_format="full", **options)
    read = Reader(m, text + " .").read_term()
    assert read.end == len(text) + 2
    assert m.is_variant(read.cell, cell), text
