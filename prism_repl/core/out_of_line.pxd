from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.tabling.components cimport Evaluation
from prism_repl.model.msw cimport Msw

cdef class OutOfLine(Msw):
    # registers, beside those of the stacks: where a structure is read (0: one is written), in the store or not
    cdef public long long S
    cdef bint in_store
    # two terms to unify; how a call goes on after a poll
    cdef long long left, right, call_result
    # calls until signals are looked at, and calls so far
    cdef public long long ticks, inferences
    # the predicate that errors are blamed on, and the one that is about to be called
    cdef public long long running_pred, called
    cdef public object streams
    cdef public dict prolog_flags

    cdef int out_of_line(self, long long what) except -1
    cdef int rare_instruction(self, long long op) except -1
    cdef int note_term(self) except -1
    cdef long long operand_at(self, long long at) noexcept
    cdef int arithmetic(self, long long op) except -1
    cdef long long binary(self, long long f, long long a, long long b) except? -1
    cdef int comparison(self) except -1
    cdef int branch_on(self, bint holds, long long following, long long otherwise) except -1
    cdef int test(self, long long op) except -1
    cdef int call_instruction(self) except -1
    cdef int body_instruction(self) except -1
    cdef int catch_instruction(self) except -1
    cdef int native_instruction(self) except -1
    cdef int clause_instruction(self) except -1
    cdef int host_call(self, long long p) except -1
    cdef bint call_host(self, long long number, long long n) except -1
    cdef int undefined(self, long long p) except -1
    cdef int tabled_call(self, long long p) except -1
    cdef int moded_call(self, long long p) except -1
    cdef int table_called(self, long long p, long long i) noexcept
    cdef int look(self, long long p) except -1
    cdef int answer_instruction(self) except -1
    cdef int msw_instruction(self) except -1
    cdef int failed(self) except -1
    cdef int retry(self) except -1
    cdef int retry_outcome(self) except -1
    # cleanups.py: the choice point that the newest cleanup waits for, and what stood there
    cdef public object cleaner
    cdef public long long cleanup_b, cleanup_clause
    cdef int poll(self, long long nargs) except -1
    cdef int check_signals(self) except -1
