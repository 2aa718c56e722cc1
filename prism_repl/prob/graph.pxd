cdef enum:
    POLL = 65535

cdef int* ints(object array) except? NULL
cdef Py_ssize_t hashed(int* numbers, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
