from libc.math cimport exp, log, INFINITY
from prism_repl.graph.kernels cimport doubles, ints

cdef void sums_up(int* first, int* start, int* child, double* weight, double* value,
                  Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, bint logs) noexcept nogil
cdef void maxima_up(int* first, int* start, int* child, double* weight, double* value,
                    Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, bint logs) noexcept nogil
cdef void sums_down(int* first, int* start, int* child, double* weight, double* value, double* flow,
                    double* counts, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, bint logs) noexcept nogil
cdef void maxima_down(int* first, int* start, int* child, double* weight, double* value, double* flow,
                      double* counts, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, bint logs) noexcept nogil
