from libc.math cimport fabs, log, INFINITY
from prism_repl.graph.kernels cimport doubles, ints
