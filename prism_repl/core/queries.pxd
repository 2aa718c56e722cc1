from prism_repl.core.copying cimport freeze, thaw
from prism_repl.core.loop cimport execute
from prism_repl.core.unification cimport unify
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef object begin_query(Machine m, long long goal)
cdef bint resume(Machine m, bint backtrack) except -1
cdef bint has_alternatives(Machine m) noexcept
cdef int end_query(Machine m, tuple saved, bint keep) except -1
cdef int shrink(Machine m) except -1
cdef object error_record(Machine m, object error, long long p)
cdef long long unwind(Machine m, object record) except -2
cdef int run(Machine m, bint backtrack) except -1
cdef tuple where(Machine m, long long p)
cdef long long exhausting(Machine m, object error) except -1
cdef long long inline_pred(Machine m, long long code) except -1
