from prism_repl.graph.kernels cimport ints

cdef enum:
    POLL = 65535

cdef Py_ssize_t hashed(int* numbers, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
