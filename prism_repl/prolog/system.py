"""Puts a Prolog system together: machine, database, operators, builtins, library."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from prism_repl.core.collector import Collector
from prism_repl.core.instructions import CONSTANTS
from prism_repl.core.machine import Machine
from prism_repl.core.queries import solve_once
from prism_repl.prolog import arithmetic, evaluables
from prism_repl.prolog.builtins.registry import BUILTINS, checks_of
from prism_repl.prolog.database import Database
from prism_repl.prolog.declarations import DECLARATIONS, Declaration, declared_in
from prism_repl.prolog.interrupted import innermost
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import Reader
from prism_repl.prolog.streams import Streams
from prism_repl.tabling.evaluation import Evaluation

LIBRARY = Path(__file__).parent / "library"
K_CODE = CONSTANTS["K_CODE"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]
P_KIND = CONSTANTS["P_KIND"]
F_SYSTEM = CONSTANTS["F_SYSTEM"]
F_LIBRARY = CONSTANTS["F_LIBRARY"]
F_PROTECTED = CONSTANTS["F_PROTECTED"]

# No predicates, and no program can make them some.
NECKS = [(":-", 1), (":-", 2), ("$body", 2)]
FLAGS = {"fixed": F_PROTECTED, "protected": F_PROTECTED, "kept": F_LIBRARY}

# What the library is made of. Their arguments are addresses: no program may call them.
HIDDEN = [
    ("$body", 2), ("$cut", 1), ("$get_b", 1), ("$and", 3), ("$or", 3), ("$ite", 4), ("$ifthen", 3),
    ("$soft", 4), ("$softthen", 3), ("$clause", 3), ("$retractall", 1), ("$findall", 4),
    ("$findall_begin", 0), ("$findall_add", 1), ("$findall_end", 2),
    ("$cleanup_begin", 3), ("$trace_body", 3), ("$trace_kind", 4), ("$condition", 1),
]  # fmt: skip

# The inline tests of what types accept.
INLINE_TESTS = {
    "atom": "atom",
    "atomic": "atomic",
    "bound": "nonvar",
    "callable": "callable",
    "compound": "compound",
    "integer": "integer",
    "list": "is_list",
    "number": "number",
}


def new_machine() -> Machine:
    """A machine with the whole Prolog system loaded."""
    import prism_repl.prolog.builtins  # noqa: F401  (registers the builtins)

    m = Machine(evaluables.FUNCTORS)
    m.innermost = innermost
    m.tabling = Evaluation(m)
    m.operators = Operators()
    m.streams = Streams()
    m.heap.limit = memory_limit()
    m.collector = Collector()
    m.heap.gc_stride = int(os.environ.get("PRISM_REPL_GC_STRIDE", 0))  # collects all the time, for tests
    m.heap.gc_threshold = m.heap.gc_stride or m.heap.gc_threshold
    m.database = Database(m)
    m.state["library_checks"] = {}
    m.evaluate = arithmetic.evaluate
    evaluables.c_random.seed(1)  # every session has the same numbers
    for (name, arity), function in BUILTINS.items():
        p = m.program.find_pred(m.functor(m.atom(name), arity))
        if not p or m.program.pred_field(p, P_KIND) != K_CODE:  # which the machine itself has
            function.define(m, name, arity)
    protect(m, [DECLARATIONS[key] for key in BUILTINS if key in DECLARATIONS])
    for path in sorted(LIBRARY.glob("*.pl")):
        load_library(m, path)
    m.state["b_globals"] = m.struct("$globals", m.nil, m.nil)  # of b_setval/2 and cleanups.py
    m.database.fixed.update(predicate(m, *key) for key in NECKS)
    m.program.hide(HIDDEN)
    return m


def predicate(m: Machine, name: str, arity: int) -> int:
    """The number of a predicate."""
    return int(m.program.pred(m.functor(m.atom(name), arity)))


def protect(m: Machine, declarations: Iterable[Declaration]) -> None:
    """See to it that programs do not define what is declared to be protected from that."""
    for declaration in declarations:
        for word in declaration.words:
            if word in FLAGS:
                p = predicate(m, declaration.name, declaration.arity)
                m.database.set_flag(p, FLAGS[word])
                if word == "fixed":
                    m.database.fixed.add(p)


def memory_limit() -> int:
    """Words that one stack may have: an eighth of the memory that there is for this process, so that all
    together fit."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 1 << 28
    with contextlib.suppress(ImportError, ValueError, OSError):  # ulimit -v
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            memory = min(memory, limit)
    with contextlib.suppress(ValueError, OSError):  # a container's; the text is `max` if there is none
        memory = min(memory, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return max(1 << 24, memory // 64)


def grammar_rule(m: Machine, rule: int) -> int:
    """The clause of a grammar rule."""
    clause = m.new_var()
    solve_once(m, m.struct("dcg_translate_rule", rule, clause))
    return m.deref(clause)


def with_checks(m: Machine, clause: int, head: int, declaration: Declaration) -> int:
    """The clause with the checks of its arguments before the body. What an inline test accepts needs no
    check."""
    true, check = m.atom("true"), m.struct("$checked", head)
    body = true if head == clause else m.arg(clause, 1)
    checked = [(place, declaration.arguments[place]) for place, _ in checks_of(declaration)]
    if all(argument.type in INLINE_TESTS for _, argument in checked):
        for place, argument in reversed(checked):
            cell = m.arg(head, place)
            test = m.struct(";", m.struct("->", m.struct(INLINE_TESTS[argument.type], cell), true), check)
            if argument.mode == "?":
                test = m.struct(";", m.struct("->", m.struct("var", cell), true), test)
            body = m.struct(",", test, body)
    else:
        body = m.struct(",", check, body)
    return m.struct(":-", head, body)


def load_library(m: Machine, path: Path) -> None:
    """Load a library file: plain clauses, :- directives, grammar rules. Its predicates are built in; those
    whose declarations ask for checks make these first, and have one clause."""
    touched = set()
    text = path.read_text(encoding="utf-8")
    declared = {(d.name, d.arity): d for d in declared_in(text)}
    DECLARATIONS.update(declared)
    checked = {key for key, d in declared.items() if d.is_checked and checks_of(d)}
    reader = Reader(m, text, path.name)
    while True:
        h = m.heap.H
        term = reader.read_term()
        if term is None:
            break
        c = m.deref(term.cell)
        name, arity = m.atom_text(m.name_of(c)), m.arity_of(c)
        if (name, arity) == (":-", 1):
            solve_once(m, m.arg(c, 0))
            continue
        if (name, arity) == ("-->", 2):
            c = grammar_rule(m, c)
            name, arity = m.atom_text(m.name_of(c)), m.arity_of(c)
        head = m.arg(c, 0) if (name, arity) == (":-", 2) else c
        p = m.program.pred(m.functor(m.name_of(head), m.arity_of(head)))
        if m.program.pred_field(p, P_KIND) == K_CODE:
            continue
        if p not in touched:
            touched.add(p)
            m.program.set_pred_field(p, P_KIND, K_UNDEFINED)
        key = m.atom_text(m.name_of(head)), m.arity_of(head)
        if key in checked:
            c = with_checks(m, c, head, declared[key])
        m.database.add_clause(c, True, 0)
        m.heap.H = h
    for p in touched:
        m.database.set_flag(p, F_SYSTEM)
    protect(m, declared.values())
