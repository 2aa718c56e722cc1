from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.tabling.tables cimport Tables
from prism_repl.core.areas cimport *

cpdef object merged(Tables tables)
cdef long long top(long long* older, long long n) noexcept
cdef bint same_paths(Tables tables, long long* older, long long a, long long b) except -1
cdef bint same_path(Tables tables, long long* older, long long p, long long q) noexcept
