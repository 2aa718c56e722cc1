# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The machine: holds the owners of all areas, and what higher layers attach.

It does nothing itself. queries.py runs goals on it, loop.py executes their instructions, out_of_line.py does
what the loop does not. Nothing that it holds knows of the machine: what has to go upwards is handed it as an
argument.
"""

import cython

from prism_repl.core.errors import PrologError
from prism_repl.core.memory import Memory
from prism_repl.core.stubs import define_stubs

if not cython.compiled:
    from prism_repl.core.erased_clauses import ErasedClauses
    from prism_repl.core.findall import Findall
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.outcomes import Outcomes
    from prism_repl.core.program import Program
    from prism_repl.core.stacks import Stacks


class Tabling:
    """What the machine asks of tabling (tabling/evaluation.py). This one has no tables: clauses are run."""

    def known_call(self, p, b):
        """A call of tabled predicate p with its arguments in x; choice point b is on top. 0: it fails, 1: it
        succeeds, -1: call has to tell. This is called by the loop itself, like take_branch, take_outcome,
        known_look and branch_may_succeed: no area that it uses moves, and nothing raises."""
        return -1

    def call(self, m, p):
        """A call of tabled predicate p with its arguments in x; how the loop goes on."""
        return R_CALL_CLAUSES

    def look(self, m, p):
        """A call of p while a search looks ahead (mode 2), of which known_look has just told nothing; how the
        loop goes on."""
        return R_CALL_LOOKED

    def answer(self, m):
        """A clause of a table has succeeded; its frame is the current one."""
        return 0

    def retry(self, m, kind):
        """The next way of a choice point of tabling, which is on top; how the loop goes on."""
        return R_FAIL

    def take_branch(self, b):
        """The next clause of the table that choice point b, on top, fills; 0: none, -1: retry has to tell."""
        return -1

    def take_outcome(self, b):
        """The next outcome of the msw of choice point b, on top, whose outcomes are the branches of a table;
        -1: none, -2: retry has to tell."""
        return -2

    def known_look(self, p):
        """A call of p while a search looks ahead. 0: it goes on, 1: it fails, 3: what is run may succeed, -1:
        look has to tell."""
        return -1

    def branch_may_succeed(self):
        """What is run in a look ahead may succeed: it ends here. The choice point to go on with."""
        return 0

    def looks_at_rest(self, a, b):
        """Whether a comparison would see more than a look ahead may."""
        return False

    def abandon_look(self):
        """An error in a look ahead."""
        return 0

    def forget_generator(self, b):
        """An error leaves the table that choice point b fills."""
        return 0

    def begin_query(self):
        """A query begins within what runs; the result is for end_query."""
        return None

    def leave_query(self, b):
        """What was made above choice point b is left."""
        return 0

    def end_query(self, state):
        """The query is over."""
        return 0

    def break_off(self):
        """An error leaves what runs."""
        return 0

    def clear_tables(self):
        """Forget all tables."""
        return 0

    def tables_in_use(self):
        """Whether a table is being filled, or its answers are still being returned."""
        return False


class Switches:
    """What the machine asks of random switches (model/msw.py). This one has none."""

    def first(self, m):
        """msw/2 with its arguments in x: 1 if it succeeds, 0 if it fails."""
        raise PrologError("existence_error", "procedure", m.database.indicator(m.program.p_msw))

    def retry(self, m):
        """The next outcome of the msw whose choice point is on top; how the loop goes on."""
        return R_FAIL


class Clauses:
    """What the machine asks of the database (prolog/database.py). This one has no clauses."""

    def assert_clause(self, clause, at_end):
        """Add a clause at the end of its predicate, or before the others."""
        return True

    def erase(self, at):
        """Erase the clause at an address."""
        return 0

    def erase_found(self, mark):
        """Erase the clauses whose addresses are on the work stack from a mark on, and pop them."""
        return 0


class Machine(Memory):
    """A machine. Builtins, operators, streams and library are attached by prolog/system.py."""

    def __init__(self, first_functors=()):
        Memory.__init__(self, first_functors)
        self.program = Program(self.terms)
        define_stubs(self.program, self.symbols)
        self.stacks = Stacks(self.heap)
        self.erased = ErasedClauses(self.program, self.stacks)
        self.findall = Findall(self.terms)
        self.outcomes = Outcomes(self.terms)
        self.tabling = Tabling()
        self.switches = Switches()
        self.database = Clauses()
        self.ticks = TICKS
        self.inferences = 0
        self.running_pred = 0
        self.called = 0
        self.S = 0
        self.in_store = False
        self.call_result = R_CALL
        self.cleanup_b = 0
        self.evaluate = None
        self.cleaner = None
        self.collector = None
        self.innermost = None
        self.prob = None
        self.session = None
        self.prolog_flags = {}
        self.state = {}

    # ---- cleanups

    def poll_soon(self):
        """Look at signals and cleanups at the next call."""
        self.inferences += 2 - self.ticks
        self.ticks = 2
        return 0

    def await_cut(self, b):
        """The newest cleanup waits for choice point b to go; 0: there is none."""
        self.cleanup_b = b
        if b != 0:
            self.cleanup_clause = self.stacks.choice[b + B_1]
            self.poll_soon()
        return 0

    def cleanup_is_due(self):
        """Has the choice point of the newest cleanup gone?"""
        b: cython.longlong = self.cleanup_b
        if self.stacks.B < b:
            return True
        return (
            self.stacks.choice[b + B_KIND] != BK_CLAUSE or self.stacks.choice[b + B_1] != self.cleanup_clause
        )

    def call_count(self):
        """How many calls were made so far, and ways taken back."""
        return self.inferences + TICKS - self.ticks
