from prism_repl.core.terms cimport float_bits
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.terms cimport Terms

cpdef int compare(Terms terms, long long a, long long b) except -2
cdef int compare_atomic(Terms terms, long long a, long long b) except -2
cdef int order_rank(Terms terms, long long c) except -1
cpdef bint is_variant(Terms terms, long long a, long long b) except -1
cdef bint rename(Terms terms, long long a, long long b, dict forth, dict back) except -1
