from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.tabling.shortcuts.call_index cimport CallIndex

cdef class Tabling(CallIndex):
    # the explanation stack
    cdef long long* expl
    cdef public long long expl_size
    # tables, their answers, nodes of the explanation graph, their paths, the items of those
    cdef public long long tables_size, table_count
    cdef int* answers
    cdef public long long answers_size, answer_count
    cdef int* nodes
    cdef public long long nodes_size, node_count
    cdef int* paths
    cdef public long long paths_size, path_count
    cdef int* items
    cdef public long long items_size, item_count
    cdef public long long epoch, goal_number
    # predicates that are tabled with modes (modes.py); None if none was declared so far
    cdef public object moded
    # calls find complete tables, and those that are being filled, from these numbers on
    cdef public long long complete_floor, running_floor
    # how many nodes have the term of another one
    cdef public long long same_count
    # where what this search made since the last sweep begins (table_space.py)
    cdef public long long young_epoch, young_limit
    cdef public long long young_table, young_answer, young_node, young_path, young_item

    cdef long long call_key(self, long long p, long long n) except -1
    cdef long long args_key(self, long long f, long long n) except -1
    cdef int key_word(self, long long key) noexcept
    cdef long long word_key(self, long long word) noexcept
    cpdef bint tables_in_use(self) noexcept
    cpdef int drop_everything(self) except -1
    cdef long long last_table(self, long long key, long long p) noexcept
    cdef long long found_table(self, long long key, long long p) noexcept
    cdef int link_table(self, long long t) noexcept
    cdef long long table_of(self, long long key, long long p) except -1
    cdef long long new_table(self, long long key, long long p) except -1
    cdef long long first_node(self, long long key) noexcept
    cdef long long answer_node(self, long long key, long long t) except -1
    cdef int record_answer(self, long long t, long long node) except -1
    cdef int record_path(self, long long node, long long mark, long long branch) except -1
    cdef int link_path(self, long long node, long long before, long long path) noexcept
    cdef long long path_end(self, long long p) noexcept
    cdef int push_item(self, long long item) except -1
    cdef int note_use(self, long long t) noexcept
    cdef int drop_table(self, long long t) except -1

cdef long long grown(long long size) except -1
cdef object words_view(int* area, long long n)
