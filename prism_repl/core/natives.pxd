from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.core.stacks cimport Stacks

cdef class Natives(Stacks):
    # solutions of the running findalls
    cdef long long* findall
    cdef public long long findall_size, findall_top, findall_mark
    # integer results of small_arith; what evaluates the rest
    cdef long long arith_result
    cdef public object evaluate

    cdef int native(self, long long number) except -1
    cdef int n_functor(self) except -1
    cdef int n_arg(self) except -1
    cdef int n_univ(self) except -1
    cdef int n_skip_list(self) except -1
    cdef long long list_tail(self, long long c) noexcept
    cdef long long new_struct1(self, long long f, long long a) except -1
    cdef long long new_struct2(self, long long f, long long a, long long b) except -1
    cdef bint small_arith(self, long long f, long long a, long long b) noexcept
    cdef bint compare_values(self, long long op, long long a, long long b) except -1
    cdef int findall_begin(self) except -1
    cdef int findall_room(self, long long n) except -1
    cdef int findall_add(self, long long c) except -1
    cdef long long findall_collect(self, long long tail) except -1
    cdef long long goal_pred(self, long long goal, long long extra) except -1
    cdef long long with_arguments(self, long long goal, long long extra) except -1
    cdef bint is_control(self, long long c) except -1
    cpdef long long body_goal(self, long long goal) except -1
    cdef int clause_access(self) except -1
    cdef int clause_first(self) except -1
    cdef int n_retractall(self) except -1
    cdef int clause_next(self) except -1
    cdef int clause_step(self, long long c, long long c2, long long generation, bint again) except -1
