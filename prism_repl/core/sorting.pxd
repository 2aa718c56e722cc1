from prism_repl.core.comparison cimport compare
from prism_repl.core.cells cimport REF, ATM, INT, LST, STR, BOX, GLS, GST
from prism_repl.core.areas cimport *
from prism_repl.core.memory cimport Memory

cpdef long long sort_list(Memory m, long long c, long long key, bint descending, bint unique) except -1
cdef bint radix_sort(Memory m, long long* a, long long* b, long long n, bint descending) except -1
cdef void merge_sort(Memory m, long long* a, long long* b, long long n, bint descending) except *
cdef long long sort_key(Memory m, long long item, long long key, long long minus) except -1
cdef bint exchanges(Memory m, long long x, long long y, int wrong) except -1
cdef int order(Memory m, long long x, long long y) except -2
