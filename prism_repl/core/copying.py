# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Copies of terms: on the heap, and out of it (records)."""

import cython

from prism_repl.core.errors import type_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403


class Record:
    """A term copied out of the heap: it survives backtracking, collection and the query."""

    def __dealloc__(self):
        if cython.compiled:
            if self.words != cython.NULL:
                free_area(self.words)


def copy(terms, c):
    """A copy with fresh variables."""
    c = terms.deref(c)
    t: cython.longlong = c & 7
    if t == ATM or t == INT or t == BOX or t == GLS or t == GST:
        return c
    flatten(terms, c, True)
    return thaw_words(terms, terms.heap.image, terms.heap.image_top, terms.heap.boxes, terms.heap.boxes_top)


def freeze(terms, c):
    """Copy a term out of the heap."""
    r = Record()
    flatten(terms, c, False)
    i: cython.longlong
    r.n = terms.heap.image_top
    r.m = terms.heap.boxes_top
    r.words = new_area(r.n + r.m)
    for i in range(r.n):
        r.words[i] = terms.heap.image[i]
    for i in range(r.m):
        r.words[r.n + i] = terms.heap.boxes[i]
    return r


def thaw(terms, r):
    """A fresh copy of a frozen term on the heap."""
    if cython.compiled:
        return thaw_words(terms, r.words, r.n, r.words + r.n, r.m)
    else:
        return thaw_words(terms, r.words[: r.n], r.n, r.words[r.n :], r.m)


def flatten(terms, c, keep_store):
    """Copy a term to `image`: cells there have indices relative to the image, boxes are
    kept apart in `boxes`. Returns the root cell. Sharing of variables is kept, and that of
    subterms in a term that is larger as a tree than the heap (image_shared is then set)."""
    base: cython.longlong = terms.heap.wtop
    vars_at: cython.longlong = terms.heap.TR
    terms.heap.image_shared = False
    try:
        if not flatten_to(terms, c, keep_store, None):
            terms.heap.wtop = base
            unbind(terms, vars_at)
            if not terms.is_acyclic(c):
                raise type_error("acyclic_term", c)
            terms.heap.image_shared = True
            flatten_to(terms, c, keep_store, {})
    finally:
        terms.heap.wtop = base
        unbind(terms, vars_at)
    return terms.heap.image[0]


def flatten_to(terms, c, keep_store, copies):
    """Flatten c; `copies` has where subterms were copied to. Without it, False after more steps than
    a term without shared parts can take."""
    base: cython.longlong = terms.heap.wtop
    t: cython.longlong
    n: cython.longlong
    i: cython.longlong
    p: cython.longlong
    at: cython.longlong
    dest: cython.longlong
    area: cython.p_longlong
    steps: cython.longlong = 0
    limit: cython.longlong = terms.heap.H + terms.store.top + 1000
    # image[0] is the root; the work stack holds image positions that still hold source cells
    terms.heap.image[0] = c
    terms.heap.image_top = 1
    terms.heap.boxes_top = 0
    terms.heap.work_room(1)
    terms.heap.work[terms.heap.wtop] = 0
    terms.heap.wtop += 1
    while terms.heap.wtop > base:
        terms.heap.wtop -= 1
        dest = terms.heap.work[terms.heap.wtop]
        while True:
            c = deref(terms.heap.cells, terms.heap.image[dest])
            t = c & 7
            if t == ATM or t == INT:
                terms.heap.image[dest] = c
                break
            if t == REF:
                # remember the variable; it refers to its copy until the end
                terms.heap.trail_room(1)
                terms.heap.trail[terms.heap.TR] = c >> 3
                terms.heap.TR += 1
                terms.heap.cells[c >> 3] = (-(dest + 1) << 3) | GST
                terms.heap.image[dest] = dest << 3
                break
            if t == GST and c < 0:
                terms.heap.image[dest] = (-(c >> 3) - 1) << 3
                break
            if (t == GST or t == GLS) and keep_store:
                terms.heap.image[dest] = c
                break
            if t == BOX:
                area = terms.box_area(c)
                p = c >> 4
                n = (area[p] >> 11) + 1
                if terms.heap.boxes_top + n > terms.heap.boxes_size:
                    terms.heap.grow_boxes(terms.heap.boxes_top + n)
                for i in range(n):
                    terms.heap.boxes[terms.heap.boxes_top + i] = area[p + i]
                terms.heap.image[dest] = terms.heap.boxes_top << 4 | BOX
                terms.heap.boxes_top += n
                break
            steps += 1
            if steps & 65535 == 0:
                terms.interrupts.check()
            if copies is not None:
                known = copies.get(c)
                if known is not None:
                    terms.heap.image[dest] = known
                    break
            elif steps > limit:
                return False
            p = c >> 3
            if t == LST or t == GLS:
                n = 2
            elif t == STR:
                n = terms.symbols.functor_arity[terms.heap.cells[p] >> 3] + 1
            else:
                n = terms.symbols.functor_arity[terms.store.cells[p] >> 3] + 1
            if terms.heap.image_top + n > terms.heap.image_size:
                terms.heap.grow_image(terms.heap.image_top + n)
            at = terms.heap.image_top
            terms.heap.image_top += n
            area = terms.heap.cells if (t == LST or t == STR) else terms.store.cells
            for i in range(n):
                terms.heap.image[at + i] = area[p + i]
            if t == LST or t == GLS:
                terms.heap.image[dest] = at << 3 | LST
                i = 0
            else:
                terms.heap.image[dest] = at << 3 | STR
                i = 1
            if copies is not None:
                copies[c] = terms.heap.image[dest]
            # all but the last argument wait, the last is done at once: lists need no stack
            terms.heap.work_room(n)
            while i < n - 1:
                t = terms.heap.image[at + i] & 7
                if t != ATM and t != INT:
                    terms.heap.work[terms.heap.wtop] = at + i
                    terms.heap.wtop += 1
                i += 1
            dest = at + n - 1
    return True


def unbind(terms, mark):
    a: cython.longlong
    while terms.heap.TR > mark:
        terms.heap.TR -= 1
        a = terms.heap.trail[terms.heap.TR]
        terms.heap.cells[a] = a << 3


def thaw_words(terms, cells, n, boxes, m):
    """Bring an image (n cells) and its boxes (m words) to the heap; returns the root."""
    terms.heap.room(n + m)
    at: cython.longlong = terms.heap.H
    i: cython.longlong
    c: cython.longlong
    t: cython.longlong
    for i in range(n):
        c = cells[i]
        t = c & 7
        if t == REF or t == LST or t == STR:
            c += at << 3
        elif t == BOX:
            c += (at + n) << 4
        terms.heap.cells[at + i] = c
    for i in range(m):
        terms.heap.cells[at + n + i] = boxes[i]
    terms.heap.H = at + n + m
    return terms.heap.cells[at]
