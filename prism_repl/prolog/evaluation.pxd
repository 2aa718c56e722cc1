from prism_repl.prolog.cells cimport *
from prism_repl.prolog.instructions cimport *
from prism_repl.prolog.memory cimport grow_area, new_area
from prism_repl.prolog.tabling cimport Tabling, grow_items, new_items

cdef class Evaluation(Tabling):
    # tables that are being filled, and those that wait for their leader
    cdef long long* running
    cdef public long long running_size, running_top
    cdef long long* component
    cdef public long long component_size, component_top
    # what branches read of incomplete tables
    cdef int* reads
    cdef public long long reads_size, reads_top
    # the choice point on top when the branch that runs began, as long as it has made no tabled call (else -1);
    # the record that its first call takes up, and after which answer
    cdef public long long fresh, resumed, resumed_after
    # the clauses and outcomes that the next new table has to try, in bits
    cdef public long long clause_filter, outcome_filter

    cpdef int forget_branch(self) except -1
    cdef bint fails_at_once(self, long long t, long long b) except -1
    cdef int table_call(self, long long p, long long t) except -1
    cdef int depend_on(self, long long t) noexcept
    cdef long long runner_of(self, long long at) noexcept
    cdef int start_evaluation(self, long long t, long long n, bint direct) except -1
    cdef int evaluate_again(self, long long t) except -1
    cdef int lead_again(self, long long t, long long n) except -1
    cdef int push_running(self, long long t, long long n) except -1
    cdef int begin_branches(self, long long t, long long n) except -1
    cdef int first_clauses(self, long long p) except -1
    cdef long long clause_key(self, long long c) noexcept
    cdef long long take_clause(self, long long b) noexcept
    cdef int next_branch(self) except -1
    cdef long long branch_bit(self, long long r, long long k) noexcept
    cdef bint outcomes_are_branches(self) noexcept
    cdef int begin_outcomes(self, long long n) noexcept
    cdef long long next_outcome(self) except -2
    cdef int outdated_branch(self, long long t, long long after) except -2
    cdef int drop_branch(self, long long t, long long branch) except -1
    cdef int sort_paths(self, long long t) except -1
    cdef int sort_chain(self, long long node) except -1
    cdef int answer(self) except -1
    cdef int generator_done(self) except -1
    cdef int complete(self, long long t) except -1
    cdef int note_read(self, long long t, long long last, bint first) except -1
    cdef bint is_outdated(self, long long q) noexcept
    cdef long long outdated(self, long long r) except -1
    cdef int load_arguments(self, long long t, long long n) except -1
    cdef int drop_generators(self, long long b) except -1
    cdef int drop_generator(self, long long b) except -1
    cdef int return_answers(self, long long t, long long n, bint direct, long long record) except -1
    cdef int answers_next(self) except -1
    cdef bint use_answer(self, long long t, long long a, long long n) except -1
