"""The table of built-in predicates: what is declared of each, and the functions of those written in Python.

A builtin gets the machine and its arguments, and returns True or False; it raises the errors of core.errors.
Arguments are dereferenced cells; those that are declared with + and a type have been checked and are Python
values: integers, texts of atoms, lists of cells (see types.py). A builtin is deterministic: what has several
answers is written in Prolog (library/*.pl) on top of deterministic helpers.
"""

from collections.abc import Callable
from typing import Any

from prism_repl.core.errors import EXHAUSTION, PrologError, exhausted
from prism_repl.prolog.builtins.types import Check, check_of
from prism_repl.prolog.declarations import DECLARATIONS, Declaration

Function = Callable[..., bool]
Register = Callable[[Function], Function]
Key = tuple[str, int]

BUILTINS: "dict[Key, Builtin]" = {}


def builtin(text: str) -> Register:
    """Declare a function as a predicate, in the notation of declarations.py."""
    declaration = Declaration(text)
    key = declaration.name, declaration.arity
    DECLARATIONS[key] = declaration

    def register(function: Function) -> Function:
        BUILTINS[key] = Builtin(function, declaration if declaration.is_checked else None)
        return function

    return register


def helper(name: str, arity: int, context: Key | None = None) -> Register:
    """Register a function for the library's own use. Its arguments are what the library gives it: nothing is
    checked. Errors name the predicate `context`."""

    def register(function: Function) -> Function:
        BUILTINS[name, arity] = Builtin(function if context is None else with_context(function, context))
        return function

    return register


def with_context(function: Function, context: Key) -> Function:
    def called(m: object, *args: int) -> bool:
        try:
            return function(m, *args)
        except PrologError as error:
            if error.context is None:
                error.context = context
            raise
        except EXHAUSTION as error:
            raise exhausted(error, context) from None

    return called


def checks_of(declaration: Declaration) -> list[tuple[int, Check]]:
    """The checks of a predicate's arguments: their places, in the order in which they are made."""
    found = [(i, check_of(declaration.arguments[i])) for i in declaration.order]
    return [(i, check) for i, check in found if check is not None]


class Builtin:
    """A function in Python that is a predicate. `unchecked` is its declaration, as long as the checks that
    this asks for are not there yet."""

    __slots__ = ("function", "unchecked")

    def __init__(self, function: Function, unchecked: Declaration | None = None) -> None:
        self.function = function
        self.unchecked = unchecked

    def run(self) -> Function:
        """What a call runs: the function with the checks before it."""
        if self.unchecked is not None:
            self.function, self.unchecked = with_checks(self.unchecked, self.function), None
        return self.function

    def define(self, m: Any, name: str, arity: int) -> None:
        """Make it a predicate of a machine. Checks are put together when it is first called."""

        def first_call(m: Any, *cells: int) -> bool:
            run = m.program.hosts[place] = self.run()
            return run(m, *cells)

        place = len(m.program.hosts)
        m.program.define_host(name, arity, self.function if self.unchecked is None else first_call)


def with_checks(declaration: Declaration, function: Function) -> Function:
    """The function with checks before it: compiled from a text, as a loop over checks would be slower."""
    checks = checks_of(declaration)
    names = [f"a{i}" for i in range(declaration.arity)]
    lines = [f"    a{i} = check{i}(m, a{i})" for i, _ in checks]
    text = [f"def checked(m, {', '.join(names)}):", *lines, f"    return function(m, {', '.join(names)})"]
    known: dict[str, Any] = {f"check{i}": check for i, check in checks} | {"function": function}
    exec("\n".join(text), known)
    checked: Function = known["checked"]
    return checked
