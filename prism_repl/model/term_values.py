"""Small terms as plain Python values, and back.

An atom is a str, a number an int or a float, a list a list, a compound term a tuple
(name, argument, ...), a variable None. Flag values and distribution forms are handled this way.
"""

import sys
from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import type_error

Plain = Any


def to_plain(m: Any, c: int) -> Plain:
    """The Python value of a term; None for a variable. Cyclic terms have none."""
    if m.is_compound(c) and not m.is_acyclic(c):
        raise type_error("acyclic_term", c)
    work: list[tuple[str, int, int]] = [("term", c, 0)]
    done: list[Plain] = []
    while work:
        step, c, n = work.pop()
        if step == "build":
            arguments = done[len(done) - n :]
            del done[len(done) - n :]
            done.append((m.atom_text(c), *arguments))
            continue
        if step == "list":
            items = done[len(done) - n :]
            del done[len(done) - n :]
            done.append(items if c == m.nil else ("|", *items))
            continue
        c = m.deref(c)
        if c & 7 == REF:
            done.append(None)
        elif c & 7 == ATM:
            done.append([] if c == m.nil else m.atom_text(c))
        elif m.is_number(c):
            done.append(m.number_value(c))
        elif m.is_list_cell(c):
            cells, tail = m.list_items(c)
            if tail != m.nil:
                cells = [*cells, tail]
            work.append(("list", tail, len(cells)))
            work.extend(("term", x, 0) for x in reversed(cells))
        else:
            n = m.arity_of(c)
            work.append(("build", m.name_of(c), n))
            work.extend(("term", m.arg(c, i), 0) for i in range(n - 1, -1, -1))
    return done[0]


def to_cell(m: Any, value: Plain) -> int:
    """The term of a Python value."""
    if isinstance(value, str):
        return m.atom(value)
    if isinstance(value, bool):
        raise TypeError("a truth value is no term")
    if isinstance(value, int):
        return m.int_cell(value)
    if isinstance(value, float):
        return m.float_cell(value)
    if isinstance(value, list):
        return m.list_from([to_cell(m, v) for v in value])
    return m.struct(value[0], *[to_cell(m, v) for v in value[1:]])


def is_number(value: Plain) -> bool:
    """A number that a float holds: not infinity, nan, or an integer that is too large."""
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def all_numbers(value: Plain) -> bool:
    """True for a non-empty list of numbers."""
    return isinstance(value, list) and bool(value) and all(is_number(v) for v in value)
