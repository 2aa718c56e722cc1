# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -fno-tree-slp-vectorize -fno-tree-pre -fno-tree-tail-merge -fno-crossjumping -fno-gcse
# native: -falign-functions=64 -falign-labels=16
"""The loop that executes instructions.

Variables live on the heap only, so a last call never leaves a dangling reference. Environments and choice
points have stacks of their own. In the chain of instructions success continues the loop; falling out of it is
failure.
"""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.heap import Heap
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.machine import Machine
    from prism_repl.core.numbers import small_arith
    from prism_repl.core.out_of_line import out_of_line
    from prism_repl.core.program import Program
    from prism_repl.core.stacks import Stacks
    from prism_repl.core.store import Store
    from prism_repl.core.terms import Terms
    from prism_repl.core.unification import unify_flat


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.locals(hp=Heap)  # an annotation would add a check for None
def bind(
    hp, heap: cython.p_longlong, at: cython.longlong, value: cython.longlong, HB: cython.longlong
) -> cython.void:
    """Bind the variable at an index of the heap, and note it on the trail if a choice point is younger."""
    heap[at] = value
    if at < HB:
        hp.trail[hp.TR] = at
        hp.TR += 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.locals(hp=Heap)
def unify_atomic(
    hp,
    heap: cython.p_longlong,
    a: cython.longlong,
    b: cython.longlong,
    HB: cython.longlong,
) -> cython.int:
    """Unify if one is a variable or atomic: 1 they are unified, 0 they cannot be, 2 both are compound."""
    c: cython.longlong
    a = deref(heap, a)
    b = deref(heap, b)
    if a == b:
        return 1
    if a & 7 == REF:
        if b & 7 == REF and b > a:  # the younger refers to the older
            c = a
            a = b
            b = c
        bind(hp, heap, a >> 3, b, HB)
        return 1
    if b & 7 == REF:
        bind(hp, heap, b >> 3, a, HB)
        return 1
    if a & 7 == ATM or a & 7 == INT or b & 7 == ATM or b & 7 == INT:
        return 0
    return 2


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def operand(
    heap: cython.p_longlong,
    x: cython.p_longlong,
    env: cython.p_longlong,
    slots: cython.longlong,
    kind: cython.longlong,
    value: cython.longlong,
) -> cython.longlong:
    """An operand of arithmetic: a register, a constant, or a slot of the environment."""
    if kind == OC:
        return value
    if kind == OX:
        return deref(heap, x[value])
    return deref(heap, env[slots + value])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.locals(hp=Heap)
def barrier(hp, choice: cython.p_longlong, B: cython.longlong, attr: cython.longlong) -> cython.longlong:
    """HB for the choice point on top: bindings below it are trailed."""
    HB: cython.longlong = choice[B + B_H]
    if HB < attr:
        HB = attr
    hp.HB = HB
    return HB


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def frame_top(
    env: cython.p_longlong, choice: cython.p_longlong, E: cython.longlong, B: cython.longlong
) -> cython.longlong:
    """Where a new environment begins: behind the current one and those that choice points keep."""
    top: cython.longlong = E + E_SLOTS + env[E + E_N]
    return choice[B + B_ETOP] if choice[B + B_ETOP] > top else top


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def new_choice(
    choice: cython.p_longlong,
    env: cython.p_longlong,
    kind: cython.longlong,
    n: cython.longlong,
    B: cython.longlong,
    E: cython.longlong,
    CP: cython.longlong,
    TR: cython.longlong,
    H: cython.longlong,
    XT: cython.longlong,
) -> cython.longlong:
    """A new choice point on top of B, which has room for n arguments."""
    nb: cython.longlong = B + B_ARGS + choice[B + B_N]
    choice[nb + B_PREV] = B
    choice[nb + B_KIND] = kind
    choice[nb + B_E] = E
    choice[nb + B_CP] = CP
    choice[nb + B_TR] = TR
    choice[nb + B_H] = H
    choice[nb + B_ETOP] = frame_top(env, choice, E, B)
    choice[nb + B_XT] = XT
    choice[nb + B_N] = n
    return nb


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def first_key(heap: cython.p_longlong, cells: cython.p_longlong, a: cython.longlong) -> cython.longlong:
    """By what clauses are found for a dereferenced first argument; 0: by nothing."""
    t: cython.longlong = a & 7
    if t == ATM or t == INT:
        return a
    if t == STR:
        return heap[a >> 3] - INT + STR
    if t == GST:
        return cells[a >> 3] - INT + STR
    return LST if t == LST or t == GLS else 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def clauses_with(
    code: cython.p_longlong, preds: cython.p_longlong, q: cython.longlong, key: cython.longlong
) -> cython.longlong:
    """The first clause with a key, of the predicate at q; 0 if there is none."""
    mask: cython.longlong = preds[q + P_HMASK]
    i: cython.longlong = key_place(key, mask)
    at: cython.longlong = preds[q + P_HASH]
    while code[at + 3 * i] != key:
        if code[at + 3 * i] == 0:
            return 0
        i = (i + 1) & mask
    return code[at + 3 * i + 1]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.locals(pg=Program)
def following_clause(
    pg, code: cython.p_longlong, c: cython.longlong, c2: cython.longlong, d: cython.longlong
) -> cython.longlong:
    """The next clause of chain c, of all clauses (c2 is -1) or of those with a key, and of chain c2, of those
    without one; 0 if there is none. d, if not negative, is the generation of the program that sees them. Of
    what is left pg.alt1 and pg.alt2 are the chains."""
    a: cython.longlong
    if d >= 0:
        return pg.next_clause(c, c2, d)
    a = c
    if c2 == -1:
        if a != 0:
            c = code[a + C_NEXT]
    elif c2 > 0 and (c == 0 or code[c2 + C_SEQ] < code[c + C_SEQ]):
        a = c2
        c2 = code[a + C_NEXT_KEY]
    elif a != 0:
        c = code[a + C_NEXT_KEY]
    pg.alt1 = c
    pg.alt2 = c2
    return a


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.locals(m=Machine, terms=Terms)
def unify_compound(m, terms, a: cython.longlong, b: cython.longlong, HB: cython.longlong) -> cython.int:
    """Unify: 1 they are unified, 0 they cannot be, 2 m.left and m.right need more than the loop has."""
    i: cython.int = unify_flat(terms, a, b, HB)
    if i == 2:
        m.left = a
        m.right = b
    return i


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.locals(m=Machine, terms=Terms, hp=Heap)
def unify_cells(
    m,
    terms,
    hp,
    heap: cython.p_longlong,
    a: cython.longlong,
    b: cython.longlong,
    HB: cython.longlong,
) -> cython.int:
    """The same, if one is likely to be a variable or atomic."""
    i: cython.int = unify_atomic(hp, heap, a, b, HB)
    return i if i != 2 else unify_compound(m, terms, a, b, HB)


def execute(m, backtrack):
    """The loop itself: until success (1) or failure (0).

    An instruction, or a part of one, is done here as long as it touches only the registers, which are
    locals, and the areas through their base pointers: it calls nothing that could move an area or raise
    (a method that is declared noexcept can do neither). All other work is out of line: `out` says which,
    the loop is left, and at the one place below all registers are saved, out_of_line() does the work on
    the attributes, and everything is loaded again. An error leaves from there, with all registers saved.
    """
    hp: Heap = m.heap
    st: Stacks = m.stacks
    gs: Store = m.store
    pg: Program = m.program
    terms: Terms = m.terms
    code: cython.p_longlong
    heap: cython.p_longlong
    x: cython.p_longlong
    env: cython.p_longlong
    choice: cython.p_longlong
    preds: cython.p_longlong
    sb: cython.p_longlong
    P: cython.longlong
    H: cython.longlong
    E: cython.longlong
    B: cython.longlong
    CP: cython.longlong
    S: cython.longlong = 0
    HB: cython.longlong
    CUT: cython.longlong
    op: cython.longlong
    pr: cython.longlong = -1
    q: cython.longlong
    a: cython.longlong
    b: cython.longlong
    c: cython.longlong
    c2: cython.longlong
    d: cython.longlong
    i: cython.longlong
    n: cython.longlong
    t: cython.longlong
    key: cython.longlong
    flags: cython.longlong
    nb: cython.longlong
    hmax: cython.longlong
    hcall: cython.longlong  # at calls instead of hmax: all of them leave the loop in a look ahead
    skip_table: cython.bint = False
    looked: cython.bint = False
    cmax: cython.longlong = 0
    out: cython.longlong = 0
    result: cython.longlong = R_FAIL if backtrack else R_GO
    ticks: cython.longlong = 0
    tmax: cython.longlong = 0
    attr: cython.longlong = 0  # bindings below it are trailed: attributed variables may be among them
    watch: cython.longlong = 0  # the address of what must not be looked at, in a look ahead
    ok: cython.bint
    failing: cython.bint = False
    # while the neck of a clause runs that has no choice point yet: its predicate, its other clauses, and
    # how to get back to them
    waiting: cython.longlong = -1
    alternative: cython.longlong = 0
    alternative2: cython.longlong = 0
    alternative_at: cython.longlong = 0
    shallow: cython.longlong = 0
    shallow_H: cython.longlong = 0
    shallow_TR: cython.longlong = 0
    small: cython.longlong = 1
    small = small << 60
    mul_max: cython.longlong = 1 << 30
    while True:
        # ---- the one place: whatever was built, the next instructions find room; everything is loaded
        if hp.H + MARGIN > hp.size:
            hp.room(2 * MARGIN)
        if hp.TR + MARGIN > hp.trail_size:
            hp.trail_room(2 * MARGIN)
        n = st.B + 2 * B_ARGS + st.choice[st.B + B_N] + st.x_size + 64
        if n > st.choice_size:
            st.grow_choice(n)
        code = pg.code
        heap = hp.cells
        x = st.x
        env = st.env
        choice = st.choice
        preds = pg.preds
        P = st.P
        H = hp.H
        E = st.E
        B = st.B
        CP = st.CP
        CUT = st.CUT
        S = m.S
        sb = gs.cells if m.in_store else heap
        ticks = m.ticks
        attr = hp.attr_floor
        HB = choice[B + B_H]
        if waiting >= 0 and shallow & SH_HEAD:
            HB = shallow_H
        if HB < attr:
            HB = attr
        hp.HB = HB
        hmax = hp.size - MARGIN
        if hp.gc_threshold < hmax:
            hmax = hp.gc_threshold
        tmax = hp.trail_size - MARGIN
        if attr != 0 and hp.wake_from < tmax:
            tmax = hp.wake_from
        # the choice point on top has its arguments, and there is room for another one
        cmax = st.choice_size - 2 * st.x_size - 2 * B_ARGS - 64
        watch = st.watch if st.mode == 2 else 0
        hcall = hmax if watch == 0 else -1
        out = 0
        if result >= R_CALL:
            if result >= R_NO:
                return result - R_NO
            pr = m.called
            m.called = 0
            looked = result >= R_CALL_LOOKED
            skip_table = result == R_CALL_CLAUSES
        elif result == R_FAIL:
            failing = True
        while True:
            if not failing and pr < 0:
                while True:
                    op = code[P]
                    # ---- head unification
                    if op == GET_LIST_VV:
                        a = deref(heap, x[code[P + 1]])
                        t = a & 7
                        if t == LST:
                            a = a >> 3
                            b = heap[a + 1]
                            x[code[P + 2]] = heap[a]
                            x[code[P + 3]] = b
                            P += 4
                            continue
                        if t == REF:
                            bind(hp, heap, a >> 3, H << 3 | LST, HB)
                            heap[H] = H << 3
                            heap[H + 1] = (H + 1) << 3
                            x[code[P + 2]] = H << 3
                            x[code[P + 3]] = (H + 1) << 3
                            H += 2
                            P += 4
                            continue
                        if t == GLS:
                            a = a >> 3
                            b = gs.cells[a + 1]
                            x[code[P + 2]] = gs.cells[a]
                            x[code[P + 3]] = b
                            P += 4
                            continue
                    elif op == GET_LIST_LV:
                        a = deref(heap, x[code[P + 1]])
                        t = a & 7
                        if t == REF:
                            bind(hp, heap, a >> 3, H << 3 | LST, HB)
                            heap[H] = x[code[P + 2]]
                            heap[H + 1] = (H + 1) << 3
                            x[code[P + 3]] = (H + 1) << 3
                            H += 2
                            P += 4
                            continue
                        if t == LST or t == GLS:
                            if t == LST:
                                b = heap[a >> 3]
                                c = heap[(a >> 3) + 1]
                            else:
                                b = gs.cells[a >> 3]
                                c = gs.cells[(a >> 3) + 1]
                            a = x[code[P + 2]]
                            x[code[P + 3]] = c
                            P += 4
                            if a == b:
                                continue
                            i = unify_compound(m, terms, a, b, HB)
                            if i == 1:
                                continue
                            if i == 2:
                                out = OUT_UNIFY
                    elif op == GET_LIST:
                        a = deref(heap, x[code[P + 1]])
                        t = a & 7
                        if t == LST:
                            S = a >> 3
                            sb = heap
                            P += 2
                            continue
                        if t == REF:
                            bind(hp, heap, a >> 3, H << 3 | LST, HB)
                            S = 0
                            P += 2
                            continue
                        if t == GLS:
                            S = a >> 3
                            sb = gs.cells
                            P += 2
                            continue
                    elif op == GET_STRUCT:
                        a = deref(heap, x[code[P + 2]])
                        t = a & 7
                        if t == STR:
                            if heap[a >> 3] == code[P + 1]:
                                S = (a >> 3) + 1
                                sb = heap
                                P += 3
                                continue
                        elif t == REF:
                            bind(hp, heap, a >> 3, H << 3 | STR, HB)
                            heap[H] = code[P + 1]
                            H += 1
                            S = 0
                            P += 3
                            continue
                        elif t == GST:
                            if gs.cells[a >> 3] == code[P + 1]:
                                S = (a >> 3) + 1
                                sb = gs.cells
                                P += 3
                                continue
                    elif op == GET_STRUCT_VV:
                        a = deref(heap, x[code[P + 2]])
                        t = a & 7
                        a = a >> 3
                        if t == STR:
                            if heap[a] == code[P + 1]:
                                b = heap[a + 2]
                                x[code[P + 3]] = heap[a + 1]
                                x[code[P + 4]] = b
                                P += 5
                                continue
                        elif t == REF:
                            bind(hp, heap, a, H << 3 | STR, HB)
                            heap[H] = code[P + 1]
                            heap[H + 1] = (H + 1) << 3
                            heap[H + 2] = (H + 2) << 3
                            x[code[P + 3]] = (H + 1) << 3
                            x[code[P + 4]] = (H + 2) << 3
                            H += 3
                            P += 5
                            continue
                        elif t == GST:
                            if gs.cells[a] == code[P + 1]:
                                b = gs.cells[a + 2]
                                x[code[P + 3]] = gs.cells[a + 1]
                                x[code[P + 4]] = b
                                P += 5
                                continue
                    elif op == GET_CONST:
                        a = deref(heap, x[code[P + 2]])
                        if a == code[P + 1]:
                            P += 3
                            continue
                        if a & 7 == REF:
                            bind(hp, heap, a >> 3, code[P + 1], HB)
                            P += 3
                            continue
                    elif op == GET_VAL:
                        a = x[code[P + 1]]
                        b = x[code[P + 2]]
                        P += 3
                        i = unify_cells(m, terms, hp, heap, a, b, HB)
                        if i == 1:
                            continue
                        if i == 2:
                            out = OUT_UNIFY
                    elif op == U_VAR:
                        if S > 0:
                            x[code[P + 1]] = sb[S]
                            S += 1
                        else:
                            heap[H] = H << 3
                            x[code[P + 1]] = H << 3
                            H += 1
                        P += 2
                        continue
                    elif op == U_VAL:
                        a = x[code[P + 1]]
                        if S == 0:
                            heap[H] = a
                            H += 1
                            P += 2
                            continue
                        b = sb[S]
                        S += 1
                        P += 2
                        if a == b:
                            continue
                        i = unify_cells(m, terms, hp, heap, a, b, HB)
                        if i == 1:
                            continue
                        if i == 2:
                            out = OUT_UNIFY
                    elif op == U_VAL_Y:
                        a = env[E + E_SLOTS + code[P + 1]]
                        P += 2
                        if S == 0:
                            heap[H] = a
                            H += 1
                            continue
                        b = sb[S]
                        S += 1
                        if a == b:
                            continue
                        i = unify_compound(m, terms, a, b, HB)
                        if i == 1:
                            continue
                        if i == 2:
                            out = OUT_UNIFY
                    elif op == U_CONST:
                        if S == 0:
                            heap[H] = code[P + 1]
                            H += 1
                            P += 2
                            continue
                        a = sb[S]
                        S += 1
                        a = deref(heap, a)
                        if a == code[P + 1]:
                            P += 2
                            continue
                        if a & 7 == REF:
                            bind(hp, heap, a >> 3, code[P + 1], HB)
                            P += 2
                            continue
                    elif op == U_VOID:
                        if S > 0:
                            S += code[P + 1]
                        else:
                            for i in range(code[P + 1]):
                                heap[H] = H << 3
                                H += 1
                        P += 2
                        continue
                    elif op == U_LIST:
                        if S == 0:
                            heap[H] = (H + 1) << 3 | LST
                            H += 1
                            P += 1
                            continue
                        a = deref(heap, sb[S])
                        t = a & 7
                        if t == LST:
                            S = a >> 3
                            sb = heap
                            P += 1
                            continue
                        if t == REF:
                            bind(hp, heap, a >> 3, H << 3 | LST, HB)
                            S = 0
                            P += 1
                            continue
                        if t == GLS:
                            S = a >> 3
                            sb = gs.cells
                            P += 1
                            continue
                    elif op == U_STRUCT:
                        if S == 0:
                            heap[H] = (H + 1) << 3 | STR
                            heap[H + 1] = code[P + 1]
                            H += 2
                            P += 2
                            continue
                        a = deref(heap, sb[S])
                        t = a & 7
                        if t == STR:
                            if heap[a >> 3] == code[P + 1]:
                                S = (a >> 3) + 1
                                sb = heap
                                P += 2
                                continue
                        elif t == REF:
                            bind(hp, heap, a >> 3, H << 3 | STR, HB)
                            heap[H] = code[P + 1]
                            H += 1
                            S = 0
                            P += 2
                            continue
                        elif t == GST:
                            if gs.cells[a >> 3] == code[P + 1]:
                                S = (a >> 3) + 1
                                sb = gs.cells
                                P += 2
                                continue
                    elif op == U_VAR_Y:
                        if S > 0:
                            env[E + E_SLOTS + code[P + 1]] = sb[S]
                            S += 1
                        else:
                            heap[H] = H << 3
                            env[E + E_SLOTS + code[P + 1]] = H << 3
                            H += 1
                        P += 2
                        continue
                    # ---- building
                    elif op == MOVE:
                        x[code[P + 2]] = x[code[P + 1]]
                        P += 3
                        continue
                    elif op == PUT_Y:
                        x[code[P + 2]] = env[E + E_SLOTS + code[P + 1]]
                        P += 3
                        continue
                    elif op == PUT_YY:
                        x[code[P + 2]] = env[E + E_SLOTS + code[P + 1]]
                        x[code[P + 5]] = env[E + E_SLOTS + code[P + 4]]
                        P += 6
                        continue
                    elif op == PUT_YYY:
                        x[code[P + 2]] = env[E + E_SLOTS + code[P + 1]]
                        x[code[P + 5]] = env[E + E_SLOTS + code[P + 4]]
                        x[code[P + 8]] = env[E + E_SLOTS + code[P + 7]]
                        P += 9
                        continue
                    elif op == PUT_VAR:
                        heap[H] = H << 3
                        x[code[P + 1]] = H << 3
                        H += 1
                        P += 2
                        continue
                    elif op == PUT_VAR_Y:
                        heap[H] = H << 3
                        x[code[P + 2]] = H << 3
                        env[E + E_SLOTS + code[P + 1]] = H << 3
                        H += 1
                        P += 3
                        continue
                    elif op == PUT_CONST:
                        x[code[P + 2]] = code[P + 1]
                        P += 3
                        continue
                    elif op == PUT_LIST:
                        x[code[P + 1]] = H << 3 | LST
                        P += 2
                        continue
                    elif op == PUT_STRUCT:
                        x[code[P + 2]] = H << 3 | STR
                        heap[H] = code[P + 1]
                        H += 1
                        P += 3
                        continue
                    elif op == B_VAL:
                        heap[H] = x[code[P + 1]]
                        H += 1
                        P += 2
                        continue
                    elif op == B_VAL_Y:
                        heap[H] = env[E + E_SLOTS + code[P + 1]]
                        H += 1
                        P += 2
                        continue
                    elif op == B_CONST:
                        heap[H] = code[P + 1]
                        H += 1
                        P += 2
                        continue
                    elif op == B_VAR:
                        heap[H] = H << 3
                        x[code[P + 1]] = H << 3
                        H += 1
                        P += 2
                        continue
                    elif op == B_VAR_Y:
                        heap[H] = H << 3
                        env[E + E_SLOTS + code[P + 1]] = H << 3
                        H += 1
                        P += 2
                        continue
                    elif op == B_VOID:
                        for i in range(code[P + 1]):
                            heap[H] = H << 3
                            H += 1
                        P += 2
                        continue
                    elif op == B_LIST:
                        heap[H] = (H + 1) << 3 | LST
                        H += 1
                        P += 1
                        continue
                    elif op == B_STRUCT:
                        heap[H] = (H + 1) << 3 | STR
                        heap[H + 1] = code[P + 1]
                        H += 2
                        P += 2
                        continue
                    elif op == SET_Y:
                        env[E + E_SLOTS + code[P + 2]] = x[code[P + 1]]
                        P += 3
                        continue
                    # ---- control
                    elif op == EXEC:
                        d = code[P + 1]
                        # the most frequent call, recursion down a list, does not leave the chain (nor keep
                        # preds in a register, of which the instructions around it make more use)
                        a = pg.preds[d * PSIZE + P_HEAD_TAIL]
                        if a != 0 and ticks > 1 and H <= hmax and hp.TR <= tmax:
                            b = deref(heap, x[0])
                            if b & 7 == LST:
                                ticks -= 1
                                CUT = B
                                b = b >> 3
                                c = heap[b + 1]
                                x[code[a + 2]] = heap[b]
                                x[code[a + 3]] = c
                                P = a + 4
                                continue
                        pr = d
                    elif op == CALL:
                        pr = code[P + 1]
                        CP = P + 2
                    elif op == DEXEC:
                        pr = code[P + 1]
                        CP = env[E + E_CP]
                        E = env[E + E_PREV]
                    elif op == PROCEED:
                        P = CP
                        if H <= hmax and hp.TR <= tmax:
                            continue
                        out = OUT_RETURN  # what follows builds terms, too
                    elif op == DPROCEED:
                        CP = env[E + E_CP]
                        E = env[E + E_PREV]
                        P = CP
                        if H <= hmax and hp.TR <= tmax:
                            continue
                        out = OUT_RETURN
                    elif op == ALLOC:
                        a = frame_top(env, choice, E, B)
                        n = code[P + 1]
                        if a + n + 64 > st.env_size:
                            out = ALLOC
                            break
                        env[a] = E
                        env[a + E_CP] = CP
                        env[a + E_N] = n
                        for i in range(n):
                            env[a + E_SLOTS + i] = 2
                        E = a
                        a += E_SLOTS
                        n = code[P + 2]
                        P += 3
                        for i in range(n):
                            env[a + code[P + 1]] = x[code[P]]
                            P += 2
                        continue
                    elif op == NECK_CUT or op == WAKE_CUT:
                        if op == WAKE_CUT:
                            if hp.TR > tmax:
                                out = WAKE
                                break
                            P += 2
                        if waiting >= 0:
                            waiting = -1
                            HB = barrier(hp, choice, B, attr)
                            if shallow & SH_HEAD and hp.TR > shallow_TR:
                                # the neck trailed all that it bound; what is younger than the choice
                                # point on top need not be
                                n = hp.TR
                                hp.TR = shallow_TR
                                for i in range(shallow_TR, n):
                                    a = hp.trail[i]
                                    if a < HB:
                                        hp.trail[hp.TR] = a
                                        hp.TR += 1
                        if B != CUT:
                            B = CUT
                            HB = barrier(hp, choice, B, attr)
                        P += 1
                        continue
                    elif op == NECK_TRY:
                        P += 1
                        if waiting < 0:
                            continue
                        # the neck succeeded: now there is a choice point for the other clauses
                        n = preds[waiting * PSIZE + P_ARITY]
                        nb = new_choice(choice, env, BK_CLAUSE, n, B, E, CP, hp.TR, shallow_H, st.XT)
                        choice[nb + B_1] = alternative
                        choice[nb + B_2] = alternative2
                        choice[nb + B_3] = alternative_at
                        if shallow & SH_HEAD:
                            choice[nb + B_TR] = shallow_TR
                        if shallow <= SH_KINDS:
                            for i in range(n):
                                choice[nb + B_ARGS + i] = x[i]
                        else:  # the arguments that the neck has overwritten are there
                            for i in range(n):
                                if (shallow >> (i + SH_BITS)) & 1 == 0:
                                    choice[nb + B_ARGS + i] = x[i]
                        waiting = -1
                        B = nb
                        HB = shallow_H
                        hp.HB = HB
                        if nb <= cmax:
                            continue
                        out = OUT_ROOM
                    elif op == GET_LEVEL:
                        env[E + E_SLOTS + code[P + 1]] = CUT << 3 | INT
                        P += 2
                        continue
                    elif op == GET_B:
                        env[E + E_SLOTS + code[P + 1]] = B << 3 | INT
                        P += 2
                        continue
                    elif op == CUT_Y:
                        B = env[E + E_SLOTS + code[P + 1]] >> 3
                        HB = barrier(hp, choice, B, attr)
                        P += 2
                        continue
                    elif op == SOFT_CUT:
                        a = env[E + E_SLOTS + code[P + 1]] >> 3
                        a = a + B_ARGS + choice[a + B_N]
                        choice[a + B_KIND] = BK_FAIL
                        P += 2
                        continue
                    elif op == TRY_ELSE:
                        nb = new_choice(choice, env, BK_CODE, 0, B, E, CP, hp.TR, H, st.XT)
                        choice[nb + B_1] = code[P + 1]
                        B = nb
                        HB = H
                        hp.HB = H
                        P += 2
                        if nb <= cmax:
                            continue
                        out = OUT_ROOM
                    elif op == RETRY_ELSE:
                        choice[B + B_1] = code[P + 1]
                        P += 2
                        continue
                    elif op == TRUST:
                        B = choice[B + B_PREV]
                        HB = barrier(hp, choice, B, attr)
                        P += 1
                        continue
                    elif op == JUMP:
                        P = code[P + 1]
                        continue
                    elif op == FAIL:
                        pass
                    elif op == ANSWER:
                        if watch == 0 or attr != 0:
                            out = ANSWER
                        else:  # in a look ahead it only matters that there is one
                            B = m.tabling.branch_may_succeed()
                            HB = barrier(hp, choice, B, attr)
                    # ---- arithmetic
                    elif op == ADD:
                        a = operand(heap, x, env, E + E_SLOTS, code[P + 2], code[P + 3])
                        b = operand(heap, x, env, E + E_SLOTS, code[P + 4], code[P + 5])
                        if a & 7 == INT and b & 7 == INT:
                            c = (a >> 3) + (b >> 3)
                            if -small <= c < small:
                                x[code[P + 1]] = c << 3 | INT
                                P += 6
                                continue
                        out = ADD
                    elif op == SUB:
                        a = operand(heap, x, env, E + E_SLOTS, code[P + 2], code[P + 3])
                        b = operand(heap, x, env, E + E_SLOTS, code[P + 4], code[P + 5])
                        if a & 7 == INT and b & 7 == INT:
                            c = (a >> 3) - (b >> 3)
                            if -small <= c < small:
                                x[code[P + 1]] = c << 3 | INT
                                P += 6
                                continue
                        out = SUB
                    elif op == MUL:
                        a = operand(heap, x, env, E + E_SLOTS, code[P + 2], code[P + 3])
                        b = operand(heap, x, env, E + E_SLOTS, code[P + 4], code[P + 5])
                        if a & 7 == INT and b & 7 == INT:
                            a = a >> 3
                            b = b >> 3
                            if -mul_max < a < mul_max and -mul_max < b < mul_max:
                                x[code[P + 1]] = (a * b) << 3 | INT
                                P += 6
                                continue
                        out = MUL
                    elif op == CMP:
                        a = operand(heap, x, env, E + E_SLOTS, code[P + 2], code[P + 3])
                        b = operand(heap, x, env, E + E_SLOTS, code[P + 4], code[P + 5])
                        if a & 7 != INT or b & 7 != INT:
                            out = CMP
                            break
                        # less, equal, greater are the bits 1, 2, 4 of what each comparison allows
                        i = 1 if a < b else (2 if a == b else 4)
                        if (COMPARISON_BITS >> (4 * code[P + 1])) & i != 0:
                            P += 7
                            continue
                        if code[P + 6] != 0:
                            P = code[P + 6]
                            continue
                    elif op == ARITH2:
                        a = operand(heap, x, env, E + E_SLOTS, code[P + 3], code[P + 4])
                        b = operand(heap, x, env, E + E_SLOTS, code[P + 5], code[P + 6])
                        if a & 7 == INT and b & 7 == INT and small_arith(m, code[P + 1], a >> 3, b >> 3):
                            x[code[P + 2]] = m.arith_result << 3 | INT
                            P += 7
                            continue
                        out = ARITH2
                    elif op == EVAL:
                        a = operand(heap, x, env, E + E_SLOTS, code[P + 2], code[P + 3])
                        if a & 7 == INT or a & 7 == BOX:
                            x[code[P + 1]] = a
                            P += 4
                            continue
                        out = EVAL
                    elif op == TEST:
                        a = deref(heap, x[code[P + 2]])
                        t = a & 7
                        i = code[P + 1]
                        if watch != 0 and (a == watch << 3 | REF or t == LST or t == STR):
                            out = OUT_MAY_SUCCEED
                            break
                        if i == T_VAR:
                            ok = t == REF
                        elif i == T_NONVAR:
                            ok = t != REF
                        elif i == T_ATOM:
                            ok = t == ATM
                        elif i == T_INTEGER:
                            ok = t == INT or (
                                t == BOX and (m.terms.box_area(a)[a >> 4] >> 3) & 255 == BIG_BOX
                            )
                        elif i == T_FLOAT:
                            ok = t == BOX and (m.terms.box_area(a)[a >> 4] >> 3) & 255 == FLOAT_BOX
                        elif i == T_NUMBER:
                            ok = t == INT or t == BOX
                        elif i == T_ATOMIC:
                            ok = t == ATM or t == INT or t == BOX
                        elif i == T_COMPOUND:
                            ok = t == LST or t == STR or t == GLS or t == GST
                        elif i == T_CALLABLE:
                            ok = t == ATM or t == LST or t == STR or t == GLS or t == GST
                        elif i == T_LIST:
                            n = 64  # a longer one is followed where it can be interrupted
                            while n > 0 and (t == LST or t == GLS):
                                a = deref(heap, heap[(a >> 3) + 1] if t == LST else gs.cells[(a >> 3) + 1])
                                t = a & 7
                                n -= 1
                            if n == 0:
                                out = TEST
                                break
                            ok = a == m.symbols.nil
                        else:
                            out = TEST
                            break
                        if ok:
                            P += 4
                            continue
                        if code[P + 3] != 0:
                            P = code[P + 3]
                            continue
                    elif op == EQUAL:
                        a = deref(heap, x[code[P + 2]])
                        b = deref(heap, x[code[P + 3]])
                        t = a & 7
                        i = b & 7
                        if watch != 0:
                            out = EQUAL
                            break
                        if a == b:
                            ok = code[P + 1] == 0
                        elif t == REF or t == ATM or t == INT or i == REF or i == ATM or i == INT:
                            ok = code[P + 1] != 0
                        else:
                            out = EQUAL
                            break
                        if ok:
                            P += 5
                            continue
                        if code[P + 4] != 0:
                            P = code[P + 4]
                            continue
                    elif op == PUT_BOX:
                        n = code[P + 2]
                        for i in range(n):
                            heap[H + i] = code[P + 3 + i]
                        x[code[P + 1]] = H << 4 | BOX
                        H += n
                        P += 3 + n
                        continue
                    elif op == GET_BOX:
                        n = code[P + 2]
                        for i in range(n):
                            heap[H + i] = code[P + 3 + i]
                        m.left = x[code[P + 1]]
                        m.right = H << 4 | BOX
                        H += n
                        P += 3 + n
                        out = OUT_UNIFY
                    elif op == ROOM:
                        n = code[P + 1]
                        if H + n > hmax or hp.TR + n > tmax:
                            out = ROOM
                            break
                        P += 2
                        continue
                    elif op == WAKE:
                        if hp.TR <= tmax:
                            P += 2
                            continue
                        out = WAKE
                    elif op == KNOWN_TERM:
                        if code[P + 3] == gs.generation:
                            x[code[P + 1]] = code[P + 4]
                            P = code[P + 2]
                        else:
                            P += 5
                        continue
                    elif op == KNOWN_MSW:
                        if st.mode != 0:
                            if code[P + 2] == m.outcomes.generation:
                                if st.XT + 8 > st.expl_size:
                                    out = KNOWN_MSW
                                    break
                                st.expl[st.XT] = code[P + 3]
                                st.XT += 1
                                P = code[P + 1]
                                continue
                            m.outcomes.site = P
                        P += 4
                        continue
                    elif op == CALLN:
                        a = deref(heap, x[0])
                        out = CALLN
                        if code[P + 1] == 1 and a & 7 == STR:
                            # the common case: a structure whose predicate is known
                            a = a >> 3
                            b = heap[a] >> 3
                            c = pg.functor_pred[b] if b < pg.functor_pred_size else 0
                            d = m.symbols.functor_arity[b]
                            if c != 0 and d + 16 <= st.x_size and not preds[c * PSIZE + P_FLAGS] & F_CONTROL:
                                for i in range(d):
                                    x[i] = heap[a + 1 + i]
                                pr = c
                                out = 0
                    elif op == CUT_TO:
                        a = deref(heap, x[0])
                        a = a >> 3
                        while B > a:
                            B = choice[B + B_PREV]
                        HB = barrier(hp, choice, B, attr)
                        P = CP
                        continue
                    elif op == CATCH_EXIT:
                        if B == env[E + E_SLOTS + code[P + 1]] >> 3:
                            B = choice[B + B_PREV]
                            HB = barrier(hp, choice, B, attr)
                        P += 2
                        continue
                    else:
                        out = code[P]
                    break
                if out != 0:
                    break

            if pr >= 0:
                # ---- a call of predicate pr, arguments in x
                q = pr * PSIZE
                ticks -= 1
                if ticks <= 0 or H > hcall or hp.TR > tmax:
                    if ticks <= 0 or H > hmax or hp.TR > tmax:
                        m.called = pr
                        m.call_result = R_CALL
                        if skip_table:
                            m.call_result = R_CALL_CLAUSES
                        elif looked:
                            m.call_result = R_CALL_LOOKED
                        pr = -1
                        out = OUT_POLL
                        break
                    if not looked:
                        i = 3  # it looks ahead, and may succeed if the rest of the list is bound
                        if heap[watch] == watch << 3 | REF:
                            i = 0
                            if preds[q + P_KIND] != K_CLAUSES or preds[q + P_FLAGS] & F_TABLED:
                                i = m.tabling.known_look(pr)
                        if i != 0:
                            if i < 0:
                                m.called = pr
                                out = OUT_LOOK
                            elif i == 3:
                                B = m.tabling.branch_may_succeed()
                                HB = barrier(hp, choice, B, attr)
                                m.outcomes.site = 0
                            pr = -1
                            if out != 0:
                                break
                            failing = True
                            continue
                looked = False
                d = -1
                a = preds[q + P_FAST]
                if a == FAST_CHAIN:
                    skip_table = False
                    a = preds[q + P_FIRST]
                    c = code[a + C_NEXT]
                    c2 = -1
                    b = c
                elif a == FAST_KEYS:
                    skip_table = False
                    a = deref(heap, x[0])
                    t = a & 7
                    if t == REF or t == BOX:
                        c2 = -1
                        a = preds[q + P_FIRST]
                        b = code[a + C_NEXT]
                        c = b
                    else:
                        if t == LST:
                            a = preds[q + P_LIST]
                        else:
                            a = clauses_with(code, preds, q, first_key(heap, gs.cells, a))
                        c2 = preds[q + P_VAR_FIRST]
                        b = 0
                        if c2 == 0:
                            if a != 0:
                                b = code[a + C_NEXT_KEY]
                                c = b
                        elif a == 0:
                            a = c2
                            c2 = 0
                            b = code[a + C_NEXT_KEY]
                            c = b
                        elif code[a + C_SEQ] < code[c2 + C_SEQ]:
                            # the chain of the key and that of clauses without one
                            c = code[a + C_NEXT_KEY]
                            b = 1
                        else:
                            c = a
                            a = c2
                            c2 = code[a + C_NEXT_KEY]
                            b = 1
                    if b == 0 and a != 0:
                        CUT = B
                        P = a + C_CODE
                        pr = -1
                        continue
                else:
                    n = preds[q + P_KIND]
                    if n == K_CODE:
                        P = preds[q + P_ENTRY]
                        CUT = B
                        pr = -1
                        continue
                    if n == K_CLAUSES:
                        flags = preds[q + P_FLAGS]
                        if flags & F_TABLED and not skip_table and (st.mode != 0 or not flags & F_EXPLAINED):
                            i = m.tabling.known_call(pr, B) if attr == 0 else -1
                            if i < 0:
                                m.called = pr
                                pr = -1
                                out = OUT_TABLE
                                break
                            pr = -1
                            P = CP
                            failing = i == 0
                            continue
                        skip_table = False
                        key = 0
                        if preds[q + P_HASH] != 0 and preds[q + P_ARITY] > 0:
                            key = first_key(heap, gs.cells, deref(heap, x[0]))
                        if key != 0:
                            c = clauses_with(code, preds, q, key)
                            c2 = preds[q + P_VAR_FIRST]
                        else:
                            c = preds[q + P_FIRST]
                            c2 = -1
                        if flags & F_DYNAMIC:
                            d = pg.generation
                        if (
                            d >= 0
                            and c2 <= 0
                            and c != 0
                            and (code[c + C_NEXT] if c2 < 0 else code[c + C_NEXT_KEY]) == 0
                            and code[c + C_BIRTH] <= d < code[c + C_DEATH]
                        ):  # the only one, or the only one with this key
                            a = c
                            b = 0
                        else:
                            a = following_clause(pg, code, c, c2, d)
                            c = pg.alt1
                            c2 = pg.alt2
                            b = 1 if a != 0 and (c != 0 or c2 > 0) else 0
                    elif n == K_HOST:
                        m.called = pr
                        pr = -1
                        out = OUT_HOST
                        break
                    else:
                        a = 0
                        if not preds[q + P_FLAGS] & (F_DYNAMIC | F_DEFINED):
                            m.called = pr
                            pr = -1
                            out = OUT_UNDEFINED
                            break
                if a == 0:
                    pr = -1
                    failing = True
                    continue
            else:
                # ---- failure
                failing = False
                skip_table = False
                pr = -1
                ticks -= 1
                looked = False
                if waiting < 0:
                    if watch != 0 and heap[watch] != watch << 3 | REF:
                        B = m.tabling.branch_may_succeed()
                        HB = barrier(hp, choice, B, attr)
                        m.outcomes.site = 0
                    # undo the bindings since the choice point
                    a = choice[B + B_TR]
                    i = hp.TR
                    while i > a:
                        i -= 1
                        b = hp.trail[i]
                        if b >= 0:
                            heap[b] = b << 3
                        else:
                            i -= 1
                            heap[~b] = hp.trail[i]
                    hp.TR = i
                    if attr != 0 and hp.TR < tmax:
                        tmax = hp.TR
                    H = choice[B + B_H]
                    E = choice[B + B_E]
                    CP = choice[B + B_CP]
                    st.XT = choice[B + B_XT]
                    t = choice[B + B_KIND]
                    if t == BK_CLAUSE:
                        n = choice[B + B_N]
                        for i in range(n):
                            x[i] = choice[B + B_ARGS + i]
                        c = choice[B + B_1]
                        c2 = choice[B + B_2]
                        d = choice[B + B_3]
                        if c2 == -1 and d < 0:  # as following_clause, without a detour over the attributes
                            a = c
                            c = code[a + C_NEXT]
                            b = c
                        else:
                            a = following_clause(pg, code, c, c2, d)
                            c = pg.alt1
                            c2 = pg.alt2
                            b = 1 if c != 0 or c2 > 0 else 0
                        CUT = choice[B + B_PREV]
                        if b == 0:
                            B = CUT
                            HB = barrier(hp, choice, B, attr)
                        else:
                            choice[B + B_1] = c
                            choice[B + B_2] = c2
                        if a != 0:
                            P = a + C_CODE
                            continue
                        failing = True
                        continue
                    if t == BK_CODE:
                        P = choice[B + B_1]
                        if ticks > 0:
                            continue
                        out = OUT_SIGNALS
                        break
                    if t == BK_STOP:
                        out = OUT_NO
                        break
                    if t == BK_CATCH or t == BK_FAIL:
                        B = choice[B + B_PREV]
                        HB = barrier(hp, choice, B, attr)
                        failing = True
                        continue
                    if t == BK_GENERATOR and ticks > 0:
                        # the next clause of a table
                        a = m.tabling.take_branch(B)
                        if a > 0:
                            for i in range(choice[B + B_N]):
                                x[i] = choice[B + B_ARGS + i]
                            E = choice[B + B_ETOP]
                            CP = pg.answer_code
                            CUT = B
                            P = a + C_CODE
                            continue
                    if t == BK_MSW and choice[B + B_3] != 0 and st.XT + 8 < st.expl_size and attr == 0:
                        # the value was a variable: it takes the next outcome
                        if choice[B + B_3] == 1:
                            i = choice[B + B_2]
                            n = i + 1
                        else:  # the outcomes are the branches of a table
                            i = m.tabling.take_outcome(B)
                            if i < 0:
                                if i == -2:
                                    out = OUT_RETRY
                                    break
                                B = choice[B + B_PREV]
                                HB = barrier(hp, choice, B, attr)
                                failing = True
                                continue
                            n = -1
                        a = choice[B + B_ARGS + 1] >> 3
                        b = choice[B + B_1]
                        c = m.outcomes.cells[m.outcomes.first[b] + i]
                        st.expl[st.XT] = (m.outcomes.base[b] + i) << 1 | 1
                        st.XT += 1
                        if n == m.outcomes.sizes[b]:
                            B = choice[B + B_PREV]
                            HB = choice[B + B_H]
                        else:
                            if n >= 0:
                                choice[B + B_2] = n
                            HB = H
                        hp.HB = HB
                        bind(hp, heap, a, c, HB)
                        P = CP
                        continue
                    if t == BK_BETWEEN and ticks > 0 and attr == 0:
                        # the variable takes the next integer
                        a = choice[B + B_ARGS] >> 3
                        i = choice[B + B_1]
                        if i == choice[B + B_2]:
                            B = choice[B + B_PREV]
                            HB = choice[B + B_H]
                        else:
                            choice[B + B_1] = i + 1
                            HB = H
                        hp.HB = HB
                        bind(hp, heap, a, i << 3 | INT, HB)
                        P = CP
                        continue
                    out = OUT_RETRY
                    break
                # in the neck of a clause that has no choice point: what it did is undone
                H = shallow_H
                if shallow & SH_HEAD:
                    for i in range(shallow_TR, hp.TR):
                        b = hp.trail[i]
                        heap[b] = b << 3
                    hp.TR = shallow_TR
                    HB = barrier(hp, choice, B, attr)
                    if shallow > SH_KINDS:
                        nb = B + B_ARGS + choice[B + B_N] + B_ARGS
                        for i in range(preds[waiting * PSIZE + P_ARITY]):
                            if (shallow >> (i + SH_BITS)) & 1:
                                x[i] = choice[nb + i]
                pr = waiting
                waiting = -1
                c = alternative
                c2 = alternative2
                d = alternative_at
                a = following_clause(pg, code, c, c2, d)
                c = pg.alt1
                c2 = pg.alt2
                b = 1 if c != 0 or c2 > 0 else 0

            # ---- clause a of predicate pr; if b is not 0, there are others: c, c2, d say which
            CUT = B
            if b != 0:
                n = preds[pr * PSIZE + P_ARITY]
                nb = B + B_ARGS + choice[B + B_N]
                shallow = code[a + C_SHALLOW]
                if shallow != 0 and watch == 0 and attr == 0:
                    # no choice point is made: if its neck fails, none is needed; if it succeeds,
                    # NECK_CUT cuts the others off, or NECK_TRY makes one
                    waiting = pr
                    alternative = c
                    alternative2 = c2
                    alternative_at = d
                    shallow_H = H
                    if shallow & SH_HEAD:
                        shallow_TR = hp.TR
                        HB = H
                        hp.HB = H
                        if shallow > SH_KINDS:
                            for i in range(n):
                                if (shallow >> (i + SH_BITS)) & 1:
                                    choice[nb + B_ARGS + i] = x[i]
                else:
                    nb = new_choice(choice, env, BK_CLAUSE, n, B, E, CP, hp.TR, H, st.XT)
                    choice[nb + B_1] = c
                    choice[nb + B_2] = c2
                    choice[nb + B_3] = d
                    for i in range(n):
                        choice[nb + B_ARGS + i] = x[i]
                    B = nb
                    HB = H
                    hp.HB = H
                    if nb > cmax:
                        P = a + C_CODE
                        pr = -1
                        out = OUT_ROOM
                        break
            P = a + C_CODE
            pr = -1

        # ---- the one place: all registers are saved; the work is done on the attributes
        st.P = P
        hp.H = H
        st.E = E
        st.B = B
        st.CP = CP
        st.CUT = CUT
        m.S = S
        m.in_store = sb != heap
        m.ticks = ticks
        if attr != 0:
            hp.wake_from = tmax
        failing = False
        result = out_of_line(m, out)
