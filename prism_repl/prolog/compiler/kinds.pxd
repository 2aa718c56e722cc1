cdef enum:
    G_CALL = 0
    G_TRUE = 1
    G_FAIL = 2
    G_CUT = 3
    G_UNIFY = 4
    G_EQUAL = 5
    G_TEST = 6
    G_COMPARE = 7
    G_IS = 8
    G_CMP = 9
    G_AND = 10
    G_OR = 11
    G_THEN = 12
    G_SOFT = 13
    G_NOT = 14
    G_ONCE = 15
