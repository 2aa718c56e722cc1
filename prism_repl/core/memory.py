# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3
"""Terms in memory: heap, trail, atoms, functors, the ground store, and what walks over terms.

A term is a 64-bit cell (see cells.py). No function here recurses on a term: deep terms use
the explicit stack `work`, so that depth costs memory, never the C stack.
"""

import struct

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import (
        ATM,
        BIG_BOX,
        BOX,
        ENTRY_SHIFT,
        FLOAT_BOX,
        GLS,
        GST,
        HASH_MASK,
        INT,
        LST,
        REF,
        STR,
    )

from prism_repl.core.errors import resource_error, type_error
from prism_repl.prolog.evaluables import FUNCTORS

# Small integers have 61 bits.
SMALL_MAX = (1 << 60) - 1
SMALL_MIN = -(1 << 60)


def put_entry(table, mask, h, c):
    """Put a cell with hash h into a hash table of the store."""
    h &= HASH_MASK
    j: cython.longlong = h & mask
    while table[j] != 0:
        j = (j + 1) & mask
    table[j] = h << ENTRY_SHIFT | c
    return 0


def float_bits(d):
    """The 64 bits of a double as a signed integer."""
    if cython.compiled:
        bits: cython.longlong = 0
        memcpy(cython.address(bits), cython.address(d), 8)  # noqa: F821
        return bits
    else:
        return struct.unpack("<q", struct.pack("<d", d))[0]


def bits_float(bits):
    if cython.compiled:
        d: cython.double = 0.0
        memcpy(cython.address(d), cython.address(bits), 8)  # noqa: F821
        return d
    else:
        return struct.unpack("<d", struct.pack("<q", bits))[0]


class Record:
    """A term copied out of the heap: it survives backtracking, collection and the query."""

    def __dealloc__(self):
        if cython.compiled:
            if self.words != cython.NULL:
                free(self.words)  # noqa: F821


class Memory:
    """Heap, trail, atom and functor tables, ground store."""

    def __init__(self):
        one: cython.longlong = 1
        self.interrupted = False
        self.watcher = None  # is called now and then while something runs
        self.heap_size = first_size(1 << 16)
        self.heap_limit = 1 << 40
        self.heap = new_area(self.heap_size)
        self.H = 1  # index 0 is never a term
        self.char_atoms = new_area(256)
        self.HB = 0
        self.trail_size = first_size(1 << 12)
        self.trail = new_area(self.trail_size)
        self.TR = 0
        self.work_size = first_size(1 << 10)
        self.work = new_area(self.work_size)
        self.wtop = 0
        self.image_size = first_size(1 << 10)
        self.image = new_area(self.image_size)
        self.boxes_size = first_size(1 << 8)
        self.boxes = new_area(self.boxes_size)
        self.image_top = 0
        self.boxes_top = 0
        self.store_size = first_size(1 << 10)
        self.store = new_area(self.store_size)
        self.store_mask = first_size(1 << 8) - 1
        self.store_hash = new_area(self.store_mask + 1)
        self.store_top = 8
        self.store_count = 0
        self.store_number = 0
        self.entry_cell = (one << ENTRY_SHIFT) - 1
        self.young_mask = first_size(1 << 8) - 1
        self.young_hash = new_area(self.young_mask + 1)
        self.young_count = 0
        self.young_store = 0
        self.log_size = 0
        self.log_top = 0
        self.atom_texts = []
        self.atom_ids = {}
        self.functor_ids = {}
        self.known_functors = new_area(2 * 1024)
        self.known_functors[0] = -1
        self.functor_size = first_size(1 << 10)
        self.functor_name = new_area(self.functor_size)
        self.functor_arity = new_area(self.functor_size)
        self.functor_count = 0
        self.nil = self.atom("[]")
        self.list_functor = self.functor(self.atom("."), 2)
        self.comma_functor = self.functor(self.atom(","), 2)
        for name, arity in FUNCTORS:  # evaluables have the same numbers in every machine
            self.functor(self.atom(name), arity)

    def __dealloc__(self):
        if cython.compiled:
            free(self.heap)  # noqa: F821
            free(self.trail)  # noqa: F821
            free(self.work)  # noqa: F821
            free(self.image)  # noqa: F821
            free(self.boxes)  # noqa: F821
            free(self.store)  # noqa: F821
            free(self.store_hash)  # noqa: F821
            free(self.young_hash)  # noqa: F821
            if self.log_size > 0:
                free(self.log)  # noqa: F821
            free(self.char_atoms)  # noqa: F821
            free(self.known_functors)  # noqa: F821
            free(self.functor_name)  # noqa: F821
            free(self.functor_arity)  # noqa: F821

    # ---- atoms and functors

    def atom(self, text):
        """The cell of the atom with this text."""
        number = self.atom_ids.get(text)
        if number is None:
            number = len(self.atom_texts)
            self.atom_ids[text] = number
            self.atom_texts.append(text)
        n: cython.longlong = number
        return n << 3 | ATM

    def char_atom(self, code):
        """The cell of the atom that is one character."""
        if code >= 256:
            return self.atom(chr(code))
        if self.char_atoms[code] == 0:
            self.char_atoms[code] = self.atom(chr(code))
        return self.char_atoms[code]

    def atom_text(self, c):
        i: cython.longlong = c >> 3
        if i < 0:
            return "_N" + str(-i - 1)
        return self.atom_texts[i]

    def functor(self, name, arity):
        """The number of the functor name/arity; name is an atom cell."""
        i: cython.longlong = ((name >> 3) * 8 + arity) & 1023
        # the one found last in this place; an arity beyond the mask is not kept there
        if self.known_functors[2 * i] == (name >> 3) << 8 | arity and arity < 256:
            return self.known_functors[2 * i + 1]
        key = (name, arity)
        number = self.functor_ids.get(key)
        if number is None:
            if self.functor_count == self.functor_size:
                size: cython.longlong = larger(self.functor_size, 0)
                self.functor_name = grow_area(self.functor_name, self.functor_size, size)
                self.functor_arity = grow_area(self.functor_arity, self.functor_size, size)
                self.functor_size = size
            number = self.functor_count
            self.functor_ids[key] = number
            self.functor_name[self.functor_count] = name
            self.functor_arity[self.functor_count] = arity
            self.functor_count += 1
        if arity < 256 and name & 7 == ATM:
            self.known_functors[2 * i] = (name >> 3) << 8 | arity
            self.known_functors[2 * i + 1] = number
        return number

    def functor_name_of(self, f):
        return self.functor_name[f]

    def functor_arity_of(self, f):
        return self.functor_arity[f]

    # ---- numbers

    def int_cell(self, value):
        """An integer of any size as a cell."""
        if SMALL_MIN <= value <= SMALL_MAX:
            small: cython.longlong = value
            return small << 3 | INT
        n: cython.longlong = (value.bit_length() + 64) // 64
        self.room(n + 1)
        at: cython.longlong = self.H
        self.heap[at] = (n << 8 | BIG_BOX) << 3 | INT
        i: cython.longlong
        words = struct.unpack("<%dq" % n, value.to_bytes(8 * n, "little", signed=True))
        for i in range(n):
            self.heap[at + 1 + i] = words[i]
        self.H = at + 1 + n
        return (at << 1) << 3 | BOX

    def float_cell(self, value):
        self.room(2)
        at: cython.longlong = self.H
        self.heap[at] = (1 << 8 | FLOAT_BOX) << 3 | INT
        self.heap[at + 1] = float_bits(value)
        self.H = at + 2
        return (at << 1) << 3 | BOX

    def box_index(self, c):
        return c >> 4

    def box_area(self, c):
        if (c >> 3) & 1:
            return self.store
        return self.heap

    def int_value(self, c):
        """The Python integer of an INT or big-integer cell."""
        if c & 7 == INT:
            return c >> 3
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
        area: cython.p_longlong = self.box_area(c)
        return bits_float(area[(c >> 4) + 1])

    def number_value(self, c):
        if c & 7 == BOX:
            if self.is_float(c):
                return self.float_value(c)
        return self.int_value(c)

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

    # ---- interrupts and room

    def check_interrupt(self):
        """Ctrl-C, or `interrupted` set by another thread, becomes KeyboardInterrupt. Long loops ask every
        65536 steps."""
        if cython.compiled:
            PyErr_CheckSignals()  # noqa: F821
            with cython.nogil:
                pass  # other Python threads have their turn
        if self.interrupted:
            self.interrupted = False
            raise KeyboardInterrupt
        if self.watcher is not None:
            self.watcher()
        return 0

    def room(self, n):
        """Make room for n more heap words."""
        need: cython.longlong = self.H + n + SLACK
        if need > self.heap_size:
            if need > self.heap_limit:
                raise resource_error("memory")
            size: cython.longlong = larger(self.heap_size, need)
            if size > self.heap_limit:
                size = self.heap_limit
            self.heap = extend_area(self.heap, self.heap_size, size)
            self.heap_size = size
        return 0

    def trail_room(self, n):
        need: cython.longlong = self.TR + n + SLACK // 64
        if need > self.trail_size:
            size: cython.longlong = larger(self.trail_size, need)
            if size > self.heap_limit:
                raise resource_error("memory")
            self.trail = extend_area(self.trail, self.trail_size, size)
            self.trail_size = size
        return 0

    def work_room(self, n):
        need: cython.longlong = self.wtop + n + SLACK // 256
        if need > self.work_size:
            size: cython.longlong = larger(self.work_size, need)
            if size > self.heap_limit:
                raise resource_error("memory")
            self.work = extend_area(self.work, self.work_size, size)
            self.work_size = size
        return 0

    # ---- building and taking apart

    def deref(self, c):
        x: cython.longlong
        while c & 7 == REF:
            x = self.heap[c >> 3]
            if x == c:
                return c
            c = x
        return c

    def bind(self, c, value):
        """Bind the unbound variable c; always trailed, so it may be called from anywhere."""
        self.heap[c >> 3] = value
        if (c >> 3) < self.HB:
            self.trail_room(1)
            self.trail[self.TR] = c >> 3
            self.TR += 1
        return 0

    def undo_to(self, mark):
        """Undo the bindings and destructive assignments above a trail mark."""
        heap: cython.p_longlong = self.heap
        trail: cython.p_longlong = self.trail
        top: cython.longlong = self.TR
        a: cython.longlong
        while top > mark:
            top -= 1
            a = trail[top]
            if a >= 0:
                heap[a] = a << 3
            else:  # a value-trail pair: old value below, complemented address on top
                top -= 1
                heap[~a] = trail[top]
        self.TR = top
        return 0

    def new_var(self):
        self.room(1)
        at: cython.longlong = self.H
        self.heap[at] = at << 3
        self.H = at + 1
        return at << 3

    def cons(self, head, tail):
        self.room(2)
        at: cython.longlong = self.H
        self.heap[at] = head
        self.heap[at + 1] = tail
        self.H = at + 2
        return at << 3 | LST

    def new_struct(self, f, args):
        """A structure with functor number f; './2' becomes a list cell, arity 0 an atom."""
        n: cython.longlong = len(args)
        if f == self.list_functor:
            return self.cons(args[0], args[1])
        if n == 0:
            return self.functor_name[f]
        self.room(n + 1)
        at: cython.longlong = self.H
        self.heap[at] = f << 3 | INT
        i: cython.longlong
        for i in range(n):
            self.heap[at + 1 + i] = args[i]
        self.H = at + 1 + n
        return at << 3 | STR

    def struct(self, name: str, *args):
        """A structure by the text of its name: m.struct('f', a, b)."""
        if not args:
            return self.atom(name)
        return self.new_struct(self.functor(self.atom(name), len(args)), args)

    def list_from(self, items, tail=None):
        """A list of these cells; tail is a cell, [] by default."""
        n: cython.longlong = len(items)
        self.room(2 * n + 2)
        end: cython.longlong = self.nil if tail is None else tail
        at: cython.longlong = self.H
        i: cython.longlong
        if n == 0:
            return end
        for i in range(n):
            self.heap[at + 2 * i] = items[i]
            self.heap[at + 2 * i + 1] = (at + 2 * i + 2) << 3 | LST
        self.heap[at + 2 * n - 1] = end
        self.H = at + 2 * n
        return at << 3 | LST

    def list_items(self, c):
        """(dereferenced elements, dereferenced tail); the tail of a proper list is []."""
        items = []
        t: cython.longlong
        x: cython.longlong = self.deref(c)
        steps: cython.longlong = 0
        limit: cython.longlong = self.H + self.store_top + 16
        while True:
            t = x & 7
            if t == LST:
                items.append(self.deref(self.heap[x >> 3]))
                x = self.deref(self.heap[(x >> 3) + 1])
            elif t == GLS:
                items.append(self.store[x >> 3])
                x = self.store[(x >> 3) + 1]
            else:
                return items, x
            steps += 1
            if steps & 65535 == 0:
                self.check_interrupt()
            if steps > limit:  # a cyclic list
                return items, x

    def proper_list(self, c):
        """The elements of a proper list, or the ISO error for what it is instead."""
        from prism_repl.core.errors import instantiation_error

        items, tail = self.list_items(c)
        t: cython.longlong = tail
        if t == self.nil:
            return items
        if t & 7 == REF:
            raise instantiation_error()
        raise type_error("list", c)

    def functor_of(self, c):
        """The functor number of a compound cell (already dereferenced)."""
        t: cython.longlong = c & 7
        if t == STR:
            return self.heap[c >> 3] >> 3
        if t == GST:
            return self.store[c >> 3] >> 3
        if t == LST or t == GLS:
            return self.list_functor
        return -1

    def name_of(self, c):
        """The name (an atom cell) of an atom or compound cell."""
        if c & 7 == ATM:
            return c
        return self.functor_name[self.functor_of(c)]

    def arity_of(self, c):
        f: cython.longlong = self.functor_of(c)
        if f < 0:
            return 0
        return self.functor_arity[f]

    def arg(self, c, i):
        """Argument i, counted from 0, of a compound cell, dereferenced."""
        if i < 0 or i >= self.arity_of(c):
            raise IndexError("no such argument")
        return self.part(c, i)

    def part(self, c, i):
        """Argument i, counted from 0, of a cell that is known to have it, dereferenced."""
        t: cython.longlong = c & 7
        if t == STR:
            return self.deref(self.heap[(c >> 3) + 1 + i])
        if t == LST:
            return self.deref(self.heap[(c >> 3) + i])
        if t == GST:
            return self.store[(c >> 3) + 1 + i]
        return self.store[(c >> 3) + i]

    def head(self, c):
        return self.arg(c, 0)

    def tail(self, c):
        return self.arg(c, 1)

    def args_of(self, c, base):
        """Index of the first argument; *base becomes the area it is in (compiled code only)."""
        t: cython.longlong = c & 7
        if cython.compiled:
            if t == STR:
                base[0] = self.heap
                return (c >> 3) + 1
            if t == LST:
                base[0] = self.heap
                return c >> 3
            base[0] = self.store
            if t == GST:
                return (c >> 3) + 1
            return c >> 3
        return 0

    def set_arg(self, c, i, value):
        """Destructive assignment, undone on backtracking (heap terms only)."""
        at: cython.longlong = (c >> 3) + i
        if (c & 7 != STR and c & 7 != LST) or i < 0 or i >= self.arity_of(c):
            raise IndexError("no such argument")
        if c & 7 == STR:
            at += 1
        self.trail_room(2)
        self.trail[self.TR] = self.heap[at]
        self.trail[self.TR + 1] = ~at
        self.TR += 2
        self.heap[at] = value
        return 0

    # ---- unification

    def unify(self, a, b):
        """Unify two terms. On failure some bindings may remain: the caller backtracks."""
        ta: cython.longlong
        tb: cython.longlong
        n: cython.longlong
        i: cython.longlong
        pa: cython.longlong
        pb: cython.longlong
        x: cython.longlong
        y: cython.longlong
        heap: cython.p_longlong = self.heap
        area_a: cython.p_longlong
        area_b: cython.p_longlong
        base: cython.longlong = self.wtop
        top: cython.longlong = base
        steps: cython.longlong = 0
        limit: cython.longlong = 4 * self.H + 4 * self.store_top + 1000
        seen = None
        while True:
            while a & 7 == REF:
                x = heap[a >> 3]
                if x == a:
                    break
                a = x
            while b & 7 == REF:
                x = heap[b >> 3]
                if x == b:
                    break
                b = x
            if a != b:
                ta = a & 7
                tb = b & 7
                if ta == REF or tb == REF:
                    if ta != REF or (tb == REF and b > a):  # the younger refers to the older
                        x = a
                        a = b
                        b = x
                    heap[a >> 3] = b
                    if (a >> 3) < self.HB:
                        if self.TR + 8 > self.trail_size:
                            self.trail_room(64)
                        self.trail[self.TR] = a >> 3
                        self.TR += 1
                elif ta == ATM or ta == INT or tb == ATM or tb == INT:
                    return False
                elif ta == BOX or tb == BOX:
                    self.wtop = top
                    if ta != tb or self.compare(a, b) != 0:
                        self.wtop = base
                        return False
                    self.wtop = base
                else:
                    steps += 1
                    if steps & 65535 == 0:
                        self.check_interrupt()
                    if steps > limit:  # perhaps cyclic: remember the pairs that were met
                        if seen is None:
                            seen = set()
                        if (a, b) in seen:
                            if top == base:
                                return True
                            top -= 2
                            a = self.work[top]
                            b = self.work[top + 1]
                            continue
                        seen.add((a, b))
                    if (ta == GLS or ta == GST) and (tb == GLS or tb == GST):
                        return False  # different ground terms
                    area_a = self.store if ta == GLS or ta == GST else heap
                    area_b = self.store if tb == GLS or tb == GST else heap
                    pa = a >> 3
                    pb = b >> 3
                    if ta == LST or ta == GLS:
                        if tb != LST and tb != GLS:
                            return False
                        n = 2
                    else:
                        if tb == LST or tb == GLS or area_a[pa] != area_b[pb]:
                            return False
                        n = self.functor_arity[area_a[pa] >> 3]
                        pa += 1
                        pb += 1
                    # variables and constants are done at once, up to the first pair of compound terms
                    a = area_a[pa]
                    b = area_b[pb]
                    i = 1
                    while i < n:
                        if a != b:
                            while a & 7 == REF:
                                x = heap[a >> 3]
                                if x == a:
                                    break
                                a = x
                            while b & 7 == REF:
                                x = heap[b >> 3]
                                if x == b:
                                    break
                                b = x
                            if a != b:
                                ta = a & 7
                                tb = b & 7
                                if ta == REF or tb == REF:
                                    if ta != REF or (tb == REF and b > a):
                                        x = a
                                        a = b
                                        b = x
                                    heap[a >> 3] = b
                                    if (a >> 3) < self.HB:
                                        if self.TR + 8 > self.trail_size:
                                            self.trail_room(64)
                                        self.trail[self.TR] = a >> 3
                                        self.TR += 1
                                elif ta == ATM or ta == INT or tb == ATM or tb == INT:
                                    return False
                                else:
                                    break
                        a = area_a[pa + i]
                        b = area_b[pb + i]
                        i += 1
                    # the others wait, except the last: lists need no stack
                    if i < n:
                        if top + 2 * n + 16 > self.work_size:
                            self.wtop = top
                            self.work_room(2 * n)
                            self.wtop = base
                        n -= 1
                        while n >= i:
                            x = area_a[pa + n]
                            y = area_b[pb + n]
                            if x != y:
                                self.work[top] = x
                                self.work[top + 1] = y
                                top += 2
                            n -= 1
                    continue
            if top == base:
                return True
            top -= 2
            a = self.work[top]
            b = self.work[top + 1]

    def unify_occurs(self, a, b):
        """unify_with_occurs_check/2: unify, then refuse a cyclic result."""
        mark: cython.longlong = self.TR
        hb: cython.longlong = self.HB
        self.HB = self.H  # trail everything, to see what was bound
        ok: cython.bint = self.unify(a, b)
        self.HB = hb
        if not ok:
            return False
        i: cython.longlong
        for i in range(mark, self.TR):
            if self.trail[i] >= 0 and not self.is_acyclic(self.trail[i] << 3):
                return False
        return True

    # ---- standard order

    def compare_atomic(self, a, b):
        """Compare two dereferenced cells of which at least one is not compound."""
        ra: cython.int = self.order_rank(a)
        rb: cython.int = self.order_rank(b)
        if ra != rb:
            return -1 if ra < rb else 1
        if ra == 0:
            return -1 if a < b else (1 if a > b else 0)
        if ra == 1:
            x: cython.double = self.float_value(a)
            y: cython.double = self.float_value(b)
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
            m = self.int_value(a)
            n = self.int_value(b)
            return -1 if m < n else (1 if m > n else 0)
        if a == b:
            return 0
        return -1 if self.atom_text(a) < self.atom_text(b) else 1

    def order_rank(self, c):
        """Var < Float < Integer < Atom < Compound."""
        t: cython.longlong = c & 7
        if t == REF:
            return 0
        if t == INT:
            return 2
        if t == ATM:
            return 3
        if t == BOX:
            return 1 if self.is_float(c) else 2
        return 4

    def compare(self, a, b):
        """-1, 0 or 1 in the standard order of terms."""
        ta: cython.longlong
        tb: cython.longlong
        n: cython.longlong
        i: cython.longlong
        fa: cython.longlong
        fb: cython.longlong
        r: cython.int
        base: cython.longlong = self.wtop
        steps: cython.longlong = 0
        limit: cython.longlong = 4 * self.H + 4 * self.store_top + 1000
        seen = None
        while True:
            a = self.deref(a)
            b = self.deref(b)
            if a != b:
                ta = a & 7
                tb = b & 7
                if not (
                    (ta == LST or ta == STR or ta == GLS or ta == GST)
                    and (tb == LST or tb == STR or tb == GLS or tb == GST)
                ):
                    r = self.compare_atomic(a, b)
                    if r != 0:
                        self.wtop = base
                        return r
                else:
                    fa = self.functor_of(a)
                    fb = self.functor_of(b)
                    if fa != fb:
                        self.wtop = base
                        i = self.functor_arity[fa]
                        n = self.functor_arity[fb]
                        if i != n:
                            return -1 if i < n else 1
                        return self.compare_atomic(self.functor_name[fa], self.functor_name[fb])
                    steps += 1
                    if steps & 65535 == 0:
                        self.check_interrupt()
                    if steps > limit:
                        if seen is None:
                            seen = set()
                        if (a, b) in seen:
                            if self.wtop == base:
                                return 0
                            self.wtop -= 2
                            a = self.work[self.wtop]
                            b = self.work[self.wtop + 1]
                            continue
                        seen.add((a, b))
                    n = self.functor_arity[fa]
                    self.work_room(2 * n)
                    for i in range(n - 1, 0, -1):
                        self.work[self.wtop] = self.part(a, i)
                        self.work[self.wtop + 1] = self.part(b, i)
                        self.wtop += 2
                    fa = self.part(a, 0)
                    b = self.part(b, 0)
                    a = fa
                    continue
            if self.wtop == base:
                return 0
            self.wtop -= 2
            a = self.work[self.wtop]
            b = self.work[self.wtop + 1]

    # ---- inspection

    def is_ground(self, c):
        n: cython.longlong
        i: cython.longlong
        t: cython.longlong
        base: cython.longlong = self.wtop
        steps: cython.longlong = 0
        limit: cython.longlong = 4 * self.H + 1000
        seen = None
        while True:
            c = self.deref(c)
            t = c & 7
            if t == REF:
                self.wtop = base
                return False
            if t == LST or t == STR:
                steps += 1
                if steps & 65535 == 0:
                    self.check_interrupt()
                if steps > limit:
                    if seen is None:
                        seen = set()
                    if c in seen:
                        if self.wtop == base:
                            return True
                        self.wtop -= 1
                        c = self.work[self.wtop]
                        continue
                    seen.add(c)
                n = 2 if t == LST else self.functor_arity[self.heap[c >> 3] >> 3]
                self.work_room(n)
                for i in range(n - 1):
                    self.work[self.wtop] = self.part(c, i)
                    self.wtop += 1
                c = self.part(c, n - 1)
                continue
            if self.wtop == base:
                return True
            self.wtop -= 1
            c = self.work[self.wtop]

    def is_acyclic(self, c):
        """Depth-first with an 'on the way' mark; finished nodes are not visited again."""
        on_path = set()
        done = set()
        stack = [(self.deref(c), 0)]
        steps: cython.longlong = 0
        while stack:
            steps += 1
            if steps & 65535 == 0:
                self.check_interrupt()
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
        base: cython.longlong = self.wtop
        k: cython.longlong
        try:
            self.find_vars(c, found)
        finally:
            self.wtop = base
            for v in found:
                k = v
                self.heap[k >> 3] = k
        return found

    def find_vars(self, c, found):
        """Gather the variables; those that were met are bound, for now, to an impossible store cell."""
        n: cython.longlong
        i: cython.longlong
        t: cython.longlong
        k: cython.longlong
        base: cython.longlong = self.wtop
        steps: cython.longlong = 0
        limit: cython.longlong = 4 * self.H + 1000
        seen = None
        while True:
            c = self.deref(c)
            t = c & 7
            if t == REF:
                found.append(c)
                self.heap[c >> 3] = (-1 << 3) | GST
            elif t == LST or t == STR:
                steps += 1
                if steps & 65535 == 0:
                    self.check_interrupt()
                if steps > limit:
                    if seen is None:
                        seen = set()
                    if c in seen:
                        n = 0
                    else:
                        seen.add(c)
                        n = 2 if t == LST else self.functor_arity[self.heap[c >> 3] >> 3]
                else:
                    n = 2 if t == LST else self.functor_arity[self.heap[c >> 3] >> 3]
                if n > 0:
                    self.work_room(n)
                    for i in range(n - 1, 0, -1):
                        k = self.part(c, i)
                        self.work[self.wtop] = k
                        self.wtop += 1
                    c = self.part(c, 0)
                    continue
            if self.wtop == base:
                return 0
            self.wtop -= 1
            c = self.work[self.wtop]

    def is_variant(self, a, b):
        """True if the two terms are equal up to a renaming of variables."""
        forth: dict = {}
        back: dict = {}
        base: cython.longlong = self.wtop
        try:
            return self.rename(a, b, forth, back)
        finally:
            self.wtop = base

    def rename(self, a, b, forth, back):
        """Walk over two terms at once; each variable of one stands for one variable of the other."""
        base: cython.longlong = self.wtop
        i: cython.longlong
        n: cython.longlong
        steps: cython.longlong = 0
        limit: cython.longlong = self.H + self.store_top + 1000
        seen = None
        while True:
            a = self.deref(a)
            b = self.deref(b)
            if a & 7 == REF and b & 7 == REF:
                if forth.setdefault(a, b) != b or back.setdefault(b, a) != a:
                    return False
            elif self.is_compound(a) and self.is_compound(b):
                if self.functor_of(a) != self.functor_of(b):
                    return False
                steps += 1
                if steps & 65535 == 0:
                    self.check_interrupt()
                if steps > limit and seen is None:
                    seen = set()
                if (a != b or a & 7 < GLS) and (seen is None or (a, b) not in seen):
                    if seen is not None:
                        seen.add((a, b))
                    n = self.arity_of(a)
                    self.work_room(2 * n)
                    for i in range(n - 1, -1, -1):
                        self.work[self.wtop] = self.part(a, i)
                        self.work[self.wtop + 1] = self.part(b, i)
                        self.wtop += 2
            elif a != b and (a & 7 != BOX or b & 7 != BOX or self.compare_atomic(a, b) != 0):
                return False
            if self.wtop == base:
                return True
            self.wtop -= 2
            a = self.work[self.wtop]
            b = self.work[self.wtop + 1]

    # ---- copying

    def flatten(self, c, keep_store):
        """Copy a term to `image`: cells there have indices relative to the image, boxes are
        kept apart in `boxes`. Returns the root cell. Sharing of variables is kept, and that of
        subterms in a term that is larger as a tree than the heap (image_shared is then set)."""
        base: cython.longlong = self.wtop
        vars_at: cython.longlong = self.TR
        self.image_shared = False
        try:
            if not self.flatten_to(c, keep_store, None):
                self.wtop = base
                self.restore_flattened(vars_at)
                if not self.is_acyclic(c):
                    raise type_error("acyclic_term", c)
                self.image_shared = True
                self.flatten_to(c, keep_store, {})
        finally:
            self.wtop = base
            self.restore_flattened(vars_at)
        return self.image[0]

    def flatten_to(self, c, keep_store, copies):
        """Flatten c; `copies` has where subterms were copied to. Without it, False after more steps than
        a term without shared parts can take."""
        base: cython.longlong = self.wtop
        t: cython.longlong
        n: cython.longlong
        i: cython.longlong
        p: cython.longlong
        at: cython.longlong
        dest: cython.longlong
        area: cython.p_longlong
        steps: cython.longlong = 0
        limit: cython.longlong = self.H + self.store_top + 1000
        # image[0] is the root; the work stack holds image positions that still hold source cells
        self.image[0] = c
        self.image_top = 1
        self.boxes_top = 0
        self.work_room(1)
        self.work[self.wtop] = 0
        self.wtop += 1
        while self.wtop > base:
            self.wtop -= 1
            dest = self.work[self.wtop]
            while True:
                c = self.image[dest]
                while c & 7 == REF:
                    p = self.heap[c >> 3]
                    if p == c:
                        break
                    c = p
                t = c & 7
                if t == ATM or t == INT:
                    self.image[dest] = c
                    break
                if t == REF:
                    # remember the variable; it refers to its copy until the end
                    self.trail_room(1)
                    self.trail[self.TR] = c >> 3
                    self.TR += 1
                    self.heap[c >> 3] = (-(dest + 1) << 3) | GST
                    self.image[dest] = dest << 3
                    break
                if t == GST and c < 0:
                    self.image[dest] = (-(c >> 3) - 1) << 3
                    break
                if (t == GST or t == GLS) and keep_store:
                    self.image[dest] = c
                    break
                if t == BOX:
                    area = self.box_area(c)
                    p = c >> 4
                    n = (area[p] >> 11) + 1
                    if self.boxes_top + n > self.boxes_size:
                        i = larger(self.boxes_size, self.boxes_top + n)
                        self.boxes = grow_area(self.boxes, self.boxes_size, i)
                        self.boxes_size = i
                    for i in range(n):
                        self.boxes[self.boxes_top + i] = area[p + i]
                    self.image[dest] = self.boxes_top << 4 | BOX
                    self.boxes_top += n
                    break
                steps += 1
                if steps & 65535 == 0:
                    self.check_interrupt()
                if copies is not None:
                    known = copies.get(c)
                    if known is not None:
                        self.image[dest] = known
                        break
                elif steps > limit:
                    return False
                p = c >> 3
                if t == LST or t == GLS:
                    n = 2
                elif t == STR:
                    n = self.functor_arity[self.heap[p] >> 3] + 1
                else:
                    n = self.functor_arity[self.store[p] >> 3] + 1
                if self.image_top + n > self.image_size:
                    i = larger(self.image_size, self.image_top + n)
                    if i > self.heap_limit:
                        raise resource_error("memory")
                    self.image = grow_area(self.image, self.image_size, i)
                    self.image_size = i
                at = self.image_top
                self.image_top += n
                area = self.heap if (t == LST or t == STR) else self.store
                for i in range(n):
                    self.image[at + i] = area[p + i]
                if t == LST or t == GLS:
                    self.image[dest] = at << 3 | LST
                    i = 0
                else:
                    self.image[dest] = at << 3 | STR
                    i = 1
                if copies is not None:
                    copies[c] = self.image[dest]
                # all but the last argument wait, the last is done at once: lists need no stack
                self.work_room(n)
                while i < n - 1:
                    t = self.image[at + i] & 7
                    if t != ATM and t != INT:
                        self.work[self.wtop] = at + i
                        self.wtop += 1
                    i += 1
                dest = at + n - 1
        return True

    def restore_flattened(self, mark):
        a: cython.longlong
        while self.TR > mark:
            self.TR -= 1
            a = self.trail[self.TR]
            self.heap[a] = a << 3

    def thaw_words(self, cells, n, boxes, m, root):
        """Bring an image (n cells) and its boxes (m words) to the heap; returns the root."""
        self.room(n + m)
        at: cython.longlong = self.H
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
            self.heap[at + i] = c
        for i in range(m):
            self.heap[at + n + i] = boxes[i]
        self.H = at + n + m
        return self.heap[at]

    def copy(self, c):
        """A copy with fresh variables."""
        c = self.deref(c)
        t: cython.longlong = c & 7
        if t == ATM or t == INT or t == BOX or t == GLS or t == GST:
            return c
        self.flatten(c, True)
        return self.thaw_words(self.image, self.image_top, self.boxes, self.boxes_top, 0)

    def freeze(self, c):
        """Copy a term out of the heap."""
        r = Record()
        self.flatten(c, False)
        i: cython.longlong
        r.n = self.image_top
        r.m = self.boxes_top
        r.words = new_area(r.n + r.m)
        for i in range(r.n):
            r.words[i] = self.image[i]
        for i in range(r.m):
            r.words[r.n + i] = self.boxes[i]
        return r

    def thaw(self, r):
        """A fresh copy of a frozen term on the heap."""
        if cython.compiled:
            return self.thaw_words(r.words, r.n, r.words + r.n, r.m, 0)
        else:
            return self.thaw_words(r.words[: r.n], r.n, r.words[r.n :], r.m, 0)

    # ---- the ground store

    @cython.final
    def words_of(self, c):
        """How many words the body of a store cell has."""
        t: cython.longlong = c & 7
        if t == GLS:
            return 2
        if t == GST:
            return self.functor_arity[self.store[c >> 3] >> 3] + 1
        return (self.store[c >> 4] >> 11) + 1

    @cython.final
    def hash_words(self, tag, at, n):
        """The hash of the n words at `at`. Terms whose last stored part lies close together, as the calls
        and suffixes along one list do, get close places in the hash table: the processor has them at hand."""
        # 30 bits at a time, so that products fit a word and no literal becomes a Python object
        store: cython.p_longlong = self.store
        h: cython.longlong = tag + 17
        i: cython.longlong = n
        x: cython.longlong
        near: cython.longlong = -1
        while i > 0:
            i -= 1
            x = store[at + i]
            if near < 0 and x & 7 > BOX:
                near = (x >> 3) & 63
                x = x >> 9
            x = (x ^ (x >> 29)) & 0x3FFFFFFF
            h = ((h ^ x) * 16777619) & 0x3FFFFFFF
            h ^= h >> 15
        return h + near

    def store_room(self, n):
        need: cython.longlong = self.store_top + n + SLACK // 64
        if need > self.store_size:
            size: cython.longlong = larger(self.store_size, need)
            if size > self.heap_limit or size > HASH_MASK << 3:  # addresses have 31 bits
                raise resource_error("memory")
            self.store = extend_area(self.store, self.store_size, size)
            self.store_size = size
        return 0

    # Entries of the two hash tables of the store have the cell of a term in the low bits and its hash above,
    # so that a term is rarely looked at in vain, and not at all when a table grows. While a search notes new
    # terms (store_log), these have a table of their own, small enough for the cache of the processor. A term
    # with a part that is young, and a structure with a part that no old structure has (2 in the word before
    # it), are looked for only there.

    def store_find(self, key, n, at):
        """The stored cell equal to the n words at `at` (not yet committed), or the words
        themselves, committed. `key` is the cell they would have."""
        i: cython.longlong
        c: cython.longlong
        x: cython.longlong
        tag: cython.longlong = key & 7
        store: cython.p_longlong = self.store
        young: cython.longlong = self.young_store << 3 if self.log_size > 0 and tag != BOX else 0
        only_young: cython.bint = False
        h: cython.longlong = self.hash_words(tag, at, n)
        if young != 0:
            for i in range(n):
                x = store[at + i]
                if x & 7 > BOX and (x >= young or (tag == GST and store[(x >> 3) - 1] & 2 == 0)):
                    only_young = True
        if self.log_size > 0:
            c = self.find_entry(self.young_hash, self.young_mask, h, tag, n, at)
            if c != 0:
                return c
        if not only_young:
            c = self.find_entry(self.store_hash, self.store_mask, h, tag, n, at)
            if c != 0:
                return c
        self.store_top = at + n
        if self.log_size > 0:
            if 2 * self.young_count > self.young_mask:
                self.young_hash = self.grown_hash(self.young_hash, self.young_mask)
                self.young_mask = 2 * self.young_mask + 1
            put_entry(self.young_hash, self.young_mask, h, key)
            self.young_count += 1
            if self.log_top == self.log_size:
                i = larger(self.log_size, 0)
                self.log = grow_area(self.log, self.log_size, i)
                self.log_size = i
            self.log[self.log_top] = key
            self.log_top += 1
        else:
            self.store_insert(key, h)
        return key

    @cython.final
    def find_entry(self, table, mask, h, tag, n, at):
        """The cell with this tag of the n words at `at` in a hash table, or 0."""
        store: cython.p_longlong = self.store
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

    def store_insert(self, c, h):
        """Put a stored term that is new, with its hash, among the old ones."""
        i: cython.longlong
        x: cython.longlong
        if c & 7 == GST:
            for i in range((c >> 3) + 1, (c >> 3) + self.words_of(c)):
                x = self.store[i]
                if x & 7 > BOX:
                    self.store[(x >> 3) - 1] |= 2
        if 2 * self.store_count > self.store_mask:
            self.store_hash = self.grown_hash(self.store_hash, self.store_mask)
            self.store_mask = 2 * self.store_mask + 1
        put_entry(self.store_hash, self.store_mask, h, c)
        self.store_count += 1
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

    def forget_young(self):
        """No stored term is young: their hash table is empty."""
        i: cython.longlong
        if self.young_mask >= 1 << 16:
            self.young_hash = renew_area(self.young_hash, 1 << 8)
            self.young_mask = (1 << 8) - 1
        elif self.young_count > 0:
            for i in range(self.young_mask + 1):
                self.young_hash[i] = 0
        self.young_count = 0
        self.young_store = self.store_top
        self.log_top = 0
        return 0

    def age_young(self):
        """The stored terms that are young become old ones."""
        i: cython.longlong
        c: cython.longlong
        at: cython.longlong
        for i in range(self.log_top):
            c = self.log[i]
            at = c >> 4 if c & 7 == BOX else c >> 3
            self.store_insert(c, self.hash_words(c & 7, at, self.words_of(c)))
        return self.forget_young()

    def store_log(self, size):
        """Begin to note the cells of new stored terms, in the order of their addresses; 0: no more."""
        if self.log_size != size:
            if self.log_size > 0:
                self.age_young()
                free_area(self.log)
            self.log_size = 0
            if size > 0:
                self.log = new_area(size)
                self.log_size = size
        return self.forget_young()

    def store_list(self, h, t):
        """The hash-consed list cell [h|t]; both must be store cells or constants."""
        self.store_room(4)
        at: cython.longlong = self.store_top + 1
        flag: cython.longlong = 0
        if h & 7 == ATM:
            flag = h < 0
        elif h & 7 == GLS or h & 7 == GST:
            flag = self.store[(h >> 3) - 1] & 1
        if flag == 0:
            if t & 7 == ATM:
                flag = t < 0
            elif t & 7 == GLS or t & 7 == GST:
                flag = self.store[(t >> 3) - 1] & 1
        self.store[at - 1] = flag
        self.store[at] = h
        self.store[at + 1] = t
        return self.store_find(at << 3 | GLS, 2, at)

    def store_flat(self, c):
        """The hash-consed cell of a structure whose arguments are constants or stored ground terms, as most
        names of switches are; 0 for another."""
        p: cython.longlong = c >> 3
        n: cython.longlong = self.functor_arity[self.heap[p] >> 3]
        i: cython.longlong
        d: cython.longlong
        self.store_room(n + 8)
        at: cython.longlong = self.store_top + 4
        for i in range(1, n + 1):
            c = self.heap[p + i]
            while c & 7 == REF:
                d = self.heap[c >> 3]
                if d == c:
                    return 0
                c = d
            d = c & 7
            if d == ATM:
                if c < 0:
                    return 0
            elif d == GLS or d == GST:
                if self.store[(c >> 3) - 1] & 1:
                    return 0
            elif d != INT:
                return 0
            self.store[at + i] = c
        self.store[at - 4] = 0
        self.store[at - 3] = 0
        self.store[at - 2] = 0
        self.store[at - 1] = 0
        self.store[at] = self.heap[p]
        return self.store_find(at << 3 | GST, n + 1, at)

    def store_box(self, c):
        n: cython.longlong
        i: cython.longlong
        if (c >> 3) & 1:
            return c
        n = (self.heap[c >> 4] >> 11) + 1
        self.store_room(n + 2)
        at: cython.longlong = self.store_top
        for i in range(n):
            self.store[at + i] = self.heap[(c >> 4) + i]
        return self.store_find((at << 1 | 1) << 3 | BOX, n, at)

    def has_numbered_vars(self, c):
        """True if a store cell contains numbered variables (it is a variant key)."""
        t: cython.longlong = c & 7
        if t == ATM:
            return c < 0
        if t == GLS or t == GST:
            return self.store[(c >> 3) - 1] & 1 != 0
        return False

    def intern(self, c, variant=False):
        """The store cell of a ground term. 0 for a term with variables, unless `variant`:
        then its variables become numbered constants, in order of first occurrence, so that
        variants have equal cells."""
        base: cython.longlong = self.wtop
        vars_at: cython.longlong = self.TR
        t: cython.longlong
        i: cython.longlong
        # the common cases need no stack
        c = self.deref(c)
        t = c & 7
        if t == ATM or t == INT or t == GLS or t == GST:
            return c
        if t == STR:
            i = self.store_flat(c)
            if i != 0:
                return i
        try:
            i = self.intern_parts(c, variant, None)
            if i == -1:
                self.wtop = base
                self.restore_flattened(vars_at)
                if not self.is_acyclic(c):
                    raise type_error("acyclic_term", c)
                i = self.intern_parts(c, variant, {})
            return i
        finally:
            self.wtop = base
            self.restore_flattened(vars_at)

    def intern_parts(self, c, variant, stored):
        """The store cell of a compound term or box; `stored` has those of its parts. Without it, -1 after
        more steps than a term without shared parts can take."""
        base: cython.longlong = self.wtop
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
        limit: cython.longlong = 2 * self.H + 1000
        self.work_room(2)
        self.work[self.wtop] = c
        self.work[self.wtop + 1] = 0
        self.wtop += 2
        while self.wtop > base:
            steps += 1
            if steps & 65535 == 0:
                self.check_interrupt()
            if steps > limit and stored is None:
                return -1
            self.wtop -= 2
            c = self.work[self.wtop]
            kind = self.work[self.wtop + 1]
            if top + 4 > self.image_size:
                i = larger(self.image_size, top + 4)
                self.image = grow_area(self.image, self.image_size, i)
                self.image_size = i
            if kind == 0:
                c = self.deref(c)
                t = c & 7
                if t == REF:
                    if not variant:
                        return 0
                    self.trail_room(1)
                    self.trail[self.TR] = c >> 3
                    self.TR += 1
                    self.heap[c >> 3] = -(nvars + 1) << 3 | ATM
                    self.image[top] = -(nvars + 1) << 3 | ATM
                    nvars += 1
                    top += 1
                elif t == BOX:
                    self.image[top] = self.store_box(c)
                    top += 1
                elif (t == LST or t == STR) and stored is not None and c in stored:
                    self.image[top] = stored[c]
                    top += 1
                elif t == LST:
                    self.work_room(8)
                    if stored is not None:
                        self.work[self.wtop] = c
                        self.work[self.wtop + 1] = 3
                        self.wtop += 2
                    self.work[self.wtop] = 0
                    self.work[self.wtop + 1] = 1
                    self.work[self.wtop + 2] = self.heap[(c >> 3) + 1]
                    self.work[self.wtop + 3] = 0
                    self.work[self.wtop + 4] = self.heap[c >> 3]
                    self.work[self.wtop + 5] = 0
                    self.wtop += 6
                elif t == STR:
                    p = c >> 3
                    n = self.functor_arity[self.heap[p] >> 3]
                    self.work_room(2 * n + 4)
                    if stored is not None:
                        self.work[self.wtop] = c
                        self.work[self.wtop + 1] = 3
                        self.wtop += 2
                    self.work[self.wtop] = self.heap[p]
                    self.work[self.wtop + 1] = 2
                    self.wtop += 2
                    for i in range(n, 0, -1):
                        self.work[self.wtop] = self.heap[p + i]
                        self.work[self.wtop + 1] = 0
                        self.wtop += 2
                else:
                    self.image[top] = c
                    top += 1
            elif kind == 1:
                self.image[top - 2] = self.store_list(self.image[top - 2], self.image[top - 1])
                top -= 1
            elif kind == 3:
                stored[c] = self.image[top - 1]
            else:
                n = self.functor_arity[c >> 3]
                self.store_room(n + 6)
                at = self.store_top + 4
                flag = 0
                self.store[at] = c
                for i in range(n):
                    p = self.image[top - n + i]
                    self.store[at + 1 + i] = p
                    if p & 7 == ATM:
                        flag |= p < 0
                    elif p & 7 == GLS or p & 7 == GST:
                        flag |= self.store[(p >> 3) - 1] & 1
                # before a structure: its switch, node and table (0: none), and whether it has
                # numbered variables
                self.store[at - 1] = flag
                self.store[at - 2] = 0
                self.store[at - 3] = 0
                self.store[at - 4] = 0
                top -= n
                self.image[top] = self.store_find(at << 3 | GST, n + 1, at)
                top += 1
        return self.image[0]

    def instantiate(self, c, variables):
        """A heap term for a variant key: numbered variable k becomes variables[k] (the list
        grows with fresh ones); subterms without numbered variables are shared."""
        if not self.has_numbered_vars(c):
            return c
        if c & 7 == ATM:
            return self.numbered_var(c, variables)
        base: cython.longlong = self.wtop
        made: cython.longlong
        try:
            made = self.instantiate_parts(c, variables, None)
            if made == 0:
                self.wtop = base
                made = self.instantiate_parts(c, variables, {})
            return made
        finally:
            self.wtop = base

    def instantiate_parts(self, c, variables, made):
        """`made` has the heap terms of parts. Without it, 0 after more steps than the store has words."""
        # build copies top-down; a work item is a heap position that still holds a store cell
        base: cython.longlong = self.wtop
        steps: cython.longlong = 0
        t: cython.longlong
        n: cython.longlong
        i: cython.longlong
        p: cython.longlong
        at: cython.longlong
        self.room(1)
        root: cython.longlong = self.H
        self.heap[root] = c
        self.H = root + 1
        self.work_room(1)
        self.work[self.wtop] = root
        self.wtop += 1
        while self.wtop > base:
            self.wtop -= 1
            p = self.work[self.wtop]
            c = self.heap[p]
            t = c & 7
            if t == ATM:
                self.heap[p] = self.numbered_var(c, variables)
                continue
            steps += 1
            if steps & 65535 == 0:
                self.check_interrupt()
            if made is not None:
                if c in made:
                    self.heap[p] = made[c]
                    continue
            elif steps > self.store_top:
                return 0
            n = 2 if t == GLS else self.words_of(c)
            self.room(n)
            at = self.H
            self.H += n
            self.work_room(n)
            for i in range(n):
                self.heap[at + i] = self.store[(c >> 3) + i]
                if self.has_numbered_vars(self.heap[at + i]) and (t == GLS or i > 0):
                    self.work[self.wtop] = at + i
                    self.wtop += 1
            self.heap[p] = at << 3 | (LST if t == GLS else STR)
            if made is not None:
                made[c] = self.heap[p]
        return self.heap[root]

    def numbered_var(self, c, variables):
        k: cython.longlong = -(c >> 3) - 1
        while len(variables) <= k:
            variables.append(self.new_var())
        return variables[k]

    def reset_store(self):
        """Forget every stored term. Only safe when no heap cell, table or switch refers to one."""
        size: cython.longlong = first_size(1 << 10)
        self.store_hash = renew_area(self.store_hash, 1 << 8)
        self.store_mask = (1 << 8) - 1
        self.store = grow_area(self.store, self.store_size, size)
        self.store_size = size
        self.store_top = 8
        self.store_count = 0
        self.store_number += 1
        self.forget_young()
        self.store_log(0)
        return 0
