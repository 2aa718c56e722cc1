from prism_repl.core.areas cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.interrupts cimport Interrupts

cdef class Code:
    cdef Interrupts interrupts
    cdef long long* words
    cdef long long size, top
    cdef list labels
    cdef bint rooms  # it asks for room
    cdef long long room_at
    cdef bint binds  # what came since the last call may have bound a variable of the caller

    cdef int begin(self, bint rooms) except -1
    cdef int emit(self, long long w) except -1
    cdef int emit2(self, long long a, long long b) except -1
    cdef int emit3(self, long long a, long long b, long long c) except -1
    cdef int emit_wake(self, bint in_environment) except -1
    cdef long long label(self) except -1
    cdef int place(self, long long label) except -1
    cdef int emit_label(self, long long label) except -1
    cdef int ask_room(self) except -1
    cdef int close_room(self) except -1
    cdef int copy_to(self, long long* area, long long start) except -1
