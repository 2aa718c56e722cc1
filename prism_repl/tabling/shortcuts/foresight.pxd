from prism_repl.core.symbols cimport Symbols
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.terms cimport Terms
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.core.outcomes cimport Outcomes
from prism_repl.tabling.tables cimport Tables
from prism_repl.tabling.branches cimport Branches
from prism_repl.tabling.shortcuts.call_index cimport CallIndex
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *

cdef bint loads_argument(long long op) noexcept

cdef class Foresight:
    cdef readonly Symbols symbols
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Terms terms
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly Outcomes outcomes
    cdef readonly Tables tables
    cdef readonly Branches branches
    cdef readonly CallIndex index
    # coming calls of clauses; what the slots of an environment are
    cdef long long* coming
    cdef public long long coming_size, coming_top
    cdef long long* slots
    # what is called after the outcomes of a switch as branches (the predicate's place, the list's argument, the
    # argument with the outcome), and the patterns of these calls; for this generation of switches
    cdef long long* switch_call
    cdef long long* outcome_patterns
    cdef long long switch_room, pattern_room, switch_stamp
    # where the list argument of the call that was asked for comes from
    cdef long long coming_list

    cdef long long call_ahead(self) noexcept
    cdef long long next_call(self, long long n) except -1
    cdef long long first_useful(self, long long a, long long following) noexcept
    cdef long long coming_calls(self, long long a) except -2
    cdef bint look_through(self, long long a, long long to) noexcept
    cdef long long coming_call(self, long long at) noexcept
    cdef long long coming_pattern(self, long long k, long long b) noexcept
    cdef long long make_pattern(self, long long d, long long b) noexcept
    cdef long long plain_list_arg(self, long long p, long long n) noexcept
    cdef int clause_passed(self, long long a, long long b) noexcept
    cdef long long table_at(self, long long c, long long pattern) noexcept
    cdef int note_passed(self, long long t) noexcept
    cdef bint fails_so_far(self, long long c, long long pattern) noexcept
    cdef bint useless(self, long long k, long long b, long long answer) noexcept
    cdef bint resumption_passed(self, long long a, long long b) except -1
    cdef int foresee_outcomes(self, long long s) except -1
    cdef long long outcome_pattern(self, long long s, long long o) noexcept
    cdef long long first_outcome(self, long long k, long long b) noexcept
    cdef int note_switches(self) except -1
