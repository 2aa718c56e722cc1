"""Attributed variables: the predicates that read and change attributes, and what the library needs of them.

Attributes are a chain att(Module,Value,Rest) that ends with []. What waits for a binding (freeze/2, dif/2,
when/2) is written in Prolog on top of it: library/attributes.pl.
"""

from prism_repl.core.attributes import attributes, is_attributed, set_attributes, unifier
from prism_repl.core.cells import REF
from prism_repl.core.errors import PrologError, instantiation_error, type_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.builtins.types import atom

K_CLAUSES, P_KIND, P_LIVE = (CONSTANTS[name] for name in ("K_CLAUSES", "P_KIND", "P_LIVE"))


def chain(m, variable):
    """(Module, value) of each attribute of an attributed variable."""
    found = []
    c = m.deref(attributes(m, variable))
    while m.is_compound(c):
        found.append((m.arg(c, 0), m.arg(c, 1)))
        c = m.deref(m.arg(c, 2))
    return found


def set_chain(m, variable, found):
    rest = m.nil
    f = m.functor(m.atom("att"), 3)
    for module, value in reversed(found):
        rest = m.new_struct(f, [module, value, rest])
    set_attributes(m, variable, rest)


@builtin("attvar(@X) is semidet")
def attvar(m, term):
    return is_attributed(m, term) and m.deref(attributes(m, term)) != m.nil


@builtin("put_attr(?X, +Module, +Value) is det")
def put_attr(m, variable, module, value):
    """Set an attribute; backtracking takes it back."""
    if variable & 7 != REF:
        raise PrologError("uninstantiation_error", variable)
    atom(m, module)
    known = chain(m, variable) if is_attributed(m, variable) else []
    if any(name == module for name, _ in known):
        known = [(name, value if name == module else old) for name, old in known]
    else:
        known.append((module, value))
    set_chain(m, variable, known)
    return True


@builtin("get_attr(@X, +Module:atom, -Value) is semidet, itself")
def get_attr(m, variable, module, value):
    atom(m, module)
    if not is_attributed(m, variable):
        return False
    found = [old for name, old in chain(m, variable) if name == module]
    return bool(found) and m.unify(value, found[0])


@builtin("del_attr(?X, +Module:atom) is det, itself")
def del_attr(m, variable, module):
    """Take an attribute away; nothing happens if there is none."""
    atom(m, module)
    if is_attributed(m, variable):
        known = chain(m, variable)
        kept = [(name, value) for name, value in known if name != module]
        if len(kept) < len(known):
            set_chain(m, variable, kept)
    return True


@builtin("get_attrs(@X, -Attributes) is semidet")
def get_attrs(m, variable, chain_term):
    return attvar(m, variable) and m.unify(chain_term, attributes(m, variable))


@builtin("put_attrs(?X, +Attributes) is det")
def put_attrs(m, variable, chain_term):
    if variable & 7 != REF:
        raise PrologError("uninstantiation_error", variable)
    known, c = [], chain_term
    while c != m.nil:
        if c & 7 == REF:
            raise instantiation_error()
        if not m.is_compound(c) or (m.atom_text(m.name_of(c)), m.arity_of(c)) != ("att", 3):
            raise type_error("attributes", chain_term)
        atom(m, m.deref(m.arg(c, 0)))
        known.append((m.deref(m.arg(c, 0)), m.arg(c, 1)))
        c = m.deref(m.arg(c, 2))
    set_chain(m, variable, known)
    return True


@builtin("del_attrs(?X) is det")
def del_attrs(m, variable):
    if is_attributed(m, variable):
        set_attributes(m, variable, m.nil)
    return True


@builtin("term_attvars(+Term, -Variables) is det")
def term_attvars(m, term, variables):
    """The attributed variables of a term, and of their attributes."""
    found, seen, waiting = [], set(), [term]
    while waiting:
        for v in m.term_vars(waiting.pop(0)):
            if v not in seen and attvar(m, v):
                seen.add(v)
                found.append(v)
                waiting.append(attributes(m, v))
    return m.unify(variables, m.list_from(found))


@builtin("copy_term_nat(+Term, -Copy) is det")
def copy_term_nat(m, term, copy):
    """A copy with plain variables instead of attributed ones."""
    return m.unify(copy, m.copy(term))


@builtin("unifiable(+X, +Y, -Bindings) is semidet")
def unifiable(m, a, b, bindings):
    """The bindings, as Variable=Value, that would make two terms equal; nothing is bound."""
    pairs = unifier(m, a, b)
    if pairs is None:
        return False
    f = m.functor(m.atom("="), 2)
    return m.unify(bindings, m.list_from([m.new_struct(f, [v, c]) for v, c in pairs]))


@helper("$attribute_hook", 3)
def attribute_hook(m, module, goal, hook):
    """The goal that calls a program's hook for an attribute: that of the file whose module has its name, or
    the only one."""
    name, arity = m.atom_text(m.name_of(goal)), m.arity_of(goal)
    for known in (f"{m.atom_text(module)}:{name}", name):
        f = m.functor(m.atom(known), arity)
        p = m.program.find_pred(f)
        if p and m.program.pred_field(p, P_KIND) == K_CLAUSES and m.program.pred_field(p, P_LIVE) > 0:
            return m.unify(hook, m.new_struct(f, [m.arg(goal, i) for i in range(arity)]))
    return False
