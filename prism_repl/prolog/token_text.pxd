from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdlib cimport malloc, free
from libc.string cimport memcpy
from prism_repl.core.areas cimport *
from prism_repl.core.heap cimport Heap
from prism_repl.prolog.writer_states cimport *

cdef class TokenText:
    cdef Heap heap
    cdef char* text  # UTF-8
    cdef list parts  # the same, uncompiled
    cdef long long size, room
    cdef int last  # the class of the last character (writer_states.py)
    cdef bint after_prefix

    cdef int text_room(self, long long n) except -1
    cdef int put(self, str text) except -1
    cdef int put_char(self, int code) except -1
    cdef int put_small(self, long long n) except -1
    cdef str result(self)
    cdef int token(self, str text, int first, int last) except -1
    cdef int punctuation(self, int code, int last) except -1
    cdef int open_paren(self) except -1
