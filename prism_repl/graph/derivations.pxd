from prism_repl.graph.kernels cimport doubles, ints

cdef enum:
    SLICE = 16384
    LARGEST = 0x7FFFFF00
    NONE = -1
    EXHAUSTED = -1


cdef class Derivations:
    # arrays that the pointers below point into
    cdef object graph_arrays, node_arrays, records, buffers
    cdef object poll
    # the graph, and the best derivation of each node
    cdef int* node_paths
    cdef int* path_factors
    cdef int* factors
    cdef Py_ssize_t n_instances, longest
    cdef double* best_mantissa
    cdef int* best_exponent
    cdef int* chosen
    # nodes
    cdef int* second
    cdef int* last
    cdef int* place
    cdef int* next_path
    cdef int* heap
    cdef int* stack
    cdef Py_ssize_t depth
    # derivations
    cdef double* mantissa
    cdef int* exponent
    cdef int* path
    cdef int* base
    cdef int* position
    cdef int* child
    cdef int* rank
    cdef int* following
    cdef int* below
    cdef Py_ssize_t count, capacity
    # scratch
    cdef int* changed
    cdef double scale, least
    # an explanation being written
    cdef int* todo
    cdef int* written
    cdef Py_ssize_t top, todo_room, length, written_room

    cdef int point(self) except -1
    cdef int room(self) except -1
    cdef int buffer_room(self) except -1
    cdef bint advance(self, Py_ssize_t root, Py_ssize_t n, Py_ssize_t steps) noexcept nogil
    cdef void add(self, int node, int path, int base, int position, int child) noexcept nogil
    cdef bint before(self, int a, int b) noexcept nogil
    cdef int joined(self, int a, int b) noexcept nogil
    cdef int without_top(self, int top) noexcept nogil
    cdef void unfold(self, Py_ssize_t steps) noexcept nogil
    cdef Py_ssize_t expect_some(
        self,
        int* roots,
        Py_ssize_t i,
        Py_ssize_t end,
        Py_ssize_t n,
        Py_ssize_t steps,
        double* weights,
        double* totals,
        double* counts,
    ) except -1 nogil
    cdef double relative(self, int d, int exponent) noexcept nogil
    cdef int add_counts(self, int reference, double weight, double* counts) except -1 nogil
