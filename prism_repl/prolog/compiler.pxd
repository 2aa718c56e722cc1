from prism_repl.core.copying cimport flatten
from prism_repl.core.machine cimport Machine
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *

cdef enum:
    # what the compiler knows of a variable, VSIZE words each
    V_COUNT = 0
    V_CHUNK = 1
    V_PERM = 2
    V_REG = 3
    V_Y = 4
    V_IN_Y = 5
    V_WANT = 6
    V_SEEN = 7
    VSIZE = 8
    # kinds of goals
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

cdef class Compiler:
    cdef Machine m
    cdef long long* src
    cdef long long src_size, n
    cdef long long* boxes
    cdef long long boxes_size, nboxes
    cdef long long* v
    cdef long long v_size
    cdef long long* out
    cdef long long out_size, o
    cdef list labels, variables
    cdef public dict goal_kinds
    cdef long long base, temp, chunk, slots, max_x, arity, level_y, depth
    cdef long long kept  # cells of the clause as it was given
    cdef bint rooms  # the code asks for room
    cdef long long room_at
    cdef bint has_env, env_done, needs_level, loaded
    cdef bint binds  # what came since the last call may have bound a variable of the caller
    cdef bint cuts  # the clause has a cut, outside conditions
    cdef long long shallow  # how its neck ends: C_SHALLOW
    cdef long long alloc_at
    cdef long long* regvar
    cdef long long regvar_size

    cpdef long long compile(self, long long clause, bint keep_term, long long line) except -1
    cdef int load(self, long long clause) except -1
    cdef int emit_wake(self) except -1
    cdef int source_room(self, long long more) except -1
    cdef long long name_shared_parts(self, long long clause) except -1
    cdef set goal_cells(self, long long clause, dict uses)
    cdef int ask_room(self) except -1
    cdef int close_room(self) except -1
    cdef int write_code(self, long long head, long long body) except -1
    cdef bint has_cut(self, long long c) except -1
    cdef bint neck_cuts(self, long long c) except -1
    cdef long long tried_neck(self, long long head, long long body, long long start) except -1
    cdef int emit(self, long long w) except -1
    cdef int emit2(self, long long a, long long b) except -1
    cdef int emit3(self, long long a, long long b, long long c) except -1
    cdef int scan_term(self, long long c) except -1
    cdef int scan_var(self, long long v) except -1
    cdef int scan_body(self, long long c, bint last) except -1
    cdef bint is_simple_test(self, long long c) except -1
    cdef int goal_kind(self, long long c) except -1
    cdef long long goal_op(self, long long c) except -1
    cdef int needs_env(self, long long body) except -1
    cdef int head_args(self, long long head) except -1
    cdef long long new_temp(self) except -1
    cdef int unify_struct(self, long long reg, long long c) except -1
    cdef int unify_arg(self, long long c, bint last, list queue) except -1
    cdef int emit_box(self, long long op, long long reg, long long c) except -1
    cdef int body(self, long long c, bint last, long long fail_label, long long cut_y) except -1
    cdef int goal(self, long long c, bint last, long long fail_label, long long cut_y) except -1
    cdef int call_goal(self, long long c, bint last) except -1
    cdef int load_args(self, long long c, long long n) except -1
    cdef int load_arg(self, long long c, long long k, long long goal, long long n) except -1
    cdef int build(self, long long reg, long long c) except -1
    cdef int build_spines(self, long long reg, long long c) except -1
    cdef long long ground_size(self, long long c) except -1
    cdef bint occurs(self, long long v, long long c) except -1
    cdef int evict(self, long long k, long long v, long long goal, long long n) except -1
    cdef long long reg_of(self, long long c) except -1
    cdef int unify_goal(self, long long a, long long b) except -1
    cdef int arith_goal(self, long long c) except -1
    cdef int operand(self, long long c, list result) except -1
    cdef int disjunction(self, long long c, bint last, long long cut_y) except -1
    cdef int allocate(self) except -1
    cdef int init_branch_vars(self, long long c) except -1
    cdef int new_slot(self) except -1
    cdef int end(self) except -1
    cdef long long label(self) except -1
    cdef int place(self, long long label) except -1
    cdef int emit_label(self, long long label) except -1
    cdef int enter_chunk(self, long long c) except -1
    cdef long long constant_fact(self, long long clause, bint keep_term, long long line) except -1
    cdef long long source_cell(self, long long c) except -1
    cdef bint new_in_registers(self, long long a, long long b) except -1
    cdef int choose_reg(self, long long v) except -1
    cdef int allocate_if_needed(self, bint last) except -1
    cdef int emit_spine(self, long long reg, long long c, dict parts) except -1
    cdef int build_arg(self, long long c) except -1
    cdef int new_chunk(self) except -1
    cdef int branch(self, long long c, bint last, long long cut_y, long long end) except -1
    cdef int plain_or(self, long long first, long long other, bint last, long long cut_y) except -1
    cdef bint is_plain_or(self, long long c) except -1
    cdef long long link(self, long long pred, bint keep_term, long long line, long long head) except -1
