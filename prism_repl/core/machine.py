# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -fno-tree-slp-vectorize
"""The machine: queries, exceptions, and the loop that executes instructions.

What the loop works on has files of its own, each a class that extends the one before: memory.py (terms),
program.py (predicates and code), stacks.py, natives.py, tabling.py, msw.py.

Variables live on the heap only, so a last call never leaves a dangling reference. Environments
and choice points have stacks of their own. In the instruction chain of run(), success continues
the loop; falling out of the chain is failure. Anything that may move an area or raise works on the
attributes (self.H ...), and run() reloads its local copies afterwards.
"""

import cython

from prism_repl.core.errors import PrologError, PrologHalt, PrologThrow, resource_error
from prism_repl.model.msw import Msw
from prism_repl.tabling.components import Evaluation

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.memory import grow_area


class Query:
    """A goal being solved. Queries on one machine nest: the innermost must end first."""

    def __init__(self, m, goal):
        self.m = m
        self.saved = m.begin_query(goal)
        self.started = False
        self.closed = False
        self.pending = False

    def next(self):
        """Find the next solution."""
        m = self.m
        if self.closed:
            return False
        try:
            found = m.resume(self.started)
        except BaseException:
            self.close()
            raise
        self.started = True
        if not found:
            self.close()
            return False
        self.pending = m.has_alternatives(self.saved)
        return True

    def close(self):
        """Forget the query: bindings are undone, memory is given back."""
        if not self.closed:
            self.closed = True
            self.pending = False
            self.m.end_query(self.saved, False)

    def commit(self):
        """Keep the bindings of the last solution, drop the alternatives."""
        if not self.closed:
            self.closed = True
            self.pending = False
            self.m.end_query(self.saved, True)


class Machine(Msw):
    """A Prolog machine. Builtins, operators, streams and library are attached by system.py."""

    def __init__(self):
        Msw.__init__(self)
        self.ticks = TICKS
        self.inferences = 0
        self.running_pred = 0
        self.called = 0
        self.tracer = None
        self.prolog_flags = {}
        self.state = {}

    # ---- queries

    def begin_query(self, goal):
        """Prepare to solve a goal; returns what end_query needs."""
        etop: cython.longlong = self.E + E_SLOTS + self.env[self.E + E_N]
        if self.choice[self.B + B_ETOP] > etop:
            etop = self.choice[self.B + B_ETOP]
        # a frame of its own, so that the query does not reuse the environment that is current
        self.grow_env(etop + E_SLOTS)
        saved = (
            self.E,
            self.B,
            self.CP,
            self.P,
            self.CUT,
            self.HB,
            self.XT,
            self.floor,
            self.H,
            self.TR,
            self.findall_top,
            self.findall_mark,
            self.running_top,
            self.component_top,
            self.mode,
        )
        self.env[etop + E_PREV] = self.E
        self.env[etop + E_CP] = self.CP
        self.env[etop + E_N] = 0
        self.E = etop
        self.CP = self.stop_code
        self.floor = self.H
        self.push_choice(BK_STOP, 0)
        self.x[0] = goal
        self.P = self.call_code
        return saved

    def resume(self, backtrack):
        return self.run(backtrack) == 1

    def has_alternatives(self, saved):
        """True if choice points were left by the query."""
        return self.choice[self.B + B_KIND] != BK_STOP

    def end_query(self, saved, keep):
        b: cython.longlong = saved[1]
        self.drop_generators(b)
        if not keep:
            self.undo_to(saved[9])
            self.H = saved[8]
        self.E = saved[0]
        self.B = b
        self.CP = saved[2]
        self.P = saved[3]
        self.CUT = saved[4]
        self.HB = saved[5]
        self.XT = saved[6]
        self.floor = saved[7]
        self.findall_top = saved[10]
        self.findall_mark = saved[11]
        self.running_top = saved[12]
        self.component_top = saved[13]
        self.mode = saved[14]
        if b == 0 and not keep:
            self.shrink()

    def shrink(self):
        """Give memory back after a top-level query."""
        big: cython.longlong = 1 << 20
        if self.heap_size > big and self.H < big // 2:
            self.heap = grow_area(self.heap, self.heap_size, big)
            self.heap_size = big
        if self.trail_size > big and self.TR < big // 2:
            self.trail = grow_area(self.trail, self.trail_size, big)
            self.trail_size = big
        if self.env_size > big:
            self.env = grow_area(self.env, self.env_size, big)
            self.env_size = big
        if self.choice_size > big:
            self.choice = grow_area(self.choice, self.choice_size, big)
            self.choice_size = big
        if self.findall_size > big:
            self.findall = grow_area(self.findall, self.findall_size, big)
            self.findall_size = big
        if self.image_size > big:
            self.image = grow_area(self.image, self.image_size, big)
            self.image_size = big
        if self.work_size > big:
            self.work = grow_area(self.work, self.work_size, big)
            self.work_size = big
        self.set_threshold()
        self.free_graveyard()

    def open_query(self, goal):
        """A Query for a goal cell."""
        return Query(self, goal)

    def solve_once(self, goal):
        """Run a goal to its first solution; bindings stay. Cells that the caller holds stay valid."""
        query = Query(self, goal)
        if query.next():
            query.commit()
            return True
        return False

    def explain(self, goal):
        """Search all explanations of a goal in explanation mode. Returns the nodes of its answers
        (numbers as in node_term, paths ...), in the order found."""
        mode: cython.longlong = self.mode
        self.goal_number += 1
        if self.running_top == 0:
            self.forget_shared()
        self.forget_rows()
        self.forget_branch()
        c: cython.longlong = self.deref(goal)
        p: cython.longlong = self.goal_pred(c, 0)
        n: cython.longlong = self.arity_of(c)
        i: cython.longlong
        a: cython.longlong
        t: cython.longlong
        query = Query(self, self.struct(",", c, self.a_fail))
        self.mode = 1
        try:
            query.next()
        finally:
            query.close()
            self.mode = mode
            self.watch = 0
        self.x_room(n)
        for i in range(n):
            self.x[i] = self.arg(c, i)
        t = self.table_of(self.call_key(p, n), p)
        found = []
        a = self.tables[t * TB_SIZE + TB_FIRST]
        while a != 0:
            found.append(self.answers[a * AN_SIZE + AN_NODE])
            a = self.answers[a * AN_SIZE + AN_NEXT]
        return found

    def forget_terms(self):
        """Between queries: drop tables and every stored term."""
        self.clear_tables()
        self.reset_store()

    # ---- exceptions

    def error_record(self, error, p):
        """The frozen ball of a Python-side error raised while predicate p was running."""
        if isinstance(error, PrologThrow):
            return error.record
        if isinstance(error, PrologError):
            if error.announcement is not None:
                self.streams.complain(error.announcement)
                error.announcement = None
            formal: cython.longlong = error.formal(self)
            if error.context is not None:
                name: cython.longlong = self.atom(error.context[0])
                arity: cython.longlong = error.context[1]
            elif p > 0:
                name = self.functor_name[self.preds[p * PSIZE + P_FUNCTOR]]
                arity = self.preds[p * PSIZE + P_ARITY]
            else:
                name = self.atom("call")
                arity = 1
            context = self.struct("/", name, arity << 3 | INT)
            try:
                return self.freeze(self.struct("error", formal, context))
            except PrologError:  # the culprit is cyclic, so it cannot be part of a ball
                formal = self.struct("type_error", self.atom("acyclic_term"), self.atom("..."))
                return self.freeze(self.struct("error", formal, context))
        if isinstance(error, (MemoryError, RecursionError, OverflowError)):
            return self.error_record(resource_error("memory"), p)
        text = type(error).__name__ + ": " + str(error)
        return self.error_record(PrologError("system_error", text), p)

    def unwind(self, record):
        """Find the catch/3 that takes the ball; on return the registers are set for its recovery.
        Raises PrologThrow when the query has none."""
        b: cython.longlong
        e: cython.longlong
        chain: cython.longlong = self.E
        ball: cython.longlong
        self.msw_site = 0
        self.forget_branch()
        while True:
            b = self.B
            if self.choice[b + B_KIND] == BK_STOP:
                self.undo_to(self.choice[b + B_TR])
                self.H = self.choice[b + B_H]
                self.XT = self.choice[b + B_XT]
                raise PrologThrow(record)
            if self.choice[b + B_KIND] == BK_GENERATOR:
                self.drop_generator(b)
            if self.choice[b + B_KIND] == BK_CATCH:
                e = self.choice[b + B_1]
                # only a catch whose goal is still running takes the ball: its frame is then on
                # the chain of continuations
                while chain > e:
                    chain = self.env[chain + E_PREV]
                if chain == e:
                    self.undo_to(self.choice[b + B_TR])
                    self.H = self.choice[b + B_H]
                    self.XT = self.choice[b + B_XT]
                    self.E = e
                    self.findall_top = self.choice[b + B_2]
                    self.findall_mark = self.choice[b + B_3]
                    self.B = self.choice[b + B_PREV]
                    self.HB = self.choice[self.B + B_H]
                    ball = self.thaw(record)
                    # trail everything: a catcher that does not match must be left untouched
                    hb: cython.longlong = self.HB
                    tr: cython.longlong = self.TR
                    self.HB = self.H
                    ok: cython.bint = self.unify(self.env[e + E_SLOTS + 1], ball)
                    self.HB = hb
                    if ok:
                        self.x[0] = self.env[e + E_SLOTS + 2]
                        self.P = self.recover_code
                        return 1
                    self.undo_to(tr)
                    continue
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]

    # ---- the loop

    def run(self, backtrack):
        """Execute until the query succeeds (1) or fails (0)."""
        work_mark: cython.longlong = self.wtop  # an error leaves the scratch stack as it was
        outer: cython.longlong = self.running_pred  # a builtin may run goals of its own
        found: cython.int
        self.running_pred = 0
        try:
            while True:
                self.called = 0
                try:
                    found = self.execute(backtrack)
                    return found
                except KeyboardInterrupt as stop:
                    self.wtop = work_mark
                    if not stop.args:
                        stop.args = (self.where(self.called if self.called > 0 else self.running_pred),)
                    raise
                except PrologHalt:
                    self.wtop = work_mark
                    raise
                except Exception as error:
                    # self.P ... were saved before whatever raised
                    self.wtop = work_mark
                    backtrack = False
                    if self.mode == 2:
                        self.abandon_look()
                        self.msw_site = 0
                        backtrack = True
                    elif self.running_pred < 0:
                        self.unwind(self.error_record(error, self.inline_pred(self.running_pred)))
                    else:
                        self.unwind(self.error_record(error, self.running_pred))
                    self.running_pred = 0
        finally:
            self.running_pred = outer

    def execute(self, backtrack):
        """The loop itself: until success (1) or failure (0). Errors leave it; what it is about to do is then
        in the attributes, with the predicate that is to blame in running_pred (or, below 0, as inline_pred
        understands it)."""
        code: cython.p_longlong
        heap: cython.p_longlong
        x: cython.p_longlong
        env: cython.p_longlong
        choice: cython.p_longlong
        trail: cython.p_longlong
        preds: cython.p_longlong
        sb: cython.p_longlong
        P: cython.longlong
        H: cython.longlong
        E: cython.longlong
        B: cython.longlong
        CP: cython.longlong
        S: cython.longlong = 0
        HB: cython.longlong
        CUT: cython.longlong
        op: cython.longlong
        pr: cython.longlong = -1
        q: cython.longlong
        a: cython.longlong
        b: cython.longlong
        c: cython.longlong
        c2: cython.longlong
        d: cython.longlong
        i: cython.longlong
        n: cython.longlong
        t: cython.longlong
        key: cython.longlong
        flags: cython.longlong
        nb: cython.longlong
        etop: cython.longlong
        hmax: cython.longlong
        skip_table: cython.bint = False
        reload: cython.bint = False
        polled: cython.bint = True
        ticks: cython.longlong = 0
        tmax: cython.longlong = 0
        watch: cython.longlong = 0  # the address of what must not be looked at, in a look ahead
        ok: cython.bint
        failing: cython.bint = backtrack
        small: cython.longlong = 1
        small = small << 60
        mul_max: cython.longlong = 1 << 30
        while True:
            # reload what others may have changed; whatever they built, the next instructions find room
            if self.H + MARGIN > self.heap_size:
                self.room(2 * MARGIN)
            if self.TR + MARGIN > self.trail_size:
                self.trail_room(2 * MARGIN)
            code = self.code
            heap = self.heap
            x = self.x
            env = self.env
            choice = self.choice
            trail = self.trail
            preds = self.preds
            sb = heap
            P = self.P
            H = self.H
            E = self.E
            B = self.B
            CP = self.CP
            CUT = self.CUT
            HB = choice[B + B_H]
            self.HB = HB
            hmax = self.heap_size - MARGIN
            if self.gc_threshold < hmax:
                hmax = self.gc_threshold
            tmax = self.trail_size - MARGIN
            watch = self.watch if self.mode == 2 else 0
            if polled:
                ticks = self.ticks
                polled = False
            while True:
                if not failing and pr < 0:
                    while True:
                        op = code[P]
                        # ---- head unification
                        if op == GET_LIST_VV:
                            a = x[code[P + 1]]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            if t == LST:
                                a = a >> 3
                                b = heap[a + 1]
                                x[code[P + 2]] = heap[a]
                                x[code[P + 3]] = b
                                P += 4
                                continue
                            if t == REF:
                                heap[a >> 3] = H << 3 | LST
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                heap[H] = H << 3
                                heap[H + 1] = (H + 1) << 3
                                x[code[P + 2]] = H << 3
                                x[code[P + 3]] = (H + 1) << 3
                                H += 2
                                P += 4
                                continue
                            if t == GLS:
                                a = a >> 3
                                b = self.store[a + 1]
                                x[code[P + 2]] = self.store[a]
                                x[code[P + 3]] = b
                                P += 4
                                continue
                        elif op == GET_LIST_LV:
                            a = x[code[P + 1]]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            if t == REF:
                                heap[a >> 3] = H << 3 | LST
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                heap[H] = x[code[P + 2]]
                                heap[H + 1] = (H + 1) << 3
                                x[code[P + 3]] = (H + 1) << 3
                                H += 2
                                P += 4
                                continue
                            if t == LST or t == GLS:
                                if t == LST:
                                    b = heap[a >> 3]
                                    c = heap[(a >> 3) + 1]
                                else:
                                    b = self.store[a >> 3]
                                    c = self.store[(a >> 3) + 1]
                                a = x[code[P + 2]]
                                x[code[P + 3]] = c
                                if a == b:
                                    P += 4
                                    continue
                                self.H = H
                                self.E = E
                                self.B = B
                                ok = self.unify(a, b)
                                trail = self.trail
                                if ok:
                                    P += 4
                                    continue
                        elif op == GET_LIST:
                            a = x[code[P + 1]]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            if t == LST:
                                S = a >> 3
                                sb = heap
                                P += 2
                                continue
                            if t == REF:
                                heap[a >> 3] = H << 3 | LST
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                S = 0
                                P += 2
                                continue
                            if t == GLS:
                                S = a >> 3
                                sb = self.store
                                P += 2
                                continue
                        elif op == GET_STRUCT:
                            a = x[code[P + 2]]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            if t == STR:
                                if heap[a >> 3] == code[P + 1]:
                                    S = (a >> 3) + 1
                                    sb = heap
                                    P += 3
                                    continue
                            elif t == REF:
                                heap[a >> 3] = H << 3 | STR
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                heap[H] = code[P + 1]
                                H += 1
                                S = 0
                                P += 3
                                continue
                            elif t == GST:
                                if self.store[a >> 3] == code[P + 1]:
                                    S = (a >> 3) + 1
                                    sb = self.store
                                    P += 3
                                    continue
                        elif op == GET_STRUCT_VV:
                            a = x[code[P + 2]]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            a = a >> 3
                            if t == STR:
                                if heap[a] == code[P + 1]:
                                    b = heap[a + 2]
                                    x[code[P + 3]] = heap[a + 1]
                                    x[code[P + 4]] = b
                                    P += 5
                                    continue
                            elif t == REF:
                                heap[a] = H << 3 | STR
                                if a < HB:
                                    trail[self.TR] = a
                                    self.TR += 1
                                heap[H] = code[P + 1]
                                heap[H + 1] = (H + 1) << 3
                                heap[H + 2] = (H + 2) << 3
                                x[code[P + 3]] = (H + 1) << 3
                                x[code[P + 4]] = (H + 2) << 3
                                H += 3
                                P += 5
                                continue
                            elif t == GST:
                                if self.store[a] == code[P + 1]:
                                    b = self.store[a + 2]
                                    x[code[P + 3]] = self.store[a + 1]
                                    x[code[P + 4]] = b
                                    P += 5
                                    continue
                        elif op == GET_CONST:
                            a = x[code[P + 2]]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            if a == code[P + 1]:
                                P += 3
                                continue
                            if a & 7 == REF:
                                heap[a >> 3] = code[P + 1]
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                P += 3
                                continue
                        elif op == GET_VAL:
                            a = x[code[P + 1]]
                            b = x[code[P + 2]]
                            while a & 7 == REF:
                                c = heap[a >> 3]
                                if c == a:
                                    break
                                a = c
                            while b & 7 == REF:
                                c = heap[b >> 3]
                                if c == b:
                                    break
                                b = c
                            if a == b:
                                P += 3
                                continue
                            if a & 7 == REF:
                                if b & 7 == REF and b > a:
                                    c = a
                                    a = b
                                    b = c
                                heap[a >> 3] = b
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                P += 3
                                continue
                            if b & 7 == REF:
                                heap[b >> 3] = a
                                if (b >> 3) < HB:
                                    trail[self.TR] = b >> 3
                                    self.TR += 1
                                P += 3
                                continue
                            if a & 7 != ATM and a & 7 != INT and b & 7 != ATM and b & 7 != INT:
                                self.H = H
                                self.E = E
                                self.B = B
                                ok = self.unify(a, b)
                                trail = self.trail
                                if ok:
                                    P += 3
                                    continue
                        elif op == U_VAR:
                            if S > 0:
                                x[code[P + 1]] = sb[S]
                                S += 1
                            else:
                                heap[H] = H << 3
                                x[code[P + 1]] = H << 3
                                H += 1
                            P += 2
                            continue
                        elif op == U_VAL or op == U_VAL_Y:
                            if op == U_VAL:
                                a = x[code[P + 1]]
                            else:
                                a = env[E + E_SLOTS + code[P + 1]]
                            if S == 0:
                                heap[H] = a
                                H += 1
                                P += 2
                                continue
                            b = sb[S]
                            S += 1
                            if a == b:
                                P += 2
                                continue
                            self.H = H
                            self.E = E
                            self.B = B
                            ok = self.unify(a, b)
                            trail = self.trail
                            if ok:
                                P += 2
                                continue
                        elif op == U_CONST:
                            if S == 0:
                                heap[H] = code[P + 1]
                                H += 1
                                P += 2
                                continue
                            a = sb[S]
                            S += 1
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            if a == code[P + 1]:
                                P += 2
                                continue
                            if a & 7 == REF:
                                heap[a >> 3] = code[P + 1]
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                P += 2
                                continue
                        elif op == U_VOID:
                            if S > 0:
                                S += code[P + 1]
                            else:
                                for i in range(code[P + 1]):
                                    heap[H] = H << 3
                                    H += 1
                            P += 2
                            continue
                        elif op == U_LIST:
                            if S == 0:
                                heap[H] = (H + 1) << 3 | LST
                                H += 1
                                P += 1
                                continue
                            a = sb[S]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            if t == LST:
                                S = a >> 3
                                sb = heap
                                P += 1
                                continue
                            if t == REF:
                                heap[a >> 3] = H << 3 | LST
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                S = 0
                                P += 1
                                continue
                            if t == GLS:
                                S = a >> 3
                                sb = self.store
                                P += 1
                                continue
                        elif op == U_STRUCT:
                            if S == 0:
                                heap[H] = (H + 1) << 3 | STR
                                heap[H + 1] = code[P + 1]
                                H += 2
                                P += 2
                                continue
                            a = sb[S]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            if t == STR:
                                if heap[a >> 3] == code[P + 1]:
                                    S = (a >> 3) + 1
                                    sb = heap
                                    P += 2
                                    continue
                            elif t == REF:
                                heap[a >> 3] = H << 3 | STR
                                if (a >> 3) < HB:
                                    trail[self.TR] = a >> 3
                                    self.TR += 1
                                heap[H] = code[P + 1]
                                H += 1
                                S = 0
                                P += 2
                                continue
                            elif t == GST:
                                if self.store[a >> 3] == code[P + 1]:
                                    S = (a >> 3) + 1
                                    sb = self.store
                                    P += 2
                                    continue
                        elif op == U_VAR_Y:
                            if S > 0:
                                env[E + E_SLOTS + code[P + 1]] = sb[S]
                                S += 1
                            else:
                                heap[H] = H << 3
                                env[E + E_SLOTS + code[P + 1]] = H << 3
                                H += 1
                            P += 2
                            continue
                        # ---- building
                        elif op == MOVE:
                            x[code[P + 2]] = x[code[P + 1]]
                            P += 3
                            continue
                        elif op == PUT_Y:
                            x[code[P + 2]] = env[E + E_SLOTS + code[P + 1]]
                            P += 3
                            continue
                        elif op == PUT_VAR:
                            heap[H] = H << 3
                            x[code[P + 1]] = H << 3
                            H += 1
                            P += 2
                            continue
                        elif op == PUT_VAR_Y:
                            heap[H] = H << 3
                            x[code[P + 2]] = H << 3
                            env[E + E_SLOTS + code[P + 1]] = H << 3
                            H += 1
                            P += 3
                            continue
                        elif op == PUT_CONST:
                            x[code[P + 2]] = code[P + 1]
                            P += 3
                            continue
                        elif op == PUT_LIST:
                            x[code[P + 1]] = H << 3 | LST
                            P += 2
                            continue
                        elif op == PUT_STRUCT:
                            x[code[P + 2]] = H << 3 | STR
                            heap[H] = code[P + 1]
                            H += 1
                            P += 3
                            continue
                        elif op == B_VAL:
                            heap[H] = x[code[P + 1]]
                            H += 1
                            P += 2
                            continue
                        elif op == B_VAL_Y:
                            heap[H] = env[E + E_SLOTS + code[P + 1]]
                            H += 1
                            P += 2
                            continue
                        elif op == B_CONST:
                            heap[H] = code[P + 1]
                            H += 1
                            P += 2
                            continue
                        elif op == B_VAR:
                            heap[H] = H << 3
                            x[code[P + 1]] = H << 3
                            H += 1
                            P += 2
                            continue
                        elif op == B_VAR_Y:
                            heap[H] = H << 3
                            env[E + E_SLOTS + code[P + 1]] = H << 3
                            H += 1
                            P += 2
                            continue
                        elif op == B_VOID:
                            for i in range(code[P + 1]):
                                heap[H] = H << 3
                                H += 1
                            P += 2
                            continue
                        elif op == B_LIST:
                            heap[H] = (H + 1) << 3 | LST
                            H += 1
                            P += 1
                            continue
                        elif op == B_STRUCT:
                            heap[H] = (H + 1) << 3 | STR
                            heap[H + 1] = code[P + 1]
                            H += 2
                            P += 2
                            continue
                        elif op == SET_Y:
                            env[E + E_SLOTS + code[P + 2]] = x[code[P + 1]]
                            P += 3
                            continue
                        # ---- control
                        elif op == EXEC or op == CALL or op == DEXEC:
                            d = code[P + 1]
                            if op == CALL:
                                CP = P + 2
                            elif op == DEXEC:
                                CP = env[E + E_CP]
                                E = env[E + E_PREV]
                            # the most frequent call, recursion down a list, does not leave the chain
                            # (a goal just met may have made the table of predicates grow)
                            a = self.preds[d * PSIZE + P_HEAD_TAIL]
                            if a != 0 and ticks > 1 and H <= hmax and self.TR <= tmax:
                                b = x[0]
                                while b & 7 == REF:
                                    c = heap[b >> 3]
                                    if c == b:
                                        break
                                    b = c
                                if b & 7 == LST:
                                    ticks -= 1
                                    CUT = B
                                    b = b >> 3
                                    c = heap[b + 1]
                                    x[code[a + 2]] = heap[b]
                                    x[code[a + 3]] = c
                                    P = a + 4
                                    continue
                            pr = d
                        elif op == PROCEED or op == DPROCEED:
                            if op == DPROCEED:
                                CP = env[E + E_CP]
                                E = env[E + E_PREV]
                            P = CP
                            if H <= hmax and self.TR <= tmax:
                                continue
                            # what follows builds terms, too: no register is live here
                            self.ticks = ticks
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.CUT = CUT
                            self.running_pred = 0
                            self.poll(0)
                            polled = True
                            reload = True
                            break
                        elif op == ALLOC:
                            a = E + E_SLOTS + env[E + E_N]
                            if choice[B + B_ETOP] > a:
                                a = choice[B + B_ETOP]
                            n = code[P + 1]
                            if a + n + 64 > self.env_size:
                                self.E = E
                                self.B = B
                                self.H = H
                                self.P = P
                                self.grow_env(a + n + 64)
                                env = self.env
                            env[a] = E
                            env[a + E_CP] = CP
                            env[a + E_N] = n
                            for i in range(n):
                                env[a + E_SLOTS + i] = 2
                            E = a
                            a += E_SLOTS
                            n = code[P + 2]
                            P += 3
                            for i in range(n):
                                env[a + code[P + 1]] = x[code[P]]
                                P += 2
                            continue
                        elif op == NECK_CUT:
                            if B != CUT:
                                B = CUT
                                HB = choice[B + B_H]
                                self.HB = HB
                            P += 1
                            continue
                        elif op == GET_LEVEL:
                            env[E + E_SLOTS + code[P + 1]] = CUT << 3 | INT
                            P += 2
                            continue
                        elif op == GET_B:
                            env[E + E_SLOTS + code[P + 1]] = B << 3 | INT
                            P += 2
                            continue
                        elif op == CUT_Y:
                            B = env[E + E_SLOTS + code[P + 1]] >> 3
                            HB = choice[B + B_H]
                            self.HB = HB
                            P += 2
                            continue
                        elif op == SOFT_CUT:
                            a = env[E + E_SLOTS + code[P + 1]] >> 3
                            a = a + B_ARGS + choice[a + B_N]
                            choice[a + B_KIND] = BK_FAIL
                            P += 2
                            continue
                        elif op == TRY_ELSE:
                            nb = B + B_ARGS + choice[B + B_N]
                            if nb + 64 > self.choice_size:
                                self.E = E
                                self.B = B
                                self.H = H
                                self.P = P
                                self.grow_choice(nb + 64)
                                choice = self.choice
                            etop = E + E_SLOTS + env[E + E_N]
                            if choice[B + B_ETOP] > etop:
                                etop = choice[B + B_ETOP]
                            choice[nb + B_PREV] = B
                            choice[nb + B_KIND] = BK_CODE
                            choice[nb + B_E] = E
                            choice[nb + B_CP] = CP
                            choice[nb + B_TR] = self.TR
                            choice[nb + B_H] = H
                            choice[nb + B_ETOP] = etop
                            choice[nb + B_XT] = self.XT
                            choice[nb + B_1] = code[P + 1]
                            choice[nb + B_N] = 0
                            B = nb
                            HB = H
                            self.HB = H
                            P += 2
                            continue
                        elif op == RETRY_ELSE:
                            choice[B + B_1] = code[P + 1]
                            P += 2
                            continue
                        elif op == TRUST:
                            B = choice[B + B_PREV]
                            HB = choice[B + B_H]
                            self.HB = HB
                            P += 1
                            continue
                        elif op == JUMP:
                            P = code[P + 1]
                            continue
                        elif op == FAIL:
                            failing = True
                        # ---- arithmetic
                        elif op == ADD or op == SUB or op == MUL:
                            t = code[P + 2]
                            if t == OX:
                                a = x[code[P + 3]]
                            elif t == OC:
                                a = code[P + 3]
                            else:
                                a = env[E + E_SLOTS + code[P + 3]]
                            while a & 7 == REF:
                                c = heap[a >> 3]
                                if c == a:
                                    break
                                a = c
                            t = code[P + 4]
                            if t == OX:
                                b = x[code[P + 5]]
                            elif t == OC:
                                b = code[P + 5]
                            else:
                                b = env[E + E_SLOTS + code[P + 5]]
                            while b & 7 == REF:
                                c = heap[b >> 3]
                                if c == b:
                                    break
                                b = c
                            if a & 7 == INT and b & 7 == INT:
                                a = a >> 3
                                b = b >> 3
                                if op == ADD:
                                    c = a + b
                                    ok = -small <= c < small
                                elif op == SUB:
                                    c = a - b
                                    ok = -small <= c < small
                                else:
                                    ok = -mul_max < a < mul_max and -mul_max < b < mul_max
                                    c = a * b if ok else 0
                                if ok:
                                    x[code[P + 1]] = c << 3 | INT
                                    P += 6
                                    continue
                                a = a << 3 | INT
                                b = b << 3 | INT
                            d = self.f_plus
                            if op != ADD:
                                d = self.f_minus if op == SUB else self.f_times
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.running_pred = self.p_is
                            c = self.new_struct2(d, a, b)
                            c = self.evaluate(self, c)
                            self.running_pred = 0
                            heap = self.heap
                            H = self.H
                            hmax = self.heap_size - MARGIN
                            if self.gc_threshold < hmax:
                                hmax = self.gc_threshold
                            x[code[P + 1]] = c
                            P += 6
                            continue
                        elif op == CMP:
                            t = code[P + 2]
                            if t == OX:
                                a = x[code[P + 3]]
                            elif t == OC:
                                a = code[P + 3]
                            else:
                                a = env[E + E_SLOTS + code[P + 3]]
                            while a & 7 == REF:
                                c = heap[a >> 3]
                                if c == a:
                                    break
                                a = c
                            t = code[P + 4]
                            if t == OX:
                                b = x[code[P + 5]]
                            elif t == OC:
                                b = code[P + 5]
                            else:
                                b = env[E + E_SLOTS + code[P + 5]]
                            while b & 7 == REF:
                                c = heap[b >> 3]
                                if c == b:
                                    break
                                b = c
                            t = code[P + 1]
                            if a & 7 == INT and b & 7 == INT:
                                if t == C_LT:
                                    ok = a < b
                                elif t == C_LE:
                                    ok = a <= b
                                elif t == C_GT:
                                    ok = a > b
                                elif t == C_GE:
                                    ok = a >= b
                                elif t == C_EQ:
                                    ok = a == b
                                else:
                                    ok = a != b
                            else:
                                self.H = H
                                self.P = P
                                self.E = E
                                self.B = B
                                self.running_pred = -1 - t
                                ok = self.compare_values(t, a, b)
                                heap = self.heap
                                H = self.H
                                self.running_pred = 0
                            if ok:
                                P += 7
                                continue
                            if code[P + 6] != 0:
                                P = code[P + 6]
                                continue
                        elif op == ARITH2 or op == ARITH1 or op == EVAL:
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.running_pred = self.p_is
                            if op == ARITH2:
                                t = code[P + 3]
                                a = (
                                    x[code[P + 4]]
                                    if t == OX
                                    else (code[P + 4] if t == OC else env[E + E_SLOTS + code[P + 4]])
                                )
                                t = code[P + 5]
                                b = (
                                    x[code[P + 6]]
                                    if t == OX
                                    else (code[P + 6] if t == OC else env[E + E_SLOTS + code[P + 6]])
                                )
                                while a & 7 == REF:
                                    c = heap[a >> 3]
                                    if c == a:
                                        break
                                    a = c
                                while b & 7 == REF:
                                    c = heap[b >> 3]
                                    if c == b:
                                        break
                                    b = c
                                d = code[P + 1]
                                if a & 7 == INT and b & 7 == INT and self.small_arith(d, a >> 3, b >> 3):
                                    x[code[P + 2]] = self.arith_result << 3 | INT
                                    P += 7
                                    continue
                                c = self.evaluate(self, self.new_struct2(d, a, b))
                                n = 7
                            elif op == ARITH1:
                                t = code[P + 3]
                                a = (
                                    x[code[P + 4]]
                                    if t == OX
                                    else (code[P + 4] if t == OC else env[E + E_SLOTS + code[P + 4]])
                                )
                                c = self.evaluate(self, self.new_struct1(code[P + 1], a))
                                n = 5
                            else:
                                t = code[P + 2]
                                a = (
                                    x[code[P + 3]]
                                    if t == OX
                                    else (code[P + 3] if t == OC else env[E + E_SLOTS + code[P + 3]])
                                )
                                n = 4
                                a = self.deref(a)
                                if a & 7 == INT or a & 7 == BOX:
                                    x[code[P + 1]] = a
                                    P += 4
                                    continue
                                c = self.evaluate(self, a)
                            self.running_pred = 0
                            heap = self.heap
                            H = self.H
                            hmax = self.heap_size - MARGIN
                            if self.gc_threshold < hmax:
                                hmax = self.gc_threshold
                            if op == EVAL:
                                x[code[P + 1]] = c
                            else:
                                x[code[P + 2]] = c
                            P += n
                            continue
                        # ---- tests
                        elif op == TEST:
                            a = x[code[P + 2]]
                            while a & 7 == REF:
                                c = heap[a >> 3]
                                if c == a:
                                    break
                                a = c
                            t = a & 7
                            i = code[P + 1]
                            if watch != 0 and (a == watch << 3 | REF or t == LST or t == STR):
                                self.B = B
                                B = self.may_succeed()
                                break
                            if i == T_VAR:
                                ok = t == REF
                            elif i == T_NONVAR:
                                ok = t != REF
                            elif i == T_ATOM:
                                ok = t == ATM
                            elif i == T_INTEGER:
                                ok = t == INT or (t == BOX and self.is_big(a))
                            elif i == T_FLOAT:
                                ok = t == BOX and self.is_float(a)
                            elif i == T_NUMBER:
                                ok = t == INT or t == BOX
                            elif i == T_ATOMIC:
                                ok = t == ATM or t == INT or t == BOX
                            elif i == T_COMPOUND:
                                ok = t == LST or t == STR or t == GLS or t == GST
                            elif i == T_CALLABLE:
                                ok = t == ATM or t == LST or t == STR or t == GLS or t == GST
                            elif i == T_LIST:
                                ok = self.list_tail(a) == self.nil
                            else:
                                self.H = H
                                ok = self.is_ground(a)
                            if ok:
                                P += 4
                                continue
                            if code[P + 3] != 0:
                                P = code[P + 3]
                                continue
                        elif op == EQUAL or op == COMPARE:
                            a = x[code[P + 2]]
                            b = x[code[P + 3]]
                            t = code[P + 1]
                            self.H = H
                            if watch != 0 and self.sees_rest(a, b):
                                self.B = B
                                B = self.may_succeed()
                                break
                            i = self.compare(a, b)
                            if op == EQUAL:
                                ok = (i == 0) == (t == 0)
                            elif t == C_LT:
                                ok = i < 0
                            elif t == C_LE:
                                ok = i <= 0
                            elif t == C_GT:
                                ok = i > 0
                            else:
                                ok = i >= 0
                            if ok:
                                P += 5
                                continue
                            if code[P + 4] != 0:
                                P = code[P + 4]
                                continue
                        # ---- boxes
                        elif op == PUT_BOX or op == GET_BOX:
                            n = code[P + 2]
                            for i in range(n):
                                heap[H + i] = code[P + 3 + i]
                            a = H << 4 | BOX
                            H += n
                            b = P
                            P += 3 + n
                            if op == PUT_BOX:
                                x[code[b + 1]] = a
                                continue
                            self.H = H
                            ok = self.unify(x[code[b + 1]], a)
                            trail = self.trail
                            if ok:
                                continue
                        elif op == U_BOX or op == B_BOX:
                            n = code[P + 1]
                            # the box goes behind the structure that is being written: reserve the
                            # cell first, put the box in the store so that it is not in the way
                            a = self.code_box(P + 2, n)
                            P += 2 + n
                            if op == B_BOX or S == 0:
                                heap[H] = a
                                H += 1
                                continue
                            if sb != heap:
                                sb = self.store
                            b = sb[S]
                            S += 1
                            self.H = H
                            ok = self.unify(a, b)
                            trail = self.trail
                            if ok:
                                continue
                        elif op == ROOM:
                            if H + code[P + 1] > hmax:
                                self.H = H
                                self.room(code[P + 1] + 2 * MARGIN)
                                heap = self.heap
                                hmax = self.heap_size - MARGIN
                                if self.gc_threshold < hmax:
                                    hmax = self.gc_threshold
                            self.trail_room(code[P + 1] + MARGIN)
                            trail = self.trail
                            P += 2
                            continue
                        elif op == KNOWN_TERM:
                            if code[P + 3] == self.store_number:
                                x[code[P + 1]] = code[P + 4]
                                P = code[P + 2]
                            else:
                                P += 5
                            continue
                        elif op == NOTE_TERM:
                            self.H = H
                            a = self.intern(x[code[P + 1]], False)
                            x[code[P + 1]] = a
                            i = code[P + 2]
                            code[i + 3] = self.store_number
                            code[i + 4] = a
                            if self.log_size > 0 and a & 7 >= BOX:
                                self.note_place(i + 4)
                            P += 3
                            continue
                        elif op == KNOWN_MSW:
                            if self.mode != 0:
                                if code[P + 2] == self.epoch:
                                    if self.XT + 8 > self.expl_size:
                                        self.push_item(code[P + 3])
                                    else:
                                        self.expl[self.XT] = code[P + 3]
                                        self.XT += 1
                                    P = code[P + 1]
                                    continue
                                self.msw_site = P
                            P += 4
                            continue
                        # ---- predicates of the machine
                        elif op == CALLN:
                            n = code[P + 1]
                            a = x[0]
                            while a & 7 == REF:
                                c = heap[a >> 3]
                                if c == a:
                                    break
                                a = c
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.running_pred = 0
                            t = a & 7
                            if n == 1 and t == STR:
                                # the common case, without the dictionary
                                b = heap[a >> 3] >> 3
                                pr = self.functor_pred[b] if b < self.functor_pred_size else 0
                                if pr == 0:
                                    pr = self.pred(b)
                                    preds = self.preds
                                d = self.functor_arity[b]
                                if preds[pr * PSIZE + P_FLAGS] & F_CONTROL:
                                    pr = -1
                                    a = self.body_goal(a)
                                    heap = self.heap
                                    H = self.H
                                    x[0] = a
                                    x[1] = B << 3 | INT
                                    P = self.preds[self.p_body * PSIZE + P_ENTRY]
                                    continue
                                if d + 16 > self.x_size:
                                    self.x_room(d)
                                    x = self.x
                                for i in range(d):
                                    x[i] = heap[(a >> 3) + 1 + i]
                            else:
                                pr = self.goal_pred(a, n - 1)
                                preds = self.preds
                                d = self.arity_of(a)
                                self.x_room(d + n)
                                x = self.x
                                if preds[pr * PSIZE + P_FLAGS] & F_CONTROL:
                                    if n > 1:
                                        a = self.with_arguments(a, n - 1)
                                    pr = -1
                                    a = self.body_goal(a)
                                    heap = self.heap
                                    H = self.H
                                    x[0] = a
                                    x[1] = B << 3 | INT
                                    P = self.preds[self.p_body * PSIZE + P_ENTRY]
                                    continue
                                if d > 1:
                                    for i in range(n - 1, 0, -1):
                                        x[d + i - 1] = x[i]
                                elif d == 0:
                                    for i in range(1, n):
                                        x[i - 1] = x[i]
                                for i in range(d):
                                    x[i] = self.arg(a, i)
                        elif op == BODY:
                            a = x[0]
                            while a & 7 == REF:
                                c = heap[a >> 3]
                                if c == a:
                                    break
                                a = c
                            t = a & 7
                            b = x[1]
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.running_pred = 0
                            if t == STR or t == GST:
                                d = self.functor_of(a)
                                if d == self.comma_functor:
                                    x[0] = self.arg(a, 0)
                                    x[1] = self.arg(a, 1)
                                    x[2] = b
                                    pr = self.p_and
                                elif d == self.f_semicolon or d == self.f_bar:
                                    c = self.arg(a, 0)
                                    i = self.functor_of(c) if (c & 7 == STR or c & 7 == GST) else -1
                                    if i == self.f_arrow or i == self.f_softarrow:
                                        x[2] = self.arg(a, 1)
                                        x[0] = self.arg(c, 0)
                                        x[1] = self.arg(c, 1)
                                        x[3] = b
                                        pr = self.p_ite if i == self.f_arrow else self.p_soft
                                    else:
                                        x[0] = c
                                        x[1] = self.arg(a, 1)
                                        x[2] = b
                                        pr = self.p_or
                                elif d == self.f_arrow:
                                    x[0] = self.arg(a, 0)
                                    x[1] = self.arg(a, 1)
                                    x[2] = b
                                    pr = self.p_ifthen
                                elif d == self.f_softarrow:
                                    x[0] = self.arg(a, 0)
                                    x[1] = self.arg(a, 1)
                                    x[2] = b
                                    pr = self.p_softthen
                            elif a == self.a_cut:
                                B = b >> 3
                                HB = choice[B + B_H]
                                self.HB = HB
                                P = CP
                                continue
                            if pr < 0:
                                x[0] = a
                                P = self.call_code
                                continue
                        elif op == CUT_TO:
                            a = self.deref(x[0]) >> 3
                            while B > a:
                                B = choice[B + B_PREV]
                            if B != a:
                                raise SystemError("a cut to what is no choice point")
                            HB = choice[B + B_H]
                            self.HB = HB
                            P = CP
                            continue
                        elif op == CATCH:
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.push_choice(BK_CATCH, 0)
                            B = self.B
                            choice = self.choice
                            HB = H
                            choice[B + B_1] = E
                            choice[B + B_2] = self.findall_top
                            choice[B + B_3] = self.findall_mark
                            env[E + E_SLOTS + code[P + 1]] = B << 3 | INT
                            x[0] = env[E + E_SLOTS]
                            P += 2
                            continue
                        elif op == CATCH_EXIT:
                            if B == env[E + E_SLOTS + code[P + 1]] >> 3:
                                B = choice[B + B_PREV]
                                HB = choice[B + B_H]
                                self.HB = HB
                            P += 2
                            continue
                        elif op == NATIVE:
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.running_pred = -10 - code[P + 1]
                            ok = self.native(code[P + 1]) == 1
                            self.running_pred = 0
                            code = self.code
                            preds = self.preds
                            heap = self.heap
                            trail = self.trail
                            H = self.H
                            x = self.x
                            hmax = self.heap_size - MARGIN
                            if self.gc_threshold < hmax:
                                hmax = self.gc_threshold
                            if ok:
                                P += 2
                                continue
                        elif op == CLAUSE_TRY:
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.running_pred = self.p_clause
                            if code[P + 1] == 1:
                                self.clause_access()
                                heap = self.heap
                                H = self.H
                            ok = self.clause_first() == 1
                            self.running_pred = 0
                            preds = self.preds
                            B = self.B
                            choice = self.choice
                            heap = self.heap
                            trail = self.trail
                            H = self.H
                            HB = choice[B + B_H]
                            self.HB = HB
                            if ok:
                                self.P = CP
                                reload = True
                                break
                        elif op == MSW:
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.running_pred = self.p_msw
                            ok = self.msw_first() == 1
                            self.running_pred = 0
                            self.P = self.CP
                            failing = not ok
                            reload = True
                            break
                        elif op == ANSWER:
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            if watch != 0:
                                B = self.may_succeed()
                                break
                            self.answer()
                            heap = self.heap
                            trail = self.trail
                            failing = True
                        elif op == STOP:
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.ticks = ticks
                            return 1
                        elif op == UNIFY_XY:
                            raise SystemError("instruction not in use")
                        else:
                            raise SystemError("unknown instruction")
                        break
                    if reload:
                        reload = False
                        break

                if pr >= 0 and not failing:
                    # ---- a call of predicate pr, arguments in x
                    q = pr * PSIZE
                    ticks -= 1
                    if ticks <= 0 or H > hmax or self.TR > tmax:
                        self.ticks = ticks
                        self.H = H
                        self.P = P
                        self.E = E
                        self.B = B
                        self.CP = CP
                        self.CUT = CUT
                        self.running_pred = 0
                        self.called = pr
                        self.poll(preds[q + P_ARITY])
                        self.called = 0
                        polled = True
                        break
                    if watch != 0 and not skip_table:
                        self.H = H
                        self.P = P
                        self.E = E
                        self.B = B
                        self.CP = CP
                        i = self.look_at_call(pr)
                        if i == 2:
                            skip_table = True
                            break
                        if i == 4:
                            pr = -1
                            break
                        if i != 0:
                            if i == 3:
                                self.may_succeed()
                                self.msw_site = 0
                            pr = -1
                            failing = True
                            break
                        heap = self.heap
                    if preds[q + P_FAST]:
                        a = x[0]
                        while a & 7 == REF:
                            b = heap[a >> 3]
                            if b == a:
                                break
                            a = b
                        t = a & 7
                        c2 = 0
                        if t == LST:
                            a = preds[q + P_LIST]
                        elif t == REF or t == BOX:
                            c2 = -1
                            a = preds[q + P_FIRST]
                        else:
                            if t == STR:
                                a = heap[a >> 3] - INT + STR
                            elif t == GST:
                                a = self.store[a >> 3] - INT + STR
                            elif t == GLS:
                                a = LST
                            d = preds[q + P_HMASK]
                            i = ((a ^ (a >> 15)) * 11) & d
                            c = preds[q + P_HASH]
                            while True:
                                b = code[c + 3 * i]
                                if b == a:
                                    a = code[c + 3 * i + 1]
                                    break
                                if b == 0:
                                    a = 0
                                    break
                                i = (i + 1) & d
                        if a != 0:
                            c = code[a + C_NEXT_KEY] if c2 == 0 else code[a + C_NEXT]
                            CUT = B
                            if c == 0:
                                P = a + C_CODE
                                pr = -1
                                continue
                            n = preds[q + P_ARITY]
                            nb = B + B_ARGS + choice[B + B_N]
                            if nb + n + 64 > self.choice_size:
                                self.E = E
                                self.B = B
                                self.H = H
                                self.P = P
                                self.grow_choice(nb + n + 64)
                                choice = self.choice
                            etop = E + E_SLOTS + env[E + E_N]
                            if choice[B + B_ETOP] > etop:
                                etop = choice[B + B_ETOP]
                            choice[nb + B_PREV] = B
                            choice[nb + B_KIND] = BK_CLAUSE
                            choice[nb + B_E] = E
                            choice[nb + B_CP] = CP
                            choice[nb + B_TR] = self.TR
                            choice[nb + B_H] = H
                            choice[nb + B_ETOP] = etop
                            choice[nb + B_XT] = self.XT
                            choice[nb + B_1] = c
                            choice[nb + B_2] = c2
                            choice[nb + B_3] = -1
                            choice[nb + B_N] = n
                            for i in range(n):
                                choice[nb + B_ARGS + i] = x[i]
                            B = nb
                            HB = H
                            self.HB = H
                            P = a + C_CODE
                            pr = -1
                            continue
                        pr = -1
                        n = -1
                    else:
                        n = preds[q + P_KIND]
                    if n == K_CODE:
                        P = preds[q + P_ENTRY]
                        CUT = B
                        pr = -1
                        continue
                    if n == K_CLAUSES:
                        flags = preds[q + P_FLAGS]
                        n = preds[q + P_ARITY]
                        if flags & F_TABLED and not skip_table and (self.mode != 0 or not flags & F_PROB):
                            i = self.known_table(pr, n)
                            if i != 0 and self.fails_at_once(i, B):
                                pr = -1
                                failing = True
                                continue
                            self.H = H
                            self.P = P
                            self.E = E
                            self.B = B
                            self.CP = CP
                            self.running_pred = pr
                            if i != 0:
                                i = Evaluation.table_call(self, pr, i)
                            else:
                                i = self.table_call(pr, 0)
                            self.running_pred = 0
                            if i == 2:  # a new table: go on with the clauses
                                skip_table = True
                                break
                            pr = -1
                            if i != 4:
                                failing = i == 0
                                self.P = self.CP
                            break
                        skip_table = False
                        CUT = B
                        c2 = -1
                        c = 0
                        if n > 0 and preds[q + P_HASH] != 0:
                            a = x[0]
                            while a & 7 == REF:
                                b = heap[a >> 3]
                                if b == a:
                                    break
                                a = b
                            t = a & 7
                            key = 0
                            if t == ATM or t == INT:
                                key = a
                            elif t == LST or t == GLS:
                                key = LST
                            elif t == STR:
                                key = heap[a >> 3] - INT + STR
                            elif t == GST:
                                key = self.store[a >> 3] - INT + STR
                            if key != 0:
                                c2 = preds[q + P_VAR_FIRST]
                                a = preds[q + P_HMASK]
                                i = ((key ^ (key >> 15)) * 11) & a
                                d = preds[q + P_HASH]
                                while True:
                                    b = code[d + 3 * i]
                                    if b == key:
                                        c = code[d + 3 * i + 1]
                                        break
                                    if b == 0:
                                        break
                                    i = (i + 1) & a
                            else:
                                c = preds[q + P_FIRST]
                        else:
                            c = preds[q + P_FIRST]
                        if flags & F_DYNAMIC:
                            d = self.generation
                            if (
                                c2 == 0
                                and c != 0
                                and code[c + C_NEXT_KEY] == 0
                                and code[c + C_BIRTH] <= d < code[c + C_DEATH]
                            ):  # the only one with this key
                                a = c
                                b = 0
                            else:
                                a = self.next_clause(c, c2, d)
                                c = self.alt1
                                c2 = self.alt2
                                b = 0
                                if a != 0 and (c != 0 or c2 > 0):
                                    b = 1
                        elif c2 > 0 and c != 0:
                            # the chain of the key and that of clauses without one
                            d = -1
                            b = 1
                            if code[c + C_SEQ] < code[c2 + C_SEQ]:
                                a = c
                                c = code[c + C_NEXT_KEY]
                            else:
                                a = c2
                                c2 = code[c2 + C_NEXT_KEY]
                        else:
                            d = -1
                            if c2 > 0:
                                c = c2
                                c2 = 0
                            a = c
                            if c != 0:
                                c = code[c + C_NEXT] if c2 == -1 else code[c + C_NEXT_KEY]
                            b = c
                        if a != 0:
                            if b != 0:
                                nb = B + B_ARGS + choice[B + B_N]
                                if nb + n + 64 > self.choice_size:
                                    self.E = E
                                    self.B = B
                                    self.H = H
                                    self.P = P
                                    self.grow_choice(nb + n + 64)
                                    choice = self.choice
                                etop = E + E_SLOTS + env[E + E_N]
                                if choice[B + B_ETOP] > etop:
                                    etop = choice[B + B_ETOP]
                                choice[nb + B_PREV] = B
                                choice[nb + B_KIND] = BK_CLAUSE
                                choice[nb + B_E] = E
                                choice[nb + B_CP] = CP
                                choice[nb + B_TR] = self.TR
                                choice[nb + B_H] = H
                                choice[nb + B_ETOP] = etop
                                choice[nb + B_XT] = self.XT
                                choice[nb + B_1] = c
                                choice[nb + B_2] = c2
                                choice[nb + B_3] = d
                                choice[nb + B_N] = n
                                for i in range(n):
                                    choice[nb + B_ARGS + i] = x[i]
                                B = nb
                                HB = H
                                self.HB = H
                            P = a + C_CODE
                            pr = -1
                            continue
                        pr = -1
                    elif n == K_HOST:
                        self.H = H
                        self.P = P
                        self.E = E
                        self.B = B
                        self.CP = CP
                        self.running_pred = pr
                        self.ticks = ticks
                        ok = self.call_host(preds[q + P_ENTRY], preds[q + P_ARITY])
                        ticks = self.ticks
                        self.running_pred = 0
                        pr = -1
                        self.P = CP
                        failing = not ok
                        break
                    elif n >= 0:
                        self.H = H
                        self.P = P
                        self.E = E
                        self.B = B
                        self.CP = CP
                        a = pr
                        pr = -1
                        if not preds[q + P_FLAGS] & (F_DYNAMIC | F_DEFINED):
                            self.running_pred = 0
                            self.undefined(a)

                # ---- failure
                failing = False
                skip_table = False
                pr = -1
                ticks -= 1
                if watch != 0 and heap[watch] != watch << 3 | REF:
                    self.B = B
                    B = self.may_succeed()
                # undo the bindings since the choice point
                a = choice[B + B_TR]
                while self.TR > a:
                    self.TR -= 1
                    b = trail[self.TR]
                    if b >= 0:
                        heap[b] = b << 3
                    else:
                        self.TR -= 1
                        heap[~b] = trail[self.TR]
                H = choice[B + B_H]
                E = choice[B + B_E]
                CP = choice[B + B_CP]
                self.XT = choice[B + B_XT]
                t = choice[B + B_KIND]
                if t == BK_CLAUSE:
                    n = choice[B + B_N]
                    for i in range(n):
                        x[i] = choice[B + B_ARGS + i]
                    c = choice[B + B_1]
                    c2 = choice[B + B_2]
                    d = choice[B + B_3]
                    if d >= 0:
                        a = self.next_clause(c, c2, d)
                        c = self.alt1
                        c2 = self.alt2
                        b = 0
                        if c != 0 or c2 > 0:
                            b = 1
                    elif c2 > 0 and c != 0:
                        b = 1
                        if code[c + C_SEQ] < code[c2 + C_SEQ]:
                            a = c
                            c = code[c + C_NEXT_KEY]
                        else:
                            a = c2
                            c2 = code[c2 + C_NEXT_KEY]
                    else:
                        if c2 > 0:
                            c = c2
                            c2 = 0
                        a = c
                        c = code[c + C_NEXT] if c2 == -1 else code[c + C_NEXT_KEY]
                        b = c
                    CUT = choice[B + B_PREV]
                    if b == 0:
                        B = CUT
                        HB = choice[B + B_H]
                        self.HB = HB
                    else:
                        choice[B + B_1] = c
                        choice[B + B_2] = c2
                    if a != 0:
                        P = a + C_CODE
                        continue
                    failing = True
                    continue
                if t == BK_CODE:
                    P = choice[B + B_1]
                    if ticks <= 0:
                        self.ticks = ticks
                        self.H = H
                        self.P = P
                        self.E = E
                        self.B = B
                        self.CP = CP
                        self.check_signals()
                        ticks = self.ticks
                    continue
                if t == BK_STOP:
                    self.H = H
                    self.E = E
                    self.B = B
                    self.CP = CP
                    self.ticks = ticks
                    return 0
                if t == BK_CATCH or t == BK_FAIL:
                    B = choice[B + B_PREV]
                    HB = choice[B + B_H]
                    self.HB = HB
                    failing = True
                    continue
                if t == BK_GENERATOR:
                    a = self.take_branch(B)
                    if a != 0:
                        n = choice[B + B_N]
                        for i in range(n):
                            x[i] = choice[B + B_ARGS + i]
                        E = choice[B + B_ETOP]
                        CP = self.answer_code
                        CUT = B
                        P = a + C_CODE
                        continue
                if t == BK_MSW and choice[B + B_3] == 2 and self.XT + 8 < self.expl_size:
                    # the next outcome that has to be tried as a branch of a table
                    self.B = B
                    i = self.next_outcome()
                    if i >= 0:
                        b = choice[B + B_1]
                        a = choice[B + B_ARGS + 1] >> 3
                        heap[a] = self.outcomes[self.switch_first[b] + i]
                        self.expl[self.XT] = (self.switch_base[b] + i) << 1 | 1
                        self.XT += 1
                        if a < HB:
                            trail[self.TR] = a
                            self.TR += 1
                        P = CP
                    else:
                        B = choice[B + B_PREV]
                        HB = choice[B + B_H]
                        self.HB = HB
                        failing = True
                    continue
                if t == BK_MSW and choice[B + B_3] == 1 and self.XT + 8 < self.expl_size:
                    # the value was a variable: it takes the next outcome
                    a = choice[B + B_ARGS + 1] >> 3
                    b = choice[B + B_1]
                    i = choice[B + B_2]
                    heap[a] = self.outcomes[self.switch_first[b] + i]
                    self.expl[self.XT] = (self.switch_base[b] + i) << 1 | 1
                    self.XT += 1
                    i += 1
                    if i == self.switch_size[b]:
                        B = choice[B + B_PREV]
                        HB = choice[B + B_H]
                    else:
                        choice[B + B_2] = i
                        HB = H
                    self.HB = HB
                    if a < HB:
                        trail[self.TR] = a
                        self.TR += 1
                    P = CP
                    continue
                self.H = H
                self.E = E
                self.B = B
                self.CP = CP
                self.HB = H
                n = choice[B + B_N]
                for i in range(n):
                    x[i] = choice[B + B_ARGS + i]
                if ticks <= 0:
                    self.ticks = ticks
                    self.check_signals()
                    ticks = self.ticks
                if t == BK_ANSWERS:
                    failing = self.answers_next() == 0
                    self.P = self.CP
                    break
                if t == BK_CLAUSEREF:
                    ok = self.clause_next() == 1
                elif t == BK_MSW:
                    ok = self.msw_next() == 1
                else:
                    i = self.look_done() if t == BK_LOOK else self.generator_done()
                    if i == 2:
                        a = self.running[(self.running_top - 1) * RUN_SIZE + RUN_TABLE]
                        pr = self.tables[a * TB_SIZE + TB_PRED]
                        skip_table = True
                        break
                    if i == 4:
                        break
                    ok = i == 1
                self.P = self.CP
                failing = not ok
                break

    # ---- helpers of the loop

    def where(self, p):
        """The indicator, as text, of what was running when the user interrupted it: predicate p, or the
        clause that runs, or one that waits for it."""
        from prism_repl.core.interrupts import innermost

        addresses = [self.P, self.CP]
        e: cython.longlong = self.E
        while e > 0 and len(addresses) < 100:
            addresses.append(self.env[e + E_CP])
            e = self.env[e + E_PREV]
        return innermost(self, p, addresses)

    def inline_pred(self, code):
        """The predicate that an inline operation stands for, for the context of its errors."""
        if code <= -10:
            number: cython.longlong = -10 - code
            names = (
                ("functor", 3), ("arg", 3), ("=..", 2), ("copy_term", 2), ("compare", 3),
                ("findall", 3), ("findall", 3), ("findall", 3), ("throw", 1), ("$get_b", 1), ("length", 2),
                ("retract", 1), ("findall", 3), ("$variant_key", 2), ("term_variables", 2), ("assert", 1),
                ("assertz", 1), ("asserta", 1), ("retractall", 1),
            )  # fmt: skip
            name, arity = names[number]
        else:
            name, arity = ("<", "=<", ">", ">=", "=:=", "=\\=")[-1 - code], 2
        return self.pred(self.functor(self.atom(name), arity))

    def poll(self, nargs):
        """At a call: look at signals; make room or collect garbage."""
        if self.ticks <= 0:
            self.check_signals()
        full: cython.bint = self.TR + MARGIN > self.trail_size and self.TR > (1 << 17)
        if (self.H > self.gc_threshold or full) and self.watch == 0:  # nothing moves in a look ahead
            self.collect(nargs)
        self.room(4 * MARGIN)
        self.trail_room(4 * MARGIN)

    def call_count(self):
        """How many calls were made so far, and ways taken back."""
        return self.inferences + TICKS - self.ticks

    def check_signals(self):
        self.inferences += TICKS - self.ticks
        self.ticks = TICKS
        self.check_interrupt()

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
        unknown = self.prolog_flags.get("unknown", "error")
        if unknown == "warning":
            name = f"{self.atom_text(self.functor_name[f])}/{self.functor_arity[f]}"
            self.streams.current_output.write(f"** Warning: Undefined procedure: {name}\n")
        if unknown != "error":
            return 0
        indicator = self.struct("/", self.functor_name[f], self.functor_arity[f] << 3 | INT)
        raise PrologError("existence_error", "procedure", indicator, context=("call", 1))
