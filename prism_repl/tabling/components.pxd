from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.tabling.shortcuts.foresight cimport Foresight

cdef class Evaluation(Foresight):
    # tables that wait for their leader
    cdef long long* component
    cdef public long long component_size, component_top

    cpdef int drop_everything(self) except -1
    cdef int relink_table(self, long long t) noexcept
    cdef bint fails_at_once(self, long long t, long long b) except -1
    cdef int table_call(self, long long p, long long t) except -1
    cdef int start_evaluation(self, long long t, long long n, bint direct) except -1
    cdef int evaluate_again(self, long long t) except -1
    cdef int lead_again(self, long long t, long long n) except -1
    cdef int push_running(self, long long t, long long n) except -1
    cdef int begin_branches(self, long long t, long long n) except -1
    cdef int answer(self) except -1
    cdef int generator_done(self) except -1
    cdef int complete(self, long long t) except -1
    cdef int drop_unsupported(self, long long t, long long first) except -1
    cdef bint has_unsupported(self, long long t) noexcept
    cdef bint drop_answers(self, long long t) noexcept
    cdef int drop_paths(self, long long t) noexcept
    cdef bint is_supported(self, long long path) noexcept
    cdef long long outdated(self, long long r) except -1
    cdef int load_arguments(self, long long t, long long n) except -1
    cdef int drop_generators(self, long long b) except -1
    cdef int drop_generator(self, long long b) except -1
    cdef int return_answers(self, long long t, long long n, bint direct, long long record) except -1
    cdef int answers_next(self) except -1
    cdef int all_read(self, long long t, long long record) noexcept
    cdef bint use_answer(self, long long t, long long a, long long n) except -1
