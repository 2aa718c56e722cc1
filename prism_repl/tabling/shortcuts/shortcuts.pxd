from prism_repl.tabling.tables cimport Tables
from prism_repl.tabling.branches cimport Branches
from prism_repl.tabling.shortcuts.call_index cimport CallIndex
from prism_repl.tabling.shortcuts.foresight cimport Foresight
from prism_repl.tabling.shortcuts.lookahead cimport Lookahead
from prism_repl.core.instructions cimport *

cdef class Shortcuts:
    cdef readonly CallIndex index
    cdef readonly Foresight foresight
    cdef readonly Lookahead lookahead

    cpdef bint on(self) noexcept
    cpdef int use(self, bint following) except -1
    # calls
    cdef int known_table(self, long long p, long long n) except -2
    cdef long long found_call(self, long long p, long long n) noexcept
    cdef int call_decided(self) noexcept
    cdef int call_has_table(self, long long t) except -1
    cdef int before_call(self, long long p, long long n) except -1
    # branches and answers
    cdef long long plain_list_arg(self, long long p, long long n) noexcept
    cdef int clause_passed(self, long long a, long long b) noexcept
    cdef int foresee_clause(self, long long a) except -1
    cdef bint resumption_passed(self, long long a, long long b) except -1
    cdef int foresee_outcomes(self, long long s) except -1
    cdef long long first_outcome(self, long long k, long long b) noexcept
    cdef long long next_call(self, long long n) except -1
    cdef long long first_useful(self, long long a, long long following) noexcept
    # looks
    cdef long long look_table(self) noexcept
    cdef int known_look(self, long long p) noexcept
    cdef int look_at_call(self, long long p) except -1
    cdef bint looks_at_rest(self, long long a, long long b) noexcept
    cdef long long branch_may_succeed(self) noexcept
    cdef int mark_readers(self, long long r) except -1
    cdef int look_completed(self, long long t) except -1
    cdef int look_returns(self, long long t) except -1
    cdef bint look_fails(self) except -1
    # what happens to tables and stored terms
    cdef int goal_begins(self) noexcept
    cdef int forget_calls(self) noexcept
    cdef int forget_all(self) except -1
    cdef int tenure(self) noexcept
    cdef int mark_terms(self, int* moved) noexcept
    cdef int terms_moved(self, int* moved) except -1
