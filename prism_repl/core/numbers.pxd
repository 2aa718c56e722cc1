from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef bint small_arith(Machine m, long long f, long long a, long long b) noexcept
cdef bint compare_values(Machine m, long long op, long long a, long long b) except -1
