"""The flag occurs_check: unifications that would build infinite terms fail (true) or throw (error).

It holds for =/2 and \\=/2, and for the heads of clauses that are loaded or asserted while it is on: what an
ordinary head does with terms that share variables is then done by =/2 in the body.
"""

from collections import Counter
from typing import Any

from prism_repl.core.cells import INT, REF
from prism_repl.core.errors import PrologError
from prism_repl.prolog.compiler.kinds import INLINE_GOALS
from prism_repl.prolog.reader import read_term

PLAIN = ["X = X", "X \\= Y :- \\+ X = Y"]
CHECKED = ["X = Y :- '$unify_checked'(X,Y)", "X \\= Y :- \\+ '$unify_checked'(X,Y)"]


def set_occurs_check(m: Any, mode: str) -> None:
    """Make =/2 and \\=/2 what the flag says; what is compiled from now on calls them, or has them inline."""
    key = m.functor(m.atom("="), 2) << 3 | INT
    if mode == "false":
        m.database.clause_filter = None
        m.database.compiler.goal_kinds[key] = INLINE_GOALS["=", 2]
    else:
        m.database.clause_filter = shared_variables_unified
        m.database.compiler.goal_kinds.pop(key, None)
    for name, text in zip(("=", "\\="), PLAIN if mode == "false" else CHECKED, strict=True):
        p = m.program.pred(m.functor(m.atom(name), 2))
        m.database.remove_all(p)
        # not by way of the filter: these clauses are what it uses
        keep, m.database.clause_filter = m.database.clause_filter, None
        term = read_term(m, text)
        assert term is not None
        m.database.add_clause(term.cell, True, 0)
        m.database.clause_filter = keep


def unify_checked(m: Any, a: int, b: int) -> bool:
    """Unify, refusing infinite terms as the flag says."""
    if m.prolog_flags.get("occurs_check") != "error":
        return bool(m.unify_occurs(a, b))
    pair = m.copy(m.struct("=", a, b))
    shown = m.copy(pair)
    if m.unify_occurs(a, b):
        return True
    if m.unify(m.arg(pair, 0), m.arg(pair, 1)):
        raise PrologError("occurs_check", m.arg(shown, 0), m.arg(shown, 1), context=("=", 2))
    return False


def shared_variables_unified(m: Any, clause: int) -> int:
    """The clause with head arguments that share variables replaced by new ones, and unified in the body."""
    clause = m.deref(clause)
    has_body = m.is_compound(clause) and m.functor_of(clause) == m.symbols.f_neck
    head = m.arg(clause, 0) if has_body else clause
    if not m.is_compound(head):
        return clause
    count = Counter(occurrences(m, head))
    if all(n == 1 for n in count.values()):
        return clause
    args, goals, met = [], [], set()
    for i in range(m.arity_of(head)):
        arg = m.arg(head, i)
        plain = arg & 7 == REF and arg not in met
        if plain or all(count[v] == 1 for v in occurrences(m, arg)):
            args.append(arg)
            met.add(arg)
        else:
            args.append(m.new_var())
            goals.append(m.struct("=", args[-1], arg))
    body = m.arg(clause, 1) if has_body else None
    for goal in reversed(goals):
        body = goal if body is None else m.struct(",", goal, body)
    new_head = m.new_struct(m.functor_of(head), args)
    return int(new_head if body is None else m.struct(":-", new_head, body))


def occurrences(m: Any, term: int) -> list[int]:
    """The variables of a term, as often as they occur in it."""
    found, pending = [], [term]
    while pending:
        c = m.deref(pending.pop())
        if c & 7 == REF:
            found.append(c)
        elif m.is_compound(c):
            pending += [m.arg(c, i) for i in range(m.arity_of(c))]
    return found
