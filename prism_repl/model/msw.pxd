from prism_repl.core.cells cimport *
from prism_repl.core.instructions cimport *
from prism_repl.core.areas cimport *
from prism_repl.tabling.shortcuts.lookahead cimport Lookahead

cdef class Msw(Lookahead):
    # what tells the outcomes of a switch; what draws; what takes values that are no outcomes
    cdef public object switch_hook, sampler, outside_hook
    # switches by the number of the atom that is their name, and by names of odd kinds
    cdef long long* atom_switch
    cdef public long long atom_switch_size
    cdef public dict odd_switches
    # the KNOWN_MSW instruction whose msw is about to be called
    cdef public long long msw_site
    # of each switch: its stored name, the number of its first instance, where its outcomes begin, their
    # number, and how many of them are there more than once; those before the floor are not used any more
    cdef long long* switch_name
    cdef long long* switch_base
    cdef long long* switch_first
    cdef long long* switch_size
    cdef long long* switch_doubles
    cdef public long long switch_space, switch_count, switch_floor
    # names met last: functor, arguments, switch, generation
    cdef long long* names
    cdef long long* name_words
    cdef long long* outcomes
    # what is called after the outcomes of a switch as branches (the predicate's place, the hub, the argument
    # with the outcome), and the patterns of these calls
    cdef long long* switch_call
    cdef long long* outcome_patterns
    cdef public long long outcomes_size, outcome_count

    cpdef int drop_everything(self) except -1
    cpdef int forget_switches(self) except -1
    cdef long long known_switch(self, long long s, long long name) noexcept
    cdef long long switch_of(self, long long name) except -1
    cdef long long find_switch(self, long long name) except -1
    cdef long long name_place(self, long long name) noexcept
    cdef int msw_first(self) except -1
    cdef int msw_next(self) except -1
    cdef int msw_branch(self, long long s) except -1
    cdef int foresee_outcomes(self, long long s) except -1
    cdef long long outcome_pattern(self, long long s, long long o) except -1
    cdef bint outcome_passed(self, long long i) except -1
    cdef int msw_try(self, long long s, long long i, bint again) except -1
