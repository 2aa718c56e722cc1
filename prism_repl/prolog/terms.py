"""Prolog terms as plain Python values, for those who use the package from Python.

    integers, floats      int, float
    atoms                 Atom (a str); any str goes in as an atom
    proper lists          list
    other compound terms  Struct(name, *args)
    variables             Var

Inside the machine a term is a cell (core/cells.py); nothing there uses these classes.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable
from typing import Any, Union

Term = Union[int, float, str, list[Any], "Struct", "Var"]


class Atom(str):
    """An atom. It is a str, so it compares, hashes and prints as its text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Atom({str.__repr__(self)})"


class Struct:
    """A compound term: Struct("point", 1, 2) is point(1,2). Immutable; equal when all parts are."""

    __slots__ = ("args", "name")
    __match_args__ = ("name", "args")

    name: str
    args: tuple[Term, ...]

    def __init__(self, name: str, *args: Term) -> None:
        object.__setattr__(self, "name", Atom(name))
        object.__setattr__(self, "args", args)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Struct cannot be changed")

    @property
    def arity(self) -> int:
        return len(self.args)

    def __getitem__(self, i: int) -> Term:
        return self.args[i]

    def __iter__(self) -> Iterable[Term]:
        return iter(self.args)

    def __len__(self) -> int:
        return len(self.args)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and same(self, other)

    def __hash__(self) -> int:
        return hash_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Struct, (self.name, *self.args)

    def __str__(self) -> str:
        """The term as Prolog text."""
        return term_text(self)

    def __repr__(self) -> str:
        return f"Struct({', '.join([str.__repr__(self.name), *map(repr, self.args)])})"


class Var:
    """A variable. Two occurrences in one term are the same variable if they are the same object."""

    __slots__ = ("name",)

    def __init__(self, name: str = "_") -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Var({self.name!r})"

    def __str__(self) -> str:
        return self.name


# Terms may be deep and share parts, so that neither walk is a recursion, and each remembers where it was.


def same(a: Any, b: Any) -> bool:
    """Are two Python values the same term?"""
    met: set[tuple[int, int]] = set()
    work = [(a, b)]
    while work:
        a, b = work.pop()
        if a is b or (id(a), id(b)) in met:
            continue
        if isinstance(a, Struct) and isinstance(b, Struct):
            if a.name != b.name or len(a.args) != len(b.args):
                return False
            met.add((id(a), id(b)))
            work.extend(zip(a.args, b.args, strict=True))
        elif (isinstance(a, list) and isinstance(b, list)) or (isinstance(a, tuple) and isinstance(b, tuple)):
            if len(a) != len(b):
                return False
            met.add((id(a), id(b)))
            work.extend(zip(a, b, strict=True))
        elif isinstance(a, Struct) or a != b:
            return False
    return True


def hash_of(term: Any) -> int:
    """A hash that equal terms share."""
    hashes: dict[int, int] = {}
    work = [term]
    while work:
        value = work[-1]
        if id(value) in hashes:
            work.pop()
            continue
        parts = value.args if isinstance(value, Struct) else value if isinstance(value, (list, tuple)) else ()
        missing = [part for part in parts if id(part) not in hashes]
        if missing:
            work.extend(missing)
            continue
        name = value.name if isinstance(value, Struct) else "[]" if isinstance(value, (list, tuple)) else None
        hashes[id(value)] = (
            hash((name, *[hashes[id(part)] for part in parts])) if name is not None else hash(value)
        )
        work.pop()
    return hashes[id(term)]


@functools.cache
def writing_memory() -> Any:
    """A memory without programs, for writing terms that belong to no session."""
    from prism_repl.core.memory import Memory
    from prism_repl.prolog.operators import Operators

    class Paper(Memory):
        pass

    paper = Paper()
    paper.operators = Operators()
    return paper


WRITING = threading.Lock()


def term_text(term: Term) -> str:
    """A Python value as Prolog text, quoted where it must be; long texts are cut."""
    from prism_repl.prolog.writer import write_term

    with WRITING:
        m = writing_memory()
        top = m.heap.H
        variables: dict[Var, int] = {}
        cell = from_python(m, term, variables)
        names = {c: var.name for var, c in variables.items()}
        text: str = write_term(
            m, cell, quoted=True, numbervars=True, float_format="short", bounded=True, variable_names=names
        )
        m.heap.H = top
        return text


def to_python(m: Any, cell: int, names: dict[int, Var] | None = None) -> Term:
    """The Python value of a cell. `names` maps variable cells to the Vars that stand for them; it grows."""
    names = {} if names is None else names
    results: list[Term] = []
    # Values of cells are shared only in a term that is larger as a tree than the heap.
    limit = m.heap.H + m.store.top + 1000
    known: dict[int, Term] = {}
    steps = 0
    # Post-order with an explicit stack, so that depth is no problem: an int is a cell to convert,
    # a tuple says how to build a value from the last results.
    work: list[Any] = [cell]
    while work:
        item = work.pop()
        if isinstance(item, tuple):
            kind, n, c = item
            parts = results[len(results) - n :]
            del results[len(results) - n :]
            results.append(parts if kind is None else Struct(kind, *parts))
            if steps > limit:
                known[c] = results[-1]
            continue
        c = m.deref(item)
        steps += 1
        if c in known:
            results.append(known[c])
            continue
        if m.is_list_cell(c):
            cells, tail = m.list_items(c)
            if tail == m.nil:
                work.append((None, len(cells), c))
                work.extend(reversed(cells))
            else:
                work.append((".", 2, c))  # a partial list keeps its pairs
                work.extend([(".", 2, 0)] * (len(cells) - 1))
                work.append(tail)
                work.extend(reversed(cells))
        elif m.is_compound(c):
            n = m.arity_of(c)
            work.append((m.atom_text(m.name_of(c)), n, c))
            work.extend(m.arg(c, i) for i in range(n - 1, -1, -1))
        elif m.is_number(c):
            results.append(m.number_value(c))
        elif m.is_atomic(c):
            results.append([] if c == m.nil else Atom(m.atom_text(c)))
        else:
            results.append(names.setdefault(c, Var(f"_G{len(names)}")))
    return results[0]


def from_python(m: Any, term: Term, variables: dict[Var, int] | None = None) -> int:
    """The cell of a Python value. `variables` maps Vars to their cells; it grows."""
    variables = {} if variables is None else variables
    results: list[int] = []
    work: list[Any] = [term]
    around: set[int] = set()  # identities of the lists that the item is in
    while work:
        item = work.pop()
        if isinstance(item, _Build):
            around.discard(item.identity)
            cells = results[len(results) - item.size :]
            del results[len(results) - item.size :]
            if item.name is None:
                results.append(m.list_from(cells))
            elif item.name == "." and item.size == 2:
                results.append(m.cons(cells[0], cells[1]))
            else:
                results.append(m.struct(item.name, *cells))
        elif isinstance(item, bool):
            results.append(m.atom("true" if item else "false"))
        elif isinstance(item, str):
            results.append(m.atom(str(item)))
        elif isinstance(item, int):
            results.append(m.int_cell(item))
        elif isinstance(item, float):
            results.append(m.float_cell(item))
        elif isinstance(item, (list, tuple)):
            if id(item) in around:
                raise TypeError(f"no Prolog term for a {type(item).__name__} that contains itself")
            around.add(id(item))
            work.append(_Build(None, len(item), id(item)))
            work.extend(reversed(item))
        elif isinstance(item, Struct):
            if not item.args:
                results.append(m.atom(str(item.name)))
                continue
            work.append(_Build(str(item.name), len(item.args)))
            work.extend(reversed(item.args))
        elif isinstance(item, Var):
            if item not in variables:
                variables[item] = m.new_var()
            results.append(variables[item])
        elif hasattr(item, "tolist"):  # an array or a scalar of numpy
            work.append(item.tolist())
        else:
            raise TypeError(f"no Prolog term for a {type(item).__name__}: {item!r}")
    return results[0]


class _Build:
    """A mark on the work stack of from_python: build this from the last `size` results."""

    __slots__ = ("identity", "name", "size")

    def __init__(self, name: str | None, size: int, identity: int = 0) -> None:
        self.name = name
        self.size = size
        self.identity = identity  # of the list
