"""List utilities that look at the elements only: counting, filtering, numeric sorting, groups."""

import functools
from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, instantiation_error, resource_error, type_error
from prism_repl.model import checks
from prism_repl.model.messages import prism_error
from prism_repl.model.switches import key_of
from prism_repl.prolog.builtins.checks import indicator
from prism_repl.prolog.builtins.registry import builtin, helper

MOST_GROUPS = 1 << 24


@builtin("countlist(+List:list!2104, -Counts) is det")
def countlist(m: Any, cells: list[int], counts: int) -> bool:
    """Element=Count, the most frequent first, then in standard order; variants count as one."""
    tally: dict[Any, list[int]] = {}
    for cell in cells:
        tally.setdefault(key_of(m, cell), [m.copy(cell), 0])[1] += 1

    def before(a: list[int], b: list[int]) -> int:
        return b[1] - a[1] or m.compare(a[0], b[0])

    pairs = sorted(tally.values(), key=functools.cmp_to_key(before))
    return m.unify(counts, m.list_from([m.struct("=", c, m.int_cell(n)) for c, n in pairs]))


@builtin("countlist(@Pattern, +List:list!2104, -N) is det")
def countlist_of(m: Any, pattern: int, cells: list[int], count: int) -> bool:
    """How many elements are variants of the pattern."""
    return m.unify(count, m.int_cell(sum(1 for cell in cells if m.is_variant(pattern, cell))))


def subsumes(m: Any, pattern: int, cell: int) -> bool:
    """Whether the term is an instance of the pattern."""
    instance = m.copy(cell)
    return m.unify(m.copy(pattern), instance) and m.is_variant(instance, cell)


def define_filter(name: str, wanted: bool) -> None:
    @builtin(f"{name}(@Pattern, +List:list!2104, -Found) is det")
    def filter_list(m: Any, pattern: int, cells: list[int], result: int) -> bool:
        return filter_and_count(m, pattern, cells, result, m.new_var())

    @builtin(f"{name}(@Pattern, +List:list!2104, -Found, -N) is det")
    def filter_and_count(m: Any, pattern: int, cells: list[int], result: int, count: int) -> bool:
        found = [cell for cell in cells if subsumes(m, pattern, cell) == wanted]
        return m.unify(result, m.list_from(found)) and m.unify(count, m.int_cell(len(found)))


define_filter("filter", True)
define_filter("filter_not", False)


@builtin("number_sort(+List:list!2104, -Sorted) is det")
def number_sort(m: Any, cells: list[int], result: int) -> bool:
    """By value, whatever the type; equal numbers stay as they are."""
    if not all(m.is_ground(cell) for cell in cells):
        raise instantiation_error()
    for cell in cells:
        if not m.is_number(cell):
            raise type_error("number", cell)
    return m.unify(result, m.list_from(sorted(cells, key=m.number_value)))


def refuse_many(groups: int) -> None:
    """Groups may be empty, but no memory holds any number of them."""
    if groups > MOST_GROUPS:
        raise resource_error("memory")


@builtin("egrouplist(+List:list!2104, +N:positive_integer!2106, -Groups) is det")
def egrouplist(m: Any, cells: list[int], n: int, groups: int) -> bool:
    """Groups of equal size; the first ones take one more if the list does not divide evenly."""
    refuse_many(n)
    size, extra = divmod(len(cells), n)
    result, at = [], 0
    for i in range(n):
        end = at + size + (i < extra)
        result.append(m.list_from(cells[at:end]))
        at = end
    return m.unify(groups, m.list_from(result))


# ---- helpers of library/lists.pl; `by` is the indicator that an error shall name


@helper("$list_to_be", 1)
def list_to_be(m: Any, given: int) -> bool:
    """Whether it is a list or may become one."""
    tail = m.list_items(given)[1]
    return tail & 7 == REF or tail == m.nil


@helper("$check_size", 2)
def check_size(m: Any, size: int, by: int) -> bool:
    """A length or position: unbound, or an integer that is not negative."""
    if size & 7 == REF:
        return True
    source = indicator(m, by)
    if checks.integer(m, "2111", size, source) < 0:
        raise prism_error(m, "2111", domain_error("not_less_than_zero", size), size, source=source)
    return True
