"""table/1: declarations of tabled predicates, plain ones and those with modes."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError, domain_error, instantiation_error, type_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.builtins.arguments import compound_items
from prism_repl.prolog.builtins.database import declared
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.goals import indicator
from prism_repl.tabling import modes

F_MODED = CONSTANTS["F_MODED"]
F_EXPLAINED = CONSTANTS["F_EXPLAINED"]
F_TABLED = CONSTANTS["F_TABLED"]

DECIDERS = {"min": modes.MIN, "max": modes.MAX, "last": modes.LAST}


@builtin("table(+Predicates:indicators) is det")
def table(m, spec):
    """Tabling of ordinary predicates: p/2, p(+,min), p(+,min):3, or several of them."""
    pending = [spec]
    while pending:
        c = m.deref(pending.pop())
        if c & 7 == REF:
            raise instantiation_error()
        if m.is_list_cell(c) or c == m.nil:
            pending += reversed(m.proper_list(c))
            continue
        pair = compound_items(m, c, ",", 2)
        if pair:
            pending += [pair[1], pair[0]]
        elif m.is_compound(c) and indicator(m, c) != ("/", 2):
            declare_modes(m, c)
        else:
            declared(m, c, lambda p: set_modes(m, p, None))
    return True


def declare_modes(m, c):
    """p(+,-,min), or p(+,-,min):Limit."""
    limit = 1
    limited = compound_items(m, c, ":", 2)
    if limited:
        c, limit = m.deref(limited[0]), answer_limit(m, limited[1])
        if not m.is_compound(c):
            raise instantiation_error() if c & 7 == REF else type_error("table_declaration", c)
    found = table_modes(m, c, limit)
    name = m.struct("/", m.name_of(c), m.int_cell(m.arity_of(c)))
    declared(m, name, lambda p: set_modes(m, p, found))


def answer_limit(m, c):
    if c & 7 == REF:
        raise instantiation_error()
    if not m.is_integer(c):
        raise type_error("integer", c)
    if m.int_value(c) < 1:
        raise domain_error("greater_than_zero", c)
    return m.int_value(c)


def table_modes(m, declaration, limit):
    """What the declaration says of each argument; None if it is the same as that of plain tabling."""
    inputs, outputs, untabled = [], [], []
    decider, kind, join = -1, modes.FIRST, ""
    for i in range(m.arity_of(declaration)):
        c = m.deref(m.arg(declaration, i))
        mode = m.atom_text(c) if c & 7 == ATM else ""
        lattice = compound_items(m, c, "lattice", 1)
        if c & 7 == REF or mode in ("+", "index"):
            inputs.append(i)
        elif mode == "nt":
            untabled.append(i)
        elif mode in ("-", "first"):
            outputs.append(i)
        elif mode in DECIDERS or lattice:
            if decider >= 0:  # two cannot both decide
                raise domain_error("table_modes", declaration)
            outputs.append(i)
            decider, kind = i, DECIDERS.get(mode, modes.LATTICE)
            join = join_name(m, lattice[0]) if lattice else ""
        else:
            raise domain_error("table_mode", c)
    if kind == modes.LATTICE and limit > 1:  # what is joined is one
        raise domain_error("table_modes", declaration)
    if not outputs and not untabled:
        return None
    return modes.TableModes(inputs, outputs, untabled, decider, kind, join, limit)


def join_name(m, c):
    """The predicate of lattice(join/3), lattice(join) or lattice(join(_,_,_))."""
    c = m.deref(c)
    if c & 7 == REF:
        raise instantiation_error()
    if c & 7 == ATM:
        return m.atom_text(c)
    pair = compound_items(m, c, "/", 2)
    if pair and pair[0] & 7 == ATM and m.is_integer(pair[1]) and m.int_value(pair[1]) == 3:
        return m.atom_text(pair[0])
    if m.is_compound(c) and not pair and m.arity_of(c) == 3:
        return m.atom_text(m.name_of(c))
    raise domain_error("table_mode", m.struct("lattice", c))


def set_modes(m, p, found):
    """Predicate p is tabled from now on, with these modes or with none."""
    if found is not None and m.database.has_flag(p, F_EXPLAINED):
        raise PrologError(
            "permission_error", "table_with_modes", "probabilistic_predicate", m.database.indicator(p)
        )
    if found is not None or m.database.has_flag(p, F_MODED):
        m.tabling.clear_tables()
    m.database.set_flag(p, F_TABLED)
    m.database.set_flag(p, F_MODED, found is not None)
    if found is not None:
        if m.tabling.tables.moded is None:
            m.tabling.tables.moded = modes.ModedTables(m.program.pred(m.functor(m.atom("$moded_call"), 2)))
        m.tabling.tables.moded.declare(p, found)


@builtin("initialize_table is det")
def initialize_table(m):
    m.tabling.clear_tables()
    return True
