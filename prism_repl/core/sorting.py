# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""A stable merge sort of a Prolog list in the standard order of terms."""

import cython

from prism_repl.core.errors import instantiation_error, type_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import ATM, GLS, INT, LST, REF, STR
    from prism_repl.core.comparison import compare
PAIR = -1  # sort on the key of Key-Value elements


def sort_list(m, c, key, descending, unique):
    """A new list with the elements of list c in order.

    key: 0 sorts on the elements, N on their Nth argument, PAIR on the key of a pair.
    unique: of elements with equal keys only the first stays.
    """
    n: cython.longlong = 0
    room: cython.longlong = first_size(1024)
    x: cython.longlong = m.terms.deref(c)
    item: cython.longlong
    k: cython.longlong
    i: cython.longlong
    kept: cython.longlong
    pairs: cython.bint = key == PAIR
    limit: cython.longlong = m.heap.H + m.store.top + 16
    a: cython.p_longlong = new_area(room)
    b: cython.p_longlong = new_area(1)
    minus: cython.longlong = m.symbols.f_minus
    try:
        # a holds (key, element) pairs
        while x & 7 == LST or x & 7 == GLS:
            if 2 * n + 2 > room:
                i = larger(room, 0)
                a = grow_area(a, room, i)
                room = i
            if x & 7 == LST:
                item = m.heap.cells[x >> 3]
                if item & 7 == REF:
                    item = m.terms.deref(item)
            else:
                item = m.terms.arg(x, 0)
            k = item
            if pairs and item & 7 == STR and m.heap.cells[item >> 3] == minus << 3 | INT:
                k = m.terms.deref(m.heap.cells[(item >> 3) + 1])
            elif key != 0:
                k = sort_key(m, item, key, minus)
            a[2 * n] = k
            a[2 * n + 1] = item
            n += 1
            if n & 65535 == 0:
                m.interrupts.check()
            if n > limit:
                raise type_error("list", c)
            x = m.terms.deref(m.heap.cells[(x >> 3) + 1]) if x & 7 == LST else m.terms.arg(x, 1)
        if x & 7 == REF:
            raise instantiation_error()
        if x != m.symbols.nil:
            raise type_error("list", c)
        if n == 0:
            return m.symbols.nil
        b = grow_area(b, 1, 2 * n)
        if not radix_sort(m, a, b, n, descending):
            merge_sort(m, a, b, n, descending)
        kept = 1
        if unique:
            for i in range(1, n):
                if order(m, a[2 * i], a[2 * kept - 2]) != 0:
                    a[2 * kept] = a[2 * i]
                    a[2 * kept + 1] = a[2 * i + 1]
                    kept += 1
        else:
            kept = n
        m.heap.room(2 * kept)
        x = m.heap.H
        for i in range(kept):
            m.heap.cells[x + 2 * i] = a[2 * i + 1]
            m.heap.cells[x + 2 * i + 1] = (x + 2 * i + 2) << 3 | LST
        m.heap.cells[x + 2 * kept - 1] = m.symbols.nil
        m.heap.H = x + 2 * kept
        return x << 3 | LST
    finally:
        free_area(a)
        free_area(b)


def sort_key(m, item, key, minus):
    """The cell to sort an element on, or the error for an element without one."""
    if item & 7 == REF:
        raise instantiation_error()
    if key < 0:
        if not m.terms.is_compound(item) or m.terms.functor_of(item) != minus:
            from prism_repl.core.errors import PrologError

            raise PrologError("type_error", "pair", item)
        return m.terms.arg(item, 0)
    if not m.terms.is_compound(item) or m.terms.arity_of(item) < key:
        raise type_error("compound", item)
    return m.terms.arg(item, key - 1)


def radix_sort(m, a, b, n, descending):
    """Sort n pairs of a whose keys are all small integers that lie near each other: by their digits, the last
    one first. False, and nothing was done, if the keys are others."""
    i: cython.longlong
    at: cython.longlong
    sum_: cython.longlong
    shift: cython.longlong = 0
    digit: cython.longlong
    k: cython.longlong
    least: cython.longlong = a[0]
    most: cython.longlong = a[0]
    rises: cython.bint = not descending
    if n < 64:
        return False
    for i in range(n):
        k = a[2 * i]
        if k & 7 != INT:
            return False
        if k < most:
            rises = False
        if k < least:
            least = k
        if k > most:
            most = k
    if rises:  # in order already
        return True
    # three digits of eleven bits, and as many keys as make up for the counts of a digit
    if (most >> 3) - (least >> 3) >> 33 > 0 or ((most - least) >> 14 > 0 and n < 512):
        return False
    counts: cython.p_longlong = new_area(2048)
    try:
        while shift == 0 or (most - least) >> 3 >> shift > 0:
            m.interrupts.check()
            for i in range(2048):
                counts[i] = 0
            for i in range(n):
                digit = ((a[2 * i] - least) >> 3 >> shift) & 2047
                counts[2047 - digit if descending else digit] += 1
            sum_ = 0
            for i in range(2048):
                at = counts[i]
                counts[i] = sum_
                sum_ += at
            for i in range(n):
                digit = ((a[2 * i] - least) >> 3 >> shift) & 2047
                digit = 2047 - digit if descending else digit
                at = counts[digit]
                counts[digit] += 1
                b[2 * at] = a[2 * i]
                b[2 * at + 1] = a[2 * i + 1]
                if i & 65535 == 65535:
                    m.interrupts.check()
            for i in range(2 * n):
                a[i] = b[i]
            shift += 11
    finally:
        free_area(counts)
    return True


def order(m, x, y):
    if x & 7 == INT and y & 7 == INT:
        return -1 if x < y else (1 if x > y else 0)
    if x == y:
        return 0
    if x & 7 == ATM and y & 7 == ATM:
        return m.symbols.order(x, y)
    return compare(m.terms, x, y)


def exchanges(m, x, y, wrong):
    """Whether two neighbours change places: they are in the order that is wrong."""
    if x & 7 == INT and y & 7 == INT:
        return x > y if wrong == 1 else x < y
    return order(m, x, y) == wrong


def merge_sort(m, a, b, n, descending):
    """Sort n pairs of a in place; b is as large. Bottom up, runs of pairs by insertion first."""
    steps: cython.longlong = 0
    width: cython.longlong = 8
    low: cython.longlong
    mid: cython.longlong
    high: cython.longlong
    i: cython.longlong
    j: cython.longlong
    o: cython.longlong
    k: cython.longlong
    item: cython.longlong
    wrong: cython.int = -1 if descending else 1  # order(earlier, later) that calls for an exchange
    for low in range(0, n, width):
        high = low + width
        if high > n:
            high = n
        for i in range(low + 1, high):
            k = a[2 * i]
            item = a[2 * i + 1]
            j = i
            while j > low and exchanges(m, a[2 * j - 2], k, wrong):
                a[2 * j] = a[2 * j - 2]
                a[2 * j + 1] = a[2 * j - 1]
                j -= 1
            a[2 * j] = k
            a[2 * j + 1] = item
        if low & 65535 == 0:
            m.interrupts.check()
    while width < n:
        low = 0
        while low + width < n:
            mid = low + width
            high = mid + width
            if high > n:
                high = n
            steps += high - low
            if steps > 1 << 16:
                m.interrupts.check()
                steps = 0
            if order(m, a[2 * mid - 2], a[2 * mid]) == wrong:  # else in order already
                for i in range(2 * low, 2 * mid):
                    b[i] = a[i]
                i = low
                j = mid
                o = low
                while i < mid:
                    if j < high and exchanges(m, b[2 * i], a[2 * j], wrong):
                        a[2 * o] = a[2 * j]
                        a[2 * o + 1] = a[2 * j + 1]
                        j += 1
                    else:
                        a[2 * o] = b[2 * i]
                        a[2 * o + 1] = b[2 * i + 1]
                        i += 1
                    o += 1
                    if o & 65535 == 0:
                        m.interrupts.check()
            low = high
        width *= 2
