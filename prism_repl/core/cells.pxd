# The tags of a 64-bit cell, as C constants, and functions that all share; cells.py has them for uncompiled runs.
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

cdef inline long long deref(const long long* heap, long long a) noexcept nogil:
    cdef long long b
    while a & 7 == REF:
        b = heap[a >> 3]
        if b == a:
            break
        a = b
    return a

cdef inline long long key_place(long long key, long long mask) noexcept nogil:
    return ((key >> 3) ^ (key >> 10) ^ (key >> 18)) & mask
