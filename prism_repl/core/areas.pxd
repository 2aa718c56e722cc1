from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    /* tests/checked_build.sh: areas begin as small as they can, grow by the least step, and always move. */
    #ifdef PRISM_LEAST_AREAS
    #undef PRISM_LEAST_AREAS
    #define PRISM_LEAST_AREAS 1
    #define PRISM_SLACK 0
    #else
    #define PRISM_LEAST_AREAS 0
    #define PRISM_SLACK 4096
    #endif
    """
    enum: LEAST_AREAS "PRISM_LEAST_AREAS"
    enum: SLACK "PRISM_SLACK"

cdef long long countdown

cdef long long first_size(long long n) noexcept
cdef long long larger(long long size, long long need) noexcept
cdef long long next_size(long long size, long long need, long long limit) except -1
cdef bint fails_now() noexcept
cdef void* resized(void* area, long long old, long long new) noexcept
cdef long long* new_area(long long n) except NULL
cdef long long* grow_area(long long* area, long long old, long long new) except NULL
cdef long long* extend_area(long long* area, long long old, long long new) except NULL
cdef long long* renew_area(long long* area, long long n) except NULL
cdef void free_area(long long* area) noexcept
cdef int* new_items(long long n) except NULL
cdef int* grow_items(int* area, long long old, long long new) except NULL
cdef void free_items(int* area) noexcept
