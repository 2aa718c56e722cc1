# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
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

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Branches:
    """What is left to try of the tables that are being filled."""

    def __init__(self, m, tables):
        self.program = m.program
        self.stacks = m.stacks
        self.tables = tables
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

    def reset(self):
        """No table is being filled."""
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

    @cython.final
    def first_clauses(self, p):
        """The clauses of p that the call in x may match, as the generator on top has them left."""
        b: cython.longlong = self.stacks.B
        c: cython.longlong
        key: cython.longlong = 0
        if self.program.preds[p * PSIZE + P_HASH] != 0:
            key = self.program.first_key(self.stacks.x[0])
        self.stacks.choice[b + B_3] = -1
        if key != 0:
            c = self.program.bucket(p, key)
            self.stacks.choice[b + B_1] = c
            self.stacks.choice[b + B_2] = self.program.preds[p * PSIZE + P_VAR_FIRST]
        else:
            self.stacks.choice[b + B_1] = self.program.preds[p * PSIZE + P_FIRST]
            self.stacks.choice[b + B_2] = -1
        return 0

    @cython.final
    def take_clause(self, b):
        """The next of the clauses that generator b has left, or 0."""
        a: cython.longlong
        c: cython.longlong = self.stacks.choice[b + B_1]
        c2: cython.longlong = self.stacks.choice[b + B_2]
        if c == 0 and c2 <= 0:
            return 0
        if self.stacks.choice[b + B_3] >= 0:  # the predicate has changed since
            a = self.program.next_clause(c, c2, self.stacks.choice[b + B_3])
            c = self.program.alt1
            c2 = self.program.alt2
        elif c2 > 0 and (c == 0 or self.program.code[c2 + C_SEQ] < self.program.code[c + C_SEQ]):
            a = c2
            c2 = self.program.code[c2 + C_NEXT_KEY]
        else:
            a = c
            c = self.program.code[c + C_NEXT] if c2 == -1 else self.program.code[c + C_NEXT_KEY]
        self.stacks.choice[b + B_1] = c
        self.stacks.choice[b + B_2] = c2
        return a

    @cython.final
    def only_clause(self, b):
        """The clause of generator b, the outcomes of whose first msw are its branches; 0 if it was run."""
        r: cython.longlong = self.stacks.choice[b + B_CUT]
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

    @cython.final
    def outcomes_are_branches(self):
        """Whether the outcomes of an msw that is called now are the branches of the table on top: nothing
        else was left to try, or was tabled, since its only clause began."""
        b: cython.longlong = self.stacks.B
        if self.fresh != b or self.stacks.choice[b + B_KIND] != BK_GENERATOR:
            return False
        if self.stacks.choice[b + B_1] != 0 or self.stacks.choice[b + B_2] > 0:
            return False
        r: cython.longlong = self.stacks.choice[b + B_CUT]
        return self.running[r + RUN_BRANCH] == 0 and self.running[r + RUN_STATE] & RS_WHOLE == 0

    @cython.final
    def begin_outcomes(self, n):
        """The n outcomes of a switch are the branches of the table on top; its msw has just pushed its
        choice point."""
        r: cython.longlong = (self.running_top - 1) * RUN_SIZE
        self.tables.records[self.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] |= ST_OUTCOMES
        self.running[r + RUN_STATE] |= RS_OPEN
        self.running[r + RUN_BRANCH] = -1
        self.running[r + RUN_BRANCHES] = n
        self.running[r + RUN_CHOICE] = self.stacks.B
        return 0

    # ---- what was read

    @cython.final
    def reads_room(self):
        """Room for one more record of what was read."""
        if self.reads_top == self.reads_size:
            size: cython.longlong = self.tables.more_items(self.reads_size)
            self.reads = grow_items(self.reads, RD_SIZE * self.reads_size, RD_SIZE * size)
            self.reads_size = size
        return 0

    @cython.final
    def note_read(self, t, last, first):
        """The branch that is being run has read incomplete table t up to this answer (-1: it is about to);
        first: it was its first tabled call, and there is nothing else left to try. Returns the record."""
        self.reads_room()
        return self.add_read(t, last, first)

    @cython.final
    def add_read(self, t, last, first):
        """The same, if there is room."""
        if self.running_top == 0:
            return 0
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
        if self.stacks.mode == 2:
            return i
        # mostly the branches come in their order; a chain that is not sorted is looked through from its start
        end: cython.longlong = self.tables.records[q + TB_READS] * RD_SIZE
        if end != 0:
            self.reads[k + RD_NEXT] = self.reads[end + RD_NEXT]
            self.reads[end + RD_NEXT] = i
            if self.reads[end + RD_BRANCH] > self.running[r + RUN_BRANCH]:
                self.tables.records[q + TB_STATE] |= ST_UNSORTED
        self.tables.records[q + TB_READS] = i
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
        if self.tables.records[q + TB_STATUS] == TS_RUNNING:
            low = self.tables.records[q + TB_DFN]
        elif (
            self.running[self.tables.records[top + TB_LOW] * RUN_SIZE + RUN_COMPONENT]
            < self.tables.records[q + TB_AT]
        ):
            return 0  # it depends on as much already
        else:
            low = self.runner_of(self.tables.records[q + TB_AT] - 1)
        if low < self.tables.records[top + TB_LOW]:
            self.tables.records[top + TB_LOW] = low
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
            self.tables.records[self.reads[q + RD_READ] * TB_SIZE + TB_LAST] != self.reads[q + RD_LAST]
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
        end: cython.longlong = self.tables.records[t * TB_SIZE + TB_READS] * RD_SIZE
        q: cython.longlong = reads[end + RD_NEXT] * RD_SIZE if end != 0 else 0
        k: cython.longlong
        branch: cython.longlong = NO_BRANCH
        record: cython.longlong = 0
        sorted: cython.bint = self.tables.records[t * TB_SIZE + TB_STATE] & ST_UNSORTED == 0
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

    @cython.final
    def drop_branch(self, t, branch):
        """Forget what a branch of table t (-1: all of them) has found and read."""
        a: cython.longlong = self.tables.records[t * TB_SIZE + TB_FIRST]
        end: cython.longlong = self.tables.records[t * TB_SIZE + TB_READS]
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
            node = self.tables.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            a = self.tables.answers[a * AN_SIZE + AN_NEXT]
            if self.tables.nodes[node + ND_LAST] == SETTLED:
                continue
            path = self.tables.nodes[node + ND_FIRST]
            self.tables.nodes[node + ND_FIRST] = 0
            last = 0
            while path != 0:
                if branch >= 0 and self.tables.paths[path * PT_SIZE + PT_BRANCH] != branch:
                    self.tables.link_path(node, last, path)
                    last = path
                path = self.tables.paths[path * PT_SIZE + PT_NEXT]
            self.tables.nodes[node + ND_LAST] = last
            if last != 0:
                self.tables.paths[last * PT_SIZE + PT_NEXT] = 0
        return 0

    # ---- the order of paths

    @cython.final
    def sort_paths(self, t):
        """The paths of the nodes of a complete table, in the order of its branches."""
        a: cython.longlong = self.tables.records[t * TB_SIZE + TB_FIRST]
        node: cython.longlong
        while a != 0:
            node = self.tables.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            if self.tables.nodes[node + ND_LAST] != SETTLED:
                self.sort_chain(node)
            a = self.tables.answers[a * AN_SIZE + AN_NEXT]
        return 0

    @cython.final
    def sort_chain(self, node):
        """Sort the paths of a node: its chain is a few sorted ones, one after the other."""
        path: cython.longlong = self.tables.nodes[node + ND_FIRST]
        end: cython.longlong = path  # of what is sorted
        before: cython.longlong
        i: cython.longlong
        while end != 0:
            path = self.tables.paths[end * PT_SIZE + PT_NEXT]
            if path == 0:
                self.tables.nodes[node + ND_LAST] = end
                return 0
            if self.tables.paths[path * PT_SIZE + PT_BRANCH] >= self.tables.paths[end * PT_SIZE + PT_BRANCH]:
                end = path
                continue
            # one sorted run is merged into what is before it
            before = 0
            while (
                path != 0
                and self.tables.paths[path * PT_SIZE + PT_BRANCH]
                < self.tables.paths[end * PT_SIZE + PT_BRANCH]
            ):
                self.tables.paths[end * PT_SIZE + PT_NEXT] = self.tables.paths[path * PT_SIZE + PT_NEXT]
                i = (
                    self.tables.nodes[node + ND_FIRST]
                    if before == 0
                    else self.tables.paths[before * PT_SIZE + PT_NEXT]
                )
                if (
                    before != 0
                    and self.tables.paths[before * PT_SIZE + PT_BRANCH]
                    > self.tables.paths[path * PT_SIZE + PT_BRANCH]
                ):
                    before = 0  # the next run
                    i = self.tables.nodes[node + ND_FIRST]
                while (
                    self.tables.paths[i * PT_SIZE + PT_BRANCH]
                    <= self.tables.paths[path * PT_SIZE + PT_BRANCH]
                ):
                    before = i
                    i = self.tables.paths[i * PT_SIZE + PT_NEXT]
                self.tables.paths[path * PT_SIZE + PT_NEXT] = i
                self.tables.link_path(node, before, path)
                before = path
                path = self.tables.paths[end * PT_SIZE + PT_NEXT]
        return 0

    @cython.final
    def running_room(self):
        """Room for one more table that is being filled."""
        if self.running_top == self.running_size:
            size: cython.longlong = larger(self.running_size, 0)
            self.running = grow_area(self.running, self.running_size * RUN_SIZE, size * RUN_SIZE)
            self.running_size = size
        return 0
