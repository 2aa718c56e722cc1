from prism_repl.prolog.cells cimport REF, ATM, INT, LST, STR, BOX, GLS, GST
from prism_repl.prolog.memory cimport Memory

# Functor numbers of the evaluables with a fast path: their places in evaluables.FUNCTORS, plus 2.
cdef enum:
    ADD = 2
    SUB = 3
    MUL = 4
    DIV = 5
    QUO = 6
    MOD = 7
    REM = 8
    FLOOR_QUO = 9
    MIN = 10
    MAX = 11
    SHIFT_RIGHT = 12
    SHIFT_LEFT = 13
    BIT_AND = 14
    BIT_OR = 15
    BIT_XOR = 16
    POWER = 18
    NEG = 30
    SAME = 31
    ABS = 32

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
cpdef int compare_numbers(Memory m, long long a, long long b) except -2
