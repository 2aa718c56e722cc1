"""What builtins do with their arguments."""

from prism_repl.core.cells import LST, STR
from prism_repl.core.errors import permission_error


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
