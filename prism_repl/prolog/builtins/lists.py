"""List predicates with one answer, where Python pays; the others are in library/lists.pl."""

from functools import cmp_to_key

from prism_repl.prolog.builtins.arguments import check_integer_or_var, integer, items
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.terms import would_unify
from prism_repl.prolog.cells import ATM, REF
from prism_repl.prolog.errors import PrologError, domain_error, resource_error, type_error


@builtin("$length", 3)
def length(m, c, n, more):
    """length/2 when it has one answer: more = []; else more = more(Tail,Count) to be tried."""
    check_integer_or_var(m, n)
    if n & 7 != REF and m.int_value(n) < 0:
        raise domain_error("not_less_than_zero", n)
    cells, tail = m.list_items(c)
    count = len(cells)
    if tail == m.nil:
        return m.unify(n, m.int_cell(count)) and m.unify(more, m.nil)
    if tail & 7 != REF:
        raise type_error("list", c)
    if n & 7 == REF:
        if n == tail:  # length(L,L): no list is its own length
            raise PrologError("resource_error", "finite_memory")
        return m.unify(more, m.struct("more", tail, m.int_cell(count)))
    rest = m.int_value(n) - count
    if rest < 0:
        return False
    if rest > m.heap_limit // 2:
        raise resource_error("memory")
    return m.unify(tail, m.list_from([m.new_var() for _ in range(rest)])) and m.unify(more, m.nil)


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
