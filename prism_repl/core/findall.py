# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The solutions of the findalls that are running: copies of terms, one after the other.

A findall begins with a mark, which has the place of the mark before it.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.copying import flatten, thaw_words


class Findall:
    """Solutions that wait for the end of their findall."""

    def __init__(self, terms):
        self.terms = terms
        self.heap = terms.heap
        self.interrupts = terms.interrupts
        self.size = first_size(1 << 10)
        self.cells = new_area(self.size)
        self.top = 0
        self.mark = -1

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.cells)

    def shrink(self, size):
        """Give memory back when nothing runs."""
        if self.size > size and self.top < size // 2:
            self.cells = grow_area(self.cells, self.size, size)
            self.size = size
        return 0

    def begin(self):
        self.room(2)
        self.cells[self.top] = self.mark
        self.mark = self.top
        self.top += 1
        return 1

    def room(self, n):
        if self.top + n + 16 > self.size:
            size: cython.longlong = next_size(self.size, self.top + n + 16, self.heap.limit)
            self.cells = grow_area(self.cells, self.size, size)
            self.size = size

    def add(self, c):
        """Append a copy of a solution: a constant in two words, else sizes, cells, boxes."""
        c = self.terms.deref(c)
        i: cython.longlong
        t: cython.longlong = c & 7
        at: cython.longlong
        if t == ATM or t == INT or t == GLS or t == GST:
            self.room(2)
            self.cells[self.top] = 0
            self.cells[self.top + 1] = c
            self.top += 2
            return 1
        if t == LST or t == STR:
            i = 2 if t == LST else self.terms.symbols.functor_arity[self.heap.cells[c >> 3] >> 3]
            if self.flat(c, i) == 1:
                return 1
        flatten(self.terms, c, True)
        self.room(self.heap.image_top + self.heap.boxes_top + 2)
        at = self.top
        self.cells[at] = self.heap.image_top
        self.cells[at + 1] = self.heap.boxes_top
        at += 2
        for i in range(self.heap.image_top):
            self.cells[at + i] = self.heap.image[i]
        at += self.heap.image_top
        for i in range(self.heap.boxes_top):
            self.cells[at + i] = self.heap.boxes[i]
        self.top = at + self.heap.boxes_top
        return 1

    def flat(self, c, n):
        """Append a structure, or a list cell, of n constants as flatten() leaves it: the root, then its
        cells. 0 if there is something else in it."""
        i: cython.longlong
        a: cython.longlong
        from_: cython.longlong = c >> 3
        to: cython.longlong
        first: cython.longlong = 0 if c & 7 == LST else 1
        self.room(n + first + 3)
        to = self.top + 3
        self.cells[to] = self.heap.cells[from_]
        for i in range(first, n + first):
            a = self.heap.cells[from_ + i]
            if a & 7 == REF:
                a = self.terms.deref(a)
            if a & 7 != INT and a & 7 != ATM and a & 7 != GLS and a & 7 != GST:
                return 0
            self.cells[to + i] = a
        self.cells[self.top] = n + first + 1
        self.cells[self.top + 1] = 0
        self.cells[self.top + 2] = 1 << 3 | (c & 7)
        self.top = to + n + first
        return 1

    def collect(self, tail):
        """The list of the solutions since the last mark, ending in tail; pops the mark."""
        at: cython.longlong = self.mark + 1
        n: cython.longlong
        b: cython.longlong
        c: cython.longlong
        count: cython.longlong = 0
        cell: cython.longlong
        first: cython.longlong = tail
        last: cython.longlong = 0
        self.heap.room(self.top - at + 64)
        while at < self.top:
            n = self.cells[at]
            if n == 0:
                c = self.cells[at + 1]
                at += 2
            else:
                b = self.cells[at + 1]
                if cython.compiled:
                    c = thaw_words(self.terms, self.cells + at + 2, n, self.cells + at + 2 + n, b)
                else:
                    c = thaw_words(
                        self.terms,
                        self.cells[at + 2 : at + 2 + n],
                        n,
                        self.cells[at + 2 + n : at + 2 + n + b],
                        b,
                    )
                at += 2 + n + b
            cell = self.terms.cons(c, tail)
            if count == 0:
                first = cell
            else:
                self.heap.cells[last + 1] = cell
            last = cell >> 3
            count += 1
            if count & 65535 == 0:
                self.interrupts.check()
        self.top = self.mark
        self.mark = self.cells[self.mark]
        return first
