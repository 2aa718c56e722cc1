# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""From the heap to the ground store and back."""

import cython

from prism_repl.core.errors import type_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.copying import unbind


def intern(terms, c, variant=False):
    """The store cell of a ground term. 0 for a term with variables, unless `variant`:
    then its variables become numbered constants, in order of first occurrence, so that
    variants have equal cells."""
    base: cython.longlong = terms.heap.wtop
    vars_at: cython.longlong = terms.heap.TR
    t: cython.longlong
    i: cython.longlong
    # the common cases need no stack
    c = terms.deref(c)
    t = c & 7
    if t == ATM or t == INT or t == GLS or t == GST:
        return c
    if t == STR:
        i = store_flat(terms, c)
        if i != 0:
            return i
    try:
        i = intern_parts(terms, c, variant, None)
        if i == -1:
            terms.heap.wtop = base
            unbind(terms, vars_at)
            if not terms.is_acyclic(c):
                raise type_error("acyclic_term", c)
            i = intern_parts(terms, c, variant, {})
        return i
    finally:
        terms.heap.wtop = base
        unbind(terms, vars_at)


def intern_parts(terms, c, variant, stored):
    """The store cell of a compound term or box; `stored` has those of its parts. Without it, -1 after
    more steps than a term without shared parts can take."""
    base: cython.longlong = terms.heap.wtop
    # results grow from the image area; the work stack holds (cell, kind) pairs
    kind: cython.longlong
    t: cython.longlong
    n: cython.longlong
    i: cython.longlong
    p: cython.longlong
    at: cython.longlong
    flag: cython.longlong
    top: cython.longlong = 0
    nvars: cython.longlong = 0
    steps: cython.longlong = 0
    limit: cython.longlong = 2 * terms.heap.H + 1000
    terms.heap.work_room(2)
    terms.heap.work[terms.heap.wtop] = c
    terms.heap.work[terms.heap.wtop + 1] = 0
    terms.heap.wtop += 2
    while terms.heap.wtop > base:
        steps += 1
        if steps & 65535 == 0:
            terms.interrupts.check()
        if steps > limit and stored is None:
            return -1
        terms.heap.wtop -= 2
        c = terms.heap.work[terms.heap.wtop]
        kind = terms.heap.work[terms.heap.wtop + 1]
        if top + 4 > terms.heap.image_size:
            terms.heap.grow_image(top + 4)
        if kind == 0:
            c = terms.deref(c)
            t = c & 7
            if t == REF:
                if not variant:
                    return 0
                terms.heap.trail_room(1)
                terms.heap.trail[terms.heap.TR] = c >> 3
                terms.heap.TR += 1
                terms.heap.cells[c >> 3] = -(nvars + 1) << 3 | ATM
                terms.heap.image[top] = -(nvars + 1) << 3 | ATM
                nvars += 1
                top += 1
            elif t == BOX:
                terms.heap.image[top] = store_box(terms, c)
                top += 1
            elif (t == LST or t == STR) and stored is not None and c in stored:
                terms.heap.image[top] = stored[c]
                top += 1
            elif t == LST:
                terms.heap.work_room(8)
                if stored is not None:
                    terms.heap.work[terms.heap.wtop] = c
                    terms.heap.work[terms.heap.wtop + 1] = 3
                    terms.heap.wtop += 2
                terms.heap.work[terms.heap.wtop] = 0
                terms.heap.work[terms.heap.wtop + 1] = 1
                terms.heap.work[terms.heap.wtop + 2] = terms.heap.cells[(c >> 3) + 1]
                terms.heap.work[terms.heap.wtop + 3] = 0
                terms.heap.work[terms.heap.wtop + 4] = terms.heap.cells[c >> 3]
                terms.heap.work[terms.heap.wtop + 5] = 0
                terms.heap.wtop += 6
            elif t == STR:
                p = c >> 3
                n = terms.symbols.functor_arity[terms.heap.cells[p] >> 3]
                terms.heap.work_room(2 * n + 4)
                if stored is not None:
                    terms.heap.work[terms.heap.wtop] = c
                    terms.heap.work[terms.heap.wtop + 1] = 3
                    terms.heap.wtop += 2
                terms.heap.work[terms.heap.wtop] = terms.heap.cells[p]
                terms.heap.work[terms.heap.wtop + 1] = 2
                terms.heap.wtop += 2
                for i in range(n, 0, -1):
                    terms.heap.work[terms.heap.wtop] = terms.heap.cells[p + i]
                    terms.heap.work[terms.heap.wtop + 1] = 0
                    terms.heap.wtop += 2
            else:
                terms.heap.image[top] = c
                top += 1
        elif kind == 1:
            terms.heap.image[top - 2] = terms.store.list_cell(
                terms.heap.image[top - 2], terms.heap.image[top - 1]
            )
            top -= 1
        elif kind == 3:
            stored[c] = terms.heap.image[top - 1]
        else:
            n = terms.symbols.functor_arity[c >> 3]
            terms.store.room(n + 6)
            at = terms.store.top + 4
            flag = 0
            terms.store.cells[at] = c
            for i in range(n):
                p = terms.heap.image[top - n + i]
                terms.store.cells[at + 1 + i] = p
                if p & 7 == ATM:
                    flag |= p < 0
                elif p & 7 == GLS or p & 7 == GST:
                    flag |= terms.store.cells[(p >> 3) - 1] & 1
            # before a structure: its switch, node and table (0: none), and whether it has
            # numbered variables
            terms.store.cells[at - 1] = flag
            terms.store.cells[at - 2] = 0
            terms.store.cells[at - 3] = 0
            terms.store.cells[at - 4] = 0
            top -= n
            terms.heap.image[top] = terms.store.find(at << 3 | GST, n + 1, at)
            top += 1
    return terms.heap.image[0]


def store_flat(terms, c):
    """The hash-consed cell of a structure whose arguments are constants or stored ground terms, as most
    names of switches are; 0 for another."""
    p: cython.longlong = c >> 3
    n: cython.longlong = terms.symbols.functor_arity[terms.heap.cells[p] >> 3]
    i: cython.longlong
    d: cython.longlong
    terms.store.room(n + 8)
    at: cython.longlong = terms.store.top + 4
    for i in range(1, n + 1):
        c = deref(terms.heap.cells, terms.heap.cells[p + i])
        if c & 7 == REF:
            return 0
        d = c & 7
        if d == ATM:
            if c < 0:
                return 0
        elif d == GLS or d == GST:
            if terms.store.cells[(c >> 3) - 1] & 1:
                return 0
        elif d != INT:
            return 0
        terms.store.cells[at + i] = c
    terms.store.cells[at - 4] = 0
    terms.store.cells[at - 3] = 0
    terms.store.cells[at - 2] = 0
    terms.store.cells[at - 1] = 0
    terms.store.cells[at] = terms.heap.cells[p]
    return terms.store.find(at << 3 | GST, n + 1, at)


def store_box(terms, c):
    n: cython.longlong
    i: cython.longlong
    if (c >> 3) & 1:
        return c
    n = (terms.heap.cells[c >> 4] >> 11) + 1
    terms.store.room(n + 2)
    at: cython.longlong = terms.store.top
    for i in range(n):
        terms.store.cells[at + i] = terms.heap.cells[(c >> 4) + i]
    return terms.store.find((at << 1 | 1) << 3 | BOX, n, at)


def instantiate(terms, c, variables):
    """A heap term for a variant key: numbered variable k becomes variables[k] (the list
    grows with fresh ones); subterms without numbered variables are shared."""
    if not terms.store.has_numbered_vars(c):
        return c
    if c & 7 == ATM:
        return numbered_var(terms, c, variables)
    base: cython.longlong = terms.heap.wtop
    made: cython.longlong
    try:
        made = instantiate_parts(terms, c, variables, None)
        if made == 0:
            terms.heap.wtop = base
            made = instantiate_parts(terms, c, variables, {})
        return made
    finally:
        terms.heap.wtop = base


def instantiate_parts(terms, c, variables, made):
    """`made` has the heap terms of parts. Without it, 0 after more steps than the store has words."""
    # build copies top-down; a work item is a heap position that still holds a store cell
    base: cython.longlong = terms.heap.wtop
    steps: cython.longlong = 0
    t: cython.longlong
    n: cython.longlong
    i: cython.longlong
    p: cython.longlong
    at: cython.longlong
    terms.heap.room(1)
    root: cython.longlong = terms.heap.H
    terms.heap.cells[root] = c
    terms.heap.H = root + 1
    terms.heap.work_room(1)
    terms.heap.work[terms.heap.wtop] = root
    terms.heap.wtop += 1
    while terms.heap.wtop > base:
        terms.heap.wtop -= 1
        p = terms.heap.work[terms.heap.wtop]
        c = terms.heap.cells[p]
        t = c & 7
        if t == ATM:
            terms.heap.cells[p] = numbered_var(terms, c, variables)
            continue
        steps += 1
        if steps & 65535 == 0:
            terms.interrupts.check()
        if made is not None:
            if c in made:
                terms.heap.cells[p] = made[c]
                continue
        elif steps > terms.store.top:
            return 0
        n = 2 if t == GLS else terms.store.words_of(c)
        terms.heap.room(n)
        at = terms.heap.H
        terms.heap.H += n
        terms.heap.work_room(n)
        for i in range(n):
            terms.heap.cells[at + i] = terms.store.cells[(c >> 3) + i]
            if terms.store.has_numbered_vars(terms.heap.cells[at + i]) and (t == GLS or i > 0):
                terms.heap.work[terms.heap.wtop] = at + i
                terms.heap.wtop += 1
        terms.heap.cells[p] = at << 3 | (LST if t == GLS else STR)
        if made is not None:
            made[c] = terms.heap.cells[p]
    return terms.heap.cells[root]


def numbered_var(terms, c, variables):
    k: cython.longlong = -(c >> 3) - 1
    while len(variables) <= k:
        variables.append(terms.new_var())
    return variables[k]
