from prism_repl.prolog.memory cimport *
from prism_repl.prolog.memory cimport Memory, Record
from prism_repl.prolog.cells cimport *
from prism_repl.prolog.instructions cimport *

cdef class Machine(Memory):
    # program
    cdef long long* code
    cdef public long long code_size, code_top
    cdef long long* free_code
    cdef long long* preds
    cdef public long long preds_size, pred_count
    cdef long long* functor_pred
    cdef public long long functor_pred_size
    cdef public long long generation
    cdef public list graveyard, overridden
    cdef public long long graveyard_limit
    # stacks
    cdef long long* env
    cdef public long long env_size
    cdef long long* choice
    cdef public long long choice_size
    cdef long long* x
    cdef public long long x_size
    cdef long long* findall
    cdef public long long findall_size, findall_top, findall_mark
    # registers, valid while run() is not running
    cdef public long long P, E, B, CP, CUT, XT
    cdef public long long ticks, inferences, floor, gc_threshold, gc_stride
    cdef public long long stop_code, fail_code, call_code, answer_code
    # explanation search
    cdef public long long mode
    cdef long long* expl
    cdef public long long expl_size
    cdef int* tables
    cdef public long long tables_size, table_count
    cdef int* answers
    cdef public long long answers_size, answer_count
    cdef int* nodes
    cdef public long long nodes_size, node_count
    cdef int* paths
    cdef public long long paths_size, path_count
    cdef int* items
    cdef public long long items_size, item_count
    cdef long long* running
    cdef public long long running_size, running_top, component_top
    # who read which incomplete table to the end: reader, its round, table, answers it had then
    cdef long long* reads
    cdef public long long reads_size, reads_top
    cdef long long* component
    cdef public long long component_size
    cdef public long long round_number, goal_number
    # pairs of a table and a node of another table that is its answer
    cdef long long* shared
    cdef public long long shared_size, shared_count
    # switches by the number of the atom that is their name; outcomes found last
    cdef long long* atom_switch
    cdef public long long atom_switch_size
    cdef long long* memo
    # where what this search made since the last sweep begins (tables.py)
    cdef public long long young_epoch, young_limit
    cdef public long long young_table, young_answer, young_node, young_path, young_item, young_store
    cdef long long* switch_base
    cdef long long* switch_first
    cdef long long* switch_size
    cdef public long long switch_space, switch_count
    cdef long long* outcomes
    cdef public long long outcomes_size, outcome_count
    cdef public object switch_hook, sampler, collector, tracer
    # Python side
    cdef public list hosts
    cdef public list host_names
    cdef public dict prolog_flags
    cdef public object operators, streams, prob, database, compiler, evaluate, session
    cdef public dict state
    cdef public object pending_error
    # frequently met functors and predicates
    cdef public long long f_plus, f_minus, f_times, f_mod, f_intdiv, f_rem, f_and, f_or, f_shl, f_shr, f_neg, f_div
    cdef public long long f_abs, f_min, f_max
    cdef public long long f_semicolon, f_arrow, f_softarrow, f_not, f_not2, f_neck, a_cut
    cdef public long long p_and, p_or, p_ite, p_ifthen, p_soft, p_not, p_body, p_softthen, p_msw, p_is, p_clause
    cdef public long long a_true, a_fail

    cpdef long long pred(self, long long functor_number) except -1
    cpdef long long find_pred(self, long long functor_number)
    cpdef long long pred_field(self, long long p, long long field)
    cpdef int set_pred_field(self, long long p, long long field, long long value) except -1
    cpdef long long code_word(self, long long at)
    cdef long long alloc_code(self, long long n) except -1
    cdef int release_code(self, long long at, long long n) except -1
    cdef int grow_choice(self, long long need) except -1
    cdef int grow_env(self, long long need) except -1
    cdef int x_room(self, long long n) except -1
    cdef int run(self, bint backtrack) except -1
    cdef long long first_key(self, long long c) noexcept
    cdef long long bucket(self, long long p, long long key) noexcept
    cdef long long push_choice(self, long long kind, long long n) except -1
    cdef int native(self, long long number) except -1
    cdef int n_functor(self) except -1
    cdef int n_arg(self) except -1
    cdef int n_univ(self) except -1
    cdef int n_skip_list(self) except -1
    cdef int findall_begin(self) except -1
    cdef int findall_room(self, long long n) except -1
    cdef int findall_add(self, long long c) except -1
    cdef long long findall_collect(self, long long tail) except -1
    cdef long long unwind(self, object record) except -2
    cdef object error_record(self, object error, long long p)
    cdef long long goal_pred(self, long long goal, long long extra) except -1
    cdef long long with_arguments(self, long long goal, long long extra) except -1
    cdef bint is_control(self, long long c) except -1
    cpdef long long body_goal(self, long long goal) except -1
    cdef int drop_generators(self, long long b) except -1
    cdef int collect(self, long long nargs) except -1
    cdef int set_threshold(self) except -1
    cdef long long inline_pred(self, long long code) except -1
    cdef long long new_struct1(self, long long f, long long a) except -1
    cdef long long new_struct2(self, long long f, long long a, long long b) except -1
    cdef bint small_arith(self, long long f, long long a, long long b) noexcept
    cdef bint compare_values(self, long long op, long long a, long long b) except -1
    cdef long long list_tail(self, long long c) noexcept
    cdef long long code_box(self, long long at, long long n) except -1
    cdef int poll(self, long long nargs) except -1
    cdef int check_signals(self) except -1
    cdef bint call_host(self, long long number, long long n) except -1
    cdef int undefined(self, long long p) except -1
    cdef long long next_clause(self, long long c, long long c2, long long generation) noexcept
    cpdef long long clause_term(self, long long at) except -1
    cdef int clause_access(self) except -1
    cdef int clause_first(self) except -1
    cdef int clause_next(self) except -1
    cdef int clause_step(self, long long c, long long c2, long long generation, bint again) except -1
    cdef long long call_key(self, long long p, long long n) except -1
    cdef long long args_key(self, long long f, long long n) except -1
    cdef long long tagged(self, long long number) noexcept
    cdef long long untagged(self, long long word) noexcept
    cdef long long table_of(self, long long key, long long p) except -1
    cdef long long new_table(self, long long key, long long p) except -1
    cdef long long node_of(self, long long key, long long t) except -1
    cdef int key_word(self, long long key) noexcept
    cdef long long word_key(self, long long word) noexcept
    cdef int table_call(self, long long p) except -1
    cdef int start_evaluation(self, long long t, long long n, bint again) except -1
    cdef int answer(self) except -1
    cdef bint shares(self, long long t, long long node) except -1
    cdef long long pair_hash(self, long long a, long long b) noexcept
    cpdef int forget_shared(self) except -1
    cdef bint same_as_stored(self, long long c, long long g) noexcept
    cdef int record_answer(self, long long t, long long node) except -1
    cdef int record_path(self, long long node, long long mark) except -1
    cdef int generator_done(self) except -1
    cdef int note_read(self, long long t) except -1
    cdef long long outdated(self, long long b, long long d) noexcept
    cdef int evaluate_again(self, long long t) except -1
    cdef long long runner_of(self, long long at) noexcept
    cdef int return_answers(self, long long t, long long n) except -1
    cdef int answers_next(self) except -1
    cdef bint use_answer(self, long long t, long long a, long long n) except -1
    cdef int push_item(self, long long item) except -1
    cdef int drop_generator(self, long long b) except -1
    cdef int drop_table(self, long long t) except -1
    cdef long long switch_of(self, long long name) except -1
    cdef int msw_first(self) except -1
    cdef int msw_next(self) except -1
    cdef int msw_try(self, long long s, long long i, bint again) except -1

    cdef public long long epoch, alt1, alt2, arith_result
    cdef public dict odd_switches

cdef int* new_items(long long n) except NULL
cdef int* grow_items(int* area, long long old, long long new) except NULL
cdef object bytes_of(int* area, long long n)
