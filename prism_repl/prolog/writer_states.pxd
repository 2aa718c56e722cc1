cdef enum:
    OPENER = 0
    ALNUM = 1
    SYMBOL = 2
    QUOTE = 3
    BREAK = 4

cdef enum:
    ARGUMENT = 0
    LEFT = 1
    OPERAND = 2
    LEFT_OPEN = 3

cdef enum:
    F_TERM = 0
    F_ARGUMENTS = 1
    F_ELEMENTS = 2
    F_INFIX = 3
    F_POSTFIX = 4
    F_CLOSE = 5
    F_LEAVE = 6
    BOUND = 100000
