# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""between/3 of small integers: counts up without a clause. Arguments are in x.

The choice point has the variable as its argument, the next integer in B_1 and the last one in B_2. The loop
itself goes on with it while nothing else is due.
"""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.unification import unify


def between_first(m):
    """How the loop goes on; all but small integers, and a variable, is left to the library."""
    low: cython.longlong = m.terms.deref(m.stacks.x[0])
    high: cython.longlong = m.terms.deref(m.stacks.x[1])
    x: cython.longlong = m.terms.deref(m.stacks.x[2])
    if low & 7 != INT or high & 7 != INT or (x & 7 != INT and x & 7 != REF):
        m.called = m.program.p_between
        return R_CALL
    m.stacks.P = m.stacks.CP
    if x & 7 == INT:
        return R_GO if low <= x <= high else R_FAIL
    if low > high:
        return R_FAIL
    if low < high:
        m.stacks.x[0] = x
        b: cython.longlong = m.stacks.push_choice(BK_BETWEEN, 1)
        m.stacks.choice[b + B_1] = (low >> 3) + 1
        m.stacks.choice[b + B_2] = high >> 3
    unify(m.terms, x, low)
    return R_GO


def between_next(m):
    """The next integer of the choice point on top: bindings are undone."""
    b: cython.longlong = m.stacks.B
    n: cython.longlong = m.stacks.choice[b + B_1]
    m.heap.HB = m.heap.H
    if n == m.stacks.choice[b + B_2]:
        m.stacks.pop_choice(b)
    else:
        m.stacks.choice[b + B_1] = n + 1
    unify(m.terms, m.stacks.choice[b + B_ARGS], n << 3 | INT)
    m.stacks.P = m.stacks.CP
    return R_GO
