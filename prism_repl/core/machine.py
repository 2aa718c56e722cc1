# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The machine: queries and exceptions.

What it is made of has files of its own, each a class that extends the one before: memory.py (terms),
program.py (predicates and code), stacks.py, natives.py, those of tabling and of random switches,
out_of_line.py and loop.py.
"""

import cython

from prism_repl.core.errors import PrologError, PrologHalt, PrologThrow, resource_error
from prism_repl.core.loop import Loop

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


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
        if m.cleanup_b != 0 and m.cleanup_is_due():
            m.cleaner(m)
        self.pending = m.has_alternatives(self.saved)
        return True

    def close(self):
        """Forget the query: bindings are undone, memory is given back."""
        if not self.closed:
            self.closed = True
            self.pending = False
            self.m.end_query(self.saved, False)
            self.clean_up()

    def commit(self):
        """Keep the bindings of the last solution, drop the alternatives."""
        if not self.closed:
            self.closed = True
            self.pending = False
            self.m.end_query(self.saved, True)
            self.clean_up()

    def clean_up(self):
        """Run the cleanups that waited for choice points of the query."""
        if self.m.cleanup_b != 0 and self.m.cleanup_is_due():
            try:
                self.m.cleaner(self.m)
            except (PrologError, PrologThrow):  # there is nobody to tell it to
                pass


class Machine(Loop):
    """A Prolog machine. Builtins, operators, streams and library are attached by system.py."""

    def __init__(self):
        Loop.__init__(self)
        self.tracer = None
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
            self.branch_state(),
        )
        self.forget_branch()
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
        self.set_branch_state(saved[15])
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
        self.forget_rows()
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
        t = self.last_table(self.call_key(p, n), p)
        found = []
        a = self.tables[t * TB_SIZE + TB_FIRST] if t != 0 else 0
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

    # ---- running

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

    def call_count(self):
        """How many calls were made so far, and ways taken back."""
        return self.inferences + TICKS - self.ticks
