"""Taking terms apart, building, copying and comparing them."""

from zlib import crc32

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import type_error
from prism_repl.prolog.builtins.arguments import (
    assign,
)
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.occurs_check import unify_checked

# ---- taking apart, building


@builtin("setarg(+N:nonneg, +Term:compound, +Value) is semidet")
def setarg(m, n, term, value):
    """Destructive assignment, undone on backtracking."""
    if not 1 <= n <= m.arity_of(term):
        return False
    assign(m, term, n - 1, value)
    return True


# ---- variables


@builtin("vars_set(+Term, ?Variables:list) is semidet")
def vars_set(m, term, variables):
    return m.unify(variables, m.list_from(m.term_vars(term)))


@builtin("term_variables(+Term, -Variables, -Tail) is det")
def term_variables_tail(m, term, variables, tail):
    return m.unify(variables, m.list_from(m.term_vars(term), tail))


@builtin("numbervars(?Term, +Start:integer, ?End:integer) is semidet")
@builtin("number_vars(?Term, +Start:integer, ?End:integer) is semidet, protected")
def numbervars(m, term, n, end):
    """Bind each variable of term to '$VAR'(N), from N on."""
    f = m.functor(m.atom("$VAR"), 1)
    for variable in m.term_vars(term):
        m.bind(variable, m.new_struct(f, [m.int_cell(n)]))
        n += 1
    return m.unify(end, m.int_cell(n))


@builtin("numbervars(?Term) is det")
def numbervars_from_zero(m, term):
    return numbervars(m, term, 0, m.new_var())


# ---- equality and order


def would_unify(m, a, b):
    """True if a and b unify; nothing stays bound."""
    mark = m.heap.TR
    older = m.heap.HB
    m.heap.HB = m.heap.H  # so that every binding is trailed
    try:
        return m.unify(a, b)
    finally:
        m.undo_to(mark)
        m.heap.HB = older


@builtin("unify_with_occurs_check(?X, ?Y) is semidet, protected")
def unify_with_occurs_check(m, a, b):
    return m.unify_occurs(a, b)


helper("$unify_checked", 2)(unify_checked)


@builtin("subsumes_term(@General, @Specific) is semidet, protected")
def subsumes_term(m, general, specific):
    """True if general can be made equal to specific by binding variables of general only."""
    mark = m.heap.TR
    older = m.heap.HB
    m.heap.HB = m.heap.H
    try:
        variables = m.term_vars(specific)
        if not m.unify_occurs(general, specific):
            return False
        seen = set()
        for v in variables:
            v = m.deref(v)
            if v & 7 != REF or v in seen:
                return False
            seen.add(v)
        return True
    finally:
        m.undo_to(mark)
        m.heap.HB = older


@builtin("?=(@X, @Y) is semidet")
def decided(m, a, b):
    """True if a == b can be decided now: they are identical or cannot unify."""
    return m.compare(a, b) == 0 or not would_unify(m, a, b)


@builtin("variant(@X, @Y) is semidet")
@builtin("=@=(@X, @Y) is semidet")
def variant(m, a, b):
    return m.is_variant(a, b)


@builtin("\\=@=(@X, @Y) is semidet")
def not_variant(m, a, b):
    return not m.is_variant(a, b)


# ---- shape


@builtin("acyclic_term(@X) is semidet")
def acyclic_term(m, term):
    return m.is_acyclic(term)


@builtin("cyclic_term(@X) is semidet")
def cyclic_term(m, term):
    return not m.is_acyclic(term)


@builtin("term_hash(+Term, -Hash) is det")
def term_hash(m, term, value):
    """A number that is the same for equal ground terms; left unbound for others."""
    if not m.is_ground(term):
        return True
    if not m.is_acyclic(term):
        raise type_error("acyclic_term", term)
    hashes: dict[int, int] = {}  # of parts, which may be shared
    root = m.deref(term)
    stack = [root]
    while stack:
        c = stack[-1]
        arguments = []
        if c & 7 == ATM:
            text = m.atom_text(c)
        elif m.is_number(c):
            number = m.number_value(c)
            text = f"{number:x}" if isinstance(number, int) else repr(number)
        else:
            arguments = [m.deref(m.arg(c, i)) for i in range(m.arity_of(c))]
            new = [a for a in arguments if a not in hashes]
            if new:
                stack.extend(new)
                continue
            text = f"{m.atom_text(m.name_of(c))}/{m.arity_of(c)}"
        own = crc32(text.encode("utf-8", "surrogatepass"))
        hashes[c] = hash((own, *(hashes[a] for a in arguments)))  # of integers: the same in each process
        stack.pop()
    return m.unify(value, m.int_cell(hashes[root] & 0xFFFFFF))
