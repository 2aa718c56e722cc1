from prism_repl.graph.building cimport POLL, hashed
from prism_repl.graph.kernels cimport ints
