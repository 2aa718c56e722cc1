# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3
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

from prism_repl.tabling.components import Evaluation

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Lookahead(Evaluation):
    """Tables of what fails whatever the rest of a list is."""

    def __init__(self):
        Evaluation.__init__(self)
        self.watch = 0
        self.look_words = new_area(CALL_ARGUMENTS)
        self.rest_atom = self.atom("\x00rest")

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.look_words)

    # ---- a look begins and ends

    def looks_at(self, p, n):
        """The number (from 1) of the argument whose first element p's calls are looked ahead by, if this
        call has a list there; else 0. It is the last that was a list when p was called first."""
        q: cython.longlong = p * PSIZE
        k: cython.longlong = self.preds[q + P_HUB]
        if self.preds[q + P_LOOKS] >= LOOKS or n > CALL_ARGUMENTS:
            return 0
        if k == 0:  # not decided
            k = n
            while k > 0 and self.x[k - 1] & 7 != GLS:
                k -= 1
            if k == 0:
                return 0
            self.preds[q + P_HUB] = k
        if self.x[k - 1] & 7 != GLS:
            return 0
        return k if self.is_first(self.store[self.x[k - 1] >> 3]) else 0

    def result_of(self, t):
        """What the look of table t has found, which is over."""
        q: cython.longlong = t * TB_SIZE
        state: cython.longlong = self.tables[q + TB_STATE]
        result: cython.longlong = LK_KNOWN
        if state & ST_OUTCOMES:
            result |= LK_OUTCOMES
        if state & ST_CALL_FAILED:
            result |= LK_CALL_FAILED
        if self.tables[q + TB_COUNT] != 0:
            result |= self.tables[q + TB_BITS] << LK_SHIFT
        return result

    def note_look(self, p, result):
        """A call of p was looked ahead. A predicate stops looking when that was in vain many times in a row:
        no call was found that need not be made."""
        q: cython.longlong = p * PSIZE
        if result & LK_BRANCHES == 0 or result & LK_CALL_FAILED:
            self.preds[q + P_LOOKS] = 0
        else:
            self.preds[q + P_LOOKS] += 1
        return 0

    def use_look(self, result):
        """The next new table runs only the branches that may succeed, as a look has found."""
        bits: cython.longlong = (result & LK_BRANCHES) >> LK_SHIFT
        self.clause_filter = -1
        self.outcome_filter = -1
        if result & LK_OUTCOMES:
            self.outcome_filter = bits
        else:
            self.clause_filter = bits
        return 0

    def complete(self, t):
        """Nothing new can come to table t: if it is one of a look, all its later calls know it."""
        q: cython.longlong = t * TB_SIZE
        c: cython.longlong
        Evaluation.complete(self, t)
        if self.mode == 2 and self.tables[q + TB_PATTERN] != 0:
            c = self.tables[q + TB_KEY] + self.preds[self.tables[q + TB_PRED] * PSIZE + P_HUB]
            self.note_result(self.store[self.store[c] >> 3], self.tables[q + TB_PATTERN], self.result_of(t))
        return 0

    def mark_branch(self, t, bit):
        """A branch of table t may succeed."""
        q: cython.longlong = t * TB_SIZE
        self.tables[q + TB_COUNT] = 1
        self.tables[q + TB_BITS] |= 1 << bit
        return 0

    def branch_marked(self, t, bit):
        return self.tables[t * TB_SIZE + TB_BITS] >> bit & 1

    def look_ahead(self, p, n, k):
        """A new call of p, looked ahead by argument k. 0: it fails, 3: it may succeed; 2, 4: run clauses for
        the look."""
        c: cython.longlong = self.x[k - 1]
        h: cython.longlong = self.H
        self.room(8)
        self.heap[h] = self.store[c >> 3]
        self.heap[h + 1] = (h + 1) << 3 | REF
        self.H = h + 2
        self.watch = h + 1
        self.x[k - 1] = h << 3 | LST
        t: cython.longlong = self.look_table(p, n, self.call_pattern if self.call_list != 0 else 0)
        self.x[k - 1] = c
        if self.tables[t * TB_SIZE + TB_STATUS] == TS_COMPLETE:  # the index has forgotten it
            self.watch = 0
            self.H = h
            result: cython.longlong = self.result_of(t)
            self.note_look(p, result)
            if result & LK_BRANCHES == 0:
                return 0
            self.use_look(result)
            return 3
        c = 1 if self.fresh == self.B else 0
        self.push_choice(BK_LOOK, n)
        self.choice[self.B + B_1] = t
        self.choice[self.B + B_2] = p
        self.choice[self.B + B_3] = c
        self.x[k - 1] = h << 3 | LST
        self.mode = 2
        return self.start_evaluation(t, n, False)

    def look_table(self, p, n, pattern):
        """The table of a call with [w|R] among its arguments, which stay as they are. Its result is noted
        under the pattern (0: not at all)."""
        i: cython.longlong
        c: cython.longlong
        for i in range(n):
            c = self.x[i]
            self.look_words[i] = c
            if c & 7 == LST and self.deref(self.heap[(c >> 3) + 1]) == self.watch << 3 | REF:
                self.x[i] = self.list_with(self.deref(self.heap[c >> 3]), self.rest_atom)
        t: cython.longlong = self.table_of(self.call_key(p, n), p)
        for i in range(n):
            self.x[i] = self.look_words[i]
        self.tables[t * TB_SIZE + TB_PATTERN] = pattern
        return t

    def look_done(self):
        """The look of the choice point on top is over; its call is in x. As table_call."""
        b: cython.longlong = self.B
        t: cython.longlong = self.choice[b + B_1]
        p: cython.longlong = self.choice[b + B_2]
        failed: cython.bint = False
        self.mode = 1
        self.watch = 0
        self.B = self.choice[b + B_PREV]
        self.HB = self.choice[self.B + B_H]
        # the call that was looked ahead may have been the first of a branch
        self.fresh = self.B if self.choice[b + B_3] else -1
        if self.tables[t * TB_SIZE + TB_STATUS] == TS_COMPLETE:
            result: cython.longlong = self.result_of(t)
            failed = result & LK_BRANCHES == 0
            self.note_look(p, result)
            self.use_look(result)
        if failed:
            self.forget_branch()
            return 0
        return Evaluation.table_call(self, p, self.table_of(self.call_key(p, self.choice[b + B_N]), p))

    def abandon_look(self):
        """An error in a look: the call itself will meet it."""
        b: cython.longlong = self.B
        while self.choice[b + B_KIND] != BK_LOOK:
            if self.choice[b + B_KIND] == BK_GENERATOR:
                self.drop_generator(b)
            b = self.choice[b + B_PREV]
        self.B = b
        self.watch = 0
        self.preds[self.choice[b + B_2] * PSIZE + P_LOOKS] = LOOKS  # they cost more than they save
        return 0

    # ---- during a look

    def rest_bound(self):
        return self.heap[self.watch] != self.watch << 3 | REF

    def may_succeed(self):
        """The branch that is being run may succeed: it ends here. Returns the choice point where the next
        one begins."""
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        self.mark_branch(self.running[r + RUN_TABLE], self.branch_bit(r, self.running[r + RUN_BRANCH]))
        self.B = self.running[r + RUN_CHOICE]
        return self.B

    def outdated(self, r):
        """As in a search; but in a look nothing is run again: who read a table that may succeed, may, too."""
        if self.mode != 2:
            return Evaluation.outdated(self, r)
        i: cython.longlong
        q: cython.longlong
        changed: cython.bint = True
        while changed:
            changed = False
            for i in range(self.running[r + RUN_READS], self.reads_top):
                q = i * RD_SIZE
                if self.tables[self.reads[q + RD_READ] * TB_SIZE + TB_COUNT] != 0:
                    if not self.branch_marked(self.reads[q + RD_TABLE], self.reads[q + RD_BRANCH]):
                        self.mark_branch(self.reads[q + RD_TABLE], self.reads[q + RD_BRANCH])
                        changed = True
        return 0

    def look_at_call(self, p):
        """A call of p in a look. 0: go on, 1: it fails, 3: the branch that is being run may succeed; 2, 4:
        run the clauses of a new table."""
        q: cython.longlong = p * PSIZE
        n: cython.longlong = self.preds[q + P_ARITY]
        flags: cython.longlong = self.preds[q + P_FLAGS]
        if self.rest_bound():
            return 3
        if self.preds[q + P_KIND] == K_CLAUSES:
            if flags & F_MODED:
                return 3
            if flags & F_TABLED:
                return self.look_at_tabled(p, n)
            return 0
        if p == self.p_msw and self.without_rest(n):
            return 0
        return 3

    def without_rest(self, n):
        """Whether all arguments are ground, or variables other than R."""
        i: cython.longlong
        c: cython.longlong
        for i in range(n):
            c = self.deref(self.x[i])
            if c & 7 == REF:
                if c >> 3 == self.watch:
                    return False
            elif self.intern(c, False) == 0:
                return False
        return True

    def sees_rest(self, a, b):
        """Whether a comparison of two terms might look at R."""
        a = self.deref(a)
        b = self.deref(b)
        rest: cython.longlong = self.watch << 3 | REF
        return a == rest or b == rest or a & 7 == LST or a & 7 == STR or b & 7 == LST or b & 7 == STR

    def look_at_tabled(self, p, n):
        i: cython.longlong
        c: cython.longlong
        t: cython.longlong
        at: cython.longlong = -1
        pattern: cython.longlong = 0
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        self.fresh = -1
        if n > CALL_ARGUMENTS:
            return 3
        for i in range(n):
            c = self.deref(self.x[i])
            self.x[i] = c
            if c & 7 == REF:
                if c >> 3 == self.watch:
                    return 3
            elif c & 7 == LST and self.deref(self.heap[(c >> 3) + 1]) == self.watch << 3 | REF:
                t = self.deref(self.heap[c >> 3]) & 7
                if t != ATM and t != INT:
                    return 3
                at = n if at >= 0 else i  # n: there are several
            else:
                c = self.intern(c, False)
                if c == 0:
                    return 3
                self.x[i] = c
        if at < 0:
            # the rest plays no part: a table of the search itself tells, if it is complete
            t = self.found_table(self.call_key(p, n), p)
            if t != 0 and self.tables[t * TB_SIZE + TB_STATUS] == TS_COMPLETE:
                if self.tables[t * TB_SIZE + TB_COUNT] == 0:
                    self.tables[self.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] |= ST_CALL_FAILED
                    return 1
            return 3
        if at < n:
            if self.preds[p * PSIZE + P_HUB] == 0:
                self.preds[p * PSIZE + P_HUB] = at + 1
            if self.preds[p * PSIZE + P_HUB] == at + 1:
                pattern = self.look_pattern(p, n, at)
                c = self.look_entry(self.deref(self.heap[self.x[at] >> 3]), pattern)
                if c != 0:
                    if c & LK_BRANCHES != 0:
                        return 3
                    self.tables[self.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] |= ST_CALL_FAILED
                    return 1
        t = self.look_table(p, n, pattern)
        if self.tables[t * TB_SIZE + TB_COUNT] != 0:
            return 3
        if self.tables[t * TB_SIZE + TB_STATUS] == TS_NEW:
            return self.start_evaluation(t, n, False)
        self.tables[self.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] |= ST_CALL_FAILED
        if self.tables[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.depend_on(t)
            self.note_look_read(t)
        return 1

    def look_pattern(self, p, n, hub):
        """The pattern of a call with [w|R] as its argument `hub`."""
        i: cython.longlong
        j: cython.longlong
        for i in range(n):
            self.call_words[i] = self.x[i]
            if self.x[i] & 7 == REF:
                j = 0
                while self.x[j] != self.x[i]:
                    j += 1
                self.call_words[i] = j << 3 | REF
        return self.pattern_of(p, n, hub)

    def note_look_read(self, t):
        """The branch that is being run fails because table t has not been found to succeed so far."""
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        i: cython.longlong = self.note_read(t, -1, False)
        self.reads[i * RD_SIZE + RD_BRANCH] = self.branch_bit(r, self.running[r + RUN_BRANCH])
        return 0

    def table_call(self, p, t):
        n: cython.longlong = self.preds[p * PSIZE + P_ARITY]
        k: cython.longlong
        if t == 0 and self.mode == 1 and self.resumed == 0 and self.shortcuts:
            k = 0
            if self.look_found != 0:
                self.note_look(p, self.look_found)
                self.use_look(self.look_found)
            else:
                k = self.looks_at(p, n)
            if k != 0:
                k = self.look_ahead(p, n, k)
                if k == 0:
                    self.fresh = -1
                if k != 3:
                    return k
        return Evaluation.table_call(self, p, t)

    def return_answers(self, t, n, direct, record):
        """To whoever called a table. In a look: the caller fails, or may succeed."""
        if self.mode != 2:
            return Evaluation.return_answers(self, t, n, direct, record)
        if self.choice[self.B + B_KIND] == BK_LOOK:
            return 0
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        if self.tables[t * TB_SIZE + TB_COUNT] != 0:
            self.may_succeed()
            return 0
        self.tables[self.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] |= ST_CALL_FAILED
        if self.tables[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.note_look_read(t)
        return 0
