"""Taking terms apart, building, copying and comparing them."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import (
    domain_error,
    instantiation_error,
    resource_error,
    type_error,
)
from prism_repl.prolog.builtins.arguments import (
    assign,
    check_integer_or_var,
    check_list_or_partial,
    integer,
    items,
    natural,
)
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.occurs_check import unify_checked

# ---- taking apart, building


@builtin("functor", 3)
def functor(m, term, name, arity):
    if term & 7 != REF:
        check_integer_or_var(m, arity)
        if m.is_compound(term):
            return m.unify(name, m.name_of(term)) and m.unify(arity, m.int_cell(m.arity_of(term)))
        return m.unify(name, term) and m.unify(arity, m.int_cell(0))
    if name & 7 == REF:
        raise instantiation_error()
    n = integer(m, arity)
    if m.is_compound(name):
        raise type_error("atomic", name)
    if n < 0:
        raise domain_error("not_less_than_zero", arity)
    if n == 0:
        return m.unify(term, name)
    if name & 7 != ATM:
        raise type_error("atom", name)
    if n > 1 << 28:
        raise resource_error("memory")
    return m.unify(term, m.new_struct(m.functor(name, n), [m.new_var() for _ in range(n)]))


@builtin("arg", 3)
def arg(m, n, term, value):
    if n & 7 == REF or term & 7 == REF:
        raise instantiation_error()
    if not m.is_integer(n):
        raise type_error("integer", n)
    if not m.is_compound(term):
        raise type_error("compound", term)
    i = natural(m, n)
    return 1 <= i <= m.arity_of(term) and m.unify(value, m.arg(term, i - 1))


@builtin("=..", 2)
def univ(m, term, parts):
    if term & 7 != REF:
        check_list_or_partial(m, parts)
        if m.is_compound(term):
            cells = [m.name_of(term)] + [m.arg(term, i) for i in range(m.arity_of(term))]
        else:
            cells = [term]
        return m.unify(parts, m.list_from(cells))
    if parts & 7 == REF:
        raise instantiation_error()
    cells = items(m, parts)
    if not cells:
        raise domain_error("non_empty_list", parts)
    head = cells[0]
    if head & 7 == REF:
        raise instantiation_error()
    if len(cells) == 1:
        if m.is_compound(head):
            raise type_error("atomic", head)
        return m.unify(term, head)
    if head & 7 != ATM:
        raise type_error("atom", head)
    return m.unify(term, m.new_struct(m.functor(head, len(cells) - 1), cells[1:]))


@builtin("copy_term", 2)
def copy_term(m, term, copy):
    return m.unify(copy, m.copy(term))


@builtin("setarg", 3)
def setarg(m, n, term, value):
    """Destructive assignment, undone on backtracking."""
    i = natural(m, n)
    if term & 7 == REF:
        raise instantiation_error()
    if not m.is_compound(term):
        raise type_error("compound", term)
    if not 1 <= i <= m.arity_of(term):
        return False
    assign(m, term, i - 1, value)
    return True


# ---- variables


@builtin("term_variables", 2)
@builtin("vars_set", 2)
def term_variables(m, term, variables):
    check_list_or_partial(m, variables)
    return m.unify(variables, m.list_from(m.term_vars(term)))


@builtin("term_variables", 3)
def term_variables_tail(m, term, variables, tail):
    return m.unify(variables, m.list_from(m.term_vars(term), tail))


@builtin("numbervars", 3)
@builtin("number_vars", 3)
def numbervars(m, term, start, end):
    """Bind each variable of term to '$VAR'(N), N from start on."""
    n = integer(m, start)
    check_integer_or_var(m, end)
    f = m.functor(m.atom("$VAR"), 1)
    for variable in m.term_vars(term):
        m.bind(variable, m.new_struct(f, [m.int_cell(n)]))
        n += 1
    return m.unify(end, m.int_cell(n))


@builtin("numbervars", 1)
def numbervars_from_zero(m, term):
    return numbervars(m, term, m.int_cell(0), m.new_var())


# ---- equality and order


@builtin("=", 2)
def unify(m, a, b):
    return m.unify(a, b)


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


@builtin("\\=", 2)
def not_unify(m, a, b):
    return not would_unify(m, a, b)


@builtin("unify_with_occurs_check", 2)
def unify_with_occurs_check(m, a, b):
    return m.unify_occurs(a, b)


builtin("$unify_checked", 2)(unify_checked)


@builtin("subsumes_term", 2)
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


@builtin("compare", 3)
def compare(m, order, a, b):
    if order & 7 != REF:
        if order & 7 != ATM:
            raise type_error("atom", order)
        if m.atom_text(order) not in ("<", "=", ">"):
            raise domain_error("order", order)
    return m.unify(order, m.atom("<=>"[m.compare(a, b) + 1]))


@builtin("==", 2)
def identical(m, a, b):
    return m.compare(a, b) == 0


@builtin("\\==", 2)
def not_identical(m, a, b):
    return m.compare(a, b) != 0


@builtin("@<", 2)
def before(m, a, b):
    return m.compare(a, b) < 0


@builtin("@=<", 2)
def not_after(m, a, b):
    return m.compare(a, b) <= 0


@builtin("@>", 2)
def after(m, a, b):
    return m.compare(a, b) > 0


@builtin("@>=", 2)
def not_before(m, a, b):
    return m.compare(a, b) >= 0


@builtin("?=", 2)
def decided(m, a, b):
    """True if a == b can be decided now: they are identical or cannot unify."""
    return m.compare(a, b) == 0 or not would_unify(m, a, b)


@builtin("variant", 2)
@builtin("=@=", 2)
def variant(m, a, b):
    return m.is_variant(a, b)


@builtin("\\=@=", 2)
def not_variant(m, a, b):
    return not m.is_variant(a, b)


# ---- shape


@builtin("acyclic_term", 1)
def acyclic_term(m, term):
    return m.is_acyclic(term)


@builtin("cyclic_term", 1)
def cyclic_term(m, term):
    return not m.is_acyclic(term)


@builtin("term_hash", 2)
def term_hash(m, term, value):
    """A number that is the same for equal ground terms; left unbound for others."""
    if not m.is_ground(term):
        return True
    h = 17
    stack = [term]
    while stack:
        c = stack.pop()
        if c & 7 == ATM:
            part = m.atom_text(c)
        elif m.is_number(c):
            part = repr(m.number_value(c))
        else:
            part = f"{m.atom_text(m.name_of(c))}/{m.arity_of(c)}"
            stack.extend(m.arg(c, i) for i in range(m.arity_of(c)))
        for byte in part.encode("utf-8", "surrogatepass"):
            h = (h ^ byte) * 16777619 & 0xFFFFFF
        h = (h * 31 + 7) & 0xFFFFFF
    return m.unify(value, m.int_cell(h))
