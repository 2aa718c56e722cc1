from prism_repl.core.numbers cimport small_arith
from prism_repl.core.out_of_line cimport out_of_line
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.heap cimport Heap
from prism_repl.core.machine cimport Machine
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.core.store cimport Store
from prism_repl.core.terms cimport Terms
from prism_repl.core.unification cimport unify_flat

# Functions marked as inline are made part of the loop. Other modules that know this file are left alone.
cdef extern from *:
    """
    #if defined(__PYX_HAVE__prism_repl__core__loop) && defined(__GNUC__)
    #undef CYTHON_INLINE
    #define CYTHON_INLINE inline __attribute__((always_inline))
    #endif
    """

cdef int execute(Machine m, bint backtrack) except -1
