from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.tabling.components cimport Evaluation

cdef class Lookahead(Evaluation):
    # the address of the rest of a list that nobody has looked at, while a look runs
    cdef public long long watch
    # stands for the rest of a list in the keys of tables
    cdef public long long rest_atom
    cdef long long* look_words

    cdef int table_call(self, long long p, long long t) except -1
    cdef int return_answers(self, long long t, long long n, bint direct, long long record) except -1
    cdef long long outdated(self, long long r) except -1
    cdef long long looks_at(self, long long p, long long n) noexcept
    cdef long long result_of(self, long long t) noexcept
    cdef int note_look(self, long long p, long long result) noexcept
    cdef int use_look(self, long long result) noexcept
    cdef int complete(self, long long t) except -1
    cdef long long look_pattern(self, long long p, long long n, long long hub) except -1
    cdef int mark_branch(self, long long t, long long bit) noexcept
    cdef bint branch_marked(self, long long t, long long bit) noexcept
    cdef int look_ahead(self, long long p, long long n, long long k) except -1
    cdef long long look_table(self, long long p, long long n, long long pattern) except -1
    cdef int look_done(self) except -1
    cdef int abandon_look(self) except -1
    cdef bint rest_bound(self) noexcept
    cdef long long may_succeed(self) noexcept
    cdef int look_at_call(self, long long p) except -1
    cdef bint without_rest(self, long long n) except -1
    cdef bint sees_rest(self, long long a, long long b) noexcept
    cdef int note_look_read(self, long long t) except -1
    cdef int look_at_tabled(self, long long p, long long n) except -1
