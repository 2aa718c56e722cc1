from prism_repl.graph.graph cimport POLL, hashed
from prism_repl.graph.kernels cimport ints
