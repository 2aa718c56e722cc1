# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""How tables are filled: components of tables that are evaluated to a fixpoint.

A new tabled call runs its clauses to exhaustion, branch by branch; each success stores an answer and, for a
probabilistic predicate in explanation mode, a path: what was pushed on the explanation stack since the call
began. Then the answers are returned. A variant that is still running is served the answers that it has. When
the leader of a component has come to its end, each branch that missed answers is run again, and no other,
until there is none.
"""

import cython

from prism_repl.tabling.shortcuts.foresight import Foresight

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Evaluation(Foresight):
    """Calls of tables, and the components that these form."""

    def __init__(self):
        Foresight.__init__(self)
        self.component_size = first_size(1 << 8)
        self.component = new_area(self.component_size)
        self.component_top = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.component)

    def drop_everything(self):
        """Forget all tables."""
        Foresight.drop_everything(self)
        self.component_top = 0
        return 0

    # ---- searches within searches

    def begin_nested(self, clean):
        """A search begins while tables are in use: it must not see the ones that are being filled, and if it
        has to be clean, no other. Returns what end_nested needs."""
        saved = (self.running_floor, self.complete_floor, self.goal_number)
        self.running_floor = self.table_count
        if clean:
            self.complete_floor = self.table_count
        self.forget_calls()
        return saved

    def end_nested(self, saved):
        """The search is over: calls find again what they found before."""
        self.running_floor = saved[0]
        self.complete_floor = saved[1]
        self.goal_number = saved[2]
        self.forget_calls()
        i: cython.longlong
        for i in range(self.running_top):
            self.relink_table(self.running[i * RUN_SIZE + RUN_TABLE])
        for i in range(self.component_top):
            self.relink_table(self.component[i])

    @cython.final
    def relink_table(self, t):
        """Another search may have made a table for the same call."""
        if t >= self.running_floor:
            self.link_table(t)
        return 0

    # ---- calls

    def fails_at_once(self, t, b):
        """Whether a call of table t has no answer (so far), and is dealt with. Most calls of a search. -1: a
        look has found that it fails. b is the choice point on top."""
        q: cython.longlong = t * TB_SIZE
        if t < 0:
            self.fresh = -1
            self.resumed = 0
            return True
        if self.tables[q + TB_FIRST] != 0:
            return False
        if self.tables[q + TB_STATUS] == TS_COMPLETE:
            self.note_use(t)
        else:
            if self.running_top == 0 or self.reads_top == self.reads_size:
                return False
            self.depend_on(t)
            self.note_read(t, 0, b == self.fresh)
        self.fresh = -1
        self.resumed = 0
        return True

    def table_call(self, p, t):
        """A call of a tabled predicate, whose table is t (0: not known).
        0: no answer, 1: an answer was returned, 2: run the clauses, 4: run the clause at P."""
        n: cython.longlong = self.preds[p * PSIZE + P_ARITY]
        direct: cython.bint = self.fresh == self.B
        record: cython.longlong = self.resumed
        self.fresh = -1
        self.resumed = 0
        if t == 0:
            t = self.table_of(self.call_key(p, n), p)
            self.cache_call(t)
        q: cython.longlong = t * TB_SIZE
        status: cython.longlong = self.tables[q + TB_STATUS]
        if status == TS_NEW:
            return self.start_evaluation(t, n, direct)
        self.clause_filter = -1
        self.outcome_filter = -1
        if status != TS_COMPLETE:
            self.depend_on(t)
        else:
            self.note_use(t)
        return Evaluation.return_answers(self, t, n, direct, record)  # a look does not come here

    # ---- a table begins

    def start_evaluation(self, t, n, direct):
        """Run the clauses of the new table t, which was called with the n arguments in x."""
        self.push_running(t, n)
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        self.running[r + RUN_STATE] = RS_DIRECT if direct else 0
        self.running[r + RUN_FILTER] = self.clause_filter
        self.running[r + RUN_OUTCOMES] = self.outcome_filter
        self.clause_filter = -1
        self.outcome_filter = -1
        self.tables[t * TB_SIZE + TB_LOW] = self.running_top - 1
        return self.begin_branches(t, n)

    def evaluate_again(self, t):
        """Run branches of a table of the component whose leader is on top; then fail back to that."""
        n: cython.longlong = self.preds[self.tables[t * TB_SIZE + TB_PRED] * PSIZE + P_ARITY]
        self.load_arguments(t, n)
        self.push_running(t, n)
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        self.running[r + RUN_STATE] = RS_AGAIN | RS_BACK
        # it is part of the leader's component, whatever its branches read this time
        self.tables[t * TB_SIZE + TB_LOW] = self.running_top - 2
        return self.begin_branches(t, n)

    def lead_again(self, t, n):
        """Run branches of a table that leads its component, and is on top."""
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        self.running[r + RUN_STATE] |= RS_AGAIN
        return self.begin_branches(t, n)

    def push_running(self, t, n):
        r: cython.longlong = self.running_top * RUN_SIZE
        if self.running_top == self.running_size:
            size: cython.longlong = larger(self.running_size, 0)
            self.running = grow_area(self.running, self.running_size * RUN_SIZE, size * RUN_SIZE)
            self.running_size = size
        self.running[r + RUN_TABLE] = t
        self.running[r + RUN_COMPONENT] = self.component_top
        self.running[r + RUN_READS] = self.reads_top
        self.running[r + RUN_LOOKED] = 0
        self.running[r + RUN_PLAIN] = self.plain_hub(self.tables[t * TB_SIZE + TB_PRED], n)
        self.tables[t * TB_SIZE + TB_DFN] = self.running_top
        self.running_top += 1
        self.push_choice(BK_GENERATOR, n)
        self.choice[self.B + B_CUT] = r
        return 0

    def begin_branches(self, t, n):
        """Prepare the branches of the table on top, and run the first that has to be run."""
        b: cython.longlong = self.B
        q: cython.longlong = t * TB_SIZE
        p: cython.longlong = self.tables[q + TB_PRED]
        r: cython.longlong = self.choice[b + B_CUT]
        e: cython.longlong = self.choice[b + B_ETOP]
        i: cython.longlong
        whole: cython.bint = self.preds[p * PSIZE + P_FLAGS] & (F_CUTS | F_DYNAMIC) != 0
        self.tables[q + TB_STATUS] = TS_RUNNING
        self.running[r + RUN_BRANCH] = -1
        self.running[r + RUN_BRANCHES] = self.preds[p * PSIZE + P_LIVE]
        self.running[r + RUN_CHOICE] = b
        # the frame that ANSWER looks at
        self.grow_env(e + n + 16)
        self.env[e + E_PREV] = self.E
        self.env[e + E_CP] = self.CP
        self.env[e + E_N] = n + 2
        self.env[e + E_SLOTS] = t << 3 | INT
        self.env[e + E_SLOTS + 1] = self.XT << 3 | INT
        for i in range(n):
            self.env[e + E_SLOTS + 2 + i] = self.x[i]
        self.E = e
        self.CP = self.answer_code
        if self.running[r + RUN_STATE] & RS_AGAIN:
            self.tables[q + TB_STATE] |= ST_AGAIN
            if self.tables[q + TB_STATE] & ST_CUT:  # what was left out may be tried now
                self.drop_branch(t, -1)
                self.tables[q + TB_STATE] &= ~ST_OUTCOMES
                self.running[r + RUN_STATE] &= ~RS_AGAIN
            self.running[r + RUN_FILTER] = -1
            self.running[r + RUN_OUTCOMES] = -1
        self.first_clauses(p)
        if not whole:
            i = self.next_branch()
            if i != 0:
                return i
            if self.mode != 2:
                return 0  # no branch has to be run
            self.drop_branch(t, -1)
        elif self.running[r + RUN_STATE] & RS_AGAIN:
            self.outdated_branch(t, -1)
        # the loop itself looks for clauses
        self.running[r + RUN_BRANCH] = 0
        self.running[r + RUN_STATE] |= RS_WHOLE
        self.choice[b + B_1] = 0
        self.choice[b + B_2] = 0
        self.fresh = b
        return 2

    # ---- answers found

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
        if key & 7 == GST and self.store[(key >> 3) - 1] & 1:
            for i in range(n):
                self.x[i] = self.env[e + 2 + i]
            if self.preds[p * PSIZE + P_FLAGS] & F_MODED:
                return self.moded.answer(self, t)
            key = self.call_key(p, n)
        node = self.answer_node(key, t)
        if self.mode != 0 and self.preds[p * PSIZE + P_FLAGS] & F_PROB:
            if self.nodes[node * ND_SIZE + ND_LAST] != SETTLED:
                self.record_path(node, mark, self.running[(self.running_top - 1) * RUN_SIZE + RUN_BRANCH])
        return 0

    def generator_done(self):
        """The generator on top has no more to try in its branch: run another branch (4, or 2 if the loop has
        to find the clauses), of this table or of one that missed answers; or return its answers."""
        b: cython.longlong = self.B
        n: cython.longlong = self.choice[b + B_N]
        r: cython.longlong = self.choice[b + B_CUT]
        d: cython.longlong = self.running_top - 1
        t: cython.longlong = self.running[r + RUN_TABLE]
        q: cython.longlong = t * TB_SIZE
        low: cython.longlong
        parent: cython.longlong
        again: cython.longlong = 0
        i: cython.longlong
        if self.running[r + RUN_BRANCH] != NO_BRANCH:
            i = self.next_branch()
            if i != 0:
                return i
            self.running[r + RUN_BRANCH] = NO_BRANCH
            if self.running[r + RUN_STATE] & RS_OPEN:  # a cut left outcomes out
                self.tables[q + TB_STATE] |= ST_CUT
                self.running[r + RUN_STATE] &= ~RS_OPEN
        low = self.tables[q + TB_LOW]
        if low >= d:  # it leads its component
            if self.reads_top > self.running[r + RUN_READS]:
                again = self.outdated(r)
                if again == t:
                    return self.lead_again(t, n)
                if again != 0:
                    return self.evaluate_again(again)
                self.reads_top = self.running[r + RUN_READS]
            if self.mode == 1:
                self.drop_unsupported(t, self.running[r + RUN_COMPONENT])
            for i in range(self.running[r + RUN_COMPONENT], self.component_top):
                self.complete(self.component[i])
            self.component_top = self.running[r + RUN_COMPONENT]
            self.complete(t)
        else:
            if self.tables[q + TB_AT] == 0:
                if self.component_top + 8 > self.component_size:
                    size: cython.longlong = larger(self.component_size, 0)
                    self.component = grow_area(self.component, self.component_size, size)
                    self.component_size = size
                self.component[self.component_top] = t
                self.component_top += 1
                self.tables[q + TB_AT] = self.component_top
            self.tables[q + TB_STATUS] = TS_INCOMPLETE
            parent = self.running[r - RUN_SIZE + RUN_TABLE] * TB_SIZE
            if low < self.tables[parent + TB_LOW]:
                self.tables[parent + TB_LOW] = low
        self.running_top = d
        self.fresh = -1
        self.B = self.choice[b + B_PREV]
        self.HB = self.choice[self.B + B_H]
        if self.running[r + RUN_STATE] & RS_BACK:
            return 0  # to the leader that asked for it
        return self.return_answers(t, n, self.running[r + RUN_STATE] & RS_DIRECT != 0, 0)

    def complete(self, t):
        """Nothing new can come to table t."""
        q: cython.longlong = t * TB_SIZE
        self.tables[q + TB_STATUS] = TS_COMPLETE
        self.tables[q + TB_AT] = 0
        if self.mode != 2:
            self.tables[q + TB_READS] = 0
        if self.tables[q + TB_STATE] & ST_AGAIN:
            self.sort_paths(t)
        if self.preds[self.tables[q + TB_PRED] * PSIZE + P_FLAGS] & F_MODED:
            self.moded.complete(self, t)
        return 0

    def drop_unsupported(self, t, first):
        """Answers of the component of leader t that have lost all their paths are dropped, and what is only
        found by them: a cut may leave out in a later run what an earlier one found. Tables that wait for the
        leader begin at `first` of the component stack."""
        i: cython.longlong
        changed: cython.bint = self.has_unsupported(t)
        for i in range(first, self.component_top):
            if self.has_unsupported(self.component[i]):
                changed = True
        while changed:
            changed = self.drop_answers(t)
            for i in range(first, self.component_top):
                if self.drop_answers(self.component[i]):
                    changed = True
            self.drop_paths(t)
            for i in range(first, self.component_top):
                self.drop_paths(self.component[i])
        return 0

    @cython.final
    def has_unsupported(self, t):
        """Whether an answer of table t has no path."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong
        if self.tables[q + TB_STATE] & ST_AGAIN == 0:  # nothing was dropped
            return False
        if self.preds[self.tables[q + TB_PRED] * PSIZE + P_FLAGS] & F_PROB == 0:
            return False
        a = self.tables[q + TB_FIRST]
        while a != 0:
            if self.nodes[self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE + ND_FIRST] == 0:
                return True
            a = self.answers[a * AN_SIZE + AN_NEXT]
        return False

    def drop_answers(self, t):
        """Drop the answers of table t that have no path. Returns whether there were some."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables[q + TB_FIRST]
        node: cython.longlong
        dropped: cython.bint = False
        if self.preds[self.tables[q + TB_PRED] * PSIZE + P_FLAGS] & F_PROB == 0:
            return False
        self.tables[q + TB_FIRST] = 0
        self.tables[q + TB_LAST] = 0
        self.tables[q + TB_COUNT] = 0
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            if self.nodes[node + ND_FIRST] == 0:
                self.nodes[node + ND_OWNER] = 0
                self.nodes[node + ND_LAST] = 0
                dropped = True
            else:
                if self.tables[q + TB_COUNT] == 0:
                    self.tables[q + TB_FIRST] = a
                else:
                    self.answers[self.tables[q + TB_LAST] * AN_SIZE + AN_NEXT] = a
                self.tables[q + TB_LAST] = a
                self.tables[q + TB_COUNT] += 1
            a = self.answers[a * AN_SIZE + AN_NEXT]
        if self.tables[q + TB_LAST] != 0:
            self.answers[self.tables[q + TB_LAST] * AN_SIZE + AN_NEXT] = 0
        return dropped

    def drop_paths(self, t):
        """Drop the paths of the answers of table t that lead through a node that was dropped."""
        a: cython.longlong = self.tables[t * TB_SIZE + TB_FIRST]
        node: cython.longlong
        path: cython.longlong
        last: cython.longlong
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            a = self.answers[a * AN_SIZE + AN_NEXT]
            if self.nodes[node + ND_LAST] == SETTLED:
                continue
            path = self.nodes[node + ND_FIRST]
            self.nodes[node + ND_FIRST] = 0
            last = 0
            while path != 0:
                if self.is_supported(path):
                    self.link_path(node, last, path)
                    last = path
                path = self.paths[path * PT_SIZE + PT_NEXT]
            self.nodes[node + ND_LAST] = last
            if last != 0:
                self.paths[last * PT_SIZE + PT_NEXT] = 0
        return 0

    @cython.final
    def is_supported(self, path):
        """Whether no node of a path was dropped."""
        i: cython.longlong
        for i in range(self.paths[path * PT_SIZE + PT_START], self.path_end(path)):
            if self.items[i] & 1 == 0 and self.nodes[(self.items[i] >> 1) * ND_SIZE + ND_OWNER] == 0:
                return False
        return True

    def outdated(self, r):
        """A table of the component that the one at r of the running tables leads, and that missed answers;
        0 if none did. RUN_LOOKED is how far the last look got, RS_CHANGED in RUN_STATE whether something
        was evaluated since it began."""
        first: cython.longlong = self.running[r + RUN_READS]
        i: cython.longlong = self.running[r + RUN_LOOKED]
        top: cython.longlong = self.reads_top
        reads: cython.p_int = self.reads
        tables: cython.p_int = self.tables
        status: cython.longlong
        q: cython.longlong
        if i < first:
            i = first
        while True:
            while i < top:
                q = i * RD_SIZE
                i += 1
                if tables[reads[q + RD_READ] * TB_SIZE + TB_LAST] == reads[q + RD_LAST]:
                    continue  # as mostly
                if self.is_outdated(q):
                    status = tables[reads[q + RD_TABLE] * TB_SIZE + TB_STATUS]
                    if status == TS_INCOMPLETE or status == TS_RUNNING:
                        self.running[r + RUN_LOOKED] = i
                        self.running[r + RUN_STATE] |= RS_CHANGED
                        return reads[q + RD_TABLE]
            if self.running[r + RUN_STATE] & RS_CHANGED == 0:
                return 0
            self.running[r + RUN_STATE] &= ~RS_CHANGED
            i = first

    def load_arguments(self, t, n):
        """The arguments of a table's call, into x."""
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        key: cython.longlong = self.tables[t * TB_SIZE + TB_KEY] + 1
        flat: cython.bint = True
        if n == 0:
            return 0
        self.x_room(n)
        self.room(n + 8)
        for i in range(n):
            c = self.store[key + i]
            if c & 7 == ATM and c < 0:  # a numbered variable
                j = 0
                while self.store[key + j] != c:
                    j += 1
                if j == i:
                    self.heap[self.H] = self.H << 3 | REF
                    self.x[i] = self.H << 3 | REF
                    self.H += 1
                else:
                    self.x[i] = self.x[j]
            else:
                flat = flat and not ((c & 7 == GST or c & 7 == GLS) and self.has_numbered_vars(c))
                self.x[i] = c
        if not flat:
            c = self.instantiate((key - 1) << 3 | GST, [])
            for i in range(n):
                self.x[i] = self.arg(c, i)
        if self.preds[self.tables[t * TB_SIZE + TB_PRED] * PSIZE + P_FLAGS] & F_MODED:
            self.moded.load_untabled(self, t)
        return 0

    # ---- what is left

    def drop_generators(self, down_to):
        """Tables that were being filled above a choice point are forgotten."""
        b: cython.longlong = self.B
        while b > down_to:
            if self.choice[b + B_KIND] == BK_GENERATOR:
                self.drop_generator(b)
            b = self.choice[b + B_PREV]
        return 0

    def drop_generator(self, b):
        """A table was being filled when the search was left: forget it and its component."""
        r: cython.longlong = self.choice[b + B_CUT]
        i: cython.longlong
        for i in range(self.running[r + RUN_COMPONENT], self.component_top):
            self.drop_table(self.component[i])
        self.component_top = self.running[r + RUN_COMPONENT]
        self.reads_top = self.running[r + RUN_READS]
        self.running_top = r // RUN_SIZE
        self.drop_table(self.running[r + RUN_TABLE])
        self.forget_branch()
        return 0

    # ---- answers returned

    def return_answers(self, t, n, direct, record):
        """Give the caller the first answer of a table that it has not seen; the others wait behind a choice
        point. direct: it is the first tabled call of a branch, with nothing else left to try; if there is a
        record, it goes on where that one ended."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables[q + TB_FIRST]
        complete: cython.bint = self.tables[q + TB_STATUS] == TS_COMPLETE
        if record != 0 and direct and self.reads[record * RD_SIZE + RD_READ] == t:
            if self.resumed_after > 0:
                a = self.answers[self.resumed_after * AN_SIZE + AN_NEXT]
        elif a == 0:
            if not complete:
                self.note_read(t, 0, direct)
            return 0
        elif direct and not complete:
            record = self.note_read(t, -1, True)
        else:
            record = 0
        wanted: cython.longlong = self.next_call(n)
        if wanted != 0:
            a = self.promising(a, wanted)
            if a == 0:
                self.all_read(t, record)
                return 0
        if not complete or self.answers[a * AN_SIZE + AN_NEXT] != 0:
            self.push_choice(BK_ANSWERS, n)
            self.choice[self.B + B_1] = a
            self.choice[self.B + B_2] = t
            self.choice[self.B + B_3] = record
            self.choice[self.B + B_CUT] = wanted
        return 1 if self.use_answer(t, a, n) else 0

    @cython.final
    def all_read(self, t, record):
        """The branch that is being run has read all answers of table t; the record is of that, if there is
        one already."""
        last: cython.longlong = self.tables[t * TB_SIZE + TB_LAST]
        if record != 0:
            self.reads[record * RD_SIZE + RD_LAST] = last
        elif self.tables[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.note_read(t, last, False)
        return 0

    def answers_next(self):
        b: cython.longlong = self.B
        t: cython.longlong = self.choice[b + B_2]
        last: cython.longlong = self.choice[b + B_1]
        a: cython.longlong = self.answers[last * AN_SIZE + AN_NEXT]
        n: cython.longlong = self.choice[b + B_N]
        complete: cython.bint = self.tables[t * TB_SIZE + TB_STATUS] == TS_COMPLETE
        if self.choice[b + B_CUT] != 0:
            a = self.promising(a, self.choice[b + B_CUT])
        if a == 0:
            self.all_read(t, self.choice[b + B_3])
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]
            return 0
        if complete and self.answers[a * AN_SIZE + AN_NEXT] == 0:
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]
        else:
            self.choice[b + B_1] = a
        return 1 if self.use_answer(t, a, n) else 0

    @cython.final
    def use_answer(self, t, a, n):
        """Unify the call in x with an answer; in explanation mode note the node."""
        node: cython.longlong = self.answers[a * AN_SIZE + AN_NODE]
        word: cython.longlong = self.nodes[node * ND_SIZE + ND_TERM]
        q: cython.longlong = t * TB_SIZE
        i: cython.longlong
        c: cython.longlong
        d: cython.longlong
        term: cython.longlong
        x: cython.p_longlong = self.x
        heap: cython.p_longlong
        if word >= 0:
            if self.store[word - 1] & 1:
                term = self.instantiate(self.word_key(word), [])
                for i in range(n):
                    if not self.unify(self.x[i], self.arg(term, i)):
                        return False
            elif word != self.tables[q + TB_KEY]:
                heap = self.heap
                for i in range(n):
                    c = x[i]
                    d = self.store[word + 1 + i]
                    if c == d:
                        continue
                    if c & 7 == REF and heap[c >> 3] == c and self.TR + 8 < self.trail_size:
                        heap[c >> 3] = d
                        if (c >> 3) < self.HB:
                            self.trail[self.TR] = c >> 3
                            self.TR += 1
                    elif not self.unify(c, d):
                        return False
        if self.mode != 0 and self.preds[self.tables[q + TB_PRED] * PSIZE + P_FLAGS] & F_PROB:
            if self.XT + 8 < self.expl_size:
                self.expl[self.XT] = node << 1
                self.XT += 1
            else:
                self.push_item(node << 1)
        return True
