# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -flto
"""The stacks of a running program: environments, choice points, argument registers.

The registers that are attributes here (E, B, CP ...) are valid while the loop of the machine is not running,
or after it saved them: the loop works on copies.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Stacks:
    """Environments, choice points, arguments, and the explanation of what runs."""

    def __init__(self, heap):
        self.heap = heap
        self.env_size = first_size(1 << 12)
        self.env = new_area(self.env_size)
        self.choice_size = first_size(1 << 12)
        self.choice = new_area(self.choice_size)
        self.x_size = first_size(1 << 9)
        self.x = new_area(self.x_size)
        self.XT = 0
        self.expl_size = first_size(1 << 10)
        self.expl = new_area(self.expl_size)
        self.mode = 0
        self.watch = 0
        # the bottom of the stacks
        self.E = 0
        self.env[E_N] = 0
        self.B = 0
        self.choice[B_KIND] = BK_STOP
        self.choice[B_H] = self.heap.H
        self.choice[B_ETOP] = E_SLOTS
        self.heap.HB = self.heap.H
        self.CUT = 0
        self.CP = 0
        self.P = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.env)
            free_area(self.choice)
            free_area(self.x)
            free_area(self.expl)

    def has_open_goals(self):
        """True while a query is running (the heap top may then not be moved back)."""
        return self.B > 0

    def push_choice(self, kind, n):
        """Push a choice point with n saved argument registers (slow path, on the attributes)."""
        b: cython.longlong = self.B
        nb: cython.longlong = b + B_ARGS + self.choice[b + B_N]
        i: cython.longlong
        if nb + B_ARGS + n + 64 > self.choice_size:
            self.grow_choice(nb + B_ARGS + n)
        choice: cython.p_longlong = self.choice
        x: cython.p_longlong = self.x
        h: cython.longlong = self.heap.H
        e: cython.longlong = self.E
        etop: cython.longlong = self.frame_top()
        choice[nb + B_PREV] = b
        choice[nb + B_KIND] = kind
        choice[nb + B_E] = e
        choice[nb + B_CP] = self.CP
        choice[nb + B_TR] = self.heap.TR
        choice[nb + B_H] = h
        choice[nb + B_ETOP] = etop
        choice[nb + B_CUT] = self.CUT
        choice[nb + B_XT] = self.XT
        choice[nb + B_1] = 0
        choice[nb + B_2] = 0
        choice[nb + B_3] = 0
        choice[nb + B_N] = n
        for i in range(n):
            choice[nb + B_ARGS + i] = x[i]
        self.B = nb
        self.heap.HB = h
        return nb

    @cython.final
    def pop_choice(self, b):
        """Choice point b goes, and what is above it: the one below is on top."""
        self.B = self.choice[b + B_PREV]
        self.heap.HB = self.choice[self.B + B_H]

    @cython.final
    def frame_top(self):
        """Where a new environment begins: behind the current one and those that choice points keep."""
        top: cython.longlong = self.E + E_SLOTS + self.env[self.E + E_N]
        kept: cython.longlong = self.choice[self.B + B_ETOP]
        return kept if kept > top else top

    # ---- room

    def keep_heap(self):
        """What is on the heap now stays there when the choice points of this query are gone back to."""
        b: cython.longlong = self.B
        while True:
            self.choice[b + B_H] = self.heap.H
            if self.choice[b + B_KIND] == BK_STOP:
                break
            b = self.choice[b + B_PREV]
        self.heap.HB = self.heap.H
        return 0

    def grow_choice(self, need):
        if need + 64 > self.choice_size:
            size: cython.longlong = next_size(self.choice_size, need + 64, self.heap.limit)
            self.choice = grow_area(self.choice, self.choice_size, size)
            self.choice_size = size
        return 0

    def grow_env(self, need):
        if need + 64 > self.env_size:
            size: cython.longlong = next_size(self.env_size, need + 64, self.heap.limit)
            self.env = grow_area(self.env, self.env_size, size)
            self.env_size = size
        return 0

    def x_room(self, n):
        if n + 16 > self.x_size:
            size: cython.longlong = next_size(self.x_size, n + 16, self.heap.limit)
            self.x = grow_area(self.x, self.x_size, size)
            self.x_size = size
        return 0

    def set_threshold(self):
        """The next collection comes when as much was used as the last one had to look at."""
        step: cython.longlong = 1 << 17  # a megabyte: what is new stays in the cache of a core
        if self.heap.H - self.heap.floor > step:
            step = self.heap.H - self.heap.floor
        if (self.E + self.B + self.heap.TR) // 2 > step:
            step = (self.E + self.B + self.heap.TR) // 2
        if self.heap.gc_stride > 0:
            step = self.heap.gc_stride
        self.heap.gc_threshold = self.heap.H + step
        if self.heap.gc_threshold > self.heap.limit - 8 * MARGIN:
            self.heap.gc_threshold = self.heap.limit - 8 * MARGIN
        return 0

    def shrink(self, size):
        """Give memory back when nothing runs."""
        if self.env_size > size:
            self.env = grow_area(self.env, self.env_size, size)
            self.env_size = size
        if self.choice_size > size:
            self.choice = grow_area(self.choice, self.choice_size, size)
            self.choice_size = size
        return 0

    def push_item(self, item):
        """What explains the goal that runs: a switch instance, or a node."""
        if self.XT + 8 > self.expl_size:
            size: cython.longlong = next_size(self.expl_size, self.XT + 8, self.heap.limit)
            self.expl = grow_area(self.expl, self.expl_size, size)
            self.expl_size = size
        self.expl[self.XT] = item
        self.XT += 1
