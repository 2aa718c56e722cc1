from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine
from prism_repl.prolog.compiler.body cimport Body
from prism_repl.prolog.compiler.code cimport Code
from prism_repl.prolog.compiler.kinds cimport *
from prism_repl.prolog.compiler.source cimport Source
from prism_repl.prolog.compiler.terms cimport TermCode
from prism_repl.prolog.compiler.variables cimport Variables

cdef class Compiler:
    cdef Machine m
    cdef public dict goal_kinds
    cdef Source source
    cdef Variables variables
    cdef Code code
    cdef TermCode terms
    cdef Body body
    cdef long long shallow  # how the neck ends: C_SHALLOW

    cpdef long long compile(self, long long clause, bint keep_term, long long line) except -1
    cdef bint cuts(self) noexcept
    cdef long long head_functor(self) except -1
    cdef int write_code(self, long long arity, bint rooms) except -1
    cdef long long tried_neck(self, bint unifies) except -1
    cdef long long record(self, long long pred, bint keep_term, long long line) except -1

cdef long long constant_fact(Machine m, long long clause, bint keep_term, long long line) except -1
