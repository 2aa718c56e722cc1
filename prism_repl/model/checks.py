"""Argument checks that PRISM's predicates share.

Each takes the id of the message to print when the argument is wrong, and gives back its Python
value. A variable is an instantiation error, a term of another type a type error, a value out of
range a domain error.
"""

from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError, domain_error, instantiation_error, type_error
from prism_repl.model.messages import prism_error

Source = tuple[str, int] | None


def bound(m: Any, ident: str, c: int, source: Source = None) -> None:
    if c & 7 == REF:
        raise prism_error(m, ident, instantiation_error(), c, source=source)


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


def non_empty_list(m: Any, ident: str, c: int, source: Source = None) -> list[int]:
    """The elements of a list; neither a variable nor [] is one (both are type errors)."""
    items, tail = m.list_items(c)
    if not items or tail != m.nil:
        raise prism_error(m, ident, type_error("list", c), c, source=source)
    return items


def list_or_nil(m: Any, ident: str, c: int, source: Source = None) -> list[int]:
    bound(m, ident, c, source)
    items, tail = m.list_items(c)
    if tail != m.nil:
        raise prism_error(m, ident, type_error("list_or_nil", c), c, source=source)
    return items


def option_list(m: Any, c: int, known: dict[str, Any], source: Source = None) -> dict[str, list[int]]:
    """Options as name -> arguments. `known` says how many arguments (a set) each name takes."""
    options: dict[str, list[int]] = {}
    for item in list_or_nil(m, "2105", c, source):
        if m.is_compound(item) and not m.is_list_cell(item):
            name = m.atom_text(m.name_of(item))
            arguments = [m.arg(item, i) for i in range(m.arity_of(item))]
        else:
            name, arguments = (m.atom_text(item) if item & 7 == ATM else ""), []
        if item & 7 == REF or len(arguments) not in known.get(name, ()):
            raise unknown_option(m, item, source)
        if name in options:
            raise prism_error(
                m, "3003", PrologError("prism_runtime_error", "duplicate_option"), item, source=source
            )
        options[name] = arguments
    return options


def unknown_option(m: Any, item: int, source: Source = None) -> PrologError:
    return prism_error(m, "3002", PrologError("prism_runtime_error", "unknown_option"), item, source=source)
