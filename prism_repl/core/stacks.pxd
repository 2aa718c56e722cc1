from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.core.heap cimport Heap

cdef class Stacks:
    cdef Heap heap
    cdef long long* env
    cdef public long long env_size
    cdef long long* choice
    cdef public long long choice_size
    cdef long long* x
    cdef public long long x_size
    # registers, valid while run() is not running; XT is the top of the explanation stack
    cdef public long long P, E, B, CP, CUT, XT
    # the explanation stack
    cdef long long* expl
    cdef public long long expl_size
    # 0: goals are run; 1: all their explanations are searched; 2: a search looks ahead, and `watch` is the address
    # of the rest of a list that nobody has looked at
    cdef public long long mode, watch

    cdef long long push_choice(self, long long kind, long long n) except -1
    cdef void pop_choice(self, long long b) noexcept
    cdef long long frame_top(self) noexcept
    cpdef int keep_heap(self) except -1
    cdef int grow_choice(self, long long need) except -1
    cdef int grow_env(self, long long need) except -1
    cdef int x_room(self, long long n) except -1
    cdef int set_threshold(self) except -1
    cdef int shrink(self, long long size) except -1
    cdef int push_item(self, long long item) except -1
