"""The table of built-in predicates written in Python.

A builtin gets the machine and its dereferenced arguments (cells), and returns True or False;
it raises the errors of prolog.errors. It is deterministic: what has several answers is
written in Prolog (library/*.pl) on top of deterministic helpers.
"""

from collections.abc import Callable

from prism_repl.core.errors import PrologError

BUILTINS: dict[tuple[str, int], Callable[..., bool]] = {}


def builtin(
    name: str, arity: int, context: tuple[str, int] | None = None
) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Register a function as the predicate name/arity.

    A helper of a library predicate names that predicate as the context of its errors.
    """

    def register(function: Callable[..., bool]) -> Callable[..., bool]:
        BUILTINS[name, arity] = function if context is None else with_context(function, context)
        return function

    return register


def with_context(function: Callable[..., bool], context: tuple[str, int]) -> Callable[..., bool]:
    def helper(m: object, *args: int) -> bool:
        try:
            return function(m, *args)
        except PrologError as error:
            if error.context is None:
                error.context = context
            raise

    return helper
