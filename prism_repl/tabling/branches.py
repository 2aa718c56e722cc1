# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The branches of a table that is being filled, and what they have read.

The clauses of a call are its branches, numbered from 0. If only one clause matches, and an msw with an open
value is the first to leave a choice, the outcomes of that switch are. A predicate with cuts in its clauses is
one branch, whose clauses the loop of the machine finds.

Whenever a branch has read all answers that an incomplete table has, this is noted. If the table gets more
answers, the branch is run again. If what it read was its first tabled call, and nothing was left to try
before that, then it takes up the new answers only; otherwise what it found is dropped, and it starts anew. In
the end the paths of a node are sorted by branches: their order is the one in which the last of many
evaluations of the whole table would find them.
"""

import cython

from prism_repl.tabling.tables import Tabling

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Branches(Tabling):
    """What is left to try of the tables that are being filled."""

    def __init__(self):
        Tabling.__init__(self)
        self.running_size = first_size(1 << 6)
        self.running = new_area(self.running_size * RUN_SIZE)
        self.running_top = 0
        self.reads_size = first_size(1 << 8)
        self.reads = new_items(self.reads_size * RD_SIZE)
        self.reads_top = 1
        self.fresh = -1
        self.resumed = 0
        self.resumed_after = 0
        self.outdated_clause = 0
        self.clause_filter = -1
        self.outcome_filter = -1

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.running)
            free_items(self.reads)

    def drop_everything(self):
        """Forget all tables."""
        Tabling.drop_everything(self)
        self.running_top = 0
        self.reads_top = 1
        return self.forget_branch()

    def forget_branch(self):
        """Nobody has begun a branch."""
        self.fresh = -1
        self.resumed = 0
        self.clause_filter = -1
        self.outcome_filter = -1
        return 0

    def branch_state(self):
        """What is known of the branch that runs, for set_branch_state."""
        return self.fresh, self.resumed, self.resumed_after, self.clause_filter, self.outcome_filter

    def set_branch_state(self, state):
        self.fresh, self.resumed, self.resumed_after, self.clause_filter, self.outcome_filter = state

    # ---- clauses and outcomes

    def first_clauses(self, p):
        """The clauses of p that the call in x may match, as the generator on top has them left."""
        b: cython.longlong = self.B
        c: cython.longlong
        key: cython.longlong = 0
        if self.preds[p * PSIZE + P_HASH] != 0:
            key = self.first_key(self.x[0])
        self.choice[b + B_3] = -1
        if key != 0:
            c = self.bucket(p, key)
            self.choice[b + B_1] = c
            self.choice[b + B_2] = self.preds[p * PSIZE + P_VAR_FIRST]
        else:
            self.choice[b + B_1] = self.preds[p * PSIZE + P_FIRST]
            self.choice[b + B_2] = -1
        return 0

    @cython.final
    def take_clause(self, b):
        """The next of the clauses that generator b has left, or 0."""
        a: cython.longlong
        c: cython.longlong = self.choice[b + B_1]
        c2: cython.longlong = self.choice[b + B_2]
        if c == 0 and c2 <= 0:
            return 0
        if self.choice[b + B_3] >= 0:  # the predicate has changed since
            a = self.next_clause(c, c2, self.choice[b + B_3])
            c = self.alt1
            c2 = self.alt2
        elif c2 > 0 and (c == 0 or self.code[c2 + C_SEQ] < self.code[c + C_SEQ]):
            a = c2
            c2 = self.code[c2 + C_NEXT_KEY]
        else:
            a = c
            c = self.code[c + C_NEXT] if c2 == -1 else self.code[c + C_NEXT_KEY]
        self.choice[b + B_1] = c
        self.choice[b + B_2] = c2
        return a

    def take_branch(self, b):
        """The next clause of the new table of generator b that must be run; 0 if there is none, or the table
        is not new."""
        r: cython.longlong = self.choice[b + B_CUT]
        k: cython.longlong = self.running[r + RUN_BRANCH]
        filter: cython.longlong = self.running[r + RUN_FILTER]
        a: cython.longlong
        if self.running[r + RUN_STATE] & (RS_AGAIN | RS_WHOLE):
            return 0
        while True:
            a = self.take_clause(b)
            k += 1
            if a == 0:
                break
            if filter == -1 or filter >> self.branch_bit(r, k) & 1:
                self.running[r + RUN_BRANCH] = k
                self.running[r + RUN_CLAUSE] = a
                if self.code[a + C_OUTLOOK] == -1 or not self.clause_passed(a, b):
                    self.fresh = b
                    return a
        if self.running[r + RUN_STATE] & RS_OPEN == 0:
            self.running[r + RUN_BRANCH] = NO_BRANCH
        return 0

    def outdated_clauses(self, b):
        """The next clause of the table of generator b that has missed answers, and has use for them; 0 if
        there is none."""
        r: cython.longlong = self.choice[b + B_CUT]
        t: cython.longlong = self.running[r + RUN_TABLE]
        k: cython.longlong = self.running[r + RUN_BRANCH]
        while True:
            k = self.outdated_branch(t, k)
            if k < 0:
                self.running[r + RUN_BRANCH] = NO_BRANCH
                return 0
            if self.resumed == 0 or not self.resumption_passed(self.outdated_clause, b):
                self.running[r + RUN_BRANCH] = k
                self.running[r + RUN_CLAUSE] = self.outdated_clause
                self.fresh = b
                return self.outdated_clause

    def next_branch(self):
        """Run the next branch of the generator on top, if there is one that must be run (4); else 0."""
        b: cython.longlong = self.B
        r: cython.longlong = self.choice[b + B_CUT]
        state: cython.longlong = self.running[r + RUN_STATE]
        a: cython.longlong
        if state & RS_WHOLE:
            return 0
        if state & RS_AGAIN:
            if self.tables[self.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] & ST_OUTCOMES:
                a = self.only_clause(b)
            else:
                a = self.outdated_clauses(b)
        else:
            a = self.take_branch(b)
        if a == 0:
            return 0
        self.E = self.choice[b + B_ETOP]
        self.CP = self.answer_code
        self.CUT = b
        self.P = a + C_CODE
        return 4

    def only_clause(self, b):
        """The clause of generator b, the outcomes of whose first msw are its branches; 0 if it was run."""
        r: cython.longlong = self.choice[b + B_CUT]
        a: cython.longlong = self.take_clause(b)
        self.running[r + RUN_BRANCH] = 0 if a != 0 else NO_BRANCH
        self.running[r + RUN_CLAUSE] = a
        self.fresh = b
        return a

    @cython.final
    def branch_bit(self, r, k):
        """The bit that stands for branch k of the table at r of the running ones, in filters: where there
        are many branches, several share one."""
        n: cython.longlong = self.running[r + RUN_BRANCHES]
        if n <= FILTER_BITS:
            return k
        return k * FILTER_BITS // n if k < n else FILTER_BITS - 1

    def clause_passed(self, a, b):
        """Whether a clause need not be run (foresight.py)."""
        return False

    def outcome_passed(self, i):
        """Whether an outcome need not be run (msw.py)."""
        return False

    def resumption_passed(self, a, b):
        """Whether a clause need not take up new answers (foresight.py)."""
        return False

    def outcomes_are_branches(self):
        """Whether the outcomes of an msw that is called now are the branches of the table on top: nothing
        else was left to try, or was tabled, since its only clause began."""
        b: cython.longlong = self.B
        if self.fresh != b or self.choice[b + B_KIND] != BK_GENERATOR:
            return False
        if self.choice[b + B_1] != 0 or self.choice[b + B_2] > 0:
            return False
        r: cython.longlong = self.choice[b + B_CUT]
        return self.running[r + RUN_BRANCH] == 0 and self.running[r + RUN_STATE] & RS_WHOLE == 0

    def begin_outcomes(self, n):
        """The n outcomes of a switch are the branches of the table on top; its msw has just pushed its
        choice point."""
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        self.tables[self.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] |= ST_OUTCOMES
        self.running[r + RUN_STATE] |= RS_OPEN
        self.running[r + RUN_BRANCH] = -1
        self.running[r + RUN_BRANCHES] = n
        self.running[r + RUN_CHOICE] = self.B
        return 0

    def next_outcome(self):
        """The number of the next outcome that must be run as a branch; -1 if there is none."""
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        k: cython.longlong = self.running[r + RUN_BRANCH]
        n: cython.longlong = self.running[r + RUN_BRANCHES]
        if self.running[r + RUN_STATE] & RS_AGAIN:
            k = self.outdated_branch(self.running[r + RUN_TABLE], k)
        else:
            k += 1
            while k < n:
                if self.running[r + RUN_OUTCOMES] >> self.branch_bit(r, k) & 1:
                    self.running[r + RUN_BRANCH] = k
                    if self.choice[self.B + B_2] == 0 or not self.outcome_passed(k):
                        break
                k += 1
        if k < 0 or k >= n:
            self.running[r + RUN_STATE] &= ~RS_OPEN
            self.running[r + RUN_CHOICE] = self.choice[self.B + B_PREV]
            return -1
        self.running[r + RUN_BRANCH] = k
        self.fresh = self.B
        return k

    # ---- what was read

    @cython.final
    def note_read(self, t, last, first):
        """The branch that is being run has read incomplete table t up to this answer (-1: it is about to);
        first: it was its first tabled call, and there is nothing else left to try. Returns the record."""
        if self.running_top == 0:
            return 0
        if self.reads_top == self.reads_size:
            size: cython.longlong = larger(self.reads_size, 0)
            self.reads = grow_items(self.reads, RD_SIZE * self.reads_size, RD_SIZE * size)
            self.reads_size = size
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        q: cython.longlong = self.running[r + RUN_TABLE] * TB_SIZE
        i: cython.longlong = self.reads_top
        k: cython.longlong = i * RD_SIZE
        self.reads[k + RD_TABLE] = self.running[r + RUN_TABLE]
        self.reads[k + RD_BRANCH] = self.running[r + RUN_BRANCH]
        self.reads[k + RD_READ] = t
        self.reads[k + RD_LAST] = last
        self.reads[k + RD_KIND] = RK_FIRST if first else RK_LATER
        self.reads[k + RD_NEXT] = i
        self.reads[k + RD_CLAUSE] = self.running[r + RUN_CLAUSE]
        self.reads_top = i + 1
        if self.mode == 2:
            return i
        # mostly the branches come in their order; a chain that is not sorted is looked through from its start
        end: cython.longlong = self.tables[q + TB_READS] * RD_SIZE
        if end != 0:
            self.reads[k + RD_NEXT] = self.reads[end + RD_NEXT]
            self.reads[end + RD_NEXT] = i
            if self.reads[end + RD_BRANCH] > self.running[r + RUN_BRANCH]:
                self.tables[q + TB_STATE] |= ST_UNSORTED
        self.tables[q + TB_READS] = i
        return i

    @cython.final
    def depend_on(self, t):
        """The table that is being filled needs an incomplete one, t."""
        q: cython.longlong = t * TB_SIZE
        low: cython.longlong
        top: cython.longlong
        if self.running_top == 0:
            return 0
        top = self.running[(self.running_top - 1) * RUN_SIZE + RUN_TABLE] * TB_SIZE
        if self.tables[q + TB_STATUS] == TS_RUNNING:
            low = self.tables[q + TB_DFN]
        elif self.running[self.tables[top + TB_LOW] * RUN_SIZE + RUN_COMPONENT] < self.tables[q + TB_AT]:
            return 0  # it depends on as much already
        else:
            low = self.runner_of(self.tables[q + TB_AT] - 1)
        if low < self.tables[top + TB_LOW]:
            self.tables[top + TB_LOW] = low
        return 0

    @cython.final
    def runner_of(self, at):
        """The innermost table that is still running and under which the table at this place of the
        component stack was filled: it waits for nothing below that one."""
        low: cython.longlong = 0
        high: cython.longlong = self.running_top
        middle: cython.longlong
        while high - low > 1:
            middle = (low + high) // 2
            if self.running[middle * RUN_SIZE + RUN_COMPONENT] <= at:
                low = middle
            else:
                high = middle
        return low

    @cython.final
    def is_outdated(self, q):
        """Whether the table that was read, as the record at q says, has got more answers since."""
        return (
            self.tables[self.reads[q + RD_READ] * TB_SIZE + TB_LAST] != self.reads[q + RD_LAST]
            and self.reads[q + RD_LAST] >= 0
            and self.reads[q + RD_KIND] != RK_NONE
        )

    @cython.final
    def outdated_branch(self, t, after):
        """The first branch of table t after this one that has missed answers (its clause is outdated_clause);
        -1 if there is none. It is ready to be run: it will take up the new answers of what it called first
        (record `resumed`), or what it found and read was dropped."""
        reads: cython.p_int = self.reads
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        end: cython.longlong = self.tables[t * TB_SIZE + TB_READS] * RD_SIZE
        q: cython.longlong = reads[end + RD_NEXT] * RD_SIZE if end != 0 else 0
        k: cython.longlong
        branch: cython.longlong = NO_BRANCH
        record: cython.longlong = 0
        sorted: cython.bint = self.tables[t * TB_SIZE + TB_STATE] & ST_UNSORTED == 0
        if sorted and after >= 0:
            q = self.running[r + RUN_NEXT_READ] * RD_SIZE
        while q != 0:
            k = reads[q + RD_BRANCH]
            if sorted and k > branch:
                break
            if k > after and k <= branch and self.is_outdated(q):
                if k == branch or reads[q + RD_KIND] != RK_FIRST:
                    record = 0  # not both can be taken up
                else:
                    record = q // RD_SIZE
                branch = k
                self.outdated_clause = reads[q + RD_CLAUSE]
            q = reads[q + RD_NEXT] * RD_SIZE if q != end else 0
        self.running[r + RUN_NEXT_READ] = q // RD_SIZE
        if branch == NO_BRANCH:
            return -1
        if record == 0:
            self.drop_branch(t, branch)
        else:
            self.resumed_after = reads[record * RD_SIZE + RD_LAST]
            reads[record * RD_SIZE + RD_LAST] = -1
        self.resumed = record
        return branch

    def drop_branch(self, t, branch):
        """Forget what a branch of table t (-1: all of them) has found and read."""
        a: cython.longlong = self.tables[t * TB_SIZE + TB_FIRST]
        end: cython.longlong = self.tables[t * TB_SIZE + TB_READS]
        i: cython.longlong = end
        node: cython.longlong
        path: cython.longlong
        last: cython.longlong
        while i != 0:
            if branch < 0 or self.reads[i * RD_SIZE + RD_BRANCH] == branch:
                self.reads[i * RD_SIZE + RD_KIND] = RK_NONE
            i = self.reads[i * RD_SIZE + RD_NEXT]
            if i == end:
                break
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            a = self.answers[a * AN_SIZE + AN_NEXT]
            if self.nodes[node + ND_LAST] == SETTLED:
                continue
            path = self.nodes[node + ND_FIRST]
            self.nodes[node + ND_FIRST] = 0
            last = 0
            while path != 0:
                if branch >= 0 and self.paths[path * PT_SIZE + PT_BRANCH] != branch:
                    self.link_path(node, last, path)
                    last = path
                path = self.paths[path * PT_SIZE + PT_NEXT]
            self.nodes[node + ND_LAST] = last
            if last != 0:
                self.paths[last * PT_SIZE + PT_NEXT] = 0
        return 0

    # ---- the order of paths

    def sort_paths(self, t):
        """The paths of the nodes of a complete table, in the order of its branches."""
        a: cython.longlong = self.tables[t * TB_SIZE + TB_FIRST]
        node: cython.longlong
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            if self.nodes[node + ND_LAST] != SETTLED:
                self.sort_chain(node)
            a = self.answers[a * AN_SIZE + AN_NEXT]
        return 0

    def sort_chain(self, node):
        """Sort the paths of a node: its chain is a few sorted ones, one after the other."""
        path: cython.longlong = self.nodes[node + ND_FIRST]
        end: cython.longlong = path  # of what is sorted
        before: cython.longlong
        i: cython.longlong
        while end != 0:
            path = self.paths[end * PT_SIZE + PT_NEXT]
            if path == 0:
                self.nodes[node + ND_LAST] = end
                return 0
            if self.paths[path * PT_SIZE + PT_BRANCH] >= self.paths[end * PT_SIZE + PT_BRANCH]:
                end = path
                continue
            # one sorted run is merged into what is before it
            before = 0
            while (
                path != 0 and self.paths[path * PT_SIZE + PT_BRANCH] < self.paths[end * PT_SIZE + PT_BRANCH]
            ):
                self.paths[end * PT_SIZE + PT_NEXT] = self.paths[path * PT_SIZE + PT_NEXT]
                i = self.nodes[node + ND_FIRST] if before == 0 else self.paths[before * PT_SIZE + PT_NEXT]
                if (
                    before != 0
                    and self.paths[before * PT_SIZE + PT_BRANCH] > self.paths[path * PT_SIZE + PT_BRANCH]
                ):
                    before = 0  # the next run
                    i = self.nodes[node + ND_FIRST]
                while self.paths[i * PT_SIZE + PT_BRANCH] <= self.paths[path * PT_SIZE + PT_BRANCH]:
                    before = i
                    i = self.paths[i * PT_SIZE + PT_NEXT]
                self.paths[path * PT_SIZE + PT_NEXT] = i
                self.link_path(node, before, path)
                before = path
                path = self.paths[end * PT_SIZE + PT_NEXT]
        return 0
