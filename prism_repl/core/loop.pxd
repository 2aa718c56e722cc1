from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.out_of_line cimport OutOfLine

# For the loop gcc's allocator of registers does better when it takes the function as one region: naive reverse
# becomes 7 % faster. Other modules that know this file are left alone.
cdef extern from *:
    """
    #if defined(__PYX_HAVE__prism_repl__core__loop) && defined(__GNUC__) && !defined(__clang__)
    #pragma GCC optimize ("ira-region=one")
    #endif
    """

cdef class Loop(OutOfLine):
    cdef int execute(self, bint backtrack) except -1
