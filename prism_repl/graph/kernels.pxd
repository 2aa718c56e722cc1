from libc.math cimport exp, fabs, log, INFINITY

cdef int* ints(object array) except? NULL
cdef double* doubles(object array) except? NULL

cdef void inside_one(int* start, int* stream, double* value, Py_ssize_t first,
                     Py_ssize_t begin, Py_ssize_t end, bint best) noexcept nogil
cdef void inside_eight(int* start, int* stream, double* value, Py_ssize_t first,
                       Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void best_eight(int* start, int* stream, double* value, Py_ssize_t first,
                     Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void inside_logs(int* start, int* stream, double* value, Py_ssize_t first,
                      Py_ssize_t begin, Py_ssize_t end, Py_ssize_t lanes, bint best) noexcept nogil
cdef void flow_one(int* start, int* stream, double* value, double* weight,
                   Py_ssize_t first, Py_ssize_t begin, Py_ssize_t end, bint keep) noexcept nogil
cdef void flow_eight(int* start, int* stream, double* value, double* weight,
                     Py_ssize_t first, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
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
