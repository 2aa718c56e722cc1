from prism_repl.core.symbols cimport Symbols
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.tabling.tables cimport Tables
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *

cdef class CallIndex:
    cdef readonly Symbols symbols
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly Tables tables
    # whether calls that fail for certain are passed over (the flag search_shortcuts)
    cdef public bint on
    # what stands for the arguments of a call; pattern and list of the last one that was asked for
    cdef long long* call_words
    cdef public long long call_pattern, call_list
    # what found_call said of the call that is being made (-2: nothing); whether its pattern has no number
    cdef public long long found
    cdef public bint unnumbered
    # changes when patterns get other numbers
    cdef public long long generation
    # patterns, and their hash table of twice the size; where those made since the last sweep begin
    cdef public long long patterns_size, pattern_count, young_pattern
    cdef long long* patterns
    cdef long long* pattern_hash
    # rows of lists
    cdef public long long rows_size, rows_top
    cdef long long* rows
    # rows of first elements; these, with the places of their rows (from 1) and of their bits; those
    cdef public long long looks_size, looks_top
    cdef long long* looks
    cdef public long long firsts_mask, firsts_count
    cdef long long* firsts
    cdef public long long fails_size, fails_top
    cdef long long* fails
    # the look that tells that the last call may succeed
    cdef public long long look_found

    cpdef int use(self, bint following) except -1
    cdef long long pattern_place(self, long long e, long long n) noexcept
    cdef long long found_pattern(self, long long p, long long n, long long list_arg) noexcept
    cdef int pattern_of(self, long long p, long long n, long long list_arg) except -1
    cdef long long known_pattern(self, long long q, long long n, long long list_arg, bint plain) noexcept
    cdef int list_pattern(self, long long q, long long n, long long list_arg, bint plain) except -1
    cdef int grow_patterns(self) except -1
    cdef int hash_patterns(self) except -1
    cdef long long pattern_arity(self, long long e) noexcept
    cdef int forget_patterns(self) except -1
    cdef int shrink_patterns(self) except -1
    cdef int forget_calls(self) noexcept
    cdef int tenure(self) noexcept
    cdef int mark_terms(self, int* moved) noexcept
    cdef int terms_moved(self, int* moved) except -1
    cdef int move_patterns(self, int* moved) except -1
    cdef long long moved_cell(self, int* moved, long long c) noexcept
    cdef int forget_rows(self) noexcept
    cdef long long row_entry(self, long long* rows, long long base, long long pattern) noexcept
    cdef int put_in_row(self, long long* rows, long long base, long long entry) noexcept
    cdef bint row_full(self, long long* rows, long long base) noexcept
    cdef long long copy_row(self, long long* rows, long long base, long long top) noexcept
    cdef long long row_of(self, long long c) noexcept
    cdef int cache_call(self, long long t) except -1
    cdef int note_table(self, long long c, long long pattern, long long t) except -1
    cdef bint is_first(self, long long c) noexcept
    cdef bint failed_at(self, long long i, long long pattern) noexcept
    cdef bint look_failed(self, long long word, long long pattern) noexcept
    cdef int forget_looks(self) noexcept
    cdef long long first_place(self, long long word) noexcept
    cdef long long look_entry(self, long long word, long long pattern) noexcept
    cdef long long table_of_look(self, long long word, long long pattern) noexcept
    cdef int look_room(self, long long looks, long long fails) except -1
    cdef int note_failure(self, long long i, long long pattern) noexcept
    cdef int grow_firsts(self) except -1
    cdef long long noted_first(self, long long word) except -1
    cdef long long list_with(self, long long word, long long rest) except -1
    cdef int note_result(self, long long word, long long pattern, long long value) except -1
    cdef long long pattern_table(self, long long pattern) noexcept
    cdef long long list_table(self, long long c, long long pattern) noexcept
    cdef long long found_call(self, long long p, long long n) noexcept
    cdef int known_table(self, long long p, long long n) except -2
