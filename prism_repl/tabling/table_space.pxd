from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.store cimport Store
from prism_repl.tabling.evaluation cimport Evaluation
from prism_repl.tabling.tables cimport Tables
from prism_repl.core.areas cimport *

cdef class Scratch:
    cdef int* alive
    cdef int* kept
    cdef int* keys
    cdef int* moved
    cdef int* answers
    cdef int* paths
    cdef int* items
    cdef long long* stack

cpdef int begin(Evaluation tabling) except -1
cpdef int end(Evaluation tabling) except -1
cdef int tenure(Evaluation tabling) except -1
cpdef bint full(Evaluation tabling) except -1
cdef long long young_words(Evaluation tabling) noexcept
cpdef list sweep(Evaluation tabling, list items)
cpdef int drop_young(Evaluation tabling) except -1
cdef int mark_nodes(Evaluation tabling, Scratch scratch, list items) except -1
cdef int mark_tables(Evaluation tabling, int* alive, int* kept) noexcept
cdef int set_words(Evaluation tabling, int* alive, int* kept) noexcept
cdef int mark_terms(Evaluation tabling, int* alive, int* kept, int* moved) except -1
cdef int move_terms(Evaluation tabling, int* moved) except -1
cdef int move_tables(Evaluation tabling, Scratch scratch) except -1
cdef int settle_answers(Evaluation tabling, long long t, long long owner) noexcept
cdef int move_nodes(Evaluation tabling, Scratch scratch) except -1
cdef long long aux_words(long long c) noexcept
cdef long long address(long long c) noexcept
cdef long long forward(Evaluation tabling, int* moved, long long c) noexcept
cdef int forward_word(Evaluation tabling, int* moved, int word) noexcept
