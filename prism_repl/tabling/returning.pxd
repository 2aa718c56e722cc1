from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.interning cimport instantiate
from prism_repl.core.unification cimport unify
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.terms cimport Terms
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.tabling.tables cimport Tables
from prism_repl.tabling.branches cimport Branches
from prism_repl.tabling.shortcuts.shortcuts cimport Shortcuts

cdef class Returning:
    cdef Heap heap
    cdef Store store
    cdef Terms terms
    cdef Program program
    cdef Stacks stacks
    cdef Tables tables
    cdef Branches branches
    cdef Shortcuts shortcuts

    cdef int return_answers(self, long long t, long long n, bint direct, long long record) except -1
    cdef int all_read(self, long long t, long long record) noexcept
    cdef int answers_next(self) except -1
    cdef bint same_answer(self, long long t, long long a) noexcept
    cdef long long* saved_call(self, long long b) noexcept
    cdef bint use_answer(self, long long t, long long a, long long n, long long* call) except -1
