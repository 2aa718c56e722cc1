from prism_repl.core.copying cimport unbind
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.terms cimport Terms

cpdef long long intern(Terms terms, long long c, bint variant=*) except -1
cdef long long intern_parts(Terms terms, long long c, bint variant, dict stored) except -2
cdef long long store_flat(Terms terms, long long c) except -1
cdef long long store_box(Terms terms, long long c) except -1
cpdef long long instantiate(Terms terms, long long c, list variables) except -1
cdef long long instantiate_parts(Terms terms, long long c, list variables, dict made) except -1
cdef long long numbered_var(Terms terms, long long c, list variables) except -1
