from libc.math cimport INFINITY, exp, lgamma, log
from prism_repl.graph.kernels cimport doubles, ints

cdef enum:
    BLOCK = 4096
    WORK = 262144

cdef double WEAK


cdef class Chain:
    # arrays that the pointers below point into
    cdef readonly object counts
    cdef object roots, words, poll, alpha_array, last_kept, work_arrays, places, states
    cdef object stack_array, drawn_array, word_array, changes_array, ends, lengths
    cdef int* root
    cdef int* node_paths
    cdef int* path_factors
    cdef int* factors
    cdef int* switch_start
    cdef int* switch_of
    cdef double* theta
    cdef double* value
    cdef double* alpha
    cdef int* count
    cdef int* kept_count
    # of the step that is being done: how often the old and the new explanation use each instance
    cdef int* old
    cdef int* new
    # instances whose counts may have changed since a state was kept
    cdef int* flagged
    cdef int* flag
    cdef Py_ssize_t n_flagged
    cdef int* node_mark
    cdef int* switch_mark
    cdef int* todo
    cdef int stamp
    cdef int* stack
    cdef int* drawn
    cdef double* random
    cdef int* changes
    cdef Py_ssize_t n_instances, n_goals, stack_room, drawn_room, n_drawn
    cdef Py_ssize_t word_used, word_end, change_room, n_changes
    cdef long long work
    cdef bint log_scale
    cdef readonly long long steps, accepted
    cdef readonly Py_ssize_t goal
    cdef readonly int outcome
    cdef readonly double ratio

    cdef double word(self) except? -1
    cdef double uniform(self) except? -1
    cdef long long below(self, long long n) except -1
    cdef int note(self, Py_ssize_t i) noexcept
    cpdef int keep(self) except -1
    cdef object place(self, int root)
    cdef int draw(self, Py_ssize_t goal) except -1
    cdef void parameters(self, int* switches, Py_ssize_t n, bint logs) noexcept
    cdef double path(self, Py_ssize_t p) noexcept
    cdef double path_log(self, Py_ssize_t p) noexcept
    cdef void inside(self, int* nodes, Py_ssize_t n) noexcept
    cdef void inside_logs(self, int* nodes, Py_ssize_t n) noexcept
    cdef int walk(self, int root, bint logs) except -1
    cdef Py_ssize_t chosen(self, int node, bint logs) except -1
    cdef int step(self) except -1
