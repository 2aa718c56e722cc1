from prism_repl.core.machine cimport Machine
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *

cdef enum:
    POINTERS = 57  # bit t is set if cells of tag t may refer to the heap: REF, LST, STR, BOX

cdef class Collector:
    # 16 cells of the heap have a word in `marks`: bits 0-15 say which are in use, bits 16-31 which
    # are the header of a box; the bits above count the cells in use before these
    cdef long long* marks
    cdef long long marks_size
    # the same for the environments: bits 0-15 are slots in use, bits 16-31 frames that were visited
    cdef long long* frames
    cdef long long frames_size, frames_used
    cdef long long floor, first_frame, first_choice
    cdef long long last_attributed  # the attributed variable in use with the highest address, or 0
    # what the slots in use are at a continuation: place in `slots` of their number and the slots
    cdef dict known
    cdef long long* slots
    cdef long long slots_size, slots_top
    cdef long long last_code, last_place, releases
    cdef public long long collections

    cdef int prepare(self, Machine m) except -1
    cdef int drop_entries(self, Machine m) except -1
    cdef int mark_roots(self, Machine m, long long nargs) except -1
    cdef int mark_choices(self, Machine m) except -1
    cdef int mark_trail(self, Machine m) except -1
    cdef int mark_chain(self, Machine m, long long e, long long code) except -1
    cdef int mark_frame(self, Machine m, long long e, long long code) except -1
    cdef int mark_slot(self, Machine m, long long at) except -1
    cdef bint visit(self, long long e) noexcept
    cdef int mark(self, Machine m, long long c) except -1
    cdef int mark_attributes(self, Machine m, long long at) except -1
    cdef bint is_marked(self, long long at) noexcept
    cdef long long slots_at(self, Machine m, long long code) except -1
    cdef void count_marks(self, Machine m) noexcept
    cdef long long moved(self, long long at) noexcept
    cdef long long new_cell(self, long long c) noexcept
    cdef int move_trail(self, Machine m) except -1
    cdef void move_roots(self, Machine m, long long nargs) noexcept
    cdef void move_heap(self, Machine m) noexcept
