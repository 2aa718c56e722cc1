# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The garbage collector of the heap: marks what is in use and slides it down.

The order of cells is kept: choice points delimit parts of the heap, and variables are compared by
age. Marks are kept beside the heap, so that marking changes nothing and may be left by an interrupt;
only when all is marked, cells move.

What was on the heap when the innermost query began (below heap.floor) stays where it is: Python
code that runs a query holds cells there. Such cells that were bound since are on the trail.
"""

import cython

from prism_repl.core.liveness import slots_needed

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403

    POINTERS = 57


class Collector:
    """Collects the garbage of a machine: collector(m, nargs) at a call with nargs arguments."""

    def __init__(self):
        self.marks_size = 1
        self.marks = new_area(1)
        self.frames_size = 1
        self.frames_used = 0
        self.frames = new_area(1)
        self.slots_size = first_size(256)
        self.slots = new_area(self.slots_size)
        self.collections = 0
        self.floor = 0
        self.first_frame = 0
        self.first_choice = 0
        self.releases = 0
        self.forget_code()

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.marks)
            free_area(self.frames)
            free_area(self.slots)

    def forget_code(self):
        """Clauses were released: what is known of continuations may be wrong."""
        self.known = {}
        self.slots_top = 0
        self.last_code = -1
        self.last_place = 0

    def __call__(self, m, nargs):
        if self.releases != m.program.releases:
            self.releases = m.program.releases
            self.forget_code()
        base: cython.longlong = m.heap.wtop
        self.prepare(m)
        try:
            self.drop_entries(m)
            self.mark_roots(m, nargs)
            self.count_marks(m)
            self.move_trail(m)
            self.move_roots(m, nargs)
            self.move_heap(m)
            if m.heap.attr_floor > self.floor:
                m.heap.attr_floor = m.heap.attr_below
                if self.last_attributed != 0:
                    m.heap.attr_floor = self.moved(self.last_attributed) + 1
            m.heap.wake_from = m.heap.TR
        finally:
            m.heap.wtop = base
            # marks of a large heap are not kept
            if self.marks_size > 1 << 16:
                self.marks = grow_area(self.marks, self.marks_size, 1)
                self.marks_size = 1
            if self.frames_size > 1 << 16:
                self.frames = grow_area(self.frames, self.frames_size, 1)
                self.frames_size = 1
        self.collections += 1

    def prepare(self, m):
        """Empty marks for the part of the heap and of the environments that belongs to the innermost
        query."""
        b: cython.longlong = m.stacks.B
        top: cython.longlong = m.stacks.frame_top()
        n: cython.longlong
        i: cython.longlong
        while m.stacks.choice[b + B_KIND] != BK_STOP:
            b = m.stacks.choice[b + B_PREV]
        self.first_choice = b
        self.first_frame = m.stacks.choice[b + B_E]
        self.floor = m.heap.floor
        self.last_attributed = 0
        n = (m.heap.H - self.floor) // 16 + 2
        if n >> 27 != 0:  # a word of marks has 31 bits for the number of cells
            from prism_repl.core.errors import resource_error

            raise resource_error("memory")
        if n > self.marks_size:
            self.marks = grow_area(self.marks, self.marks_size, n)
            self.marks_size = n
        for i in range(n):
            self.marks[i] = 0
        n = (top - self.first_frame) // 16 + 2
        if n > self.frames_size:
            self.frames = grow_area(self.frames, self.frames_size, n)
            self.frames_size = n
        self.frames_used = n
        for i in range(n):
            self.frames[i] = 0
        return 0

    # ---- marking

    def drop_entries(self, m):
        """Trail entries that backtracking does not need become 0: of cells that it discards, and all
        but the oldest of several assignments to one cell since the same choice point."""
        b: cython.longlong = m.stacks.B
        i: cython.longlong = m.heap.TR - 1
        j: cython.longlong
        a: cython.longlong
        base: cython.longlong = m.stacks.choice[self.first_choice + B_TR]
        assigned: dict = {}
        while i >= base:
            if m.stacks.choice[b + B_TR] > i:
                while m.stacks.choice[b + B_TR] > i:
                    b = m.stacks.choice[b + B_PREV]
                assigned = {}
            a = m.heap.trail[i]
            if a >= 0:
                if a >= m.stacks.choice[b + B_H]:
                    m.heap.trail[i] = 0
                i -= 1
                continue
            if ~a >= m.stacks.choice[b + B_H]:
                m.heap.trail[i] = 0
                m.heap.trail[i - 1] = 0
            else:
                newer = assigned.get(a)
                if newer is not None:
                    j = newer
                    m.heap.trail[j] = 0
                    m.heap.trail[j - 1] = 0
                assigned[a] = i
            i -= 2
        return 0

    def mark_roots(self, m, nargs):
        i: cython.longlong
        for i in range(nargs):
            self.mark(m, m.stacks.x[i])
        self.mark_chain(m, m.stacks.E, m.stacks.CP)
        self.mark_choices(m)
        self.mark_trail(m)
        return 0

    def mark_choices(self, m):
        b: cython.longlong = m.stacks.B
        i: cython.longlong
        e: cython.longlong
        kind: cython.longlong
        while b != self.first_choice:
            for i in range(m.stacks.choice[b + B_N]):
                self.mark(m, m.stacks.choice[b + B_ARGS + i])
            kind = m.stacks.choice[b + B_KIND]
            e = m.stacks.choice[b + B_E]
            if kind == BK_CODE:
                self.mark_chain(m, e, m.stacks.choice[b + B_1])
            elif kind == BK_CATCH:
                # unwinding wants catcher and recovery goal; on failure nothing is wanted
                self.mark_slot(m, e + E_SLOTS + 1)
                self.mark_slot(m, e + E_SLOTS + 2)
                if self.visit(e):
                    self.mark_chain(m, m.stacks.env[e + E_PREV], m.stacks.env[e + E_CP])
            elif kind != BK_FAIL:
                self.mark_chain(m, e, m.stacks.choice[b + B_CP])
            b = m.stacks.choice[b + B_PREV]
        return 0

    def mark_trail(self, m):
        """Old values of assignments, and the values of cells below the floor."""
        i: cython.longlong = m.heap.TR - 1
        a: cython.longlong
        base: cython.longlong = m.stacks.choice[self.first_choice + B_TR]
        while i >= base:
            a = m.heap.trail[i]
            if a < 0:
                i -= 1
                self.mark(m, m.heap.trail[i])
                a = ~a
            if a < self.floor:
                self.mark(m, m.heap.cells[a])
            i -= 1
        return 0

    def mark_chain(self, m, e, code):
        """Frame e, at whose code execution will go on, and those that called it."""
        while e > self.first_frame:
            self.mark_frame(m, e, code)
            if not self.visit(e):
                break
            code = m.stacks.env[e + E_CP]
            e = m.stacks.env[e + E_PREV]
        return 0

    def visit(self, e):
        """False if the frame was visited before."""
        k: cython.longlong = e - self.first_frame
        bit: cython.longlong = 1
        bit = bit << (16 + (k & 15))
        if self.frames[k >> 4] & bit:
            return False
        self.frames[k >> 4] |= bit
        return True

    def mark_frame(self, m, e, code):
        i: cython.longlong
        n: cython.longlong = m.stacks.env[e + E_N]
        at: cython.longlong
        if n == 0:
            return 0
        # the frame of a table: call arguments after two numbers; or of what waits for woken goals
        if code == m.program.answer_code or code == m.program.resume_code:
            for i in range(n):
                self.mark_slot(m, e + E_SLOTS + i)
            return 0
        at = self.last_place
        if code != self.last_code:
            at = self.slots_at(m, code)
        for i in range(self.slots[at]):
            self.mark_slot(m, e + E_SLOTS + self.slots[at + 1 + i])
        return 0

    def slots_at(self, m, code):
        """The place in `slots` of what a continuation needs."""
        n: cython.longlong
        i: cython.longlong
        at: cython.longlong
        place = self.known.get(code)
        if place is None:
            needed = slots_needed(m, code)
            n = len(needed)
            at = self.slots_top
            if at + n + 1 > self.slots_size:
                i = larger(self.slots_size, at + n + 1)
                self.slots = grow_area(self.slots, self.slots_size, i)
                self.slots_size = i
            self.slots[at] = n
            for i in range(n):
                self.slots[at + 1 + i] = needed[i]
            self.slots_top = at + n + 1
            self.known[code] = at
            place = at
        self.last_code = code
        self.last_place = place
        return self.last_place

    def mark_slot(self, m, at):
        k: cython.longlong = at - self.first_frame
        bit: cython.longlong = 1
        bit = bit << (k & 15)
        if not self.frames[k >> 4] & bit:
            self.frames[k >> 4] |= bit
            self.mark(m, m.stacks.env[at])
        return 0

    def mark(self, m, c):
        """Mark all that a cell refers to. The first part of a term is followed at once, the others wait
        on a stack: a list needs no stack, however long, nor do terms that grow to the right."""
        heap: cython.p_longlong = m.heap.cells
        marks: cython.p_longlong = self.marks
        floor: cython.longlong = self.floor
        base: cython.longlong = m.heap.wtop
        steps: cython.longlong = 0
        t: cython.longlong
        p: cython.longlong
        k: cython.longlong
        n: cython.longlong
        i: cython.longlong
        bit: cython.longlong
        fresh: cython.bint
        while True:
            t = c & 7
            if t == REF:
                k = (c >> 3) - floor
                if k >= 0:
                    bit = 1 << (k & 15)
                    if not marks[k >> 4] & bit:
                        marks[k >> 4] |= bit
                        if m.heap.attr_floor != 0 and k > 0 and heap[(c >> 3) - 1] == m.heap.attr_mark:
                            self.mark_attributes(m, c >> 3)
                        c = heap[c >> 3]
                        continue
            elif t == LST:
                p = c >> 3
                k = p - floor
                if k >= 0:
                    bit = 1 << (k & 15)
                    fresh = not marks[k >> 4] & bit
                    marks[k >> 4] |= bit
                    k += 1
                    bit = 1 << (k & 15)
                    if not marks[k >> 4] & bit:
                        marks[k >> 4] |= bit
                        if fresh and (POINTERS >> (heap[p] & 7)) & 1:
                            if (POINTERS >> (heap[p + 1] & 7)) & 1:
                                if m.heap.wtop + 16 > m.heap.work_size:
                                    m.heap.work_room(16)
                                m.heap.work[m.heap.wtop] = heap[p + 1]
                                m.heap.wtop += 1
                            c = heap[p]
                        else:
                            c = heap[p + 1]
                        steps += 1
                        if steps & 65535 == 0:
                            m.interrupts.check()
                        continue
                    if fresh:
                        c = heap[p]
                        continue
            elif t == STR:
                p = c >> 3
                k = p - floor
                if k >= 0:
                    bit = 1 << (k & 15)
                    if not marks[k >> 4] & bit:
                        marks[k >> 4] |= bit
                        n = m.symbols.functor_arity[heap[p] >> 3]
                        if m.heap.wtop + n + 16 > m.heap.work_size:
                            m.heap.work_room(n)
                        for i in range(n, 0, -1):
                            bit = 1 << ((k + i) & 15)
                            if not marks[(k + i) >> 4] & bit:
                                marks[(k + i) >> 4] |= bit
                                if (POINTERS >> (heap[p + i] & 7)) & 1:
                                    m.heap.work[m.heap.wtop] = heap[p + i]
                                    m.heap.wtop += 1
                        steps += 1
                        if steps & 65535 == 0:
                            m.interrupts.check()
            elif t == BOX and not c & 8:
                p = c >> 4
                k = p - floor
                if k >= 0:
                    bit = 65537  # the box bit, too
                    bit = bit << (k & 15)
                    if not marks[k >> 4] & bit:
                        marks[k >> 4] |= bit
                        n = heap[p] >> 11
                        for i in range(1, n + 1):
                            marks[(k + i) >> 4] |= 1 << ((k + i) & 15)
            if m.heap.wtop == base:
                return 0
            m.heap.wtop -= 1
            c = m.heap.work[m.heap.wtop]

    def mark_attributes(self, m, at):
        """The variable at an address is in use: so are the cells around it, and what its attributes need."""
        k: cython.longlong = at - 1 - self.floor
        self.marks[k >> 4] |= 1 << (k & 15)
        k += 2
        self.marks[k >> 4] |= 1 << (k & 15)
        m.heap.work_room(16)
        m.heap.work[m.heap.wtop] = m.heap.cells[at + 1]
        m.heap.wtop += 1
        if at > self.last_attributed:
            self.last_attributed = at
        return 0

    # ---- moving: from here on nothing may raise

    def is_marked(self, at):
        k: cython.longlong = at - self.floor
        return (self.marks[k >> 4] >> (k & 15)) & 1 != 0

    def count_marks(self, m):
        """Note in each word of marks how many cells in use there are before its own."""
        n: cython.longlong = (m.heap.H - self.floor) // 16 + 2
        i: cython.longlong
        v: cython.longlong
        count: cython.longlong = 0
        for i in range(n):
            v = self.marks[i] & 0xFFFF
            self.marks[i] |= count << 32
            v = v - ((v >> 1) & 0x5555)
            v = (v & 0x3333) + ((v >> 2) & 0x3333)
            v = (v + (v >> 4)) & 0x0F0F
            count += (v + (v >> 8)) & 31

    def moved(self, at):
        """Where the cell at an index (not below the floor) goes: the number of cells before it."""
        k: cython.longlong = at - self.floor
        w: cython.longlong = self.marks[k >> 4]
        v: cython.longlong = w & ((1 << (k & 15)) - 1)
        v = v - ((v >> 1) & 0x5555)
        v = (v & 0x3333) + ((v >> 2) & 0x3333)
        v = (v + (v >> 4)) & 0x0F0F
        return self.floor + (w >> 32) + ((v + (v >> 8)) & 31)

    def new_cell(self, c):
        """A cell as it is after the move of what it refers to."""
        t: cython.longlong = c & 7
        if t == REF or t == LST or t == STR:
            if c >> 3 >= self.floor:
                return self.moved(c >> 3) << 3 | t
        elif t == BOX and not c & 8 and c >> 4 >= self.floor:
            return self.moved(c >> 4) << 4 | BOX
        return c

    def move_trail(self, m):
        """Entries of cells that are gone are dropped, the others follow their cells. The values of
        cells below the floor follow, too."""
        b: cython.longlong = m.stacks.B
        base: cython.longlong = m.stacks.choice[self.first_choice + B_TR]
        i: cython.longlong = m.heap.TR - 1
        to: cython.longlong = m.heap.TR  # kept entries are gathered at the upper end, from the newest on
        a: cython.longlong
        old: cython.longlong
        pair: cython.bint
        below = set()
        while i >= base:
            while m.stacks.choice[b + B_TR] > i:
                m.stacks.choice[b + B_TR] = m.heap.TR - to  # for now: how many entries stay above it
                b = m.stacks.choice[b + B_PREV]
            a = m.heap.trail[i]
            pair = a < 0
            old = 0
            if pair:
                i -= 1
                old = self.new_cell(m.heap.trail[i])
                a = ~a
            i -= 1
            if a == 0 or (a >= self.floor and not self.is_marked(a)):
                continue
            if a >= self.floor:
                a = self.moved(a)
            else:
                below.add(a)  # once, however many entries it has
            to -= 1
            m.heap.trail[to] = ~a if pair else a
            if pair:
                to -= 1
                m.heap.trail[to] = old
        for cell in below:
            a = cell
            m.heap.cells[a] = self.new_cell(m.heap.cells[a])
        old = m.heap.TR - to
        while True:
            m.stacks.choice[b + B_TR] = old
            if b == self.first_choice:
                break
            b = m.stacks.choice[b + B_PREV]
        b = m.stacks.B
        while True:
            m.stacks.choice[b + B_TR] = base + old - m.stacks.choice[b + B_TR]
            if b == self.first_choice:
                break
            b = m.stacks.choice[b + B_PREV]
        for i in range(old):
            m.heap.trail[base + i] = m.heap.trail[to + i]
        m.heap.TR = base + old
        return 0

    def move_roots(self, m, nargs):
        """Registers, slots in use, choice points."""
        i: cython.longlong
        k: cython.longlong
        w: cython.longlong
        b: cython.longlong = m.stacks.B
        n: cython.longlong = self.frames_used
        for i in range(nargs):
            m.stacks.x[i] = self.new_cell(m.stacks.x[i])
        for k in range(n):
            w = self.frames[k] & 0xFFFF
            i = self.first_frame + 16 * k
            while w != 0:
                if w & 1:
                    m.stacks.env[i] = self.new_cell(m.stacks.env[i])
                w = w >> 1
                i += 1
        while True:
            m.stacks.choice[b + B_H] = self.moved(m.stacks.choice[b + B_H])
            for i in range(m.stacks.choice[b + B_N]):
                m.stacks.choice[b + B_ARGS + i] = self.new_cell(m.stacks.choice[b + B_ARGS + i])
            if b == self.first_choice:
                break
            b = m.stacks.choice[b + B_PREV]

    def move_heap(self, m):
        """Slide the cells in use down."""
        heap: cython.p_longlong = m.heap.cells
        n: cython.longlong = (m.heap.H - self.floor) // 16 + 1
        to: cython.longlong = self.floor
        raw: cython.longlong = 0  # up to here the words of a box, which are no cells
        k: cython.longlong
        w: cython.longlong
        boxes: cython.longlong
        i: cython.longlong
        c: cython.longlong
        for k in range(n):
            w = self.marks[k] & 0xFFFF
            boxes = (self.marks[k] >> 16) & 0xFFFF
            i = self.floor + 16 * k
            while w != 0:
                if w & 1:
                    c = heap[i]
                    if i >= raw:
                        if boxes & 1:
                            raw = i + (c >> 11) + 1
                        else:
                            c = self.new_cell(c)
                    heap[to] = c
                    to += 1
                w = w >> 1
                boxes = boxes >> 1
                i += 1
        m.heap.H = to
        m.heap.HB = m.stacks.choice[m.stacks.B + B_H]
