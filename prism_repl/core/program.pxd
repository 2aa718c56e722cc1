from prism_repl.core.copying cimport thaw_words
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.symbols cimport Symbols
from prism_repl.core.terms cimport Terms

cdef class Program:
    cdef Terms terms
    cdef Symbols symbols
    cdef Heap heap
    cdef Store store
    # instructions; free_code has the first free piece of each size
    cdef long long* code
    cdef public long long code_size, code_top
    cdef long long* free_code
    # where it holds terms that were stored since the last sweep of a search
    cdef long long* notes
    cdef public long long notes_size, notes_top
    # predicates by number, and numbers by functor
    cdef long long* preds
    cdef public long long preds_size, pred_count
    cdef long long* functor_pred
    cdef public long long functor_pred_size
    # counts the changes of the program: each call sees the clauses of its moment
    cdef public long long generation
    cdef long long alt1, alt2
    cdef public list overridden
    # predicates written in Python
    cdef public list hosts, host_names
    # changes when code is released: what is known of an address may be wrong then
    cdef public long long releases
    # stubs
    cdef public long long stop_code, call_code, answer_code, recover_code, resume_code
    # frequently met predicates
    cdef public long long p_and, p_or, p_ite, p_ifthen, p_soft, p_body, p_softthen, p_msw, p_is, p_clause
    cdef public long long p_wakeup, p_plain_call, p_between

    cpdef long long pred(self, long long functor_number) except -1
    cpdef long long find_pred(self, long long functor_number)
    cpdef long long pred_field(self, long long p, long long field)
    cpdef int set_pred_field(self, long long p, long long field, long long value) except -1
    cpdef long long code_word(self, long long at)
    cdef long long alloc_code(self, long long n) except -1
    cdef int note_place(self, long long at) except -1
    cdef int release_code(self, long long at, long long n) except -1
    cdef long long code_box(self, long long at, long long n) except -1
    cdef long long first_key(self, long long c) noexcept
    cdef long long bucket(self, long long p, long long key) noexcept
    cdef long long next_clause(self, long long c, long long c2, long long generation) noexcept
    cpdef long long clause_term(self, long long at) except -1
