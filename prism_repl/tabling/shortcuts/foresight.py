# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3
"""Calls that are known to fail before they are made.

Most tabled calls of a search fail, and of many this is known: the index of calls has a table without answers,
or a look has found it. Often such a call is all that follows when a table returns an answer: then the answer
is passed over. Or it is the first call of a clause, after an msw that leaves no choice: then the branch is
passed over, and noted as a reader of that table if the table is not complete.
"""

import cython

from prism_repl.tabling.branches import Branches

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Foresight(Branches):
    """Answers and branches of no use."""

    def __init__(self):
        Branches.__init__(self)
        self.coming_hub = 0
        self.slots = new_area(OUTLOOK_SLOTS)
        self.outlooks_size = first_size(1 << 8)
        self.outlooks = new_area(self.outlooks_size)
        self.outlook_top = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.slots)
            free_area(self.outlooks)

    def drop_everything(self):
        """Forget all tables."""
        Branches.drop_everything(self)
        self.outlook_top = 0
        return 0

    def call_ahead(self):
        """The place of the predicate that is called at CP, if nothing else comes before that, it is tabled,
        and has a hub; else 0. Its arguments are in call_words, -1 for a new variable."""
        code: cython.p_longlong = self.code
        at: cython.longlong = self.CP
        y: cython.longlong = self.E + E_SLOTS
        q: cython.longlong
        while code[at] == PUT_Y or code[at] == PUT_VAR_Y:
            if code[at + 2] >= CALL_ARGUMENTS:
                return 0
            self.call_words[code[at + 2]] = self.env[y + code[at + 1]] if code[at] == PUT_Y else -1
            at += 3
        if code[at] != DEXEC and code[at] != CALL and code[at] != EXEC:
            return 0
        q = code[at + 1] * PSIZE
        if self.preds[q + P_HUB] == 0 or self.preds[q + P_FLAGS] & F_TABLED == 0:
            return 0
        return q if 3 * self.preds[q + P_ARITY] == at - self.CP else 0

    # ---- answers

    def next_call(self, n):
        """What a table's caller, whose call is in x, does with an answer: if nothing but another call, whose
        hub the answer binds, then the pattern of that call and the argument (as `promising` wants it); else
        0."""
        x: cython.p_longlong = self.x
        word: cython.p_longlong = self.call_words
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        c: cython.longlong
        d: cython.longlong
        plain: cython.bint = True
        if self.mode != 1 or not self.shortcuts:
            return 0
        q: cython.longlong = self.call_ahead()
        if q == 0:
            return 0
        arity: cython.longlong = self.preds[q + P_ARITY]
        hub: cython.longlong = self.preds[q + P_HUB] - 1
        bound: cython.longlong = -1
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
        return (self.generation_of_calls << PATTERN_BITS | k) << 4 | bound

    def promising(self, a, wanted):
        """The first answer from a on with which the next call may succeed, or 0. wanted: the number of the
        patterns, the pattern of that call, the argument that is its hub."""
        pattern: cython.longlong = wanted >> 4 & PATTERN_MASK
        i: cython.longlong = (wanted & 15) + 1
        word: cython.longlong
        c: cython.longlong
        t: cython.longlong
        if wanted >> (PATTERN_BITS + 4) != self.generation_of_calls or pattern == 0:
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
                    if not self.is_first(c) or not self.look_failed(c, pattern):
                        return a
            elif c == self.nil:
                t = self.pattern_table(pattern)
                if t == 0:
                    return a
            else:
                return a
            if t != 0:
                if self.tables[t * TB_SIZE + TB_FIRST] != 0:
                    return a
                if self.tables[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
                    return a
                self.note_use(t)
            a = self.answers[a * AN_SIZE + AN_NEXT]
        return 0

    # ---- branches

    def outlook(self, a):
        """Where the outlook of the clause at a is: its first tabled call, and the one after that. -1 if there
        is none."""
        k: cython.longlong = self.code[a + C_OUTLOOK] - 1
        if k == -2:
            return -1
        if k >= 0 and k < self.outlook_top and self.outlooks[k + OL_CLAUSE] == a:
            return k
        if self.outlook_top + OL_SIZE > self.outlooks_size:
            size: cython.longlong = larger(self.outlooks_size, 0)
            self.outlooks = grow_area(self.outlooks, self.outlooks_size, size)
            self.outlooks_size = size
        k = self.outlook_top
        if not self.look_through(a, k):
            self.code[a + C_OUTLOOK] = -1
            return -1
        self.code[a + C_OUTLOOK] = k + 1
        self.outlooks[k + OL_CLAUSE] = a
        self.outlook_top = k + OL_SIZE
        return k

    def look_through(self, a, to):
        """Write the outlook of the clause at a, if nothing but an msw with a known outcome comes before its
        first tabled call."""
        code: cython.p_longlong = self.code
        outlook: cython.p_longlong = self.outlooks
        at: cython.longlong = a + C_CODE
        i: cython.longlong
        if code[at] != ALLOC or code[at + 1] > OUTLOOK_SLOTS:
            return False
        for i in range(code[at + 1]):
            self.slots[i] = FC_NONE
        for i in range(at + 3, at + 3 + 2 * code[at + 2], 2):
            if code[i] < FC_NEW:
                self.slots[code[i + 1]] = code[i]
        at += 3 + 2 * code[at + 2]
        outlook[to + OL_SITE] = 0
        if code[at] == KNOWN_MSW:
            outlook[to + OL_SITE] = at
            at = code[at + 1]
        outlook[to + OL_FIRST] = self.coming_call(at)
        outlook[to + OL_SECOND] = -1
        outlook[to + OL_PLAIN_FIRST] = 0
        outlook[to + OL_PLAIN_SECOND] = 0
        if outlook[to + OL_FIRST] < 0:
            return False
        while code[at] == PUT_Y or code[at] == PUT_VAR_Y:
            at += 3
        if code[at] == CALL:
            outlook[to + OL_SECOND] = self.coming_call(at + 2)
        return True

    def coming_call(self, at):
        """What the code at an address calls, if it does nothing else, and no slot is in two arguments: the
        predicate, and for each argument what the slot is, or FC_NEW for a new variable. -1: it is not so.
        Afterwards the slots are what an answer of the call tells."""
        code: cython.p_longlong = self.code
        sources: cython.longlong = 0
        i: cython.longlong
        k: cython.longlong
        y: cython.longlong
        start: cython.longlong = at
        while code[at] == PUT_Y or code[at] == PUT_VAR_Y:
            y = code[at + 1]
            i = code[at + 2]
            k = self.slots[y] if code[at] == PUT_Y else FC_NEW
            if i >= CALL_ARGUMENTS or k == FC_NONE:
                return -1
            self.slots[y] = FC_NONE  # not twice
            sources |= k << (FC_BITS * i)
            at += 3
        if code[at] != CALL and code[at] != DEXEC and code[at] != EXEC:
            return -1
        if at - start != 3 * self.preds[code[at + 1] * PSIZE + P_ARITY]:
            return -1
        for i in range(start, at, 3):
            self.slots[code[i + 1]] = FC_ANSWER + code[i + 2]
        return code[at + 1] << (FC_BITS * CALL_ARGUMENTS) | sources

    @cython.final
    def coming_pattern(self, k, b):
        """The pattern of the coming call at k of the outlooks (OL_FIRST or OL_SECOND of one) of a clause of
        generator b; what its hub is, as in coming_call, in coming_hub. 0 if it cannot be known. It is noted
        for generators whose own call is plain."""
        plain: cython.bint = self.running[self.choice[b + B_CUT] + RUN_PLAIN] != 0
        word: cython.longlong = self.outlooks[k + OL_PLAIN]
        if plain and word >> (PATTERN_BITS + FC_BITS) == self.generation_of_calls:
            self.coming_hub = word & FC_ARGUMENT
            return word >> FC_BITS & PATTERN_MASK
        word = self.make_pattern(self.outlooks[k], b)
        if plain and (word != 0 or self.coming_hub != FC_NEW):  # else the hub is not decided
            self.outlooks[k + OL_PLAIN] = (
                self.generation_of_calls << PATTERN_BITS | word
            ) << FC_BITS | self.coming_hub
        return word

    def make_pattern(self, d, b):
        """The pattern of coming call d, as in coming_pattern."""
        q: cython.longlong = (d >> (FC_BITS * CALL_ARGUMENTS)) * PSIZE
        hub: cython.longlong = self.preds[q + P_HUB] - 1
        n: cython.longlong = self.preds[q + P_ARITY]
        args: cython.longlong = b + B_ARGS
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        c: cython.longlong
        plain: cython.bint = True
        self.coming_hub = FC_NEW
        if hub < 0 or self.preds[q + P_FLAGS] & F_TABLED == 0:
            return 0
        self.coming_hub = d >> (FC_BITS * hub) & FC_ARGUMENT
        for i in range(n):
            j = d & FC_ARGUMENT
            d >>= FC_BITS
            c = i << 3 | REF
            if i != hub and j != FC_NEW:
                if j >= FC_ANSWER:
                    return 0
                c = self.choice[args + j]
                if c & 7 == REF:
                    if self.heap[c >> 3] != c:
                        return 0
                    for k in range(args, args + j):
                        if self.choice[k] == c:
                            return 0
                    c = i << 3 | REF
                elif c & 7 == LST or c & 7 == STR or c & 7 == BOX:
                    return 0
                else:
                    plain = False
            self.call_words[i] = c
        return self.hub_pattern(q, n, hub, plain)

    def plain_hub(self, p, n):
        """The hub (from 1) of the call of p in x, if the other arguments are distinct variables, else 0."""
        x: cython.p_longlong = self.x
        hub: cython.longlong = self.preds[p * PSIZE + P_HUB]
        i: cython.longlong
        j: cython.longlong
        for i in range(n):
            if i + 1 != hub:
                if x[i] & 7 != REF or self.heap[x[i] >> 3] != x[i]:
                    return 0
                for j in range(i):
                    if x[j] == x[i]:
                        return 0
        return hub

    def clause_passed(self, a, b):
        """Whether the clause at a, the next branch of generator b, need not be run, since its first tabled
        call has no answer so far, or none with which the next one may succeed."""
        i: cython.longlong
        k: cython.longlong
        t: cython.longlong
        if self.mode != 1 or not self.shortcuts:
            return False
        k = self.outlook(a)
        if k < 0:
            return False
        i = self.outlooks[k + OL_SITE]
        if i != 0 and self.code[i + 2] != self.switch_generation:  # its msw has not been run
            return False
        i = self.coming_pattern(k + OL_FIRST, b)
        if i == 0 or self.coming_hub >= FC_NEW:
            return False
        t = self.table_at(self.choice[b + B_ARGS + self.coming_hub], i)
        if t == 0:
            return False
        i = self.tables[t * TB_SIZE + TB_FIRST]
        if i != 0 and not self.useless(k, b, i):
            return False
        self.note_passed(t)
        return True

    @cython.final
    def table_at(self, c, pattern):
        """The table of the call with a pattern and hub c; 0 if it is not known."""
        if c & 7 == GLS:
            return self.list_table(c, pattern)
        return self.pattern_table(pattern) if c == self.nil else 0

    @cython.final
    def note_passed(self, t):
        """The branch that would be run now is passed over: it would read all answers of table t, in its first
        tabled call, in vain."""
        if self.tables[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.depend_on(t)
            self.note_read(t, self.tables[t * TB_SIZE + TB_LAST], True)
        else:
            self.note_use(t)
        return 0

    def fails_so_far(self, c, pattern):
        """Whether the call with a pattern and hub c, the first tabled one of the branch that would be run
        now, has a table without answers: then the branch is passed over."""
        t: cython.longlong = self.table_at(c, pattern)
        if t == 0 or self.tables[t * TB_SIZE + TB_FIRST] != 0:
            return False
        self.note_passed(t)
        return True

    @cython.final
    def useless(self, k, b, answer):
        """Whether the second call in the outlook at k, of a branch of generator b, fails with all answers of
        the first one from this one on."""
        pattern: cython.longlong
        if self.outlooks[k + OL_SECOND] < 0:
            return False
        pattern = self.coming_pattern(k + OL_SECOND, b)
        if pattern == 0 or self.coming_hub < FC_ANSWER:
            return False
        pattern = (self.generation_of_calls << PATTERN_BITS | pattern) << 4 | (self.coming_hub - FC_ANSWER)
        return self.promising(answer, pattern) == 0

    def resumption_passed(self, a, b):
        """Whether the clause at a, the branch of generator b that is to take up new answers, need not be run:
        they are of no use. Then they are read."""
        record: cython.longlong = self.resumed * RD_SIZE
        t: cython.longlong = self.reads[record + RD_READ] * TB_SIZE
        answer: cython.longlong = self.tables[t + TB_FIRST]
        k: cython.longlong
        if self.mode != 1 or not self.shortcuts:
            return False
        k = self.outlook(a)
        if k < 0:
            return False
        if self.resumed_after > 0:
            answer = self.answers[self.resumed_after * AN_SIZE + AN_NEXT]
        if not self.useless(k, b, answer):
            return False
        self.reads[record + RD_LAST] = self.tables[t + TB_LAST]
        self.resumed = 0
        return True
