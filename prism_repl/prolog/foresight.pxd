from prism_repl.prolog.cells cimport *
from prism_repl.prolog.instructions cimport *
from prism_repl.prolog.branches cimport Branches

cdef class Foresight(Branches):
    cdef long long next_call(self, long long n) except -1
    cdef long long promising(self, long long a, long long wanted) noexcept
    cdef int first_call(self, long long a) except -1
    cdef bint clause_passed(self, long long a, long long b) except -1
    cdef bint fails_so_far(self, long long c, long long pattern) except -1
