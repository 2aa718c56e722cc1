from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.copying cimport flatten, thaw_words
from prism_repl.core.heap cimport Heap
from prism_repl.core.interrupts cimport Interrupts
from prism_repl.core.terms cimport Terms

cdef class Findall:
    cdef Terms terms
    cdef Heap heap
    cdef Interrupts interrupts
    cdef long long* cells
    cdef public long long size, top, mark

    cdef int shrink(self, long long size) except -1
    cdef int begin(self) except -1
    cdef int room(self, long long n) except -1
    cdef int flat(self, long long c, long long n) except -1
    cdef int add(self, long long c) except -1
    cdef long long collect(self, long long tail) except -1
