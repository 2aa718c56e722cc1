# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Calls that are known to fail before they are made.

Most tabled calls of a search fail, and of many this is known: the index of calls has a table without answers,
or a look has found it. Often such a call is all that follows when a table returns an answer: then the answer
is passed over. Or it is the first call of a clause, after an msw that leaves no choice: then the branch is
passed over, and noted as a reader of that table if the table is not complete.
"""

import cython

from prism_repl.prolog.branches import Branches

if not cython.compiled:
    from prism_repl.prolog.cells import *  # noqa: F403
    from prism_repl.prolog.instructions import *  # noqa: F403


class Foresight(Branches):
    """Answers and branches of no use."""

    # ---- answers

    def next_call(self, n):
        """What a table's caller, whose call is in x, does with an answer: if nothing but another call, whose
        hub the answer binds, then the pattern of that call and the argument (as `promising` wants it); else
        0."""
        code: cython.p_longlong = self.code
        x: cython.p_longlong = self.x
        word: cython.p_longlong = self.call_words
        at: cython.longlong = self.CP
        y: cython.longlong = self.E + E_SLOTS
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        c: cython.longlong
        d: cython.longlong
        plain: cython.bint = True
        if self.mode != 1:
            return 0
        while code[at] == PUT_Y or code[at] == PUT_VAR_Y:
            k = code[at + 2]
            if k >= CALL_ARGUMENTS:
                return 0
            word[k] = self.env[y + code[at + 1]] if code[at] == PUT_Y else -1
            at += 3
        if code[at] != DEXEC and code[at] != CALL and code[at] != EXEC:
            return 0
        q: cython.longlong = code[at + 1] * PSIZE
        arity: cython.longlong = self.preds[q + P_ARITY]
        hub: cython.longlong = self.preds[q + P_HUB] - 1
        bound: cython.longlong = -1
        if hub < 0 or self.preds[q + P_FLAGS] & F_TABLED == 0 or 3 * arity != at - self.CP:
            return 0
        for i in range(arity):
            c = word[i]
            if c == -1:  # a new variable
                continue
            while c & 7 == REF:
                d = self.heap[c >> 3]
                if d == c:
                    break
                c = d
            word[i] = c
            if c & 7 == REF:
                j = 0
                while j < n and x[j] != c:
                    j += 1
                if i == hub:
                    bound = j
                elif j < n:
                    return 0
                else:
                    k = 0
                    while word[k] != c:
                        k += 1
                    if k != i:
                        return 0
            elif c & 7 == LST or c & 7 == STR or c & 7 == BOX:
                return 0
            else:
                plain = False
        if bound < 0 or bound >= n:
            return 0
        for i in range(arity):
            if word[i] & 7 == REF or word[i] == -1:
                word[i] = i << 3 | REF
        k = self.hub_pattern(q, arity, hub, plain)
        return self.patterns_number << 24 | k << 4 | bound

    def promising(self, a, wanted):
        """The first answer from a on with which the next call may succeed, or 0. wanted: the number of the
        patterns, the pattern of that call, the argument that is its hub."""
        pattern: cython.longlong = wanted >> 4 & 0xFFFFF
        i: cython.longlong = (wanted & 15) + 1
        word: cython.longlong
        c: cython.longlong
        t: cython.longlong
        if wanted >> 24 != self.patterns_number or pattern == 0:
            return a
        while a != 0:
            word = self.nodes[self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE + ND_TERM]
            if word < 0 or self.store[word - 1] & 1:
                return a
            c = self.store[word + i]
            if c & 7 == GLS:
                t = self.list_table(c, pattern)
                if t == 0:
                    c = self.store[c >> 3]
                    if (c & 7 != ATM and c & 7 != INT) or self.look_entry(c, pattern) & 0x7FFFFFFF != LK_KNOWN:
                        return a
            elif c == self.nil:
                t = self.pattern_table(pattern)
                if t == 0:
                    return a
            else:
                return a
            if t != 0:
                t *= TB_SIZE
                if self.tables[t + TB_FIRST] != 0 or self.tables[t + TB_STATUS] != TS_COMPLETE:
                    return a
                if self.tables[t + TB_GOAL] != self.goal_number:
                    self.tables[t + TB_GOAL] = 0  # of use to more than one goal
            a = self.answers[a * AN_SIZE + AN_NEXT]
        return 0

    # ---- branches

    def first_call(self, a):
        """The first tabled call of a clause, if nothing but an msw with a known outcome comes before it, and
        its arguments are distinct arguments of the clause and new variables: the predicate, where the msw is
        (0: nowhere), and for each argument the number of the clause's, or FC_NEW. -1: it is not so. It is
        noted in the clause."""
        code: cython.p_longlong = self.code
        at: cython.longlong = a + C_CODE
        site: cython.longlong = 0
        i: cython.longlong
        k: cython.longlong
        n: cython.longlong = 0
        p: cython.longlong
        sources: cython.longlong = 0
        code[a + C_FIRST] = -1
        if code[at] != ALLOC:
            return 0
        slots = {}
        for i in range(code[at + 2]):
            slots[code[at + 4 + 2 * i]] = code[at + 3 + 2 * i]
        at += 3 + 2 * code[at + 2]
        if code[at] == KNOWN_MSW:
            site = at - a
            at = code[at + 1]
        while code[at] == PUT_Y or code[at] == PUT_VAR_Y:
            k = FC_NEW
            if code[at] == PUT_Y:
                k = slots.pop(code[at + 1], FC_NEW)
                if k >= CALL_ARGUMENTS:
                    return 0
            if code[at + 2] >= CALL_ARGUMENTS:
                return 0
            sources |= k << (FC_BITS * code[at + 2])
            n += 1
            at += 3
        if code[at] != DEXEC and code[at] != CALL and code[at] != EXEC:
            return 0
        p = code[at + 1]
        if site < 1 << FC_SITE_BITS and n == self.preds[p * PSIZE + P_ARITY]:
            code[a + C_FIRST] = (p << FC_SITE_BITS | site) << (FC_BITS * CALL_ARGUMENTS) | sources
        return 0

    def clause_passed(self, a, b):
        """Whether the clause at a, the next branch of generator b, need not be run, since its first tabled
        call has no answers so far."""
        d: cython.longlong = self.code[a + C_FIRST]
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        plain: cython.bint = True
        if d == 0:
            self.first_call(a)
            d = self.code[a + C_FIRST]
        if d < 0 or self.mode != 1:
            return False
        sources: cython.longlong = d
        d >>= FC_BITS * CALL_ARGUMENTS
        i = d & ((1 << FC_SITE_BITS) - 1)
        if i != 0 and self.code[a + i + 2] != self.epoch:
            return False
        q: cython.longlong = (d >> FC_SITE_BITS) * PSIZE
        hub: cython.longlong = self.preds[q + P_HUB] - 1
        n: cython.longlong = self.preds[q + P_ARITY]
        if hub < 0 or self.preds[q + P_FLAGS] & F_TABLED == 0:
            return False
        for i in range(n):
            j = sources & FC_NEW
            sources >>= FC_BITS
            if j == FC_NEW:
                c = REF
            else:
                c = self.deref(self.choice[b + B_ARGS + j])
                if c & 7 == LST or c & 7 == STR or c & 7 == BOX:
                    return False
            if c & 7 == REF:
                if c != REF:
                    for j in range(i):
                        if self.call_words[j] == c:
                            return False
                self.call_words[i] = c
            else:
                self.call_words[i] = c
                if i != hub:
                    plain = False
        c = self.call_words[hub]
        if c & 7 != GLS and c != self.nil:
            return False
        for i in range(n):
            if self.call_words[i] & 7 == REF:
                self.call_words[i] = i << 3 | REF
        return self.fails_so_far(c, self.hub_pattern(q, n, hub, plain))

    def fails_so_far(self, c, pattern):
        """Whether the call with a pattern and hub c, the first tabled one of the branch that would be run
        now, has a table without answers. If more may come, the branch is noted as its reader."""
        t: cython.longlong
        if pattern == 0:
            return False
        t = self.pattern_table(pattern) if c == self.nil else self.list_table(c, pattern)
        if t == 0 or self.tables[t * TB_SIZE + TB_FIRST] != 0:
            return False
        if self.tables[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.depend_on(t)
            self.note_read(t, 0, True)
        elif self.tables[t * TB_SIZE + TB_GOAL] != self.goal_number:
            self.tables[t * TB_SIZE + TB_GOAL] = 0  # of use to more than one goal
        return True
