"""sort/2,3,4, msort/2, keysort/2."""

from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, domain_error, instantiation_error, type_error
from prism_repl.core.sorting import PAIR, sort_list
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.types import TYPES, Type, partial_list

NO_ARGUMENT = 1 << 32  # more than any term has

# order: (descending, duplicates removed)
ORDERS = {
    "@<": (False, True),
    "@=<": (False, False),
    "@>": (True, True),
    "@>=": (True, False),
    "<": (False, True),
    "=<": (False, False),
    ">": (True, True),
    ">=": (True, False),
}


def order_of(m, c):
    if c & 7 == REF:
        raise instantiation_error()
    if m.is_compound(c) or m.is_number(c):
        raise type_error("atom", c)
    if m.atom_text(c) not in ORDERS:
        raise domain_error("order", c)
    return ORDERS[m.atom_text(c)]


TYPES["sort_order"] = Type(order_of)


def sorted_list(m, unsorted, key, descending, unique):
    try:
        return sort_list(m, unsorted, key, descending, unique)
    except PrologError:
        m.proper_list(unsorted)  # what is no list at all is an error before a bad element is
        raise


def sort_into(m, unsorted, result, key, descending, unique):
    cell = sorted_list(m, unsorted, key, descending, unique)
    partial_list(m, result)
    return m.unify(result, cell)


@builtin("sort(+List, -Sorted) is det, protected, kept")
def sort2(m, unsorted, result):
    return sort_into(m, unsorted, result, 0, False, True)


@builtin("msort(+List, -Sorted) is det, protected")
@builtin("sort0(+List, -Sorted) is det")
def msort(m, unsorted, result):
    return sort_into(m, unsorted, result, 0, False, False)


@builtin("keysort(+Pairs, -Sorted) is det, protected, kept")
def keysort(m, unsorted, result):
    cell = sorted_list(m, unsorted, PAIR, False, False)
    partial_list(m, result)
    minus = m.functor(m.atom("-"), 2)
    for item in m.list_items(result)[0]:
        item = m.deref(item)
        if item & 7 != REF and (not m.is_compound(item) or m.functor_of(item) != minus):
            raise type_error("pair", item)
    return m.unify(result, cell)


@builtin("sort(+Order:sort_order, +List, -Sorted) is det")
def sort3(m, order, unsorted, result):
    """B-Prolog: sort('=<',L,S) keeps duplicates, sort('<',L,S) removes them."""
    return sort_into(m, unsorted, result, 0, *order)


@builtin("sort(+Key:nonneg, +Order:sort_order, +List, -Sorted) is det")
def sort4(m, key, order, unsorted, result):
    return sort_into(m, unsorted, result, min(key, NO_ARGUMENT), *order)
