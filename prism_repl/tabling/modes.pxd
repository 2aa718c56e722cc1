from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef class TableModes:
    cdef public list inputs, outputs, untabled
    cdef public long long decider, kind, limit
    cdef public str join

cdef class ModedTables:
    cdef long long caller
    cdef dict modes, groups, untabled

    cpdef long long table(self, Machine m, long long p) except -1
    cpdef int load_untabled(self, Machine m, long long t) except -1
    cpdef int answer(self, Machine m, long long t) except -1
    cpdef int complete(self, Machine m, long long t) except -1

cdef bint outputs_are_free(Machine m, TableModes modes, long long n) except -1
cdef int call_free(Machine m, TableModes modes, long long p, long long n) except -1
cdef int free_arguments(Machine m, list places) except -1
cdef tuple user_name(Machine m, long long p)
cdef bint is_answer(Machine m, long long key, long long t) noexcept
cdef long long group_of(Machine m, TableModes modes, long long p, long long n, long long key) except -1
cdef long long value_of(Machine m, TableModes modes, long long a) noexcept
cdef long long place_for(Machine m, TableModes modes, list kept, long long value) except -2
cdef bint is_better(Machine m, TableModes modes, long long a, long long b) except -1
cdef list best_first(Machine m, TableModes modes, list kept)
cdef long long joined_answer(Machine m, TableModes modes, long long p, long long n, long long key, long long old) except -1
cdef int leave_chain(Machine m, long long t, set beaten) except -1
cdef int make_chain(Machine m, long long t, list stay) except -1
