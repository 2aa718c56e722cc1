# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""The ground store: each ground term is there once, so that equal ground terms are equal cells.

`generation` changes whenever addresses in the store do.
"""

import contextlib

import cython

from prism_repl.core.errors import PrologError

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403


def put_entry(table, mask, h, c):
    """Put a cell with hash h into a hash table of the store."""
    h &= HASH_MASK
    j: cython.longlong = h & mask
    while table[j] != 0:
        j = (j + 1) & mask
    table[j] = h << ENTRY_SHIFT | c
    return 0


class Store:
    """Ground terms, and how they are found."""

    def __init__(self, symbols, heap):
        one: cython.longlong = 1
        self.symbols = symbols
        self.heap = heap
        self.size = first_size(1 << 10)
        self.cells = new_area(self.size)
        self.mask = first_size(1 << 8) - 1
        self.hash = new_area(self.mask + 1)
        self.top = 8
        self.count = 0
        self.generation = 0
        self.entry_cell = (one << ENTRY_SHIFT) - 1
        self.young_mask = first_size(1 << 8) - 1
        self.young_hash = new_area(self.young_mask + 1)
        self.young_count = 0
        self.young = 0
        self.log_size = 0
        self.log_top = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.cells)
            free_area(self.hash)
            free_area(self.young_hash)
            if self.log_size > 0:
                free_area(self.log)

    @cython.final
    def words_of(self, c):
        """How many words the body of a store cell has."""
        t: cython.longlong = c & 7
        if t == GLS:
            return 2
        if t == GST:
            return self.symbols.functor_arity[self.cells[c >> 3] >> 3] + 1
        return (self.cells[c >> 4] >> 11) + 1

    @cython.final
    def hash_words(self, tag, at, n):
        """The hash of the n words at `at`. Terms whose last stored part lies close together, as the calls
        and suffixes along one list do, get close places in the hash table: the processor has them at hand."""
        # 30 bits at a time, so that products fit a word and no literal becomes a Python object
        store: cython.p_longlong = self.cells
        h: cython.longlong = tag + 17
        i: cython.longlong = n
        x: cython.longlong
        near: cython.longlong = -1
        while i > 0:
            i -= 1
            x = store[at + i]
            if near < 0 and x & 7 > BOX:
                near = (x >> 3) & 15
                x = x >> 7
            x = (x ^ (x >> 29)) & 0x3FFFFFFF
            h = ((h ^ x) * 16777619) & 0x3FFFFFFF
            h ^= h >> 15
        return h + near

    @cython.final
    def room(self, n):
        need: cython.longlong = self.top + n + SLACK // 64
        if need > self.size:
            limit: cython.longlong = HASH_MASK << 3  # addresses have 31 bits
            size: cython.longlong = next_size(
                self.size, need, self.heap.limit if self.heap.limit < limit else limit
            )
            self.cells = extend_area(self.cells, self.size, size)
            self.size = size
        return 0

    def has_numbered_vars(self, c):
        """True if a store cell contains numbered variables (it is a variant key)."""
        t: cython.longlong = c & 7
        if t == ATM:
            return c < 0
        if t == GLS or t == GST:
            return self.cells[(c >> 3) - 1] & 1 != 0
        return False

    def list_cell(self, h, t):
        """The hash-consed list cell [h|t]; both must be store cells or constants."""
        self.room(4)
        at: cython.longlong = self.top + 1
        flag: cython.longlong = 0
        if h & 7 == ATM:
            flag = h < 0
        elif h & 7 == GLS or h & 7 == GST:
            flag = self.cells[(h >> 3) - 1] & 1
        if flag == 0:
            if t & 7 == ATM:
                flag = t < 0
            elif t & 7 == GLS or t & 7 == GST:
                flag = self.cells[(t >> 3) - 1] & 1
        self.cells[at - 1] = flag
        self.cells[at] = h
        self.cells[at + 1] = t
        return self.find(at << 3 | GLS, 2, at)

    # ---- its hash tables

    # Entries of the two hash tables of the store have the cell of a term in the low bits and its hash above,
    # so that a term is rarely looked at in vain, and not at all when a table grows. While a search notes new
    # terms (begin_log), these have a table of their own, small enough for the cache of the processor. A term
    # with a part that is young, and a structure with a part that no old structure has (2 in the word before
    # it), are looked for only there.

    def find(self, key, n, at):
        """The stored cell equal to the n words at `at` (not yet committed), or the words
        themselves, committed. `key` is the cell they would have."""
        i: cython.longlong
        c: cython.longlong
        tag: cython.longlong = key & 7
        h: cython.longlong = self.hash_words(tag, at, n)
        if self.log_size > 0:
            c = self.find_entry(self.young_hash, self.young_mask, h, tag, n, at)
            if c != 0:
                return c
        if self.log_size == 0 or tag == BOX or not self.only_young(tag, at, n):
            c = self.find_entry(self.hash, self.mask, h, tag, n, at)
            if c != 0:
                return c
        # room first: a term is stored, and found again, or it is not there at all
        if self.log_size > 0:
            if 4 * self.young_count > 3 * self.young_mask:
                self.young_hash = self.grown_hash(self.young_hash, self.young_mask)
                self.young_mask = 2 * self.young_mask + 1
            if self.log_top == self.log_size:
                i = larger(self.log_size, 0)
                self.log = grow_area(self.log, self.log_size, i)
                self.log_size = i
            put_entry(self.young_hash, self.young_mask, h, key)
            self.young_count += 1
            self.log[self.log_top] = key
            self.log_top += 1
        else:
            self.insert(key, h)
        self.top = at + n
        return key

    @cython.final
    def only_young(self, tag, at, n):
        """Whether the n words at `at` are of a term that no old one can equal."""
        store: cython.p_longlong = self.cells
        young: cython.longlong = self.young << 3
        i: cython.longlong
        x: cython.longlong
        for i in range(at, at + n):
            x = store[i]
            if x & 7 > BOX and (x >= young or (tag == GST and store[(x >> 3) - 1] & 2 == 0)):
                return True
        return False

    @cython.final
    def find_entry(self, table, mask, h, tag, n, at):
        """The cell with this tag of the n words at `at` in a hash table, or 0."""
        store: cython.p_longlong = self.cells
        h &= HASH_MASK
        j: cython.longlong = h & mask
        i: cython.longlong
        p: cython.longlong
        c: cython.longlong = table[j]
        while c != 0:
            if c >> ENTRY_SHIFT == h:
                c &= self.entry_cell
                if c & 7 == tag:
                    p = c >> 4 if tag == BOX else c >> 3
                    i = 0
                    while i < n and store[p + i] == store[at + i]:
                        i += 1
                    if i >= n:
                        return c
            j = (j + 1) & mask
            c = table[j]
        return 0

    @cython.final
    def insert(self, c, h):
        """Put a stored term that is new, with its hash, among the old ones."""
        i: cython.longlong
        x: cython.longlong
        if c & 7 == GST:
            for i in range((c >> 3) + 1, (c >> 3) + self.words_of(c)):
                x = self.cells[i]
                if x & 7 > BOX:
                    self.cells[(x >> 3) - 1] |= 2
        self.hash_room(1)
        put_entry(self.hash, self.mask, h, c)
        self.count += 1
        return 0

    def hash_room(self, n):
        """Make room for n more terms among the old ones: inserting them then needs no memory."""
        while 4 * (self.count + n) > 3 * self.mask:
            self.hash = self.grown_hash(self.hash, self.mask)
            self.mask = 2 * self.mask + 1
        return 0

    def grown_hash(self, old, mask):
        """A hash table of the store with twice the room; the old one is freed."""
        i: cython.longlong
        new: cython.p_longlong = new_area(2 * mask + 2)
        for i in range(mask + 1):
            if old[i] != 0:
                put_entry(new, 2 * mask + 1, old[i] >> ENTRY_SHIFT, old[i] & self.entry_cell)
        free_area(old)
        return new

    # ---- young terms

    @cython.final
    def forget_young(self):
        """No stored term is young: their hash table is empty."""
        i: cython.longlong
        if self.young_mask >= 1 << 16:
            with contextlib.suppress(PrologError):  # without memory for a small one the large one stays
                self.young_hash = renew_area(self.young_hash, 1 << 8)
                self.young_mask = (1 << 8) - 1
                self.young_count = 0
        if self.young_count > 0:
            for i in range(self.young_mask + 1):
                self.young_hash[i] = 0
        self.young_count = 0
        self.young = self.top
        self.log_top = 0
        return 0

    @cython.final
    def age_young(self):
        """The stored terms that are young become old ones."""
        i: cython.longlong
        c: cython.longlong
        at: cython.longlong
        self.hash_room(self.log_top)
        for i in range(self.log_top):
            c = self.log[i]
            at = c >> 4 if c & 7 == BOX else c >> 3
            self.insert(c, self.hash_words(c & 7, at, self.words_of(c)))
        return self.forget_young()

    def begin_log(self, size):
        """Begin to note the cells of new stored terms, in the order of their addresses; 0: no more."""
        self.age_young()
        if self.log_size != size:
            if self.log_size > 0:
                free_area(self.log)
            self.log_size = 0
            if size > 0:
                self.log = new_area(size)
                self.log_size = size
        return 0

    def reset(self):
        """Forget every stored term. Only safe when no heap cell, table or switch refers to one."""
        size: cython.longlong = first_size(1 << 10)
        self.hash = renew_area(self.hash, 1 << 8)
        self.mask = (1 << 8) - 1
        self.cells = grow_area(self.cells, self.size, size)
        self.size = size
        self.top = 8
        self.count = 0
        self.generation += 1
        self.forget_young()
        self.begin_log(0)
        return 0
