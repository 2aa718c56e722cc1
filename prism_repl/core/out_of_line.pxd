from prism_repl.core.attributes cimport plain_call, resume, wake, wake_before_call, wake_in_clause
from prism_repl.core.between cimport between_first, between_next
from prism_repl.core.clause_access cimport check_clause_access, clause_first, clause_next
from prism_repl.core.common_modes cimport common_mode
from prism_repl.core.comparison cimport compare
from prism_repl.core.goals cimport body_goal, goal_pred, with_arguments
from prism_repl.core.interning cimport intern
from prism_repl.core.numbers cimport compare_values
from prism_repl.core.term_builtins cimport native
from prism_repl.core.unification cimport unify
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef int out_of_line(Machine m, long long what) except -1
cdef int other_work(Machine m, long long what) except -1
cdef int rare_instruction(Machine m, long long op) except -1
cdef int note_term(Machine m) except -1
cdef long long operand_at(Machine m, long long at) noexcept
cdef int arithmetic(Machine m, long long op) except -1
cdef long long binary(Machine m, long long f, long long a, long long b) except? -1
cdef int comparison(Machine m) except -1
cdef int branch_on(Machine m, bint holds, long long following, long long otherwise) except -1
cdef int test(Machine m, long long op) except -1
cdef int call_instruction(Machine m) except -1
cdef int body_instruction(Machine m) except -1
cdef int catch_instruction(Machine m) except -1
cdef int native_instruction(Machine m) except -1
cdef int clause_instruction(Machine m) except -1
cdef int common_instruction(Machine m) except -1
cdef int host_call(Machine m, long long p) except -1
cdef bint call_host(Machine m, long long number, long long n) except -1
cdef int undefined(Machine m, long long p) except -1
cdef int msw_instruction(Machine m) except -1
cdef int failed(Machine m) except -1
cdef int retry(Machine m) except -1
cdef int retry_clause_access(Machine m) except -1
cdef int poll(Machine m, long long nargs) except -1
cdef bint collection_is_due(Machine m) noexcept
cdef int check_signals(Machine m) except -1
cdef int run_cleanups(Machine m, long long nargs) except -1
cdef int collect(Machine m, long long nargs) except -1
cdef int returned(Machine m, int result) except -1
cdef int tabled_call(Machine m) except -1
