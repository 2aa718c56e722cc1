"""The table of built-in predicates written in Python.

A builtin gets the machine and its dereferenced arguments (cells), and returns True or False;
it raises the errors of prolog.errors. It is deterministic: what has several answers is
written in Prolog (library/*.pl) on top of deterministic helpers.
"""

from collections.abc import Callable

BUILTINS: dict[tuple[str, int], Callable[..., bool]] = {}


def builtin(name: str, arity: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Register a function as the predicate name/arity."""

    def register(function: Callable[..., bool]) -> Callable[..., bool]:
        BUILTINS[name, arity] = function
        return function

    return register
