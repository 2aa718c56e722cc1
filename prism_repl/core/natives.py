# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Builtins that need the machine's memory and no Python: terms taken apart and made, findall, clauses and
goals as data, and the integer arithmetic that has no instruction of its own. Arguments are in x.
"""

import cython

from prism_repl.core.errors import (
    PrologError,
    PrologThrow,
    domain_error,
    instantiation_error,
    resource_error,
    type_error,
)
from prism_repl.core.stacks import Stacks

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Natives(Stacks):
    """What the instruction NATIVE does, and its relatives. 1: success, 0: failure."""

    def __init__(self):
        Stacks.__init__(self)
        self.findall_size = first_size(1 << 10)
        self.findall = new_area(self.findall_size)
        self.findall_top = 0
        self.findall_mark = -1

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.findall)

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
            self.database.erase(self.deref(self.x[0]) >> 3)
            return 1
        if number == N_ASSERTZ or number == N_ASSERT:
            return self.database.assert_clause(self.x[0], True)
        if number == N_ASSERTA:
            return self.database.assert_clause(self.x[0], False)
        if number == N_RETRACTALL:
            return self.n_retractall()
        if number == N_FINDALL_DEPTH:
            return 1 if self.unify(self.x[0], self.findall_mark << 3 | INT) else 0
        if number == N_VARIANT_KEY:
            return 1 if self.unify(self.x[1], self.intern(self.x[0], True) >> 3 << 3 | INT) else 0
        self.check_list_or_partial(self.deref(self.x[1]))
        return 1 if self.unify(self.x[1], self.list_from(self.term_vars(self.x[0]))) else 0

    # ---- terms

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
            raise (
                PrologError("resource_error", "memory")
                if self.int_value(arity) > 0
                else domain_error("not_less_than_zero", arity)
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
        return 1 if self.unify(self.x[2], self.part(t, n - 1)) else 0

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
                args.append(self.part(t, i))
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

    # ---- arithmetic

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

    # ---- findall

    def findall_begin(self):
        self.findall_room(2)
        self.findall[self.findall_top] = self.findall_mark
        self.findall_mark = self.findall_top
        self.findall_top += 1
        return 1

    def findall_room(self, n):
        if self.findall_top + n + 16 > self.findall_size:
            size: cython.longlong = larger(self.findall_size, self.findall_top + n + 16)
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
            args.append(self.part(goal, i))
        for i in range(1, extra + 1):
            args.append(self.x[i])
        return self.new_struct(self.functor(self.name_of(goal), len(args)), args)

    def is_control(self, c):
        """Is the cell one of (A,B), (A;B), (A|B), (A->B), (A*->B)?"""
        if c & 7 != STR and c & 7 != GST:
            return False
        f: cython.longlong = self.functor_of(c)
        return (
            f == self.comma_functor
            or f == self.f_semicolon
            or f == self.f_bar
            or f == self.f_arrow
            or f == self.f_softarrow
        )

    def body_goal(self, goal):
        """A body as call/1 and assert see it: a variable V in goal position becomes call(V), so that a cut
        it is bound to later stays local; (A|B) is (A;B). A body that contains a number, or is cyclic, is
        refused before any of it runs."""
        changes: cython.bint = False
        stack = [goal]
        steps: cython.longlong = 0
        limit: cython.longlong = self.H + self.store_top + 16  # more steps than cells: perhaps cyclic
        c: cython.longlong
        seen = set()
        while stack:
            steps += 1
            if steps == limit and not self.is_acyclic(goal):
                raise type_error("acyclic_term", goal)
            c = self.deref(stack.pop())
            if steps >= limit:  # parts are shared
                if c in seen:
                    continue
                seen.add(c)
            if c & 7 == REF:
                changes = True
            elif c & 7 == INT or c & 7 == BOX:
                raise type_error("callable", goal)
            elif self.is_control(c):
                changes = changes or self.functor_of(c) == self.f_bar
                stack.append(self.part(c, 1))
                stack.append(self.part(c, 0))
        if not changes:
            return goal
        # rebuilt from the leaves: the list grows in preorder, and is read backwards
        order = []
        stack = [goal]
        while stack:
            if len(order) > limit:
                raise resource_error("program_space")
            c = self.deref(stack.pop())
            order.append(c)
            if self.is_control(c):
                stack.append(self.part(c, 1))
                stack.append(self.part(c, 0))
        done = []
        i: cython.longlong
        f: cython.longlong
        for i in range(len(order) - 1, -1, -1):
            c = order[i]
            if self.is_control(c):
                f = self.functor_of(c)
                if f == self.f_bar:
                    f = self.f_semicolon
                done.append(self.new_struct(f, [done.pop(), done.pop()]))
            elif c & 7 == REF:
                done.append(self.struct("call", c))
            else:
                done.append(c)
        return done.pop()

    # ---- clauses as data

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
            key = self.first_key(self.part(head, 0))
        if key != 0 and self.preds[p * PSIZE + P_HASH] != 0:
            c = self.bucket(p, key)
            c2 = self.preds[p * PSIZE + P_VAR_FIRST]
        else:
            c = self.preds[p * PSIZE + P_FIRST]
        return self.clause_step(c, c2, self.generation, False)

    def n_retractall(self):
        """'$retractall'(Head): erase all clauses whose heads match."""
        head: cython.longlong = self.deref(self.x[0])
        p: cython.longlong = self.goal_pred(head, 0)
        n: cython.longlong = self.preds[p * PSIZE + P_ARITY]
        c: cython.longlong
        c2: cython.longlong = -1
        key: cython.longlong = 0
        at: cython.longlong
        term: cython.longlong
        tr: cython.longlong = self.TR
        h: cython.longlong
        hb: cython.longlong = self.HB
        mark: cython.longlong = self.wtop
        generation: cython.longlong = self.generation
        steps: cython.longlong = 0
        i: cython.longlong
        if self.preds[p * PSIZE + P_KIND] != K_CLAUSES:
            return 1
        if n > 0:
            key = self.first_key(self.part(head, 0))
        if key != 0 and self.preds[p * PSIZE + P_HASH] != 0:
            c = self.bucket(p, key)
            c2 = self.preds[p * PSIZE + P_VAR_FIRST]
        else:
            c = self.preds[p * PSIZE + P_FIRST]
        # a head of different variables matches all
        every: cython.bint = n == 0 or len(self.term_vars(head)) == n
        for i in range(n):
            if self.deref(self.part(head, i)) & 7 != REF:
                every = False
        # all are found before one is erased: erasing gives memory back
        h = self.H
        while True:
            at = self.next_clause(c, c2, generation)
            c = self.alt1
            c2 = self.alt2
            if at == 0:
                break
            if not every:
                if self.code[at + C_TERM] == 0:
                    continue
                self.HB = h
                term = self.clause_term(at)
                if term & 7 == STR and self.heap[term >> 3] == self.f_neck << 3 | INT:
                    term = self.part(term, 0)
                matches: cython.bint = self.unify(head, term)
                self.undo_to(tr)
                self.H = h
                self.HB = hb
                if not matches:
                    continue
            self.work_room(1)
            self.work[self.wtop] = at
            self.wtop += 1
            steps += 1
            if steps & 65535 == 0:
                self.check_interrupt()
        self.database.erase_found(mark)
        return 1

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
                head = self.part(term, 0)
                body = self.part(term, 1)
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
