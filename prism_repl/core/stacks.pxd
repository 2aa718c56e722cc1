from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.core.program cimport Program

cdef class Stacks(Program):
    cdef long long* env
    cdef public long long env_size
    cdef long long* choice
    cdef public long long choice_size
    cdef long long* x
    cdef public long long x_size
    # registers, valid while run() is not running; XT is the top of the explanation stack
    cdef public long long P, E, B, CP, CUT, XT
    # garbage collection: what lies below floor stays; when to collect; the collector, if one is attached
    cdef public long long floor, gc_threshold, gc_stride
    cdef public object collector
    # erased clauses whose memory is not yet released
    cdef long long* graveyard
    cdef public long long graveyard_size, graveyard_top, graveyard_limit

    cdef long long push_choice(self, long long kind, long long n) except -1
    cpdef int keep_heap(self) except -1
    cdef int grow_choice(self, long long need) except -1
    cdef int grow_env(self, long long need) except -1
    cdef int x_room(self, long long n) except -1
    cdef int collect(self, long long nargs) except -1
    cdef int set_threshold(self) except -1
    cdef int bury(self, long long at) except -1
    cpdef int settle_calls(self, long long p) except -1
    cdef long long standing_clause(self, long long b) noexcept
