"""Errors and argument checks for predicates written in Prolog; the last argument is the
indicator Name/Arity that the error shall name."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError
from prism_repl.prolog.builtins.registry import checks_of, helper
from prism_repl.prolog.declarations import DECLARATIONS


@helper("$checked", 1)
def checked(m, head):
    """The checks that the declaration of a library predicate asks for; head is its call."""
    known = m.state["library_checks"]
    functor = m.functor_of(head)
    checks = known.get(functor)
    if checks is None:
        key = m.atom_text(m.name_of(head)), m.arity_of(head)
        checks = known[functor] = checks_of(DECLARATIONS[key])
    try:
        for i, check in checks:
            check(m, m.arg(head, i))
    except PrologError as error:
        error.context = m.atom_text(m.name_of(head)), m.arity_of(head)
        raise
    return True


def indicator(m, c):
    return m.atom_text(m.arg(c, 0)), m.int_value(m.arg(c, 1))


def is_partial_list(m, c):
    tail = m.list_items(c)[1]
    return tail & 7 == REF or tail == m.nil


TESTS = {
    "callable": lambda m, c: m.is_callable(c),
    "integer": lambda m, c: m.is_integer(c),
    "atom": lambda m, c: c & 7 == ATM,
    "number": lambda m, c: m.is_number(c),
    "list": lambda m, c: m.list_items(c)[1] == m.nil,
    "list_or_partial_list": is_partial_list,
}


@helper("$must_be", 3)
def must_be(m, kind, c, context):
    name = m.atom_text(kind)
    if TESTS[name](m, c):
        return True
    where = indicator(m, context)
    if c & 7 == REF or (name == "list" and is_partial_list(m, c)):
        raise PrologError("instantiation_error", context=where)
    raise PrologError("type_error", name.removesuffix("_or_partial_list"), c, context=where)


@helper("$instantiation_error", 1)
def raise_instantiation_error(m, context):
    raise PrologError("instantiation_error", context=indicator(m, context))


@helper("$type_error", 3)
def raise_type_error(m, kind, c, context):
    raise PrologError("type_error", kind, c, context=indicator(m, context))


@helper("$domain_error", 3)
def raise_domain_error(m, kind, c, context):
    raise PrologError("domain_error", kind, c, context=indicator(m, context))
