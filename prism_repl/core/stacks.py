# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The stacks of a running program: environments, choice points, argument registers.

The registers that are attributes here (E, B, CP ...) are valid while the loop of the machine is not running,
or after it saved them: the loop works on copies.
"""

import cython

from prism_repl.core.errors import resource_error
from prism_repl.core.program import Program

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Stacks(Program):
    """Environments and choice points, and what must look at them: room, garbage, erased clauses."""

    def __init__(self):
        Program.__init__(self)
        one: cython.longlong = 1
        self.env_size = first_size(1 << 12)
        self.env = new_area(self.env_size)
        self.choice_size = first_size(1 << 12)
        self.choice = new_area(self.choice_size)
        self.x_size = first_size(1 << 9)
        self.x = new_area(self.x_size)
        self.XT = 0
        self.floor = 1
        self.gc_threshold = one << 20
        self.gc_stride = 0  # for tests: collect whenever so many words were used
        self.collector = None
        self.graveyard_size = first_size(1 << 8)
        self.graveyard = new_area(self.graveyard_size)
        self.graveyard_top = 0
        self.graveyard_limit = 1000
        # the bottom of the stacks
        self.E = 0
        self.env[E_N] = 0
        self.B = 0
        self.choice[B_KIND] = BK_STOP
        self.choice[B_H] = self.H
        self.choice[B_ETOP] = E_SLOTS
        self.HB = self.H
        self.CUT = 0
        self.CP = 0
        self.P = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.env)
            free_area(self.choice)
            free_area(self.x)
            free_area(self.graveyard)

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
        etop: cython.longlong = self.E + E_SLOTS + self.env[self.E + E_N]
        if self.choice[b + B_ETOP] > etop:
            etop = self.choice[b + B_ETOP]
        self.choice[nb + B_PREV] = b
        self.choice[nb + B_KIND] = kind
        self.choice[nb + B_E] = self.E
        self.choice[nb + B_CP] = self.CP
        self.choice[nb + B_TR] = self.TR
        self.choice[nb + B_H] = self.H
        self.choice[nb + B_ETOP] = etop
        self.choice[nb + B_CUT] = self.CUT
        self.choice[nb + B_XT] = self.XT
        self.choice[nb + B_1] = 0
        self.choice[nb + B_2] = 0
        self.choice[nb + B_3] = 0
        self.choice[nb + B_N] = n
        for i in range(n):
            self.choice[nb + B_ARGS + i] = self.x[i]
        self.B = nb
        self.HB = self.H
        return nb

    # ---- room

    def keep_heap(self):
        """What is on the heap now stays there when the choice points of this query are gone back to."""
        b: cython.longlong = self.B
        while True:
            self.choice[b + B_H] = self.H
            if self.choice[b + B_KIND] == BK_STOP:
                break
            b = self.choice[b + B_PREV]
        self.HB = self.H
        return 0

    def grow_choice(self, need):
        if need + 64 > self.choice_size:
            size: cython.longlong = larger(self.choice_size, need + 64)
            if size > self.heap_limit:
                raise resource_error("memory")
            self.choice = grow_area(self.choice, self.choice_size, size)
            self.choice_size = size
        return 0

    def grow_env(self, need):
        if need + 64 > self.env_size:
            size: cython.longlong = larger(self.env_size, need + 64)
            if size > self.heap_limit:
                raise resource_error("memory")
            self.env = grow_area(self.env, self.env_size, size)
            self.env_size = size
        return 0

    def x_room(self, n):
        if n + 16 > self.x_size:
            size: cython.longlong = larger(self.x_size, n + 16)
            self.x = grow_area(self.x, self.x_size, size)
            self.x_size = size
        return 0

    def collect(self, nargs):
        """Garbage collection, if a collector is attached."""
        size: cython.longlong
        if self.collector is not None:
            self.collector(self, nargs)
        if self.H + 8 * MARGIN > self.heap_limit - self.heap_limit // 32:
            raise resource_error("memory")
        self.set_threshold()
        size = 2 * self.gc_threshold
        if size < (1 << 18):
            size = 1 << 18
        if 2 * size < self.heap_size:
            self.heap = grow_area(self.heap, self.heap_size, size)
            self.heap_size = size
        return 0

    def set_threshold(self):
        """The next collection comes when as much was used as the last one had to look at."""
        step: cython.longlong = 1 << 20
        if self.H - self.floor > step:
            step = self.H - self.floor
        if (self.E + self.B + self.TR) // 2 > step:
            step = (self.E + self.B + self.TR) // 2
        if self.gc_stride > 0:
            step = self.gc_stride
        self.gc_threshold = self.H + step
        if self.gc_threshold > self.heap_limit - 8 * MARGIN:
            self.gc_threshold = self.heap_limit - 8 * MARGIN
        return 0

    # ---- erased clauses

    def free_graveyard(self):
        """Release the memory of erased clauses. Only when nothing runs."""
        if self.B == 0 and self.graveyard_top > 0:
            self.release_clauses()

    def bury(self, at):
        """A clause was erased: its memory is released when no call can come to it."""
        if self.graveyard_top == self.graveyard_size:
            size: cython.longlong = larger(self.graveyard_size, 0)
            self.graveyard = grow_area(self.graveyard, self.graveyard_size, size)
            self.graveyard_size = size
        self.graveyard[self.graveyard_top] = at
        self.graveyard_top += 1
        return 0

    def standing_clause(self, b):
        """The first of the clauses that choice point b has left; 0 if it is not one of a call."""
        c: cython.longlong
        d: cython.longlong
        c = self.choice[b + B_KIND]
        if c != BK_CLAUSE and c != BK_CLAUSEREF and c != BK_GENERATOR:
            return 0
        c = self.choice[b + B_1]
        d = self.choice[b + B_2]
        if c > 0 and (d <= 0 or self.code[c + C_SEQ] < self.code[d + C_SEQ]):
            return c
        return d if d > 0 else 0

    def standing_calls(self, p):
        """(sequence number, generation) of each choice point that has clauses of predicate p left: the
        place of the first, and which clauses it sees (-1: all)."""
        b: cython.longlong = self.B
        c: cython.longlong
        found = []
        while b > 0:
            c = self.standing_clause(b)
            if c != 0 and self.code[c + C_PRED] == p:
                found.append((self.code[c + C_SEQ], self.choice[b + B_3]))
            b = self.choice[b + B_PREV]
        return found

    def settle_calls(self, p):
        """Static predicate p is about to change: its calls that stand see the clauses of this moment."""
        b: cython.longlong = self.B
        c: cython.longlong
        while b > 0:
            c = self.standing_clause(b)
            if c != 0 and self.code[c + C_PRED] == p and self.choice[b + B_3] == -1:
                self.choice[b + B_3] = self.generation
            b = self.choice[b + B_PREV]
        return 0

    def addresses_ahead(self):
        """The addresses where execution may go on, in ascending order, and the number of frames."""
        b: cython.longlong = self.B
        e: cython.longlong = self.E
        running = {self.CP}
        visited = set()
        while True:
            while e > 0 and e not in visited:
                visited.add(e)
                running.add(self.env[e + E_CP])
                e = self.env[e + E_PREV]
            if b == 0:
                return sorted(running), len(visited)
            running.add(self.choice[b + B_CP])
            if self.choice[b + B_KIND] == BK_CODE:
                running.add(self.choice[b + B_1])
            e = self.choice[b + B_E]
            b = self.choice[b + B_PREV]

    def release_clauses(self):
        """Release the memory of the erased clauses that no choice point may lead to and that are not
        being executed; they leave all chains first."""
        b: cython.longlong
        c: cython.longlong
        i: cython.longlong
        q: cython.longlong
        low: cython.longlong
        high: cython.longlong
        middle: cython.longlong
        kept: cython.longlong = 0
        ahead, frames = self.addresses_ahead()
        count: cython.longlong = len(ahead)
        addresses: cython.p_longlong = new_area(count)
        for i in range(count):
            addresses[i] = ahead[i]
        standing = []  # predicates
        touched = []
        b = self.B
        while b > 0:
            c = self.standing_clause(b)
            if c != 0:
                q = self.code[c + C_PRED] * PSIZE
                if self.preds[q + P_STANDS] == 0:
                    self.preds[q + P_STANDS] = 1
                    standing.append(q)
            b = self.choice[b + B_PREV]
        # those that stay come first, in their order
        for i in range(self.graveyard_top):
            c = self.graveyard[i]
            q = self.code[c + C_PRED] * PSIZE
            low = 0
            high = count
            while low < high:
                middle = (low + high) // 2
                if addresses[middle] < c:
                    low = middle + 1
                else:
                    high = middle
            if self.preds[q + P_STANDS] != 0 or (low < count and addresses[low] < c + self.code[c + C_SIZE]):
                self.graveyard[i] = self.graveyard[kept]
                self.graveyard[kept] = c
                kept += 1
            elif self.preds[q + P_DEAD] > 0 and (not touched or touched[len(touched) - 1] != q // PSIZE):
                touched.append(q // PSIZE)
        free_area(addresses)
        for p in standing:
            q = p
            self.preds[q + P_STANDS] = 0
        self.database.unlink(touched)
        for i in range(kept, self.graveyard_top):
            c = self.graveyard[i]
            self.release_code(c, self.code[c + C_SIZE])
        self.graveyard_top = kept
        self.graveyard_limit = 1000 + 2 * kept + frames + (self.B >> 4)
        if self.collector is not None:
            self.collector.forget_code()
