from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.interning cimport intern
from prism_repl.core.terms cimport Terms

cdef class Outcomes:
    cdef Terms terms
    # of each switch: its stored name, the number of its first instance, where its outcomes begin, their
    # number, and how many of them are there more than once; those before the floor are not used any more
    cdef long long* names
    cdef long long* base
    cdef long long* first
    cdef long long* sizes
    cdef long long* doubles
    cdef public long long space, count, floor, generation
    cdef public long long limit  # of the numbers of instances
    cdef long long* cells
    cdef public long long size, top
    # switches by names of odd kinds
    cdef public dict odd
    # the KNOWN_MSW instruction whose msw is about to be called
    cdef public long long site

    cdef int reset(self) except -1
    cpdef int forget(self) except -1
    cdef long long known(self, long long s, long long name) noexcept
