"""assert, retract and their relatives; information on predicates."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import (
    domain_error,
    instantiation_error,
    permission_error,
    representation_error,
    type_error,
)
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.declarations import DECLARATIONS
from prism_repl.prolog.definitions import loading, note_declared
from prism_repl.prolog.goals import called_arguments

F_DYNAMIC = CONSTANTS["F_DYNAMIC"]
F_SYSTEM = CONSTANTS["F_SYSTEM"]
F_TABLED = CONSTANTS["F_TABLED"]
F_DISCONTIGUOUS = CONSTANTS["F_DISCONTIGUOUS"]
F_DEFINED = CONSTANTS["F_DEFINED"]
F_MULTIFILE = CONSTANTS["F_MULTIFILE"]
P_FLAGS = CONSTANTS["P_FLAGS"]
P_FUNCTOR = CONSTANTS["P_FUNCTOR"]
P_KIND = CONSTANTS["P_KIND"]
P_LIVE = CONSTANTS["P_LIVE"]
K_CLAUSES = CONSTANTS["K_CLAUSES"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]


def split_clause(m, clause):
    """(head, body cell or None) of a clause term, head checked."""
    head, body = clause, None
    if m.is_compound(clause) and m.functor_of(clause) == m.symbols.f_neck:
        head, body = m.arg(clause, 0), m.arg(clause, 1)
    if head & 7 == REF:
        raise instantiation_error()
    if not m.is_callable(head):
        raise type_error("callable", head)
    return head, body


def predicate_of(m, head):
    """The predicate number of a head, 0 if there is none."""
    return m.program.find_pred(m.functor(m.name_of(head), m.arity_of(head)))


@helper("$clause_parts", 3, context=("retract", 1))
def clause_parts(m, clause, head, body):
    """For retract/1: the head and body of its argument; static predicates are refused."""
    h, b = split_clause(m, clause)
    p = predicate_of(m, h)
    if p and not m.program.pred_field(p, P_FLAGS) & F_DYNAMIC:
        if m.program.pred_field(p, P_KIND) != K_UNDEFINED:
            raise permission_error("modify", "static_procedure", m.database.indicator(p))
    return m.unify(head, h) and m.unify(body, m.atom("true") if b is None else b)


@helper("$retractall_check", 1, context=("retractall", 1))
def retractall_check(m, head):
    """retractall/1 makes an unknown predicate dynamic and refuses a static one."""
    if head & 7 == REF:
        raise instantiation_error()
    if not m.is_callable(head):
        raise type_error("callable", head)
    p = m.program.pred(m.functor(m.name_of(head), m.arity_of(head)))
    if not m.program.pred_field(p, P_FLAGS) & F_DYNAMIC:
        if m.program.pred_field(p, P_KIND) != K_UNDEFINED:
            raise permission_error("modify", "static_procedure", m.database.indicator(p))
        m.database.make_dynamic(p)
    return True


def indicator_parts(m, indicator, limit=None):
    """(name cell, arity) of a term Name/Arity, with the ISO errors."""
    if indicator & 7 == REF:
        raise instantiation_error()
    if not m.is_compound(indicator) or m.atom_text(m.name_of(indicator)) != "/" or m.arity_of(indicator) != 2:
        raise type_error("predicate_indicator", indicator)
    name, arity = m.arg(indicator, 0), m.arg(indicator, 1)
    if name & 7 == REF or arity & 7 == REF:
        raise instantiation_error()
    if name & 7 != ATM:
        raise type_error("atom", name)
    if not m.is_integer(arity):
        raise type_error("integer", arity)
    n = m.int_value(arity)
    if n < 0:
        raise domain_error("not_less_than_zero", arity)
    if n > 10_000_000:
        raise representation_error("max_arity")
    return name, n


@builtin("abolish(+Indicator:indicator) is det, protected")
def abolish(m, indicator):
    name, arity = indicator_parts(m, indicator)
    p = m.program.find_pred(m.functor(name, arity))
    if not p or m.program.pred_field(p, P_KIND) == K_UNDEFINED:
        return True
    if not m.program.pred_field(p, P_FLAGS) & F_DYNAMIC:
        raise permission_error("modify", "static_procedure", indicator)
    m.database.remove_all(p)
    m.program.set_pred_field(p, P_FLAGS, 0)
    m.program.set_pred_field(p, P_KIND, K_UNDEFINED)
    return True


def declared(m, spec, apply):
    """Apply a function to each predicate of p/1, (p/1,q/2), [p/1,q/2]."""
    pending = [spec]
    while pending:
        c = m.deref(pending.pop())
        if m.is_list_cell(c) or c == m.nil:
            pending.extend(reversed(m.proper_list(c)))
        elif m.is_compound(c) and m.atom_text(m.name_of(c)) == "," and m.arity_of(c) == 2:
            pending.append(m.arg(c, 1))
            pending.append(m.arg(c, 0))
        else:
            name, arity = indicator_parts(m, c)
            p = m.database.user_predicate(m.functor(name, arity), bool(loading(m)))
            if p == 0:
                p = m.program.pred(m.functor(name, arity))
                raise permission_error("modify", "static_procedure", m.database.indicator(p))
            note_declared(m, p)
            apply(p)
    return True


@builtin("dynamic(+Predicates:indicators) is det")
def dynamic(m, spec):
    return declared(m, spec, lambda p: declare_dynamic(m, p))


def declare_dynamic(m, p):
    """In a file the declaration may also come after the clauses; otherwise what is static stays so."""
    if not loading(m) and not m.database.has_flag(p, F_DYNAMIC) and m.program.pred_field(p, P_LIVE) > 0:
        raise permission_error("modify", "static_procedure", m.database.indicator(p))
    m.database.make_dynamic(p)


@builtin("discontiguous(+Predicates:indicators) is det")
def discontiguous(m, spec):
    return declared(m, spec, lambda p: m.database.set_flag(p, F_DISCONTIGUOUS))


@builtin("multifile(+Predicates:indicators) is det")
def multifile(m, spec):
    return declared(m, spec, lambda p: declare_multifile(m, p))


def declare_multifile(m, p):
    """Clauses of several files add up. A predicate without clauses fails."""
    m.database.set_flag(p, F_MULTIFILE)
    if m.program.pred_field(p, P_KIND) == K_UNDEFINED:
        m.database.set_flag(p, F_DEFINED)
        m.program.set_pred_field(p, P_KIND, K_CLAUSES)


@helper("$predicates", 1)
def predicates(m, result):
    """All user predicates that have clauses or are dynamic, as Name/Arity; $ begins names of the system."""
    found = []
    for p in m.database.predicates():
        flags = m.program.pred_field(p, P_FLAGS)
        if flags & F_SYSTEM or m.program.pred_field(p, P_KIND) == K_UNDEFINED:
            continue
        indicator = m.database.indicator(p)
        if m.atom_text(m.arg(indicator, 0)).startswith("$"):
            continue
        if m.program.pred_field(p, P_LIVE) > 0 or flags & F_DYNAMIC:
            found.append(indicator)
    return m.unify(result, m.list_from(found))


@helper("$all_predicates", 1)
def all_predicates(m, result):
    """All predicates, built in or not, as Name/Arity."""
    known = [p for p in m.database.predicates() if m.program.pred_field(p, P_KIND) != K_UNDEFINED]
    found = [m.database.indicator(p) for p in known]
    return m.unify(result, m.list_from(found))


def meta_arguments(m, name, arity):
    """p(0,?,...) for a predicate that calls its arguments, as declared or as built in; None for others."""
    key = m.atom_text(name), arity
    record = m.state.get("meta_predicates", {}).get(key)
    if record is not None:
        return m.thaw(record)
    shape = called_arguments(key)
    if not shape:
        return None
    modes = {"*": "?", "^": "^"}
    cells = [m.atom(modes[s]) if s in modes else m.int_cell(int(s)) for s in shape]
    return m.new_struct(m.functor(name, arity), cells)


@helper("$predicate_info", 3)
def predicate_info(m, name, arity, result):
    """'$predicate_info'(Name, Arity, Properties)."""
    p = m.program.find_pred(m.functor(name, m.int_value(arity)))
    if not p or m.program.pred_field(p, P_KIND) == K_UNDEFINED:
        return False
    flags = m.program.pred_field(p, P_FLAGS)
    found = [m.atom("defined"), m.atom("dynamic" if flags & F_DYNAMIC else "static")]
    if flags & F_SYSTEM:
        found.append(m.atom("built_in"))
        declaration = DECLARATIONS.get((m.atom_text(name), m.int_value(arity)))
        if declaration is not None:
            found.append(m.atom(declaration.determinism))
    if flags & F_TABLED:
        found.append(m.atom("tabled"))
    if flags & F_MULTIFILE:
        found.append(m.atom("multifile"))
    if flags & F_DISCONTIGUOUS:
        found.append(m.atom("discontiguous"))
    meta = meta_arguments(m, name, m.int_value(arity))
    if meta is not None:
        found.append(m.struct("meta_predicate", meta))
    if m.program.pred_field(p, P_KIND) == K_CLAUSES:
        found.append(m.struct("number_of_clauses", m.int_cell(m.program.pred_field(p, P_LIVE))))
    return m.unify(result, m.list_from(found))
