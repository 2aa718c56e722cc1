from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.copying cimport flatten
from prism_repl.core.heap cimport Heap
from prism_repl.core.instructions cimport *
from prism_repl.core.symbols cimport Symbols
from prism_repl.core.terms cimport Terms
from prism_repl.prolog.compiler.kinds cimport *

cdef class Source:
    cdef Terms terms
    cdef Heap heap
    cdef Symbols symbols
    cdef dict goal_kinds
    cdef long long* cells
    cdef long long size, n
    cdef long long* boxes
    cdef long long boxes_size, nboxes
    cdef long long kept  # cells of the clause as it was given
    cdef long long head, body
    cdef bint loaded  # from a file: terms of the code that have no variables are worth noting

    cdef int load(self, long long clause, bint loaded) except -1
    cdef int room(self, long long more) except -1
    cdef int set_clause(self, long long c) except -1
    cdef long long share(self, long long clause) except -1
    cdef set goal_cells(self, long long clause, dict uses)
    cdef long long heap_cell(self, long long c) except -1
    cdef long long arity(self, long long c) noexcept
    cdef long long arguments(self, long long c) noexcept
    cdef long long first_key(self) noexcept
    cdef int goal_kind(self, long long c) except -1
    cdef long long goal_op(self, long long c) except -1
    cdef bint is_simple_test(self, long long c) except -1
    cdef bint is_plain_or(self, long long c) except -1
    cdef bint has_cut(self, long long c) except -1
    cdef bint neck_cuts(self) except -1
    cdef bint occurs(self, long long v, long long c) except -1
    cdef long long ground_size(self, long long c) except -1
    cdef bint worth_noting(self, long long c) except -1
