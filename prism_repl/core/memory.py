# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The memory of a machine: its symbols, heap and ground store; and what Python code does with terms.

The arrays belong to the owners that are held here: symbols.py, heap.py, store.py. Native code asks these,
terms.py and the functions over terms (unification.py, comparison.py, copying.py, interning.py). Python code
asks the memory itself, or the machine: m.deref(c), m.unify(a, b) and so on are forwarded, those of the lists
below and no other.
"""

from functools import partial

import cython

from prism_repl.core import comparison, copying, interning, unification

if not cython.compiled:
    from prism_repl.core.heap import Heap
    from prism_repl.core.interrupts import Interrupts
    from prism_repl.core.store import Store
    from prism_repl.core.symbols import Symbols
    from prism_repl.core.terms import Terms

OF_SYMBOLS = "atom atom_text functor functor_name_of functor_arity_of".split()
OF_TERMS = """
    int_cell float_cell int_value float_value number_value is_float is_big is_integer is_number
    is_atomic is_callable is_list_cell is_compound deref bind new_var cons new_struct struct list_from
    list_items proper_list functor_of name_of arity_of arg head tail set_arg is_ground is_acyclic
    term_vars
""".split()
OVER_TERMS = (
    unification.unify,
    unification.unify_occurs,
    comparison.compare,
    comparison.is_variant,
    copying.copy,
    copying.freeze,
    copying.thaw,
    interning.intern,
    interning.instantiate,
)


class Memory:
    """Holds what terms are made of, and forwards what is done with them."""

    def __init__(self, first_functors=()):
        self.interrupts = Interrupts()
        self.symbols = Symbols(first_functors)
        self.heap = Heap()
        self.store = Store(self.symbols, self.heap)
        self.terms = Terms(self.symbols, self.heap, self.store, self.interrupts)
        self.nil = self.symbols.nil
        for name in OF_SYMBOLS:
            setattr(self, name, getattr(self.symbols, name))
        for name in OF_TERMS:
            setattr(self, name, getattr(self.terms, name))
        for function in OVER_TERMS:
            setattr(self, function.__name__, partial(function, self.terms))
        for owner, name in ((self.heap, "undo_to"), (self.store, "has_numbered_vars")):
            setattr(self, name, getattr(owner, name))
