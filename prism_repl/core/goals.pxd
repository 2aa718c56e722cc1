from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef long long goal_pred(Machine m, long long goal, long long extra) except -1
cdef long long with_arguments(Machine m, long long goal, long long extra) except -1
cdef bint is_control(Machine m, long long c) except -1
cpdef long long body_goal(Machine m, long long goal) except -1
