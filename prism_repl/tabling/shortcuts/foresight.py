# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""Calls that are known to fail before they are made.

Most tabled calls of a search fail, and of many this is known: the index of calls has a table without answers,
or a look has found it. Often such a call is all that follows when a table returns an answer: then the answer
is passed over. Or it is the first call of a clause, after an msw that leaves no choice: then the branch is
passed over, and noted as a reader of that table if the table is not complete.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


def loads_argument(op):
    """Whether an instruction loads an argument from a slot, or a new variable."""
    return op == PUT_Y or op == PUT_YY or op == PUT_YYY or op == PUT_VAR_Y


class Foresight:
    """Answers and branches of no use."""

    def __init__(self, m, tables, branches, index):
        self.symbols = m.symbols
        self.heap = m.heap
        self.store = m.store
        self.terms = m.terms
        self.program = m.program
        self.stacks = m.stacks
        self.outcomes = m.outcomes
        self.tables = tables
        self.branches = branches
        self.index = index
        self.coming_list = 0
        self.slots = new_area(COMING_SLOTS)
        self.coming_size = first_size(1 << 8)
        self.coming = new_area(self.coming_size)
        self.coming_top = 0
        self.switch_room = first_size(1 << 6)
        self.switch_call = new_area(self.switch_room)
        self.pattern_room = first_size(1 << 8)
        self.outcome_patterns = new_area(self.pattern_room)
        self.switch_stamp = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.slots)
            free_area(self.coming)
            free_area(self.switch_call)
            free_area(self.outcome_patterns)

    @cython.final
    def call_ahead(self):
        """The place of the predicate that is called at CP, if nothing else comes before that, it is tabled,
        and has a list argument; else 0. Its arguments are in call_words, -1 for a new variable."""
        code: cython.p_longlong = self.program.code
        at: cython.longlong = self.stacks.CP
        y: cython.longlong = self.stacks.E + E_SLOTS
        q: cython.longlong
        while loads_argument(code[at]):
            if code[at + 2] >= CALL_ARGUMENTS:
                return 0
            self.index.call_words[code[at + 2]] = (
                self.stacks.env[y + code[at + 1]] if code[at] != PUT_VAR_Y else -1
            )
            at += 3
        if code[at] != DEXEC and code[at] != CALL and code[at] != EXEC:
            return 0
        q = code[at + 1] * PSIZE
        if self.program.preds[q + P_LIST_ARG] == 0 or self.program.preds[q + P_FLAGS] & F_TABLED == 0:
            return 0
        return q if 3 * self.program.preds[q + P_ARITY] == at - self.stacks.CP else 0

    # ---- answers

    def next_call(self, n):
        """What a table's caller, whose call is in x, does with an answer: if nothing but another call, whose
        list argument the answer binds, then the pattern of that call and the argument (as `first_useful`
        takes it); else 0."""
        x: cython.p_longlong = self.stacks.x
        word: cython.p_longlong = self.index.call_words
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        c: cython.longlong
        plain: cython.bint = True
        if self.stacks.mode != 1 or not self.index.on:
            return 0
        q: cython.longlong = self.call_ahead()
        if q == 0:
            return 0
        arity: cython.longlong = self.program.preds[q + P_ARITY]
        list_arg: cython.longlong = self.program.preds[q + P_LIST_ARG] - 1
        bound: cython.longlong = -1
        for i in range(arity):
            c = word[i]
            if c == -1:  # a new variable
                continue
            c = deref(self.heap.cells, c)
            word[i] = c
            if c & 7 == REF:
                j = 0
                while j < n and x[j] != c:
                    j += 1
                if i == list_arg:
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
        if bound < 0 or bound >= n or bound > FC_ARGUMENT:
            return 0
        for i in range(arity):
            if word[i] & 7 == REF or word[i] == -1:
                word[i] = i << 3 | REF
        k = self.index.list_pattern(q, arity, list_arg, plain)
        return (self.index.generation << PATTERN_BITS | k) << FC_BITS | bound

    @cython.final
    def first_useful(self, a, following):
        """The first answer from a on with which the next call may succeed, or 0. following: the number of the
        patterns, the pattern of that call, the argument that is its list argument."""
        pattern: cython.longlong = following >> FC_BITS & PATTERN_MASK
        i: cython.longlong = (following & FC_ARGUMENT) + 1
        word: cython.longlong
        c: cython.longlong
        t: cython.longlong
        if following >> (PATTERN_BITS + FC_BITS) != self.index.generation or pattern == 0:
            return a
        while a != 0:
            word = self.tables.nodes[self.tables.answers[a * AN_SIZE + AN_NODE] * ND_SIZE + ND_TERM]
            if word < 0 or self.store.cells[word - 1] & 1:
                return a
            c = self.store.cells[word + i]
            if c & 7 == GLS:
                t = self.index.list_table(c, pattern)
                if t == 0:
                    c = self.store.cells[c >> 3]
                    if not self.index.is_first(c) or not self.index.look_failed(c, pattern):
                        return a
            elif c == self.symbols.nil:
                t = self.index.pattern_table(pattern)
                if t == 0:
                    return a
            else:
                return a
            if t != 0:
                if self.tables.records[t * TB_SIZE + TB_FIRST] != 0:
                    return a
                if self.tables.records[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
                    return a
                self.tables.note_use(t)
            a = self.tables.answers[a * AN_SIZE + AN_NEXT]
        return 0

    # ---- branches

    def coming_calls(self, a):
        """Where the coming calls of the clause at a are: its first tabled call, and the one after that. -1 if
        there are none."""
        k: cython.longlong = self.program.code[a + C_COMING] - 1
        if k == -2:
            return -1
        if k >= 0 and k < self.coming_top and self.coming[k + CC_CLAUSE] == a:
            return k
        if self.coming_top + CC_SIZE > self.coming_size:
            size: cython.longlong = larger(self.coming_size, 0)
            self.coming = grow_area(self.coming, self.coming_size, size)
            self.coming_size = size
        k = self.coming_top
        if not self.look_through(a, k):
            self.program.code[a + C_COMING] = -1
            return -1
        self.program.code[a + C_COMING] = k + 1
        self.coming[k + CC_CLAUSE] = a
        self.coming_top = k + CC_SIZE
        return k

    @cython.final
    def look_through(self, a, to):
        """Write the coming calls of the clause at a, if nothing but an msw with a known outcome comes before
        its first tabled call."""
        code: cython.p_longlong = self.program.code
        coming_calls: cython.p_longlong = self.coming
        at: cython.longlong = a + C_CODE
        i: cython.longlong
        if code[at] != ALLOC or code[at + 1] > COMING_SLOTS:
            return False
        for i in range(code[at + 1]):
            self.slots[i] = FC_NONE
        for i in range(at + 3, at + 3 + 2 * code[at + 2], 2):
            if code[i] < FC_NEW:
                self.slots[code[i + 1]] = code[i]
        at += 3 + 2 * code[at + 2]
        coming_calls[to + CC_SITE] = 0
        if code[at] == KNOWN_MSW:
            coming_calls[to + CC_SITE] = at
            at = code[at + 1]
        coming_calls[to + CC_FIRST] = self.coming_call(at)
        coming_calls[to + CC_SECOND] = -1
        coming_calls[to + CC_PLAIN_FIRST] = 0
        coming_calls[to + CC_PLAIN_SECOND] = 0
        if coming_calls[to + CC_FIRST] < 0:
            return False
        while loads_argument(code[at]):
            at += 3
        if code[at] == CALL:
            coming_calls[to + CC_SECOND] = self.coming_call(at + 2)
        return True

    @cython.final
    def coming_call(self, at):
        """What the code at an address calls, if it does nothing else, and no slot is in two arguments: the
        predicate, and for each argument what the slot is, or FC_NEW for a new variable. -1: it is not so.
        Afterwards the slots are what an answer of the call tells."""
        code: cython.p_longlong = self.program.code
        sources: cython.longlong = 0
        i: cython.longlong
        k: cython.longlong
        y: cython.longlong
        start: cython.longlong = at
        while loads_argument(code[at]):
            y = code[at + 1]
            i = code[at + 2]
            k = self.slots[y] if code[at] != PUT_VAR_Y else FC_NEW
            if i >= CALL_ARGUMENTS or k == FC_NONE:
                return -1
            self.slots[y] = FC_NONE  # not twice
            sources |= k << (FC_BITS * i)
            at += 3
        if code[at] != CALL and code[at] != DEXEC and code[at] != EXEC:
            return -1
        if at - start != 3 * self.program.preds[code[at + 1] * PSIZE + P_ARITY]:
            return -1
        for i in range(start, at, 3):
            self.slots[code[i + 1]] = FC_ANSWER + code[i + 2]
        return code[at + 1] << (FC_BITS * CALL_ARGUMENTS) | sources

    @cython.final
    def coming_pattern(self, k, b):
        """The pattern of the coming call at k of the coming calls (CC_FIRST or CC_SECOND of one) of a clause
        of generator b; what its list argument is, as in coming_call, in coming_list. 0 if it cannot be known.
        It is noted for generators whose own call is plain. A pattern without a number has not been called."""
        plain: cython.bint = self.branches.running[self.stacks.choice[b + B_CUT] + RUN_PLAIN] != 0
        word: cython.longlong = self.coming[k + CC_PLAIN]
        if plain and word >> (PATTERN_BITS + FC_BITS) == self.index.generation:
            self.coming_list = word & FC_ARGUMENT
            return word >> FC_BITS & PATTERN_MASK
        word = self.make_pattern(self.coming[k], b)
        if plain and (word != 0 or self.coming_list != FC_NEW):  # else it is not decided
            self.coming[k + CC_PLAIN] = (
                self.index.generation << PATTERN_BITS | word
            ) << FC_BITS | self.coming_list
        return word

    @cython.final
    def make_pattern(self, d, b):
        """The pattern of coming call d, as in coming_pattern."""
        q: cython.longlong = (d >> (FC_BITS * CALL_ARGUMENTS)) * PSIZE
        list_arg: cython.longlong = self.program.preds[q + P_LIST_ARG] - 1
        n: cython.longlong = self.program.preds[q + P_ARITY]
        args: cython.longlong = b + B_ARGS
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        c: cython.longlong
        plain: cython.bint = True
        self.coming_list = FC_NEW
        if list_arg < 0 or self.program.preds[q + P_FLAGS] & F_TABLED == 0:
            return 0
        self.coming_list = d >> (FC_BITS * list_arg) & FC_ARGUMENT
        for i in range(n):
            j = d & FC_ARGUMENT
            d >>= FC_BITS
            c = i << 3 | REF
            if i != list_arg and j != FC_NEW:
                if j >= FC_ANSWER:
                    return 0
                c = self.stacks.choice[args + j]
                if c & 7 == REF:
                    if self.heap.cells[c >> 3] != c:
                        return 0
                    for k in range(args, args + j):
                        if self.stacks.choice[k] == c:
                            return 0
                    c = i << 3 | REF
                elif c & 7 == LST or c & 7 == STR or c & 7 == BOX:
                    return 0
                else:
                    plain = False
            self.index.call_words[i] = c
        k = self.index.known_pattern(q, n, list_arg, plain)
        if k == 0:  # it may get a number
            self.coming_list = FC_NEW
        return k

    @cython.final
    def plain_list_arg(self, p, n):
        """The list argument (from 1) of the call of p in x, if the other arguments are distinct variables,
        else 0."""
        x: cython.p_longlong = self.stacks.x
        list_arg: cython.longlong = self.program.preds[p * PSIZE + P_LIST_ARG]
        i: cython.longlong
        j: cython.longlong
        for i in range(n):
            if i + 1 != list_arg:
                if x[i] & 7 != REF or self.heap.cells[x[i] >> 3] != x[i]:
                    return 0
                for j in range(i):
                    if x[j] == x[i]:
                        return 0
        return list_arg

    @cython.final
    def clause_passed(self, a, b):
        """Whether the clause at a, the next branch of generator b, need not be run, since its first tabled
        call has no answer so far, or none with which the next one may succeed. -1: its coming calls are not
        known, or there is no room for the record."""
        i: cython.longlong
        k: cython.longlong = self.program.code[a + C_COMING] - 1
        t: cython.longlong
        if k == -2:
            return 0
        if k < 0 or k >= self.coming_top or self.coming[k + CC_CLAUSE] != a:
            return -1
        i = self.coming[k + CC_SITE]
        if i != 0 and self.program.code[i + 2] != self.outcomes.generation:  # its msw has not been run
            return 0
        i = self.coming_pattern(k + CC_FIRST, b)
        if i == 0 or self.coming_list >= FC_NEW:
            return 0
        t = self.table_at(self.stacks.choice[b + B_ARGS + self.coming_list], i)
        if t == 0:
            return 0
        i = self.tables.records[t * TB_SIZE + TB_FIRST]
        if i != 0 and not self.useless(k, b, i):
            return 0
        if self.branches.reads_top == self.branches.reads_size:
            return -1
        self.note_passed(t)
        return 1

    @cython.final
    def table_at(self, c, pattern):
        """The table of the call with a pattern and list argument c; 0 if it is not known."""
        if c & 7 == GLS:
            return self.index.list_table(c, pattern)
        return self.index.pattern_table(pattern) if c == self.symbols.nil else 0

    @cython.final
    def note_passed(self, t):
        """The branch that would be run now is passed over: it would read all answers of table t, in its first
        tabled call, in vain. There is room for that record."""
        if self.tables.records[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.branches.depend_on(t)
            self.branches.add_read(t, self.tables.records[t * TB_SIZE + TB_LAST], True)
        else:
            self.tables.note_use(t)
        return 0

    @cython.final
    def fails_so_far(self, c, pattern):
        """Whether the call with a pattern and list argument c, the first tabled one of the branch that would
        be run now, has a table without answers: then the branch is passed over."""
        t: cython.longlong = self.table_at(c, pattern)
        if t == 0 or self.tables.records[t * TB_SIZE + TB_FIRST] != 0:
            return False
        self.note_passed(t)
        return True

    @cython.final
    def useless(self, k, b, answer):
        """Whether the second call in the coming calls at k, of a branch of generator b, fails with all
        answers of the first one from this one on."""
        pattern: cython.longlong
        if self.coming[k + CC_SECOND] < 0:
            return False
        pattern = self.coming_pattern(k + CC_SECOND, b)
        if pattern == 0 or self.coming_list < FC_ANSWER:
            return False
        pattern = (self.index.generation << PATTERN_BITS | pattern) << 4 | (self.coming_list - FC_ANSWER)
        return self.first_useful(answer, pattern) == 0

    @cython.final
    def resumption_passed(self, a, b):
        """Whether the clause at a, the branch of generator b that is to take up new answers, need not be run:
        they are of no use. Then they are read."""
        record: cython.longlong = self.branches.resumed * RD_SIZE
        t: cython.longlong = self.branches.reads[record + RD_READ] * TB_SIZE
        answer: cython.longlong = self.tables.records[t + TB_FIRST]
        k: cython.longlong
        if self.stacks.mode != 1 or not self.index.on:
            return False
        k = self.coming_calls(a)
        if k < 0:
            return False
        if self.branches.resumed_after > 0:
            answer = self.tables.answers[self.branches.resumed_after * AN_SIZE + AN_NEXT]
        if not self.useless(k, b, answer):
            return False
        self.branches.reads[record + RD_LAST] = self.tables.records[t + TB_LAST]
        self.branches.resumed = 0
        return True

    # ---- outcomes of switches

    @cython.final
    def foresee_outcomes(self, s):
        """The outcomes of switch s are about to be run as branches, of the choice point on top. If all that
        follows is a tabled call, with the outcome, a list as its list argument, and new variables otherwise,
        then that list is noted as B_2, and with the switch what is called; else B_2 is 0."""
        at: cython.longlong
        b: cython.longlong = self.stacks.B
        k: cython.longlong
        c: cython.longlong
        d: cython.longlong = 0
        word: cython.p_longlong = self.index.call_words
        value: cython.longlong = self.stacks.choice[b + B_ARGS + 1]
        outcome: cython.longlong = -1
        self.stacks.choice[b + B_2] = 0
        if not self.index.on or self.stacks.mode == 2:  # the list of a look is not stored
            return 0
        q: cython.longlong = self.call_ahead()
        if q == 0:
            return 0
        list_arg: cython.longlong = self.program.preds[q + P_LIST_ARG] - 1
        n: cython.longlong = self.program.preds[q + P_ARITY]
        for k in range(n):
            c = self.terms.deref(word[k]) if word[k] != -1 else -1
            if c == value:
                if outcome >= 0 or k == list_arg:
                    return 0
                outcome = k
            elif k == list_arg:
                if c & 7 != GLS and c != self.symbols.nil:
                    return 0
                d = c
            elif c != -1:
                if c & 7 != REF:
                    return 0
                for at in range(k):
                    if word[at] == c:
                        return 0
            word[k] = c
        if outcome < 0:
            return 0
        self.note_switches()
        k = q << 8 | list_arg << 4 | outcome
        if self.switch_call[s] != k:
            # A switch that different calls follow is not foreseen: one may be tried within the other.
            self.switch_call[s] = k if self.switch_call[s] == 0 else -1
            for k in range(self.outcomes.first[s], self.outcomes.first[s] + self.outcomes.sizes[s]):
                self.outcome_patterns[k] = 0
        if self.switch_call[s] >= 0:
            self.stacks.choice[b + B_2] = d
        return 0

    @cython.final
    def outcome_pattern(self, s, o):
        """The pattern of the call that follows outcome o, of switch s; 0 if it has not been called."""
        d: cython.longlong = self.switch_call[s]
        q: cython.longlong = d >> 8
        n: cython.longlong = self.program.preds[q + P_ARITY]
        k: cython.longlong = self.outcomes.cells[o] & 7
        if k != ATM and k != INT and k != GLS and k != GST:
            return 0
        for k in range(n):
            self.index.call_words[k] = k << 3 | REF
        self.index.call_words[d & 15] = self.outcomes.cells[o]
        k = self.index.found_pattern(q // PSIZE, n, d >> 4 & 15)
        if k != 0:
            self.outcome_patterns[o] = self.index.generation << PATTERN_BITS | k
        return k

    @cython.final
    def first_outcome(self, k, b):
        """The first outcome from k on, of the msw of choice point b, that must be run: those whose next
        tabled call has no answer so far are passed over. The number of outcomes, if there is none; -2: there
        is no room for the record of one."""
        running: cython.p_longlong = self.branches.running
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        n: cython.longlong = running[r + RUN_BRANCHES]
        filter: cython.longlong = running[r + RUN_OUTCOMES]
        s: cython.longlong = self.stacks.choice[b + B_1]
        c: cython.longlong = self.stacks.choice[b + B_2]
        first: cython.longlong = self.outcomes.first[s]
        generation: cython.longlong = self.index.generation
        pattern: cython.longlong
        # another call may have followed the switch meanwhile
        foreseen: cython.bint = self.switch_stamp == self.outcomes.generation and self.switch_call[s] > 0
        while k < n:
            if filter >> (k if n <= FILTER_BITS else self.branches.branch_bit(r, k)) & 1:
                if not foreseen:
                    break
                if self.branches.reads_top == self.branches.reads_size:
                    return -2
                running[r + RUN_BRANCH] = k
                pattern = self.outcome_patterns[first + k]
                if pattern >> PATTERN_BITS == generation:
                    pattern &= PATTERN_MASK
                else:
                    pattern = self.outcome_pattern(s, first + k)
                if not self.fails_so_far(c, pattern):
                    break
            k += 1
        return k

    @cython.final
    def note_switches(self):
        """Room for what is known of the switches of this search; nothing is, if they are other ones."""
        i: cython.longlong
        if self.switch_room < self.outcomes.space:
            self.switch_call = grow_area(self.switch_call, self.switch_room, self.outcomes.space)
            self.switch_room = self.outcomes.space
        if self.pattern_room < self.outcomes.size:
            self.outcome_patterns = grow_area(self.outcome_patterns, self.pattern_room, self.outcomes.size)
            self.pattern_room = self.outcomes.size
        if self.switch_stamp != self.outcomes.generation:
            for i in range(self.switch_room):
                self.switch_call[i] = 0
            self.switch_stamp = self.outcomes.generation
        return 0
