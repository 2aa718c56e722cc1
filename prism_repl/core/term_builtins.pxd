from prism_repl.core.attributes cimport copy_with_attributes
from prism_repl.core.clause_access cimport n_retractall
from prism_repl.core.comparison cimport compare
from prism_repl.core.copying cimport copy, freeze
from prism_repl.core.unification cimport unify
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.machine cimport Machine

cdef int native(Machine m, long long number) except -1
cdef int n_functor(Machine m) except -1
cdef int n_arg(Machine m) except -1
cdef int n_univ(Machine m) except -1
cdef long long list_arity(Machine m, long long c) noexcept
cdef int make_from_list(Machine m, long long t, long long f, long long c) except -1
cdef int n_new_list(Machine m) except -1
cdef int n_count_list(Machine m) except -1
cdef int check_list_or_partial(Machine m, long long c) except -1
cdef int n_skip_list(Machine m) except -1
