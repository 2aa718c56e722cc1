"""Argument checks that PRISM's predicates make themselves: of parts of arguments, and where declarations
(prolog/declarations.py) cannot say what is wanted.

Each takes the id of the message to print when the argument is wrong, and gives back its Python value. One
rule for all of them: what is not bound far enough is an instantiation error, before a term of another type is
a type error, before a value out of range is a domain error.
"""

from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError, instantiation_error, type_error
from prism_repl.model.messages import prism_error
from prism_repl.model.term_values import Plain, to_plain
from prism_repl.prolog.builtins import types

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


def announced(m: Any, check: types.Check, ident: str, c: int, source: Source) -> Any:
    """The value that a check makes of an argument; its errors have the message."""
    try:
        return check(m, c)
    except PrologError as error:
        raise prism_error(m, ident, error, c, source=source) from None


def integer(m: Any, ident: str, c: int, source: Source = None) -> int:
    value: int = announced(m, types.integer, ident, c, source)
    return value


def positive_integer(m: Any, ident: str, c: int, source: Source = None) -> int:
    value: int = announced(m, types.positive_integer, ident, c, source)
    return value


def atom(m: Any, ident: str, c: int, source: Source = None) -> str:
    text: str = announced(m, types.atom, ident, c, source)
    return text


def callable_term(m: Any, ident: str, c: int, source: Source = None) -> int:
    announced(m, types.callable_term, ident, c, source)
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
