from prism_repl.graph.kernels cimport ints

cdef enum:
    POLL = 65535

cdef Py_ssize_t hashed(int* numbers, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef Py_ssize_t find_run(int* table, Py_ssize_t mask, int least, int* start, int* numbers, Py_ssize_t begin,
                         Py_ssize_t end) noexcept nogil
