from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine
from prism_repl.core.areas cimport *

cpdef object merged(Machine m)
cdef long long top(long long* older, long long n) noexcept
cdef bint same_paths(Machine m, long long* older, long long a, long long b) except -1
cdef bint same_path(Machine m, long long* older, long long p, long long q) noexcept
