from prism_repl.graph.kernels cimport doubles, ints


cdef class BestPaths:
    cdef readonly object graph, mantissas, exponents, chosen, order
    # arrays that the pointers below point into
    cdef object component_arrays, heap_arrays
    cdef Py_ssize_t n_instances
    cdef int* node_paths
    cdef int* path_factors
    cdef int* factors
    cdef double* mantissa
    cdef int* exponent
    cdef int* best
    cdef int* nodes
    cdef double scale, least
    # the value of a path
    cdef double m
    cdef int e
    # one component
    cdef int* place
    cdef int* missing
    cdef int* member
    cdef int* heap
    cdef int* at
    cdef Py_ssize_t heap_size

    cdef void fold(self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
    cdef void multiply(self, Py_ssize_t p) noexcept nogil
    cdef int settle(self, Py_ssize_t begin, Py_ssize_t end) except -1
    cdef void offer(self, Py_ssize_t k, Py_ssize_t p) noexcept nogil
    cdef bint before(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil
    cdef void rise(self, Py_ssize_t place) noexcept nogil
    cdef Py_ssize_t pop(self) noexcept nogil
