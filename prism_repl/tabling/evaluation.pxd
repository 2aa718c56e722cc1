from prism_repl.tabling.returning cimport Returning
from prism_repl.core.interning cimport instantiate
from prism_repl.core.out_of_line cimport check_signals
from prism_repl.core.unification cimport unify
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.terms cimport Terms
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.core.outcomes cimport Outcomes
from prism_repl.tabling.tables cimport Tables
from prism_repl.tabling.branches cimport Branches
from prism_repl.tabling.components cimport Components
from prism_repl.tabling.shortcuts.shortcuts cimport Shortcuts
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *

from prism_repl.core.machine cimport Machine, Tabling

cdef class Evaluation(Tabling):
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Terms terms
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly Outcomes outcomes
    cdef readonly Tables tables
    cdef readonly Branches branches
    cdef readonly Components components
    cdef readonly Shortcuts shortcuts
    cdef readonly Returning returning

    cdef int table_call(self, long long p, long long t) except -1
    cdef int start_evaluation(self, long long t, long long n, bint direct) except -1
    cdef int evaluate_again(self, long long t) except -1
    cdef int lead_again(self, long long t, long long n) except -1
    cdef int push_running(self, long long t, long long n) except -1
    cdef int begin_branches(self, long long t, long long n) except -1
    cdef int generator_done(self) except -1
    cdef int completed(self, long long t) except -1
    cdef long long take_branch(self, long long b) noexcept
    cdef long long new_branch(self, long long b) except -1
    cdef long long outdated_clauses(self, long long b) except -1
    cdef int next_branch(self) except -1
    cdef long long take_outcome(self, long long b) noexcept
    cdef long long next_outcome(self) except -2
    cdef int known_call(self, long long p, long long b) noexcept
    cdef int call(self, Machine m, long long p) except -1
    cdef int look(self, Machine m, long long p) except -1
    cdef int answer(self, Machine m) except -1
    cdef int retry(self, Machine m, long long kind) except -1
    cdef int known_look(self, long long p) noexcept
    cdef long long branch_may_succeed(self) noexcept
    cdef bint looks_at_rest(self, long long a, long long b) except -1
    cdef int abandon_look(self) except -1
    cdef int forget_generator(self, long long b) except -1
    cdef object begin_query(self)
    cdef int leave_query(self, long long b) except -1
    cdef int end_query(self, object state) except -1
    cdef int break_off(self) except -1
    cpdef int clear_tables(self) except -1
    cpdef bint tables_in_use(self) noexcept
    cdef int drop_everything(self) except -1
    cdef int called(self, Machine m, long long p, long long i) noexcept
    cdef int note_answer(self, Machine m) except -1
    cdef int new_call(self, long long p) except -1
    cdef int look_is_over(self) except -1
