# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Instructions for terms: those that match a term of the source with what is in a register (GET_..., U_...),
and those that leave one in a register (PUT_..., B_...)."""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.prolog.compiler.variables import (
        IN_REGISTER,
        IN_SLOT,
        NEW_IN_REGISTER,
        NEW_IN_SLOT,
        ONLY_HERE,
    )


class TermCode:
    """Writes the code of terms."""

    def __init__(self, source, variables, code):
        self.source = source
        self.variables = variables
        self.code = code

    # ---- matching

    def match_head(self):
        """Match the arguments of the head with the argument registers."""
        variables = self.variables
        i: cython.longlong
        c: cython.longlong
        r: cython.longlong
        head: cython.longlong = self.source.head
        if head & 7 == ATM:
            return 0
        p: cython.longlong = self.source.arguments(head)
        n: cython.longlong = self.source.arity(head)
        # variables first: they only claim their register
        for i in range(n):
            c = self.source.cells[p + i]
            if c & 7 == REF:
                variables.arrives_in(c >> 3, i)
        for i in range(n):
            c = self.source.cells[p + i]
            if c & 7 == REF:
                r = variables.reg(c >> 3)
                if r >= 0 and r != i:
                    self.code.binds = True
                    self.code.emit3(GET_VAL, r, i)
                    variables.free(i)
                continue
            self.code.binds = True
            self.match(i, c)
            if c & 7 != LST and c & 7 != STR:
                variables.free(i)
        return 0

    def match(self, reg, c):
        """Match a register with a term that is no variable."""
        t: cython.longlong = c & 7
        if t == ATM or t == INT:
            self.code.emit3(GET_CONST, c, reg)
        elif t == BOX:
            self.emit_box(GET_BOX, reg, c)
        else:
            self.match_compound(reg, c)
        return 0

    def match_compound(self, reg, c):
        """Match a register with a compound term; breadth first."""
        source = self.source
        code = self.code
        queue = [(reg, c)]
        k: cython.longlong = 0
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        t: cython.longlong
        while k < len(queue):
            reg, c = queue[k]
            k += 1
            self.variables.argument_read(reg)
            if self.match_pair(reg, c):
                continue
            if c & 7 == LST:
                code.emit2(GET_LIST, reg)
            else:
                code.emit3(GET_STRUCT, source.cells[c >> 3], reg)
            # walk down the right spine: the last argument needs no register
            while True:
                p = source.arguments(c)
                n = source.arity(c)
                for i in range(n - 1):
                    self.match_argument(source.cells[p + i], queue)
                c = source.cells[p + n - 1]
                t = c & 7
                if t == LST:
                    code.emit(U_LIST)
                elif t == STR:
                    code.emit2(U_STRUCT, source.cells[c >> 3])
                else:
                    self.match_argument(c, queue)
                    break
        return 0

    def match_pair(self, reg, c):
        """One instruction for a compound term of two variables that is met often; False if it is another."""
        source = self.source
        variables = self.variables
        if source.arity(c) != 2:
            return False
        p: cython.longlong = source.arguments(c)
        a: cython.longlong = source.cells[p]
        b: cython.longlong = source.cells[p + 1]
        if variables.both_new(a, b):
            if c & 7 == LST:
                self.code.emit2(GET_LIST_VV, reg)
            else:
                self.code.emit3(GET_STRUCT_VV, source.cells[c >> 3], reg)
        elif c & 7 == LST and variables.second_new(a, b):
            self.code.emit2(GET_LIST_LV, reg)
        else:
            return False
        self.code.emit2(variables.reg(a >> 3), variables.reg(b >> 3))
        return True

    def match_argument(self, c, queue):
        """An argument of a compound term; if it is compound, a register that is matched later."""
        variables = self.variables
        code = self.code
        t: cython.longlong = c & 7
        v: cython.longlong = c >> 3
        r: cython.longlong
        where: cython.int
        if t == REF:
            where = variables.meet(v)
            if where == ONLY_HERE:
                code.emit2(U_VOID, 1)
            elif where == NEW_IN_SLOT:
                code.emit2(U_VAR_Y, variables.slot(v))
            elif where == NEW_IN_REGISTER:
                variables.choose_register(v)
                code.emit2(U_VAR, variables.reg(v))
            elif where == IN_SLOT:
                code.emit2(U_VAL_Y, variables.slot(v))
            else:
                code.emit2(U_VAL, variables.reg(v))
        elif t == ATM or t == INT:
            code.emit2(U_CONST, c)
        elif t == BOX:
            self.emit_box(U_BOX, -1, c)
        else:
            r = variables.new_temp()
            code.emit2(U_VAR, r)
            queue.append((r, c))
        return 0

    # ---- into registers

    def register_of(self, c):
        """A register that holds a term."""
        variables = self.variables
        v: cython.longlong = c >> 3
        r: cython.longlong
        where: cython.int
        if c & 7 != REF:
            r = variables.new_temp()
            self.put(r, c)
            return r
        where = variables.meet(v)
        if where == IN_REGISTER:
            return variables.reg(v)
        r = variables.new_temp()
        if where == IN_SLOT:
            self.code.emit3(PUT_Y, variables.slot(v), r)
        elif where == NEW_IN_SLOT:
            self.code.emit3(PUT_VAR_Y, variables.slot(v), r)
        else:
            self.code.emit2(PUT_VAR, r)
            variables.set_register(v, r)
        return r

    def put_arguments(self, goal):
        """Put the arguments of a goal into the argument registers."""
        k: cython.longlong
        p: cython.longlong = self.source.arguments(goal)
        for k in range(self.source.arity(goal)):
            self.put_argument(self.source.cells[p + k], k, goal)
        return 0

    def put_argument(self, c, k, goal):
        """Put a term into argument register k of a goal."""
        variables = self.variables
        code = self.code
        v: cython.longlong = variables.holder(k)
        where: cython.int
        if v >= 0 and not (c & 7 == REF and (c >> 3) == v):
            self.evict(k, v, goal)
        if c & 7 != REF:
            self.put(k, c)
            variables.free(k)
            return 0
        v = c >> 3
        where = variables.meet(v)
        if where == IN_REGISTER:
            if variables.reg(v) != k:
                code.emit3(MOVE, variables.reg(v), k)
                variables.free(k)
        elif where == IN_SLOT:
            code.emit3(PUT_Y, variables.slot(v), k)
            variables.free(k)
        elif where == NEW_IN_SLOT:
            code.emit3(PUT_VAR_Y, variables.slot(v), k)
            variables.free(k)
        else:
            code.emit2(PUT_VAR, k)
            variables.put_in(v, k)
        return 0

    def evict(self, k, v, goal):
        """Variable v is in register k, which is about to be overwritten: save it if this goal
        still needs it (arguments from k on, or inside the structure that goes to k)."""
        i: cython.longlong
        r: cython.longlong
        if goal & 7 != STR and goal & 7 != LST:
            return 0
        p: cython.longlong = self.source.arguments(goal)
        for i in range(k, self.source.arity(goal)):
            if self.source.occurs(v, self.source.cells[p + i]):
                r = self.variables.new_temp()
                self.code.emit3(MOVE, k, r)
                self.variables.set_register(v, r)
                break
        self.variables.free(k)
        return 0

    def put(self, reg, c):
        """Leave a term that is no variable in a register."""
        t: cython.longlong = c & 7
        if t == ATM or t == INT:
            self.code.emit3(PUT_CONST, c, reg)
        elif t == BOX:
            self.emit_box(PUT_BOX, reg, c)
        else:
            self.build(reg, c)
        return 0

    # ---- building

    def build(self, reg, c):
        """Leave a compound term in a register. The code of one worth noting has where it is stored."""
        code = self.code
        if not self.source.worth_noting(c):
            self.build_spines(reg, c)
            return 0
        site = code.label()
        known = code.label()
        code.place(site)
        code.emit2(KNOWN_TERM, reg)
        code.emit_label(known)
        code.emit2(-1, 0)
        self.build_spines(reg, c)
        code.emit2(NOTE_TERM, reg)
        code.emit_label(site)
        code.place(known)
        return 0

    def build_spines(self, reg, c):
        """Build a compound term on the heap and leave it in a register. Compound arguments that
        are not last are built first, in registers of their own (an explicit stack of spines)."""
        # todo: list of [reg, spine cell, stage]; a spine is emitted when its parts are ready
        source = self.source
        parts: dict = {}
        stack = [(reg, c, 0)]
        cell: cython.longlong
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        t: cython.longlong
        while stack:
            reg, cell, stage = stack.pop()
            if stage == 1:
                self.emit_spine(reg, cell, parts)
                continue
            stack.append((reg, cell, 1))
            while True:
                p = source.arguments(cell)
                n = source.arity(cell)
                for i in range(n - 1):
                    t = source.cells[p + i] & 7
                    if t == LST or t == STR:
                        r = self.variables.new_temp()
                        parts[p + i] = r
                        stack.append((r, source.cells[p + i], 0))
                cell = source.cells[p + n - 1]
                t = cell & 7
                if t != LST and t != STR:
                    break
        return 0

    def emit_spine(self, reg, c, parts):
        """PUT_LIST/PUT_STRUCT and the words of a term along its last arguments."""
        source = self.source
        code = self.code
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        t: cython.longlong
        if c & 7 == LST:
            code.emit2(PUT_LIST, reg)
        else:
            code.emit3(PUT_STRUCT, source.cells[c >> 3], reg)
        while True:
            p = source.arguments(c)
            n = source.arity(c)
            for i in range(n - 1):
                t = source.cells[p + i] & 7
                if t == LST or t == STR:
                    code.emit2(B_VAL, parts[p + i])
                else:
                    self.build_argument(source.cells[p + i])
            c = source.cells[p + n - 1]
            t = c & 7
            if t == LST:
                code.emit(B_LIST)
            elif t == STR:
                code.emit2(B_STRUCT, source.cells[c >> 3])
            else:
                self.build_argument(c)
                return 0

    def build_argument(self, c):
        """An argument that is not compound."""
        variables = self.variables
        code = self.code
        v: cython.longlong = c >> 3
        where: cython.int
        if c & 7 == REF:
            where = variables.meet(v)
            if where == ONLY_HERE:
                code.emit2(B_VOID, 1)
            elif where == NEW_IN_SLOT:
                code.emit2(B_VAR_Y, variables.slot(v))
            elif where == NEW_IN_REGISTER:
                variables.set_register(v, variables.new_temp())
                code.emit2(B_VAR, variables.reg(v))
            elif where == IN_SLOT:
                code.emit2(B_VAL_Y, variables.slot(v))
            else:
                code.emit2(B_VAL, variables.reg(v))
        elif c & 7 == BOX:
            self.emit_box(B_BOX, -1, c)
        else:
            code.emit2(B_CONST, c)
        return 0

    def emit_box(self, op, reg, c):
        """op [reg] n word...: a float or big integer as a constant."""
        n: cython.longlong = (self.source.boxes[c >> 4] >> 11) + 1
        i: cython.longlong
        self.code.emit(op)
        if reg >= 0:
            self.code.emit(reg)
        self.code.emit(n)
        for i in range(n):
            self.code.emit(self.source.boxes[(c >> 4) + i])
        return 0
