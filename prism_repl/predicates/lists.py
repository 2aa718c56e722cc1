"""List utilities that look at the elements only: counting, filtering, numeric sorting, groups."""

import functools
from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, domain_error, type_error
from prism_repl.model import checks
from prism_repl.model.messages import prism_error
from prism_repl.model.switches import key_of
from prism_repl.prolog.builtins.registry import builtin


def proper_list(m: Any, c: int, source: checks.Source = None) -> list[int]:
    """The elements of a list, which may be empty; anything else, a variable too, is a type error."""
    items, tail = m.list_items(c)
    if tail != m.nil:
        raise prism_error(m, "2104", type_error("list", c), c, source=source)
    return items


@builtin("countlist", 2)
def countlist(m: Any, given: int, counts: int) -> bool:
    """Element=Count, the most frequent first, then in standard order; variants count as one."""
    tally: dict[Any, list[int]] = {}
    for cell in proper_list(m, given):
        tally.setdefault(key_of(m, cell), [m.copy(cell), 0])[1] += 1

    def before(a: list[int], b: list[int]) -> int:
        return b[1] - a[1] or m.compare(a[0], b[0])

    pairs = sorted(tally.values(), key=functools.cmp_to_key(before))
    return m.unify(counts, m.list_from([m.struct("=", c, m.int_cell(n)) for c, n in pairs]))


@builtin("countlist", 3)
def countlist_of(m: Any, pattern: int, given: int, count: int) -> bool:
    """How many elements are variants of the pattern."""
    n = sum(1 for cell in proper_list(m, given) if m.is_variant(pattern, cell))
    return m.unify(count, m.int_cell(n))


def subsumes(m: Any, pattern: int, cell: int) -> bool:
    """Whether the term is an instance of the pattern."""
    instance = m.copy(cell)
    return m.unify(m.copy(pattern), instance) and m.is_variant(instance, cell)


def filtered(m: Any, pattern: int, given: int, wanted: bool) -> list[int]:
    return [cell for cell in proper_list(m, given) if subsumes(m, pattern, cell) == wanted]


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
    """By value, whatever the type; equal numbers stay as they are. A single element is compared with none."""
    cells = proper_list(m, given)
    for cell in cells if len(cells) > 1 else []:
        if cell & 7 == REF:
            raise PrologError("instantiation_error")
        if not m.is_number(cell):
            raise type_error("number", cell)
    ordered = sorted(cells, key=m.number_value) if len(cells) > 1 else cells
    return m.unify(result, m.list_from(ordered))


@builtin("egrouplist", 3)
def egrouplist(m: Any, given: int, count: int, groups: int) -> bool:
    """Groups of equal size; the first ones take one more if the list does not divide evenly."""
    cells = proper_list(m, given)
    n = checks.positive_integer(m, "2106", count)
    size, extra = divmod(len(cells), n)
    result, at = [], 0
    for i in range(n):
        end = at + size + (i < extra)
        result.append(m.list_from(cells[at:end]))
        at = end
    return m.unify(groups, m.list_from(result))


# ---- checks for what is written in Prolog; the last argument is the indicator that an error shall name


def source_of(m: Any, indicator: int) -> tuple[str, int]:
    return m.atom_text(m.arg(indicator, 0)), m.int_value(m.arg(indicator, 1))


@builtin("$check_list", 2)
def check_list(m: Any, given: int, indicator: int) -> bool:
    proper_list(m, given, source_of(m, indicator))
    return True


@builtin("$check_group_count", 2)
def check_group_count(m: Any, count: int, indicator: int) -> bool:
    checks.positive_integer(m, "2106", count, source_of(m, indicator))
    return True


@builtin("$check_size", 2)
def check_size(m: Any, size: int, indicator: int) -> bool:
    """A length or position: unbound, or an integer that is not negative."""
    if size & 7 == REF:
        return True
    source = source_of(m, indicator)
    if checks.integer(m, "2111", size, source) < 0:
        raise prism_error(m, "2111", domain_error("not_less_than_zero", size), size, source=source)
    return True


@builtin("$check_operation", 2)
def check_operation(m: Any, operation: int, indicator: int) -> bool:
    checks.callable_term(m, "2102", operation, source_of(m, indicator))
    return True


@builtin("$check_body", 2)
def check_body(m: Any, body: int, indicator: int) -> bool:
    checks.callable_term(m, "2100", body, source_of(m, indicator))
    return True


@builtin("$check_function", 2)
def check_function(m: Any, function: int, indicator: int) -> bool:
    """The name of an arithmetic function."""
    checks.atom(m, "2101", function, source_of(m, indicator))
    return True
