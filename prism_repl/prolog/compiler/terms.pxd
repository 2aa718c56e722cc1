from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.prolog.compiler.code cimport Code
from prism_repl.prolog.compiler.source cimport Source
from prism_repl.prolog.compiler.variables cimport *

cdef class TermCode:
    cdef Source source
    cdef Variables variables
    cdef Code code

    cdef int match_head(self) except -1
    cdef int match(self, long long reg, long long c) except -1
    cdef int match_compound(self, long long reg, long long c) except -1
    cdef bint match_pair(self, long long reg, long long c) except -1
    cdef int match_argument(self, long long c, list queue) except -1
    cdef long long register_of(self, long long c) except -1
    cdef int put_arguments(self, long long goal) except -1
    cdef int put_argument(self, long long c, long long k, long long goal) except -1
    cdef int evict(self, long long k, long long v, long long goal) except -1
    cdef int put(self, long long reg, long long c) except -1
    cdef int build(self, long long reg, long long c) except -1
    cdef int build_spines(self, long long reg, long long c) except -1
    cdef int emit_spine(self, long long reg, long long c, dict parts) except -1
    cdef int build_argument(self, long long c) except -1
    cdef int emit_box(self, long long op, long long reg, long long c) except -1
