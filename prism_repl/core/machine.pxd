from prism_repl.core.erased_clauses cimport ErasedClauses
from prism_repl.core.findall cimport Findall
from prism_repl.core.instructions cimport *
from prism_repl.core.memory cimport Memory
from prism_repl.core.outcomes cimport Outcomes
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks

cdef class Machine(Memory)

cdef class Tabling:
    cdef int known_call(self, long long p, long long b) noexcept
    cdef int call(self, Machine m, long long p) except -1
    cdef int look(self, Machine m, long long p) except -1
    cdef int answer(self, Machine m) except -1
    cdef int retry(self, Machine m, long long kind) except -1
    cdef long long take_branch(self, long long b) noexcept
    cdef long long take_outcome(self, long long b) noexcept
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

cdef class Switches:
    cdef int first(self, Machine m) except -1
    cdef int retry(self, Machine m) except -1

cdef class Machine(Memory):
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly ErasedClauses erased
    cdef readonly Findall findall
    cdef readonly Outcomes outcomes
    # what other layers do
    cdef public Tabling tabling
    cdef public Switches switches
    # registers, beside those of the stacks: where a structure is read (0: one is written), in the store or not
    cdef public long long S
    cdef bint in_store
    # two terms to unify; how a call goes on after a poll; the result of small_arith
    cdef long long left, right, call_result, arith_result
    # calls until signals are looked at, and calls so far
    cdef public long long ticks, inferences
    # the predicate that errors are blamed on, and the one that is about to be called
    cdef public long long running_pred, called
    # cleanups: the choice point that the newest one waits for, and what stood there
    cdef public long long cleanup_b, cleanup_clause
    # what is attached, functions of the machine and more: evaluates expressions; runs the cleanups that are due;
    # collects garbage; names the predicate that runs at some addresses, for who interrupted it
    cdef public object evaluate, cleaner, collector, innermost
    # adds and erases clauses
    cdef public object database
    cdef public object streams, operators, tracer
    cdef public dict prolog_flags, state
    # what is known of the program's model (model/state.py); the session that the machine works for (session.py)
    cdef public object prob, session
