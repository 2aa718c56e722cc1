"""var/1, atom/1 and the other tests of a term's type."""

from prism_repl.prolog.builtins.registry import builtin


@builtin("real(@X) is semidet")
def is_float(m, c):
    return m.is_float(c)


@builtin("is_array(@Array) is semidet")
def is_array(m, c):
    """Arrays are structures with the functor '[]'."""
    return m.is_compound(c) and m.name_of(c) == m.nil


@builtin("is_bigarray(@Array) is semidet")
def is_bigarray(m, c):
    return m.is_compound(c) and m.atom_text(m.name_of(c)) == "$bigarray"


@builtin("is_hashtable(@Table) is semidet")
def is_hashtable(m, c):
    return m.is_compound(c) and m.arity_of(c) == 1 and m.atom_text(m.name_of(c)) == "$hashtable"
