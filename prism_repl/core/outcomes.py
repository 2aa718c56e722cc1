# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The outcomes of the random switches that a search has met.

A switch has a number here, and its instances have numbers of their own, one after the other. `generation`
changes when the outcomes have to be asked for again; choice points may then have some of the old ones left.
"""

import cython

from prism_repl.core.errors import resource_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.interning import intern


class Outcomes:
    """What msw/2 goes through."""

    def __init__(self, terms):
        self.terms = terms
        self.odd = {}
        self.site = 0
        self.limit = 1 << 30
        self.space = first_size(1 << 6)
        self.base = new_area(self.space)
        self.first = new_area(self.space)
        self.sizes = new_area(self.space)
        self.doubles = new_area(self.space)
        self.names = new_area(self.space)
        self.count = 1
        self.floor = 1
        self.generation = 1
        self.size = first_size(1 << 8)
        self.cells = new_area(self.size)
        self.top = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.base)
            free_area(self.first)
            free_area(self.sizes)
            free_area(self.doubles)
            free_area(self.names)
            free_area(self.cells)

    def reset(self):
        """Nobody uses a switch."""
        self.count = 1
        self.top = 0
        return self.forget()

    def forget(self):
        """Ask for the outcomes of all switches again. Choice points may have some of them left."""
        self.odd = {}
        self.floor = self.count
        self.generation += 1
        return 0

    @cython.final
    def known(self, s, name):
        """Switch s, which an old word may lead to, if it is the one with this stored name; else 0."""
        if s >= self.floor and s < self.count and self.names[s] == name:
            return s
        return 0

    def add(self, base, cells):
        """Note the outcomes of a switch for this search: base is the number of its first instance.
        Returns the search's number of the switch."""
        i: cython.longlong
        n: cython.longlong = len(cells)
        size: cython.longlong
        if base + n > self.limit:  # an item has one bit beside the number of an instance
            raise resource_error("memory")
        if self.count == self.space:
            size = larger(self.space, 0)
            self.base = grow_area(self.base, self.space, size)
            self.first = grow_area(self.first, self.space, size)
            self.sizes = grow_area(self.sizes, self.space, size)
            self.doubles = grow_area(self.doubles, self.space, size)
            self.names = grow_area(self.names, self.space, size)
            self.space = size
        if self.top + n > self.size:
            size = larger(self.size, self.top + n)
            self.cells = grow_area(self.cells, self.size, size)
            self.size = size
        s: cython.longlong = self.count
        self.base[s] = base
        self.first[s] = self.top
        self.sizes[s] = n
        self.names[s] = 0
        for i in range(n):
            self.cells[self.top + i] = intern(self.terms, cells[i], False)
        known = {self.cells[self.top + i] for i in range(n)}
        self.doubles[s] = n - len(known)  # a value that occurs more than once is tried as often
        self.top += n
        self.count += 1
        return s

    def arrays(self):
        """Instance base and size of each switch met in this search."""
        sizes = {self.base[i]: self.sizes[i] for i in range(1, self.count)}
        return list(sizes.keys()), list(sizes.values())
