from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.tabling.tables cimport Tables
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *

cdef class Branches:
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly Tables tables
    # tables that are being filled
    cdef long long* running
    cdef public long long running_size, running_top
    # what branches read of incomplete tables
    cdef int* reads
    cdef public long long reads_size, reads_top
    # the choice point on top when the branch that runs began, as long as it has made no tabled call (else -1);
    # the record that its first call takes up, and after which answer
    cdef public long long fresh, resumed, resumed_after, outdated_clause
    # the clauses and outcomes that the next new table has to try, in bits
    cdef public long long clause_filter, outcome_filter

    cpdef int forget_branch(self) except -1
    cdef int first_clauses(self, long long p) except -1
    cdef long long take_clause(self, long long b) noexcept
    cdef long long only_clause(self, long long b) noexcept
    cdef long long branch_bit(self, long long r, long long k) noexcept
    cdef bint outcomes_are_branches(self) noexcept
    cdef int begin_outcomes(self, long long n) noexcept
    cdef int outdated_branch(self, long long t, long long after) noexcept
    cdef int drop_branch(self, long long t, long long branch) noexcept
    cdef int sort_paths(self, long long t) except -1
    cdef int sort_chain(self, long long node) except -1
    cdef int reads_room(self) except -1
    cdef int note_read(self, long long t, long long last, bint first) except -1
    cdef int add_read(self, long long t, long long last, bint first) noexcept
    cdef bint is_outdated(self, long long q) noexcept
    cdef int depend_on(self, long long t) noexcept
    cdef long long runner_of(self, long long at) noexcept
    cdef int running_room(self) except -1
