"""The evaluable functors of arithmetic, on Python numbers.

FUNCTORS fixes their order: Symbols has them first, so that the functor number of an
evaluable is FIRST + its place here, the same in every machine. arithmetic.py has fast paths
for small integers and floats (see the end of this file); all else ends here.
"""

import math
import random
import time
from collections.abc import Callable

from prism_repl.core.errors import evaluation_error, resource_error, type_error
from prism_repl.prolog.c_random import CRandom

Number = int | float

# No integer may grow beyond this many bits (half a gigabyte).
MAX_BITS = 1 << 32

generator = random.Random()
c_random = CRandom()


def number_cell(m, x):
    return m.float_cell(x) if isinstance(x, float) else m.int_cell(x)


def need_integers(m, *numbers):
    for x in numbers:
        if isinstance(x, float):
            raise type_error("integer", m.float_cell(x))


def flag(m, name, default):
    return getattr(m, "prolog_flags", {}).get(name, default)


def overflow(m, sign):
    """What a float overflow gives: infinity, or an error if the flag float_overflow says so."""
    if flag(m, "float_overflow", "infinity") == "error":
        raise evaluation_error("float_overflow")
    return math.inf if sign >= 0 else -math.inf


def undefined(m, sign=1.0):
    """What an undefined float result gives: nan, or an error if float_undefined says so."""
    if flag(m, "float_undefined", "nan") == "error":
        raise evaluation_error("undefined")
    return math.copysign(math.nan, sign)


def to_float(m, x):
    try:
        return float(x)
    except OverflowError:
        return overflow(m, 1 if x > 0 else -1)


# ---- two arguments


def divide(m, x, y):
    """Always a float, as in PRISM: 8/2 is 4.0."""
    if y == 0:
        raise evaluation_error("undefined" if x == 0 and isinstance(y, float) else "zero_divisor")
    try:
        return x / y
    except OverflowError:
        if isinstance(x, int) and isinstance(y, int):
            return overflow(m, 1 if (x > 0) == (y > 0) else -1)
        return divide(m, to_float(m, x), to_float(m, y))


def add(m, x, y):
    return to_float(m, x) + to_float(m, y) if isinstance(x, float) or isinstance(y, float) else x + y


def subtract(m, x, y):
    return to_float(m, x) - to_float(m, y) if isinstance(x, float) or isinstance(y, float) else x - y


def multiply(m, x, y):
    if isinstance(x, float) or isinstance(y, float):
        return to_float(m, x) * to_float(m, y)
    check_bits(x.bit_length() + y.bit_length())
    return x * y


def check_bits(bits: int) -> None:
    if bits > MAX_BITS:
        raise resource_error("memory")


def quotient(m, x, y):
    """// rounds towards zero."""
    need_integers(m, x, y)
    if y == 0:
        raise evaluation_error("zero_divisor")
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


def remainder(m, x, y):
    return x - y * quotient(m, x, y)


def modulo(m, x, y):
    need_integers(m, x, y)
    if y == 0:
        raise evaluation_error("zero_divisor")
    return x % y


def floor_quotient(m, x, y):
    need_integers(m, x, y)
    if y == 0:
        raise evaluation_error("zero_divisor")
    return x // y


def smaller(m, x, y):
    return y if y < x or y != y else x


def larger(m, x, y):
    return y if y > x or y != y else x


def shift_left(m, x, y):
    need_integers(m, x, y)
    if y < 0:
        return x >> -y
    if x != 0:
        check_bits(x.bit_length() + y)
        return x << y
    return 0


def shift_right(m, x, y):
    need_integers(m, x, y)
    return x >> y if y >= 0 else shift_left(m, x, -y)


def bit_and(m, x, y):
    need_integers(m, x, y)
    return x & y


def bit_or(m, x, y):
    need_integers(m, x, y)
    return x | y


def bit_xor(m, x, y):
    need_integers(m, x, y)
    return x ^ y


def integer_power(x: int, y: int) -> int:
    """x**y for y >= 0, refused when the result would not fit in memory."""
    if x not in (-1, 0, 1):
        check_bits((x.bit_length() - 1) * y)
    return x**y


def float_power(m, x, y):
    if (x == 0.0 and y < 0) or (x < 0 and math.isfinite(x) and math.isfinite(y) and y != math.floor(y)):
        raise evaluation_error("undefined")
    try:
        return math.pow(x, y)
    except OverflowError:
        return overflow(m, -1 if x < 0 and y % 2 == 1 else 1)


def power(m, x, y):
    """**: integers stay integers, but 2** -1 is 0.5."""
    if isinstance(x, int) and isinstance(y, int):
        if y >= 0:
            return integer_power(x, y)
        if x in (1, -1):
            return x if y % 2 else 1
    return float_power(m, to_float(m, x), to_float(m, y))


def iso_power(m, x, y):
    """^: an integer if both are, and 2^(-1) is an error."""
    if isinstance(x, int) and isinstance(y, int):
        if y >= 0:
            return integer_power(x, y)
        if x in (1, -1):
            return x if y % 2 else 1
        raise type_error("float", m.int_cell(x))
    return float_power(m, to_float(m, x), to_float(m, y))


def greatest_divisor(m, x, y):
    need_integers(m, x, y)
    return math.gcd(x, y)


def least_multiple(m, x, y):
    need_integers(m, x, y)
    return math.lcm(x, y)


def logarithm_to(m, base, x):
    """log(Base,X)."""
    if base == 2 and x > 0:
        return math.log2(x)
    divisor = logarithm(m, base)
    return divide(m, logarithm(m, x), divisor)


def arc_tangent2(m, y, x):
    if x == 0 and y == 0:
        raise evaluation_error("undefined")
    return math.atan2(to_float(m, y), to_float(m, x))


def copy_sign(m, x, y):
    return math.copysign(to_float(m, x), to_float(m, y))


def next_toward(m, x, y):
    return math.nextafter(to_float(m, x), to_float(m, y))


def get_bit(m, x, i):
    need_integers(m, x, i)
    if x < 0:
        raise type_error("not_less_than_zero", m.int_cell(x))
    if i < 0:
        raise type_error("not_less_than_zero", m.int_cell(i))
    return (x >> i) & 1


def truncated(m, x, y):
    """trunc(X,Y), tdiv: the quotient of integers as //."""
    return quotient(m, x, y)


def random_between(m, low, high):
    need_integers(m, low, high)
    if high < low:
        raise evaluation_error("undefined")
    return generator.randint(low, high)


# ---- one argument


def negate(m, x):
    return -x


def same(m, x):
    return x


def absolute(m, x):
    return abs(x)


def complement(m, x):
    need_integers(m, x)
    return ~x


def sign(m, x):
    if isinstance(x, float):
        return x if x == 0 or x != x else math.copysign(1.0, x)
    return (x > 0) - (x < 0)


def to_integer(function: Callable[[float], int]) -> Callable[..., int]:
    def rounded(m, x):
        if isinstance(x, int):
            return x
        if not math.isfinite(x):
            raise evaluation_error("undefined")
        return function(x)

    return rounded


def half_away(x: float) -> int:
    """round: halves go away from zero."""
    whole = math.floor(abs(x))
    if abs(x) - whole >= 0.5:
        whole += 1
    return whole if x >= 0 else -whole


def integer_part(m, x):
    x = to_float(m, x)
    return float(math.trunc(x)) if math.isfinite(x) else x


def fractional_part(m, x):
    if isinstance(x, int):
        return 0
    return math.copysign(0.0, x) if math.isinf(x) else math.fmod(x, 1.0)


def square_root(m, x):
    if x < 0:
        raise evaluation_error("undefined")
    return math.sqrt(to_float(m, x))


def exponential(m, x):
    try:
        return math.exp(to_float(m, x))
    except OverflowError:
        return overflow(m, 1)


def logarithm(m, x):
    if x == 0:
        raise evaluation_error("undefined")
    if x < 0:
        return undefined(m, -1.0)
    return math.log(x)


def logarithm2(m, x):
    return math.log2(x) if x > 0 else logarithm(m, x)


def logarithm10(m, x):
    return math.log10(x) if x > 0 else logarithm(m, x)


def float_function(function: Callable[[float], float]) -> Callable[..., float]:
    """A function of floats; outside its domain the result is undefined."""

    def of_number(m, x):
        x = to_float(m, x)
        try:
            return function(x)
        except ValueError:
            return x if x != x else undefined(m)
        except OverflowError:
            return overflow(m, x)

    return of_number


def cotangent(x: float) -> float:
    t = math.tan(x)
    if t == 0:
        raise evaluation_error("undefined")
    return 1 / t


def arc_cotangent(x: float) -> float:
    return math.pi / 2 if x == 0 else math.atan(1 / x)


def most_significant_bit(m, x):
    need_integers(m, x)
    if x <= 0:
        raise type_error("not_less_than_one", m.int_cell(x))
    return x.bit_length() - 1


def ones(m, x):
    need_integers(m, x)
    return abs(x).bit_count()


def successor(m, x):
    need_integers(m, x)
    return x + 1


def random_seeded(m, x):
    """random(N): the first number after seeding by N, as in B-Prolog."""
    need_integers(m, x)
    c_random.seed(x)
    return c_random.number()


BINARY: dict[str, Callable[..., Number]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "//": quotient,
    "mod": modulo,
    "rem": remainder,
    "div": floor_quotient,
    "min": smaller,
    "max": larger,
    ">>": shift_right,
    "<<": shift_left,
    "/\\": bit_and,
    "\\/": bit_or,
    "xor": bit_xor,
    "**": power,
    "^": iso_power,
    "gcd": greatest_divisor,
    "lcm": least_multiple,
    "log": logarithm_to,
    "atan2": arc_tangent2,
    "atan": arc_tangent2,
    "copysign": copy_sign,
    "nexttoward": next_toward,
    "getbit": get_bit,
    "tdiv": truncated,
    "plus": add,
    "random": random_between,
}

UNARY: dict[str, Callable[..., Number]] = {
    "-": negate,
    "+": same,
    "abs": absolute,
    "\\": complement,
    "sign": sign,
    "float": to_float,
    "truncate": to_integer(math.trunc),
    "integer": to_integer(math.trunc),
    "round": to_integer(half_away),
    "ceiling": to_integer(math.ceil),
    "floor": to_integer(math.floor),
    "float_integer_part": integer_part,
    "float_fractional_part": fractional_part,
    "sqrt": square_root,
    "exp": exponential,
    "log": logarithm,
    "log2": logarithm2,
    "log10": logarithm10,
    "sin": float_function(math.sin),
    "cos": float_function(math.cos),
    "tan": float_function(math.tan),
    "cot": float_function(cotangent),
    "asin": float_function(math.asin),
    "acos": float_function(math.acos),
    "atan": float_function(math.atan),
    "acot": float_function(arc_cotangent),
    "sinh": float_function(math.sinh),
    "cosh": float_function(math.cosh),
    "tanh": float_function(math.tanh),
    "asinh": float_function(math.asinh),
    "acosh": float_function(math.acosh),
    "atanh": float_function(math.atanh),
    "erf": float_function(math.erf),
    "erfc": float_function(math.erfc),
    "lgamma": float_function(math.lgamma),
    "gamma": float_function(math.gamma),
    "msb": most_significant_bit,
    "popcount": ones,
    "succ": successor,
    "random": random_seeded,
    "trunc": to_integer(math.trunc),
}

CONSTANTS: dict[str, Callable[[], Number]] = {
    "pi": lambda: math.pi,
    "e": lambda: math.e,
    "inf": lambda: math.inf,
    "infinite": lambda: math.inf,
    "nan": lambda: math.nan,
    "epsilon": lambda: 2.0**-52,
    "max_tagged_integer": lambda: (1 << 60) - 1,
    "min_tagged_integer": lambda: -(1 << 60),
    "max_integer": lambda: (1 << 63) - 1,
    "min_integer": lambda: -(1 << 63),
    "random": c_random.number,
    "random_float": lambda: generator.random(),
    "cputime": time.process_time,
    "realtime": lambda: int(time.time()),
}

FIRST = 2  # './2' and ','/2 come before
FUNCTORS = [(name, 2) for name in BINARY] + [(name, 1) for name in UNARY]

# The functor numbers that arithmetic.py has fast paths for; evaluables.pxd has them for C.
ADD = 2
SUB = 3
MUL = 4
DIV = 5
QUO = 6
MOD = 7
REM = 8
FLOOR_QUO = 9
MIN = 10
MAX = 11
SHIFT_RIGHT = 12
SHIFT_LEFT = 13
BIT_AND = 14
BIT_OR = 15
BIT_XOR = 16
POWER = 18
NEG = 30
SAME = 31
ABS = 32
