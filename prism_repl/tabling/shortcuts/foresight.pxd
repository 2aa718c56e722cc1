from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.tabling.branches cimport Branches

cdef class Foresight(Branches):
    # outlooks of clauses; what the slots of an environment are
    cdef long long* outlooks
    cdef public long long outlooks_size, outlook_top
    cdef long long* slots
    # changes when the outcomes of switches have to be asked for again (msw.py)
    cdef public long long switch_generation
    # where the hub of the call that was asked for comes from
    cdef long long coming_hub

    cpdef int drop_everything(self) except -1
    cdef long long call_ahead(self) noexcept
    cdef long long next_call(self, long long n) except -1
    cdef long long promising(self, long long a, long long wanted) noexcept
    cdef long long outlook(self, long long a) except? -1
    cdef bint look_through(self, long long a, long long to) noexcept
    cdef long long coming_call(self, long long at) noexcept
    cdef int coming_pattern(self, long long k, long long b) except -1
    cdef long long make_pattern(self, long long d, long long b) except -1
    cdef long long plain_hub(self, long long p, long long n) noexcept
    cdef bint clause_passed(self, long long a, long long b) except -1
    cdef long long table_at(self, long long c, long long pattern) noexcept
    cdef int note_passed(self, long long t) except -1
    cdef bint fails_so_far(self, long long c, long long pattern) except -1
    cdef bint useless(self, long long k, long long b, long long answer) except -1
    cdef bint resumption_passed(self, long long a, long long b) except -1
