# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Where the variables of a clause live: chunks, registers, slots of the environment.

A chunk is the head with the goals up to and including the first call, then each further call with the inline
goals before it. Variables of one chunk live in registers, others in slots of the environment, which is
allocated only after the head and the inline goals of the neck have succeeded; until then they are in
registers, too. Registers below `base` are those of arguments, the others are temporary.
"""

import cython

from prism_repl.core.errors import PrologError, type_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.prolog.compiler.kinds import *  # noqa: F403

    V_COUNT, V_CHUNK, V_PERM, V_REG, V_Y, V_IN_Y, V_WANT, V_SEEN, VSIZE = range(9)
    IN_REGISTER, IN_SLOT, NEW_IN_REGISTER, NEW_IN_SLOT, ONLY_HERE = range(5)
    FREE = -1
    BUSY = -2
# Goals nested deeper than this within control constructs are refused, not crashed on.
MAX_DEPTH = 4000


class Variables:
    """The variables of a source, their registers and their slots."""

    def __init__(self, source):
        self.source = source
        self.v_size = first_size(VSIZE << 10)
        self.v = new_area(self.v_size)
        self.holders_size = first_size(1 << 10)
        self.holders = new_area(self.holders_size)
        self.variables = []

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.v)
            free_area(self.holders)

    # ---- before the code is written

    def scan(self, arity):
        """Find out where the variables of the source occur, and so where they live."""
        i: cython.longlong
        size: cython.longlong = VSIZE * self.source.n
        if size > self.v_size:
            size = larger(self.v_size, size)
            self.v = grow_area(self.v, self.v_size, size)
            self.v_size = size
        self.variables = []
        self.depth = 0
        self.chunk = 0
        self.base = arity
        self.needs_env = False
        self.env_done = False
        self.needs_level = False
        self.slots = 0
        for i in range(self.source.n):
            self.v[i * VSIZE] = 0
        self.scan_term(self.source.head)
        self.scan_body(self.source.body, True)
        self.give_slots()
        self.give_registers(arity)
        self.note_wishes(self.source.body)
        return 0

    def count(self, v):
        """One more occurrence, in the present chunk."""
        p: cython.longlong = v * VSIZE
        if self.v[p] == 0:
            self.v[p + V_CHUNK] = self.chunk
            self.v[p + V_PERM] = 0
            self.v[p + V_REG] = -1
            self.v[p + V_Y] = -1
            self.v[p + V_IN_Y] = 0
            self.v[p + V_WANT] = -1
            self.v[p + V_SEEN] = 0
            self.variables.append(v)
        elif self.v[p + V_CHUNK] != self.chunk:
            self.v[p + V_PERM] = 1
        self.v[p] += 1
        return 0

    def scan_term(self, c):
        """Count the variables of a term; iterative."""
        source = self.source
        stack = [c]
        t: cython.longlong
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        while stack:
            c = stack.pop()
            while True:
                t = c & 7
                if t == REF:
                    self.count(c >> 3)
                elif t == LST or t == STR:
                    p = source.arguments(c)
                    n = source.arity(c)
                    for i in range(n - 1):
                        t = source.cells[p + i] & 7
                        if t == REF or t == LST or t == STR:
                            stack.append(source.cells[p + i])
                    c = source.cells[p + n - 1]
                    continue
                break
        return 0

    def scan_body(self, c, last):
        """Number the chunks; find out whether an environment is needed."""
        source = self.source
        kind: cython.int
        p: cython.longlong
        n: cython.longlong
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PrologError("resource_error", "clause_depth")
        while True:
            kind = source.goal_kind(c)
            p = c >> 3
            if kind == G_AND:
                self.scan_body(source.cells[p + 1], False)
                c = source.cells[p + 2]
                continue
            break
        if kind == G_CALL:
            n = 0
            if c & 7 == STR or c & 7 == LST:
                n = source.arity(c)
            elif c & 7 == REF:
                n = 1
            elif c & 7 != ATM:
                raise type_error("callable", source.heap_cell(c))
            if n > self.base:
                self.base = n
            self.scan_term(c)
            self.chunk += 1
            if not last:
                self.needs_env = True
        elif kind == G_CUT:
            if self.chunk > 0:
                self.needs_env = True
                self.needs_level = True
        elif kind == G_OR or kind == G_THEN or kind == G_SOFT or kind == G_NOT or kind == G_ONCE:
            self.needs_env = True
            self.chunk += 1
            if kind == G_OR or kind == G_THEN or kind == G_SOFT:
                self.scan_body(source.cells[p + 1], last and kind == G_OR)
                self.chunk += 1
                self.scan_body(source.cells[p + 2], last)
            else:
                self.scan_body(source.cells[p + 1], False)
            self.chunk += 1
        else:
            self.scan_term(c)
        self.depth -= 1
        return 0

    def give_slots(self):
        """Give the variables that live across chunks their slots."""
        for v in self.variables:
            if not self.needs_env:
                self.v[v * VSIZE + V_PERM] = 0
            elif self.v[v * VSIZE + V_PERM]:
                self.v[v * VSIZE + V_Y] = self.new_slot()
        return 0

    def give_registers(self, arity):
        """Those of the arguments of the head are busy, the others free."""
        i: cython.longlong
        if self.base >= self.holders_size:
            i = larger(self.holders_size, self.base + 1)
            self.holders = grow_area(self.holders, self.holders_size, i)
            self.holders_size = i
        for i in range(self.base + 1):
            self.holders[i] = BUSY if i < arity else FREE
        self.temp = self.base
        self.max_x = self.base
        return 0

    def note_wishes(self, c):
        """Note for the variables of the call that ends the first chunk which register they want."""
        source = self.source
        i: cython.longlong
        p: cython.longlong
        a: cython.longlong
        kind: cython.int
        while True:
            kind = source.goal_kind(c)
            p = c >> 3
            if kind == G_AND:
                if source.goal_kind(source.cells[p + 1]) == G_CALL:
                    c = source.cells[p + 1]
                    break
                if source.goal_kind(source.cells[p + 1]) >= G_AND:
                    return 0
                c = source.cells[p + 2]
                continue
            break
        if kind != G_CALL and kind != G_AND:
            return 0
        if c & 7 != STR:
            return 0
        p = source.arguments(c)
        for i in range(source.arity(c) - 1, -1, -1):
            a = source.cells[p + i]
            if a & 7 == REF:
                self.v[(a >> 3) * VSIZE + V_WANT] = i
        return 0

    # ---- where a variable is

    def seen(self, v):
        """Whether the code so far has it."""
        return self.v[v * VSIZE + V_SEEN] != 0

    def in_slot(self, v):
        return self.v[v * VSIZE + V_IN_Y] != 0

    def awaits_slot(self, v):
        """It lives across chunks, and the code so far does not have it."""
        return self.v[v * VSIZE + V_PERM] != 0 and self.v[v * VSIZE + V_SEEN] == 0

    def reg(self, v):
        return self.v[v * VSIZE + V_REG]

    def slot(self, v):
        return self.v[v * VSIZE + V_Y]

    def meet(self, v):
        """The next instruction has the variable: where it is. One that is new in a register is to be put into
        one by who asks."""
        p: cython.longlong = v * VSIZE
        if self.v[p + V_SEEN]:
            return IN_SLOT if self.v[p + V_IN_Y] else IN_REGISTER
        self.v[p + V_SEEN] = 1
        if self.v[p] == 1:
            return ONLY_HERE
        if self.v[p + V_PERM] and self.env_done:
            self.v[p + V_IN_Y] = 1
            return NEW_IN_SLOT
        return NEW_IN_REGISTER

    def both_new(self, a, b):
        """Two different variables that occur for the first time get registers, if both may have one."""
        pa: cython.longlong = (a >> 3) * VSIZE
        pb: cython.longlong = (b >> 3) * VSIZE
        if a & 7 != REF or b & 7 != REF or a == b or self.v[pa + V_SEEN] or self.v[pb + V_SEEN]:
            return False
        if self.env_done and (self.v[pa + V_PERM] or self.v[pb + V_PERM]):
            return False
        self.v[pa + V_SEEN] = 1
        self.v[pb + V_SEEN] = 1
        self.choose_register(a >> 3)
        self.choose_register(b >> 3)
        return True

    def second_new(self, a, b):
        """Of two variables the first is in a register, and the second, which occurs for the first time, gets
        one if it may."""
        pa: cython.longlong = (a >> 3) * VSIZE
        pb: cython.longlong = (b >> 3) * VSIZE
        if a & 7 != REF or b & 7 != REF or a == b:
            return False
        if not self.v[pa + V_SEEN] or self.v[pa + V_IN_Y] or self.v[pb + V_SEEN]:
            return False
        if self.env_done and self.v[pb + V_PERM]:
            return False
        self.v[pb + V_SEEN] = 1
        self.choose_register(b >> 3)
        return True

    # ---- registers

    def arrives_in(self, v, i):
        """A variable is argument i of the head: it claims that register, if it has none."""
        p: cython.longlong = v * VSIZE
        if self.v[p + V_SEEN]:
            return 0
        self.v[p + V_SEEN] = 1
        self.holders[i] = FREE
        if self.v[p] > 1:
            self.put_in(v, i)
        return 0

    def put_in(self, v, r):
        """A variable is in an argument register, which is its own."""
        self.v[v * VSIZE + V_REG] = r
        self.holders[r] = v
        return 0

    def set_register(self, v, r):
        """A variable is in a temporary register."""
        self.v[v * VSIZE + V_REG] = r
        return 0

    def choose_register(self, v):
        """A register for a variable that first occurs inside a structure."""
        w: cython.longlong = self.v[v * VSIZE + V_WANT]
        if w >= 0 and self.v[v * VSIZE + V_PERM] == 0 and self.holders[w] == FREE:
            self.put_in(v, w)
        else:
            self.set_register(v, self.new_temp())
        return 0

    def holder(self, r):
        """The variable that is in an argument register; FREE or BUSY if there is none."""
        return self.holders[r]

    def free(self, r):
        self.holders[r] = FREE
        return 0

    def argument_read(self, r):
        """The head has taken apart what arrived in a register."""
        if r < self.base and self.holders[r] == BUSY:
            self.holders[r] = FREE
        return 0

    def new_chunk(self):
        """Temporary registers are dead, and no variable is in an argument register."""
        i: cython.longlong
        self.temp = self.base
        for i in range(self.base + 1):
            self.holders[i] = FREE
        return 0

    def new_temp(self):
        self.temp += 1
        if self.temp > self.max_x:
            self.max_x = self.temp
        return self.temp - 1

    def spare(self):
        """A register for what is not needed: the first temporary one, between chunks."""
        if self.base + 1 > self.max_x:
            self.max_x = self.base + 1
        return self.base

    # ---- slots

    def new_slot(self):
        self.slots += 1
        return self.slots - 1

    def enter_environment(self):
        """The environment is there: variables seen so far that live in it move in. Returns register and slot
        of each."""
        p: cython.longlong
        i: cython.longlong
        moves = []
        for v in self.variables:
            p = v * VSIZE
            if self.v[p + V_PERM] and self.v[p + V_SEEN] and not self.v[p + V_IN_Y]:
                moves.append((self.v[p + V_REG], self.v[p + V_Y]))
                self.v[p + V_IN_Y] = 1
        self.env_done = True
        # registers of moved variables are free again, unless the chunk still uses them as temporaries
        for i in range(self.base + 1):
            if self.holders[i] >= 0 and self.v[self.holders[i] * VSIZE + V_PERM]:
                self.holders[i] = FREE
        return moves
