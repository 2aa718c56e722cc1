# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -flto
"""Terms: made, taken apart, looked at.

A term is a 64-bit cell (see cells.py), on the heap or in the ground store. No function recurses on a term:
deep terms use the stack `work` of the heap, so that depth costs memory, never the C stack.
Comparing, unifying, copying and storing terms have files of their own.
"""

import struct

import cython

from prism_repl.core.errors import instantiation_error, type_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403

# Small integers have 61 bits.
SMALL_MAX = (1 << 60) - 1
SMALL_MIN = -(1 << 60)


def float_bits(d):
    """The 64 bits of a double as a signed integer."""
    if cython.compiled:
        bits: cython.longlong = 0
        memcpy(cython.address(bits), cython.address(d), 8)
        return bits
    else:
        return struct.unpack("<q", struct.pack("<d", d))[0]


def bits_float(bits):
    if cython.compiled:
        d: cython.double = 0.0
        memcpy(cython.address(d), cython.address(bits), 8)
        return d
    else:
        return struct.unpack("<d", struct.pack("<q", bits))[0]


class Terms:
    """Terms over a heap and a store."""

    def __init__(self, symbols, heap, store, interrupts):
        self.symbols = symbols
        self.heap = heap
        self.store = store
        self.interrupts = interrupts

    # ---- numbers

    def int_cell(self, value):
        """An integer of any size as a cell."""
        if SMALL_MIN <= value <= SMALL_MAX:
            small: cython.longlong = value
            return small << 3 | INT
        n: cython.longlong = (value.bit_length() + 64) // 64
        if (value >> (64 * n - 64)) == self.heap.attr_mark:
            n += 1  # no word before a cell that may be a variable is the mark of attributed variables
        self.heap.room(n + 1)
        at: cython.longlong = self.heap.H
        self.heap.cells[at] = (n << 8 | BIG_BOX) << 3 | INT
        i: cython.longlong
        words = struct.unpack("<%dq" % n, value.to_bytes(8 * n, "little", signed=True))
        for i in range(n):
            self.heap.cells[at + 1 + i] = words[i]
        self.heap.H = at + 1 + n
        return (at << 1) << 3 | BOX

    def float_cell(self, value):
        self.heap.room(2)
        at: cython.longlong = self.heap.H
        self.heap.cells[at] = (1 << 8 | FLOAT_BOX) << 3 | INT
        self.heap.cells[at + 1] = float_bits(value)
        self.heap.H = at + 2
        return (at << 1) << 3 | BOX

    def box_area(self, c):
        if (c >> 3) & 1:
            return self.store.cells
        return self.heap.cells

    def int_value(self, c):
        """The Python integer of an INT or big-integer cell."""
        if c & 7 == INT:
            return c >> 3
        if c & 7 != BOX:
            raise TypeError("the cell is no number")
        area: cython.p_longlong = self.box_area(c)
        at: cython.longlong = c >> 4
        n: cython.longlong = area[at] >> 11
        i: cython.longlong
        words = []
        for i in range(n):
            words.append(area[at + 1 + i])
        return int.from_bytes(struct.pack("<%dq" % n, *words), "little", signed=True)

    def float_value(self, c):
        """The double of a float cell."""
        if c & 7 != BOX:
            raise TypeError("the cell is no float")
        area: cython.p_longlong = self.box_area(c)
        return bits_float(area[(c >> 4) + 1])

    def number_value(self, c):
        if c & 7 == BOX:
            if self.is_float(c):
                return self.float_value(c)
        return self.int_value(c)

    # ---- kinds

    def is_float(self, c):
        if c & 7 != BOX:
            return False
        area: cython.p_longlong = self.box_area(c)
        return (area[c >> 4] >> 3) & 255 == FLOAT_BOX

    def is_big(self, c):
        if c & 7 != BOX:
            return False
        area: cython.p_longlong = self.box_area(c)
        return (area[c >> 4] >> 3) & 255 == BIG_BOX

    def is_integer(self, c):
        return c & 7 == INT or self.is_big(c)

    def is_number(self, c):
        return c & 7 == INT or c & 7 == BOX

    def is_atomic(self, c):
        t: cython.longlong = c & 7
        return t == ATM or t == INT or t == BOX

    def is_callable(self, c):
        t: cython.longlong = c & 7
        return t == ATM or t == STR or t == LST or t == GST or t == GLS

    def is_list_cell(self, c):
        return c & 7 == LST or c & 7 == GLS

    def is_compound(self, c):
        t: cython.longlong = c & 7
        return t == STR or t == LST or t == GST or t == GLS

    # ---- building

    def deref(self, c):
        return deref(self.heap.cells, c)

    def bind(self, c, value):
        """Bind the unbound variable c; always trailed, so it may be called from anywhere."""
        if c & 7 != REF:
            raise TypeError("the cell is no variable")
        self.heap.cells[c >> 3] = value
        if (c >> 3) < self.heap.HB or (c >> 3) < self.heap.attr_floor:
            self.heap.trail_room(1)
            self.heap.trail[self.heap.TR] = c >> 3
            self.heap.TR += 1
        return 0

    def new_var(self):
        self.heap.room(1)
        at: cython.longlong = self.heap.H
        self.heap.cells[at] = at << 3
        self.heap.H = at + 1
        return at << 3

    def cons(self, head, tail):
        self.heap.room(2)
        at: cython.longlong = self.heap.H
        self.heap.cells[at] = head
        self.heap.cells[at + 1] = tail
        self.heap.H = at + 2
        return at << 3 | LST

    def new_struct(self, f, args):
        """A structure with functor number f; './2' becomes a list cell, arity 0 an atom."""
        n: cython.longlong = len(args)
        if f == self.symbols.list_functor:
            return self.cons(args[0], args[1])
        if n == 0:
            return self.symbols.functor_name[f]
        self.heap.room(n + 1)
        at: cython.longlong = self.heap.H
        self.heap.cells[at] = f << 3 | INT
        i: cython.longlong
        for i in range(n):
            self.heap.cells[at + 1 + i] = args[i]
        self.heap.H = at + 1 + n
        return at << 3 | STR

    def struct(self, name: str, *args):
        """A structure by the text of its name: m.struct('f', a, b)."""
        if not args:
            return self.symbols.atom(name)
        return self.new_struct(self.symbols.functor(self.symbols.atom(name), len(args)), args)

    def list_from(self, items, tail=None):
        """A list of these cells; tail is a cell, [] by default."""
        n: cython.longlong = len(items)
        self.heap.room(2 * n + 2)
        end: cython.longlong = self.symbols.nil if tail is None else tail
        at: cython.longlong = self.heap.H
        i: cython.longlong
        if n == 0:
            return end
        for i in range(n):
            self.heap.cells[at + 2 * i] = items[i]
            self.heap.cells[at + 2 * i + 1] = (at + 2 * i + 2) << 3 | LST
        self.heap.cells[at + 2 * n - 1] = end
        self.heap.H = at + 2 * n
        return at << 3 | LST

    # ---- taking apart

    def list_items(self, c):
        """(dereferenced elements, dereferenced tail); the tail of a proper list is []."""
        items = []
        t: cython.longlong
        x: cython.longlong = self.deref(c)
        steps: cython.longlong = 0
        limit: cython.longlong = self.heap.H + self.store.top + 16
        while True:
            t = x & 7
            if t == LST:
                items.append(self.deref(self.heap.cells[x >> 3]))
                x = self.deref(self.heap.cells[(x >> 3) + 1])
            elif t == GLS:
                items.append(self.store.cells[x >> 3])
                x = self.store.cells[(x >> 3) + 1]
            else:
                return items, x
            steps += 1
            if steps & 65535 == 0:
                self.interrupts.check()
            if steps > limit:  # a cyclic list
                return items, x

    def proper_list(self, c):
        """The elements of a proper list, or the ISO error for what it is instead."""
        items, tail = self.list_items(c)
        t: cython.longlong = tail
        if t == self.symbols.nil:
            return items
        if t & 7 == REF:
            raise instantiation_error()
        raise type_error("list", c)

    def functor_of(self, c):
        """The functor number of a compound cell (already dereferenced)."""
        t: cython.longlong = c & 7
        if t == STR:
            return self.heap.cells[c >> 3] >> 3
        if t == GST:
            return self.store.cells[c >> 3] >> 3
        if t == LST or t == GLS:
            return self.symbols.list_functor
        return -1

    def name_of(self, c):
        """The name (an atom cell) of an atom or compound cell."""
        if c & 7 == ATM:
            return c
        f: cython.longlong = self.functor_of(c)
        if f < 0:
            raise TypeError("the cell has no name")
        return self.symbols.functor_name[f]

    def arity_of(self, c):
        f: cython.longlong = self.functor_of(c)
        if f < 0:
            return 0
        return self.symbols.functor_arity[f]

    def arg(self, c, i):
        """Argument i, counted from 0, of a compound cell, dereferenced."""
        if i < 0 or i >= self.arity_of(c):
            raise IndexError("no such argument")
        return self.part(c, i)

    def part(self, c, i):
        """Argument i, counted from 0, of a cell that is known to have it, dereferenced."""
        t: cython.longlong = c & 7
        if t == STR:
            return self.deref(self.heap.cells[(c >> 3) + 1 + i])
        if t == LST:
            return self.deref(self.heap.cells[(c >> 3) + i])
        if t == GST:
            return self.store.cells[(c >> 3) + 1 + i]
        return self.store.cells[(c >> 3) + i]

    def head(self, c):
        return self.arg(c, 0)

    def tail(self, c):
        return self.arg(c, 1)

    def set_arg(self, c, i, value):
        """Destructive assignment, undone on backtracking (heap terms only)."""
        at: cython.longlong = (c >> 3) + i
        if (c & 7 != STR and c & 7 != LST) or i < 0 or i >= self.arity_of(c):
            raise IndexError("no such argument")
        if c & 7 == STR:
            at += 1
        self.heap.trail_room(2)
        self.heap.trail[self.heap.TR] = self.heap.cells[at]
        self.heap.trail[self.heap.TR + 1] = ~at
        self.heap.TR += 2
        self.heap.cells[at] = value
        return 0

    # ---- inspection

    def is_ground(self, c):
        return self.visit_vars(c, None)

    def is_acyclic(self, c):
        """Depth-first with an 'on the way' mark; finished nodes are not visited again."""
        on_path = set()
        done = set()
        stack = [(self.deref(c), 0)]
        steps: cython.longlong = 0
        while stack:
            steps += 1
            if steps & 65535 == 0:
                self.interrupts.check()
            x, leaving = stack.pop()
            if leaving:
                on_path.discard(x)
                done.add(x)
                continue
            t: cython.longlong = x & 7
            if (t != LST and t != STR) or x in done:
                continue
            if x in on_path:
                return False
            on_path.add(x)
            stack.append((x, 1))
            i: cython.longlong
            for i in range(self.arity_of(x)):
                stack.append((self.part(x, i), 0))
        return True

    def term_vars(self, c):
        """The distinct variables of a term, in order of first occurrence, left to right."""
        found: list = []
        base: cython.longlong = self.heap.wtop
        k: cython.longlong
        try:
            self.visit_vars(c, found)
        finally:
            self.heap.wtop = base
            for v in found:
                k = v
                self.heap.cells[k >> 3] = k
        return found

    def visit_vars(self, c, found):
        """Go through the variables of a term, left to right: up to the first if `found` is None, else all
        are put there, and bound, for now, to an impossible store cell. Returns False if it stopped at one."""
        n: cython.longlong
        i: cython.longlong
        t: cython.longlong
        base: cython.longlong = self.heap.wtop
        steps: cython.longlong = 0
        limit: cython.longlong = 4 * self.heap.H + 1000
        seen = None
        while True:
            c = self.deref(c)
            t = c & 7
            if t == REF:
                if found is None:
                    self.heap.wtop = base
                    return False
                found.append(c)
                self.heap.cells[c >> 3] = (-1 << 3) | GST
            elif t == LST or t == STR:
                steps += 1
                if steps & 65535 == 0:
                    self.interrupts.check()
                n = 2 if t == LST else self.symbols.functor_arity[self.heap.cells[c >> 3] >> 3]
                if steps > limit:  # perhaps cyclic, or shared many times
                    if seen is None:
                        seen = set()
                    if c in seen:
                        n = 0
                    else:
                        seen.add(c)
                if n > 0:
                    self.heap.work_room(n)
                    for i in range(n - 1, 0, -1):
                        self.heap.work[self.heap.wtop] = self.part(c, i)
                        self.heap.wtop += 1
                    c = self.part(c, 0)
                    continue
            if self.heap.wtop == base:
                return True
            self.heap.wtop -= 1
            c = self.heap.work[self.heap.wtop]

    # ---- small structures and lists

    def list_tail(self, c):
        """What a chain of list cells ends in."""
        steps: cython.longlong = 0
        limit: cython.longlong = self.heap.H + self.store.top + self.heap.size
        while True:
            c = self.deref(c)
            if c & 7 == LST:
                c = self.heap.cells[(c >> 3) + 1]
            elif c & 7 == GLS:
                c = self.store.cells[(c >> 3) + 1]
            else:
                return c
            steps += 1
            if steps > limit:
                return 0

    def new_struct1(self, f, a):
        self.heap.room(4)
        at: cython.longlong = self.heap.H
        self.heap.cells[at] = f << 3 | INT
        self.heap.cells[at + 1] = a
        self.heap.H = at + 2
        return at << 3 | STR

    def new_struct2(self, f, a, b):
        self.heap.room(4)
        at: cython.longlong = self.heap.H
        self.heap.cells[at] = f << 3 | INT
        self.heap.cells[at + 1] = a
        self.heap.cells[at + 2] = b
        self.heap.H = at + 3
        return at << 3 | STR
