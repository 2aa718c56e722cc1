# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Clauses as data: clause/2, '$clause'/3 and retractall/1. Arguments are in x. 1: success, 0: failure."""

import cython

from prism_repl.core.errors import PrologError, instantiation_error, type_error

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.goals import goal_pred
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.unification import unify


def check_clause_access(m):
    """clause/2: what ISO checks, then as '$clause'/3, which erases nothing."""
    head: cython.longlong = m.terms.deref(m.stacks.x[0])
    body: cython.longlong = m.terms.deref(m.stacks.x[1])
    p: cython.longlong
    if head & 7 == REF:
        raise instantiation_error()
    if not m.terms.is_callable(head):
        raise type_error("callable", head)
    if body & 7 != REF and not m.terms.is_callable(body):
        raise type_error("callable", body)
    p = goal_pred(m, head, 0) * PSIZE
    if m.program.preds[p + P_KIND] != K_UNDEFINED and not m.program.preds[p + P_FLAGS] & (
        F_DYNAMIC | F_CONSULTED
    ):
        raise PrologError("permission_error", "access", "private_procedure", m.database.indicator(p // PSIZE))
    m.stacks.x[2] = INT
    return 0


def clause_first(m):
    """'$clause'(Head, Body, Erase): the first clause, which is erased if Erase is 1 (at once: the hooks of
    attributed variables come afterwards); more wait behind a choice point."""
    head: cython.longlong = m.terms.deref(m.stacks.x[0])
    p: cython.longlong = goal_pred(m, head, 0)
    c: cython.longlong
    c2: cython.longlong = -1
    key: cython.longlong = 0
    if m.program.preds[p * PSIZE + P_KIND] != K_CLAUSES:
        return 0
    if m.program.preds[p * PSIZE + P_ARITY] > 0:
        key = m.program.first_key(m.terms.part(head, 0))
    if key != 0 and m.program.preds[p * PSIZE + P_HASH] != 0:
        c = m.program.bucket(p, key)
        c2 = m.program.preds[p * PSIZE + P_VAR_FIRST]
    else:
        c = m.program.preds[p * PSIZE + P_FIRST]
    return clause_step(m, c, c2, m.program.generation, False)


def n_retractall(m):
    """'$retractall'(Head): erase all clauses whose heads match."""
    head: cython.longlong = m.terms.deref(m.stacks.x[0])
    p: cython.longlong = goal_pred(m, head, 0)
    n: cython.longlong = m.program.preds[p * PSIZE + P_ARITY]
    c: cython.longlong
    c2: cython.longlong = -1
    key: cython.longlong = 0
    at: cython.longlong
    term: cython.longlong
    tr: cython.longlong = m.heap.TR
    h: cython.longlong
    hb: cython.longlong = m.heap.HB
    mark: cython.longlong = m.heap.wtop
    generation: cython.longlong = m.program.generation
    steps: cython.longlong = 0
    i: cython.longlong
    if m.program.preds[p * PSIZE + P_KIND] != K_CLAUSES:
        return 1
    if n > 0:
        key = m.program.first_key(m.terms.part(head, 0))
    if key != 0 and m.program.preds[p * PSIZE + P_HASH] != 0:
        c = m.program.bucket(p, key)
        c2 = m.program.preds[p * PSIZE + P_VAR_FIRST]
    else:
        c = m.program.preds[p * PSIZE + P_FIRST]
    # a head of different variables matches all
    every: cython.bint = n == 0 or len(m.terms.term_vars(head)) == n
    for i in range(n):
        if m.terms.deref(m.terms.part(head, i)) & 7 != REF:
            every = False
    # all are found before one is erased: erasing gives memory back
    h = m.heap.H
    while True:
        at = m.program.next_clause(c, c2, generation)
        c = m.program.alt1
        c2 = m.program.alt2
        if at == 0:
            break
        if not every:
            if m.program.code[at + C_TERM] == 0:
                continue
            m.heap.HB = h
            term = m.program.clause_term(at)
            if term & 7 == STR and m.heap.cells[term >> 3] == m.symbols.f_neck << 3 | INT:
                term = m.terms.part(term, 0)
            matches: cython.bint = unify(m.terms, head, term)
            m.heap.undo_to(tr)
            m.heap.H = h
            m.heap.HB = hb
            if not matches:
                continue
        m.heap.work_room(1)
        m.heap.work[m.heap.wtop] = at
        m.heap.wtop += 1
        steps += 1
        if steps & 65535 == 0:
            m.interrupts.check()
    m.database.erase_found(mark)
    return 1


def clause_next(m):
    b: cython.longlong = m.stacks.B
    return clause_step(m, m.stacks.choice[b + B_1], m.stacks.choice[b + B_2], m.stacks.choice[b + B_3], True)


def clause_step(m, c, c2, generation, again):
    """Try clauses until one unifies; keep a choice point only while more may follow."""
    at: cython.longlong
    term: cython.longlong
    head: cython.longlong
    body: cython.longlong
    b: cython.longlong
    while True:
        at = m.program.next_clause(c, c2, generation)
        c = m.program.alt1
        c2 = m.program.alt2
        if at == 0:
            if again:
                m.stacks.pop_choice(m.stacks.B)
            return 0
        more: cython.bint = c != 0 or c2 > 0
        if more and not again:
            m.stacks.push_choice(BK_CLAUSEREF, 3)
            again = True
        elif not more and again:
            m.stacks.pop_choice(m.stacks.B)
            again = False
        if again:
            b = m.stacks.B
            m.stacks.choice[b + B_1] = c
            m.stacks.choice[b + B_2] = c2
            m.stacks.choice[b + B_3] = generation
        if m.program.code[at + C_TERM] == 0:
            if not again:
                return 0
            continue
        tr: cython.longlong = m.heap.TR
        h: cython.longlong = m.heap.H
        hb: cython.longlong = m.heap.HB
        m.heap.HB = h
        term = m.program.clause_term(at)
        head = term
        body = m.symbols.a_true
        if term & 7 == STR and m.heap.cells[term >> 3] == m.symbols.f_neck << 3 | INT:
            head = m.terms.part(term, 0)
            body = m.terms.part(term, 1)
        if unify(m.terms, m.stacks.x[0], head) and unify(m.terms, m.stacks.x[1], body):
            m.heap.HB = hb
            if m.stacks.x[2] == 1 << 3 | INT:
                # one that was erased since the call began counts as retracted (logical update view)
                m.database.erase(at)
            return 1
        m.heap.undo_to(tr)
        m.heap.H = h
        m.heap.HB = hb
        if not again:
            return 0
