# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""How tables are filled.

A new tabled call runs its clauses to exhaustion, branch by branch; each success stores an answer and, for a
predicate whose explanations are searched, a path: what was pushed on the explanation stack since the call
began. Then the answers are returned (returning.py). A variant that is still running is served the answers
that it has. When the leader of a component has come to its end, each branch that missed answers is run
again, and no other, until there is none.

Without its short cuts (shortcuts/shortcuts.py) this is all. They only answer one question: does this call
fail for certain?
"""

import cython

from prism_repl.core.machine import Tabling

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.out_of_line import check_signals
    from prism_repl.tabling.branches import Branches
    from prism_repl.tabling.components import Components
    from prism_repl.tabling.returning import Returning
    from prism_repl.tabling.shortcuts.shortcuts import Shortcuts
    from prism_repl.tabling.tables import Tables


class Evaluation(Tabling):
    """Calls of tabled predicates."""

    def __init__(self, m):
        self.heap = m.heap
        self.store = m.store
        self.terms = m.terms
        self.program = m.program
        self.stacks = m.stacks
        self.outcomes = m.outcomes
        self.tables = Tables(m)
        self.branches = Branches(m, self.tables)
        self.components = Components(m, self.tables, self.branches)
        self.shortcuts = Shortcuts(m, self.tables, self.branches)
        self.returning = Returning(m, self.tables, self.branches, self.shortcuts)

    # ---- what the machine asks (core/machine.py)

    def call(self, m, p):
        """A call of tabled predicate p with its arguments in x."""
        t: cython.longlong
        if self.program.preds[p * PSIZE + P_FLAGS] & F_MODED:
            m.running_pred = p
            t = self.tables.moded.table(m, self.tables, p)
            if t == 0:  # another predicate has to be called
                m.running_pred = 0
                return R_CALL
            m.called = 0
            return self.called(m, p, self.table_call(p, t))
        t = self.shortcuts.known_table(p, self.program.preds[p * PSIZE + P_ARITY])
        m.called = 0
        m.running_pred = p
        return self.called(m, p, self.table_call(p, t) if t != 0 else self.new_call(p))

    @cython.final
    def called(self, m, p, i):
        """How the loop goes on after a call of p, as table_call says."""
        m.running_pred = 0
        if i == 2:  # a new table: go on with the clauses
            m.called = p
            return R_CALL_CLAUSES
        if i != 4:
            self.stacks.P = self.stacks.CP
        return R_FAIL if i == 0 else R_GO

    def look(self, m, p):
        """A call in a look ahead."""
        i: cython.longlong = self.shortcuts.look_at_call(p)
        if i == LOOK_RUNS:
            i = self.start_evaluation(
                self.shortcuts.look_table(), self.program.preds[p * PSIZE + P_ARITY], False
            )
        if i == 0:
            return R_CALL_LOOKED
        if i == 2:
            return R_CALL_CLAUSES
        m.called = 0
        if i == 4:
            return R_GO
        if i == 3:
            self.shortcuts.branch_may_succeed()
            self.outcomes.site = 0
        return R_FAIL

    def known_look(self, p):
        """What is known of a call of p in a look ahead, if nothing has to be stored or run to know it."""
        return self.shortcuts.known_look(p)

    def branch_may_succeed(self):
        """The branch that is being run, in a look, may succeed: it ends here."""
        return self.shortcuts.branch_may_succeed()

    def looks_at_rest(self, a, b):
        """Whether a comparison of two terms might look at what must not be looked at."""
        return self.shortcuts.looks_at_rest(a, b)

    def abandon_look(self):
        """An error in a look: the call itself will meet it."""
        b: cython.longlong = self.stacks.B
        while self.stacks.choice[b + B_KIND] != BK_LOOK:
            if self.stacks.choice[b + B_KIND] == BK_GENERATOR:
                self.components.drop_generator(b)
            b = self.stacks.choice[b + B_PREV]
        self.stacks.B = b
        self.stacks.watch = 0
        self.program.preds[self.stacks.choice[b + B_2] * PSIZE + P_LOOKS] = (
            LOOKS  # they cost more than they save
        )
        return 0

    def answer(self, m):
        """A clause of the table in the current frame succeeded."""
        if self.stacks.mode == 2:
            self.shortcuts.branch_may_succeed()
            return 0
        return self.note_answer(m)

    def retry(self, m, kind):
        """The next way of a choice point of this kind, which is on top."""
        b: cython.longlong = self.stacks.B
        a: cython.longlong
        i: cython.longlong
        x: cython.p_longlong = self.stacks.x
        choice: cython.p_longlong = self.stacks.choice
        if kind == BK_ANSWERS:
            self.heap.HB = self.heap.H
            if m.ticks <= 0:
                check_signals(m)
            i = self.returning.answers_next()
            self.stacks.P = self.stacks.CP
            return R_FAIL if i == 0 else R_GO
        for i in range(choice[b + B_N]):
            x[i] = choice[b + B_ARGS + i]
        if kind == BK_GENERATOR:
            a = self.take_branch(b)
            if a < 0:
                a = self.new_branch(b)
            if a != 0:
                self.stacks.E = self.stacks.choice[b + B_ETOP]
                self.stacks.CP = self.program.answer_code
                self.stacks.CUT = b
                self.stacks.P = a + C_CODE
                return R_GO
        self.heap.HB = self.heap.H
        if m.ticks <= 0:
            check_signals(m)
        i = self.look_is_over() if kind == BK_LOOK else self.generator_done()
        if i == 2:
            a = self.branches.running[(self.branches.running_top - 1) * RUN_SIZE + RUN_TABLE]
            m.called = self.tables.records[a * TB_SIZE + TB_PRED]
            return R_CALL_CLAUSES
        if i == 4:
            return R_GO
        self.stacks.P = self.stacks.CP
        return R_FAIL if i == 0 else R_GO

    def forget_generator(self, b):
        """The search of the table of generator b was left."""
        return self.components.drop_generator(b)

    def begin_query(self):
        """A query begins: what end_query needs."""
        state = (
            self.branches.running_top,
            self.components.component_top,
            self.stacks.mode,
            self.branches.branch_state(),
        )
        self.branches.forget_branch()
        return state

    def leave_query(self, b):
        """A query, whose choice points are those above b, ends."""
        return self.components.drop_generators(b)

    def end_query(self, state):
        self.branches.running_top = state[0]
        self.components.component_top = state[1]
        self.stacks.mode = state[2]
        self.branches.set_branch_state(state[3])

    def break_off(self):
        """An error leaves the branch that runs, and the look ahead that was about to begin."""
        self.stacks.watch = 0
        return self.branches.forget_branch()

    # ---- all tables

    def clear_tables(self):
        """Forget all tables. Those that are being filled, or whose answers are still being returned, stay
        until this is over; new calls find the former only."""
        self.tables.epoch += 1
        if self.tables_in_use():
            self.tables.complete_floor = self.tables.table_count
            self.shortcuts.forget_calls()
        else:
            self.drop_everything()
        self.outcomes.forget()

    def tables_in_use(self):
        """Whether a table is being filled, a choice point has answers left, or somebody holds them."""
        b: cython.longlong = self.stacks.B
        if self.tables.held > 0:
            return True
        while b > 0:
            if self.stacks.choice[b + B_KIND] == BK_GENERATOR or self.stacks.choice[b + B_KIND] == BK_ANSWERS:
                return True
            b = self.stacks.choice[b + B_PREV]
        return False

    @cython.final
    def drop_everything(self):
        """Forget all tables, which nobody uses, and all that is known of calls and of switches."""
        self.tables.reset()
        self.shortcuts.forget_all()
        self.branches.reset()
        self.components.component_top = 0
        return self.outcomes.reset()

    # ---- calls

    @cython.final
    def new_call(self, p):
        """A call whose table is not known; by a look ahead first, if that may be of use. As table_call."""
        n: cython.longlong = self.program.preds[p * PSIZE + P_ARITY]
        k: cython.longlong
        if self.stacks.mode == 1 and self.branches.resumed == 0:
            k = self.shortcuts.before_call(p, n)
            if k == LOOK_FAILS:
                self.branches.fresh = -1
                return 0
            if k == LOOK_RUNS:
                return self.start_evaluation(self.shortcuts.look_table(), n, False)
        return self.table_call(p, 0)

    @cython.final
    def look_is_over(self):
        """The look of the choice point on top is over; its call is in x. As table_call."""
        p: cython.longlong = self.stacks.choice[self.stacks.B + B_2]
        n: cython.longlong = self.stacks.choice[self.stacks.B + B_N]
        if self.shortcuts.look_fails():
            return 0
        return self.table_call(p, self.tables.table_of(self.tables.call_key(p, n), p))

    def known_call(self, p, b):
        """A call of p with its arguments in x, if its table is known and has no answer (so far), or is
        complete and the call is its only answer. 0: it fails, 1: it succeeds, -1: call has to tell. b is the
        choice point on top."""
        q: cython.longlong
        a: cython.longlong
        t: cython.longlong
        records: cython.p_int = self.tables.records
        if self.branches.resumed != 0 or self.program.preds[p * PSIZE + P_FLAGS] & F_MODED:
            return -1
        t = self.shortcuts.found_call(p, self.program.preds[p * PSIZE + P_ARITY])
        if t == 0:
            return -1
        a = 0
        if t > 0:
            q = t * TB_SIZE
            a = records[q + TB_FIRST]
            if records[q + TB_STATUS] == TS_COMPLETE:
                if a != 0 and not self.returning.same_answer(t, a):
                    return -1
                self.tables.note_use(t)
            elif a != 0 or self.branches.running_top == 0:
                return -1
            elif self.branches.reads_top == self.branches.reads_size:
                return -1
            else:
                self.branches.depend_on(t)
                self.branches.add_read(t, 0, b == self.branches.fresh)
        self.shortcuts.call_decided()
        self.branches.fresh = -1
        return 1 if a != 0 else 0

    @cython.final
    def table_call(self, p, t):
        """A call of a tabled predicate, whose table is t (0: not known).
        0: no answer, 1: an answer was returned, 2: run the clauses, 4: run the clause at P."""
        n: cython.longlong = self.program.preds[p * PSIZE + P_ARITY]
        direct: cython.bint = self.branches.fresh == self.stacks.B
        record: cython.longlong = self.branches.resumed
        self.branches.fresh = -1
        self.branches.resumed = 0
        if t == 0:
            t = self.tables.table_of(self.tables.call_key(p, n), p)
            self.shortcuts.call_has_table(t)
        q: cython.longlong = t * TB_SIZE
        status: cython.longlong = self.tables.records[q + TB_STATUS]
        if status == TS_NEW:
            return self.start_evaluation(t, n, direct)
        self.branches.clause_filter = -1
        self.branches.outcome_filter = -1
        if status != TS_COMPLETE:
            self.branches.depend_on(t)
        else:
            self.tables.note_use(t)
        return self.returning.return_answers(t, n, direct, record)  # a look does not come here

    @cython.final
    def start_evaluation(self, t, n, direct):
        """Run the clauses of the new table t, which was called with the n arguments in x."""
        self.push_running(t, n)
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        self.branches.running[r + RUN_STATE] = RS_DIRECT if direct else 0
        self.branches.running[r + RUN_FILTER] = self.branches.clause_filter
        self.branches.running[r + RUN_OUTCOMES] = self.branches.outcome_filter
        self.branches.clause_filter = -1
        self.branches.outcome_filter = -1
        self.tables.records[t * TB_SIZE + TB_LOW] = self.branches.running_top - 1
        return self.begin_branches(t, n)

    @cython.final
    def evaluate_again(self, t):
        """Run branches of a table of the component whose leader is on top; then fail back to that."""
        n: cython.longlong = self.program.preds[self.tables.records[t * TB_SIZE + TB_PRED] * PSIZE + P_ARITY]
        self.tables.load_arguments(t, n)
        self.push_running(t, n)
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        self.branches.running[r + RUN_STATE] = RS_AGAIN | RS_BACK
        # it is part of the leader's component, whatever its branches read this time
        self.tables.records[t * TB_SIZE + TB_LOW] = self.branches.running_top - 2
        return self.begin_branches(t, n)

    @cython.final
    def lead_again(self, t, n):
        """Run branches of a table that leads its component, and is on top."""
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        self.branches.running[r + RUN_STATE] |= RS_AGAIN
        return self.begin_branches(t, n)

    @cython.final
    def push_running(self, t, n):
        r: cython.longlong = self.branches.running_top * RUN_SIZE
        running: cython.p_longlong
        if self.branches.running_top == self.branches.running_size:
            self.branches.running_room()
        running = self.branches.running
        running[r + RUN_TABLE] = t
        running[r + RUN_COMPONENT] = self.components.component_top
        running[r + RUN_READS] = self.branches.reads_top
        running[r + RUN_LOOKED] = 0
        running[r + RUN_OPEN_ARG] = -1
        running[r + RUN_PLAIN] = self.shortcuts.plain_list_arg(self.tables.records[t * TB_SIZE + TB_PRED], n)
        self.tables.records[t * TB_SIZE + TB_DFN] = self.branches.running_top
        self.branches.running_top += 1
        self.stacks.push_choice(BK_GENERATOR, n)
        self.stacks.choice[self.stacks.B + B_CUT] = r
        return 0

    @cython.final
    def begin_branches(self, t, n):
        """Prepare the branches of the table on top, and run the first that has to be run."""
        b: cython.longlong = self.stacks.B
        q: cython.longlong = t * TB_SIZE
        p: cython.longlong = self.tables.records[q + TB_PRED]
        r: cython.longlong = self.stacks.choice[b + B_CUT]
        e: cython.longlong = self.stacks.choice[b + B_ETOP]
        i: cython.longlong
        running: cython.p_longlong = self.branches.running
        records: cython.p_int = self.tables.records
        env: cython.p_longlong
        x: cython.p_longlong = self.stacks.x
        whole: cython.bint = self.program.preds[p * PSIZE + P_FLAGS] & (F_CUTS | F_DYNAMIC) != 0
        records[q + TB_STATUS] = TS_RUNNING
        running[r + RUN_BRANCH] = -1
        running[r + RUN_BRANCHES] = self.program.preds[p * PSIZE + P_LIVE]
        running[r + RUN_CHOICE] = b
        # the frame that ANSWER looks at
        if e + n + 80 > self.stacks.env_size:
            self.stacks.grow_env(e + n + 16)
        env = self.stacks.env
        env[e + E_PREV] = self.stacks.E
        env[e + E_CP] = self.stacks.CP
        env[e + E_N] = n + 2
        env[e + E_SLOTS] = t << 3 | INT
        env[e + E_SLOTS + 1] = self.stacks.XT << 3 | INT
        for i in range(n):
            env[e + E_SLOTS + 2 + i] = x[i]
        self.stacks.E = e
        self.stacks.CP = self.program.answer_code
        if running[r + RUN_STATE] & RS_AGAIN:
            records[q + TB_STATE] |= ST_AGAIN
            if records[q + TB_STATE] & ST_CUT:  # what was left out may be tried now
                self.branches.drop_branch(t, -1)
                records[q + TB_STATE] &= ~ST_OUTCOMES
                running[r + RUN_STATE] &= ~RS_AGAIN
            running[r + RUN_FILTER] = -1
            running[r + RUN_OUTCOMES] = -1
        self.branches.first_clauses(p)
        if not whole:
            i = self.next_branch()
            if i != 0:
                return i
            if self.stacks.mode != 2:
                return 0  # no branch has to be run
            self.branches.drop_branch(t, -1)
        elif running[r + RUN_STATE] & RS_AGAIN:
            self.branches.outdated_branch(t, -1)
        # the loop itself looks for clauses
        running[r + RUN_BRANCH] = 0
        running[r + RUN_STATE] |= RS_WHOLE
        self.stacks.choice[b + B_1] = 0
        self.stacks.choice[b + B_2] = 0
        self.branches.fresh = b
        return 2

    @cython.final
    def note_answer(self, m):
        """A clause of the table in the current frame succeeded: note the answer and its path."""
        e: cython.longlong = self.stacks.E + E_SLOTS
        t: cython.longlong = self.stacks.env[e] >> 3
        mark: cython.longlong = self.stacks.env[e + 1] >> 3
        n: cython.longlong = self.stacks.env[self.stacks.E + E_N] - 2
        q: cython.longlong = t * TB_SIZE
        p: cython.longlong = self.tables.records[q + TB_PRED]
        key: cython.longlong = self.tables.word_key(self.tables.records[q + TB_KEY])
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        flags: cython.longlong = self.program.preds[p * PSIZE + P_FLAGS]
        i: cython.longlong = self.branches.running[r + RUN_OPEN_ARG]
        c: cython.longlong = 0
        node: cython.longlong = 0
        if i < 0:
            i = self.tables.open_argument(t, n)
            self.branches.running[r + RUN_OPEN_ARG] = i
        if i > 0 and flags & F_MODED == 0:
            c = self.terms.deref(self.stacks.env[e + 1 + i])
            if c & 7 == ATM or c & 7 == INT or c & 7 == GLS or c & 7 == GST:
                node = self.tables.recent_answer(t, i, c)
            else:
                c = 0
        if node == 0:
            if key & 7 == GST and self.store.cells[(key >> 3) - 1] & 1:
                for i in range(n):
                    self.stacks.x[i] = self.stacks.env[e + 2 + i]
                if flags & F_MODED:
                    return self.tables.moded.answer(m, self.tables, t)
                key = self.tables.call_key(p, n)
            node = self.tables.answer_node(key, t)
            if c != 0:
                self.tables.note_recent(t, c, node)
        if self.stacks.mode != 0 and flags & F_EXPLAINED:
            if self.tables.nodes[node * ND_SIZE + ND_LAST] != SETTLED:
                self.tables.record_path(t, node, mark, self.branches.running[r + RUN_BRANCH])
        return 0

    @cython.final
    def generator_done(self):
        """The generator on top has no more to try in its branch: run another branch (4, or 2 if the loop has
        to find the clauses), of this table or of one that missed answers; or return its answers."""
        b: cython.longlong = self.stacks.B
        n: cython.longlong = self.stacks.choice[b + B_N]
        r: cython.longlong = self.stacks.choice[b + B_CUT]
        d: cython.longlong = self.branches.running_top - 1
        t: cython.longlong = self.branches.running[r + RUN_TABLE]
        q: cython.longlong = t * TB_SIZE
        running: cython.p_longlong = self.branches.running
        records: cython.p_int = self.tables.records
        low: cython.longlong
        parent: cython.longlong
        again: cython.longlong = 0
        i: cython.longlong
        if running[r + RUN_BRANCH] != NO_BRANCH:
            i = self.next_branch()
            if i != 0:
                return i
            running[r + RUN_BRANCH] = NO_BRANCH
            if running[r + RUN_STATE] & RS_OPEN:  # a cut left outcomes out
                records[q + TB_STATE] |= ST_CUT
                running[r + RUN_STATE] &= ~RS_OPEN
        low = records[q + TB_LOW]
        if low >= d:  # it leads its component
            if self.branches.reads_top > running[r + RUN_READS]:
                again = (
                    self.components.outdated(r) if self.stacks.mode != 2 else self.shortcuts.mark_readers(r)
                )
                if again == t:
                    return self.lead_again(t, n)
                if again != 0:
                    return self.evaluate_again(again)
                self.branches.reads_top = running[r + RUN_READS]
            if self.stacks.mode == 1:
                self.components.drop_unsupported(t, running[r + RUN_COMPONENT])
            for i in range(running[r + RUN_COMPONENT], self.components.component_top):
                self.completed(self.components.component[i])
            self.components.component_top = running[r + RUN_COMPONENT]
            self.completed(t)
        else:
            if records[q + TB_AT] == 0:
                records[q + TB_AT] = self.components.push_table(t)
            records[q + TB_STATUS] = TS_INCOMPLETE
            parent = running[r - RUN_SIZE + RUN_TABLE] * TB_SIZE
            if low < records[parent + TB_LOW]:
                records[parent + TB_LOW] = low
        self.branches.running_top = d
        self.branches.fresh = -1
        self.stacks.pop_choice(b)
        if running[r + RUN_STATE] & RS_BACK:
            return 0  # to the leader that asked for it
        if self.stacks.mode == 2:
            return self.shortcuts.look_returns(t)
        return self.returning.return_answers(t, n, running[r + RUN_STATE] & RS_DIRECT != 0, 0)

    @cython.final
    def completed(self, t):
        """Nothing new can come to table t."""
        self.components.complete(t)
        return self.shortcuts.look_completed(t) if self.stacks.mode == 2 else 0

    def begin_nested(self, clean):
        """A search begins while tables are in use: it must not see the ones that are being filled, and if it
        has to be clean, no other. Returns what end_nested needs."""
        saved = (self.tables.running_floor, self.tables.complete_floor, self.tables.goal_number)
        self.tables.running_floor = self.tables.table_count
        if clean:
            self.tables.complete_floor = self.tables.table_count
        self.shortcuts.forget_calls()
        return saved

    def end_nested(self, saved):
        """The search is over: calls find again what they found before."""
        self.tables.running_floor = saved[0]
        self.tables.complete_floor = saved[1]
        self.tables.goal_number = saved[2]
        self.shortcuts.forget_calls()
        i: cython.longlong
        for i in range(self.branches.running_top):
            self.components.relink_table(self.branches.running[i * RUN_SIZE + RUN_TABLE])
        for i in range(self.components.component_top):
            self.components.relink_table(self.components.component[i])

    def take_branch(self, b):
        """The next clause of the new table of generator b that must be run; 0 if there is none, or the table
        is not new. -1: new_branch has to tell."""
        choice: cython.p_longlong = self.stacks.choice
        running: cython.p_longlong = self.branches.running
        code: cython.p_longlong = self.program.code
        r: cython.longlong = choice[b + B_CUT]
        k: cython.longlong = running[r + RUN_BRANCH]
        filter: cython.longlong = running[r + RUN_FILTER]
        has_bits: cython.bint = running[r + RUN_BRANCHES] <= FILTER_BITS
        foresees: cython.bint = self.stacks.mode == 1
        next_clause: cython.longlong
        c: cython.longlong
        c2: cython.longlong
        a: cython.longlong
        i: cython.longlong
        if k == NO_BRANCH or running[r + RUN_STATE] & (RS_AGAIN | RS_WHOLE):
            return 0
        while True:
            c = choice[b + B_1]
            c2 = choice[b + B_2]
            if c2 <= 0 and choice[b + B_3] < 0:  # only one chain of clauses is left
                next_clause = C_NEXT if c2 == -1 else C_NEXT_KEY
                a = c
                k += 1
                if filter != -1 and has_bits:
                    while a != 0 and not filter >> k & 1:
                        a = code[a + next_clause]
                        k += 1
                c = a
                choice[b + B_1] = code[a + next_clause] if a != 0 else 0
            else:
                a = self.branches.take_clause(b)
                k += 1
            if a == 0:
                break
            if filter == -1 or filter >> (k if has_bits else self.branches.branch_bit(r, k)) & 1:
                running[r + RUN_BRANCH] = k
                running[r + RUN_CLAUSE] = a
                i = self.shortcuts.clause_passed(a, b) if foresees and code[a + C_COMING] != -1 else 0
                if i == 0:
                    self.branches.fresh = b
                    return a
                if i < 0:  # all is as if it had not been taken
                    running[r + RUN_BRANCH] = k - 1
                    choice[b + B_1] = c
                    choice[b + B_2] = c2
                    return -1
        if running[r + RUN_STATE] & RS_OPEN == 0:
            running[r + RUN_BRANCH] = NO_BRANCH
        return 0

    def new_branch(self, b):
        """As take_branch, and what has to be known for that is found out."""
        a: cython.longlong = self.take_branch(b)
        while a < 0:
            self.branches.reads_room()
            self.shortcuts.foresee_clause(
                self.branches.running[self.stacks.choice[b + B_CUT] + RUN_CLAUSE]  # which was not decided
            )
            a = self.take_branch(b)
        return a

    def outdated_clauses(self, b):
        """The next clause of the table of generator b that has missed answers, and has use for them; 0 if
        there is none."""
        r: cython.longlong = self.stacks.choice[b + B_CUT]
        t: cython.longlong = self.branches.running[r + RUN_TABLE]
        k: cython.longlong = self.branches.running[r + RUN_BRANCH]
        while True:
            k = self.branches.outdated_branch(t, k)
            if k < 0:
                self.branches.running[r + RUN_BRANCH] = NO_BRANCH
                return 0
            if self.branches.resumed == 0 or not self.shortcuts.resumption_passed(
                self.branches.outdated_clause, b
            ):
                self.branches.running[r + RUN_BRANCH] = k
                self.branches.running[r + RUN_CLAUSE] = self.branches.outdated_clause
                self.branches.fresh = b
                return self.branches.outdated_clause

    @cython.final
    def next_branch(self):
        """Run the next branch of the generator on top, if there is one that must be run (4); else 0."""
        b: cython.longlong = self.stacks.B
        r: cython.longlong = self.stacks.choice[b + B_CUT]
        state: cython.longlong = self.branches.running[r + RUN_STATE]
        a: cython.longlong
        if state & RS_WHOLE:
            return 0
        if state & RS_AGAIN:
            if self.tables.records[self.branches.running[r + RUN_TABLE] * TB_SIZE + TB_STATE] & ST_OUTCOMES:
                a = self.branches.only_clause(b)
            else:
                a = self.outdated_clauses(b)
        else:
            a = self.new_branch(b)
        if a == 0:
            return 0
        self.stacks.E = self.stacks.choice[b + B_ETOP]
        self.stacks.CP = self.program.answer_code
        self.stacks.CUT = b
        self.stacks.P = a + C_CODE
        return 4

    def take_outcome(self, b):
        """The number of the next outcome that must be run as a branch, of the msw of choice point b, which is
        on top; -1 if there is none. -2: next_outcome has to tell."""
        running: cython.p_longlong = self.branches.running
        r: cython.longlong = (self.branches.running_top - 1) * RUN_SIZE
        k: cython.longlong = running[r + RUN_BRANCH]
        n: cython.longlong = running[r + RUN_BRANCHES]
        filter: cython.longlong
        if running[r + RUN_STATE] & RS_AGAIN:
            k = self.branches.outdated_branch(running[r + RUN_TABLE], k)
        elif self.stacks.choice[b + B_2] != 0:
            k = self.shortcuts.first_outcome(k + 1, b)
            if k == -2:
                return -2
        else:
            filter = running[r + RUN_OUTCOMES]
            k += 1
            while k < n and not filter >> (k if n <= FILTER_BITS else self.branches.branch_bit(r, k)) & 1:
                k += 1
        if k < 0 or k >= n:
            running[r + RUN_STATE] &= ~RS_OPEN
            running[r + RUN_CHOICE] = self.stacks.choice[b + B_PREV]
            return -1
        running[r + RUN_BRANCH] = k
        self.branches.fresh = b
        return k

    def next_outcome(self):
        """As take_outcome, for the choice point on top; room for what that notes is made."""
        k: cython.longlong = self.take_outcome(self.stacks.B)
        while k == -2:
            self.branches.reads_room()
            k = self.take_outcome(self.stacks.B)
        return k
