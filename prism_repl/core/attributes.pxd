from prism_repl.core.cells cimport *
from prism_repl.core.copying cimport copy
from prism_repl.core.heap cimport Heap
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine
from prism_repl.core.stacks cimport Stacks
from prism_repl.core.unification cimport unify

cpdef bint is_attributed(Machine m, long long c) noexcept
cpdef long long attributes(Machine m, long long c) except? -1
cpdef int set_attributes(Machine m, long long c, long long value) except -1
cdef long long woken(Machine m) except -1
cdef long long due(Machine m) except -1
cdef bint wake(Machine m) except -1
cdef int wake_before_call(Machine m) except -1
cdef int wake_in_clause(Machine m) except -1
cdef bint plain_call(Machine m) except -1
cdef long long push_frame(Machine m, long long code, long long n) except -1
cdef int save_call(Machine m, long long pred, long long how) except -1
cdef int save_place(Machine m, bint has_frame) except -1
cdef int resume(Machine m) except -1
cdef bint has_attributed(Machine m, long long n) except -1
cpdef long long copy_with_attributes(Machine m, long long c) except? -1
cpdef object unifier(Machine m, long long a, long long b)
