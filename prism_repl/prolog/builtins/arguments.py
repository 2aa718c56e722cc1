"""Checks of builtin arguments: each returns a Python value or raises the ISO error."""

from prism_repl.core.cells import ATM, LST, REF, STR
from prism_repl.core.errors import domain_error, instantiation_error, permission_error, type_error


def integer(m, c):
    """The value of an integer argument."""
    if c & 7 == REF:
        raise instantiation_error()
    if not m.is_integer(c):
        raise type_error("integer", c)
    return m.int_value(c)


def natural(m, c):
    """The value of an integer argument that is not negative."""
    value = integer(m, c)
    if value < 0:
        raise domain_error("not_less_than_zero", c)
    return value


def atom(m, c):
    """The text of an atom argument."""
    if c & 7 == REF:
        raise instantiation_error()
    if c & 7 != ATM:
        raise type_error("atom", c)
    return m.atom_text(c)


def check_integer_or_var(m, c):
    if c & 7 != REF and not m.is_integer(c):
        raise type_error("integer", c)


def check_natural_or_var(m, c):
    if c & 7 != REF:
        natural(m, c)


def check_atom_or_var(m, c):
    if c & 7 != REF and c & 7 != ATM:
        raise type_error("atom", c)


def check_list_or_partial(m, c):
    """An output list must be a list or may become one."""
    tail = m.list_items(c)[1]
    if tail & 7 != REF and tail != m.nil:
        raise type_error("list", c)


def items(m, c):
    """The dereferenced elements of a proper list."""
    return [m.deref(x) for x in m.proper_list(c)]


def compound_items(m, c, name, arity):
    """The arguments of c if it is name/arity, else None."""
    if m.is_compound(c) and m.arity_of(c) == arity and m.atom_text(m.name_of(c)) == name:
        return [m.arg(c, i) for i in range(arity)]
    return None


def assign(m, c, i, value):
    """Destructive assignment to argument i, counted from 0, undone on backtracking."""
    if c & 7 != STR and c & 7 != LST:  # a ground term shared in the store
        raise permission_error("modify", "shared_term", c)
    m.set_arg(c, i, value)
