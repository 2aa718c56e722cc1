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
