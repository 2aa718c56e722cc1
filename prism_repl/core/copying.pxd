from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.terms cimport Terms

cdef class Record:
    cdef long long* words
    cdef long long n, m

cpdef long long copy(Terms terms, long long c) except -1
cpdef Record freeze(Terms terms, long long c)
cpdef long long thaw(Terms terms, Record r) except -1
cdef long long flatten(Terms terms, long long c, bint keep_store) except -1
cdef bint flatten_to(Terms terms, long long c, bint keep_store, dict copies) except -1
cdef void unbind(Terms terms, long long mark) noexcept
cdef long long thaw_words(Terms terms, long long* cells, long long n, long long* boxes, long long m) except -1
