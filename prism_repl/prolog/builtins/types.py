"""The types of arguments, as declarations name them: what a check accepts, which errors it raises, and the
Python value that it makes of the argument.

One rule for all: what is not bound far enough is an instantiation error, before a term of another type is a
type error, before a value out of range is a domain error.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError, domain_error, instantiation_error, type_error
from prism_repl.prolog.declarations import Argument

Check = Callable[[Any, int], Any]


def bound(m: Any, c: int) -> int:
    if c & 7 == REF:
        raise instantiation_error()
    return c


def integer(m: Any, c: int) -> int:
    if m.is_integer(c):
        return m.int_value(c)
    raise type_error("integer", bound(m, c))


def nonneg(m: Any, c: int) -> int:
    value = integer(m, c)
    if value < 0:
        raise domain_error("not_less_than_zero", c)
    return value


def positive_integer(m: Any, c: int) -> int:
    value = integer(m, c)
    if value <= 0:
        raise domain_error("greater_than_zero", c)
    return value


def number(m: Any, c: int) -> Any:
    if m.is_number(c):
        return m.number_value(c)
    raise type_error("number", bound(m, c))


def positive_number(m: Any, c: int) -> Any:
    value = number(m, c)
    if value <= 0:
        raise domain_error("greater_than_zero", c)
    return value


def integer_if_bound(m: Any, c: int) -> int:
    if c & 7 != REF and not m.is_integer(c):
        raise type_error("integer", c)
    return c


def number_if_bound(m: Any, c: int) -> int:
    if c & 7 != REF and not m.is_number(c):
        raise type_error("number", c)
    return c


def atom_if_bound(m: Any, c: int) -> int:
    if c & 7 != REF and c & 7 != ATM:
        raise type_error("atom", c)
    return c


def atom(m: Any, c: int) -> str:
    if c & 7 == ATM:
        return m.atom_text(c)
    raise type_error("atom", bound(m, c))


def file_name(m: Any, c: int) -> int:
    """An atom; what opens the file wants the cell."""
    atom(m, c)
    return c


def atomic(m: Any, c: int) -> int:
    if m.is_atomic(c):
        return c
    raise type_error("atomic", bound(m, c))


def callable_term(m: Any, c: int) -> int:
    if m.is_callable(c):
        return c
    raise type_error("callable", bound(m, c))


def compound(m: Any, c: int) -> int:
    if m.is_compound(c):
        return c
    raise type_error("compound", bound(m, c))


def list_of_cells(m: Any, c: int) -> list[int]:
    return m.proper_list(c)


def partial_list(m: Any, c: int) -> int:
    """A list, or what may become one."""
    tail = m.list_items(c)[1]
    if tail & 7 != REF and tail != m.nil:
        raise type_error("list", c)
    return c


def list_or_nil(m: Any, c: int) -> list[int]:
    """A list, which may be empty; PRISM's errors say so."""
    items, tail = m.list_items(c)
    if tail == m.nil:
        return items
    raise instantiation_error() if tail & 7 == REF else type_error("list_or_nil", c)


def partial_list_or_nil(m: Any, c: int) -> int:
    if m.list_items(c)[1] & 7 != REF:
        list_or_nil(m, c)
    return c


def non_empty_list(m: Any, c: int) -> list[int]:
    items = m.proper_list(c)
    if not items:
        raise type_error("list", c)
    return items


class Type(NamedTuple):
    """`check` is for +, `check_bound` for ? where that is not just the check of what is bound, or can be had
    for less."""

    check: Check
    check_bound: Check | None = None


TYPES: dict[str, Type] = {
    "bound": Type(bound),
    "integer": Type(integer, integer_if_bound),
    "nonneg": Type(nonneg),
    "positive_integer": Type(positive_integer),
    "number": Type(number, number_if_bound),
    "positive_number": Type(positive_number),
    "atom": Type(atom, atom_if_bound),
    "file_name": Type(file_name),
    "atomic": Type(atomic),
    "callable": Type(callable_term),
    "compound": Type(compound),
    "list": Type(list_of_cells, partial_list),
    "list_or_nil": Type(list_or_nil, partial_list_or_nil),
    "non_empty_list": Type(non_empty_list),
}
# What an argument is for people and for completion: the predicate itself looks at it.
UNCHECKED = {
    "switch", "outcome", "distribution", "flag", "flag_value", "file", "options", "load_options", "topic",
    "expression", "stream", "clause", "indicator", "indicators",
}  # fmt: skip


def if_bound(check: Check) -> Check:
    """The check of an argument that may be unbound; the argument stays a cell."""

    def check_if_bound(m: Any, c: int) -> int:
        if c & 7 != REF:
            check(m, c)
        return c

    return check_if_bound


def announced(check: Check, message: str) -> Check:
    """The check, with a message of PRISM's catalogue when it fails."""

    def check_and_announce(m: Any, c: int) -> Any:
        try:
            return check(m, c)
        except PrologError as error:
            raise m.state["announce"](m, message, error, c) from None

    return check_and_announce


def check_of(argument: Argument) -> Check | None:
    """The check that a declared argument needs."""
    type_ = TYPES.get(argument.type)
    if type_ is None or argument.mode not in "+?":
        return None
    check = type_.check
    if argument.mode == "?":
        check = type_.check_bound or if_bound(check)
    return announced(check, argument.message) if argument.message else check
