"""Puts a Prolog system together: machine, database, operators, builtins, library."""

import os
from pathlib import Path

from prism_repl.core.collector import Collector
from prism_repl.core.instructions import CONSTANTS
from prism_repl.core.machine import Machine
from prism_repl.core.queries import solve_once
from prism_repl.prolog import arithmetic, evaluables
from prism_repl.prolog.builtins.registry import BUILTINS, DECLARATIONS, checks_of
from prism_repl.prolog.database import Database
from prism_repl.prolog.declarations import declared_in
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

# Control, and what is compiled inline: no program can replace these.
FIXED = """
true/0 otherwise/0 fail/0 false/0 !/0 ,/2 ;/2 ->/2 *->/2 |/2 \\+/1 not/1 once/1 call/1 call/2 call/3 call/4
call/5 call/6 call/7 call/8 catch/3 throw/1 =/2 \\=/2 ==/2 \\==/2 @</2 @=</2 @>/2 @>=/2 is/2 =:=/2 =\\=/2
</2 =</2 >/2 >=/2 var/1 nonvar/1 atom/1 number/1 integer/1 float/1 atomic/1 compound/1 callable/1 is_list/1
ground/1 $body/2 :-/1 :-/2 ./2
""".split()
# What B-Prolog's library has: a program's version of it is passed over, with a message.
KEPT = """
append/3 append/4 member/2 memberchk/2 membchk/2 reverse/2 delete/3 flatten/2 last/2 select/3 subtract/3
union/3 intersection/3 subset/2 permutation/2 nth/3 nth0/3 nth1/3 sumlist/2 numlist/3 between/3
length/2 sort/2 keysort/2
""".split()
# Other built-in predicates that a PRISM program cannot replace: what ISO names. The rest may be defined by a
# program for itself.
PROTECTED = """
functor/3 arg/3 =../2 copy_term/2 compare/3 findall/3 findall/4 bagof/3 setof/3 forall/2 assert/1
asserta/1 assertz/1 retract/1 retractall/1 abolish/1 clause/2 current_predicate/1 atom_length/2
atom_concat/3 sub_atom/5 atom_chars/2 atom_codes/2 char_code/2 number_chars/2 number_codes/2
current_input/1 current_output/1 set_input/1 set_output/1 open/3 open/4 close/1 close/2 flush_output/0
flush_output/1 get_char/1 get_char/2 peek_char/1 peek_char/2 put_char/1 put_char/2 get_code/1 get_code/2
peek_code/1 peek_code/2 put_code/1 get_byte/1 get_byte/2 peek_byte/1 peek_byte/2 put_byte/1 put_byte/2
nl/0 nl/1 read/1 read/2 read_term/2 read_term/3 write/1 write/2 writeq/1 writeq/2 print/1
write_canonical/1 write_canonical/2 write_term/2 write_term/3 op/3 current_op/3 halt/0 halt/1
set_prolog_flag/2 current_prolog_flag/2 term_variables/2 unify_with_occurs_check/2 subsumes_term/2 sort/2
msort/2 keysort/2 number_vars/3 format/1 format/2 format/3 consult/1 repeat/0 length/2
""".split()

# What the library is made of. Their arguments are addresses: no program may call them.
HIDDEN = [
    ("$body", 2), ("$cut", 1), ("$get_b", 1), ("$and", 3), ("$or", 3), ("$ite", 4), ("$ifthen", 3),
    ("$soft", 4), ("$softthen", 3), ("$clause", 3), ("$erase", 1), ("$retractall", 1), ("$variant_key", 2),
    ("$findall_begin", 0), ("$findall_add", 1), ("$findall_end", 2), ("$findall_depth", 1), ("$findall", 4),
    ("$cleanup_begin", 3), ("$trace_body", 3), ("$trace_kind", 4),
]  # fmt: skip


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
    m.evaluate = arithmetic.evaluate
    evaluables.c_random.seed(1)  # every session has the same numbers
    for (name, arity), function in BUILTINS.items():
        p = m.program.find_pred(m.functor(m.atom(name), arity))
        if not p or m.program.pred_field(p, P_KIND) != K_CODE:  # which the machine itself has
            function.define(m, name, arity)
    for path in sorted(LIBRARY.glob("*.pl")):
        load_library(m, path)
    protect(m, PROTECTED + FIXED)
    protect(m, KEPT, F_LIBRARY)
    m.state["b_globals"] = m.struct("$globals", m.nil, m.nil)  # of b_setval/2 and cleanups.py
    m.database.fixed.update(predicate(m, indicator) for indicator in FIXED)
    m.program.hide(HIDDEN)
    return m


def predicate(m: Machine, indicator: str) -> int:
    """The number of the predicate name/arity."""
    name, _, arity = indicator.rpartition("/")
    return int(m.program.pred(m.functor(m.atom(name), int(arity))))


def protect(m: Machine, indicators: list[str], flag: int = F_PROTECTED) -> None:
    """Predicates, as name/arity, that a program may not define."""
    for indicator in indicators:
        p = predicate(m, indicator)
        if m.database.has_flag(p, F_SYSTEM):
            m.database.set_flag(p, flag)


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
    solve_once(m, m.struct("dcg_translate_rule", rule, clause))
    return m.deref(clause)


def with_checks(m: Machine, clause: int, head: int) -> int:
    """The clause with the checks of its arguments before the body."""
    body = m.atom("true") if head == clause else m.arg(clause, 1)
    return m.struct(":-", head, m.struct(",", m.struct("$checked", head), body))


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
        if (m.atom_text(m.name_of(head)), m.arity_of(head)) in checked:
            c = with_checks(m, c, head)
        m.database.add_clause(c, True, 0)
        m.heap.H = h
    for p in touched:
        m.database.set_flag(p, F_SYSTEM)
