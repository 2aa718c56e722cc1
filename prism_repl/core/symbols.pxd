from libc.string cimport memcmp, memcpy
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)

cdef enum:
    BUFFER_SIZE = 256
    TEXT = 3  # words for each atom in `texts`

cdef class Symbols:
    cdef public list atom_texts
    cdef public dict atom_ids
    cdef long long* char_atoms
    # of each atom: where its characters are, if each is one byte, else 0; how many; their hash
    cdef long long* texts
    cdef long long texts_size
    # numbers of the atoms of one-byte characters, from 1, by hash
    cdef long long* names
    cdef long long names_mask, names_count
    # a short text in the making
    cdef unsigned char* buffer
    cdef public dict functor_ids
    # functors that were asked for last
    cdef long long* known_functors
    cdef long long* functor_name
    cdef long long* functor_arity
    cdef public long long functor_count, functor_size
    cdef public long long nil, list_functor, comma_functor
    # frequently met functors and atoms
    cdef public long long f_plus, f_minus, f_times, f_mod, f_intdiv, f_rem, f_and, f_or, f_shl, f_shr
    cdef public long long f_min, f_max
    cdef public long long f_semicolon, f_bar, f_arrow, f_softarrow, f_neck, a_cut
    cdef public long long a_true, a_fail

    cpdef long long atom(self, str text)
    cdef int text_room(self) except -1
    cdef int note_text(self, long long n, str text) noexcept
    cdef int grow_names(self) except -1
    cdef long long buffer_hash(self, unsigned char* data, long long n) noexcept
    cdef long long text_length(self, long long c) except -1
    cdef long long load(self, long long c, long long at) except -2
    cdef long long load_integer(self, long long value, long long at) noexcept
    cdef long long buffer_atom(self, long long first, long long end) except -1
    cdef long long code_of(self, long long c) noexcept
    cdef int order(self, long long a, long long b) except -2
    cdef long long char_atom(self, long long code) except -1
    cpdef str atom_text(self, long long c)
    cpdef long long functor(self, long long name, long long arity)
    cpdef long long functor_name_of(self, long long f)
    cpdef long long functor_arity_of(self, long long f)
