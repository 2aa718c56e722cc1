from prism_repl.core.areas cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks

cdef class ErasedClauses:
    cdef Program program
    cdef Stacks stacks
    cdef long long* clauses
    cdef public long long size, top, limit

    cdef int bury(self, long long at) except -1
    cdef long long standing_clause(self, long long b) noexcept
    cpdef int settle_calls(self, long long p) except -1
