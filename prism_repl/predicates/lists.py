"""List utilities that look at the elements only: counting, filtering, numeric sorting, groups."""

import functools
from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, instantiation_error, type_error
from prism_repl.model import checks
from prism_repl.model.messages import prism_error
from prism_repl.model.switches import key_of
from prism_repl.prolog.builtins.checks import indicator
from prism_repl.prolog.builtins.registry import builtin


@builtin("countlist", 2)
def countlist(m: Any, given: int, counts: int) -> bool:
    """Element=Count, the most frequent first, then in standard order; variants count as one."""
    tally: dict[Any, list[int]] = {}
    for cell in checks.proper_list(m, "2104", given):
        tally.setdefault(key_of(m, cell), [m.copy(cell), 0])[1] += 1

    def before(a: list[int], b: list[int]) -> int:
        return b[1] - a[1] or m.compare(a[0], b[0])

    pairs = sorted(tally.values(), key=functools.cmp_to_key(before))
    return m.unify(counts, m.list_from([m.struct("=", c, m.int_cell(n)) for c, n in pairs]))


@builtin("countlist", 3)
def countlist_of(m: Any, pattern: int, given: int, count: int) -> bool:
    """How many elements are variants of the pattern."""
    n = sum(1 for cell in checks.proper_list(m, "2104", given) if m.is_variant(pattern, cell))
    return m.unify(count, m.int_cell(n))


def subsumes(m: Any, pattern: int, cell: int) -> bool:
    """Whether the term is an instance of the pattern."""
    instance = m.copy(cell)
    return m.unify(m.copy(pattern), instance) and m.is_variant(instance, cell)


def filtered(m: Any, pattern: int, given: int, wanted: bool) -> list[int]:
    return [cell for cell in checks.proper_list(m, "2104", given) if subsumes(m, pattern, cell) == wanted]


def define_filter(name: str, wanted: bool) -> None:
    @builtin(name, 3)
    def filter_list(m: Any, pattern: int, given: int, result: int) -> bool:
        return m.unify(result, m.list_from(filtered(m, pattern, given, wanted)))

    @builtin(name, 4)
    def filter_and_count(m: Any, pattern: int, given: int, result: int, count: int) -> bool:
        cells = filtered(m, pattern, given, wanted)
        return m.unify(result, m.list_from(cells)) and m.unify(count, m.int_cell(len(cells)))


define_filter("filter", True)
define_filter("filter_not", False)


@builtin("number_sort", 2)
def number_sort(m: Any, given: int, result: int) -> bool:
    """By value, whatever the type; equal numbers stay as they are."""
    cells = checks.proper_list(m, "2104", given)
    if not all(m.is_ground(cell) for cell in cells):
        raise instantiation_error()
    for cell in cells:
        if not m.is_number(cell):
            raise type_error("number", cell)
    return m.unify(result, m.list_from(sorted(cells, key=m.number_value)))


@builtin("egrouplist", 3)
def egrouplist(m: Any, given: int, count: int, groups: int) -> bool:
    """Groups of equal size; the first ones take one more if the list does not divide evenly."""
    cells = checks.proper_list(m, "2104", given)
    n = checks.positive_integer(m, "2106", count)
    size, extra = divmod(len(cells), n)
    result, at = [], 0
    for i in range(n):
        end = at + size + (i < extra)
        result.append(m.list_from(cells[at:end]))
        at = end
    return m.unify(groups, m.list_from(result))


# ---- checks for what is written in Prolog; the last argument is the indicator that an error shall name


@builtin("$check_list", 2)
def check_list(m: Any, given: int, by: int) -> bool:
    checks.proper_list(m, "2104", given, indicator(m, by))
    return True


@builtin("$check_list_to_be", 2)
def check_list_to_be(m: Any, given: int, by: int) -> bool:
    """A list, or what may become one."""
    return list_to_be(m, given) or check_list(m, given, by)


@builtin("$list_to_be", 1)
def list_to_be(m: Any, given: int) -> bool:
    """Whether it is a list or may become one."""
    tail = m.list_items(given)[1]
    return tail & 7 == REF or tail == m.nil


@builtin("$check_list_or_nil", 2)
def check_list_or_nil(m: Any, given: int, by: int) -> bool:
    checks.list_or_nil(m, "2105", given, indicator(m, by))
    return True


@builtin("$check_group_count", 2)
def check_group_count(m: Any, count: int, by: int) -> bool:
    checks.positive_integer(m, "2106", count, indicator(m, by))
    return True


@builtin("$check_size", 2)
def check_size(m: Any, size: int, by: int) -> bool:
    """A length or position: unbound, or an integer that is not negative."""
    if size & 7 == REF:
        return True
    source = indicator(m, by)
    if checks.integer(m, "2111", size, source) < 0:
        raise prism_error(m, "2111", domain_error("not_less_than_zero", size), size, source=source)
    return True


@builtin("$check_operation", 2)
def check_operation(m: Any, operation: int, by: int) -> bool:
    """The name of a predicate."""
    checks.atom(m, "2102", operation, indicator(m, by))
    return True


@builtin("$check_body", 2)
def check_body(m: Any, body: int, by: int) -> bool:
    checks.callable_term(m, "2100", body, indicator(m, by))
    return True


@builtin("$check_function", 2)
def check_function(m: Any, function: int, by: int) -> bool:
    """The name of an arithmetic function."""
    checks.atom(m, "2101", function, indicator(m, by))
    return True
