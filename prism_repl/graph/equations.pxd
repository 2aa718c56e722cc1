from libc.math cimport exp, fabs, log, INFINITY
from prism_repl.graph.kernels cimport (
    doubles, downwards, first_subgoal, greatest_log, ints, path_end, path_value, sum_of_shares, upwards)
from prism_repl.graph.linear_system cimport DENSE, LinearSystem

cdef enum:
    ACYCLIC = 0
    LINEAR = 1
    NONLINEAR = 2
    SWEEPS = 100
    MOST_STEPS = 500


cdef class Equations:
    # arrays that the pointers below point into
    cdef object plan, arrays
    cdef int* start
    cdef int* stream
    cdef int* edges
    cdef int* kinds
    cdef Py_ssize_t n_mono, n_runs
    # one component
    cdef double* z
    cdef double* scale
    cdef double* sums
    cdef double* right  # of the system
    cdef int* dead
    cdef double last_step, last_most, most_left
    cdef LinearSystem system

    cdef Py_ssize_t solve_runs(self, double* value, Py_ssize_t run, Py_ssize_t last, bint logs) noexcept nogil
    cdef bint solve_small(self, double* value, Py_ssize_t run, bint logs) noexcept nogil
    cdef bint newton_small(self, double* value, Py_ssize_t run, bint logs) noexcept nogil
    cdef bint held(self, Py_ssize_t n, bint logs) noexcept nogil
    cdef void rescale(self, double* value, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
    cdef void prepare(self, double* value, Py_ssize_t begin, Py_ssize_t end, bint logs) noexcept nogil
    cdef void linearise(self, double* value, Py_ssize_t begin, Py_ssize_t end, bint logs) noexcept nogil
    cdef bint settled(self, Py_ssize_t n) noexcept nogil
    cdef int advance(self, Py_ssize_t n, bint linear) noexcept nogil
    cdef void store(self, double* value, Py_ssize_t begin, Py_ssize_t end, bint logs) noexcept nogil
    cdef Py_ssize_t flow_runs(self, double* value, double* weight, Py_ssize_t first, Py_ssize_t run, bint logs,
                              bint keep) noexcept nogil
    cdef bint gather(self, double* value, double* weight, Py_ssize_t begin, Py_ssize_t end, bint logs) noexcept nogil
    cdef double share_of(self, double* value, Py_ssize_t at, Py_ssize_t node, bint logs) noexcept nogil
    cdef double share_total(self, double* value, Py_ssize_t node, bint logs) noexcept nogil
    cdef bint solve_transposed(self, Py_ssize_t n) except -1
    cdef void scatter(self, double* value, double* weight, Py_ssize_t begin, Py_ssize_t end, bint logs,
                      bint keep) noexcept nogil
