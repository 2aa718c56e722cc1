from prism_repl.core.heap cimport Heap
from prism_repl.core.interrupts cimport Interrupts
from prism_repl.core.store cimport Store
from prism_repl.core.symbols cimport Symbols
from prism_repl.core.terms cimport Terms

cdef class Memory:
    cdef readonly Interrupts interrupts
    cdef readonly Symbols symbols
    cdef readonly Heap heap
    cdef readonly Store store
    cdef readonly Terms terms
    # for Python code: native code asks the owners
    cdef readonly long long nil
    cdef public object atom, atom_text, functor, functor_name_of, functor_arity_of
    cdef public object int_cell, float_cell, int_value, float_value, number_value, is_float, is_big, is_integer, is_number
    cdef public object is_atomic, is_callable, is_list_cell, is_compound, deref, bind, new_var, cons, new_struct, struct
    cdef public object list_from, list_items, proper_list, functor_of, name_of, arity_of, arg, head, tail, set_arg
    cdef public object is_ground, is_acyclic, term_vars
    cdef public object unify, unify_occurs, compare, is_variant, copy, freeze, thaw, intern, instantiate
    cdef public object undo_to, has_numbered_vars
