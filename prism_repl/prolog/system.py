"""Puts a Prolog system together: machine, database, operators, builtins, library."""

import os
from pathlib import Path

from prism_repl.prolog import arithmetic
from prism_repl.prolog.builtins.registry import BUILTINS
from prism_repl.prolog.database import Database
from prism_repl.prolog.instructions import CONSTANTS
from prism_repl.prolog.machine import Machine
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import Reader
from prism_repl.prolog.streams import Streams

LIBRARY = Path(__file__).parent / "library"
K_CODE = CONSTANTS["K_CODE"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]
P_KIND = CONSTANTS["P_KIND"]
F_SYSTEM = CONSTANTS["F_SYSTEM"]


def new_machine() -> Machine:
    """A machine with the whole Prolog system loaded."""
    import prism_repl.prolog.builtins  # noqa: F401  (registers the builtins)

    m = Machine()
    m.operators = Operators()
    m.streams = Streams()
    m.heap_limit = memory_limit()
    m.database = Database(m)
    m.evaluate = arithmetic.evaluate
    for (name, arity), function in BUILTINS.items():
        define_builtin(m, name, arity, function)
    for path in sorted(LIBRARY.glob("*.pl")):
        load_library(m, path)
    return m


def define_builtin(m: Machine, name: str, arity: int, function: object) -> None:
    """Make a Python function a predicate, unless the machine itself has it."""
    p = m.find_pred(m.functor(m.atom(name), arity))
    if p and m.pred_field(p, P_KIND) == K_CODE:
        return
    m.define_host(name, arity, function)


def memory_limit() -> int:
    """Words that one stack may have: an eighth of the machine's memory, so that all together fit."""
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 1 << 28
    return max(1 << 24, pages * size // 64)


def grammar_rule(m: Machine, rule: int) -> int:
    """The clause of a grammar rule."""
    clause = m.new_var()
    m.solve_once(m.struct("dcg_translate_rule", rule, clause))
    return m.deref(clause)


def load_library(m: Machine, path: Path) -> None:
    """Load a library file: plain clauses, :- directives, grammar rules. Its predicates are built in."""
    touched = set()
    reader = Reader(m, path.read_text(encoding="utf-8"), path.name)
    while True:
        h = m.H
        term = reader.read_term()
        if term is None:
            break
        c = m.deref(term.cell)
        name, arity = m.atom_text(m.name_of(c)), m.arity_of(c)
        if (name, arity) == (":-", 1):
            m.solve_once(m.arg(c, 0))
            continue
        if (name, arity) == ("-->", 2):
            c = grammar_rule(m, c)
            name, arity = m.atom_text(m.name_of(c)), m.arity_of(c)
        head = m.arg(c, 0) if (name, arity) == (":-", 2) else c
        p = m.pred(m.functor(m.name_of(head), m.arity_of(head)))
        if m.pred_field(p, P_KIND) == K_CODE:
            continue
        if p not in touched:
            touched.add(p)
            m.set_pred_field(p, P_KIND, K_UNDEFINED)
        m.database.add_clause(c, True, 0)
        m.H = h
    for p in touched:
        m.database.set_flag(p, F_SYSTEM)
