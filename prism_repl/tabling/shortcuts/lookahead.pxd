from prism_repl.core.interning cimport intern
from prism_repl.core.symbols cimport Symbols
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.terms cimport Terms
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.tabling.tables cimport Tables
from prism_repl.tabling.branches cimport Branches
from prism_repl.tabling.shortcuts.call_index cimport CallIndex
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *

cdef class Lookahead:
    cdef readonly Symbols symbols
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Terms terms
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly Tables tables
    cdef readonly Branches branches
    cdef readonly CallIndex index
    # stands for the rest of a list in the keys of tables
    cdef public long long rest_atom
    cdef long long* look_words
    # the table of a look that has to be run
    cdef long long table
    # which argument of the call that was looked at is [w|R], w, and the pattern of the call
    cdef long long rest_arg, rest_first, rest_pattern

    cdef long long looks_at(self, long long p, long long n) noexcept
    cdef long long result_of(self, long long t) noexcept
    cdef int note_look(self, long long p, long long result) noexcept
    cdef int use_look(self, long long result) noexcept
    cdef int mark_branch(self, long long t, long long bit) noexcept
    cdef bint branch_marked(self, long long t, long long bit) noexcept
    cdef int look_ahead(self, long long p, long long n, long long k) except -1
    cdef long long look_table(self, long long p, long long n, long long pattern) except -1
    cdef bint look_fails(self) except -1
    cdef bint rest_bound(self) noexcept
    cdef long long may_succeed(self) noexcept
    cdef int known_call(self, long long p) noexcept
    cdef int known_msw(self) noexcept
    cdef int known_tabled(self, long long p, long long n) noexcept
    cdef bint store_arguments(self, long long n) except -1
    cdef int look_at_call(self, long long p) except -1
    cdef bint is_rest(self, long long c) noexcept
    cdef bint without_rest(self, long long n) except -1
    cdef bint sees_rest(self, long long a, long long b) noexcept
    cdef int call_fails(self) noexcept
    cdef int read_look(self, long long t) noexcept
    cdef int add_look_read(self, long long t) noexcept
    cdef int look_at_tabled(self, long long p, long long n) except -1
    cdef int before_call(self, long long p, long long n) except -1
    cdef int look_returns(self, long long t) except -1
    cdef int mark_readers(self, long long r) except -1
    cdef int note_completed(self, long long t) except -1
