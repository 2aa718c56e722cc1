# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The instructions of a clause while they are written: words, labels, room that is asked for."""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403

from prism_repl.core.instructions import OPCODES, SHAPES

SHAPE = [SHAPES[name] for name in OPCODES]


class Code:
    """Words of instructions. Addresses count from its beginning until it is copied to its place."""

    def __init__(self, interrupts):
        self.interrupts = interrupts
        self.size = first_size(1 << 12)
        self.words = new_area(self.size)
        self.labels = []

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.words)

    def begin(self, rooms):
        """Begin anew; `rooms`: it is long, and asks for room."""
        self.top = 0
        self.labels = []
        self.rooms = rooms
        self.room_at = -1
        self.binds = False
        self.put_at = -1
        return 0

    # ---- words

    def emit(self, w):
        if self.top + 8 > self.size:
            size: cython.longlong = larger(self.size, 0)
            self.words = grow_area(self.words, self.size, size)
            self.size = size
        self.words[self.top] = w
        self.top += 1
        if self.top & 65535 == 0:
            self.interrupts.check()
        return 0

    def emit2(self, a, b):
        self.emit(a)
        self.emit(b)
        return 0

    def emit3(self, a, b, c):
        self.emit(a)
        self.emit(b)
        self.emit(c)
        return 0

    def put_slot(self, y, r):
        """Load a register from a slot of the environment; the first of two or three in a row does all."""
        if self.put_at >= 0 and self.put_at == self.top - 3:
            self.words[self.put_at] = PUT_YY
        elif self.put_at >= 0 and self.put_at == self.top - 6 and self.words[self.put_at] == PUT_YY:
            self.words[self.put_at] = PUT_YYY
        else:
            self.put_at = self.top
        return self.emit3(PUT_Y, y, r)

    def emit_neck_cut(self):
        """A cut before there is an environment."""
        if self.binds:
            self.emit2(WAKE_CUT, 0)
            self.binds = False
        return self.emit(NECK_CUT)

    def emit_wake(self, in_environment):
        """What follows must see what the hooks of attributed variables do that were just bound. Calls and the
        end of a clause look for them anyway."""
        if self.binds:
            self.emit2(WAKE, 1 if in_environment else 0)
            self.binds = False
        return 0

    # ---- labels

    def label(self):
        """A new label: [address or -1, positions to patch]."""
        self.labels.append([-1])
        return len(self.labels) - 1

    def place(self, label):
        self.labels[label][0] = self.top
        self.put_at = -1  # it may be jumped to
        return 0

    def emit_label(self, label):
        """Emit an operand that becomes the label's address; label -1 means plain failure (0)."""
        if label >= 0:
            self.labels[label].append(self.top)
        self.emit(0)
        return 0

    # ---- necks

    def overwritten(self, start, arity):
        """The argument registers, as bits, that instructions from `start` to the end of the neck write."""
        bits: cython.longlong = 0
        p: cython.longlong = start
        op: cython.longlong = self.words[p]
        while op != NECK_TRY and op != NECK_CUT:
            p += 1
            for kind in SHAPE[op]:
                if kind == "X" and self.words[p] < arity:
                    bits |= cython.cast(cython.longlong, 1) << self.words[p]
                elif kind == "k":
                    p += 1
                elif kind == "#":
                    p += self.words[p]
                p += 1
            op = self.words[p]
        return bits

    # ---- room

    def ask_room(self):
        """In a clause whose code is long: an instruction that asks for the room of those up to the next
        one like it. An instruction makes at most as many cells as it has words."""
        if self.rooms:
            self.close_room()
            self.emit2(ROOM, 0)
            self.room_at = self.top - 1
        return 0

    def close_room(self):
        if self.room_at >= 0:
            self.words[self.room_at] = self.top - self.room_at + 64
        return 0

    def copy_to(self, area, start):
        """Copy it to its place, where labels have their addresses."""
        i: cython.longlong
        for entry in self.labels:
            target: cython.longlong = entry[0]
            for position in entry[1:]:
                self.words[position] = start + target
        for i in range(self.top):
            area[start + i] = self.words[i]
        return 0
