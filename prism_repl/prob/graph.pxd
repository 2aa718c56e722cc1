cdef enum:
    POLL = 65535

cdef int* ints(object array) except? NULL
