# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""Looking ahead in explanation search: calls that fail because of the first element of a list.

Most tabled calls of a parser fail, and many of those fail for the next word alone. Before a tabled call
p(...,[w|T],...) is run for the first time, p(...,[w|R],...) is, where R is a variable: the rest of the list,
which nobody has looked at. As long as that is so, each step is the one that the call with T would take. If
all ways fail, so would those of the call, whatever T is: the table of p(...,[w|R],...) is complete without
an answer, and later calls with the same first element fail by it. As soon as a branch succeeds, or binds R,
or does with it what only the machine's own unification may do, the look is over for that branch: it may
succeed. Its table then has a count of one answer (and none in its chain), and whoever calls it may succeed,
too. Tables of calls with this first element run only those branches that may succeed.

Tables of looks have the atom `rest_atom` in the place of R in their keys. `watch` is the address of R while a
look runs (mode 2), else 0. A predicate whose looks were in vain many times in a row stops looking.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.interning import intern


class Lookahead:
    """Tables of what fails whatever the rest of a list is."""

    def __init__(self, m, tables, branches, index):
        self.symbols = m.symbols
        self.heap = m.heap
        self.store = m.store
        self.terms = m.terms
        self.program = m.program
        self.stacks = m.stacks
        self.tables = tables
        self.branches = branches
        self.index = index
        self.look_words = new_area(CALL_ARGUMENTS)
        self.rest_arg = 0
        self.rest_first = 0
        self.rest_pattern = 0
        self.rest_atom = self.symbols.atom("\x00rest")

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.look_words)

    # ---- a look begins and ends

    @cython.final
    def looks_at(self, p, n):
        """The number (from 1) of the argument whose first element p's calls are looked ahead by, if this
        call has a list there; else 0. It is the last that was a list when p was called first."""
        q: cython.longlong = p * PSIZE
        k: cython.longlong = self.program.preds[q + P_LIST_ARG]
        if self.program.preds[q + P_LOOKS] >= LOOKS or n > CALL_ARGUMENTS:
            return 0
        if k == 0:  # not decided
            k = n
            while k > 0 and self.stacks.x[k - 1] & 7 != GLS:
                k -= 1
            if k == 0:
                return 0
            self.program.preds[q + P_LIST_ARG] = k
        if self.stacks.x[k - 1] & 7 != GLS:
            return 0
        return k if self.index.is_first(self.store.cells[self.stacks.x[k - 1] >> 3]) else 0

    @cython.final
    def result_of(self, t):
        """What the look of table t has found, which is over."""
        q: cython.longlong = t * TB_SIZE
        state: cython.longlong = self.tables.records[q + TB_STATE]
        result: cython.longlong = LK_KNOWN
        if state & ST_OUTCOMES:
            result |= LK_OUTCOMES
        if state & ST_CALL_FAILED:
            result |= LK_CALL_FAILED
        if self.tables.records[q + TB_COUNT] != 0:
            result |= self.tables.records[q + TB_BITS] << LK_SHIFT
        return result

    @cython.final
    def note_look(self, p, result):
        """A call of p was looked ahead. A predicate stops looking when that was in vain many times in a row:
        no call was found that need not be made."""
        q: cython.longlong = p * PSIZE
        if result & LK_BRANCHES == 0 or result & LK_CALL_FAILED:
            self.program.preds[q + P_LOOKS] = 0
        else:
            self.program.preds[q + P_LOOKS] += 1
        return 0

    @cython.final
    def use_look(self, result):
        """The next new table runs only the branches that may succeed, as a look has found."""
        bits: cython.longlong = (result & LK_BRANCHES) >> LK_SHIFT
        self.branches.clause_filter = -1
        self.branches.outcome_filter = -1
        if result & LK_OUTCOMES:
            self.branches.outcome_filter = bits
        else:
            self.branches.clause_filter = bits
        return 0

    @cython.final
    def mark_branch(self, t, bit):
        """A branch of table t may succeed."""
        q: cython.longlong = t * TB_SIZE
        self.tables.records[q + TB_COUNT] = 1
        self.tables.records[q + TB_BITS] |= 1 << bit
        return 0

    @cython.final
    def branch_marked(self, t, bit):
        return self.tables.records[t * TB_SIZE + TB_BITS] >> bit & 1

    @cython.final
    def look_ahead(self, p, n, k):
        """A new call of p, looked ahead by argument k. 0: it fails, 3: it may succeed; 2, 4: run clauses for
        the look."""
        c: cython.longlong = self.stacks.x[k - 1]
        h: cython.longlong = self.heap.H
        self.heap.room(8)
        self.heap.cells[h] = self.store.cells[c >> 3]
        self.heap.cells[h + 1] = (h + 1) << 3 | REF
        self.heap.H = h + 2
        self.stacks.watch = h + 1
        self.stacks.x[k - 1] = h << 3 | LST
        t: cython.longlong = self.look_table(
            p, n, self.index.call_pattern if self.index.call_list != 0 else 0
        )
        self.stacks.x[k - 1] = c
        if self.tables.records[t * TB_SIZE + TB_STATUS] == TS_COMPLETE:  # the index has forgotten it
            self.stacks.watch = 0
            self.heap.H = h
            result: cython.longlong = self.result_of(t)
            self.note_look(p, result)
            if result & LK_BRANCHES == 0:
                return 0
            self.use_look(result)
            return 3
        c = 1 if self.branches.fresh == self.stacks.B else 0
        self.stacks.push_choice(BK_LOOK, n)
        self.stacks.choice[self.stacks.B + B_1] = t
        self.stacks.choice[self.stacks.B + B_2] = p
        self.stacks.choice[self.stacks.B + B_3] = c
        self.stacks.x[k - 1] = h << 3 | LST
        self.stacks.mode = 2
        self.table = t
        return LOOK_RUNS

    def look_table(self, p, n, pattern):
        """The table of a call with [w|R] among its arguments, which stay as they are. Its result is noted
        under the pattern (0: not at all)."""
        i: cython.longlong
        c: cython.longlong
        for i in range(n):
            c = self.stacks.x[i]
            self.look_words[i] = c
            if c & 7 == LST and self.is_rest(self.heap.cells[(c >> 3) + 1]):
                self.stacks.x[i] = self.index.list_with(
                    self.terms.deref(self.heap.cells[c >> 3]), self.rest_atom
                )
        t: cython.longlong = self.tables.table_of(self.tables.call_key(p, n), p)
        for i in range(n):
            self.stacks.x[i] = self.look_words[i]
        self.tables.records[t * TB_SIZE + TB_PATTERN] = pattern
        return t

    @cython.final
    def look_fails(self):
        """The look of the choice point on top is over; its call is in x. Whether that fails."""
        b: cython.longlong = self.stacks.B
        t: cython.longlong = self.stacks.choice[b + B_1]
        p: cython.longlong = self.stacks.choice[b + B_2]
        failed: cython.bint = False
        self.stacks.mode = 1
        self.stacks.watch = 0
        self.stacks.pop_choice(b)
        # the call that was looked ahead may have been the first of a branch
        self.branches.fresh = self.stacks.B if self.stacks.choice[b + B_3] else -1
        if self.tables.records[t * TB_SIZE + TB_STATUS] == TS_COMPLETE:
            result: cython.longlong = self.result_of(t)
            failed = result & LK_BRANCHES == 0
            self.note_look(p, result)
            self.use_look(result)
        if failed:
            self.branches.forget_branch()
        return failed

    # ---- during a look

    @cython.final
    def rest_bound(self):
        return self.heap.cells[self.stacks.watch] != self.stacks.watch << 3 | REF

    @cython.final
    def may_succeed(self):
        """The branch that is being run may succeed: it ends here. Returns the choice point where the next
        one begins."""
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        self.mark_branch(
            self.branches.running[r + RUN_TABLE],
            self.branches.branch_bit(r, self.branches.running[r + RUN_BRANCH]),
        )
        self.stacks.B = self.branches.running[r + RUN_CHOICE]
        return self.stacks.B

    @cython.final
    def known_call(self, p):
        """What is known of a call of p in a look. 0: go on, 1: it fails, 3: the branch that is being run may
        succeed, -1: not known before terms are stored or a table is run."""
        q: cython.longlong = p * PSIZE
        n: cython.longlong = self.program.preds[q + P_ARITY]
        flags: cython.longlong = self.program.preds[q + P_FLAGS]
        if self.rest_bound():
            return 3
        if self.program.preds[q + P_KIND] == K_CLAUSES:
            if flags & F_MODED:
                return 3
            return self.known_tabled(p, n) if flags & F_TABLED else 0
        return self.known_msw() if p == self.program.p_msw else 3

    @cython.final
    def look_at_call(self, p):
        """A call of p in a look that is not known to known_call, which was asked before: what that tells, or
        LOOK_RUNS: `table` has to be run."""
        n: cython.longlong = self.program.preds[p * PSIZE + P_ARITY]
        if p == self.program.p_msw:
            return 0 if self.without_rest(n) else 3
        return self.look_at_tabled(p, n)

    @cython.final
    def known_msw(self):
        """As known_call, for msw/2: both arguments must be ground, or variables other than R."""
        i: cython.longlong
        c: cython.longlong
        d: cython.longlong
        for i in range(2):
            c = deref(self.heap.cells, self.stacks.x[i])
            d = c & 7
            if d == REF:
                if c >> 3 == self.stacks.watch:
                    return 3
            elif d == LST or d == STR or d == BOX:
                return -1
        return 0

    @cython.final
    def known_tabled(self, p, n):
        """As known_call, for a tabled predicate: by the index of calls. rest_arg is the argument that is
        [w|R] (-1: none, n: there are several), or -2: one is not stored; rest_first is w, and rest_pattern
        the pattern of the call, if it has one."""
        x: cython.p_longlong = self.stacks.x
        heap: cython.p_longlong = self.heap.cells
        word: cython.p_longlong = self.index.call_words
        rest: cython.longlong = self.stacks.watch << 3 | REF
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        d: cython.longlong
        first: cython.longlong = 0
        at: cython.longlong = -1
        plain: cython.bint = True
        self.branches.fresh = -1
        self.rest_pattern = 0
        if n > CALL_ARGUMENTS:
            return 3
        for i in range(n):
            c = deref(heap, x[i])
            x[i] = c
            d = c & 7
            if d == REF:
                if c == rest:
                    return 3
                j = 0
                while x[j] != c:
                    j += 1
                c = j << 3 | REF
                if j != i:
                    plain = False
            elif d == LST:
                first = deref(heap, heap[(c >> 3) + 1])
                if first != rest:
                    self.rest_arg = -2
                    return -1
                first = deref(heap, heap[c >> 3])
                if not self.index.is_first(first):
                    return 3
                at = n if at >= 0 else i
            elif d == STR or d == BOX:
                self.rest_arg = -2
                return -1
            else:
                plain = False
            word[i] = c
        self.rest_arg = at
        self.rest_first = first
        if at < 0 or at + 1 != self.program.preds[p * PSIZE + P_LIST_ARG]:
            return -1
        self.rest_pattern = self.index.known_pattern(p * PSIZE, n, at, plain)
        if self.rest_pattern == 0:
            return -1
        i = self.index.look_entry(first, self.rest_pattern)
        if i == 0:
            i = self.index.table_of_look(first, self.rest_pattern)
            return self.read_look(i) if i != 0 and self.branches.reads_top < self.branches.reads_size else -1
        return 3 if i & LK_BRANCHES != 0 else self.call_fails()

    @cython.final
    def call_fails(self):
        """The table that is being filled made a call in vain: what known_call then says."""
        t: cython.longlong = self.branches.running[(self.branches.running_top - 1) * RUN_SIZE + RUN_TABLE]
        self.tables.records[t * TB_SIZE + TB_STATE] |= ST_CALL_FAILED
        return 1

    @cython.final
    def read_look(self, t):
        """What the table of a look, which is not new, tells so far of a call, as known_call says it. There is
        room for the record of it."""
        if self.tables.records[t * TB_SIZE + TB_COUNT] != 0:
            return 3
        if self.tables.records[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.branches.depend_on(t)
            self.add_look_read(t)
        return self.call_fails()

    @cython.final
    def is_rest(self, c):
        """Whether a term is R."""
        rest: cython.longlong = self.stacks.watch << 3 | REF
        return c == rest or (c & 7 == REF and self.terms.deref(c) == rest)

    @cython.final
    def without_rest(self, n):
        """Whether all arguments are ground, or variables other than R."""
        i: cython.longlong
        c: cython.longlong
        for i in range(n):
            c = self.terms.deref(self.stacks.x[i])
            if c & 7 == REF:
                if c >> 3 == self.stacks.watch:
                    return False
            elif intern(self.terms, c, False) == 0:
                return False
        return True

    @cython.final
    def sees_rest(self, a, b):
        """Whether a comparison of two terms might look at R."""
        a = self.terms.deref(a)
        b = self.terms.deref(b)
        rest: cython.longlong = self.stacks.watch << 3 | REF
        return a == rest or b == rest or a & 7 == LST or a & 7 == STR or b & 7 == LST or b & 7 == STR

    @cython.final
    def store_arguments(self, n):
        """Store the arguments that are neither variables nor [w|R], as far as they are not. Whether all are
        ground."""
        i: cython.longlong
        c: cython.longlong
        for i in range(n):
            c = self.terms.deref(self.stacks.x[i])
            if (
                c & 7 == STR
                or c & 7 == BOX
                or (c & 7 == LST and not self.is_rest(self.heap.cells[(c >> 3) + 1]))
            ):
                c = intern(self.terms, c, False)
                if c == 0:
                    return False
                self.stacks.x[i] = c
        return True

    @cython.final
    def look_at_tabled(self, p, n):
        """As look_at_call, for a tabled predicate."""
        t: cython.longlong
        at: cython.longlong
        pattern: cython.longlong
        if self.rest_arg == -2:
            if not self.store_arguments(n):
                return 3
            t = self.known_tabled(p, n)
            if t >= 0:
                return t
        at = self.rest_arg
        if at < 0:
            # the rest plays no part: a table of the search itself tells, if it is complete
            t = self.tables.found_table(self.tables.call_key(p, n), p)
            if t != 0 and self.tables.records[t * TB_SIZE + TB_STATUS] == TS_COMPLETE:
                if self.tables.records[t * TB_SIZE + TB_COUNT] == 0:
                    return self.call_fails()
            return 3
        pattern = self.rest_pattern
        if pattern == 0 and at < n:
            if self.program.preds[p * PSIZE + P_LIST_ARG] == 0:
                self.program.preds[p * PSIZE + P_LIST_ARG] = at + 1
            if self.program.preds[p * PSIZE + P_LIST_ARG] == at + 1:
                pattern = self.index.pattern_of(p, n, at)
        t = self.look_table(p, n, pattern)
        if pattern != 0:
            self.index.note_table(self.index.list_with(self.rest_first, self.rest_atom), pattern, t)
        if self.tables.records[t * TB_SIZE + TB_STATUS] == TS_NEW:
            self.table = t
            return LOOK_RUNS
        self.branches.reads_room()
        return self.read_look(t)

    @cython.final
    def add_look_read(self, t):
        """The branch that is being run fails because table t has not been found to succeed so far. There is
        room for that record."""
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        i: cython.longlong = self.branches.add_read(t, -1, False)
        self.branches.reads[i * RD_SIZE + RD_BRANCH] = self.branches.branch_bit(
            r, self.branches.running[r + RUN_BRANCH]
        )
        return 0

    @cython.final
    def before_call(self, p, n):
        """A call of p whose table is not known. LOOK_GOES_ON: it may succeed; LOOK_FAILS: it fails for
        certain; LOOK_RUNS: to know it, `table` has to be run."""
        k: cython.longlong
        if self.index.look_found != 0:
            self.note_look(p, self.index.look_found)
            self.use_look(self.index.look_found)
            return LOOK_GOES_ON
        k = self.looks_at(p, n)
        return self.look_ahead(p, n, k) if k != 0 else LOOK_GOES_ON

    @cython.final
    def look_returns(self, t):
        """To whoever called table t in a look: the caller fails, or may succeed."""
        if self.stacks.choice[self.stacks.B + B_KIND] == BK_LOOK:
            return 0
        if self.tables.records[t * TB_SIZE + TB_COUNT] != 0:
            self.may_succeed()
            return 0
        self.call_fails()
        if self.tables.records[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.branches.reads_room()
            self.add_look_read(t)
        return 0

    def mark_readers(self, r):
        """In a look nothing is run again: who read a table that may succeed, may, too. The look is led by
        the table at r of the running ones."""
        i: cython.longlong
        q: cython.longlong
        changed: cython.bint = True
        while changed:
            changed = False
            for i in range(self.branches.running[r + RUN_READS], self.branches.reads_top):
                q = i * RD_SIZE
                if self.tables.records[self.branches.reads[q + RD_READ] * TB_SIZE + TB_COUNT] != 0:
                    if not self.branch_marked(
                        self.branches.reads[q + RD_TABLE], self.branches.reads[q + RD_BRANCH]
                    ):
                        self.mark_branch(
                            self.branches.reads[q + RD_TABLE], self.branches.reads[q + RD_BRANCH]
                        )
                        changed = True
        return 0

    @cython.final
    def note_completed(self, t):
        """Nothing new can come to table t: if it is one of a look, all its later calls know it."""
        q: cython.longlong = t * TB_SIZE
        c: cython.longlong
        if self.tables.records[q + TB_PATTERN] != 0:
            c = (
                self.tables.records[q + TB_KEY]
                + self.program.preds[self.tables.records[q + TB_PRED] * PSIZE + P_LIST_ARG]
            )
            self.index.note_result(
                self.store.cells[self.store.cells[c] >> 3],
                self.tables.records[q + TB_PATTERN],
                self.result_of(t),
            )
        return 0
