from prism_repl.prolog.cells cimport *
from prism_repl.prolog.instructions cimport *
from prism_repl.prolog.branches cimport Branches

cdef class Foresight(Branches):
    # where the hub of the call that was asked for comes from
    cdef long long coming_hub

    cdef long long next_call(self, long long n) except -1
    cdef long long promising(self, long long a, long long wanted) noexcept
    cdef int look_through(self, long long a) except -1
    cdef long long coming_call(self, long long at, dict slots, dict after) except? -2
    cdef long long coming_pattern(self, long long d, long long b) except -1
    cdef bint clause_passed(self, long long a, long long b) except -1
    cdef bint useless(self, long long a, long long b, long long answer) except -1
    cdef bint resumption_passed(self, long long a, long long b) except -1
    cdef long long table_at(self, long long c, long long pattern) noexcept
    cdef int note_passed(self, long long t) except -1
    cdef bint fails_so_far(self, long long c, long long pattern) except -1
