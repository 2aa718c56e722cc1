from prism_repl.core.interning cimport intern
from prism_repl.core.out_of_line cimport check_signals
from prism_repl.core.unification cimport unify
from prism_repl.core.symbols cimport Symbols
from prism_repl.core.heap cimport Heap
from prism_repl.core.store cimport Store
from prism_repl.core.terms cimport Terms
from prism_repl.core.program cimport Program
from prism_repl.core.stacks cimport Stacks
from prism_repl.core.outcomes cimport Outcomes
from prism_repl.tabling.branches cimport Branches
from prism_repl.tabling.shortcuts.shortcuts cimport Shortcuts
from prism_repl.tabling.evaluation cimport Evaluation
from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.core.machine cimport Machine, Switches

cdef class Msw(Switches):
    cdef readonly Symbols symbols
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Terms terms
    cdef readonly Program program
    cdef readonly Stacks stacks
    cdef readonly Outcomes outcomes
    cdef readonly Branches branches
    cdef readonly Shortcuts shortcuts
    cdef readonly Evaluation tabling
    # what tells the outcomes of a switch; what draws; what takes values that are no outcomes
    cdef public object switch_hook, sampler, outside_hook
    # switches by the number of the atom that is their name, and by names of odd kinds
    cdef long long* atom_switch
    cdef public long long atom_switch_size
    # names met last: functor, arguments, switch, generation
    cdef long long* names
    cdef long long* name_words

    cdef long long switch_of(self, Machine m, long long name) except -1
    cdef long long find_switch(self, Machine m, long long name) except -1
    cdef long long name_place(self, long long name) noexcept
    cdef int first(self, Machine m) except -1
    cdef int next(self) except -1
    cdef int msw_branch(self, long long s) except -1
    cdef int msw_try(self, long long s, long long i, bint again) except -1
    cdef int retry(self, Machine m) except -1
    cdef int retry_branch(self) except -1
