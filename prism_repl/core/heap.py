# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""The heap, the trail, and the scratch stacks of what walks over terms.

H is the top of the heap, HB the top when the newest choice point was made: what is below must be noted on
the trail when it is bound. `work` is a stack for terms that are walked over; `image` and `boxes` hold a copy
of a term.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403


class Heap:
    """Where terms are built."""

    def __init__(self):
        one: cython.longlong = 1
        self.size = first_size(1 << 16)
        self.limit = 1 << 40
        self.cells = new_area(self.size)
        self.H = 1  # index 0 is never a term
        self.HB = 0
        self.trail_size = first_size(1 << 12)
        self.trail = new_area(self.trail_size)
        self.TR = 0
        # no cell, no finite number, nor the last word of a big integer (Terms.int_cell)
        self.attr_mark = (one << 62) - (one << 51) + (one << 62) + ATM
        self.attr_floor = 0
        self.attr_below = 0
        self.wake_from = 0
        self.work_size = first_size(1 << 10)
        self.work = new_area(self.work_size)
        self.wtop = 0
        self.image_size = first_size(1 << 10)
        self.image = new_area(self.image_size)
        self.boxes_size = first_size(1 << 8)
        self.boxes = new_area(self.boxes_size)
        self.image_top = 0
        self.boxes_top = 0
        self.floor = 1
        self.gc_threshold = one << 17  # as Stacks.set_threshold does
        self.gc_stride = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.cells)
            free_area(self.trail)
            free_area(self.work)
            free_area(self.image)
            free_area(self.boxes)

    # ---- room

    @cython.final
    def room(self, n):
        """Make room for n more heap words."""
        need: cython.longlong = self.H + n + SLACK
        if need > self.size:
            size: cython.longlong = next_size(self.size, need, self.limit)
            self.cells = extend_area(self.cells, self.size, size)
            self.size = size
        return 0

    @cython.final
    def trail_room(self, n):
        need: cython.longlong = self.TR + n + SLACK // 64
        if need > self.trail_size:
            size: cython.longlong = next_size(self.trail_size, need, self.limit)
            self.trail = extend_area(self.trail, self.trail_size, size)
            self.trail_size = size
        return 0

    @cython.final
    def work_room(self, n):
        need: cython.longlong = self.wtop + n + SLACK // 256
        if need > self.work_size:
            size: cython.longlong = next_size(self.work_size, need, self.limit)
            self.work = extend_area(self.work, self.work_size, size)
            self.work_size = size
        return 0

    @cython.final
    def grow_image(self, need):
        size: cython.longlong = next_size(self.image_size, need, self.limit)
        self.image = grow_area(self.image, self.image_size, size)
        self.image_size = size
        return 0

    @cython.final
    def grow_boxes(self, need):
        size: cython.longlong = next_size(self.boxes_size, need, self.limit)
        self.boxes = grow_area(self.boxes, self.boxes_size, size)
        self.boxes_size = size
        return 0

    @cython.final
    def shrink_to(self, size):
        """Give memory back if less than half of the heap is wanted."""
        if 2 * size < self.size:
            self.cells = grow_area(self.cells, self.size, size)
            self.size = size
        return 0

    @cython.final
    def shrink(self, size):
        """Give memory back when nothing runs."""
        if self.size > size and self.H < size // 2:
            self.cells = grow_area(self.cells, self.size, size)
            self.size = size
        if self.trail_size > size and self.TR < size // 2:
            self.trail = grow_area(self.trail, self.trail_size, size)
            self.trail_size = size
        if self.image_size > size:
            self.image = grow_area(self.image, self.image_size, size)
            self.image_size = size
        if self.work_size > size:
            self.work = grow_area(self.work, self.work_size, size)
            self.work_size = size
        return 0

    # ---- bindings

    def undo_to(self, mark):
        """Undo the bindings and destructive assignments above a trail mark."""
        heap: cython.p_longlong = self.cells
        trail: cython.p_longlong = self.trail
        top: cython.longlong = self.TR
        a: cython.longlong
        while top > mark:
            top -= 1
            a = trail[top]
            if a >= 0:
                heap[a] = a << 3
            else:  # a value-trail pair: old value below, complemented address on top
                top -= 1
                heap[~a] = trail[top]
        self.TR = top
        if self.wake_from > mark:
            self.wake_from = mark
        return 0
