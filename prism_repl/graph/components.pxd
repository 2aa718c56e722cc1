from prism_repl.graph.building cimport POLL
from prism_repl.graph.kernels cimport ints
