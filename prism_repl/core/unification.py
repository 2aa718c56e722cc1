# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3
"""Unification."""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.comparison import compare


def unify(terms, a, b):
    """Unify two terms. On failure some bindings may remain: the caller backtracks."""
    ta: cython.longlong
    tb: cython.longlong
    n: cython.longlong
    i: cython.longlong
    pa: cython.longlong
    pb: cython.longlong
    x: cython.longlong
    y: cython.longlong
    heap: cython.p_longlong = terms.heap.cells
    area_a: cython.p_longlong
    area_b: cython.p_longlong
    base: cython.longlong = terms.heap.wtop
    top: cython.longlong = base
    steps: cython.longlong = 0
    limit: cython.longlong = 4 * terms.heap.H + 4 * terms.store.top + 1000
    seen = None
    while True:
        a = deref(heap, a)
        b = deref(heap, b)
        if a != b:
            ta = a & 7
            tb = b & 7
            if ta == REF or tb == REF:
                if ta != REF or (tb == REF and b > a):  # the younger refers to the older
                    x = a
                    a = b
                    b = x
                heap[a >> 3] = b
                if (a >> 3) < terms.heap.HB or (a >> 3) < terms.heap.attr_floor:
                    if terms.heap.TR + 8 > terms.heap.trail_size:
                        terms.heap.trail_room(64)
                    terms.heap.trail[terms.heap.TR] = a >> 3
                    terms.heap.TR += 1
            elif ta == ATM or ta == INT or tb == ATM or tb == INT:
                return False
            elif ta == BOX or tb == BOX:
                terms.heap.wtop = top
                if ta != tb or compare(terms, a, b) != 0:
                    terms.heap.wtop = base
                    return False
                terms.heap.wtop = base
            else:
                steps += 1
                if steps & 65535 == 0:
                    terms.interrupts.check()
                if steps > limit:  # perhaps cyclic: remember the pairs that were met
                    if seen is None:
                        seen = set()
                    if (a, b) in seen:
                        if top == base:
                            return True
                        top -= 2
                        a = terms.heap.work[top]
                        b = terms.heap.work[top + 1]
                        continue
                    seen.add((a, b))
                if (ta == GLS or ta == GST) and (tb == GLS or tb == GST):
                    return False  # different ground terms
                area_a = terms.store.cells if ta == GLS or ta == GST else heap
                area_b = terms.store.cells if tb == GLS or tb == GST else heap
                pa = a >> 3
                pb = b >> 3
                if ta == LST or ta == GLS:
                    if tb != LST and tb != GLS:
                        return False
                    n = 2
                else:
                    if tb == LST or tb == GLS or area_a[pa] != area_b[pb]:
                        return False
                    n = terms.symbols.functor_arity[area_a[pa] >> 3]
                    pa += 1
                    pb += 1
                # variables and constants are done at once, up to the first pair of compound terms
                a = area_a[pa]
                b = area_b[pb]
                i = 1
                while i < n:
                    if a != b:
                        a = deref(heap, a)
                        b = deref(heap, b)
                        if a != b:
                            ta = a & 7
                            tb = b & 7
                            if ta == REF or tb == REF:
                                if ta != REF or (tb == REF and b > a):
                                    x = a
                                    a = b
                                    b = x
                                heap[a >> 3] = b
                                if (a >> 3) < terms.heap.HB or (a >> 3) < terms.heap.attr_floor:
                                    if terms.heap.TR + 8 > terms.heap.trail_size:
                                        terms.heap.trail_room(64)
                                    terms.heap.trail[terms.heap.TR] = a >> 3
                                    terms.heap.TR += 1
                            elif ta == ATM or ta == INT or tb == ATM or tb == INT:
                                return False
                            else:
                                break
                    a = area_a[pa + i]
                    b = area_b[pb + i]
                    i += 1
                # the others wait, except the last: lists need no stack
                if i < n:
                    if top + 2 * n + 16 > terms.heap.work_size:
                        terms.heap.wtop = top
                        terms.heap.work_room(2 * n)
                        terms.heap.wtop = base
                    n -= 1
                    while n >= i:
                        x = area_a[pa + n]
                        y = area_b[pb + n]
                        if x != y:
                            terms.heap.work[top] = x
                            terms.heap.work[top + 1] = y
                            top += 2
                        n -= 1
                continue
        if top == base:
            return True
        top -= 2
        a = terms.heap.work[top]
        b = terms.heap.work[top + 1]


def unify_flat(terms, a, b, hb):
    """Unify two terms that are atomic, or have no compound parts that differ: 1 they are unified, 0 they
    cannot be, 2 it takes more (what is bound so far has to be). The loop calls it: it moves nothing
    and cannot raise. Variables below hb are trailed."""
    heap: cython.p_longlong = terms.heap.cells
    trail: cython.p_longlong = terms.heap.trail
    area_a: cython.p_longlong
    area_b: cython.p_longlong
    pa: cython.longlong
    pb: cython.longlong
    n: cython.longlong
    i: cython.longlong
    x: cython.longlong
    ta: cython.longlong
    tb: cython.longlong
    tr: cython.longlong = terms.heap.TR
    found: cython.int = 1
    a = deref(heap, a)
    b = deref(heap, b)
    ta = a & 7
    tb = b & 7
    if a == b:
        return 1
    if tr + 264 > terms.heap.trail_size or ta == BOX or tb == BOX:
        return 2
    if ta == REF or tb == REF:
        if ta != REF or (tb == REF and b > a):  # the younger refers to the older
            x = a
            a = b
            b = x
        heap[a >> 3] = b
        if (a >> 3) < hb:
            trail[terms.heap.TR] = a >> 3
            terms.heap.TR += 1
        return 1
    if ta == ATM or ta == INT or tb == ATM or tb == INT or (ta > BOX and tb > BOX):
        return 0  # different ground terms are different numbers
    area_a = terms.store.cells if ta == GLS or ta == GST else heap
    area_b = terms.store.cells if tb == GLS or tb == GST else heap
    pa = a >> 3
    pb = b >> 3
    if ta == LST or ta == GLS:
        if tb != LST and tb != GLS:
            return 0
        n = 2
    else:
        if (tb != STR and tb != GST) or area_a[pa] != area_b[pb]:
            return 0
        n = terms.symbols.functor_arity[area_a[pa] >> 3]
        if n > 256:
            return 2
        pa += 1
        pb += 1
    for i in range(n):
        a = area_a[pa + i]
        b = area_b[pb + i]
        if a == b:
            continue
        a = deref(heap, a)
        b = deref(heap, b)
        ta = a & 7
        tb = b & 7
        if ta == REF:
            if tb == REF and b >= a:  # the younger refers to the older
                if a == b:
                    continue
                x = b >> 3
                b = a
            else:
                x = a >> 3
        elif a == b:
            continue
        elif tb == REF:
            x = b >> 3
            b = a
        elif ta == ATM or ta == INT or tb == ATM or tb == INT or (ta > BOX and tb > BOX):
            found = 0
            break
        else:
            found = 2
            continue
        heap[x] = b
        if x < hb:
            trail[tr] = x
            tr += 1
    terms.heap.TR = tr
    return found


def unify_occurs(terms, a, b):
    """unify_with_occurs_check/2: unify, then refuse a cyclic result."""
    mark: cython.longlong = terms.heap.TR
    hb: cython.longlong = terms.heap.HB
    terms.heap.HB = terms.heap.H  # trail everything, to see what was bound
    ok: cython.bint = unify(terms, a, b)
    terms.heap.HB = hb
    if not ok:
        return False
    i: cython.longlong
    for i in range(mark, terms.heap.TR):
        if terms.heap.trail[i] >= 0 and not terms.is_acyclic(terms.heap.trail[i] << 3):
            return False
    return True
