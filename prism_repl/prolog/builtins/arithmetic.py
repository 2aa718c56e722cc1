"""is/2, comparison of numbers, succ/2, plus/3, sums of lists."""

from prism_repl.core.cells import REF
from prism_repl.core.errors import instantiation_error, type_error
from prism_repl.prolog.arithmetic import apply2, compare_numbers, evaluate
from prism_repl.prolog.builtins.arguments import (
    check_integer_or_var,
    check_natural_or_var,
    integer,
    natural,
)
from prism_repl.prolog.builtins.registry import builtin


@builtin("is", 2)
def is_value(m, result, expression):
    return m.unify(result, evaluate(m, expression))


def comparison(m, a, b):
    return compare_numbers(m, evaluate(m, a), evaluate(m, b))


@builtin("=:=", 2)
def equal(m, a, b):
    return comparison(m, a, b) == 0


@builtin("=\\=", 2)
def unequal(m, a, b):
    return comparison(m, a, b) != 0


@builtin("<", 2)
def less(m, a, b):
    return comparison(m, a, b) == -1


@builtin("=<", 2)
def at_most(m, a, b):
    return comparison(m, a, b) in (-1, 0)


@builtin(">", 2)
def greater(m, a, b):
    return comparison(m, a, b) == 1


@builtin(">=", 2)
def at_least(m, a, b):
    return comparison(m, a, b) in (0, 1)


@builtin("succ", 2)
def succ(m, x, y):
    check_natural_or_var(m, x)
    check_natural_or_var(m, y)
    if x & 7 != REF:
        return m.unify(y, m.int_cell(m.int_value(x) + 1))
    n = natural(m, y)
    return n > 0 and m.unify(x, m.int_cell(n - 1))


@builtin("plus", 3)
def plus(m, x, y, z):
    known = [c for c in (x, y, z) if c & 7 != REF]
    for c in known:
        if not m.is_number(c):
            raise type_error("number", c)
    if len(known) < 2:
        raise instantiation_error()
    add, subtract = m.functor(m.atom("+"), 2), m.functor(m.atom("-"), 2)
    if z & 7 == REF or len(known) == 3:
        return m.unify(z, apply2(m, add, x, y))
    if y & 7 == REF:
        return m.unify(y, apply2(m, subtract, z, x))
    return m.unify(x, apply2(m, subtract, z, y))


@builtin("$between", 4, context=("between", 3))
def between(m, low, high, x, how):
    """What between/3 has to do: done (X is known), up (count up)."""
    first, last = integer(m, low), integer(m, high)
    check_integer_or_var(m, x)
    if x & 7 != REF:
        value = m.int_value(x)
        return first <= value <= last and m.unify(how, m.atom("done"))
    return first <= last and m.unify(how, m.atom("up"))
