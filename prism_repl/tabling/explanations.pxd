from prism_repl.core.goals cimport goal_pred
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine
from prism_repl.tabling.evaluation cimport Evaluation
from prism_repl.tabling.tables cimport Tables

cpdef list explain(Machine m, long long goal)
cpdef int forget_terms(Machine m) except -1
