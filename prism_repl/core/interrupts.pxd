from cpython.exc cimport PyErr_CheckSignals

cdef class Interrupts:
    cdef public bint interrupted
    cdef public object watcher

    cpdef int check(self) except -1
