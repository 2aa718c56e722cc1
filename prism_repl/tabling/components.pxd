from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.tabling.tables cimport Tables
from prism_repl.tabling.branches cimport Branches
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *

cdef class Components:
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly Tables tables
    cdef readonly Branches branches
    # tables that wait for their leader
    cdef long long* component
    cdef public long long component_size, component_top

    cdef int relink_table(self, long long t) noexcept
    cdef int complete(self, long long t) except -1
    cdef int drop_unsupported(self, long long t, long long first) except -1
    cdef bint has_unsupported(self, long long t) noexcept
    cdef bint drop_answers(self, long long t) noexcept
    cdef int drop_paths(self, long long t) noexcept
    cdef bint is_supported(self, long long path) noexcept
    cdef long long outdated(self, long long r) except -1
    cdef int drop_generators(self, long long b) except -1
    cdef int drop_generator(self, long long b) except -1
    cdef long long push_table(self, long long t) except -1
