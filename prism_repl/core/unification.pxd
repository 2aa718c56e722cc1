from prism_repl.core.comparison cimport compare
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.heap cimport Heap
from prism_repl.core.terms cimport Terms

cpdef bint unify(Terms terms, long long a, long long b) except -1
cdef int unify_flat(Terms terms, long long a, long long b, long long hb) noexcept
cpdef bint unify_occurs(Terms terms, long long a, long long b) except -1
