# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""What the loop does not do itself: all that may move an area, raise, or take long.

The loop has saved its registers; the work here is on the attributes, and its result says how the loop goes
on: R_GO at self.P, R_FAIL, R_CALL of the predicate self.called (R_CALL_LOOKED: past the look ahead,
R_CALL_CLAUSES: past its table, too), R_YES and R_NO. Afterwards the loop loads everything again.
"""

import cython

from prism_repl.core.errors import PrologError, resource_error
from prism_repl.model.msw import Msw
from prism_repl.tabling.components import Evaluation

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class OutOfLine(Msw):
    """Instructions, or cases of instructions, that are done outside the loop."""

    def __init__(self):
        Msw.__init__(self)
        self.ticks = TICKS
        self.inferences = 0
        self.running_pred = 0
        self.called = 0
        self.S = 0
        self.in_store = False
        self.call_result = R_CALL
        self.prolog_flags = {}
        self.cleanup_b = 0
        self.cleaner = None

    def out_of_line(self, what):
        if what == OUT_UNIFY:
            return R_GO if self.unify(self.left, self.right) else R_FAIL
        elif what == OUT_RETRY:
            return self.retry()
        elif what == OUT_TABLE:
            return self.tabled_call(self.called)
        elif what == ANSWER:
            return self.answer_instruction()
        elif what == OUT_HOST:
            return self.host_call(self.called)
        elif what == NATIVE:
            return self.native_instruction()
        elif what == MSW:
            return self.msw_instruction()
        elif what == BODY:
            return self.body_instruction()
        elif what == CALLN:
            return self.call_instruction()
        elif what == ADD or what == SUB or what == MUL or what == ARITH2 or what == ARITH1 or what == EVAL:
            return self.arithmetic(what)
        elif what == CMP:
            return self.comparison()
        elif what == EQUAL or what == COMPARE or what == TEST:
            return self.test(what)
        elif what == OUT_POLL:
            self.running_pred = 0
            self.poll(self.preds[self.called * PSIZE + P_ARITY])
            return self.call_result
        elif what == OUT_RETURN:
            self.running_pred = 0
            self.poll(0)  # at a return no argument register is live
            return R_GO
        elif what == OUT_ROOM:  # which the loop makes before it goes on
            return R_GO
        elif what == OUT_LOOK:
            return self.look(self.called)
        elif what == OUT_MAY_SUCCEED:
            self.may_succeed()
            self.undo_to(self.choice[self.B + B_TR])
            self.msw_site = 0
            return R_FAIL
        elif what == OUT_SIGNALS:
            self.check_signals()
            return R_GO
        elif what == OUT_UNDEFINED:
            self.running_pred = 0
            self.undefined(self.called)
            return R_FAIL
        elif what == OUT_NO:
            return R_NO
        elif what == STOP:
            return R_YES
        elif what == CATCH:
            return self.catch_instruction()
        elif what == CLAUSE_TRY:
            return self.clause_instruction()
        return self.rare_instruction(what)

    def rare_instruction(self, op):
        """Instructions that are met once in a while, or are done by the loop until an area is full."""
        p: cython.longlong = self.P
        n: cython.longlong
        c: cython.longlong
        if op == ALLOC:
            n = self.E + E_SLOTS + self.env[self.E + E_N]
            if self.choice[self.B + B_ETOP] > n:
                n = self.choice[self.B + B_ETOP]
            self.grow_env(n + self.code[p + 1] + 64)
            return R_GO
        if op == ROOM:
            n = self.code[p + 1]
            self.room(n + 2 * MARGIN)
            self.trail_room(n + 2 * MARGIN)
            self.P = p + 2
            return R_GO
        if op == KNOWN_MSW:
            self.push_item(self.code[p + 3])
            self.P = self.code[p + 1]
            return R_GO
        if op == NOTE_TERM:
            return self.note_term()
        if op == U_BOX or op == B_BOX:
            # the box goes behind the structure that is being written: it is put in the store, so that it
            # is not in the way
            n = self.code[p + 1]
            c = self.code_box(p + 2, n)
            self.P = p + 2 + n
            if op == B_BOX or self.S == 0:
                self.heap[self.H] = c
                self.H += 1
                return R_GO
            self.S += 1
            if self.in_store:
                return R_GO if self.unify(c, self.store[self.S - 1]) else R_FAIL
            return R_GO if self.unify(c, self.heap[self.S - 1]) else R_FAIL
        raise SystemError("unknown instruction")

    def note_term(self):
        """A ground term of a clause was built: it is stored, and the code notes where."""
        p: cython.longlong = self.P
        c: cython.longlong = self.intern(self.x[self.code[p + 1]], False)
        i: cython.longlong = self.code[p + 2]
        self.x[self.code[p + 1]] = c
        self.code[i + 3] = self.store_number
        self.code[i + 4] = c
        if self.log_size > 0 and c & 7 >= BOX:
            self.note_place(i + 4)
        self.P = p + 3
        return R_GO

    # ---- arithmetic and comparison

    def operand_at(self, at):
        """The dereferenced cell of an operand: its kind and its value are at an address."""
        kind: cython.longlong = self.code[at]
        v: cython.longlong = self.code[at + 1]
        if kind == OX:
            return self.deref(self.x[v])
        if kind == OC:
            return v
        return self.deref(self.env[self.E + E_SLOTS + v])

    def arithmetic(self, op):
        """An operation on what are not both small integers, or whose result is none."""
        p: cython.longlong = self.P
        c: cython.longlong
        self.running_pred = self.p_is
        if op == EVAL:
            c = self.evaluate(self, self.operand_at(p + 2))
            self.x[self.code[p + 1]] = c
            self.P = p + 4
        elif op == ARITH1:
            c = self.evaluate(self, self.new_struct1(self.code[p + 1], self.operand_at(p + 3)))
            self.x[self.code[p + 2]] = c
            self.P = p + 5
        elif op == ARITH2:
            self.x[self.code[p + 2]] = self.binary(
                self.code[p + 1], self.operand_at(p + 3), self.operand_at(p + 5)
            )
            self.P = p + 7
        else:
            c = self.f_plus if op == ADD else (self.f_minus if op == SUB else self.f_times)
            self.x[self.code[p + 1]] = self.binary(c, self.operand_at(p + 2), self.operand_at(p + 4))
            self.P = p + 6
        self.running_pred = 0
        return R_GO

    def binary(self, f, a, b):
        """The value of an operation with two operands."""
        v: cython.double
        w: cython.double
        # sums and products of floats, whose value is finite, need no evaluation of a term
        if (
            self.is_float(a)
            and self.is_float(b)
            and (f == self.f_plus or f == self.f_minus or f == self.f_times)
        ):
            v = self.float_value(a)
            w = self.float_value(b)
            if f == self.f_plus:
                v = v + w
            elif f == self.f_minus:
                v = v - w
            else:
                v = v * w
            if v - v == 0.0:
                return self.float_cell(v)
        return self.evaluate(self, self.new_struct2(f, a, b))

    def comparison(self):
        """CMP of what are not both small integers."""
        p: cython.longlong = self.P
        op: cython.longlong = self.code[p + 1]
        self.running_pred = -1 - op
        holds: cython.bint = self.compare_values(op, self.operand_at(p + 2), self.operand_at(p + 4))
        self.running_pred = 0
        return self.branch_on(holds, p + 7, self.code[p + 6])

    def branch_on(self, holds, following, otherwise):
        """After a test: go on with the following instruction, or where the test says (0: fail)."""
        if holds:
            self.P = following
        elif otherwise != 0:
            self.P = otherwise
        else:
            return R_FAIL
        return R_GO

    def test(self, op):
        """Tests that walk over a term, and comparisons in the standard order."""
        p: cython.longlong = self.P
        a: cython.longlong = self.x[self.code[p + 2]]
        b: cython.longlong
        i: cython.longlong
        t: cython.longlong = self.code[p + 1]
        holds: cython.bint
        if op == TEST:
            return self.branch_on(self.is_ground(a), p + 4, self.code[p + 3])
        b = self.x[self.code[p + 3]]
        if self.mode == 2 and self.sees_rest(a, b):
            return self.out_of_line(OUT_MAY_SUCCEED)
        i = self.compare(a, b)
        if op == EQUAL:
            holds = (i == 0) == (t == 0)
        elif t == C_LT:
            holds = i < 0
        elif t == C_LE:
            holds = i <= 0
        elif t == C_GT:
            holds = i > 0
        else:
            holds = i >= 0
        return self.branch_on(holds, p + 5, self.code[p + 4])

    # ---- goals as data

    def call_instruction(self):
        """CALLN: call/N with its goal in x[0]."""
        n: cython.longlong = self.code[self.P + 1]
        a: cython.longlong = self.deref(self.x[0])
        d: cython.longlong
        i: cython.longlong
        p: cython.longlong
        self.running_pred = 0
        p = self.goal_pred(a, n - 1)
        d = self.arity_of(a)
        self.x_room(d + n)
        if self.preds[p * PSIZE + P_FLAGS] & F_CONTROL:
            if n > 1:
                a = self.with_arguments(a, n - 1)
            self.x[0] = self.body_goal(a)
            self.x[1] = self.B << 3 | INT
            self.P = self.preds[self.p_body * PSIZE + P_ENTRY]
            return R_GO
        if d > 1:
            for i in range(n - 1, 0, -1):
                self.x[d + i - 1] = self.x[i]
        elif d == 0:
            for i in range(1, n):
                self.x[i - 1] = self.x[i]
        for i in range(d):
            self.x[i] = self.part(a, i)
        self.called = p
        return R_CALL

    def body_instruction(self):
        """BODY: '$body'(Goal, Cut) takes a control construct apart; its parts are called by the library."""
        a: cython.longlong = self.deref(self.x[0])
        b: cython.longlong = self.x[1]
        c: cython.longlong
        d: cython.longlong
        i: cython.longlong
        self.running_pred = 0
        if a == self.a_cut:
            self.B = b >> 3
            self.P = self.CP
            return R_GO
        d = self.functor_of(a) if a & 7 == STR or a & 7 == GST else -1
        if d == self.f_semicolon or d == self.f_bar:
            c = self.part(a, 0)
            i = self.functor_of(c) if c & 7 == STR or c & 7 == GST else -1
            if i == self.f_arrow or i == self.f_softarrow:
                self.x[2] = self.part(a, 1)
                self.x[0] = self.part(c, 0)
                self.x[1] = self.part(c, 1)
                self.x[3] = b
                self.called = self.p_ite if i == self.f_arrow else self.p_soft
                return R_CALL
            self.called = self.p_or
        elif d == self.comma_functor:
            self.called = self.p_and
        elif d == self.f_arrow:
            self.called = self.p_ifthen
        elif d == self.f_softarrow:
            self.called = self.p_softthen
        else:
            self.x[0] = a
            self.P = self.call_code
            return R_GO
        self.x[0] = self.part(a, 0)
        self.x[1] = self.part(a, 1)
        self.x[2] = b
        return R_CALL

    def catch_instruction(self):
        b: cython.longlong = self.push_choice(BK_CATCH, 0)
        self.choice[b + B_1] = self.E
        self.choice[b + B_2] = self.findall_top
        self.choice[b + B_3] = self.findall_mark
        self.env[self.E + E_SLOTS + self.code[self.P + 1]] = b << 3 | INT
        self.x[0] = self.env[self.E + E_SLOTS]
        self.P += 2
        return R_GO

    # ---- builtins

    def native_instruction(self):
        number: cython.longlong = self.code[self.P + 1]
        p: cython.longlong = self.P + 2
        self.running_pred = -10 - number
        found: cython.int = self.native(number)
        self.running_pred = 0
        self.P = p
        return R_GO if found == 1 else R_FAIL

    def clause_instruction(self):
        """CLAUSE_TRY: clause/2 and '$clause'/3."""
        self.running_pred = self.p_clause
        if self.code[self.P + 1] == 1:
            self.clause_access()
        found: cython.int = self.clause_first()
        self.running_pred = 0
        self.P = self.CP
        return R_GO if found == 1 else R_FAIL

    def host_call(self, p):
        """A predicate written in Python."""
        self.called = 0
        self.running_pred = p
        found: cython.bint = self.call_host(self.preds[p * PSIZE + P_ENTRY], self.preds[p * PSIZE + P_ARITY])
        self.running_pred = 0
        self.P = self.CP
        return R_GO if found else R_FAIL

    def call_host(self, number, n):
        """Call a builtin written in Python with its dereferenced arguments."""
        f = self.hosts[number]
        i: cython.longlong
        if n == 0:
            return f(self)
        if n == 1:
            return f(self, self.deref(self.x[0]))
        if n == 2:
            return f(self, self.deref(self.x[0]), self.deref(self.x[1]))
        if n == 3:
            return f(self, self.deref(self.x[0]), self.deref(self.x[1]), self.deref(self.x[2]))
        a: cython.longlong = self.deref(self.x[0])
        b: cython.longlong = self.deref(self.x[1])
        c: cython.longlong = self.deref(self.x[2])
        d: cython.longlong = self.deref(self.x[3])
        if n == 4:
            return f(self, a, b, c, d)
        if n == 5:
            return f(self, a, b, c, d, self.deref(self.x[4]))
        if n == 6:
            return f(self, a, b, c, d, self.deref(self.x[4]), self.deref(self.x[5]))
        args = [a, b, c, d]
        for i in range(4, n):
            args.append(self.deref(self.x[i]))
        return f(self, *args)

    def undefined(self, p):
        """Call of an unknown predicate: an error, or a failure, as the flag unknown says."""
        f: cython.longlong = self.preds[p * PSIZE + P_FUNCTOR]
        self.called = 0
        unknown = self.prolog_flags.get("unknown", "error")
        if unknown == "warning":
            name = f"{self.atom_text(self.functor_name[f])}/{self.functor_arity[f]}"
            self.streams.current_output.write(f"** Warning: Undefined procedure: {name}\n")
        if unknown != "error":
            return 0
        indicator = self.struct("/", self.functor_name[f], self.functor_arity[f] << 3 | INT)
        raise PrologError("existence_error", "procedure", indicator, context=("call", 1))

    # ---- tables and switches

    @cython.final
    def tabled_call(self, p):
        i: cython.longlong
        if self.preds[p * PSIZE + P_FLAGS] & F_MODED:
            return self.moded_call(p)
        i = self.known_table(p, self.preds[p * PSIZE + P_ARITY])
        self.called = 0
        if i != 0 and self.fails_at_once(i, self.B):
            return self.failed()
        self.running_pred = p
        if i != 0:
            i = Evaluation.table_call(self, p, i)
        else:
            i = self.table_call(p, 0)
        return self.table_called(p, i)

    def moded_call(self, p):
        """A call of a predicate that is tabled with modes."""
        self.running_pred = p
        t: cython.longlong = self.moded.table(self, p)
        if t == 0:
            self.running_pred = 0
            return R_CALL
        self.called = 0
        return self.table_called(p, Evaluation.table_call(self, p, t))

    @cython.final
    def table_called(self, p, i):
        """Go on after a call of p, as table_call says."""
        self.running_pred = 0
        if i == 2:  # a new table: go on with the clauses
            self.called = p
            return R_CALL_CLAUSES
        if i == 0:
            return self.failed()
        if i != 4:
            self.P = self.CP
        return R_GO

    def look(self, p):
        """A call in a look ahead."""
        i: cython.longlong = self.look_at_call(p)
        if i == 0:
            return R_CALL_LOOKED
        if i == 2:
            return R_CALL_CLAUSES
        self.called = 0
        if i == 4:
            return R_GO
        if i == 3:
            self.may_succeed()
            self.msw_site = 0
        return R_FAIL

    @cython.final
    def answer_instruction(self):
        if self.mode == 2:
            self.may_succeed()
            return R_FAIL
        self.answer()
        return self.failed()

    @cython.final
    def msw_instruction(self):
        self.running_pred = self.p_msw
        found: cython.int = self.msw_first()
        self.running_pred = 0
        self.P = self.CP
        return R_GO if found == 1 else self.failed()

    # ---- backtracking

    @cython.final
    def failed(self):
        """Failure of what was done here. In a search the newest choice point is mostly one that is gone on
        with here, too: then it need not go through the loop."""
        b: cython.longlong
        kind: cython.longlong
        result: cython.int = R_FAIL
        while result == R_FAIL and self.mode != 2:
            b = self.B
            kind = self.choice[b + B_KIND]
            if not (
                kind == BK_ANSWERS or kind == BK_GENERATOR or (kind == BK_MSW and self.choice[b + B_3] == 2)
            ):
                break
            self.ticks -= 1
            if self.TR > self.choice[b + B_TR]:
                self.undo_to(self.choice[b + B_TR])
            self.H = self.choice[b + B_H]
            self.E = self.choice[b + B_E]
            self.CP = self.choice[b + B_CP]
            self.XT = self.choice[b + B_XT]
            result = self.retry()
        return result

    @cython.final
    def retry(self):
        """The next way of a choice point that is not one of clauses or code: bindings are undone."""
        b: cython.longlong = self.B
        kind: cython.longlong = self.choice[b + B_KIND]
        a: cython.longlong
        i: cython.longlong
        if kind == BK_MSW and self.choice[b + B_3] == 2 and self.XT + 8 < self.expl_size:
            return self.retry_outcome()
        x: cython.p_longlong = self.x
        choice: cython.p_longlong = self.choice
        for i in range(choice[b + B_N]):
            x[i] = choice[b + B_ARGS + i]
        if kind == BK_GENERATOR:
            a = self.take_branch(b)
            if a != 0:
                self.E = self.choice[b + B_ETOP]
                self.CP = self.answer_code
                self.CUT = b
                self.P = a + C_CODE
                return R_GO
        self.HB = self.H
        if self.ticks <= 0:
            self.check_signals()
        if kind == BK_ANSWERS:
            i = self.answers_next()
        elif kind == BK_CLAUSEREF:
            i = self.clause_next()
        elif kind == BK_MSW:
            i = self.msw_next()
        else:
            i = self.look_done() if kind == BK_LOOK else self.generator_done()
            if i == 2:
                a = self.running[(self.running_top - 1) * RUN_SIZE + RUN_TABLE]
                self.called = self.tables[a * TB_SIZE + TB_PRED]
                return R_CALL_CLAUSES
            if i == 4:
                return R_GO
        self.P = self.CP
        return R_FAIL if i == 0 else R_GO

    @cython.final
    def retry_outcome(self):
        """The next outcome that has to be tried as a branch of a table."""
        b: cython.longlong = self.B
        i: cython.longlong = self.next_outcome()
        s: cython.longlong = self.choice[b + B_1]
        a: cython.longlong
        if i < 0:
            self.B = self.choice[b + B_PREV]
            return R_FAIL
        a = self.choice[b + B_ARGS + 1] >> 3
        self.heap[a] = self.outcomes[self.switch_first[s] + i]
        self.expl[self.XT] = (self.switch_base[s] + i) << 1 | 1
        self.XT += 1
        if a < self.choice[self.B + B_H]:
            self.trail_room(1)
            self.trail[self.TR] = a
            self.TR += 1
        self.P = self.CP
        return R_GO

    # ---- signals and room

    def poll(self, nargs):
        """At a call or a return: look at signals; make room or collect garbage."""
        due: cython.bint = COLLECTS and self.ticks <= 0 and self.watch == 0
        if self.ticks <= 0:
            self.check_signals()
        if self.cleanup_b != 0 and self.watch == 0 and self.cleanup_is_due():
            self.run_cleanups(nargs)
        full: cython.bint = self.TR + MARGIN > self.trail_size and self.TR > (1 << 17)
        if self.H > self.gc_threshold or full or due:
            if self.watch != 0:  # nothing moves in a look ahead: it is given up
                raise resource_error("memory")
            self.collect(nargs)
        self.room(4 * MARGIN)
        self.trail_room(4 * MARGIN)

    def check_signals(self):
        self.inferences += TICKS - self.ticks
        self.ticks = TICKS
        self.check_interrupt()
        if self.cleanup_b != 0:
            self.poll_soon()
            self.inferences -= 1  # the call that is held up here counts again when it goes on

    def poll_soon(self):
        """Look at signals and cleanups at the next call."""
        self.inferences += 2 - self.ticks
        self.ticks = 2
        return 0

    def await_cut(self, b):
        """The newest cleanup waits for choice point b to go; 0: there is none."""
        self.cleanup_b = b
        if b != 0:
            self.cleanup_clause = self.choice[b + B_1]
            self.poll_soon()
        return 0

    def cleanup_is_due(self):
        """Has the choice point of the newest cleanup gone?"""
        b: cython.longlong = self.cleanup_b
        if self.B < b:
            return True
        return self.choice[b + B_KIND] != BK_CLAUSE or self.choice[b + B_1] != self.cleanup_clause

    def run_cleanups(self, nargs):
        """Run the cleanups that are due before the call whose arguments are in x goes on."""
        # cells are not moved while another query runs
        args = [self.x[i] for i in range(nargs)]
        called: cython.longlong = self.called
        result: cython.longlong = self.call_result
        self.cleaner(self)
        for i in range(nargs):
            self.x[i] = args[i]
        self.called = called
        self.call_result = result
        return 0
