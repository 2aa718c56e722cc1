# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The machine: program area, stacks, and the loop that executes instructions.

Variables live on the heap only, so a last call never leaves a dangling reference. Environments
and choice points have stacks of their own. In the instruction chain of run(), success continues
the loop; falling out of the chain is failure. Anything that may move an area or raise works on the
attributes (self.H ...), and run() reloads its local copies afterwards.
"""

from bisect import bisect_left

import cython

from prism_repl.prolog.errors import (
    PrologError,
    PrologHalt,
    PrologThrow,
    domain_error,
    instantiation_error,
    resource_error,
    type_error,
)
from prism_repl.prolog.memory import Memory

if not cython.compiled:
    from prism_repl.prolog.cells import *  # noqa: F403
    from prism_repl.prolog.instructions import *  # noqa: F403
    from prism_repl.prolog.memory import free_area, grow_area, new_area


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


class Machine(Memory):
    """A Prolog machine. Builtins, operators, streams and library are attached by system.py."""

    def __init__(self):
        Memory.__init__(self)
        one: cython.longlong = 1
        self.code_size = 1 << 15
        self.code = new_area(self.code_size)
        self.code_top = 16  # address 0 means "none"
        self.free_code = new_area(128)
        self.preds_size = 1 << 8
        self.preds = new_area(self.preds_size * PSIZE)
        self.pred_count = 1  # predicate 0 means "none"
        self.functor_pred_size = 1 << 10
        self.functor_pred = new_area(self.functor_pred_size)
        self.generation = 1
        self.graveyard = []
        self.graveyard_limit = 1000
        self.env_size = 1 << 12
        self.env = new_area(self.env_size)
        self.choice_size = 1 << 12
        self.choice = new_area(self.choice_size)
        self.x_size = 1 << 9
        self.x = new_area(self.x_size)
        self.findall_size = 1 << 10
        self.findall = new_area(self.findall_size)
        self.findall_top = 0
        self.findall_mark = -1
        self.expl_size = 1 << 10
        self.expl = new_area(self.expl_size)
        self.XT = 0
        self.mode = 0
        self.init_tables()
        self.ticks = TICKS
        self.inferences = 0
        self.floor = 1
        self.gc_threshold = one << 20
        self.gc_stride = 0  # for tests: collect whenever so many words were used
        self.switch_hook = None
        self.sampler = None
        self.collector = None
        self.tracer = None
        self.hosts = []
        self.host_names = []
        self.prolog_flags = {}
        self.state = {}
        self.overridden = []
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
        self.name_functors()
        self.stubs()

    def name_functors(self):
        self.f_plus = self.functor(self.atom("+"), 2)
        self.f_minus = self.functor(self.atom("-"), 2)
        self.f_times = self.functor(self.atom("*"), 2)
        self.f_mod = self.functor(self.atom("mod"), 2)
        self.f_rem = self.functor(self.atom("rem"), 2)
        self.f_intdiv = self.functor(self.atom("//"), 2)
        self.f_div = self.functor(self.atom("/"), 2)
        self.f_and = self.functor(self.atom("/\\"), 2)
        self.f_or = self.functor(self.atom("\\/"), 2)
        self.f_shl = self.functor(self.atom("<<"), 2)
        self.f_shr = self.functor(self.atom(">>"), 2)
        self.f_min = self.functor(self.atom("min"), 2)
        self.f_max = self.functor(self.atom("max"), 2)
        self.f_neg = self.functor(self.atom("-"), 1)
        self.f_abs = self.functor(self.atom("abs"), 1)
        self.f_semicolon = self.functor(self.atom(";"), 2)
        self.f_arrow = self.functor(self.atom("->"), 2)
        self.f_softarrow = self.functor(self.atom("*->"), 2)
        self.f_not = self.functor(self.atom("\\+"), 1)
        self.f_neck = self.functor(self.atom(":-"), 2)
        self.a_cut = self.atom("!")
        self.a_true = self.atom("true")
        self.a_fail = self.atom("fail")

    def stubs(self):
        """Code that no clause has: the end of a query, control predicates, natives."""
        self.stop_code = self.stub([STOP])
        self.fail_code = self.stub([FAIL])
        self.answer_code = self.stub([ANSWER])
        i: cython.longlong
        for i in range(1, 9):
            self.define_code("call", i, [CALLN, i], 0)
        self.call_code = self.stub([CALLN, 1])
        self.define_code("$body", 2, [BODY], 0)
        self.p_body = self.pred(self.functor(self.atom("$body"), 2))
        self.define_code("$cut", 1, [CUT_TO], 0)
        self.define_code("msw", 2, [MSW], 0)
        self.p_msw = self.pred(self.functor(self.atom("msw"), 2))
        self.p_is = self.pred(self.functor(self.atom("is"), 2))
        self.define_code("$clause", 3, [CLAUSE_TRY, 0], 0)
        self.define_code("clause", 2, [CLAUSE_TRY, 1], 0)
        self.p_clause = self.pred(self.functor(self.atom("clause"), 2))
        call1: cython.longlong = self.pred(self.functor(self.atom("call"), 1))
        self.define_code(
            "catch",
            3,
            [ALLOC, 4, 3, 0, 0, 1, 1, 2, 2, CATCH, 3, CALL, call1, CATCH_EXIT, 3, DPROCEED],
            0,
        )
        self.state["recover"] = self.stub([DEXEC, call1])
        for name, arity in ((",", 2), (";", 2), ("->", 2), ("*->", 2), ("|", 2)):
            self.define_code(name, arity, [CALLN, 1], F_CONTROL)
        self.define_code("!", 0, [PROCEED], F_CONTROL)
        for number, (name, arity) in enumerate(
            (
                ("functor", 3),
                ("$arg", 3),  # arg/3 in library/terms.pl also takes an unbound position
                ("=..", 2),
                ("copy_term", 2),
                ("compare", 3),
                ("$findall_begin", 0),
                ("$findall_add", 1),
                ("$findall_end", 2),
                ("throw", 1),
                ("$get_b", 1),
                ("$skip_list", 3),
                ("$erase", 1),
                ("$findall_depth", 1),
                ("$variant_key", 2),
                ("term_variables", 2),
            )
        ):
            self.define_code(name, arity, [NATIVE, number, PROCEED], 0)
        for name, arity, field in (
            ("$and", 3, "p_and"),
            ("$or", 3, "p_or"),
            ("$ite", 4, "p_ite"),
            ("$ifthen", 3, "p_ifthen"),
            ("$soft", 4, "p_soft"),
            ("$softthen", 3, "p_softthen"),
        ):
            setattr(self, field, self.pred(self.functor(self.atom(name), arity)))

    def stub(self, words):
        n: cython.longlong = len(words)
        at: cython.longlong = self.alloc_code(n)
        i: cython.longlong
        for i in range(n):
            self.code[at + i] = words[i]
        return at

    def define_code(self, name, arity, words, flags):
        p: cython.longlong = self.pred(self.functor(self.atom(name), arity))
        self.preds[p * PSIZE + P_KIND] = K_CODE
        self.preds[p * PSIZE + P_FLAGS] = F_SYSTEM | F_DEFINED | flags
        self.preds[p * PSIZE + P_ENTRY] = self.stub(words)

    def define_host(self, name, arity, function):
        """Make a Python function the predicate name/arity."""
        p: cython.longlong = self.pred(self.functor(self.atom(name), arity))
        self.preds[p * PSIZE + P_KIND] = K_HOST
        self.preds[p * PSIZE + P_FLAGS] = F_SYSTEM | F_DEFINED
        self.preds[p * PSIZE + P_ENTRY] = len(self.hosts)
        self.hosts.append(function)
        self.host_names.append((name, arity))

    # ---- predicates and code

    def pred(self, functor_number):
        """The number of the predicate with this functor; made if it is not there."""
        f: cython.longlong = functor_number
        if f >= self.functor_pred_size:
            size: cython.longlong = self.functor_pred_size * 2
            while size <= f:
                size *= 2
            self.functor_pred = grow_area(self.functor_pred, self.functor_pred_size, size)
            self.functor_pred_size = size
        p: cython.longlong = self.functor_pred[f]
        if p == 0:
            if self.pred_count == self.preds_size:
                self.preds = grow_area(self.preds, self.preds_size * PSIZE, 2 * self.preds_size * PSIZE)
                self.preds_size *= 2
            p = self.pred_count
            self.pred_count += 1
            self.functor_pred[f] = p
            self.preds[p * PSIZE + P_FUNCTOR] = f
            self.preds[p * PSIZE + P_ARITY] = self.functor_arity[f]
        return p

    def override(self, functor_number):
        """A new, empty predicate for this functor; code compiled so far keeps calling the old one."""
        old: cython.longlong = self.pred(functor_number)
        f: cython.longlong = functor_number
        self.overridden.append((functor_number, old))
        self.functor_pred[f] = 0
        return self.pred(functor_number)

    def restore_overridden(self):
        """Library predicates that a program had replaced come back."""
        f: cython.longlong
        while self.overridden:
            f, old = self.overridden.pop()
            self.functor_pred[f] = old

    def has_open_goals(self):
        """True while a query is running (the heap top may then not be moved back)."""
        return self.B > 0

    def find_pred(self, functor_number):
        """The number of the predicate with this functor, or 0."""
        if functor_number >= self.functor_pred_size:
            return 0
        return self.functor_pred[functor_number]

    def pred_field(self, p, field):
        return self.preds[p * PSIZE + field]

    def set_pred_field(self, p, field, value):
        self.preds[p * PSIZE + field] = value
        self.preds[p * PSIZE + P_FAST] = 0  # the database sets it again when it knows better
        return 0

    def code_word(self, at):
        return self.code[at]

    def alloc_code(self, n):
        """n words of code: from the free list of that size, or at the end. Sizes are rounded:
        multiples of 4 below 256 words, powers of two above."""
        k: cython.longlong
        size: cython.longlong
        if n <= 256:
            k = (n + 3) // 4
            size = 4 * k
        else:
            k = 65
            size = 512
            while size < n:
                size *= 2
                k += 1
        at: cython.longlong = self.free_code[k]
        if at != 0:
            self.free_code[k] = self.code[at]
            return at
        if self.code_top + size + 64 > self.code_size:
            new: cython.longlong = self.code_size * 2
            while new < self.code_top + size + 64:
                new *= 2
            if new > self.heap_limit:
                raise resource_error("program_space")
            self.code = grow_area(self.code, self.code_size, new)
            self.code_size = new
        at = self.code_top
        self.code_top += size
        return at

    def release_code(self, at, n):
        k: cython.longlong
        size: cython.longlong
        if n <= 256:
            k = (n + 3) // 4
        else:
            k = 65
            size = 512
            while size < n:
                size *= 2
                k += 1
        self.code[at] = self.free_code[k]
        self.free_code[k] = at
        return 0

    def grow_choice(self, need):
        size: cython.longlong = self.choice_size
        while size < need + 64:
            size *= 2
        if size > self.heap_limit:
            raise resource_error("memory")
        if size > self.choice_size:
            self.choice = grow_area(self.choice, self.choice_size, size)
            self.choice_size = size
        return 0

    def grow_env(self, need):
        size: cython.longlong = self.env_size
        while size < need + 64:
            size *= 2
        if size > self.heap_limit:
            raise resource_error("memory")
        if size > self.env_size:
            self.env = grow_area(self.env, self.env_size, size)
            self.env_size = size
        return 0

    def x_room(self, n):
        if n + 16 > self.x_size:
            size: cython.longlong = 2 * (n + 16)
            self.x = grow_area(self.x, self.x_size, size)
            self.x_size = size
        return 0

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

    def push_choice(self, kind, n):
        """Push a choice point with n saved argument registers (slow path, on the attributes)."""
        b: cython.longlong = self.B
        nb: cython.longlong = b + B_ARGS + self.choice[b + B_N]
        i: cython.longlong
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

    # ---- exceptions

    def error_record(self, error, p):
        """The frozen ball of a Python-side error raised while predicate p was running."""
        if isinstance(error, PrologThrow):
            return error.record
        if isinstance(error, PrologError):
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
                        self.P = self.state["recover"]
                        return 1
                    self.undo_to(tr)
                    continue
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]

    def drop_generators(self, down_to):
        """Tables that were being filled above a choice point are forgotten."""
        b: cython.longlong = self.B
        while b > down_to:
            if self.choice[b + B_KIND] == BK_GENERATOR:
                self.drop_generator(b)
            b = self.choice[b + B_PREV]
        return 0

    # ---- goals as data

    def goal_pred(self, goal, extra):
        """The predicate of a goal called with extra arguments (errors as call/N has them)."""
        t: cython.longlong = goal & 7
        f: cython.longlong
        if t == STR and extra == 0:
            f = self.heap[goal >> 3] >> 3
            if f < self.functor_pred_size and self.functor_pred[f] != 0:
                return self.functor_pred[f]
        elif t == ATM:
            f = self.functor(goal, extra)
        elif t == STR or t == GST or t == LST or t == GLS:
            f = self.functor_of(goal)
            if extra > 0:
                f = self.functor(self.functor_name[f], self.functor_arity[f] + extra)
        elif t == REF:
            raise instantiation_error()
        else:
            raise type_error("callable", goal)
        return self.pred(f)

    def with_arguments(self, goal, extra):
        """The goal with the extra arguments of call/N, which are in x[1..], added."""
        args = []
        i: cython.longlong
        for i in range(self.arity_of(goal)):
            args.append(self.arg(goal, i))
        for i in range(1, extra + 1):
            args.append(self.x[i])
        return self.new_struct(self.functor(self.name_of(goal), len(args)), args)

    def is_control(self, c):
        """Is the cell one of (A,B), (A;B), (A->B), (A*->B)?"""
        if c & 7 != STR and c & 7 != GST:
            return False
        f: cython.longlong = self.functor_of(c)
        return f == self.comma_functor or f == self.f_semicolon or f == self.f_arrow or f == self.f_softarrow

    def body_goal(self, goal):
        """A body as call/1 and assert see it: a variable V in goal position becomes call(V), so that a cut
        it is bound to later stays local. A body that contains a number is refused before any of it runs."""
        variables: cython.bint = False
        stack = [goal]
        c: cython.longlong
        while stack:
            c = self.deref(stack.pop())
            if c & 7 == REF:
                variables = True
            elif c & 7 == INT or c & 7 == BOX:
                raise type_error("callable", goal)
            elif self.is_control(c):
                stack.append(self.arg(c, 1))
                stack.append(self.arg(c, 0))
        if not variables:
            return goal
        # rebuilt from the leaves: the list grows in preorder, and is read backwards
        order = []
        stack = [goal]
        while stack:
            c = self.deref(stack.pop())
            order.append(c)
            if self.is_control(c):
                stack.append(self.arg(c, 1))
                stack.append(self.arg(c, 0))
        done = []
        i: cython.longlong
        for i in range(len(order) - 1, -1, -1):
            c = order[i]
            if self.is_control(c):
                done.append(self.new_struct(self.functor_of(c), [done.pop(), done.pop()]))
            elif c & 7 == REF:
                done.append(self.struct("call", c))
            else:
                done.append(c)
        return done.pop()

    def first_key(self, c):
        """The index key of a first argument; 0 if it does not select."""
        t: cython.longlong
        x: cython.longlong
        while c & 7 == REF:
            x = self.heap[c >> 3]
            if x == c:
                return 0
            c = x
        t = c & 7
        if t == ATM or t == INT:
            return c
        if t == LST or t == GLS:
            return LST
        if t == STR:
            return (self.heap[c >> 3] >> 3) << 3 | STR
        if t == GST:
            return (self.store[c >> 3] >> 3) << 3 | STR
        return 0

    def bucket(self, p, key):
        """The first clause of predicate p whose key is exactly this one, or 0."""
        q: cython.longlong = p * PSIZE
        table: cython.longlong = self.preds[q + P_HASH]
        mask: cython.longlong = self.preds[q + P_HMASK]
        if table == 0:
            return 0
        h: cython.longlong = ((key ^ (key >> 15)) * 11) & mask
        k: cython.longlong
        while True:
            k = self.code[table + 3 * h]
            if k == key:
                return self.code[table + 3 * h + 1]
            if k == 0:
                return 0
            h = (h + 1) & mask

    # ---- the loop

    def run(self, backtrack):
        """Execute until the query succeeds (1) or fails (0)."""
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
        ok: cython.bint
        failing: cython.bint = backtrack
        small: cython.longlong = 1
        small = small << 60
        mul_max: cython.longlong = 1 << 30
        running_pred: cython.longlong = 0
        work_mark: cython.longlong = self.wtop  # an error leaves the scratch stack as it was
        while True:
            try:
                # reload what others may have changed
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
                            elif op == CALL:
                                CP = P + 2
                                pr = code[P + 1]
                            elif op == EXEC:
                                pr = code[P + 1]
                            elif op == DEXEC:
                                pr = code[P + 1]
                                CP = env[E + E_CP]
                                E = env[E + E_PREV]
                            elif op == PROCEED:
                                P = CP
                                continue
                            elif op == DPROCEED:
                                P = env[E + E_CP]
                                CP = P
                                E = env[E + E_PREV]
                                continue
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
                                running_pred = self.p_is
                                c = self.new_struct2(d, a, b)
                                c = self.evaluate(self, c)
                                running_pred = 0
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
                                    running_pred = -1 - t
                                    ok = self.compare_values(t, a, b)
                                    heap = self.heap
                                    H = self.H
                                    running_pred = 0
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
                                running_pred = self.p_is
                                if op == ARITH2:
                                    t = code[P + 3]
                                    a = x[code[P + 4]] if t == OX else (
                                        code[P + 4] if t == OC else env[E + E_SLOTS + code[P + 4]]
                                    )
                                    t = code[P + 5]
                                    b = x[code[P + 6]] if t == OX else (
                                        code[P + 6] if t == OC else env[E + E_SLOTS + code[P + 6]]
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
                                    a = x[code[P + 4]] if t == OX else (
                                        code[P + 4] if t == OC else env[E + E_SLOTS + code[P + 4]]
                                    )
                                    c = self.evaluate(self, self.new_struct1(code[P + 1], a))
                                    n = 5
                                else:
                                    t = code[P + 2]
                                    a = x[code[P + 3]] if t == OX else (
                                        code[P + 3] if t == OC else env[E + E_SLOTS + code[P + 3]]
                                    )
                                    n = 4
                                    a = self.deref(a)
                                    if a & 7 == INT or a & 7 == BOX:
                                        x[code[P + 1]] = a
                                        P += 4
                                        continue
                                    c = self.evaluate(self, a)
                                running_pred = 0
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
                                if self.unify(x[code[b + 1]], a):
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
                                b = sb[S]
                                S += 1
                                self.H = H
                                if self.unify(a, b):
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
                                running_pred = 0
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
                                running_pred = 0
                                if t == STR or t == GST:
                                    d = self.functor_of(a)
                                    if d == self.comma_functor:
                                        x[0] = self.arg(a, 0)
                                        x[1] = self.arg(a, 1)
                                        x[2] = b
                                        pr = self.p_and
                                    elif d == self.f_semicolon:
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
                                a = self.deref(x[0])
                                B = a >> 3
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
                                running_pred = -10 - code[P + 1]
                                ok = self.native(code[P + 1]) == 1
                                running_pred = 0
                                heap = self.heap
                                trail = self.trail
                                H = self.H
                                x = self.x
                                hmax = self.heap_size - MARGIN
                                if self.gc_threshold < hmax:
                                    hmax = self.gc_threshold
                                if ok:
                                    P = CP
                                    continue
                            elif op == CLAUSE_TRY:
                                self.H = H
                                self.P = P
                                self.E = E
                                self.B = B
                                self.CP = CP
                                running_pred = self.p_clause
                                if code[P + 1] == 1:
                                    self.clause_access()
                                    heap = self.heap
                                    H = self.H
                                ok = self.clause_first() == 1
                                running_pred = 0
                                B = self.B
                                HB = choice[B + B_H]
                                choice = self.choice
                                heap = self.heap
                                trail = self.trail
                                H = self.H
                                HB = choice[B + B_H]
                                self.HB = HB
                                if ok:
                                    P = CP
                                    continue
                            elif op == MSW:
                                self.H = H
                                self.P = P
                                self.E = E
                                self.B = B
                                self.CP = CP
                                running_pred = self.p_msw
                                ok = self.msw_first() == 1
                                running_pred = 0
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
                                self.answer()
                                heap = self.heap
                                failing = True
                            elif op == STOP:
                                self.H = H
                                self.P = P
                                self.E = E
                                self.B = B
                                self.CP = CP
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
                            running_pred = 0
                            self.poll(preds[q + P_ARITY])
                            polled = True
                            break
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
                                self.H = H
                                self.P = P
                                self.E = E
                                self.B = B
                                self.CP = CP
                                running_pred = pr
                                i = self.table_call(pr)
                                running_pred = 0
                                if i == 2:  # a new table: go on with the clauses
                                    skip_table = True
                                    break
                                pr = -1
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
                            if flags & F_DYNAMIC or c2 > 0:
                                d = self.generation
                                a = self.next_clause(c, c2, d)
                                c = self.alt1
                                c2 = self.alt2
                                b = 0
                                if a != 0 and (c != 0 or c2 > 0):
                                    b = 1
                            else:
                                d = -1
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
                            running_pred = pr
                            ok = self.call_host(preds[q + P_ENTRY], preds[q + P_ARITY])
                            running_pred = 0
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
                                running_pred = 0
                                self.undefined(a)

                    # ---- failure
                    failing = False
                    skip_table = False
                    pr = -1
                    ticks -= 1
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
                        else:
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
                        return 0
                    if t == BK_CATCH or t == BK_FAIL:
                        B = choice[B + B_PREV]
                        HB = choice[B + B_H]
                        self.HB = HB
                        failing = True
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
                    if t == BK_CLAUSEREF:
                        ok = self.clause_next() == 1
                    elif t == BK_MSW:
                        ok = self.msw_next() == 1
                    elif t == BK_ANSWERS:
                        ok = self.answers_next() == 1
                    else:  # BK_GENERATOR
                        i = self.generator_done()
                        if i == 2:
                            pr = self.tables[self.choice[self.B + B_1] * TB_SIZE + TB_PRED]
                            skip_table = True
                            break
                        ok = i == 1
                    self.P = self.CP
                    failing = not ok
                    break
            except KeyboardInterrupt as stop:
                self.wtop = work_mark
                if not stop.args:
                    stop.args = (self.where(pr if pr > 0 else running_pred),)
                raise
            except PrologHalt:
                self.wtop = work_mark
                raise
            except Exception as error:
                polled = True
                # self.P ... were saved before whatever raised
                self.wtop = work_mark
                pr = -1
                skip_table = False
                failing = False
                if running_pred < 0:
                    self.unwind(self.error_record(error, self.inline_pred(running_pred)))
                else:
                    self.unwind(self.error_record(error, running_pred))
                running_pred = 0

    # ---- helpers of the loop

    def where(self, p):
        """The indicator, as text, of what was running when the user interrupted it: predicate p, or the
        clause that runs, or one that waits for it."""
        from prism_repl.prolog.interrupts import innermost

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
                ("retract", 1), ("findall", 3), ("$variant_key", 2), ("term_variables", 2),
            )  # fmt: skip
            name, arity = names[number]
        else:
            name, arity = ("<", "=<", ">", ">=", "=:=", "=\\=")[-1 - code], 2
        return self.pred(self.functor(self.atom(name), arity))

    def new_struct1(self, f, a):
        self.room(4)
        at: cython.longlong = self.H
        self.heap[at] = f << 3 | INT
        self.heap[at + 1] = a
        self.H = at + 2
        return at << 3 | STR

    def new_struct2(self, f, a, b):
        self.room(4)
        at: cython.longlong = self.H
        self.heap[at] = f << 3 | INT
        self.heap[at + 1] = a
        self.heap[at + 2] = b
        self.H = at + 3
        return at << 3 | STR

    def small_arith(self, f, a, b):
        """Integer operations whose result surely fits; it is left in arith_result."""
        r: cython.longlong
        if f == self.f_intdiv:
            if b == 0 or b == -1:
                return False
            r = (a if a >= 0 else -a) // (b if b >= 0 else -b)
            self.arith_result = r if (a >= 0) == (b >= 0) else -r
            return True
        if f == self.f_mod or f == self.f_rem:
            if b == 0:
                return False
            r = (a if a >= 0 else -a) % (b if b >= 0 else -b)
            if a < 0:
                r = -r
            if f == self.f_mod and r != 0 and (r < 0) != (b < 0):
                r += b
            self.arith_result = r
            return True
        if f == self.f_and:
            self.arith_result = a & b
            return True
        if f == self.f_or:
            self.arith_result = a | b
            return True
        if f == self.f_shr and 0 <= b < 60:
            self.arith_result = a >> b
            return True
        if f == self.f_shl and 0 <= b < 28 and -(1 << 30) < a < (1 << 30):
            self.arith_result = a << b
            return True
        if f == self.f_min:
            self.arith_result = a if a < b else b
            return True
        if f == self.f_max:
            self.arith_result = a if a > b else b
            return True
        return False

    def compare_values(self, op, a, b):
        """Arithmetic comparison of two expressions."""
        a = self.deref(a)
        b = self.deref(b)
        if a & 7 != INT and a & 7 != BOX:
            a = self.evaluate(self, a)
        if b & 7 != INT and b & 7 != BOX:
            b = self.evaluate(self, b)
        v = self.number_value(a)
        w = self.number_value(b)
        if op == C_LT:
            return v < w
        if op == C_LE:
            return v <= w
        if op == C_GT:
            return v > w
        if op == C_GE:
            return v >= w
        if op == C_EQ:
            return v == w
        return v != w

    def list_tail(self, c):
        """What a chain of list cells ends in."""
        steps: cython.longlong = 0
        limit: cython.longlong = self.H + self.store_top + self.heap_size
        while True:
            c = self.deref(c)
            if c & 7 == LST:
                c = self.heap[(c >> 3) + 1]
            elif c & 7 == GLS:
                c = self.store[(c >> 3) + 1]
            else:
                return c
            steps += 1
            if steps > limit:
                return 0

    def code_box(self, at, n):
        """The store cell of a box written in the code."""
        i: cython.longlong
        self.store_room(n + 2)
        top: cython.longlong = self.store_top
        for i in range(n):
            self.store[top + i] = self.code[at + i]
        return self.store_find((top << 1 | 1) << 3 | BOX, n, top)

    def poll(self, nargs):
        """At a call: look at signals; make room or collect garbage."""
        if self.ticks <= 0:
            self.check_signals()
        if self.H > self.gc_threshold or (self.TR + MARGIN > self.trail_size and self.TR > (1 << 17)):
            self.collect(nargs)
        self.room(4 * MARGIN)
        self.trail_room(4 * MARGIN)

    def check_signals(self):
        self.inferences += TICKS - self.ticks
        self.ticks = TICKS
        self.check_interrupt()

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
        args = []
        for i in range(n):
            args.append(self.deref(self.x[i]))
        return f(self, *args)

    def undefined(self, p):
        """Call of an unknown predicate."""
        if self.prolog_flags.get("unknown", "error") == "fail":
            return 0
        f: cython.longlong = self.preds[p * PSIZE + P_FUNCTOR]
        indicator = self.struct("/", self.functor_name[f], self.functor_arity[f] << 3 | INT)
        raise PrologError("existence_error", "procedure", indicator, context=("call", 1))

    def next_clause(self, c, c2, generation):
        """The next clause alive at a generation: c2 == -1 follows the chain of all clauses; otherwise
        c is in the chain of a key and c2 in that of clauses without key, merged by their order.
        What follows is left in alt1, alt2 (already moved on to a living clause)."""
        a: cython.longlong = 0
        found: cython.longlong = 0
        if c2 == -1:
            while c != 0:
                if self.code[c + C_BIRTH] <= generation < self.code[c + C_DEATH]:
                    if found != 0:
                        break
                    found = c
                c = self.code[c + C_NEXT]
            self.alt1 = c
            self.alt2 = -1
            return found
        while True:
            while c != 0 and not (self.code[c + C_BIRTH] <= generation < self.code[c + C_DEATH]):
                c = self.code[c + C_NEXT_KEY]
            while c2 != 0 and not (self.code[c2 + C_BIRTH] <= generation < self.code[c2 + C_DEATH]):
                c2 = self.code[c2 + C_NEXT_KEY]
            if found != 0 or (c == 0 and c2 == 0):
                break
            if c2 == 0 or (c != 0 and self.code[c + C_SEQ] < self.code[c2 + C_SEQ]):
                a = c
                c = self.code[c + C_NEXT_KEY]
            else:
                a = c2
                c2 = self.code[c2 + C_NEXT_KEY]
            found = a
        self.alt1 = c
        self.alt2 = c2
        return found

    # ---- clauses as data

    def clause_term(self, at):
        """The term of a dynamic clause, fresh on the heap: Head :- Body or a fact."""
        t: cython.longlong = self.code[at + C_TERM]
        n: cython.longlong = self.code[t]
        b: cython.longlong = self.code[t + 1]
        if cython.compiled:
            return self.thaw_words(self.code + t + 2, n, self.code + t + 2 + n, b, 0)
        else:
            t += 2
            return self.thaw_words(self.code[t : t + n], n, self.code[t + n : t + n + b], b, 0)

    def clause_access(self):
        """clause/2: what ISO checks, then as '$clause'/3 with a reference of no interest."""
        head: cython.longlong = self.deref(self.x[0])
        body: cython.longlong = self.deref(self.x[1])
        p: cython.longlong
        if head & 7 == REF:
            raise instantiation_error()
        if not self.is_callable(head):
            raise type_error("callable", head)
        if body & 7 != REF and not self.is_callable(body):
            raise type_error("callable", body)
        p = self.goal_pred(head, 0) * PSIZE
        if self.preds[p + P_KIND] != K_UNDEFINED and not self.preds[p + P_FLAGS] & (F_DYNAMIC | F_CONSULTED):
            raise PrologError(
                "permission_error", "access", "private_procedure", self.database.indicator(p // PSIZE)
            )
        self.x[2] = self.new_var()
        return 0

    def clause_first(self):
        """'$clause'(Head, Body, Ref): the first clause; more wait behind a choice point."""
        head: cython.longlong = self.deref(self.x[0])
        p: cython.longlong = self.goal_pred(head, 0)
        c: cython.longlong
        c2: cython.longlong = -1
        key: cython.longlong = 0
        if self.preds[p * PSIZE + P_KIND] != K_CLAUSES:
            return 0
        if self.preds[p * PSIZE + P_ARITY] > 0:
            key = self.first_key(self.arg(head, 0))
        if key != 0 and self.preds[p * PSIZE + P_HASH] != 0:
            c = self.bucket(p, key)
            c2 = self.preds[p * PSIZE + P_VAR_FIRST]
        else:
            c = self.preds[p * PSIZE + P_FIRST]
        return self.clause_step(c, c2, self.generation, False)

    def clause_next(self):
        b: cython.longlong = self.B
        return self.clause_step(self.choice[b + B_1], self.choice[b + B_2], self.choice[b + B_3], True)

    def clause_step(self, c, c2, generation, again):
        """Try clauses until one unifies; keep a choice point only while more may follow."""
        at: cython.longlong
        term: cython.longlong
        head: cython.longlong
        body: cython.longlong
        b: cython.longlong
        while True:
            at = self.next_clause(c, c2, generation)
            c = self.alt1
            c2 = self.alt2
            if at == 0:
                if again:
                    self.B = self.choice[self.B + B_PREV]
                    self.HB = self.choice[self.B + B_H]
                return 0
            more: cython.bint = c != 0 or c2 > 0
            if more and not again:
                self.push_choice(BK_CLAUSEREF, 3)
                again = True
            elif not more and again:
                self.B = self.choice[self.B + B_PREV]
                self.HB = self.choice[self.B + B_H]
                again = False
            if again:
                b = self.B
                self.choice[b + B_1] = c
                self.choice[b + B_2] = c2
                self.choice[b + B_3] = generation
            if self.code[at + C_TERM] == 0:
                if not again:
                    return 0
                continue
            tr: cython.longlong = self.TR
            h: cython.longlong = self.H
            hb: cython.longlong = self.HB
            self.HB = h
            term = self.clause_term(at)
            head = term
            body = self.a_true
            if term & 7 == STR and self.heap[term >> 3] == self.f_neck << 3 | INT:
                head = self.arg(term, 0)
                body = self.arg(term, 1)
            if (
                self.unify(self.x[0], head)
                and self.unify(self.x[1], body)
                and self.unify(self.x[2], at << 3 | INT)
            ):
                self.HB = hb
                return 1
            self.undo_to(tr)
            self.H = h
            self.HB = hb
            if not again:
                return 0

    def free_graveyard(self):
        """Release the memory of erased clauses. Only when nothing runs."""
        if self.B == 0 and self.graveyard:
            self.release_clauses()

    def standing_calls(self, p):
        """(sequence number, generation) of each choice point that has clauses of predicate p left: the
        place of the first, and which clauses it sees (-1: all). With p 0: the predicates of all of them."""
        b: cython.longlong = self.B
        c: cython.longlong
        d: cython.longlong
        kind: cython.longlong
        found = []
        while b > 0:
            kind = self.choice[b + B_KIND]
            if kind == BK_CLAUSE or kind == BK_CLAUSEREF:
                c = self.choice[b + B_1]
                d = self.choice[b + B_2]
                if c <= 0 or (d > 0 and self.code[d + C_SEQ] < self.code[c + C_SEQ]):
                    c = d
                if p == 0:
                    found.append(self.code[c + C_PRED])
                elif self.code[c + C_PRED] == p:
                    found.append((self.code[c + C_SEQ], self.choice[b + B_3]))
            b = self.choice[b + B_PREV]
        return found

    def release_clauses(self):
        """Release the memory of the erased clauses that no choice point may lead to and that are not
        being executed; they leave all chains first."""
        b: cython.longlong = self.B
        e: cython.longlong = self.E
        at: cython.longlong
        p: cython.longlong
        running = {self.CP}  # addresses where execution will go on
        visited = set()
        while True:
            while e > 0 and e not in visited:
                visited.add(e)
                running.add(self.env[e + E_CP])
                e = self.env[e + E_PREV]
            if b == 0:
                break
            running.add(self.choice[b + B_CP])
            if self.choice[b + B_KIND] == BK_CODE:
                running.add(self.choice[b + B_1])
            e = self.choice[b + B_E]
            b = self.choice[b + B_PREV]
        addresses = sorted(running)
        standing = set(self.standing_calls(0))
        kept = []
        freed = []
        for clause in self.graveyard:
            at = clause
            p = self.code[at + C_PRED]
            place = bisect_left(addresses, at)
            if p in standing or (place < len(addresses) and addresses[place] < at + self.code[at + C_SIZE]):
                kept.append(at)
            else:
                freed.append(at)
        self.database.unlink(freed)
        for clause in freed:
            self.release_code(clause, self.code[clause + C_SIZE])
        self.graveyard = kept
        self.graveyard_limit = 1000 + 2 * len(kept) + len(visited) + (self.B >> 4)
        if self.collector is not None:
            self.collector.forget_code()

    # ---- natives

    def native(self, number):
        a: cython.longlong
        i: cython.int
        if number == N_FUNCTOR:
            return self.n_functor()
        if number == N_ARG:
            return self.n_arg()
        if number == N_UNIV:
            return self.n_univ()
        if number == N_COPY:
            return 1 if self.unify(self.x[1], self.copy(self.x[0])) else 0
        if number == N_COMPARE:
            a = self.deref(self.x[0])
            if a & 7 != REF:
                if a & 7 != ATM:
                    raise type_error("atom", a)
                if self.atom_text(a) not in ("<", "=", ">"):
                    raise domain_error("order", a)
            i = self.compare(self.x[1], self.x[2])
            return 1 if self.unify(a, self.atom("<" if i < 0 else (">" if i > 0 else "="))) else 0
        if number == N_FINDALL_BEGIN:
            return self.findall_begin()
        if number == N_FINDALL_ADD:
            return self.findall_add(self.x[0])
        if number == N_FINDALL_END:
            a = self.findall_collect(self.x[1])
            return 1 if self.unify(self.x[0], a) else 0
        if number == N_THROW:
            a = self.deref(self.x[0])
            if a & 7 == REF:
                raise instantiation_error()
            raise PrologThrow(self.freeze(a))
        if number == N_GET_B:
            return 1 if self.unify(self.x[0], self.B << 3 | INT) else 0
        if number == N_SKIP_LIST:
            return self.n_skip_list()
        if number == N_CLAUSE_ERASE:
            # a clause that was erased since it was found counts as retracted (logical update view)
            self.database.erase(self, self.deref(self.x[0]) >> 3)
            return 1
        if number == N_FINDALL_DEPTH:
            return 1 if self.unify(self.x[0], self.findall_mark << 3 | INT) else 0
        if number == N_VARIANT_KEY:
            return 1 if self.unify(self.x[1], self.intern(self.x[0], True) >> 3 << 3 | INT) else 0
        self.check_list_or_partial(self.deref(self.x[1]))
        return 1 if self.unify(self.x[1], self.list_from(self.term_vars(self.x[0]))) else 0

    def n_functor(self):
        t: cython.longlong = self.deref(self.x[0])
        name: cython.longlong = self.deref(self.x[1])
        arity: cython.longlong = self.deref(self.x[2])
        n: cython.longlong
        i: cython.longlong
        if t & 7 != REF:
            if self.is_atomic(t):
                return 1 if self.unify(name, t) and self.unify(arity, INT) else 0
            n = self.arity_of(t)
            return 1 if self.unify(name, self.name_of(t)) and self.unify(arity, n << 3 | INT) else 0
        if name & 7 == REF or arity & 7 == REF:
            raise instantiation_error()
        if not self.is_integer(arity):
            raise type_error("integer", arity)
        if self.is_compound(name):
            raise type_error("atomic", name)
        if arity & 7 != INT or arity >> 3 > 10000000:
            raise PrologError("resource_error", "memory") if self.int_value(arity) > 0 else domain_error(
                "not_less_than_zero", arity
            )
        n = arity >> 3
        if n < 0:
            raise domain_error("not_less_than_zero", arity)
        if n == 0:
            return 1 if self.unify(t, name) else 0
        if name & 7 != ATM:
            raise type_error("atom", name)
        f: cython.longlong = self.functor(name, n)
        self.room(n + 2)
        at: cython.longlong = self.H
        if f == self.list_functor:
            self.heap[at] = at << 3
            self.heap[at + 1] = (at + 1) << 3
            self.H += 2
            return 1 if self.unify(t, at << 3 | LST) else 0
        self.heap[at] = f << 3 | INT
        for i in range(1, n + 1):
            self.heap[at + i] = (at + i) << 3
        self.H = at + n + 1
        return 1 if self.unify(t, at << 3 | STR) else 0

    def n_arg(self):
        n: cython.longlong = self.deref(self.x[0])
        t: cython.longlong = self.deref(self.x[1])
        if t & 7 == REF:
            raise instantiation_error()
        if n & 7 == REF:
            raise instantiation_error()
        if not self.is_integer(n):
            raise type_error("integer", n)
        if not self.is_compound(t):
            raise type_error("compound", t)
        if n & 7 != INT:
            if self.int_value(n) < 0:
                raise domain_error("not_less_than_zero", n)
            return 0
        n = n >> 3
        if n < 0:
            raise domain_error("not_less_than_zero", self.deref(self.x[0]))
        if n == 0 or n > self.arity_of(t):
            return 0
        return 1 if self.unify(self.x[2], self.arg(t, n - 1)) else 0

    def n_univ(self):
        t: cython.longlong = self.deref(self.x[0])
        n: cython.longlong
        i: cython.longlong
        if t & 7 != REF:
            self.check_list_or_partial(self.deref(self.x[1]))
            if self.is_atomic(t):
                return 1 if self.unify(self.x[1], self.list_from([t])) else 0
            n = self.arity_of(t)
            self.room(2 * n + 4)
            args = [self.name_of(t)]
            for i in range(n):
                args.append(self.arg(t, i))
            return 1 if self.unify(self.x[1], self.list_from(args)) else 0
        spec: cython.longlong = self.deref(self.x[1])
        if spec & 7 == REF:
            raise instantiation_error()
        items, tail = self.list_items(spec)
        end: cython.longlong = tail
        if end & 7 == REF:
            raise instantiation_error()
        if end != self.nil:
            raise type_error("list", spec)
        if not items:
            raise domain_error("non_empty_list", spec)
        name: cython.longlong = self.deref(items[0])
        n = len(items) - 1
        if name & 7 == REF:
            raise instantiation_error()
        if n == 0:
            if self.is_compound(name):
                raise type_error("atomic", name)
            return 1 if self.unify(t, name) else 0
        if name & 7 != ATM:
            raise type_error("atom", name)
        return 1 if self.unify(t, self.new_struct(self.functor(name, n), items[1:])) else 0

    def check_list_or_partial(self, c):
        """An output list must be a list or may become one."""
        if c & 7 != REF and c != self.nil:
            end: cython.longlong = self.list_items(c)[1]
            if end & 7 != REF and end != self.nil:
                raise type_error("list", c)

    def n_skip_list(self):
        """'$skip_list'(List, Length, Tail): how many list cells, and what they end in."""
        c: cython.longlong = self.deref(self.x[0])
        k: cython.longlong = 0
        limit: cython.longlong = self.heap_size + self.store_size
        while True:
            if c & 7 == LST:
                c = self.deref(self.heap[(c >> 3) + 1])
            elif c & 7 == GLS:
                c = self.store[(c >> 3) + 1]
            else:
                break
            k += 1
            if k > limit:  # cyclic: the tail is the list itself, which is not []
                break
        return 1 if self.unify(self.x[1], k << 3 | INT) and self.unify(self.x[2], c) else 0

    # ---- findall

    def findall_begin(self):
        self.findall_room(2)
        self.findall[self.findall_top] = self.findall_mark
        self.findall_mark = self.findall_top
        self.findall_top += 1
        return 1

    def findall_room(self, n):
        if self.findall_top + n + 16 > self.findall_size:
            size: cython.longlong = 2 * self.findall_size
            while size < self.findall_top + n + 16:
                size *= 2
            if size > self.heap_limit:
                raise resource_error("memory")
            self.findall = grow_area(self.findall, self.findall_size, size)
            self.findall_size = size

    def findall_add(self, c):
        """Append a copy of a solution: a constant in two words, else sizes, cells, boxes."""
        c = self.deref(c)
        i: cython.longlong
        t: cython.longlong = c & 7
        at: cython.longlong
        if t == ATM or t == INT or t == GLS or t == GST:
            self.findall_room(2)
            self.findall[self.findall_top] = 0
            self.findall[self.findall_top + 1] = c
            self.findall_top += 2
            return 1
        self.flatten(c, True)
        self.findall_room(self.image_top + self.boxes_top + 2)
        at = self.findall_top
        self.findall[at] = self.image_top
        self.findall[at + 1] = self.boxes_top
        at += 2
        for i in range(self.image_top):
            self.findall[at + i] = self.image[i]
        at += self.image_top
        for i in range(self.boxes_top):
            self.findall[at + i] = self.boxes[i]
        self.findall_top = at + self.boxes_top
        return 1

    def findall_collect(self, tail):
        """The list of the solutions since the last mark, ending in tail; pops the mark."""
        at: cython.longlong = self.findall_mark + 1
        n: cython.longlong
        b: cython.longlong
        c: cython.longlong
        count: cython.longlong = 0
        cell: cython.longlong
        first: cython.longlong = tail
        last: cython.longlong = 0
        self.room(self.findall_top - at + 64)
        while at < self.findall_top:
            n = self.findall[at]
            if n == 0:
                c = self.findall[at + 1]
                at += 2
            else:
                b = self.findall[at + 1]
                if cython.compiled:
                    c = self.thaw_words(self.findall + at + 2, n, self.findall + at + 2 + n, b, 0)
                else:
                    c = self.thaw_words(
                        self.findall[at + 2 : at + 2 + n], n, self.findall[at + 2 + n : at + 2 + n + b], b, 0
                    )
                at += 2 + n + b
            cell = self.cons(c, tail)
            if count == 0:
                first = cell
            else:
                self.heap[last + 1] = cell
            last = cell >> 3
            count += 1
            if count & 65535 == 0:
                self.check_interrupt()
        self.findall_top = self.findall_mark
        self.findall_mark = self.findall[self.findall_mark]
        return first

    # ---- tabling and explanation search

    def init_tables(self):
        self.tables_size = 1 << 6
        self.tables = new_items(self.tables_size * TB_SIZE)
        self.table_count = 1
        self.answers_size = 1 << 6
        self.answers = new_items(self.answers_size * AN_SIZE)
        self.answer_count = 1
        self.nodes_size = 1 << 6
        self.nodes = new_items(self.nodes_size * ND_SIZE)
        self.node_count = 1
        self.paths_size = 1 << 6
        self.paths = new_items(self.paths_size * 3)
        self.path_count = 1
        self.items_size = 1 << 8
        self.items = new_items(self.items_size)
        self.item_count = 0
        self.running_size = 1 << 8
        self.running = new_area(self.running_size)
        self.running_top = 0
        self.reads_size = 1 << 8
        self.reads = new_area(self.reads_size * 4)
        self.reads_top = 0
        self.component_size = 1 << 8
        self.component = new_area(self.component_size)
        self.component_top = 0
        self.round_number = 0
        self.epoch = 1
        self.odd_switches = {}
        self.shared_size = 1 << 8
        self.shared = new_area(self.shared_size)
        self.shared_count = 0
        self.atom_switch_size = 1 << 8
        self.atom_switch = new_area(self.atom_switch_size)
        self.goal_number = 1
        self.memo = new_area(1 << 13)
        self.young_epoch = 0
        self.switch_space = 1 << 6
        self.switch_base = new_area(self.switch_space)
        self.switch_first = new_area(self.switch_space)
        self.switch_size = new_area(self.switch_space)
        self.switch_count = 1
        self.outcomes_size = 1 << 8
        self.outcomes = new_area(self.outcomes_size)
        self.outcome_count = 0

    def clear_tables(self):
        """Forget all tables, nodes, paths and what was cached of switches."""
        big: cython.longlong = 1 << 12
        self.epoch += 1
        self.table_count = 1
        self.answer_count = 1
        self.node_count = 1
        self.path_count = 1
        self.item_count = 0
        self.running_top = 0
        self.component_top = 0
        self.reads_top = 0
        self.odd_switches = {}
        self.forget_shared()
        self.switch_count = 1
        self.outcome_count = 0
        if self.tables_size > big:
            self.tables = grow_items(self.tables, self.tables_size * TB_SIZE, big * TB_SIZE)
            self.tables_size = big
        if self.answers_size > big:
            self.answers = grow_items(self.answers, self.answers_size * AN_SIZE, big * AN_SIZE)
            self.answers_size = big
        if self.nodes_size > big:
            self.nodes = grow_items(self.nodes, self.nodes_size * ND_SIZE, big * ND_SIZE)
            self.nodes_size = big
        if self.paths_size > big:
            self.paths = grow_items(self.paths, self.paths_size * 3, big * 3)
            self.paths_size = big
        if self.items_size > big:
            self.items = grow_items(self.items, self.items_size, big)
            self.items_size = big

    def forget_terms(self):
        """Between queries: drop tables and every stored term."""
        self.clear_tables()
        self.reset_store()

    def call_key(self, p, n):
        """The variant key of a call of p with arguments in x: a store cell. Ground arguments become
        store cells in x, too."""
        f: cython.longlong = self.preds[p * PSIZE + P_FUNCTOR]
        x: cython.p_longlong = self.x
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        d: cython.longlong
        t: cython.longlong
        at: cython.longlong
        variables: cython.longlong = 0
        if n == 0:
            return self.functor_name[f]
        if f == self.list_functor:
            return self.args_key(f, n)
        for i in range(n):
            c = x[i]
            while c & 7 == REF:
                d = self.heap[c >> 3]
                if d == c:
                    break
                c = d
            t = c & 7
            if t == REF:
                variables += 1
            elif t == LST or t == STR or t == BOX:
                c = self.intern(c, False)
                if c == 0:
                    return self.args_key(f, n)
            x[i] = c
        if variables > 8:
            return self.args_key(f, n)
        # the words are written where they will stay; variables are numbered as intern does it
        self.store_room(n + 8)
        at = self.store_top + 4
        self.store[at - 4] = 0
        self.store[at - 3] = 0
        self.store[at - 2] = 0
        self.store[at - 1] = 1 if variables > 0 else 0
        self.store[at] = f << 3 | INT
        variables = 0
        for i in range(n):
            c = x[i]
            if c & 7 == REF:
                j = 0
                while x[j] != c:
                    j += 1
                if j < i:
                    c = self.store[at + 1 + j]
                else:
                    variables += 1
                    c = -variables << 3 | ATM
            self.store[at + 1 + i] = c
        return self.store_find(at << 3 | GST, n + 1, at)

    def args_key(self, f, n):
        """The variant key of a goal with arguments in x that are not all ground."""
        i: cython.longlong
        h: cython.longlong = self.H
        self.room(n + 2)
        self.heap[h] = f << 3 | INT
        for i in range(n):
            self.heap[h + 1 + i] = self.x[i]
        self.H = h + n + 1
        key: cython.longlong = self.intern(h << 3 | STR, True)
        self.H = h
        return key

    def key_word(self, key):
        """A call or answer key in 32 bits: the index of a structure, or the complement of an atom's."""
        if key & 7 == GST:
            return key >> 3
        return ~(key >> 3)

    def word_key(self, word):
        if word >= 0:
            return word << 3 | GST
        return ~word << 3 | ATM

    def tagged(self, number):
        """A table, node or switch number with the epoch in which it is valid."""
        return self.epoch << 40 | number

    def untagged(self, word):
        if word >> 40 != self.epoch:
            return 0
        e: cython.longlong = self.epoch
        return word - (e << 40)

    def table_of(self, key, p):
        """The table of a call key, made if it is new."""
        t: cython.longlong
        word: cython.longlong
        if key & 7 == GST:
            t = self.untagged(self.store[(key >> 3) - 2])
        else:
            t = self.untagged(self.preds[p * PSIZE + P_TABLE])
        if t == 0:
            t = self.new_table(key, p)
            word = self.tagged(t)
            if key & 7 == GST:
                self.store[(key >> 3) - 2] = word
            else:
                self.preds[p * PSIZE + P_TABLE] = word
        return t

    def new_table(self, key, p):
        if self.table_count == self.tables_size:
            self.tables = grow_items(self.tables, self.tables_size * TB_SIZE, 2 * self.tables_size * TB_SIZE)
            self.tables_size *= 2
        t: cython.longlong = self.table_count
        self.table_count += 1
        q: cython.longlong = t * TB_SIZE
        self.tables[q + TB_KEY] = self.key_word(key)
        self.tables[q + TB_STATUS] = TS_NEW
        self.tables[q + TB_FIRST] = 0
        self.tables[q + TB_LAST] = 0
        self.tables[q + TB_COUNT] = 0
        self.tables[q + TB_ROUND] = 0
        self.tables[q + TB_AT] = 0
        self.tables[q + TB_PRED] = p
        self.tables[q + TB_GOAL] = self.goal_number
        return t

    def node_of(self, key, t):
        """The node of a goal instance; table t becomes its owner if it is new."""
        n: cython.longlong
        if key & 7 == GST:
            n = self.untagged(self.store[(key >> 3) - 3])
        else:  # a goal without arguments has one table and one answer
            n = self.tables[t * TB_SIZE + TB_FIRST]
            if n != 0:
                n = self.answers[n * AN_SIZE + AN_NODE]
        if n == 0:
            if self.node_count == self.nodes_size:
                self.nodes = grow_items(self.nodes, self.nodes_size * ND_SIZE, 2 * self.nodes_size * ND_SIZE)
                self.nodes_size *= 2
            n = self.node_count
            self.node_count += 1
            self.nodes[n * ND_SIZE + ND_TERM] = self.key_word(key)
            self.nodes[n * ND_SIZE + ND_FIRST] = 0
            self.nodes[n * ND_SIZE + ND_LAST] = 0
            self.nodes[n * ND_SIZE + ND_OWNER] = t
            if key & 7 == GST:
                self.store[(key >> 3) - 3] = self.tagged(n)
        return n

    def forget_shared(self):
        """No table is running: who has which node of another as its answer needs not be known."""
        i: cython.longlong
        if self.shared_count > 0:
            if self.shared_size > (1 << 12):
                free_area(self.shared)
                self.shared_size = 1 << 8
                self.shared = new_area(self.shared_size)
            else:
                for i in range(self.shared_size):
                    self.shared[i] = 0
            self.shared_count = 0
        return 0

    def shares(self, t, node):
        """Whether table t has this node of another table as its answer already; it has it from now on."""
        key: cython.longlong = t
        key = key << 32 | node
        mask: cython.longlong = self.shared_size - 1
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        j = self.pair_hash(t, node) & mask
        while self.shared[j] != 0:
            if self.shared[j] == key:
                return True
            j = (j + 1) & mask
        self.shared[j] = key
        self.shared_count += 1
        if 2 * self.shared_count > self.shared_size:
            old: cython.p_longlong = self.shared
            self.shared = new_area(2 * self.shared_size)
            mask = 2 * self.shared_size - 1
            for i in range(self.shared_size):
                k = old[i]
                if k != 0:
                    j = self.pair_hash(k >> 32, k & 0x7FFFFFFF) & mask
                    while self.shared[j] != 0:
                        j = (j + 1) & mask
                    self.shared[j] = k
            free_area(old)
            self.shared_size *= 2
        return False

    def pair_hash(self, a, b):
        h: cython.longlong = ((a ^ 16777619) * 40503 + b) & 0x3FFFFFFF
        h = (h ^ (h >> 15)) * 16777619 & 0x3FFFFFFF
        return h ^ (h >> 15)

    def table_call(self, p):
        """A call of a tabled predicate. 0: no answer, 1: an answer was returned, 2: run the clauses."""
        n: cython.longlong = self.preds[p * PSIZE + P_ARITY]
        key: cython.longlong = self.call_key(p, n)
        t: cython.longlong = self.table_of(key, p)
        q: cython.longlong = t * TB_SIZE
        status: cython.longlong = self.tables[q + TB_STATUS]
        low: cython.longlong
        top: cython.longlong
        if status == TS_COMPLETE:
            if self.tables[q + TB_GOAL] != self.goal_number:
                self.tables[q + TB_GOAL] = 0  # of use to more than one goal
            return self.return_answers(t, n)
        if status == TS_RUNNING or status == TS_INCOMPLETE:
            if status == TS_RUNNING:
                low = self.tables[q + TB_DFN]
            else:
                low = self.runner_of(self.tables[q + TB_AT] - 1)
            if self.running_top > 0:
                top = self.running[3 * self.running_top - 3] * TB_SIZE
                if low < self.tables[top + TB_LOW]:
                    self.tables[top + TB_LOW] = low
            return self.return_answers(t, n)
        return self.start_evaluation(t, n, False)

    def runner_of(self, at):
        """The innermost table that is still running and under which the table at this place of the
        component stack was filled: it waits for nothing below that one."""
        low: cython.longlong = 0
        high: cython.longlong = self.running_top
        middle: cython.longlong
        while high - low > 1:
            middle = (low + high) // 2
            if self.running[3 * middle + 1] <= at:
                low = middle
            else:
                high = middle
        return low

    def start_evaluation(self, t, n, again):
        """Run the clauses of table t (again: it leads its component, and is on the stacks)."""
        q: cython.longlong = t * TB_SIZE
        i: cython.longlong
        a: cython.longlong
        node: cython.longlong
        if not again:
            if 3 * self.running_top + 8 > self.running_size:
                self.running = grow_area(self.running, self.running_size, 2 * self.running_size)
                self.running_size *= 2
            self.running[3 * self.running_top] = t
            self.running[3 * self.running_top + 1] = self.component_top
            self.running[3 * self.running_top + 2] = self.reads_top
            self.tables[q + TB_DFN] = self.running_top
            self.running_top += 1
            self.push_choice(BK_GENERATOR, n)
            self.choice[self.B + B_1] = t
        self.tables[q + TB_LOW] = self.tables[q + TB_DFN]
        self.tables[q + TB_STATUS] = TS_RUNNING
        self.round_number += 1
        self.tables[q + TB_ROUND] = self.round_number
        # only the paths of the last evaluation count
        a = self.tables[q + TB_FIRST]
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            if self.nodes[node + ND_OWNER] == t:
                self.nodes[node + ND_FIRST] = 0
                self.nodes[node + ND_LAST] = 0
            a = self.answers[a * AN_SIZE + AN_NEXT]
        # the frame that ANSWER looks at
        etop: cython.longlong = self.choice[self.B + B_ETOP]
        self.grow_env(etop + n + 16)
        self.env[etop + E_PREV] = self.E
        self.env[etop + E_CP] = self.CP
        self.env[etop + E_N] = n + 2
        self.env[etop + E_SLOTS] = t << 3 | INT
        self.env[etop + E_SLOTS + 1] = self.XT << 3 | INT
        for i in range(n):
            self.env[etop + E_SLOTS + 2 + i] = self.x[i]
        self.E = etop
        self.CP = self.answer_code
        return 2

    def answer(self):
        """A clause of the table in the current frame succeeded: note the answer and its path."""
        e: cython.longlong = self.E + E_SLOTS
        t: cython.longlong = self.env[e] >> 3
        mark: cython.longlong = self.env[e + 1] >> 3
        n: cython.longlong = self.env[self.E + E_N] - 2
        q: cython.longlong = t * TB_SIZE
        p: cython.longlong = self.tables[q + TB_PRED]
        key: cython.longlong = self.word_key(self.tables[q + TB_KEY])
        i: cython.longlong
        node: cython.longlong
        new: cython.bint
        count: cython.longlong = self.node_count
        owner: cython.longlong
        if key & 7 == GST and self.store[(key >> 3) - 1] & 1:
            for i in range(n):
                self.x[i] = self.env[e + 2 + i]
            node = self.node_of(self.call_key(p, n), t)
            owner = self.nodes[node * ND_SIZE + ND_OWNER]
            if owner == 0:  # its table was dropped
                self.nodes[node * ND_SIZE + ND_OWNER] = t
                new = True
            elif owner == t:  # a table has its own nodes as answers from the start
                new = node >= count
            else:
                new = not self.shares(t, node)
        else:
            node = self.node_of(key, t)
            new = self.tables[q + TB_COUNT] == 0
            if self.nodes[node * ND_SIZE + ND_OWNER] == 0:
                self.nodes[node * ND_SIZE + ND_OWNER] = t
        if new:
            self.record_answer(t, node)
        if self.mode != 0 and self.preds[p * PSIZE + P_FLAGS] & F_PROB:
            if self.nodes[node * ND_SIZE + ND_OWNER] == t:
                self.record_path(node, mark)

    def record_answer(self, t, node):
        if self.answer_count == self.answers_size:
            size: cython.longlong = self.answers_size * AN_SIZE
            self.answers = grow_items(self.answers, size, 2 * size)
            self.answers_size *= 2
        a: cython.longlong = self.answer_count
        q: cython.longlong = t * TB_SIZE
        self.answer_count += 1
        self.answers[a * AN_SIZE + AN_NODE] = node
        self.answers[a * AN_SIZE + AN_NEXT] = 0
        if self.tables[q + TB_COUNT] == 0:
            self.tables[q + TB_FIRST] = a
        else:
            self.answers[self.tables[q + TB_LAST] * AN_SIZE + AN_NEXT] = a
        self.tables[q + TB_LAST] = a
        self.tables[q + TB_COUNT] += 1
        return 0

    def record_path(self, node, mark):
        """What lies on the explanation stack above the mark is a path of the node."""
        k: cython.longlong = self.XT - mark
        i: cython.longlong
        if self.path_count == self.paths_size:
            self.paths = grow_items(self.paths, self.paths_size * 3, 2 * self.paths_size * 3)
            self.paths_size *= 2
        if self.item_count + k > self.items_size:
            size: cython.longlong = 2 * self.items_size
            while size < self.item_count + k:
                size *= 2
            self.items = grow_items(self.items, self.items_size, size)
            self.items_size = size
        p: cython.longlong = self.path_count
        self.path_count += 1
        self.paths[3 * p] = 0
        self.paths[3 * p + 1] = self.item_count
        self.paths[3 * p + 2] = k
        for i in range(k):
            self.items[self.item_count + i] = self.expl[mark + i]
        self.item_count += k
        if self.nodes[node * ND_SIZE + ND_FIRST] == 0:
            self.nodes[node * ND_SIZE + ND_FIRST] = p
        else:
            self.paths[3 * self.nodes[node * ND_SIZE + ND_LAST]] = p
        self.nodes[node * ND_SIZE + ND_LAST] = p
        return 0

    def generator_done(self):
        """The clauses of a table are exhausted: another evaluation (2), or return its answers."""
        b: cython.longlong = self.B
        t: cython.longlong = self.choice[b + B_1]
        n: cython.longlong = self.choice[b + B_N]
        q: cython.longlong = t * TB_SIZE
        d: cython.longlong = self.tables[q + TB_DFN]
        low: cython.longlong = self.tables[q + TB_LOW]
        parent: cython.longlong
        again: cython.longlong
        i: cython.longlong
        if low >= d:  # it leads its component
            if self.reads_top > self.running[3 * d + 2]:
                again = self.outdated(b, d)
                if again == t:
                    return self.start_evaluation(t, n, True)
                if again != 0:
                    return self.evaluate_again(again)
                self.reads_top = self.running[3 * d + 2]
            for i in range(self.running[3 * d + 1], self.component_top):
                self.tables[self.component[i] * TB_SIZE + TB_STATUS] = TS_COMPLETE
                self.tables[self.component[i] * TB_SIZE + TB_AT] = 0
            self.component_top = self.running[3 * d + 1]
            self.tables[q + TB_STATUS] = TS_COMPLETE
        else:
            if self.tables[q + TB_AT] == 0:
                if self.component_top + 8 > self.component_size:
                    self.component = grow_area(self.component, self.component_size, 2 * self.component_size)
                    self.component_size *= 2
                self.component[self.component_top] = t
                self.component_top += 1
                self.tables[q + TB_AT] = self.component_top
            self.tables[q + TB_STATUS] = TS_INCOMPLETE
            parent = self.running[3 * d - 3] * TB_SIZE
            if low < self.tables[parent + TB_LOW]:
                self.tables[parent + TB_LOW] = low
        self.running_top = d
        self.B = self.choice[b + B_PREV]
        self.HB = self.choice[self.B + B_H]
        if self.choice[b + B_3] & 2:
            return 0  # back to the leader that asked for it
        return self.return_answers(t, n)

    def note_read(self, t):
        """The table that is being filled has read all answers that the incomplete table t has so far."""
        if self.running_top == 0:
            return 0
        if self.reads_top == self.reads_size:
            self.reads = grow_area(self.reads, 4 * self.reads_size, 8 * self.reads_size)
            self.reads_size *= 2
        reader: cython.longlong = self.running[3 * self.running_top - 3]
        i: cython.longlong = 4 * self.reads_top
        self.reads[i] = reader
        self.reads[i + 1] = self.tables[reader * TB_SIZE + TB_ROUND]
        self.reads[i + 2] = t
        self.reads[i + 3] = self.tables[t * TB_SIZE + TB_COUNT]
        self.reads_top += 1
        return 0

    def outdated(self, b, d):
        """A table of the component that began at depth d and that missed answers, which came after it had
        read all there were; 0 if none did. The leader's choice point b holds how far the look got (B_2),
        and whether something was evaluated since it began (1 in B_3)."""
        first: cython.longlong = self.running[3 * d + 2]
        i: cython.longlong = self.choice[b + B_2]
        t: cython.longlong
        if i < first:
            i = first
        while True:
            while i < self.reads_top:
                t = self.reads[4 * i] * TB_SIZE
                # reads of an earlier evaluation do not count
                if (
                    self.tables[t + TB_ROUND] == self.reads[4 * i + 1]
                    and self.tables[self.reads[4 * i + 2] * TB_SIZE + TB_COUNT] > self.reads[4 * i + 3]
                    and (
                        self.tables[t + TB_STATUS] == TS_INCOMPLETE
                        or self.tables[t + TB_STATUS] == TS_RUNNING
                    )
                ):
                    self.choice[b + B_2] = i + 1
                    self.choice[b + B_3] |= 1
                    return self.reads[4 * i]
                i += 1
            if self.choice[b + B_3] & 1 == 0:
                return 0
            self.choice[b + B_3] &= 2
            i = first

    def evaluate_again(self, t):
        """Run the clauses of a table of the component whose leader is on top; then fail back to that."""
        n: cython.longlong = self.preds[self.tables[t * TB_SIZE + TB_PRED] * PSIZE + P_ARITY]
        word: cython.longlong = self.tables[t * TB_SIZE + TB_KEY]
        i: cython.longlong
        term: cython.longlong
        if n > 0:
            self.x_room(n)
            term = self.instantiate(self.word_key(word), [])
            for i in range(n):
                self.x[i] = self.arg(term, i)
        self.start_evaluation(t, n, False)
        self.choice[self.B + B_3] = 2
        return 2

    def return_answers(self, t, n):
        """Give the caller the first answer of a table; the others wait behind a choice point."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables[q + TB_FIRST]
        if a == 0:
            if self.tables[q + TB_STATUS] != TS_COMPLETE:
                self.note_read(t)
            return 0
        if self.tables[q + TB_STATUS] != TS_COMPLETE or self.answers[a * AN_SIZE + AN_NEXT] != 0:
            self.push_choice(BK_ANSWERS, n)
            self.choice[self.B + B_1] = a
            self.choice[self.B + B_2] = t
        return 1 if self.use_answer(t, a, n) else 0

    def answers_next(self):
        b: cython.longlong = self.B
        t: cython.longlong = self.choice[b + B_2]
        a: cython.longlong = self.answers[self.choice[b + B_1] * AN_SIZE + AN_NEXT]
        q: cython.longlong = t * TB_SIZE
        n: cython.longlong = self.choice[b + B_N]
        if a == 0:
            if self.tables[q + TB_STATUS] != TS_COMPLETE:
                self.note_read(t)
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]
            return 0
        if self.tables[q + TB_STATUS] == TS_COMPLETE and self.answers[a * AN_SIZE + AN_NEXT] == 0:
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]
        else:
            self.choice[b + B_1] = a
        return 1 if self.use_answer(t, a, n) else 0

    def use_answer(self, t, a, n):
        """Unify the call in x with an answer; in explanation mode note the node."""
        node: cython.longlong = self.answers[a * AN_SIZE + AN_NODE]
        word: cython.longlong = self.nodes[node * ND_SIZE + ND_TERM]
        q: cython.longlong = t * TB_SIZE
        i: cython.longlong
        term: cython.longlong
        if word >= 0:
            if self.store[word - 1] & 1:
                term = self.instantiate(self.word_key(word), [])
                for i in range(n):
                    if not self.unify(self.x[i], self.arg(term, i)):
                        return False
            elif word != self.tables[q + TB_KEY]:
                for i in range(n):
                    if self.x[i] != self.store[word + 1 + i]:
                        if not self.unify(self.x[i], self.store[word + 1 + i]):
                            return False
        if self.mode != 0 and self.preds[self.tables[q + TB_PRED] * PSIZE + P_FLAGS] & F_PROB:
            self.push_item(node << 1)
        return True

    def push_item(self, item):
        if self.XT + 8 > self.expl_size:
            self.expl = grow_area(self.expl, self.expl_size, 2 * self.expl_size)
            self.expl_size *= 2
        self.expl[self.XT] = item
        self.XT += 1

    def drop_generator(self, b):
        """A table was being filled when the search was left: forget it and its component."""
        t: cython.longlong = self.choice[b + B_1]
        q: cython.longlong = t * TB_SIZE
        d: cython.longlong = self.tables[q + TB_DFN]
        i: cython.longlong
        for i in range(self.running[3 * d + 1], self.component_top):
            self.drop_table(self.component[i])
        self.component_top = self.running[3 * d + 1]
        self.reads_top = self.running[3 * d + 2]
        self.running_top = d
        self.drop_table(t)

    def drop_table(self, t):
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables[q + TB_FIRST]
        node: cython.longlong
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE]
            if self.nodes[node * ND_SIZE + ND_OWNER] == t:
                self.nodes[node * ND_SIZE + ND_FIRST] = 0
                self.nodes[node * ND_SIZE + ND_LAST] = 0
                self.nodes[node * ND_SIZE + ND_OWNER] = 0
            a = self.answers[a * AN_SIZE + AN_NEXT]
        self.tables[q + TB_STATUS] = TS_NEW
        self.tables[q + TB_FIRST] = 0
        self.tables[q + TB_LAST] = 0
        self.tables[q + TB_COUNT] = 0
        self.tables[q + TB_AT] = 0
        # the number is not used again
        word: cython.longlong = self.tables[q + TB_KEY]
        if word >= 0:
            self.store[word - 2] = 0
        else:
            self.preds[self.tables[q + TB_PRED] * PSIZE + P_TABLE] = 0

    # ---- random switches

    def switch_of(self, name):
        """The number of the switch with this (dereferenced) name, through the hook if it is new in
        this search. The hook calls set_outcomes."""
        c: cython.longlong = self.intern(name, False)
        s: cython.longlong = 0
        if c == 0:
            return self.switch_hook(self, name)
        if c & 7 == GST:
            s = self.untagged(self.store[(c >> 3) - 4])
            if s == 0:
                s = self.switch_hook(self, c)
                self.store[(c >> 3) - 4] = self.tagged(s)
            return s
        if c & 7 == ATM:
            i: cython.longlong = c >> 3
            if i < self.atom_switch_size:
                s = self.untagged(self.atom_switch[i])
                if s != 0:
                    return s
            s = self.switch_hook(self, c)
            if i >= self.atom_switch_size:
                size: cython.longlong = 2 * self.atom_switch_size
                while size <= i:
                    size *= 2
                self.atom_switch = grow_area(self.atom_switch, self.atom_switch_size, size)
                self.atom_switch_size = size
            self.atom_switch[i] = self.tagged(s)
            return s
        known = self.odd_switches.get(c)
        if known is not None:
            return known
        s = self.switch_hook(self, c)
        self.odd_switches[c] = s
        return s

    def set_outcomes(self, base, cells):
        """Note the outcomes of a switch for this search: base is the number of its first instance.
        Returns the search's number of the switch."""
        i: cython.longlong
        n: cython.longlong = len(cells)
        if self.switch_count == self.switch_space:
            self.switch_base = grow_area(self.switch_base, self.switch_space, 2 * self.switch_space)
            self.switch_first = grow_area(self.switch_first, self.switch_space, 2 * self.switch_space)
            self.switch_size = grow_area(self.switch_size, self.switch_space, 2 * self.switch_space)
            self.switch_space *= 2
        if self.outcome_count + n > self.outcomes_size:
            size: cython.longlong = 2 * self.outcomes_size
            while size < self.outcome_count + n:
                size *= 2
            self.outcomes = grow_area(self.outcomes, self.outcomes_size, size)
            self.outcomes_size = size
        s: cython.longlong = self.switch_count
        self.switch_count += 1
        self.switch_base[s] = base
        self.switch_first[s] = self.outcome_count
        self.switch_size[s] = n
        for i in range(n):
            self.outcomes[self.outcome_count + i] = self.intern(cells[i], False)
        self.outcome_count += n
        return s

    def msw_first(self):
        """msw(Name, Value): draw when sampling, enumerate in explanation search."""
        name: cython.longlong = self.deref(self.x[0])
        s: cython.longlong
        v: cython.longlong
        n: cython.longlong
        i: cython.longlong
        first: cython.longlong
        if self.switch_hook is None:
            raise PrologError("existence_error", "procedure", self.database.indicator(self.p_msw))
        value: cython.longlong = self.x[1]  # the hooks may run goals, which use the registers
        if self.mode == 0:
            v = self.sampler(self, name)
            return 1 if self.unify(value, v) else 0
        s = self.switch_of(name)
        self.x[0] = name
        self.x[1] = value
        n = self.switch_size[s]
        first = self.switch_first[s]
        v = self.deref(self.x[1])
        t: cython.longlong = v & 7
        if t == LST or t == STR:
            # most often the same outcome as last time at this place of the program
            memo: cython.longlong = (self.CP & 4095) << 1
            if self.memo[memo] == s and self.memo[memo + 1] < n:
                i = self.memo[memo + 1]
                if self.same_as_stored(v, self.outcomes[first + i]):
                    self.push_item((self.switch_base[s] + i) << 1 | 1)
                    return 1
        if t != REF:
            i = self.intern(v, False)
            if i != 0:  # a ground value: at most one outcome
                v = i
                for i in range(n):
                    if self.outcomes[first + i] == v:
                        if t == LST or t == STR:
                            self.memo[memo] = s
                            self.memo[memo + 1] = i
                        self.push_item((self.switch_base[s] + i) << 1 | 1)
                        return 1
                return 0
        return self.msw_try(s, 0, False)

    def same_as_stored(self, c, g):
        """Whether a list on the heap, of constants, is equal to a stored term. False if not sure."""
        t: cython.longlong
        a: cython.longlong
        while c & 7 == LST:
            if g & 7 != GLS:
                return False
            a = self.heap[c >> 3]
            while a & 7 == REF:
                t = self.heap[a >> 3]
                if t == a:
                    return False
                a = t
            if a != self.store[g >> 3]:
                return False
            c = self.heap[(c >> 3) + 1]
            while c & 7 == REF:
                t = self.heap[c >> 3]
                if t == c:
                    return False
                c = t
            g = self.store[(g >> 3) + 1]
        return c == g

    def msw_next(self):
        b: cython.longlong = self.B
        return self.msw_try(self.choice[b + B_1], self.choice[b + B_2], True)

    def msw_try(self, s, i, again):
        """The outcomes of switch s from number i on."""
        n: cython.longlong = self.switch_size[s]
        tr: cython.longlong
        hb: cython.longlong
        while i < n:
            if i + 1 < n and not again:
                self.push_choice(BK_MSW, 2)
                again = True
                self.choice[self.B + B_1] = s
            elif i + 1 == n and again:
                self.B = self.choice[self.B + B_PREV]
                self.HB = self.choice[self.B + B_H]
                again = False
            if again:
                self.choice[self.B + B_2] = i + 1
            tr = self.TR
            hb = self.HB
            self.HB = self.H
            if self.unify(self.x[1], self.outcomes[self.switch_first[s] + i]):
                self.HB = hb
                self.push_item((self.switch_base[s] + i) << 1 | 1)
                return 1
            self.undo_to(tr)
            self.HB = hb
            i += 1
        return 0

    def explain(self, goal):
        """Search all explanations of a goal in explanation mode. Returns the nodes of its answers
        (numbers as in node_term, paths ...), in the order found."""
        mode: cython.longlong = self.mode
        self.goal_number += 1
        if self.running_top == 0:
            self.forget_shared()
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

    def node_term(self, node):
        """The goal of a node: a store cell."""
        return self.word_key(self.nodes[node * ND_SIZE + ND_TERM])

    def search_arrays(self):
        """What the search found, as numpy arrays: node_head, path_next, path_start, path_len, items.
        Index 0 of nodes and paths is not used; 0 ends a chain."""
        import numpy

        n: cython.longlong = self.node_count
        p: cython.longlong = self.path_count
        if cython.compiled:
            nodes = numpy.frombuffer(bytes_of(self.nodes, n * ND_SIZE), numpy.int32).reshape(n, ND_SIZE)
            paths = numpy.frombuffer(bytes_of(self.paths, p * 3), numpy.int32).reshape(p, 3)
            items = numpy.frombuffer(bytes_of(self.items, self.item_count), numpy.int32)
        else:
            nodes = numpy.array(self.nodes[: n * ND_SIZE], numpy.int32).reshape(n, ND_SIZE)
            paths = numpy.array(self.paths[: p * 3], numpy.int32).reshape(p, 3)
            items = numpy.array(self.items[: self.item_count], numpy.int32)
        return nodes[:, ND_FIRST], paths[:, 0], paths[:, 1], paths[:, 2], items

    def switch_arrays(self):
        """Instance base and size of each switch met in this search."""
        return (
            [self.switch_base[i] for i in range(1, self.switch_count)],
            [self.switch_size[i] for i in range(1, self.switch_count)],
        )


def new_items(n):
    if cython.compiled:
        area = cython.cast(cython.p_int, malloc(n * 4))  # noqa: F821
        if area == cython.NULL:
            raise MemoryError
        return area
    else:
        return [0] * n


def grow_items(area, old, new):
    if cython.compiled:
        bigger = cython.cast(cython.p_int, realloc(area, new * 4))  # noqa: F821
        if bigger == cython.NULL:
            raise MemoryError
        return bigger
    else:
        if new > old:
            area.extend([0] * (new - old))
        else:
            del area[new:]
        return area


def bytes_of(area, n):
    """The bytes of n 32-bit words, copied."""
    if cython.compiled:
        return cython.cast(cython.p_char, area)[: 4 * n]
    else:
        return b""
