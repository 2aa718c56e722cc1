from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.memory cimport grow_area
from prism_repl.tabling.components cimport Evaluation
from prism_repl.model.msw cimport Msw

# For the loop of the machine gcc's allocator of registers does better when it takes the function as one region:
# naive reverse becomes 7 % faster. Other modules that know this file are left alone.
cdef extern from *:
    """
    #if defined(__PYX_HAVE__prism_repl__core__machine) && defined(__GNUC__) && !defined(__clang__)
    #pragma GCC optimize ("ira-region=one")
    #endif
    """

cdef class Machine(Msw):
    cdef public long long ticks, inferences
    # what is attached, and what others keep here
    cdef public object operators, streams, prob, session, tracer
    cdef public dict prolog_flags, state

    cdef object error_record(self, object error, long long p)
    cdef long long unwind(self, object record) except -2
    # the predicate that errors are blamed on, and the one that is about to be called
    cdef public long long running_pred, called
    cdef int run(self, bint backtrack) except -1
    cdef int execute(self, bint backtrack) except -1
    cdef long long inline_pred(self, long long code) except -1
    cdef int poll(self, long long nargs) except -1
    cdef int check_signals(self) except -1
    cdef bint call_host(self, long long number, long long n) except -1
    cdef int undefined(self, long long p) except -1
