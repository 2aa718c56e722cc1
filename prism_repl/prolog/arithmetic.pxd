from prism_repl.core.cells cimport REF, ATM, INT, LST, STR, BOX, GLS, GST
from prism_repl.core.memory cimport Memory
from prism_repl.prolog.evaluables cimport *

cdef long long SMALL_LIMIT, EXACT_LIMIT, EVALUABLE_FIRST, UNARY_FIRST, EVALUABLE_END
cdef double PRODUCT_LIMIT

cpdef long long evaluate(Memory m, long long c) except -1
cdef long long atom_value(Memory m, long long c) except -1
cpdef long long apply1(Memory m, long long f, long long a) except -1
cpdef long long apply2(Memory m, long long f, long long a, long long b) except -1
cdef long long slow1(Memory m, long long f, long long a) except -1
cdef long long slow2(Memory m, long long f, long long a, long long b) except -1
cdef long long slow_float2(Memory m, long long f, long long a, long long b) except -1
cdef long long float_result(Memory m, double r) except -1
cdef long long result_cell(Memory m, object value) except -1
cdef long long array_element(Memory m, long long c) except -1
cpdef long long list_place(Memory m, long long cells, long long index) except -1
cpdef long long array_length(Memory m, long long array) except -1
