# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Arithmetic that has no instruction of its own and no need of Python, and comparison of expressions."""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


def small_arith(m, f, a, b):
    """Integer operations whose result surely fits; it is left in arith_result."""
    r: cython.longlong
    if f == m.symbols.f_intdiv:
        if b == 0 or b == -1:
            return False
        r = (a if a >= 0 else -a) // (b if b >= 0 else -b)
        m.arith_result = r if (a >= 0) == (b >= 0) else -r
        return True
    if f == m.symbols.f_mod or f == m.symbols.f_rem:
        if b == 0:
            return False
        r = (a if a >= 0 else -a) % (b if b >= 0 else -b)
        if a < 0:
            r = -r
        if f == m.symbols.f_mod and r != 0 and (r < 0) != (b < 0):
            r += b
        m.arith_result = r
        return True
    if f == m.symbols.f_and:
        m.arith_result = a & b
        return True
    if f == m.symbols.f_or:
        m.arith_result = a | b
        return True
    if f == m.symbols.f_shr and 0 <= b < 60:
        m.arith_result = a >> b
        return True
    if f == m.symbols.f_shl and 0 <= b < 28 and -(1 << 30) < a < (1 << 30):
        m.arith_result = a << b
        return True
    if f == m.symbols.f_min:
        m.arith_result = a if a < b else b
        return True
    if f == m.symbols.f_max:
        m.arith_result = a if a > b else b
        return True
    return False


def compare_values(m, op, a, b):
    """Arithmetic comparison of two expressions."""
    a = m.terms.deref(a)
    b = m.terms.deref(b)
    if a & 7 != INT and a & 7 != BOX:
        a = m.evaluate(m, a)
    if b & 7 != INT and b & 7 != BOX:
        b = m.evaluate(m, b)
    v = m.terms.number_value(a)
    w = m.terms.number_value(b)
    if op == C_LT:
        return v < w
    if op == C_LE:
        return v <= w
    if op == C_GT:
        return v > w
    if op == C_GE:
        return v >= w
    if op == C_EQ:
        return v == w
    return v != w
