from prism_repl.core.comparison cimport compare
from prism_repl.core.interning cimport instantiate, intern
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine
from prism_repl.tabling.tables cimport Tables

cdef class TableModes:
    cdef public list inputs, outputs, untabled
    cdef public long long decider, kind, limit
    cdef public str join

cdef class ModedTables:
    cdef long long caller
    cdef dict modes, groups, untabled

    cpdef long long table(self, Machine m, Tables tables, long long p) except -1
    cpdef int load_untabled(self, Tables tables, long long t) except -1
    cpdef int answer(self, Machine m, Tables tables, long long t) except -1
    cpdef int complete(self, Tables tables, long long t) except -1

cdef bint outputs_are_free(Tables tables, TableModes modes, long long n) except -1
cdef int call_free(Tables tables, TableModes modes, long long p, long long n) except -1
cdef int free_arguments(Tables tables, list places) except -1
cdef tuple user_name(Tables tables, long long p)
cdef bint is_answer(Tables tables, long long key, long long t) noexcept
cdef long long group_of(Tables tables, TableModes modes, long long p, long long n, long long key) except -1
cdef long long value_of(Tables tables, TableModes modes, long long a) noexcept
cdef long long place_for(Tables tables, TableModes modes, list kept, long long value) except -2
cdef bint is_better(Tables tables, TableModes modes, long long a, long long b) except -1
cdef list best_first(Tables tables, TableModes modes, list kept)
cdef long long joined_answer(Machine m, Tables tables, TableModes modes, long long p, long long n, long long key, long long old) except -1
cdef int leave_chain(Tables tables, long long t, set beaten) except -1
cdef int make_chain(Tables tables, long long t, list stay) except -1
