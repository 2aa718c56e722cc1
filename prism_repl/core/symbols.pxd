from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *

cdef class Symbols:
    cdef public list atom_texts
    cdef public dict atom_ids
    cdef long long* char_atoms
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
    cdef long long char_atom(self, long long code) except -1
    cpdef str atom_text(self, long long c)
    cpdef long long functor(self, long long name, long long arity)
    cpdef long long functor_name_of(self, long long f)
    cpdef long long functor_arity_of(self, long long f)
