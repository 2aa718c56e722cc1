from prism_repl.core.sorting cimport sort_list
from prism_repl.core.symbols cimport BUFFER_SIZE
from prism_repl.core.unification cimport unify
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef enum:
    ELSEWHERE = 2

cdef int common_mode(Machine m, long long number) except -1
cdef long long load_list(Machine m, long long c, bint codes) noexcept
cdef long long buffer_list(Machine m, long long end, bint codes) except -1
cdef long long buffer_integer(Machine m, long long end) noexcept
cdef long long load_constant(Machine m, long long c, long long at) except -2
cdef int atom_length(Machine m, long long a, long long length) except -1
cdef int atom_list(Machine m, long long a, long long parts, bint codes) except -1
cdef int number_list(Machine m, long long number, long long parts, bint codes) except -1
cdef int atom_number(Machine m, long long a, long long number) except -1
cdef int char_code(Machine m, long long one, long long code) except -1
cdef bint same_bytes(Machine m, long long a, long long b, long long n) noexcept
cdef int atom_concat(Machine m, long long a, long long b) except -1
cdef int sub_text(Machine m, long long whole, long long before) except -1
cdef long long place(long long c) noexcept
cdef int sub_atom(Machine m, long long whole, long long before) except -1
cdef int other_case(Machine m, long long a, long long result, int first, int change) except -1
cdef long long join_list(Machine m, long long c, long long separator) except -2
cdef int list_concat(Machine m, long long parts, long long whole) except -1
cdef int list_concat_with(Machine m, long long parts, long long separator) except -1
cdef int split(Machine m, long long parts, long long separator, long long whole) except -1
cdef int sort(Machine m, long long c, long long result, long long key, bint descending, bint unique) except -1
cdef int sort_by(Machine m, long long key, long long order) except -1
cdef bint is_small(long long c) noexcept
cdef int succ(Machine m, long long x, long long y) except -1
cdef int plus(Machine m, long long x, long long y) except -1
cdef int length(Machine m, long long c, long long n) except -1
cdef int nth(Machine m, long long place, long long c, long long base) except -1
cdef bint is_dynamic(Machine m, long long head) except -1
cdef int clause_parts(Machine m, long long clause, long long head) except -1
cdef int retractall_check(Machine m, long long head) except -1
