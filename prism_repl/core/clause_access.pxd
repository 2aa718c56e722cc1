from prism_repl.core.goals cimport goal_pred
from prism_repl.core.unification cimport unify
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef int check_clause_access(Machine m) except -1
cdef int clause_first(Machine m) except -1
cdef int n_retractall(Machine m) except -1
cdef int clause_next(Machine m) except -1
cdef int clause_step(Machine m, long long c, long long c2, long long generation, bint again) except -1
