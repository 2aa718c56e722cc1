# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Instructions for the body of a clause: calls, inline goals, control constructs."""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.prolog.compiler.kinds import *  # noqa: F403
    from prism_repl.prolog.compiler.variables import NEW_IN_SLOT, ONLY_HERE


class Body:
    """Writes the code of goals."""

    def __init__(self, m, source, variables, code, terms, expressions):
        self.symbols = m.symbols
        self.program = m.program
        self.source = source
        self.variables = variables
        self.code = code
        self.terms = terms
        self.expressions = expressions

    def begin(self):
        self.depth = 0
        self.cuts = False
        self.level_y = -1
        self.alloc_at = -1
        return 0

    def end(self):
        """All goals are written: the number of slots is known."""
        if self.alloc_at >= 0:
            self.code.words[self.alloc_at] = self.variables.slots
        return 0

    def goals(self, c, last, fail_label, cut_y):
        """Compile a conjunction; fail_label: where failing tests jump, or -1; cut_y: the slot that a cut of
        its own looks at, or -1 for a cut of the clause."""
        p: cython.longlong
        while self.source.goal_kind(c) == G_AND:
            p = c >> 3
            self.goals(self.source.cells[p + 1], False, fail_label, cut_y)
            c = self.source.cells[p + 2]
        self.goal(c, last, fail_label, cut_y)
        return 0

    def goal(self, c, last, fail_label, cut_y):
        code = self.code
        source = self.source
        kind: cython.int = source.goal_kind(c)
        p: cython.longlong = c >> 3
        if kind == G_CALL:
            if not last:
                self.allocate()
            self.call(c, last)
            code.binds = False
            return 0
        if kind != G_TRUE and kind != G_FAIL and kind != G_UNIFY:
            code.emit_wake(self.variables.env_done)
        if kind == G_OR or kind == G_THEN or kind == G_SOFT or kind == G_NOT or kind == G_ONCE:
            self.allocate()
            self.condition(c, last, cut_y)
            return 0
        if kind == G_FAIL:
            if fail_label >= 0:
                code.emit(JUMP)
                code.emit_label(fail_label)
            else:
                code.emit(FAIL)
        elif kind == G_CUT:
            self.cut(cut_y)
        elif kind == G_UNIFY:
            self.unify(source.cells[p + 1], source.cells[p + 2])
        elif kind == G_EQUAL:
            self.test(EQUAL, c, fail_label)
        elif kind == G_TEST:
            self.test(TEST, c, fail_label)
        elif kind == G_COMPARE:
            self.test(COMPARE, c, fail_label)
        elif kind == G_IS:
            self.expressions.assign(c, self.depth)
        elif kind == G_CMP:
            self.expressions.compare(c, self.depth)
            code.emit_label(fail_label)
        if last:
            self.proceed()
        return 0

    # ---- the environment

    def allocate(self):
        """The environment: allocated once, after the neck; the variables seen so far move in."""
        variables = self.variables
        code = self.code
        if variables.env_done or not variables.needs_env:
            return 0
        moves: list = variables.enter_environment()
        code.emit3(ALLOC, 0, len(moves))  # the number of slots is patched at the end
        self.alloc_at = code.top - 2
        for r, y in moves:
            code.emit2(r, y)
        if variables.needs_level:
            self.level_y = variables.new_slot()
            code.emit2(GET_LEVEL, self.level_y)
        return 0

    def proceed(self):
        """The end of a clause whose last goal was inline."""
        self.code.emit(DPROCEED if self.variables.env_done else PROCEED)
        return 0

    def new_chunk(self):
        self.variables.new_chunk()
        self.code.ask_room()
        return 0

    # ---- calls

    def call(self, c, last):
        symbols = self.symbols
        code = self.code
        f: cython.longlong
        p: cython.longlong
        found: cython.longlong = -1
        t: cython.longlong = c & 7
        if t == REF:
            f = symbols.functor(symbols.atom("call"), 1)
            self.terms.put_argument(c, 0, c)
        elif t == ATM:
            f = symbols.functor(c, 0)
        else:
            f = symbols.list_functor if t == LST else self.source.cells[c >> 3] >> 3
            if self.program.pred(f) == self.program.p_msw and self.source.ground_size(c) > 0:
                # what a search found here once is noted in the code, and the call is left out
                found = code.label()
                code.emit(KNOWN_MSW)
                code.emit_label(found)
                code.emit2(-1, 0)
            self.terms.put_arguments(c)
        p = self.program.pred(f)
        if last:
            code.emit2(DEXEC if self.variables.env_done else EXEC, p)
        else:
            code.emit2(CALL, p)
        if found >= 0:
            code.place(found)
            if last:
                self.proceed()
        if not last:
            self.new_chunk()  # temporaries are dead
        return 0

    # ---- inline goals

    def cut(self, cut_y):
        self.cuts = self.cuts or cut_y < 0
        if cut_y >= 0:
            self.code.emit2(CUT_Y, cut_y)
        elif self.variables.env_done:
            self.code.emit2(CUT_Y, self.level_y)
        else:
            self.code.emit(NECK_CUT)
        return 0

    def test(self, op, c, fail_label):
        """A test of one or two terms."""
        p: cython.longlong = c >> 3
        two: cython.bint = self.source.arity(c) == 2
        r: cython.longlong = self.terms.register_of(self.source.cells[p + 1])
        s: cython.longlong = self.terms.register_of(self.source.cells[p + 2]) if two else -1
        self.code.emit3(op, self.source.goal_op(c), r)
        if two:
            self.code.emit(s)
        self.code.emit_label(fail_label)
        return 0

    def unify(self, a, b):
        variables = self.variables
        code = self.code
        terms = self.terms
        v: cython.longlong
        r: cython.longlong
        where: cython.int
        if b & 7 == REF and (a & 7 != REF or (not variables.seen(b >> 3) and variables.seen(a >> 3))):
            a, b = b, a
        if a & 7 == REF:
            v = a >> 3
            if not variables.seen(v) and not self.source.occurs(v, b):
                r = terms.register_of(b)
                where = variables.meet(v)  # if it is met here only, only the variables of b matter
                if where == NEW_IN_SLOT:
                    code.emit3(SET_Y, r, variables.slot(v))
                elif where != ONLY_HERE and b & 7 == REF:
                    # a register of its own: the other one may be overwritten
                    variables.set_register(v, variables.new_temp())
                    code.emit3(MOVE, r, variables.reg(v))
                elif where != ONLY_HERE:
                    variables.set_register(v, r)
                return 0
            code.binds = True
            r = terms.register_of(a)
            if b & 7 == REF or self.source.worth_noting(b):
                code.emit3(GET_VAL, terms.register_of(b), r)
            else:
                terms.match(r, b)
            return 0
        code.binds = True
        r = terms.register_of(a)
        code.emit3(GET_VAL, terms.register_of(b), r)
        return 0

    # ---- control

    def condition(self, c, last, cut_y):
        """(A;B), (C->A;B), (C*->A;B), (C->A), \\+ C, once(C)."""
        source = self.source
        kind: cython.int = source.goal_kind(c)
        first: cython.longlong = source.cells[(c >> 3) + 1]
        then: cython.longlong = self.symbols.a_true
        other: cython.longlong = self.symbols.a_fail
        self.depth += 1  # not too deep: `variables` has walked here, too
        self.give_values(c)
        if source.is_plain_or(c):
            self.alternatives(c, last, cut_y)
        else:
            if kind == G_OR:
                other = source.cells[(c >> 3) + 2]
                c = first
                kind = source.goal_kind(c)
                first = source.cells[(c >> 3) + 1]
            if kind == G_THEN or kind == G_SOFT:
                then = source.cells[(c >> 3) + 2]
            elif kind == G_NOT:
                then = self.symbols.a_fail
                other = self.symbols.a_true
            self.if_then_else(first, then, other, kind == G_SOFT, last, cut_y)
        self.depth -= 1
        return 0

    def if_then_else(self, cond, then, other, soft, last, cut_y):
        code = self.code
        y: cython.longlong
        otherwise = code.label()
        end = code.label()
        if self.source.is_simple_test(cond):
            self.new_chunk()
            self.goals(cond, False, otherwise, -1)
            self.branch(then, last, cut_y, end)
            binds: cython.bint = code.binds
            code.place(otherwise)
        else:
            y = self.variables.new_slot()
            code.emit2(GET_B, y)
            code.emit(TRY_ELSE)
            code.emit_label(otherwise)
            self.new_chunk()
            local: cython.longlong = y
            if self.source.has_cut(cond):
                # it is local to the condition: the way to the other branch stays open
                local = self.variables.new_slot()
                code.emit2(GET_B, local)
            self.goals(cond, False, -1, local)
            code.emit_wake(self.variables.env_done)
            code.emit2(SOFT_CUT if soft else CUT_Y, y)
            self.branch(then, last, cut_y, end)
            binds = code.binds
            code.place(otherwise)
            code.emit(TRUST)
        self.branch(other, last, cut_y, -1)
        code.binds = code.binds or binds
        code.place(end)
        self.new_chunk()
        return 0

    def alternatives(self, c, last, cut_y):
        """A;B;C: a chain of alternatives shares one choice point."""
        code = self.code
        end = code.label()
        alternative = code.label()
        code.emit(TRY_ELSE)
        code.emit_label(alternative)
        self.branch(self.source.cells[(c >> 3) + 1], last, cut_y, end)
        binds: cython.bint = code.binds
        c = self.source.cells[(c >> 3) + 2]
        while self.source.is_plain_or(c):
            code.place(alternative)
            alternative = code.label()
            code.emit(RETRY_ELSE)
            code.emit_label(alternative)
            self.branch(self.source.cells[(c >> 3) + 1], last, cut_y, end)
            binds = binds or code.binds
            c = self.source.cells[(c >> 3) + 2]
        code.place(alternative)
        code.emit(TRUST)
        self.branch(c, last, cut_y, -1)
        code.binds = code.binds or binds
        code.place(end)
        self.new_chunk()
        return 0

    def branch(self, c, last, cut_y, end):
        """One branch; afterwards jump to the label end (-1: fall through)."""
        self.new_chunk()
        self.code.binds = False
        self.goals(c, last, -1, cut_y)
        if not last and end >= 0:
            self.code.emit(JUMP)
            self.code.emit_label(end)
        return 0

    def give_values(self, c):
        """Variables with a slot that first occur inside a control construct get their value before it."""
        source = self.source
        variables = self.variables
        stack = [c]
        i: cython.longlong
        p: cython.longlong
        t: cython.longlong
        while stack:
            c = stack.pop()
            t = c & 7
            if t == REF:
                if variables.awaits_slot(c >> 3):
                    variables.meet(c >> 3)
                    self.code.emit3(PUT_VAR_Y, variables.slot(c >> 3), variables.spare())
            elif t == LST or t == STR:
                p = source.arguments(c)
                for i in range(source.arity(c)):
                    stack.append(source.cells[p + i])
        return 0
