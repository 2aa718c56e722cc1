from prism_repl.core.goals cimport body_goal, goal_pred, is_control
from prism_repl.core.machine cimport Clauses, Machine
from prism_repl.prolog.compiler.clauses cimport Compiler
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *

cdef class Database(Clauses):
    cdef Machine m
    cdef public Compiler compiler
    cdef long long forever
    cdef public object library_names
    cdef public set fixed, clause_functors
    cdef public object clause_filter
    cdef public bint keep_terms

    cpdef long long add_clause(self, long long clause, bint at_end, long long line) except -1
    cpdef bint assert_clause(self, long long clause, bint at_end) except -1
    cdef int link(self, long long p, long long at, bint at_end) except -1
    cdef int note_fast(self, long long p) except -1
    cdef int chain(self, long long p, long long at, long long key, bint at_end) except -1
    cdef int hash_insert(self, long long p, long long key, long long at, bint at_end) except -1
    cdef int hash_grow(self, long long p) except -1
    cpdef int erase(self, long long at) except -1
    cpdef int erase_found(self, long long mark) except -1
    cdef int kill(self, long long at) except -1
    cdef int purge(self, long long p) except -1
    cpdef int remove_all(self, long long p) except -1
    cdef int free_hash(self, long long p) except -1
