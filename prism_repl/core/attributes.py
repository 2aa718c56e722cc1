# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Attributed variables, and how the goals that wait for them are woken.

An attributed variable is a plain unbound cell between two others: a mark before it, its attributes after it.
So all that walks over terms takes it for a variable, and the loop binds it like any other. The loop does
not look for it: all such variables lie below `attr_floor`, and a binding below that is always trailed. When
there are any, calls and returns leave the loop if the trail has grown (`wake_from`); what was bound is
then found on it, and '$wakeup'/1 is called with the attributes and the values before execution goes on.
"""

import cython

from prism_repl.core.liveness import registers_needed

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.copying import copy
    from prism_repl.core.heap import Heap
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.stacks import Stacks
    from prism_repl.core.unification import unify

# The first slot of a frame that waits for woken goals: what follows is a call, the code at E_CP, or that code
# with the continuation in the frame before.
CALL_AGAIN, GO_ON, GO_ON_AT_NECK = range(3)


def is_attributed(m, c):
    """Whether a dereferenced cell is an attributed variable."""
    at: cython.longlong = c >> 3
    return c & 7 == REF and 0 < at < m.heap.attr_floor and m.heap.cells[at - 1] == m.heap.attr_mark


def attributes(m, c):
    """The attributes of an attributed variable."""
    return m.heap.cells[(c >> 3) + 1]


def set_attributes(m, c, value):
    """Give an unbound variable attributes, or others; undone on backtracking."""
    heap: Heap = m.heap
    at: cython.longlong = c >> 3
    if is_attributed(m, c):
        heap.trail_room(2)
        heap.trail[heap.TR] = heap.cells[at + 1]
        heap.trail[heap.TR + 1] = ~(at + 1)
        heap.TR += 2
        heap.cells[at + 1] = value
        return 0
    heap.room(3)
    at = heap.H
    heap.cells[at] = heap.attr_mark
    heap.cells[at + 1] = (at + 1) << 3 | REF
    heap.cells[at + 2] = value
    heap.H = at + 3
    m.terms.bind(c, (at + 1) << 3 | REF)
    if heap.attr_floor == 0:
        heap.wake_from = heap.TR
    if heap.attr_floor < at + 2:
        heap.attr_floor = at + 2
    return 0


# ---- waking


def woken(m):
    """A list of wake(Attributes,Value) for the attributed variables that were bound since the last look, in
    the order of their binding; 0 if there are none."""
    heap: Heap = m.heap
    i: cython.longlong = heap.TR - 1
    a: cython.longlong
    value: cython.longlong
    found: cython.longlong = m.nil
    f: cython.longlong = m.symbols.functor(m.symbols.atom("wake"), 2)
    bound: list = []
    while i >= heap.wake_from:
        a = heap.trail[i]
        if a < 0:  # an assignment takes two words
            i -= 2
            continue
        i -= 1
        if 0 < a < heap.attr_floor and heap.cells[a - 1] == heap.attr_mark and heap.cells[a] != a << 3 | REF:
            bound.append(a)
    waking: list = []
    for at in reversed(bound):
        a = at
        value = m.terms.deref(heap.cells[a])
        if value & 7 == REF and not is_attributed(m, value):
            # a plain variable: it refers to the attributed one instead
            heap.cells[a] = a << 3 | REF
            m.terms.bind(value, a << 3 | REF)
        elif heap.cells[a + 1] != m.nil:
            waking.append(m.terms.new_struct(f, [heap.cells[a + 1], value]))
    for item in reversed(waking):
        found = m.terms.cons(item, found)
    heap.wake_from = heap.TR
    return found if waking else 0


def due(m):
    """The argument of '$wakeup'/1, or 0. A look ahead leaves the hooks out: what fails without them fails
    anyway."""
    if m.stacks.mode == 2:
        m.heap.wake_from = m.heap.TR
    return woken(m) if m.heap.TR > m.heap.wake_from else 0


def wake(m):
    """At P, where no register is in use: whether hooks are to be called before execution goes on there."""
    goals: cython.longlong = due(m)
    if goals == 0:
        return False
    m.stacks.CP = m.stacks.P
    m.stacks.x[0] = goals
    m.called = m.program.p_wakeup
    return True


def wake_before_call(m):
    """Before a call: if hooks are to be called, it waits for them."""
    goals: cython.longlong = due(m)
    if goals != 0:
        save_call(m, m.called, m.call_result)
        m.stacks.x[0] = goals
        m.called = m.program.p_wakeup
        m.call_result = R_CALL
    return 0


def wake_in_clause(m):
    """WAKE: head or inline goals may have bound variables, whose hooks come before what follows."""
    goals: cython.longlong
    has_frame: cython.bint = m.program.code[m.stacks.P + 1] != 0
    m.stacks.P += 2
    goals = due(m) if m.heap.attr_floor != 0 else 0
    if goals == 0:
        return R_GO
    save_place(m, has_frame)
    m.stacks.x[0] = goals
    m.called = m.program.p_wakeup
    return R_CALL


def plain_call(m):
    """A tabled call with attributed variables is made with plain ones, since tables are shared: the hooks see
    the answers."""
    p: cython.longlong = m.called
    n: cython.longlong = m.program.preds[p * PSIZE + P_ARITY]
    if m.stacks.mode == 2 or not has_attributed(m, n):
        return False
    args = [m.stacks.x[k] for k in range(n)]
    m.stacks.x[0] = m.terms.new_struct(m.program.preds[p * PSIZE + P_FUNCTOR], args)
    m.called = m.program.p_plain_call
    return True


# ---- what waits meanwhile


def push_frame(m, code, n):
    """A new environment of n slots above all others, which goes on at code; returns its first slot."""
    st: Stacks = m.stacks
    e: cython.longlong = st.frame_top()
    st.grow_env(e + n + 64)
    st.env[e + E_PREV] = st.E
    st.env[e + E_CP] = code
    st.env[e + E_N] = n
    st.E = e
    return e + E_SLOTS


def save_call(m, pred, how):
    """Before a call, whose arguments are in x: it waits in a frame, for resume()."""
    st: Stacks = m.stacks
    n: cython.longlong = m.program.preds[pred * PSIZE + P_ARITY]
    i: cython.longlong
    at: cython.longlong = push_frame(m, st.CP, n + 3)
    st.env[at] = CALL_AGAIN << 3 | INT
    st.env[at + 1] = pred << 3 | INT
    st.env[at + 2] = how << 3 | INT
    for i in range(n):
        st.env[at + 3 + i] = st.x[i]
    st.CP = m.program.resume_code
    return 0


def save_place(m, has_frame):
    """In a clause, at P: the registers that are needed from there on wait in a frame, for resume(). Before
    its own frame is there, the current one is the caller's, whose continuation waits, too."""
    st: Stacks = m.stacks
    needed: list = registers_needed(m, st.P)
    n: cython.longlong = len(needed)
    i: cython.longlong
    r: cython.longlong
    at: cython.longlong
    if not has_frame:
        push_frame(m, st.CP, 0)
    at = push_frame(m, st.P, 2 * n + 2)
    st.env[at] = (GO_ON if has_frame else GO_ON_AT_NECK) << 3 | INT
    st.env[at + 1] = st.CUT << 3 | INT
    for i in range(n):
        r = needed[i]
        st.env[at + 2 + 2 * i] = r << 3 | INT
        st.env[at + 3 + 2 * i] = st.x[r]
    st.CP = m.program.resume_code
    return 0


def resume(m):
    """RESUME: the woken goals have succeeded; what waits in the current frame goes on."""
    st: Stacks = m.stacks
    at: cython.longlong = st.E + E_SLOTS
    n: cython.longlong = st.env[st.E + E_N]
    kind: cython.longlong = st.env[at] >> 3
    i: cython.longlong
    if kind == CALL_AGAIN:
        for i in range(3, n):
            st.x[i - 3] = st.env[at + i]
        st.CP = st.env[st.E + E_CP]
        st.E = st.env[st.E + E_PREV]
        m.called = st.env[at + 1] >> 3
        return st.env[at + 2] >> 3
    st.CUT = st.env[at + 1] >> 3
    for i in range(2, n, 2):
        st.x[st.env[at + i] >> 3] = st.env[at + i + 1]
    st.P = st.env[st.E + E_CP]
    st.E = st.env[st.E + E_PREV]
    if kind == GO_ON_AT_NECK:
        st.CP = st.env[st.E + E_CP]
        st.E = st.env[st.E + E_PREV]
    return R_GO


# ---- terms


def has_attributed(m, n):
    """Whether an attributed variable occurs in the first n registers."""
    i: cython.longlong
    for i in range(n):
        for v in m.terms.term_vars(m.stacks.x[i]):
            if is_attributed(m, v):
                return True
    return False


def copy_with_attributes(m, c):
    """A copy whose attributed variables have copies of the attributes."""
    found: list = []
    waiting: list = [v for v in m.terms.term_vars(c) if is_attributed(m, v)]
    seen: set = set(waiting)
    i: cython.longlong
    while waiting:
        v = waiting.pop()
        found.append(v)
        for w in m.terms.term_vars(attributes(m, v)):
            if is_attributed(m, w) and w not in seen:
                seen.add(w)
                waiting.append(w)
    if not found:
        return copy(m.terms, c)
    parts: list = [c]
    for v in found:
        parts.append(v)
        parts.append(attributes(m, v))
    copies: list = m.terms.proper_list(copy(m.terms, m.terms.list_from(parts)))
    for i in range(1, len(copies), 2):
        set_attributes(m, copies[i], copies[i + 1])
    return m.terms.deref(copies[0])


def unifier(m, a, b):
    """(variable, value) for each binding that makes two terms equal, the last first; None if nothing does."""
    heap: Heap = m.heap
    mark: cython.longlong = heap.TR
    older: cython.longlong = heap.HB
    i: cython.longlong
    pairs: list = []
    heap.HB = heap.H  # so that every binding is trailed
    try:
        if not unify(m.terms, a, b):
            return None
        for i in range(heap.TR - 1, mark - 1, -1):
            pairs.append((heap.trail[i] << 3 | REF, heap.cells[heap.trail[i]]))
    finally:
        heap.undo_to(mark)
        heap.HB = older
    return pairs
