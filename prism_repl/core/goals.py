# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Goals as data: what call/N and assert see."""

import cython

from prism_repl.core.errors import instantiation_error, resource_error, type_error

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


def goal_pred(m, goal, extra):
    """The predicate of a goal called with extra arguments (errors as call/N has them)."""
    t: cython.longlong = goal & 7
    f: cython.longlong
    if t == STR and extra == 0:
        f = m.heap.cells[goal >> 3] >> 3
        if f < m.program.functor_pred_size and m.program.functor_pred[f] != 0:
            return m.program.functor_pred[f]
    elif t == ATM:
        f = m.symbols.functor(goal, extra)
    elif t == STR or t == GST or t == LST or t == GLS:
        f = m.terms.functor_of(goal)
        if extra > 0:
            f = m.symbols.functor(m.symbols.functor_name[f], m.symbols.functor_arity[f] + extra)
    elif t == REF:
        raise instantiation_error()
    else:
        raise type_error("callable", goal)
    return m.program.pred(f)


def with_arguments(m, goal, extra):
    """The goal with the extra arguments of call/N, which are in x[1..], added."""
    args = []
    i: cython.longlong
    for i in range(m.terms.arity_of(goal)):
        args.append(m.terms.part(goal, i))
    for i in range(1, extra + 1):
        args.append(m.stacks.x[i])
    return m.terms.new_struct(m.symbols.functor(m.terms.name_of(goal), len(args)), args)


def is_control(m, c):
    """Is the cell one of (A,B), (A;B), (A|B), (A->B), (A*->B)?"""
    if c & 7 != STR and c & 7 != GST:
        return False
    f: cython.longlong = m.terms.functor_of(c)
    return (
        f == m.symbols.comma_functor
        or f == m.symbols.f_semicolon
        or f == m.symbols.f_bar
        or f == m.symbols.f_arrow
        or f == m.symbols.f_softarrow
    )


def body_goal(m, goal):
    """A body as call/1 and assert see it: a variable V in goal position becomes call(V), so that a cut
    it is bound to later stays local; (A|B) is (A;B). A body that contains a number, or is cyclic, is
    refused before any of it runs."""
    changes: cython.bint = False
    stack = [goal]
    steps: cython.longlong = 0
    limit: cython.longlong = m.heap.H + m.store.top + 16  # more steps than cells: perhaps cyclic
    c: cython.longlong
    seen = set()
    while stack:
        steps += 1
        if steps & 1023 == 0:  # it may be called for many long bodies in a row
            m.interrupts.check()
        if steps == limit and not m.terms.is_acyclic(goal):
            raise type_error("acyclic_term", goal)
        c = m.terms.deref(stack.pop())
        if steps >= limit:  # parts are shared
            if c in seen:
                continue
            seen.add(c)
        if c & 7 == REF:
            changes = True
        elif c & 7 == INT or c & 7 == BOX:
            raise type_error("callable", goal)
        elif is_control(m, c):
            changes = changes or m.terms.functor_of(c) == m.symbols.f_bar
            stack.append(m.terms.part(c, 1))
            stack.append(m.terms.part(c, 0))
    if not changes:
        return goal
    # rebuilt from the leaves: the list grows in preorder, and is read backwards
    order = []
    stack = [goal]
    while stack:
        if len(order) > limit:
            raise resource_error("program_space")
        c = m.terms.deref(stack.pop())
        order.append(c)
        if is_control(m, c):
            stack.append(m.terms.part(c, 1))
            stack.append(m.terms.part(c, 0))
    done = []
    i: cython.longlong
    f: cython.longlong
    for i in range(len(order) - 1, -1, -1):
        c = order[i]
        if is_control(m, c):
            f = m.terms.functor_of(c)
            if f == m.symbols.f_bar:
                f = m.symbols.f_semicolon
            done.append(m.terms.new_struct(f, [done.pop(), done.pop()]))
        elif c & 7 == REF:
            done.append(m.terms.struct("call", c))
        else:
            done.append(c)
    return done.pop()
