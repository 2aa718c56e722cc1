"""Terms for tests of the parts below the reader: Python values to cells and back.

int, float: numbers; str: atoms ("_X": a variable by that name); list: a list;
tuple: a structure ("f", arg, ...).
"""

from prism_repl.prolog.builtins.registry import BUILTINS
from prism_repl.prolog.cells import ATM, REF
from prism_repl.prolog.errors import PrologError


def build(m, value, names=None):
    names = {} if names is None else names
    if isinstance(value, float):
        return m.float_cell(value)
    if isinstance(value, int):
        return m.int_cell(value)
    if isinstance(value, str):
        if value.startswith("_"):
            if value not in names:
                names[value] = m.new_var()
            return names[value]
        return m.atom(value)
    if isinstance(value, list):
        return m.list_from([build(m, x, names) for x in value])
    return m.struct(value[0], *[build(m, x, names) for x in value[1:]])


def value_of(m, c):
    """The Python value of a cell; variables become "_"."""
    c = m.deref(c)
    if c & 7 == REF:
        return "_"
    if c & 7 == ATM:
        return [] if c == m.nil else m.atom_text(c)
    if m.is_number(c):
        return m.number_value(c)
    items, tail = m.list_items(c)
    if items:
        values = [value_of(m, x) for x in items]
        return values if tail == m.nil else ("|", *values, value_of(m, tail))
    return (m.atom_text(m.name_of(c)), *[value_of(m, m.arg(c, i)) for i in range(m.arity_of(c))])


def ask(m, predicate, *args):
    """Call the builtin predicate; the values of its arguments afterwards, or None for failure."""
    names = {}
    cells = [build(m, a, names) for a in args]
    if BUILTINS[predicate, len(args)](m, *[m.deref(c) for c in cells]):
        return [value_of(m, c) for c in cells]
    return None


def error_of(m, predicate, *args):
    """The formal error term, as a Python value, that the builtin raises."""
    try:
        result = ask(m, predicate, *args)
    except PrologError as error:
        return value_of(m, error.formal(m))
    raise AssertionError(f"no error but {result}")
