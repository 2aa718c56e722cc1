from prism_repl.core.unification cimport unify
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef int between_first(Machine m) except -1
cdef int between_next(Machine m) except -1
