from libc.math cimport fabs
from prism_repl.graph.kernels cimport doubles, ints

cdef enum:
    DENSE = 64


cdef class LinearSystem:
    # arrays that the pointers below point into
    cdef object right_array, value_array, row_array, column_array, matrix_array
    cdef double* right
    cdef double* values
    cdef int* rows
    cdef int* columns
    cdef Py_ssize_t entries
    cdef double* matrix

    cdef void clear(self) noexcept nogil
    cdef void add(self, Py_ssize_t row, Py_ssize_t column, double value) noexcept nogil
    cdef bint solve(self, Py_ssize_t n, bint transposed) except -1
    cdef bint eliminate(self, Py_ssize_t n, bint transposed) noexcept nogil
    cdef bint sparse_solve(self, Py_ssize_t n, bint transposed) except -1
    cdef bint positive(self, Py_ssize_t n) noexcept nogil
