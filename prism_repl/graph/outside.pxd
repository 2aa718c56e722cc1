from libc.math cimport exp, log, INFINITY
from prism_repl.graph.kernels cimport doubles, first_subgoal, ints, path_end
