# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""Answers of tables, returned to whoever called them, one by one."""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.interning import instantiate
    from prism_repl.core.unification import unify


class Returning:
    """What callers have read, and the next answer for them."""

    def __init__(self, m, tables, branches, shortcuts):
        self.heap = m.heap
        self.store = m.store
        self.terms = m.terms
        self.program = m.program
        self.stacks = m.stacks
        self.tables = tables
        self.branches = branches
        self.shortcuts = shortcuts

    @cython.final
    def return_answers(self, t, n, direct, record):
        """Give the caller the first answer of a table that it has not seen; the others wait behind a choice
        point. direct: it is the first tabled call of a branch, with nothing else left to try; if there is a
        record, it goes on where that one ended."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables.records[q + TB_FIRST]
        complete: cython.bint = self.tables.records[q + TB_STATUS] == TS_COMPLETE
        if record != 0 and direct and self.branches.reads[record * RD_SIZE + RD_READ] == t:
            if self.branches.resumed_after > 0:
                a = self.tables.answers[self.branches.resumed_after * AN_SIZE + AN_NEXT]
        elif a == 0:
            if not complete:
                self.branches.note_read(t, 0, direct)
            return 0
        elif direct and not complete:
            record = self.branches.note_read(t, -1, True)
        else:
            record = 0
        following: cython.longlong = self.shortcuts.next_call(n)
        if following != 0:
            a = self.shortcuts.first_useful(a, following)
            if a == 0:
                self.branches.reads_room()
                self.all_read(t, record)
                return 0
        if not complete or self.tables.answers[a * AN_SIZE + AN_NEXT] != 0:
            self.stacks.push_choice(BK_ANSWERS, n)
            self.stacks.choice[self.stacks.B + B_1] = a
            self.stacks.choice[self.stacks.B + B_2] = t
            self.stacks.choice[self.stacks.B + B_3] = record
            self.stacks.choice[self.stacks.B + B_CUT] = following
        return 1 if self.use_answer(t, a, n, self.stacks.x) else 0

    @cython.final
    def all_read(self, t, record):
        """The branch that is being run has read all answers of table t; the record is of that, if there is
        one already, else there is room for one."""
        last: cython.longlong = self.tables.records[t * TB_SIZE + TB_LAST]
        if record != 0:
            self.branches.reads[record * RD_SIZE + RD_LAST] = last
        elif self.tables.records[t * TB_SIZE + TB_STATUS] != TS_COMPLETE:
            self.branches.add_read(t, last, False)
        return 0

    @cython.final
    def answers_next(self):
        """The next answer for the caller whose choice point is on top; its call is there."""
        b: cython.longlong = self.stacks.B
        choice: cython.p_longlong = self.stacks.choice
        answers: cython.p_int = self.tables.answers
        t: cython.longlong = choice[b + B_2]
        a: cython.longlong = answers[choice[b + B_1] * AN_SIZE + AN_NEXT]
        if a != 0 and choice[b + B_CUT] != 0:
            a = self.shortcuts.first_useful(a, choice[b + B_CUT])
        if a == 0:
            self.branches.reads_room()
            self.all_read(t, choice[b + B_3])
            self.stacks.pop_choice(b)
            return 0
        if (
            answers[a * AN_SIZE + AN_NEXT] == 0
            and self.tables.records[t * TB_SIZE + TB_STATUS] == TS_COMPLETE
        ):
            self.stacks.pop_choice(b)
        else:
            choice[b + B_1] = a
        return 1 if self.use_answer(t, a, choice[b + B_N], self.saved_call(b)) else 0

    @cython.final
    def saved_call(self, b):
        """The arguments that choice point b has saved, as an array: good as long as none is pushed."""
        if cython.compiled:
            return self.stacks.choice + b + B_ARGS
        else:
            return self.stacks.choice[b + B_ARGS :]

    @cython.final
    def same_answer(self, t, a):
        """If the only answer of complete table t is a, and is the ground call itself: note the node as
        use_answer does. Whether it was so."""
        node: cython.longlong = self.tables.answers[a * AN_SIZE + AN_NODE]
        word: cython.longlong = self.tables.nodes[node * ND_SIZE + ND_TERM]
        q: cython.longlong = t * TB_SIZE
        if self.tables.answers[a * AN_SIZE + AN_NEXT] != 0 or self.stacks.XT + 8 >= self.stacks.expl_size:
            return False
        if word >= 0 and (self.store.cells[word - 1] & 1 or word != self.tables.records[q + TB_KEY]):
            return False
        if (
            self.stacks.mode != 0
            and self.program.preds[self.tables.records[q + TB_PRED] * PSIZE + P_FLAGS] & F_EXPLAINED
        ):
            self.stacks.expl[self.stacks.XT] = node << 1
            self.stacks.XT += 1
        return True

    @cython.final
    def use_answer(self, t, a, n, call):
        """Unify the n arguments of a call with an answer; in explanation mode note the node."""
        node: cython.longlong = self.tables.answers[a * AN_SIZE + AN_NODE]
        word: cython.longlong = self.tables.nodes[node * ND_SIZE + ND_TERM]
        q: cython.longlong = t * TB_SIZE
        i: cython.longlong
        c: cython.longlong
        d: cython.longlong
        bound: cython.longlong
        term: cython.longlong
        heap: cython.p_longlong = self.heap.cells
        store: cython.p_longlong = self.store.cells
        if word >= 0:
            if store[word - 1] & 1:
                term = instantiate(self.terms, self.tables.word_key(word), [])
                for i in range(n):
                    if not unify(self.terms, call[i], self.terms.arg(term, i)):
                        return False
            elif word != self.tables.records[q + TB_KEY]:
                bound = self.heap.HB if self.heap.HB > self.heap.attr_floor else self.heap.attr_floor
                for i in range(n):
                    c = call[i]
                    d = store[word + 1 + i]
                    if c == d:
                        continue
                    if c & 7 == REF and heap[c >> 3] == c and self.heap.TR + 8 < self.heap.trail_size:
                        heap[c >> 3] = d
                        if (c >> 3) < bound:
                            self.heap.trail[self.heap.TR] = c >> 3
                            self.heap.TR += 1
                    elif not unify(self.terms, c, d):
                        return False
        if (
            self.stacks.mode != 0
            and self.program.preds[self.tables.records[q + TB_PRED] * PSIZE + P_FLAGS] & F_EXPLAINED
        ):
            if self.stacks.XT + 8 < self.stacks.expl_size:
                self.stacks.expl[self.stacks.XT] = node << 1
                self.stacks.XT += 1
            else:
                self.stacks.push_item(node << 1)
        return True
