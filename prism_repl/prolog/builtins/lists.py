"""List predicates with one answer, where Python pays; the others are in library/lists.pl."""

from functools import cmp_to_key

from prism_repl.prolog.builtins.arguments import integer, items
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.terms import would_unify
from prism_repl.prolog.cells import ATM, REF
from prism_repl.prolog.errors import resource_error


@builtin("memberchk", 2)
def memberchk(m, x, c):
    """The first element that unifies; no choice is left."""
    if x & 7 == ATM or m.is_number(x):
        # constants are compared without a trail
        while m.is_list_cell(c):
            head = m.head(c)
            if head == x or ((head & 7 == REF or m.is_number(head)) and m.unify(head, x)):
                return True
            c = m.tail(c)
    else:
        while m.is_list_cell(c):
            head = m.head(c)
            if would_unify(m, x, head):
                return m.unify(x, head)
            c = m.tail(c)
    if c & 7 == REF:
        return m.unify(c, m.cons(x, m.new_var()))
    return False


@builtin("reverse", 2)
def reverse(m, c, reversed_list):
    cells = m.proper_list(c)
    cells.reverse()
    return m.unify(reversed_list, m.list_from(cells))


@builtin("numlist", 3)
def numlist(m, low, high, numbers):
    first, last = integer(m, low), integer(m, high)
    if last < first:
        return False
    if last - first > m.heap_limit // 2:
        raise resource_error("memory")
    return m.unify(numbers, m.list_from([m.int_cell(i) for i in range(first, last + 1)]))


@builtin("list_to_set", 2)
def list_to_set(m, c, unique):
    """The elements without later ones that are identical (==) to an earlier one."""
    cells = items(m, c)
    places = sorted(range(len(cells)), key=cmp_to_key(lambda i, j: m.compare(cells[i], cells[j])))
    kept = [i for k, i in enumerate(places) if k == 0 or m.compare(cells[places[k - 1]], cells[i]) != 0]
    return m.unify(unique, m.list_from([cells[i] for i in sorted(kept)]))


@builtin("$skip_list", 3)
def skip_list(m, c, length, tail):
    """The number of elements of a list or partial list, and its tail."""
    cells, end = m.list_items(c)
    return m.unify(length, m.int_cell(len(cells))) and m.unify(tail, end)
