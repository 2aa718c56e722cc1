# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""The short cuts of a search, as tabling sees them: may this call fail for certain?

Tabling asks whether a call, a branch or an answer need be tried, and tells what happens to its tables. Who
knows it is known here only: the index of calls (call_index.py), what clauses and switches call next
(foresight.py), looks ahead (lookahead.py). With short cuts off nothing is known, and all is tried.
"""

import cython

if not cython.compiled:
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.tabling.shortcuts.call_index import CallIndex
    from prism_repl.tabling.shortcuts.foresight import Foresight
    from prism_repl.tabling.shortcuts.lookahead import Lookahead


class Shortcuts:
    """What need not be tried."""

    def __init__(self, m, tables, branches):
        self.index = CallIndex(m, tables)
        self.foresight = Foresight(m, tables, branches, self.index)
        self.lookahead = Lookahead(m, tables, branches, self.index)

    def on(self):
        """Whether what fails for certain is passed over (the flag search_shortcuts)."""
        return self.index.on

    def use(self, following):
        """Whether that is so from now on. What was noted stays valid."""
        return self.index.use(following)

    # ---- calls

    @cython.final
    def known_table(self, p, n):
        """The table of the call of p with n arguments in x, if it is known; else 0. -1: the call fails."""
        return self.index.known_table(p, n)

    @cython.final
    def found_call(self, p, n):
        """The same, where nothing may grow. known_table, if it is asked next, says the same of this call;
        unless call_decided is told."""
        self.index.found = self.index.found_call(p, n)
        return self.index.found

    @cython.final
    def call_decided(self):
        """The call that found_call was asked for needs no known_table."""
        self.index.found = -2
        return 0

    @cython.final
    def call_has_table(self, t):
        """The call that known_table did not know has table t."""
        return self.index.cache_call(t)

    @cython.final
    def before_call(self, p, n):
        """A call of p whose table is not known. LOOK_GOES_ON: it may succeed; LOOK_FAILS: it fails for
        certain; LOOK_RUNS: to know it, look_table() has to be run."""
        return self.lookahead.before_call(p, n) if self.index.on else LOOK_GOES_ON

    # ---- branches and answers

    @cython.final
    def plain_list_arg(self, p, n):
        """The list argument (from 1) of the call of p in x, if the other arguments are distinct variables,
        else 0: what RUN_PLAIN is of its table."""
        return self.foresight.plain_list_arg(p, n)

    @cython.final
    def clause_passed(self, a, b):
        """Whether the clause at a, the next branch of generator b, need not be run. -1: not known before
        foresee_clause was asked, and there is room for a read."""
        return self.foresight.clause_passed(a, b) if self.index.on else 0

    @cython.final
    def foresee_clause(self, a):
        """Find out what the clause at a calls."""
        self.foresight.coming_calls(a)
        return 0

    @cython.final
    def resumption_passed(self, a, b):
        """Whether the clause at a, the branch of generator b that is to take up new answers, need not be run.
        Then they are read."""
        return self.foresight.resumption_passed(a, b)

    @cython.final
    def foresee_outcomes(self, s):
        """The outcomes of switch s are about to be run as branches, of the choice point on top: whether
        first_outcome has to be asked is noted there, as B_2."""
        return self.foresight.foresee_outcomes(s)

    @cython.final
    def first_outcome(self, k, b):
        """The first outcome from k on, of the msw of choice point b, that must be run as a branch; the number
        of outcomes, if there is none. -2: asked again when there is room for a read, it can tell."""
        return self.foresight.first_outcome(k, b)

    def next_call(self, n):
        """What first_useful needs to know of the caller of a table, whose call is in x; 0: all answers may be
        of use to it."""
        return self.foresight.next_call(n)

    @cython.final
    def first_useful(self, a, following):
        """The first answer from a on that may be of use to a caller of which next_call has said
        `following`; or 0."""
        return self.foresight.first_useful(a, following)

    # ---- looks

    @cython.final
    def look_table(self):
        """The table of a look that has to be run."""
        return self.lookahead.table

    @cython.final
    def known_look(self, p):
        """What is known of a call of p in a look. 0: go on, 1: it fails, 3: the branch that is being run may
        succeed, -1: look_at_call has to tell."""
        return self.lookahead.known_call(p)

    @cython.final
    def look_at_call(self, p):
        """A call of p that known_look does not know: what that tells, or LOOK_RUNS: look_table() has to be
        run."""
        return self.lookahead.look_at_call(p)

    @cython.final
    def looks_at_rest(self, a, b):
        """Whether a comparison of two terms might look at what a look must not look at."""
        return self.lookahead.sees_rest(a, b)

    @cython.final
    def branch_may_succeed(self):
        """The branch of a look that is being run may succeed: it ends here. Returns the choice point where
        the next one begins."""
        return self.lookahead.may_succeed()

    @cython.final
    def mark_readers(self, r):
        """The look that is led by the table at r of the running ones has come to its end: who read a table
        that may succeed, may, too. Nothing is run again: 0."""
        return self.lookahead.mark_readers(r)

    @cython.final
    def look_completed(self, t):
        """Nothing new can come to table t of a look."""
        return self.lookahead.note_completed(t)

    @cython.final
    def look_returns(self, t):
        """To whoever called table t in a look: the caller fails, or may succeed."""
        return self.lookahead.look_returns(t)

    @cython.final
    def look_fails(self):
        """The look of the choice point on top is over; its call is in x. Whether that fails."""
        return self.lookahead.look_fails()

    # ---- what happens to tables and stored terms

    @cython.final
    def goal_begins(self):
        """The tables of other goals are less likely to be called."""
        return self.index.forget_rows()

    @cython.final
    def forget_calls(self):
        """Calls have other tables now."""
        return self.index.forget_calls()

    @cython.final
    def forget_all(self):
        """All tables are dropped, and clauses may change."""
        self.index.shrink_patterns()
        self.foresight.coming_top = 0
        return 0

    @cython.final
    def tenure(self):
        """All stored terms that are there now stay where they are, for the rest of the search."""
        return self.index.tenure()

    @cython.final
    def mark_terms(self, moved):
        """A sweep (table_space.py): mark the young terms that are still needed here."""
        return self.index.mark_terms(moved)

    @cython.final
    def terms_moved(self, moved):
        """Young terms have new addresses."""
        return self.index.terms_moved(moved)
