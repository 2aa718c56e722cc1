# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Queries: goals that are solved on a machine, and what happens to errors on the way."""

import cython

from prism_repl.core.errors import EXHAUSTION, PrologError, PrologHalt, PrologThrow, exhausted
from prism_repl.core.instructions import NATIVES

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.copying import freeze, thaw
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.loop import execute
    from prism_repl.core.unification import unify

# What natives stand for in errors, by their numbers.
NAMED = [named for _, named in NATIVES.values()]


class Query:
    """A goal being solved. Queries on one machine nest: the innermost must end first."""

    def __init__(self, m, goal):
        self.m = m
        self.saved = begin_query(m, goal)
        self.started = False
        self.closed = False
        self.pending = False

    def next(self):
        """Find the next solution."""
        m = self.m
        if self.closed:
            return False
        try:
            found = resume(m, self.started)
        except BaseException:
            self.close()
            raise
        self.started = True
        if not found:
            self.close()
            return False
        if m.cleanup_b != 0 and m.cleanup_is_due():
            m.cleaner(m)
        self.pending = has_alternatives(m)
        return True

    def close(self):
        """Forget the query: bindings are undone, memory is given back."""
        if not self.closed:
            self.closed = True
            self.pending = False
            end_query(self.m, self.saved, False)
            self.clean_up()

    def commit(self):
        """Keep the bindings of the last solution, drop the alternatives."""
        if not self.closed:
            self.closed = True
            self.pending = False
            end_query(self.m, self.saved, True)
            self.clean_up()

    def clean_up(self):
        """Run the cleanups that waited for choice points of the query."""
        if self.m.cleanup_b != 0 and self.m.cleanup_is_due():
            try:
                self.m.cleaner(self.m)
            except (PrologError, PrologThrow):  # there is nobody to tell it to
                pass


def solve_once(m, goal):
    """Run a goal to its first solution; bindings stay. Cells that the caller holds stay valid."""
    query = Query(m, goal)
    if query.next():
        query.commit()
        return True
    return False


# ---- a query begins and ends


def begin_query(m, goal):
    """Prepare to solve a goal; returns what end_query needs."""
    etop: cython.longlong = m.stacks.frame_top()
    # a frame of its own, so that the query does not reuse the environment that is current
    m.stacks.grow_env(etop + E_SLOTS)
    saved = (
        m.stacks.E,
        m.stacks.B,
        m.stacks.CP,
        m.stacks.P,
        m.stacks.CUT,
        m.heap.HB,
        m.stacks.XT,
        m.heap.floor,
        m.heap.H,
        m.heap.TR,
        m.findall.top,
        m.findall.mark,
        m.tabling.begin_query(),
        m.heap.attr_floor,
        m.heap.attr_below,
        m.heap.wake_from,
    )
    m.heap.attr_below = m.heap.attr_floor
    m.stacks.env[etop + E_PREV] = m.stacks.E
    m.stacks.env[etop + E_CP] = m.stacks.CP
    m.stacks.env[etop + E_N] = 0
    m.stacks.E = etop
    m.stacks.CP = m.program.stop_code
    m.heap.floor = m.heap.H
    m.stacks.push_choice(BK_STOP, 0)
    m.stacks.x[0] = goal
    m.stacks.P = m.program.call_code
    return saved


def resume(m, backtrack):
    return run(m, backtrack) == 1


def has_alternatives(m):
    """True if choice points were left by the query."""
    return m.stacks.choice[m.stacks.B + B_KIND] != BK_STOP


def end_query(m, saved, keep):
    b: cython.longlong = saved[1]
    m.tabling.leave_query(b)
    if not keep:
        m.heap.undo_to(saved[9])
        m.heap.H = saved[8]
        m.heap.attr_floor = saved[13]
        m.heap.wake_from = saved[15]
    m.heap.attr_below = saved[14]
    m.stacks.E = saved[0]
    m.stacks.B = b
    m.stacks.CP = saved[2]
    m.stacks.P = saved[3]
    m.stacks.CUT = saved[4]
    m.heap.HB = saved[5]
    m.stacks.XT = saved[6]
    m.heap.floor = saved[7]
    m.findall.top = saved[10]
    m.findall.mark = saved[11]
    m.tabling.end_query(saved[12])
    if b == 0 and not keep:
        shrink(m)


def shrink(m):
    """Give memory back after a top-level query."""
    big: cython.longlong = 1 << 20
    m.heap.shrink(big)
    m.stacks.shrink(big)
    m.findall.shrink(big)
    m.stacks.set_threshold()
    m.erased.release_all(m.database)


def error_record(m, error, p):
    """The frozen ball of a Python-side error raised while predicate p was running."""
    if isinstance(error, PrologThrow):
        return error.record
    if isinstance(error, PrologError):
        if error.announcement is not None:
            m.streams.complain(error.announcement)
            error.announcement = None
        formal: cython.longlong = error.formal(m)
        if error.context is not None:
            name: cython.longlong = m.symbols.atom(error.context[0])
            arity: cython.longlong = error.context[1]
        elif p > 0:
            name = m.symbols.functor_name[m.program.preds[p * PSIZE + P_FUNCTOR]]
            arity = m.program.preds[p * PSIZE + P_ARITY]
        else:
            name = m.symbols.atom("call")
            arity = 1
        context = m.terms.struct("/", name, arity << 3 | INT)
        try:
            return freeze(m.terms, m.terms.struct("error", formal, context))
        except PrologError:  # the culprit is cyclic, so it cannot be part of a ball
            formal = m.terms.struct("type_error", m.symbols.atom("acyclic_term"), m.symbols.atom("..."))
            return freeze(m.terms, m.terms.struct("error", formal, context))
    if isinstance(error, EXHAUSTION):
        return error_record(m, exhausted(error), p)
    text = type(error).__name__ + ": " + str(error)
    return error_record(m, PrologError("system_error", text), p)


def unwind(m, record):
    """Find the catch/3 that takes the ball; on return the registers are set for its recovery.
    Raises PrologThrow when the query has none."""
    b: cython.longlong
    e: cython.longlong
    chain: cython.longlong = m.stacks.E
    ball: cython.longlong
    m.outcomes.site = 0
    m.tabling.break_off()
    while True:
        b = m.stacks.B
        if m.stacks.choice[b + B_KIND] == BK_STOP:
            m.heap.undo_to(m.stacks.choice[b + B_TR])
            m.heap.H = m.stacks.choice[b + B_H]
            m.stacks.XT = m.stacks.choice[b + B_XT]
            raise PrologThrow(record)
        if m.stacks.choice[b + B_KIND] == BK_GENERATOR:
            m.tabling.forget_generator(b)
        if m.stacks.choice[b + B_KIND] == BK_CATCH:
            e = m.stacks.choice[b + B_1]
            # only a catch whose goal is still running takes the ball: its frame is then on
            # the chain of continuations
            while chain > e:
                chain = m.stacks.env[chain + E_PREV]
            if chain == e:
                m.heap.undo_to(m.stacks.choice[b + B_TR])
                m.heap.H = m.stacks.choice[b + B_H]
                m.stacks.XT = m.stacks.choice[b + B_XT]
                m.stacks.E = e
                m.findall.top = m.stacks.choice[b + B_2]
                m.findall.mark = m.stacks.choice[b + B_3]
                m.stacks.pop_choice(b)
                ball = thaw(m.terms, record)
                # trail everything: a catcher that does not match must be left untouched
                hb: cython.longlong = m.heap.HB
                tr: cython.longlong = m.heap.TR
                m.heap.HB = m.heap.H
                ok: cython.bint = unify(m.terms, m.stacks.env[e + E_SLOTS + 1], ball)
                m.heap.HB = hb
                if ok:
                    m.stacks.x[0] = m.stacks.env[e + E_SLOTS + 2]
                    m.stacks.P = m.program.recover_code
                    return 1
                m.heap.undo_to(tr)
                continue
        m.stacks.pop_choice(b)


def run(m, backtrack):
    """Execute until the query succeeds (1) or fails (0)."""
    work_mark: cython.longlong = m.heap.wtop  # an error leaves the scratch stack as it was
    outer: cython.longlong = m.running_pred  # a builtin may run goals of its own
    found: cython.int
    m.running_pred = 0
    try:
        while True:
            m.called = 0
            try:
                found = execute(m, backtrack)
                return found
            except KeyboardInterrupt as stop:
                m.heap.wtop = work_mark
                if not stop.args:
                    stop.args = (where(m, m.called if m.called > 0 else m.running_pred)[1],)
                raise
            except PrologHalt:
                m.heap.wtop = work_mark
                raise
            except Exception as error:
                # m.stacks.P ... were saved before whatever raised
                m.heap.wtop = work_mark
                backtrack = False
                if m.stacks.mode == 2:
                    m.tabling.abandon_look()
                    m.outcomes.site = 0
                    backtrack = True
                elif m.running_pred < 0:
                    unwind(m, error_record(m, error, inline_pred(m, m.running_pred)))
                else:
                    unwind(m, error_record(m, error, m.running_pred or exhausting(m, error)))
                m.running_pred = 0
    finally:
        m.running_pred = outer


def exhausting(m, error):
    """The predicate to name when memory ran out in no built-in one, as in a recursion without end; else 0."""
    if isinstance(error, EXHAUSTION) or (isinstance(error, PrologError) and error.kind == "resource_error"):
        return where(m, 0)[0]
    return 0


def where(m, p):
    """The predicate that is running, and its indicator as text: predicate p, or that of the clause that runs,
    or of one that waits for it."""
    if m.innermost is None:
        return 0, ""
    addresses = [m.stacks.P, m.stacks.CP]
    e: cython.longlong = m.stacks.E
    while e > 0 and len(addresses) < 100:
        addresses.append(m.stacks.env[e + E_CP])
        e = m.stacks.env[e + E_PREV]
    return m.innermost(m, p, addresses)


def inline_pred(m, code):
    """The predicate that an inline operation stands for, for the context of its errors."""
    if code <= -10:
        name, arity = NAMED[-10 - code]
    else:
        name, arity = ("<", "=<", ">", ">=", "=:=", "=\\=")[-1 - code], 2
    return m.program.pred(m.symbols.functor(m.symbols.atom(name), arity))
