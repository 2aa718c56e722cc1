"""var/1, atom/1 and the other tests of a term's type."""

from prism_repl.core.cells import ATM, INT, REF
from prism_repl.prolog.builtins.registry import builtin


@builtin("var", 1)
def var(m, c):
    return c & 7 == REF


@builtin("nonvar", 1)
def nonvar(m, c):
    return c & 7 != REF


@builtin("atom", 1)
def atom(m, c):
    return c & 7 == ATM


@builtin("integer", 1)
def integer(m, c):
    return c & 7 == INT or m.is_integer(c)


@builtin("float", 1)
@builtin("real", 1)
def is_float(m, c):
    return m.is_float(c)


@builtin("number", 1)
def number(m, c):
    return m.is_number(c)


@builtin("atomic", 1)
def atomic(m, c):
    return m.is_atomic(c)


@builtin("compound", 1)
def compound(m, c):
    return m.is_compound(c)


@builtin("callable", 1)
def is_callable(m, c):
    return m.is_callable(c)


@builtin("is_list", 1)
def is_list(m, c):
    return m.list_items(c)[1] == m.nil


@builtin("ground", 1)
def ground(m, c):
    return m.is_ground(c)


@builtin("is_array", 1)
def is_array(m, c):
    """Arrays are structures with the functor '[]'."""
    return m.is_compound(c) and m.name_of(c) == m.nil


@builtin("is_bigarray", 1)
def is_bigarray(m, c):
    return m.is_compound(c) and m.atom_text(m.name_of(c)) == "$bigarray"


@builtin("is_hashtable", 1)
def is_hashtable(m, c):
    return m.is_compound(c) and m.arity_of(c) == 1 and m.atom_text(m.name_of(c)) == "$hashtable"
