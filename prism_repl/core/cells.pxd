# The tags of a 64-bit cell, as C constants; cells.py has them for uncompiled runs.
cdef enum:
    REF = 0
    ATM = 1
    INT = 2
    LST = 3
    STR = 4
    BOX = 5
    GLS = 6
    GST = 7
    FLOAT_BOX = 1
    BIG_BOX = 2
    ENTRY_SHIFT = 35
    HASH_MASK = 0xFFFFFFF
