from prism_repl.graph.kernels cimport ints
