from prism_repl.core.unification cimport unify
from prism_repl.core.cells cimport REF, ATM, INT, LST, STR, BOX, GLS, GST
from prism_repl.core.memory cimport Memory

cpdef str character(Memory m, long long c)
cpdef str code_char(Memory m, long long c)
cpdef str chars_text(Memory m, long long c)
cpdef str codes_text(Memory m, long long c)
cdef str short_text(Memory m, long long c, bint codes)
cdef str list_text(Memory m, long long c, bint codes)
cdef str checked_text(Memory m, long long c, bint codes)
cpdef long long chars_list(Memory m, str text) except -1
cpdef long long codes_list(Memory m, str text) except -1
cdef long long elements_list(Memory m, str text, bint chars) except -1
cdef str atom_argument(Memory m, long long c)
cdef int check_list_or_partial(Memory m, long long c) except -1
cpdef bint atom_length(Memory m, long long a, long long length) except -1
cpdef bint atom_chars(Memory m, long long a, long long chars) except -1
cpdef bint atom_codes(Memory m, long long a, long long codes) except -1
cpdef bint char_code(Memory m, long long one, long long code) except -1
cdef bint join(Memory m, long long a, long long b, long long whole) except -1
cpdef bint sub_text(Memory m, long long whole, long long before, long long length, long long sub) except -1
cpdef bint concat(Memory m, long long a, long long b, long long whole, long long length) except -1
cdef long long place_argument(Memory m, long long c) except -2
cpdef bint sub_atom(
    Memory m, long long whole, long long before, long long length, long long after, long long sub, long long answers
) except -1
cdef bint several(
    Memory m, long long n, list places, str text, long long before, long long length, long long after, long long sub,
    long long answers
) except -1
cdef bint only(
    Memory m, long long n, long long i, long long j, str text, long long before, long long length, long long after,
    long long sub, long long answers
) except -1
cdef bint sub_atom_places(
    Memory m, long long whole, long long before, long long length, long long after, long long sub, long long answers
) except -1
