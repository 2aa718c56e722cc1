# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The search of all explanations of a goal."""

import cython

from prism_repl.core.queries import Query

if not cython.compiled:
    from prism_repl.core.goals import goal_pred
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.tabling.evaluation import Evaluation
    from prism_repl.tabling.tables import Tables


def explain(m, goal):
    """Search all explanations of a goal in explanation mode. Returns the nodes of its answers
    (numbers as in node_term, paths ...), in the order found."""
    tabling: Evaluation = m.tabling
    tables: Tables = tabling.tables
    mode: cython.longlong = m.stacks.mode
    c: cython.longlong = m.terms.deref(goal)
    p: cython.longlong = goal_pred(m, c, 0)
    n: cython.longlong = m.terms.arity_of(c)
    i: cython.longlong
    a: cython.longlong
    t: cython.longlong
    tables.goal_number += 1
    tabling.shortcuts.goal_begins()
    query = Query(m, m.terms.struct(",", c, m.symbols.a_fail))
    m.stacks.mode = 1
    try:
        query.next()
    finally:
        query.close()
        m.stacks.mode = mode
        m.stacks.watch = 0
    m.stacks.x_room(n)
    for i in range(n):
        m.stacks.x[i] = m.terms.arg(c, i)
    t = tables.last_table(tables.call_key(p, n), p)
    found = []
    a = tables.records[t * TB_SIZE + TB_FIRST] if t != 0 else 0
    while a != 0:
        found.append(tables.answers[a * AN_SIZE + AN_NODE])
        a = tables.answers[a * AN_SIZE + AN_NEXT]
    return found


def forget_terms(m):
    """Between queries: drop tables and every stored term."""
    m.tabling.clear_tables()
    m.store.reset()
    return 0
