from libc.stdlib cimport free
from prism_repl.core.cells cimport REF, ATM, INT, LST, STR, BOX, GLS, GST
from prism_repl.prolog.writer_states cimport *
from prism_repl.core.areas cimport *
from prism_repl.core.memory cimport Memory
from prism_repl.prolog.token_text cimport TokenText

cdef class Writer(TokenText):
    cdef Memory m
    cdef object operators
    # options
    cdef bint quoted, ignore_ops, numbervars, dotlists, full_floats, wide, bounded
    # compound terms written so far; those that there are
    cdef long long written, distinct
    cdef long long max_depth, max_length
    cdef dict names
    # caches of one write: atom cell -> text and classes, atom cell -> operator priorities
    cdef dict atoms, operator_cache
    # frames of what is left to write: kind, cell, number, depth
    cdef long long* stack
    cdef long long stack_size, top
    # two bits for each heap word, only for a cyclic term
    cdef long long* marks
    cdef bint cyclic
    cdef long long var_atom, curly_atom, minus_atom, slash_atom, comma_atom, bar_atom, semicolon_atom

    cdef int push(self, long long kind, long long cell, long long number, long long depth) except -1
    cdef int push_term(self, long long cell, long long priority, long long where, long long depth) except -1
    cdef tuple atom_info(self, long long c)
    cdef tuple operator_info(self, long long name)
    cdef int run(self, long long c, long long priority) except -1
    cdef int term(self, long long c, long long priority, long long where, long long depth) except -1
    cdef int part(self, long long c, long long depth) except -1
    cdef int variable(self, long long c) except -1
    cdef bint is_cut(self) noexcept
    cdef int number(self, long long c) except -1
    cdef int atom(self, long long c, long long where) except -1
    cdef int name(self, long long c) except -1
    cdef int elements(self, long long c, long long count, long long depth) except -1
    cdef int compound(self, long long c, long long priority, long long where, long long depth) except -1
    cdef int operator_term(self, long long c, long long name, long long n, long long priority, long long where, long long depth) except -1
    cdef int arguments(self, long long c, long long i, long long depth) except -1
    cdef int infix_name(self, long long name) except -1
    cdef bint is_set_off(self, long long c) except -1
    cdef bint is_negative(self, long long c) except -1
    cdef bint starts_with_number(self, long long c, long long priority) except -1
    cdef bint entered(self, long long c) except -1
    cdef bint is_small_tree(self, long long c) except -1
    cdef bint has_cycle(self, long long c) except -1
    cdef int mark_of(self, long long c) noexcept
    cdef int set_mark(self, long long c, int mark) noexcept
