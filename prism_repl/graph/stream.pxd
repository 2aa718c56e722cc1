from prism_repl.graph.building cimport POLL, find_run, hashed
from prism_repl.graph.kernels cimport first_subgoal, ints, path_end
