# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Areas: arrays of 64-bit words, or of 32-bit items, that grow by moving.

Compiled they are raw memory, otherwise lists. Whoever makes one grows it and frees it; nobody keeps a pointer
into one over anything that may grow it. In a stress build (tests/checked_build.sh) areas begin at their least
size, grow by the least step and always move, so that whoever does is found.
"""

import cython

from prism_repl.core.errors import resource_error

if not cython.compiled:
    LEAST_AREAS = False
    SLACK = 4096  # words that are there beyond what was asked for

# For tests: so many allocations until one fails; 0: none does.
countdown = 0


def fail_allocation(n):
    """For tests: the n-th allocation from now on fails; 0: none does. Returns how many were left."""
    global countdown
    left = countdown
    countdown = n
    return left


def fails_now():
    global countdown
    if countdown > 0:
        countdown -= 1
        return countdown == 0
    return False


def first_size(n):
    """The size that a new area has: n, a power of two."""
    return 16 if LEAST_AREAS and n > 16 else n


def larger(size, need):
    """The next size of an area that is full, at least `need`."""
    if LEAST_AREAS:
        size += 8 + size // 8
        return size if size > need else need
    size *= 2
    while size < need:
        size *= 2
    return size


def next_size(size, need, limit):
    """The next size of an area that is full: at least `need`, or there is no memory, and at most `limit`."""
    if need > limit:
        raise resource_error("memory")
    size = larger(size, need)
    return size if size < limit else limit


def resized(area, old, new):
    """`area` of `old` bytes with room for `new`; NULL, and the area stays as it is, if there is no memory."""
    if cython.compiled:
        bigger: cython.p_void
        if new > old and fails_now():
            return cython.NULL
        if not LEAST_AREAS:
            return realloc(area, new)  # noqa: F821
        bigger = malloc(new)  # noqa: F821
        if bigger == cython.NULL:
            return bigger
        # whoever reads what was freed, or not yet written, gets words that are no cells
        memset(bigger, 0x5A, new)  # noqa: F821
        memcpy(bigger, area, old if old < new else new)  # noqa: F821
        memset(area, 0x5A, old)  # noqa: F821
        free(area)  # noqa: F821
        return bigger


def new_area(n):
    """An area of n words, all zero."""
    if fails_now():
        raise resource_error("memory")
    if cython.compiled:
        area = cython.cast(cython.p_longlong, calloc(n if n > 0 else 1, 8))  # noqa: F821
        if area == cython.NULL:
            raise resource_error("memory")
        return area
    else:
        return [0] * n


def grow_area(area, old, new):
    """The same area with room for `new` words; the caller must forget the old pointer."""
    if cython.compiled:
        bigger = extend_area(area, old, new)
        if new > old:
            memset(bigger + old, 0, (new - old) * 8)  # noqa: F821
        return bigger
    else:
        if new > old and fails_now():
            raise resource_error("memory")
        if new > old:
            area.extend([0] * (new - old))
        else:
            del area[new:]
        return area


def extend_area(area, old, new):
    """Like grow_area, but new words are not cleared: for areas that are written before they are read."""
    if cython.compiled:
        bigger = cython.cast(cython.p_longlong, resized(area, old * 8, new * 8))
        if bigger == cython.NULL:
            if new <= old:  # it stays larger than it need be
                return area
            raise resource_error("memory")
        return bigger
    else:
        return grow_area(area, old, new)


def renew_area(area, n):
    """An area of n words, all zero, in place of another one; that is freed once the new one is there."""
    fresh: cython.p_longlong = new_area(n)
    free_area(area)
    return fresh


def free_area(area):
    if cython.compiled:
        free(area)  # noqa: F821
    else:
        del area[:]


def new_items(n):
    """An area of n items of 32 bits, not cleared."""
    if fails_now():
        raise resource_error("memory")
    if cython.compiled:
        area = cython.cast(cython.p_int, malloc(n * 4))  # noqa: F821
        if area == cython.NULL:
            raise resource_error("memory")
        return area
    else:
        return [0] * n


def grow_items(area, old, new):
    if cython.compiled:
        bigger = cython.cast(cython.p_int, resized(area, old * 4, new * 4))
        if bigger == cython.NULL:
            if new <= old:
                return area
            raise resource_error("memory")
        return bigger
    else:
        return grow_area(area, old, new)


def free_items(area):
    if cython.compiled:
        free(area)  # noqa: F821
