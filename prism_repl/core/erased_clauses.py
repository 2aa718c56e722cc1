# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Erased clauses whose memory is not yet released, since a call may still come to them."""

import cython

from prism_repl.core.errors import PrologError

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class ErasedClauses:
    """Waits until no choice point and no frame leads to a clause."""

    def __init__(self, program, stacks):
        self.program = program
        self.stacks = stacks
        self.size = first_size(1 << 8)
        self.clauses = new_area(self.size)
        self.top = 0
        self.limit = 1000

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.clauses)

    def release_all(self, database):
        """Release the memory of erased clauses. Only when nothing runs."""
        if self.stacks.B == 0 and self.top > 0:
            try:
                self.release(database)
            except PrologError:  # without memory they stay until the next time
                pass

    def bury(self, at):
        """A clause was erased: its memory is released when no call can come to it."""
        if self.top == self.size:
            size: cython.longlong = larger(self.size, 0)
            self.clauses = grow_area(self.clauses, self.size, size)
            self.size = size
        self.clauses[self.top] = at
        self.top += 1
        return 0

    def standing_clause(self, b):
        """The first of the clauses that choice point b has left; 0 if it is not one of a call."""
        c: cython.longlong
        d: cython.longlong
        c = self.stacks.choice[b + B_KIND]
        if c != BK_CLAUSE and c != BK_CLAUSEREF and c != BK_GENERATOR:
            return 0
        c = self.stacks.choice[b + B_1]
        d = self.stacks.choice[b + B_2]
        if c > 0 and (d <= 0 or self.program.code[c + C_SEQ] < self.program.code[d + C_SEQ]):
            return c
        return d if d > 0 else 0

    def standing_calls(self, p):
        """(sequence number, generation) of each choice point that has clauses of predicate p left: the
        place of the first, and which clauses it sees (-1: all)."""
        b: cython.longlong = self.stacks.B
        c: cython.longlong
        found = []
        while b > 0:
            c = self.standing_clause(b)
            if c != 0 and self.program.code[c + C_PRED] == p:
                found.append((self.program.code[c + C_SEQ], self.stacks.choice[b + B_3]))
            b = self.stacks.choice[b + B_PREV]
        return found

    def settle_calls(self, p):
        """Static predicate p is about to change: its calls that stand see the clauses of this moment."""
        b: cython.longlong = self.stacks.B
        c: cython.longlong
        while b > 0:
            c = self.standing_clause(b)
            if c != 0 and self.program.code[c + C_PRED] == p and self.stacks.choice[b + B_3] == -1:
                self.stacks.choice[b + B_3] = self.program.generation
            b = self.stacks.choice[b + B_PREV]
        return 0

    def addresses_ahead(self):
        """The addresses where execution may go on, in ascending order, and the number of frames."""
        b: cython.longlong = self.stacks.B
        e: cython.longlong = self.stacks.E
        running = {self.stacks.CP}
        visited = set()
        while True:
            while e > 0 and e not in visited:
                visited.add(e)
                running.add(self.stacks.env[e + E_CP])
                e = self.stacks.env[e + E_PREV]
            if b == 0:
                return sorted(running), len(visited)
            running.add(self.stacks.choice[b + B_CP])
            if self.stacks.choice[b + B_KIND] == BK_CODE:
                running.add(self.stacks.choice[b + B_1])
            e = self.stacks.choice[b + B_E]
            b = self.stacks.choice[b + B_PREV]

    def release(self, database):
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
        b = self.stacks.B
        while b > 0:
            c = self.standing_clause(b)
            if c != 0:
                q = self.program.code[c + C_PRED] * PSIZE
                if self.program.preds[q + P_STANDS] == 0:
                    self.program.preds[q + P_STANDS] = 1
                    standing.append(q)
            b = self.stacks.choice[b + B_PREV]
        # those that stay come first, in their order
        for i in range(self.top):
            c = self.clauses[i]
            q = self.program.code[c + C_PRED] * PSIZE
            low = 0
            high = count
            while low < high:
                middle = (low + high) // 2
                if addresses[middle] < c:
                    low = middle + 1
                else:
                    high = middle
            if self.program.preds[q + P_STANDS] != 0 or (
                low < count and addresses[low] < c + self.program.code[c + C_SIZE]
            ):
                self.clauses[i] = self.clauses[kept]
                self.clauses[kept] = c
                kept += 1
            elif self.program.preds[q + P_DEAD] > 0 and (
                not touched or touched[len(touched) - 1] != q // PSIZE
            ):
                touched.append(q // PSIZE)
        free_area(addresses)
        for p in standing:
            q = p
            self.program.preds[q + P_STANDS] = 0
        database.unlink(touched)
        for i in range(kept, self.top):
            c = self.clauses[i]
            self.program.release_code(c, self.program.code[c + C_SIZE])
        self.top = kept
        self.limit = 1000 + 2 * kept + frames + (self.stacks.B >> 4)
