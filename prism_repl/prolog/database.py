# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Predicates and their clauses: adding, erasing, indexing on the first argument.

A clause is in the chain of all clauses of its predicate, and in the chain of those with the
same first-argument key (found by hashing) or of those without key. Each clause is alive from its
birth to its death generation: a running call sees the clauses of the generation it started in.
Erased clauses stay readable for calls that stand on them; their memory is released later.
"""

from bisect import bisect_left, insort

import cython

from prism_repl.core.errors import PrologError, instantiation_error, permission_error, type_error
from prism_repl.prolog.compiler.clauses import Compiler

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.goals import body_goal, goal_pred, is_control
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.machine import Clauses


class Database(Clauses):
    """The clauses of one machine."""

    def __init__(self, m):
        one: cython.longlong = 1
        self.m = m
        self.compiler = Compiler(m)
        self.forever = one << 62
        self.library_names = None
        self.clause_filter = None  # a function that clauses go through first (occurs_check.py)
        self.fixed = set()  # predicates that no program may redefine: control, and what is compiled inline
        neck = m.symbols.atom(":-")
        # What rules and directives are written with: not a head, so that a bracket too few is noticed.
        self.clause_functors = {m.symbols.functor(neck, 1), m.symbols.functor(neck, 2)}
        self.keep_terms = False  # whether clauses of static predicates are kept as terms, too

    def add_clause(self, clause, at_end, line):
        """Compile a clause and add it to its predicate; returns its address. The caller has
        checked permissions (assertable) and translated grammar rules."""
        m = self.m
        p: cython.longlong
        if self.clause_filter is not None:
            clause = self.clause_filter(m, clause)
        head: cython.longlong = m.terms.deref(clause)
        body: cython.longlong
        new: cython.longlong
        if head & 7 == STR and m.terms.functor_of(head) == m.symbols.f_neck:
            body = m.terms.arg(head, 1)
            head = m.terms.arg(head, 0)
            if is_control(m, body) or body & 7 == REF:
                new = body_goal(m, body)
                if new != body:
                    clause = m.terms.struct(":-", head, new)
        if head & 7 == REF:
            raise instantiation_error()
        if not m.terms.is_callable(head):
            raise type_error("callable", head)
        p = goal_pred(m, head, 0)
        keep: cython.bint = (
            self.keep_terms or m.program.preds[p * PSIZE + P_FLAGS] & (F_DYNAMIC | F_CONSULTED) != 0
        )
        at: cython.longlong = self.compiler.compile(clause, keep, line)
        if self.compiler.cuts():
            m.program.preds[p * PSIZE + P_FLAGS] |= F_CUTS
        self.link(p, at, at_end)
        return at

    def assert_clause(self, clause, at_end):
        """assertz/asserta: clauses of predicates that are dynamic already take the short way."""
        m = self.m
        head: cython.longlong = m.terms.deref(clause)
        f: cython.longlong
        p: cython.longlong = 0
        if head & 7 == STR:
            f = m.terms.functor_of(head)
            if f != m.symbols.f_neck and f < m.program.functor_pred_size:
                p = m.program.functor_pred[f]
        if p == 0 or m.program.preds[p * PSIZE + P_FLAGS] & (F_DYNAMIC | F_SYSTEM) != F_DYNAMIC:
            self.assertable(clause)
        self.add_clause(clause, at_end, 0)
        return True

    def link(self, p, at, at_end):
        m = self.m
        q: cython.longlong = p * PSIZE
        c: cython.longlong
        m.program.preds[q + P_KIND] = K_CLAUSES
        m.program.preds[q + P_FLAGS] |= F_DEFINED
        m.program.generation += 1
        m.program.code[at + C_BIRTH] = m.program.generation
        m.program.code[at + C_DEATH] = self.forever
        if at_end:
            m.program.preds[q + P_HIGH] += 1
            m.program.code[at + C_SEQ] = m.program.preds[q + P_HIGH]
            c = m.program.preds[q + P_LAST]
            if c == 0:
                m.program.preds[q + P_FIRST] = at
            else:
                m.program.code[c + C_NEXT] = at
            m.program.preds[q + P_LAST] = at
            m.program.code[at + C_NEXT] = 0
        else:
            m.program.preds[q + P_LOW] -= 1
            m.program.code[at + C_SEQ] = m.program.preds[q + P_LOW]
            c = m.program.preds[q + P_FIRST]
            m.program.code[at + C_NEXT] = c
            m.program.preds[q + P_FIRST] = at
            if c == 0:
                m.program.preds[q + P_LAST] = at
        m.program.preds[q + P_LIVE] += 1
        self.chain(p, at, m.program.code[at + C_KEY], at_end)
        self.note_fast(p)
        return 0

    def note_fast(self, p):
        """Say whether the loop may take its short way for calls of p."""
        m = self.m
        q: cython.longlong = p * PSIZE
        c: cython.longlong
        m.program.preds[q + P_FAST] = 0
        m.program.preds[q + P_HEAD_TAIL] = 0
        if (
            m.program.preds[q + P_KIND] != K_CLAUSES
            or m.program.preds[q + P_FLAGS] & (F_TABLED | F_DYNAMIC) != 0
        ):
            return 0
        if m.program.preds[q + P_HASH] == 0 or m.program.preds[q + P_ARITY] == 0:
            m.program.preds[q + P_FAST] = FAST_CHAIN
        else:
            c = m.program.bucket(p, LST)
            m.program.preds[q + P_LIST] = c
            m.program.preds[q + P_FAST] = FAST_KEYS
            if m.program.preds[q + P_VAR_FIRST] == 0 and c != 0 and m.program.code[c + C_NEXT_KEY] == 0:
                if m.program.code[c + C_CODE] == GET_LIST_VV and m.program.code[c + C_CODE + 1] == 0:
                    m.program.preds[q + P_HEAD_TAIL] = c + C_CODE
        return 0

    def chain(self, p, at, key, at_end):
        """Put a clause into the chain of its key."""
        m = self.m
        q: cython.longlong = p * PSIZE
        c: cython.longlong
        if key != 0:
            return self.hash_insert(p, key, at, at_end)
        if at_end:
            c = m.program.preds[q + P_VAR_LAST]
            if c == 0:
                m.program.preds[q + P_VAR_FIRST] = at
            else:
                m.program.code[c + C_NEXT_KEY] = at
            m.program.preds[q + P_VAR_LAST] = at
            m.program.code[at + C_NEXT_KEY] = 0
        else:
            c = m.program.preds[q + P_VAR_FIRST]
            m.program.code[at + C_NEXT_KEY] = c
            m.program.preds[q + P_VAR_FIRST] = at
            if c == 0:
                m.program.preds[q + P_VAR_LAST] = at
        return 0

    def hash_insert(self, p, key, at, at_end):
        m = self.m
        q: cython.longlong = p * PSIZE
        i: cython.longlong
        k: cython.longlong
        table: cython.longlong
        mask: cython.longlong
        c: cython.longlong
        if (
            m.program.preds[q + P_HASH] == 0
            or 2 * m.program.preds[q + P_HCOUNT] > m.program.preds[q + P_HMASK]
        ):
            self.hash_grow(p)
        table = m.program.preds[q + P_HASH]
        mask = m.program.preds[q + P_HMASK]
        i = key_place(key, mask)
        while True:
            k = m.program.code[table + 3 * i]
            if k == key:
                break
            if k == 0:
                m.program.code[table + 3 * i] = key
                m.program.code[table + 3 * i + 1] = 0
                m.program.code[table + 3 * i + 2] = 0
                m.program.preds[q + P_HCOUNT] += 1
                break
            i = (i + 1) & mask
        if at_end:
            c = m.program.code[table + 3 * i + 2]
            m.program.code[at + C_NEXT_KEY] = 0
            if c == 0:
                m.program.code[table + 3 * i + 1] = at
            else:
                m.program.code[c + C_NEXT_KEY] = at
            m.program.code[table + 3 * i + 2] = at
        else:
            c = m.program.code[table + 3 * i + 1]
            m.program.code[at + C_NEXT_KEY] = c
            m.program.code[table + 3 * i + 1] = at
            if c == 0:
                m.program.code[table + 3 * i + 2] = at
        return 0

    def hash_grow(self, p):
        m = self.m
        q: cython.longlong = p * PSIZE
        old: cython.longlong = m.program.preds[q + P_HASH]
        size: cython.longlong = m.program.preds[q + P_HMASK] + 1 if old != 0 else 0
        new_size: cython.longlong = 8 if size == 0 else 4 * size
        count: cython.longlong = 0
        i: cython.longlong
        j: cython.longlong
        key: cython.longlong
        mask: cython.longlong = new_size - 1
        at: cython.longlong = m.program.alloc_code(3 * new_size)
        code: cython.p_longlong = m.program.code
        for i in range(3 * new_size):
            code[at + i] = 0
        for i in range(size):
            key = code[old + 3 * i]
            if key != 0 and code[old + 3 * i + 1] != 0:
                j = key_place(key, mask)
                while code[at + 3 * j] != 0:
                    j = (j + 1) & mask
                code[at + 3 * j] = key
                code[at + 3 * j + 1] = code[old + 3 * i + 1]
                code[at + 3 * j + 2] = code[old + 3 * i + 2]
                count += 1
        if old != 0:
            m.program.release_code(old, 3 * size)
        m.program.preds[q + P_HCOUNT] = count  # keys without clauses are gone
        m.program.preds[q + P_HASH] = at
        m.program.preds[q + P_HMASK] = mask
        return 0

    def free_hash(self, p):
        m = self.m
        q: cython.longlong = p * PSIZE
        if m.program.preds[q + P_HASH] != 0:
            m.program.release_code(m.program.preds[q + P_HASH], 3 * (m.program.preds[q + P_HMASK] + 1))
        m.program.preds[q + P_FAST] = 0
        m.program.preds[q + P_HEAD_TAIL] = 0
        m.program.preds[q + P_HASH] = 0
        m.program.preds[q + P_HMASK] = 0
        m.program.preds[q + P_HCOUNT] = 0
        return 0

    def erase(self, at):
        """Erase a clause; 0 if it was erased already."""
        m = self.m
        q: cython.longlong = m.program.code[at + C_PRED] * PSIZE
        if m.program.code[at + C_DEATH] != self.forever:
            return 0
        if not m.program.preds[q + P_FLAGS] & F_DYNAMIC:
            m.erased.settle_calls(m.program.code[at + C_PRED])
        m.program.generation += 1
        self.kill(at)
        if m.program.preds[q + P_DEAD] > 8 + m.program.preds[q + P_LIVE] + m.program.preds[q + P_PURGE_AT]:
            self.purge(m.program.code[at + C_PRED])
        if m.erased.top > m.erased.limit:
            m.erased.release(self)
        return 1

    def erase_found(self, mark):
        """Erase clauses of one predicate, all at once: their addresses are on the scratch stack."""
        m = self.m
        i: cython.longlong
        if m.heap.wtop == mark:
            return 0
        p: cython.longlong = m.program.code[m.heap.work[mark] + C_PRED]
        q: cython.longlong = p * PSIZE
        if not m.program.preds[q + P_FLAGS] & F_DYNAMIC:
            m.erased.settle_calls(p)
        m.program.generation += 1
        for i in range(mark, m.heap.wtop):
            if m.program.code[m.heap.work[i] + C_DEATH] == self.forever:
                self.kill(m.heap.work[i])
        m.heap.wtop = mark
        if m.program.preds[q + P_DEAD] > 8 + m.program.preds[q + P_LIVE] + m.program.preds[q + P_PURGE_AT]:
            self.purge(p)
        if m.erased.top > m.erased.limit:
            m.erased.release(self)
        return 0

    def kill(self, at):
        m = self.m
        q: cython.longlong = m.program.code[at + C_PRED] * PSIZE
        m.program.preds[q + P_FAST] = 0
        m.program.preds[q + P_HEAD_TAIL] = 0
        m.program.preds[q + P_FLAGS] |= F_DYNAMIC  # from now on calls look at births and deaths
        m.program.code[at + C_DEATH] = m.program.generation
        m.program.preds[q + P_LIVE] -= 1
        m.program.preds[q + P_DEAD] += 1
        m.erased.bury(at)
        return 0

    def purge(self, p):
        """Take the dead clauses of a predicate out of its chains, unless a running call has yet to come to
        them. They keep their own links, so a call that stands on one still finds its way."""
        m = self.m
        q: cython.longlong = p * PSIZE
        c: cython.longlong = m.program.preds[q + P_FIRST]
        n: cython.longlong
        last: cython.longlong = 0
        i: cython.longlong
        dead: cython.longlong = 0
        k: cython.longlong = 0
        calls = m.erased.standing_calls(p)
        calls.sort()
        count: cython.longlong = len(calls)
        passed: list = []  # generations of the calls that stand before clause c
        mark: cython.longlong = m.heap.wtop  # the clauses that stay go to the scratch stack
        keeps: cython.bint
        while c != 0:
            n = m.program.code[c + C_DEATH]
            keeps = n == self.forever
            if not keeps and count > 0:
                while k < count and calls[k][0] < m.program.code[c + C_SEQ]:
                    insort(passed, calls[k][1])
                    k += 1
                i = bisect_left(passed, m.program.code[c + C_BIRTH])
                if passed and (passed[0] < 0 or (i < len(passed) and passed[i] < n)):
                    keeps = True
                    dead += 1
            if keeps:
                m.heap.work_room(1)
                m.heap.work[m.heap.wtop] = c
                m.heap.wtop += 1
            c = m.program.code[c + C_NEXT]
        m.program.preds[q + P_FIRST] = 0
        m.program.preds[q + P_LAST] = 0
        m.program.preds[q + P_VAR_FIRST] = 0
        m.program.preds[q + P_VAR_LAST] = 0
        m.program.preds[q + P_DEAD] = dead
        # when to look again: looking costs a walk over the choice points, dead clauses cost each call
        n = 0
        while n * n < (m.stacks.B >> 4) + 256 * count:
            n += 1 + n // 4
        m.program.preds[q + P_PURGE_AT] = n + 2 * dead
        if (m.heap.wtop - mark) * 4 < m.program.preds[q + P_HMASK]:
            self.free_hash(p)
        elif m.program.preds[q + P_HASH] != 0:
            n = m.program.preds[q + P_HMASK] + 1
            for i in range(n):
                m.program.code[m.program.preds[q + P_HASH] + 3 * i + 1] = 0
                m.program.code[m.program.preds[q + P_HASH] + 3 * i + 2] = 0
        for i in range(mark, m.heap.wtop):
            c = m.heap.work[i]
            if last == 0:
                m.program.preds[q + P_FIRST] = c
            else:
                m.program.code[last + C_NEXT] = c
            last = c
            m.program.code[c + C_NEXT] = 0
            self.chain(p, c, m.program.code[c + C_KEY], True)
        m.program.preds[q + P_LAST] = last
        m.heap.wtop = mark
        return 0

    def unlink(self, predicates):
        """Take the erased clauses of some predicates, which are about to be released, out of all chains."""
        for p in predicates:
            if self.m.program.preds[p * PSIZE + P_DEAD] > 0:
                self.purge(p)

    def remove_all(self, p):
        """Erase every clause of a predicate."""
        m = self.m
        q: cython.longlong = p * PSIZE
        c: cython.longlong = m.program.preds[q + P_FIRST]
        m.program.generation += 1
        while c != 0:
            if m.program.code[c + C_DEATH] == self.forever:
                m.program.code[c + C_DEATH] = m.program.generation
                m.erased.bury(c)
            c = m.program.code[c + C_NEXT]
        m.program.preds[q + P_FIRST] = 0
        m.program.preds[q + P_LAST] = 0
        m.program.preds[q + P_VAR_FIRST] = 0
        m.program.preds[q + P_VAR_LAST] = 0
        m.program.preds[q + P_LIVE] = 0
        m.program.preds[q + P_DEAD] = 0
        self.free_hash(p)
        return 0

    # ---- what a predicate is

    def set_flag(self, p: int, flag: int, on: bool = True) -> None:
        flags = self.m.program.pred_field(p, P_FLAGS)
        self.m.program.set_pred_field(p, P_FLAGS, flags | flag if on else flags & ~flag)

    def has_flag(self, p: int, flag: int) -> bool:
        return bool(self.m.program.pred_field(p, P_FLAGS) & flag)

    def user_predicate(self, functor: int, plain: bool = False) -> int:
        """The predicate that a program's clauses for this functor go to; 0 if it stays what it is. A program
        may have its own version of a built-in predicate: the library keeps using the old one. Files of plain
        Prolog may redefine whatever is no control construct; what B-Prolog's library has is kept, unless
        the flag redefine_builtin is on."""
        m = self.m
        p = int(m.program.pred(functor))
        if functor in self.clause_functors:
            return 0
        if not self.has_flag(p, F_SYSTEM):
            return p
        if p in self.fixed or (self.has_flag(p, F_PROTECTED) and not plain):
            return 0
        if self.has_flag(p, F_LIBRARY) and m.prolog_flags.get("redefine_builtin", "off") != "on":
            return 0
        return int(m.program.override(functor))

    def is_library_name(self, name: str) -> bool:
        """Is there a built-in predicate of this name, with whatever arity, that programs may replace?"""
        m = self.m
        if self.library_names is None:
            self.library_names = {
                m.symbols.atom_text(m.symbols.functor_name_of(m.program.pred_field(p, P_FUNCTOR)))
                for p in self.predicates()
                if self.has_flag(p, F_SYSTEM) and p not in self.fixed
            }
        return name in self.library_names

    def make_dynamic(self, p: int) -> None:
        """:- dynamic. A consulted predicate may become dynamic with its clauses, a compiled one may not."""
        if self.has_flag(p, F_DYNAMIC):
            return
        if self.has_flag(p, F_CONSULTED):
            self.m.erased.settle_calls(p)
            self.set_flag(p, F_DYNAMIC)
            return
        if self.m.program.pred_field(p, P_KIND) != K_UNDEFINED and self.m.program.pred_field(p, P_LIVE) > 0:
            raise PrologError(
                "permission_error", "modify", "static_procedure", self.indicator(p), context=("dynamic", 1)
            )
        self.set_flag(p, F_DYNAMIC | F_DEFINED)
        self.m.program.set_pred_field(p, P_KIND, K_CLAUSES)

    def indicator(self, p: int) -> int:
        """Name/Arity of a predicate, as a term."""
        m = self.m
        f = m.program.pred_field(p, P_FUNCTOR)
        return m.terms.struct(
            "/", m.symbols.functor_name_of(f), m.terms.int_cell(m.symbols.functor_arity_of(f))
        )

    def assertable(self, clause: int) -> int:
        """Check a clause for assert: the ISO errors; the predicate becomes dynamic if it is new.
        Returns the predicate number."""
        m = self.m
        c = m.terms.deref(clause)
        head, body = c, None
        if m.terms.is_compound(c) and m.terms.functor_of(c) == m.symbols.f_neck:
            head, body = m.terms.arg(c, 0), m.terms.arg(c, 1)
        if head & 7 == REF:
            raise instantiation_error()
        if not m.terms.is_callable(head):
            raise type_error("callable", head)
        if body is not None and m.terms.is_number(body):
            raise type_error("callable", body)
        functor = m.symbols.functor(m.terms.name_of(head), m.terms.arity_of(head))
        p = self.user_predicate(functor)
        if p == 0:
            p = m.program.pred(functor)
            raise permission_error("modify", "static_procedure", self.indicator(p))
        if not self.has_flag(p, F_DYNAMIC):
            if m.program.pred_field(p, P_LIVE) > 0:
                raise permission_error("modify", "static_procedure", self.indicator(p))
            self.make_dynamic(p)
        return p

    def predicates(self) -> list[int]:
        """The numbers of all predicates."""
        return list(range(1, self.m.program.pred_count))
