# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -flto
"""Components: tables that call each other in a circle, and wait for their leader.

When the leader has come to its end, each branch that missed answers is run again, and no other, until there
is none (evaluation.py); then all of them are complete.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Components:
    """The tables that wait, and what becomes of them."""

    def __init__(self, m, tables, branches):
        self.program = m.program
        self.stacks = m.stacks
        self.tables = tables
        self.branches = branches
        self.component_size = first_size(1 << 8)
        self.component = new_area(self.component_size)
        self.component_top = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.component)

    @cython.final
    def relink_table(self, t):
        """Another search may have made a table for the same call."""
        if t >= self.tables.running_floor:
            self.tables.link_table(t)
        return 0

    # ---- answers found

    @cython.final
    def complete(self, t):
        """Nothing new can come to table t."""
        q: cython.longlong = t * TB_SIZE
        self.tables.records[q + TB_STATUS] = TS_COMPLETE
        self.tables.records[q + TB_AT] = 0
        if self.stacks.mode != 2:
            self.tables.records[q + TB_READS] = 0
        if self.tables.records[q + TB_STATE] & ST_AGAIN and self.tables.records[q + TB_STATE] & ST_MIXED:
            self.branches.sort_paths(t)
        if self.program.preds[self.tables.records[q + TB_PRED] * PSIZE + P_FLAGS] & F_MODED:
            self.tables.moded.complete(self.tables, t)
        return 0

    @cython.final
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
        if self.tables.records[q + TB_STATE] & ST_AGAIN == 0:  # nothing was dropped
            return False
        if self.program.preds[self.tables.records[q + TB_PRED] * PSIZE + P_FLAGS] & F_EXPLAINED == 0:
            return False
        a = self.tables.records[q + TB_FIRST]
        while a != 0:
            if self.tables.nodes[self.tables.answers[a * AN_SIZE + AN_NODE] * ND_SIZE + ND_FIRST] == 0:
                return True
            a = self.tables.answers[a * AN_SIZE + AN_NEXT]
        return False

    @cython.final
    def drop_answers(self, t):
        """Drop the answers of table t that have no path. Returns whether there were some."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables.records[q + TB_FIRST]
        node: cython.longlong
        dropped: cython.bint = False
        if self.program.preds[self.tables.records[q + TB_PRED] * PSIZE + P_FLAGS] & F_EXPLAINED == 0:
            return False
        self.tables.records[q + TB_FIRST] = 0
        self.tables.records[q + TB_LAST] = 0
        self.tables.records[q + TB_COUNT] = 0
        while a != 0:
            node = self.tables.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            if self.tables.nodes[node + ND_FIRST] == 0:
                self.tables.nodes[node + ND_OWNER] = 0
                self.tables.nodes[node + ND_LAST] = 0
                dropped = True
            else:
                if self.tables.records[q + TB_COUNT] == 0:
                    self.tables.records[q + TB_FIRST] = a
                else:
                    self.tables.answers[self.tables.records[q + TB_LAST] * AN_SIZE + AN_NEXT] = a
                self.tables.records[q + TB_LAST] = a
                self.tables.records[q + TB_COUNT] += 1
            a = self.tables.answers[a * AN_SIZE + AN_NEXT]
        if self.tables.records[q + TB_LAST] != 0:
            self.tables.answers[self.tables.records[q + TB_LAST] * AN_SIZE + AN_NEXT] = 0
        return dropped

    @cython.final
    def drop_paths(self, t):
        """Drop the paths of the answers of table t that lead through a node that was dropped."""
        a: cython.longlong = self.tables.records[t * TB_SIZE + TB_FIRST]
        node: cython.longlong
        path: cython.longlong
        last: cython.longlong
        while a != 0:
            node = self.tables.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            a = self.tables.answers[a * AN_SIZE + AN_NEXT]
            if self.tables.nodes[node + ND_LAST] == SETTLED:
                continue
            path = self.tables.nodes[node + ND_FIRST]
            self.tables.nodes[node + ND_FIRST] = 0
            last = 0
            while path != 0:
                if self.is_supported(path):
                    self.tables.link_path(node, last, path)
                    last = path
                path = self.tables.paths[path * PT_SIZE + PT_NEXT]
            self.tables.nodes[node + ND_LAST] = last
            if last != 0:
                self.tables.paths[last * PT_SIZE + PT_NEXT] = 0
        return 0

    @cython.final
    def is_supported(self, path):
        """Whether no node of a path was dropped."""
        i: cython.longlong
        for i in range(self.tables.paths[path * PT_SIZE + PT_START], self.tables.path_end(path)):
            if (
                self.tables.items[i] & 1 == 0
                and self.tables.nodes[(self.tables.items[i] >> 1) * ND_SIZE + ND_OWNER] == 0
            ):
                return False
        return True

    def outdated(self, r):
        """A table of the component that the one at r of the running tables leads, and that missed answers;
        0 if none did. RUN_LOOKED is how far the last look got, RS_CHANGED in RUN_STATE whether something
        was evaluated since it began."""
        first: cython.longlong = self.branches.running[r + RUN_READS]
        i: cython.longlong = self.branches.running[r + RUN_LOOKED]
        top: cython.longlong = self.branches.reads_top
        reads: cython.p_int = self.branches.reads
        tables: cython.p_int = self.tables.records
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
                if self.branches.is_outdated(q):
                    status = tables[reads[q + RD_TABLE] * TB_SIZE + TB_STATUS]
                    if status == TS_INCOMPLETE or status == TS_RUNNING:
                        self.branches.running[r + RUN_LOOKED] = i
                        self.branches.running[r + RUN_STATE] |= RS_CHANGED
                        return reads[q + RD_TABLE]
            if self.branches.running[r + RUN_STATE] & RS_CHANGED == 0:
                return 0
            self.branches.running[r + RUN_STATE] &= ~RS_CHANGED
            i = first

    # ---- what is left

    @cython.final
    def drop_generators(self, down_to):
        """Tables that were being filled above a choice point are forgotten."""
        b: cython.longlong = self.stacks.B
        while b > down_to:
            if self.stacks.choice[b + B_KIND] == BK_GENERATOR:
                self.drop_generator(b)
            b = self.stacks.choice[b + B_PREV]
        return 0

    @cython.final
    def drop_generator(self, b):
        """A table was being filled when the search was left: forget it and its component."""
        r: cython.longlong = self.stacks.choice[b + B_CUT]
        i: cython.longlong
        for i in range(self.branches.running[r + RUN_COMPONENT], self.component_top):
            self.tables.drop_table(self.component[i])
        self.component_top = self.branches.running[r + RUN_COMPONENT]
        self.branches.reads_top = self.branches.running[r + RUN_READS]
        self.branches.running_top = r // RUN_SIZE
        self.tables.drop_table(self.branches.running[r + RUN_TABLE])
        self.branches.forget_branch()
        return 0

    # ---- answers returned

    def push_table(self, t):
        """Table t waits from now on. Returns how many do."""
        if self.component_top + 8 > self.component_size:
            size: cython.longlong = larger(self.component_size, 0)
            self.component = grow_area(self.component, self.component_size, size)
            self.component_size = size
        self.component[self.component_top] = t
        self.component_top += 1
        return self.component_top
