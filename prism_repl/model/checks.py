"""Argument checks that PRISM's predicates share.

Each takes the id of the message to print when the argument is wrong, and gives back its Python value. One
rule for all of them: what is not bound far enough is an instantiation error, before a term of another type is
a type error, before a value out of range is a domain error.
"""

from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError, domain_error, instantiation_error, type_error
from prism_repl.model.messages import prism_error
from prism_repl.model.term_values import Plain, to_plain

Source = tuple[str, int] | None


def bound(m: Any, ident: str, c: int, source: Source = None) -> None:
    if c & 7 == REF:
        raise prism_error(m, ident, instantiation_error(), c, source=source)


def ground(m: Any, ident: str, c: int, source: Source = None, *parts: str) -> Plain:
    """The value of a term that must have no variable anywhere."""
    if m.is_compound(c) and not m.is_acyclic(c):
        raise type_error("acyclic_term", c)
    if not m.is_ground(c):
        raise prism_error(m, ident, instantiation_error(), c, *parts, source=source)
    return to_plain(m, c)


def integer(m: Any, ident: str, c: int, source: Source = None) -> int:
    bound(m, ident, c, source)
    if not m.is_integer(c):
        raise prism_error(m, ident, type_error("integer", c), c, source=source)
    return m.int_value(c)


def positive_integer(m: Any, ident: str, c: int, source: Source = None) -> int:
    value = integer(m, ident, c, source)
    if value <= 0:
        raise prism_error(m, ident, domain_error("greater_than_zero", c), c, source=source)
    return value


def number(m: Any, ident: str, c: int, source: Source = None) -> Any:
    bound(m, ident, c, source)
    if not m.is_number(c):
        raise prism_error(m, ident, type_error("number", c), c, source=source)
    return m.number_value(c)


def positive_number(m: Any, ident: str, c: int, source: Source = None) -> Any:
    value = number(m, ident, c, source)
    if value <= 0:
        raise prism_error(m, ident, domain_error("greater_than_zero", c), c, source=source)
    return value


def atom(m: Any, ident: str, c: int, source: Source = None) -> str:
    bound(m, ident, c, source)
    if c & 7 != ATM:
        raise prism_error(m, ident, type_error("atom", c), c, source=source)
    return m.atom_text(c)


def callable_term(m: Any, ident: str, c: int, source: Source = None) -> int:
    bound(m, ident, c, source)
    if not m.is_callable(c):
        raise prism_error(m, ident, type_error("callable", c), c, source=source)
    return c


def proper_list(
    m: Any, ident: str, c: int, source: Source = None, kind: str = "list", *parts: str
) -> list[int]:
    """The elements of a list, which may be empty. Errors call it a `kind`."""
    items, tail = m.list_items(c)
    if tail == m.nil:
        return items
    formal = instantiation_error() if tail & 7 == REF else type_error(kind, c)
    raise prism_error(m, ident, formal, c, *parts, source=source)


def non_empty_list(m: Any, ident: str, c: int, source: Source = None) -> list[int]:
    items = proper_list(m, ident, c, source)
    if not items:
        raise prism_error(m, ident, type_error("list", c), c, source=source)
    return items


def list_or_nil(m: Any, ident: str, c: int, source: Source = None) -> list[int]:
    return proper_list(m, ident, c, source, "list_or_nil")


def list_to_be(m: Any, ident: str, c: int, source: Source = None) -> None:
    """An argument that the predicate binds to a list: if it is bound already, a list."""
    if m.list_items(c)[1] & 7 != REF:
        list_or_nil(m, ident, c, source)


def option_list(m: Any, c: int, known: dict[str, Any], source: Source = None) -> dict[str, list[int]]:
    """Options as name -> arguments. `known` says how many arguments (a set) each name takes."""
    options: dict[str, list[int]] = {}
    items = list_or_nil(m, "2105", c, source)
    for item in items:
        ground(m, "3002", item, source)
    for item in items:
        if m.is_compound(item) and not m.is_list_cell(item):
            name = m.atom_text(m.name_of(item))
            arguments = [m.arg(item, i) for i in range(m.arity_of(item))]
        else:
            name, arguments = (m.atom_text(item) if item & 7 == ATM else ""), []
        if len(arguments) not in known.get(name, ()):
            raise unknown_option(m, item, source)
        if name in options:
            raise prism_error(
                m, "3003", PrologError("prism_runtime_error", "duplicate_option"), item, source=source
            )
        options[name] = arguments
    return options


def unknown_option(m: Any, item: int, source: Source = None) -> PrologError:
    return prism_error(m, "3002", PrologError("prism_runtime_error", "unknown_option"), item, source=source)
