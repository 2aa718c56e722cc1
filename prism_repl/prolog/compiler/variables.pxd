from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.prolog.compiler.kinds cimport *
from prism_repl.prolog.compiler.source cimport Source

cdef enum:
    # what is known of a variable, VSIZE words each
    V_COUNT = 0
    V_CHUNK = 1
    V_PERM = 2
    V_REG = 3
    V_Y = 4
    V_IN_Y = 5
    V_WANT = 6
    V_SEEN = 7
    VSIZE = 8
    # where a variable is, or is to be if this is its first occurrence
    IN_REGISTER = 0
    IN_SLOT = 1
    NEW_IN_REGISTER = 2
    NEW_IN_SLOT = 3
    ONLY_HERE = 4
    # what is in an argument register that no variable has
    FREE = -1
    BUSY = -2

cdef class Variables:
    cdef Source source
    cdef long long* v
    cdef long long v_size
    cdef list variables
    cdef long long* holders
    cdef long long holders_size
    cdef long long base, temp, max_x, chunk, slots, depth
    cdef bint needs_env, env_done, needs_level

    cdef int scan(self, long long arity) except -1
    cdef int count(self, long long v) except -1
    cdef int scan_term(self, long long c) except -1
    cdef int scan_body(self, long long c, bint last) except -1
    cdef int give_slots(self) except -1
    cdef int give_registers(self, long long arity) except -1
    cdef int note_wishes(self, long long c) except -1
    cdef bint seen(self, long long v) noexcept
    cdef bint in_slot(self, long long v) noexcept
    cdef bint awaits_slot(self, long long v) noexcept
    cdef long long reg(self, long long v) noexcept
    cdef long long slot(self, long long v) noexcept
    cdef int meet(self, long long v) noexcept
    cdef bint both_new(self, long long a, long long b) except -1
    cdef bint second_new(self, long long a, long long b) except -1
    cdef int arrives_in(self, long long v, long long i) noexcept
    cdef int put_in(self, long long v, long long r) noexcept
    cdef int set_register(self, long long v, long long r) noexcept
    cdef int choose_register(self, long long v) noexcept
    cdef long long holder(self, long long r) noexcept
    cdef int free(self, long long r) noexcept
    cdef int argument_read(self, long long r) noexcept
    cdef int new_chunk(self) noexcept
    cdef long long new_temp(self) noexcept
    cdef long long spare(self) noexcept
    cdef long long new_slot(self) noexcept
    cdef list enter_environment(self)
