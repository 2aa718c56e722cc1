cdef int* ints(object array) except? NULL
