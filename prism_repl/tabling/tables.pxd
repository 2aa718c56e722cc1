from prism_repl.core.interning cimport instantiate, intern
from prism_repl.core.symbols cimport Symbols
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.terms cimport Terms
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *

cdef class Tables:
    cdef readonly Symbols symbols
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Terms terms
    cdef readonly Program program
    cdef readonly Stacks stacks
    # tables, their answers, nodes of the explanation graph, their paths, the items of those
    cdef int* records
    cdef public long long tables_size, table_count
    cdef int* answers
    cdef public long long answers_size, answer_count
    cdef int* nodes
    cdef public long long nodes_size, node_count
    cdef int* paths
    cdef public long long paths_size, path_count
    cdef int* items
    cdef public long long items_size, item_count
    # nodes of answers by what the only variable of a call is
    cdef int* recent
    cdef public long long items_limit  # of each of these
    cdef public long long epoch, goal_number
    cdef public long long held  # how many who run goals of a program need the tables afterwards
    # predicates that are tabled with modes (modes.py); None if none was declared so far
    cdef public object moded
    # calls find complete tables, and those that are being filled, from these numbers on
    cdef public long long complete_floor, running_floor
    # how many nodes have the term of another one
    cdef public long long same_count
    # where what this search made since the last sweep begins (table_space.py)
    cdef public long long young_epoch, young_limit
    cdef public long long young_table, young_answer, young_node, young_path, young_item

    cdef int reset(self) except -1
    cdef long long call_key(self, long long p, long long n) except -1
    cdef long long args_key(self, long long f, long long n) except -1
    cdef int key_word(self, long long key) noexcept
    cdef long long word_key(self, long long word) noexcept
    cdef int load_arguments(self, long long t, long long n) except -1
    cdef long long last_table(self, long long key, long long p) noexcept
    cdef long long found_table(self, long long key, long long p) noexcept
    cdef int link_table(self, long long t) noexcept
    cdef long long table_of(self, long long key, long long p) except -1
    cdef long long new_table(self, long long key, long long p) except -1
    cdef long long first_node(self, long long key) noexcept
    cdef long long answer_node(self, long long key, long long t) except -1
    cdef int record_answer(self, long long t, long long node) except -1
    cdef long long more_items(self, long long size) except -1
    cdef long long open_argument(self, long long t, long long n) noexcept
    cdef long long recent_place(self, long long t, long long c) noexcept
    cdef long long recent_answer(self, long long t, long long i, long long c) noexcept
    cdef int note_recent(self, long long t, long long c, long long node) noexcept
    cdef int record_path(self, long long t, long long node, long long mark, long long branch) except -1
    cdef int link_path(self, long long node, long long before, long long path) noexcept
    cdef long long path_end(self, long long p) noexcept
    cdef int note_use(self, long long t) noexcept
    cdef int drop_table(self, long long t) except -1

cdef object words_view(int* area, long long n)
