"""succ/2, plus/3, between/3: arithmetic that evaluates nothing."""

from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, instantiation_error
from prism_repl.prolog.arithmetic import apply2, evaluate
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.builtins.types import integer, nonneg


@helper("$evaluate", 3)
def evaluate_for(m, expression, value, source):
    """is/2, with errors that name the predicate `source`, a name/arity."""
    try:
        return m.unify(value, evaluate(m, expression))
    except PrologError as error:
        error.context = m.atom_text(m.arg(source, 0)), m.int_value(m.arg(source, 1))
        raise


@builtin("succ(?X:nonneg, ?Y:nonneg) is semidet")
def succ(m, x, y):
    if x & 7 != REF:
        return m.unify(y, m.int_cell(m.int_value(x) + 1))
    n = nonneg(m, y)
    return n > 0 and m.unify(x, m.int_cell(n - 1))


@builtin("plus(?X:number, ?Y:number, ?Z:number) is semidet")
def plus(m, x, y, z):
    known = [c for c in (x, y, z) if c & 7 != REF]
    if len(known) < 2:
        raise instantiation_error()
    add, subtract = m.functor(m.atom("+"), 2), m.functor(m.atom("-"), 2)
    if z & 7 == REF or len(known) == 3:
        return m.unify(z, apply2(m, add, x, y))
    if y & 7 == REF:
        return m.unify(y, apply2(m, subtract, z, x))
    return m.unify(x, apply2(m, subtract, z, y))


@helper("$between", 4, context=("between", 3))
def between(m, low, high, x, how):
    """What between/3 has to do: done (X is known), up (count up)."""
    first, last = integer(m, low), integer(m, high)
    if x & 7 != REF:
        return first <= integer(m, x) <= last and m.unify(how, m.atom("done"))
    return first <= last and m.unify(how, m.atom("up"))
