from libc.math cimport exp, fabs, log, INFINITY

# Functions marked as inline are made part of their callers, so that constant arguments (one lane or eight, sums
# or maxima) give a loop each. Other modules that know this file are left alone.
cdef extern from *:
    """
    #if defined(__PYX_HAVE__prism_repl__graph__kernels) && defined(__GNUC__)
    #undef CYTHON_INLINE
    #define CYTHON_INLINE inline __attribute__((always_inline))
    #endif
    """

cdef int* ints(object array) except? NULL
cdef double* doubles(object array) except? NULL

cdef Py_ssize_t path_end(int* stream, Py_ssize_t at) noexcept nogil
cdef Py_ssize_t first_subgoal(int* stream, Py_ssize_t at) noexcept nogil
cdef double greatest_log(int* stream, Py_ssize_t begin, Py_ssize_t end, double* value, Py_ssize_t lanes,
                         Py_ssize_t lane) noexcept nogil
cdef double sum_of_shares(int* stream, Py_ssize_t begin, Py_ssize_t end, double* value, Py_ssize_t lanes,
                          Py_ssize_t lane, double whole) noexcept nogil
cdef void inside_logs(int* start, int* stream, double* value, Py_ssize_t first,
                      Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, bint best) noexcept nogil
cdef void flow_logs(int* start, int* stream, double* value, double* weight,
                    Py_ssize_t first, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, bint keep) noexcept nogil
cdef void walk_one(int* start, int* stream, double* value, double* weight,
                   Py_ssize_t first, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, Py_ssize_t lane,
                   bint keep, bint logs) noexcept nogil
cdef void walk_eight(int* start, int* stream, double* value, double* weight,
                     Py_ssize_t first, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef double path_value(int* stream, Py_ssize_t at, double* value, Py_ssize_t lanes,
                       Py_ssize_t lane, bint logs) noexcept nogil
cdef double tie_bound(double best, bint logs) noexcept nogil
cdef void upwards(int* start, int* stream, double* value, Py_ssize_t first, Py_ssize_t begin, Py_ssize_t end,
                  Py_ssize_t lanes, bint logs, bint best) noexcept nogil
cdef void downwards(int* start, int* stream, double* value, double* weight, Py_ssize_t first, Py_ssize_t begin,
                    Py_ssize_t end, Py_ssize_t lanes, bint logs, bint best, bint keep) noexcept nogil
