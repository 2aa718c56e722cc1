from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.loop cimport Loop
from prism_repl.core.areas cimport *

cdef class Machine(Loop):
    # what is attached, and what others keep here
    cdef public object operators, prob, session, tracer
    cdef public dict state

    cdef object error_record(self, object error, long long p)
    cdef long long unwind(self, object record) except -2
    cdef int run(self, bint backtrack) except -1
    cdef long long inline_pred(self, long long code) except -1
