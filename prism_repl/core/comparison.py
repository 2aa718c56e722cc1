# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The standard order of terms, and variants."""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.terms import float_bits


def compare(terms, a, b):
    """-1, 0 or 1 in the standard order of terms."""
    ta: cython.longlong
    tb: cython.longlong
    n: cython.longlong
    i: cython.longlong
    fa: cython.longlong
    fb: cython.longlong
    r: cython.int
    base: cython.longlong = terms.heap.wtop
    steps: cython.longlong = 0
    limit: cython.longlong = 4 * terms.heap.H + 4 * terms.store.top + 1000
    seen = None
    while True:
        a = terms.deref(a)
        b = terms.deref(b)
        if a != b:
            ta = a & 7
            tb = b & 7
            if not (
                (ta == LST or ta == STR or ta == GLS or ta == GST)
                and (tb == LST or tb == STR or tb == GLS or tb == GST)
            ):
                r = compare_atomic(terms, a, b)
                if r != 0:
                    terms.heap.wtop = base
                    return r
            else:
                fa = terms.functor_of(a)
                fb = terms.functor_of(b)
                if fa != fb:
                    terms.heap.wtop = base
                    # as in B-Prolog, lists come after all other compound terms
                    if ta == LST or ta == GLS:
                        return 1
                    if tb == LST or tb == GLS:
                        return -1
                    i = terms.symbols.functor_arity[fa]
                    n = terms.symbols.functor_arity[fb]
                    if i != n:
                        return -1 if i < n else 1
                    return compare_atomic(
                        terms, terms.symbols.functor_name[fa], terms.symbols.functor_name[fb]
                    )
                steps += 1
                if steps & 65535 == 0:
                    terms.interrupts.check()
                if steps > limit:
                    if seen is None:
                        seen = set()
                    if (a, b) in seen:
                        if terms.heap.wtop == base:
                            return 0
                        terms.heap.wtop -= 2
                        a = terms.heap.work[terms.heap.wtop]
                        b = terms.heap.work[terms.heap.wtop + 1]
                        continue
                    seen.add((a, b))
                n = terms.symbols.functor_arity[fa]
                terms.heap.work_room(2 * n)
                for i in range(n - 1, 0, -1):
                    terms.heap.work[terms.heap.wtop] = terms.part(a, i)
                    terms.heap.work[terms.heap.wtop + 1] = terms.part(b, i)
                    terms.heap.wtop += 2
                fa = terms.part(a, 0)
                b = terms.part(b, 0)
                a = fa
                continue
        if terms.heap.wtop == base:
            return 0
        terms.heap.wtop -= 2
        a = terms.heap.work[terms.heap.wtop]
        b = terms.heap.work[terms.heap.wtop + 1]


def compare_atomic(terms, a, b):
    """Compare two dereferenced cells of which at least one is not compound."""
    ra: cython.int = order_rank(terms, a)
    rb: cython.int = order_rank(terms, b)
    if ra != rb:
        return -1 if ra < rb else 1
    if ra == 0:
        return -1 if a < b else (1 if a > b else 0)
    if ra == 1:
        x: cython.double = terms.float_value(a)
        y: cython.double = terms.float_value(b)
        if x < y:
            return -1
        if x > y:
            return 1
        # 0.0 and -0.0 differ, as do NaNs of different bits: equal means equal bits, as in the store
        m_bits: cython.longlong = float_bits(x)
        n_bits: cython.longlong = float_bits(y)
        if m_bits == n_bits:
            return 0
        if x == y or (x != x and y != y):
            return -1 if m_bits < n_bits else 1
        return -1 if x != x else 1
    if ra == 2:
        if a & 7 == INT and b & 7 == INT:
            return -1 if a < b else (1 if a > b else 0)
        m = terms.int_value(a)
        n = terms.int_value(b)
        return -1 if m < n else (1 if m > n else 0)
    return terms.symbols.order(a, b)


def order_rank(terms, c):
    """Var < Float < Integer < Atom < Compound."""
    t: cython.longlong = c & 7
    if t == REF:
        return 0
    if t == INT:
        return 2
    if t == ATM:
        return 3
    if t == BOX:
        return 1 if terms.is_float(c) else 2
    return 4


def is_variant(terms, a, b):
    """True if the two terms are equal up to a renaming of variables."""
    forth: dict = {}
    back: dict = {}
    base: cython.longlong = terms.heap.wtop
    try:
        return rename(terms, a, b, forth, back)
    finally:
        terms.heap.wtop = base


def rename(terms, a, b, forth, back):
    """Walk over two terms at once; each variable of one stands for one variable of the other."""
    base: cython.longlong = terms.heap.wtop
    i: cython.longlong
    n: cython.longlong
    steps: cython.longlong = 0
    limit: cython.longlong = terms.heap.H + terms.store.top + 1000
    seen = None
    while True:
        a = terms.deref(a)
        b = terms.deref(b)
        if a & 7 == REF and b & 7 == REF:
            if forth.setdefault(a, b) != b or back.setdefault(b, a) != a:
                return False
        elif terms.is_compound(a) and terms.is_compound(b):
            if terms.functor_of(a) != terms.functor_of(b):
                return False
            steps += 1
            if steps & 65535 == 0:
                terms.interrupts.check()
            if steps > limit and seen is None:
                seen = set()
            if (a != b or a & 7 < GLS) and (seen is None or (a, b) not in seen):
                if seen is not None:
                    seen.add((a, b))
                n = terms.arity_of(a)
                terms.heap.work_room(2 * n)
                for i in range(n - 1, -1, -1):
                    terms.heap.work[terms.heap.wtop] = terms.part(a, i)
                    terms.heap.work[terms.heap.wtop + 1] = terms.part(b, i)
                    terms.heap.wtop += 2
        elif a != b and (a & 7 != BOX or b & 7 != BOX or compare_atomic(terms, a, b) != 0):
            return False
        if terms.heap.wtop == base:
            return True
        terms.heap.wtop -= 2
        a = terms.heap.work[terms.heap.wtop]
        b = terms.heap.work[terms.heap.wtop + 1]
