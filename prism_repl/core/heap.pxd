from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *

cdef class Heap:
    # the heap; limit is what any area may grow to
    cdef long long* cells
    cdef public long long size, limit, H, HB
    # garbage collection: what lies below floor stays; when to collect; for tests: whenever so many words were used
    cdef public long long floor, gc_threshold, gc_stride
    cdef long long* trail
    cdef public long long trail_size, TR
    # attributed variables (attributes.py): the word before each; all are below attr_floor (0: there are none;
    # attr_below: its value when the innermost query began); up to where the trail was looked at for them
    cdef public long long attr_mark, attr_floor, attr_below, wake_from
    # scratch stacks of the term walkers
    cdef long long* work
    cdef public long long work_size, wtop
    cdef long long* image
    cdef long long* boxes
    cdef public long long image_size, image_top, boxes_size, boxes_top
    cdef public bint image_shared

    cdef int room(self, long long n) except -1
    cdef int trail_room(self, long long n) except -1
    cdef int work_room(self, long long n) except -1
    cdef int grow_image(self, long long need) except -1
    cdef int grow_boxes(self, long long need) except -1
    cdef int shrink_to(self, long long size) except -1
    cdef int shrink(self, long long size) except -1
    cpdef int undo_to(self, long long mark) noexcept
