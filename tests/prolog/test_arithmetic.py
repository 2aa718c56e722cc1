import math

import pytest

from prism_repl.core.errors import PrologError
from prism_repl.core.memory import Memory
from prism_repl.prolog.arithmetic import evaluate
from prism_repl.prolog.evaluables import BINARY, FIRST, FUNCTORS
from tests.support.solve import Prolog
from tests.support.term_values import build, value_of

BIG = 2**70


def run(expression):
    m = Memory(FUNCTORS)
    return value_of(m, evaluate(m, build(m, expression)))


def fails(expression):
    m = Memory(FUNCTORS)
    with pytest.raises(PrologError) as caught:
        evaluate(m, build(m, expression))
    return value_of(m, caught.value.formal(m))


# The recorded transcript of PRISM, then ISO Cor.3 and the edges of the fast paths.
VALUES = [
    (("+", 1, ("*", 2, 3)), 7),
    (("/", 7, 2), 3.5),
    (("float_fractional_part", math.inf), 0.0),
    (("/", 8, 2), 4.0),
    (("/", -8, 2), -4.0),
    (("//", 7, 2), 3),
    (("//", -7, 2), -3),
    (("//", 7, -2), -3),
    (("mod", 7, 3), 1),
    (("mod", -7, 3), 2),
    (("mod", 7, -3), -2),
    (("mod", -7, -3), -1),
    (("mod", 6, -3), 0),
    (("rem", 7, 3), 1),
    (("rem", -7, 3), -1),
    (("rem", 7, -3), 1),
    (("div", 5, 2), 2),
    (("div", -5, 2), -3),
    (("div", 5, -2), -3),
    (("div", -6, 2), -3),
    (("**", 2, 10), 1024),
    (("**", 2, 0.5), math.sqrt(2)),
    (("**", 2, -1), 0.5),
    (("**", 1, -1), 1),
    (("**", -1, -3), -1),
    (("**", 2.0, 3), 8.0),
    (("**", 2, 100), 2**100),
    (("^", 2, 10), 1024),
    (("^", 2, 3.0), 8.0),
    (("^", -1, -1), -1),
    (("^", 0, 0), 1),
    (("*", 100000000000, 100000000000), 10**22),
    (("*", 123456789123456789, 987654321), 121932631234567900112635269),
    (("-", ("**", 2, 64), 1), 2**64 - 1),
    (("//", ("**", 2, 70), ("**", 2, 60)), 1024),
    (("mod", ("**", 2, 70), 1000), 424),
    (("sqrt", 16), 4.0),
    (("log", 2, 8), 3.0),
    (("log2", 8), 3.0),
    (("log10", 100), 2.0),
    (("atan2", 1, 2), math.atan2(1, 2)),
    (("atan", 1, 2), math.atan2(1, 2)),
    ("pi", math.pi),
    ("e", math.e),
    (("abs", -3), 3),
    (("abs", -3.5), 3.5),
    (("abs", -BIG), BIG),
    (("sign", -3), -1),
    (("sign", -3.5), -1.0),
    (("max", 3, 4.0), 4.0),
    (("min", 3, 3.0), 3),
    (("max", BIG, 1.0), BIG),
    (("truncate", 3.7), 3),
    (("truncate", -3.7), -3),
    (("trunc", -3.7), -3),
    (("integer", 3.7), 3),
    (("integer", 2.5), 2),
    (("round", 2.5), 3),
    (("round", -2.5), -3),
    (("round", 0.49999999999999994), 0),
    (("round", 4503599627370497.5), 4503599627370498),
    (("floor", -2.5), -3),
    (("ceiling", 2.1), 3),
    (("truncate", 1e20), 10**20),
    (("float", 3), 3.0),
    (("float_integer_part", 3.7), 3.0),
    (("float_fractional_part", 3.75), 0.75),
    (("float_fractional_part", -3.75), -0.75),
    (("gcd", 12, 18), 6),
    (("gcd", 0, 0), 0),
    (("/\\", 5, 3), 1),
    (("\\/", 5, 3), 7),
    (("xor", 5, 3), 6),
    (("\\", 5), -6),
    (("<<", 1, 10), 1024),
    (("<<", 1, 100), 2**100),
    (("<<", -1, 62), -(2**62)),
    (("<<", 4, -1), 2),
    ((">>", 1024, 3), 128),
    ((">>", -1, 100), -1),
    ((">>", -16, 2), -4),
    (("msb", 1000), 9),
    (("mod", "random", 1), 0),
    ([97], 97),
    ([97], 97),
    (("*", 1.0e300, 1.0e10), math.inf),
    (("-", 2**60 - 1, -1), 2**60),
    (("-", -(2**60), 1), -(2**60) - 1),
    (("-", 2**60), -(2**60)),
    (("-", -(2**60)), 2**60),
    (("abs", -(2**60)), 2**60),
    (("+", BIG, -BIG), 0),
    (("+", 1, 2.5), 3.5),
    (("+", BIG, 0.5), float(BIG)),
    (("/", BIG, 2**69), 2.0),
    (("/", 10**400, 10**399), 10.0),
    (("*", 2**30, 2**30), 2**60),
    (("*", 2**29, 2**30), 2**59),
    (("*", -(2**30), 2**30), -(2**60)),
    (("//", -(2**60), -1), 2**60),
    (("-", 1.5), -1.5),
    (("+", 1.5), 1.5),
    (("succ", 3), 4),
    (("plus", 3, 4), 7),
    (("cot", 1.0), 1 / math.tan(1.0)),
    (("copysign", 2, -0.0), -2.0),
    ("max_tagged_integer", 2**60 - 1),
]


@pytest.mark.parametrize(("expression", "value"), VALUES, ids=str)
def test_value(expression, value):
    result = run(expression)
    assert type(result) is type(value)
    assert result == value


ERRORS = [
    ("foo", ("type_error", "evaluable", ("/", "foo", 0))),
    (("foo", 1), ("type_error", "evaluable", ("/", "foo", 1))),
    (("+", "foo", 1), ("type_error", "evaluable", ("/", "foo", 0))),
    (("foo", 1, 2, 3), ("type_error", "evaluable", ("/", "foo", 3))),
    (("/", 1, 0), ("evaluation_error", "zero_divisor")),
    (("/", 1.0, 0), ("evaluation_error", "zero_divisor")),
    (("/", 1, 0.0), ("evaluation_error", "zero_divisor")),
    (("/", 0.0, 0), ("evaluation_error", "undefined")),
    (("//", 1, 0), ("evaluation_error", "zero_divisor")),
    (("mod", 1, 0), ("evaluation_error", "zero_divisor")),
    (("rem", BIG, 0), ("evaluation_error", "zero_divisor")),
    (("log", 0), ("evaluation_error", "undefined")),
    (("sqrt", -1), ("evaluation_error", "undefined")),
    (("**", -1, 0.5), ("evaluation_error", "undefined")),
    (("**", 0, -1), ("evaluation_error", "undefined")),
    (("mod", 5.5, 2), ("type_error", "integer", 5.5)),
    (("//", 5, 2.5), ("type_error", "integer", 2.5)),
    (("/\\", 5.0, 3), ("type_error", "integer", 5.0)),
    (("\\", 5.0), ("type_error", "integer", 5.0)),
    (("^", 2, -1), ("type_error", "float", 2)),
    (("+", "_X", 1), "instantiation_error"),
    (("truncate", "inf"), ("evaluation_error", "undefined")),
    (("<<", 1, 2**40), ("resource_error", "memory")),
    (("**", 3, 2**40), ("resource_error", "memory")),
    ([], ("type_error", "evaluable", ("/", [], 0))),
]


@pytest.mark.parametrize(("expression", "error"), ERRORS, ids=str)
def test_error(expression, error):
    assert fails(expression) == error


def test_undefined_floats_are_nan():
    assert math.isnan(run(("log", -1)))
    assert math.isnan(run(("acos", 2)))


def test_functor_numbers_agree_with_the_fast_paths():
    m = Memory(FUNCTORS)
    for i, (name, arity) in enumerate(FUNCTORS):
        assert m.functor(m.atom(name), arity) == FIRST + i
    places = {"+": 2, "-": 3, "*": 4, "/": 5, "//": 6, "mod": 7, "rem": 8, "div": 9, "min": 10, "max": 11}
    places |= {">>": 12, "<<": 13, "/\\": 14, "\\/": 15, "xor": 16, "^": 18}
    for name, place in places.items():
        assert FIRST + list(BINARY).index(name) == place
    assert [FIRST + FUNCTORS.index(x) for x in (("-", 1), ("+", 1), ("abs", 1))] == [30, 31, 32]


def test_deep_expression_and_no_garbage():
    m = Memory(FUNCTORS)
    c = m.int_cell(0)
    one = m.int_cell(1)
    for _ in range(100_000):
        c = m.struct("+", c, one)
    assert value_of(m, evaluate(m, c)) == 100_000
    d = m.float_cell(0.0)
    for _ in range(1000):
        d = m.struct("+", one, d)
    top = m.heap.H
    assert value_of(m, evaluate(m, d)) == 1000.0
    assert top + 2 == m.heap.H


def test_work_stack_is_left_as_found_after_an_error():
    m = Memory(FUNCTORS)
    with pytest.raises(PrologError):
        evaluate(m, build(m, ("+", 1, ("*", 2, "foo"))))
    assert m.heap.wtop == 0


@pytest.mark.parametrize(
    ("a", "b", "order"),
    [
        ("1", "2", "<"),
        ("2", "1", ">"),
        ("1", "1.0", "=:="),
        ("2**53+1", "float(2**53)", ">"),
        ("10**400", "inf", "<"),
        ("1.5", "1", ">"),
        ("2**70", "2**70+1", "<"),
        ("nan", "1", None),
        ("nan", "nan", None),
    ],
)
def test_numbers_are_compared_by_value(a, b, order):
    """Exactly between integers and floats; a nan has no order."""
    held = [op for op in ("<", "=:=", ">") if Prolog().answers(f"X is {a}, Y is {b}, X {op} Y")]
    assert held == ([] if order is None else [order])


def test_array_access():
    m = Memory(FUNCTORS)
    array = m.struct("[]", m.struct("[]", m.int_cell(1), m.int_cell(2)), m.int_cell(7))
    assert value_of(m, evaluate(m, m.struct("^", array, build(m, [1, 2])))) == 2
    assert value_of(m, evaluate(m, m.struct("^", array, build(m, [2])))) == 7
    assert value_of(m, evaluate(m, m.struct("^", array, m.atom("length")))) == 2
