from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.program cimport Program
from prism_repl.core.symbols cimport Symbols
from prism_repl.prolog.compiler.code cimport Code
from prism_repl.prolog.compiler.expressions cimport Expressions
from prism_repl.prolog.compiler.kinds cimport *
from prism_repl.prolog.compiler.source cimport Source
from prism_repl.prolog.compiler.terms cimport TermCode
from prism_repl.prolog.compiler.variables cimport *

cdef class Body:
    cdef Symbols symbols
    cdef Program program
    cdef Source source
    cdef Variables variables
    cdef Code code
    cdef TermCode terms
    cdef Expressions expressions
    cdef long long level_y, depth, alloc_at
    cdef bint cuts  # it has a cut, outside conditions

    cdef int begin(self) except -1
    cdef int end(self) except -1
    cdef int goals(self, long long c, bint last, long long fail_label, long long cut_y) except -1
    cdef int goal(self, long long c, bint last, long long fail_label, long long cut_y) except -1
    cdef int allocate(self) except -1
    cdef int proceed(self) except -1
    cdef int new_chunk(self) except -1
    cdef int call(self, long long c, bint last) except -1
    cdef int unify(self, long long a, long long b) except -1
    cdef int test(self, long long op, long long c, long long fail_label) except -1
    cdef int cut(self, long long cut_y) except -1
    cdef int condition(self, long long c, bint last, long long cut_y) except -1
    cdef int if_then_else(
        self, long long cond, long long then, long long other, bint soft, bint last, long long cut_y
    ) except -1
    cdef int alternatives(self, long long c, bint last, long long cut_y) except -1
    cdef int branch(self, long long c, bint last, long long cut_y, long long end) except -1
    cdef int give_values(self, long long c) except -1
