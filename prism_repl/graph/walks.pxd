from libc.math cimport exp
from prism_repl.graph.kernels cimport doubles, ints, path_value

cdef enum:
    SLICE = 4096


cdef class Walks:
    # arrays that the pointers below point into
    cdef object arrays, buffers, random_array
    cdef object roots, uniforms, poll
    cdef int* start
    cdef int* stream
    cdef int* mono_start
    cdef int* mono_members
    cdef double* value
    cdef Py_ssize_t n_mono, most_drawn, most_todo
    cdef bint logs
    # what is still to be walked, and what was drawn
    cdef int* todo
    cdef int* drawn
    cdef Py_ssize_t top, todo_room, length, drawn_room
    cdef double* random
    cdef Py_ssize_t random_used, random_end

    cdef int room(self) except -1
    cdef void walk(self) noexcept nogil
    cdef Py_ssize_t chosen(self, int number, Py_ssize_t at, Py_ssize_t stop) noexcept nogil
