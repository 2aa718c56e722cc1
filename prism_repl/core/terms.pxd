from libc.string cimport memcpy
from prism_repl.core.cells cimport *
from prism_repl.core.heap cimport Heap
from prism_repl.core.interrupts cimport Interrupts
from prism_repl.core.store cimport Store
from prism_repl.core.symbols cimport Symbols

cdef long long float_bits(double d) noexcept
cdef double bits_float(long long bits) noexcept

cdef class Terms:
    cdef readonly Symbols symbols
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Interrupts interrupts

    cpdef long long int_cell(self, object value)
    cpdef long long float_cell(self, double value)
    cdef long long* box_area(self, long long c) noexcept nogil
    cpdef object int_value(self, long long c)
    cpdef double float_value(self, long long c)
    cpdef object number_value(self, long long c)
    cpdef bint is_float(self, long long c)
    cpdef bint is_big(self, long long c)
    cpdef bint is_integer(self, long long c)
    cpdef bint is_number(self, long long c)
    cpdef bint is_atomic(self, long long c)
    cpdef bint is_callable(self, long long c)
    cpdef bint is_list_cell(self, long long c)
    cpdef bint is_compound(self, long long c)
    cpdef long long deref(self, long long c) noexcept
    cpdef int bind(self, long long c, long long value) except -1
    cpdef long long new_var(self) except -1
    cpdef long long cons(self, long long head, long long tail) except -1
    cpdef long long new_struct(self, long long f, object args) except -1
    cpdef long long functor_of(self, long long c)
    cpdef long long name_of(self, long long c)
    cpdef long long arity_of(self, long long c)
    cpdef long long arg(self, long long c, long long i) except? -1
    cdef long long part(self, long long c, long long i) noexcept
    cpdef long long head(self, long long c)
    cpdef long long tail(self, long long c)
    cpdef int set_arg(self, long long c, long long i, long long value) except -1
    cpdef bint is_ground(self, long long c) except -1
    cpdef bint is_acyclic(self, long long c) except -1
    cpdef list term_vars(self, long long c)
    cdef bint visit_vars(self, long long c, list found) except -1
    cdef long long list_tail(self, long long c) noexcept
    cdef long long new_struct1(self, long long f, long long a) except -1
    cdef long long new_struct2(self, long long f, long long a, long long b) except -1
