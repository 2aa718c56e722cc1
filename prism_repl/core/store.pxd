from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.heap cimport Heap
from prism_repl.core.symbols cimport Symbols

cdef int put_entry(long long* table, long long mask, long long h, long long c) noexcept

cdef class Store:
    cdef Symbols symbols
    cdef Heap heap  # for the limit of all areas
    cdef long long* cells
    cdef public long long size, top
    cdef long long* hash
    cdef public long long mask, count
    cdef public long long generation
    # those that came since a search began or was swept begin at young; their hash table, and the cells in their order
    cdef public long long young, young_mask, young_count
    cdef long long* young_hash
    cdef long long* log
    cdef public long long log_size, log_top, entry_cell

    cdef long long words_of(self, long long c) noexcept
    cdef long long hash_words(self, long long tag, long long at, long long n) noexcept
    cdef int room(self, long long n) except -1
    cpdef bint has_numbered_vars(self, long long c)
    cdef long long list_cell(self, long long h, long long t) except -1
    cdef long long find(self, long long key, long long n, long long at) except -1
    cdef long long find_entry(self, long long* table, long long mask, long long h, long long tag, long long n, long long at) noexcept
    cdef bint only_young(self, long long tag, long long at, long long n) noexcept
    cdef int hash_room(self, long long n) except -1
    cdef int insert(self, long long c, long long h) except -1
    cdef long long* grown_hash(self, long long* old, long long mask) except NULL
    cdef int forget_young(self) except -1
    cdef int age_young(self) except -1
    cpdef int begin_log(self, long long size) except -1
    cpdef int reset(self) except -1
