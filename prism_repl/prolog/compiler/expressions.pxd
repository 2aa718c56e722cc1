from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.symbols cimport Symbols
from prism_repl.prolog.compiler.code cimport Code
from prism_repl.prolog.compiler.source cimport Source
from prism_repl.prolog.compiler.terms cimport TermCode
from prism_repl.prolog.compiler.variables cimport *

cdef class Expressions:
    cdef Symbols symbols
    cdef Source source
    cdef Variables variables
    cdef Code code
    cdef TermCode terms

    cdef int assign(self, long long goal, long long depth) except -1
    cdef int compare(self, long long goal, long long depth) except -1
    cdef int operand(self, long long c, long long depth, list result) except -1
    cdef int operation(self, long long c, long long depth, list result) except -1
