from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine
from prism_repl.core.areas cimport *

cpdef int begin(Machine m) except -1
cpdef int end(Machine m) except -1
cdef int tenure(Machine m) except -1
cpdef bint full(Machine m) except -1
cdef long long young_words(Machine m) noexcept
cpdef list sweep(Machine m, list items)
cpdef int drop_young(Machine m) except -1
cdef int mark_nodes(Machine m, int* alive, list items) except -1
cdef int mark_tables(Machine m, int* alive, int* kept) noexcept
cdef int set_words(Machine m, int* alive, int* kept) noexcept
cdef int mark_terms(Machine m, int* alive, int* kept, int* moved) except -1
cdef int move_terms(Machine m, int* moved) except -1
cdef int move_tables(Machine m, int* alive, int* kept, int* moved) except -1
cdef int move_patterns(Machine m, int* moved) except -1
cdef int settle_answers(Machine m, long long t, long long owner) noexcept
cdef int move_nodes(Machine m, int* alive, int* kept, int* moved, int* keys) except -1
cdef long long aux_words(long long c) noexcept
cdef long long address(long long c) noexcept
cdef long long forward(Machine m, int* moved, long long c) noexcept
cdef int forward_word(Machine m, int* moved, int word) noexcept
