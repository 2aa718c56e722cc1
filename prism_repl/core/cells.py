"""The tags of a 64-bit cell: the low three bits say what the other 61 mean.

REF  heap index of a variable (a cell that refers to itself is unbound)
ATM  atom number (negative numbers are the numbered variables of a variant key)
INT  small integer; also the header of a structure (functor number) or of a box
LST  heap index of two cells, head and tail
STR  heap index of a functor header, followed by the arguments
BOX  (index << 1 | in_store) of a box header, followed by raw words: a float or a big integer
GLS  store index of a hash-consed list cell
GST  store index of a hash-consed structure

Terms with the tags GLS, GST live in the ground store: equal ground terms are equal integers.
"""

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

# The bits of a cell in an entry of the store's hash tables; above them are bits of the hash.
ENTRY_SHIFT = 35
HASH_MASK = (1 << 28) - 1


def deref(heap, a):
    """What a cell refers to: no reference, or an unbound variable."""
    while a & 7 == REF:
        b = heap[a >> 3]
        if b == a:
            break
        a = b
    return a


def key_place(key, mask):
    """Where the first-argument key of clauses is looked for first, in a hash table of mask + 1 places."""
    return ((key >> 3) ^ (key >> 10) ^ (key >> 18)) & mask
