# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -flto
"""What the loop does not do itself: all that may move an area, raise, or take long.

The loop has saved its registers; the work here is on the attributes, and its result says how the loop goes
on: R_GO at stacks.P, R_FAIL, R_CALL of the predicate m.called (R_CALL_LOOKED: past the look ahead,
R_CALL_CLAUSES: past its table, too), R_YES and R_NO. Afterwards the loop loads everything again.
"""

import cython

from prism_repl.core.errors import PrologError, resource_error

if not cython.compiled:
    from prism_repl.core.attributes import plain_call, resume, wake, wake_before_call, wake_in_clause
    from prism_repl.core.between import between_first, between_next
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.clause_access import check_clause_access, clause_first, clause_next
    from prism_repl.core.common_modes import common_mode
    from prism_repl.core.comparison import compare
    from prism_repl.core.goals import body_goal, goal_pred, with_arguments
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.interning import intern
    from prism_repl.core.numbers import compare_values
    from prism_repl.core.term_builtins import native
    from prism_repl.core.unification import unify


def out_of_line(m, what):
    """The work that searches do most often; for the rest another function has its registers saved."""
    result: cython.int
    if m.heap.attr_floor != 0:
        return other_work(m, what)
    if what == OUT_TABLE:
        result = m.tabling.call(m, m.called)
    elif what == OUT_RETRY:
        result = retry(m)
    elif what == ANSWER:
        m.tabling.answer(m)
        result = R_FAIL
    elif what == MSW:
        result = msw_instruction(m)
    elif what == OUT_LOOK:
        return m.tabling.look(m, m.called)
    else:
        return other_work(m, what)
    if result == R_FAIL:
        result = failed(m)
    return result if m.heap.attr_floor == 0 else returned(m, result)


def other_work(m, what):
    result: cython.int
    if what == OUT_TABLE:
        return returned(m, tabled_call(m))
    elif what == OUT_RETRY:
        result = retry(m)
        return returned(m, failed(m) if result == R_FAIL else result)
    elif what == ANSWER:
        if wake(m):
            return R_CALL
        m.tabling.answer(m)
        return failed(m)
    elif what == OUT_LOOK:
        return m.tabling.look(m, m.called)
    elif what == OUT_UNIFY:
        return R_GO if unify(m.terms, m.left, m.right) else R_FAIL
    elif what == OUT_HOST:
        return returned(m, host_call(m, m.called))
    elif what == NATIVE:
        return native_instruction(m)
    elif what == MSW:
        result = msw_instruction(m)
        return returned(m, failed(m) if result == R_FAIL else result)
    elif what == BODY:
        return body_instruction(m)
    elif what == CALLN:
        return call_instruction(m)
    elif what == ADD or what == SUB or what == MUL or what == ARITH2 or what == ARITH1 or what == EVAL:
        return arithmetic(m, what)
    elif what == CMP:
        return comparison(m)
    elif what == EQUAL or what == COMPARE or what == TEST:
        return test(m, what)
    elif what == OUT_POLL:
        m.running_pred = 0
        if m.heap.attr_floor != 0:
            wake_before_call(m)
        poll(m, m.program.preds[m.called * PSIZE + P_ARITY])
        m.inferences -= 1  # the call that was held up here counts again when it goes on
        return m.call_result
    elif what == OUT_RETURN:
        m.running_pred = 0
        if m.heap.attr_floor != 0 and wake(m):
            poll(m, 1)
            return R_CALL
        poll(m, 0)  # at a return no argument register is live
        return R_GO
    elif what == OUT_ROOM:  # which the loop makes before it goes on
        return R_GO
    elif what == OUT_MAY_SUCCEED:
        m.tabling.branch_may_succeed()
        m.heap.undo_to(m.stacks.choice[m.stacks.B + B_TR])
        m.outcomes.site = 0
        return R_FAIL
    elif what == OUT_SIGNALS:
        check_signals(m)
        return R_GO
    elif what == OUT_UNDEFINED:
        m.running_pred = 0
        undefined(m, m.called)
        return R_FAIL
    elif what == OUT_NO:
        return R_NO
    elif what == STOP:
        return R_CALL if m.heap.attr_floor != 0 and wake(m) else R_YES
    elif what == CATCH:
        return catch_instruction(m)
    elif what == CLAUSE_TRY:
        return returned(m, clause_instruction(m))
    elif what == COMMON:
        return returned(m, common_instruction(m))
    elif what == BETWEEN:
        return returned(m, between_first(m))
    return rare_instruction(m, what)


def rare_instruction(m, op):
    """Instructions that are met once in a while, or are done by the loop until an area is full."""
    p: cython.longlong = m.stacks.P
    n: cython.longlong
    c: cython.longlong
    if op == ALLOC:
        m.stacks.grow_env(m.stacks.frame_top() + m.program.code[p + 1] + 64)
        return R_GO
    if op == ROOM:
        n = m.program.code[p + 1]
        m.heap.room(n + 2 * MARGIN)
        m.heap.trail_room(n + 2 * MARGIN)
        m.stacks.P = p + 2
        return R_GO
    if op == KNOWN_MSW:
        m.stacks.push_item(m.program.code[p + 3])
        m.stacks.P = m.program.code[p + 1]
        return R_GO
    if op == NOTE_TERM:
        return note_term(m)
    if op == U_BOX or op == B_BOX:
        # the box goes behind the structure that is being written: it is put in the store, so that it
        # is not in the way
        n = m.program.code[p + 1]
        c = m.program.code_box(p + 2, n)
        m.stacks.P = p + 2 + n
        if op == B_BOX or m.S == 0:
            m.heap.cells[m.heap.H] = c
            m.heap.H += 1
            return R_GO
        m.S += 1
        if m.in_store:
            return R_GO if unify(m.terms, c, m.store.cells[m.S - 1]) else R_FAIL
        return R_GO if unify(m.terms, c, m.heap.cells[m.S - 1]) else R_FAIL
    if op == WAKE:
        return wake_in_clause(m)
    if op == RESUME:
        return resume(m)
    raise SystemError("unknown instruction")


def note_term(m):
    """A ground term of a clause was built: it is stored, and the code notes where."""
    p: cython.longlong = m.stacks.P
    c: cython.longlong = intern(m.terms, m.stacks.x[m.program.code[p + 1]], False)
    i: cython.longlong = m.program.code[p + 2]
    m.stacks.x[m.program.code[p + 1]] = c
    m.program.code[i + 3] = m.store.generation
    m.program.code[i + 4] = c
    if m.store.log_size > 0 and c & 7 >= BOX:
        m.program.note_place(i + 4)
    m.stacks.P = p + 3
    return R_GO


def operand_at(m, at):
    """The dereferenced cell of an operand: its kind and its value are at an address."""
    kind: cython.longlong = m.program.code[at]
    v: cython.longlong = m.program.code[at + 1]
    if kind == OX:
        return m.terms.deref(m.stacks.x[v])
    if kind == OC:
        return v
    return m.terms.deref(m.stacks.env[m.stacks.E + E_SLOTS + v])


def arithmetic(m, op):
    """An operation on what are not both small integers, or whose result is none."""
    p: cython.longlong = m.stacks.P
    c: cython.longlong
    m.running_pred = m.program.p_is
    if op == EVAL:
        c = m.evaluate(m, operand_at(m, p + 2))
        m.stacks.x[m.program.code[p + 1]] = c
        m.stacks.P = p + 4
    elif op == ARITH1:
        c = m.evaluate(m, m.terms.new_struct1(m.program.code[p + 1], operand_at(m, p + 3)))
        m.stacks.x[m.program.code[p + 2]] = c
        m.stacks.P = p + 5
    elif op == ARITH2:
        m.stacks.x[m.program.code[p + 2]] = binary(
            m, m.program.code[p + 1], operand_at(m, p + 3), operand_at(m, p + 5)
        )
        m.stacks.P = p + 7
    else:
        c = m.symbols.f_plus if op == ADD else (m.symbols.f_minus if op == SUB else m.symbols.f_times)
        m.stacks.x[m.program.code[p + 1]] = binary(m, c, operand_at(m, p + 2), operand_at(m, p + 4))
        m.stacks.P = p + 6
    m.running_pred = 0
    return R_GO


def binary(m, f, a, b):
    """The value of an operation with two operands."""
    v: cython.double
    w: cython.double
    # sums and products of floats, whose value is finite, need no evaluation of a term
    if (
        m.terms.is_float(a)
        and m.terms.is_float(b)
        and (f == m.symbols.f_plus or f == m.symbols.f_minus or f == m.symbols.f_times)
    ):
        v = m.terms.float_value(a)
        w = m.terms.float_value(b)
        if f == m.symbols.f_plus:
            v = v + w
        elif f == m.symbols.f_minus:
            v = v - w
        else:
            v = v * w
        if v - v == 0.0:
            return m.terms.float_cell(v)
    return m.evaluate(m, m.terms.new_struct2(f, a, b))


def comparison(m):
    """CMP of what are not both small integers."""
    p: cython.longlong = m.stacks.P
    op: cython.longlong = m.program.code[p + 1]
    m.running_pred = -1 - op
    holds: cython.bint = compare_values(m, op, operand_at(m, p + 2), operand_at(m, p + 4))
    m.running_pred = 0
    return branch_on(m, holds, p + 7, m.program.code[p + 6])


def branch_on(m, holds, following, otherwise):
    """After a test: go on with the following instruction, or where the test says (0: fail)."""
    if holds:
        m.stacks.P = following
    elif otherwise != 0:
        m.stacks.P = otherwise
    else:
        return R_FAIL
    return R_GO


def test(m, op):
    """Tests that walk over a term, and comparisons in the standard order."""
    p: cython.longlong = m.stacks.P
    a: cython.longlong = m.stacks.x[m.program.code[p + 2]]
    b: cython.longlong
    i: cython.longlong
    t: cython.longlong = m.program.code[p + 1]
    holds: cython.bint
    if op == TEST:
        if t == T_LIST:
            m.interrupts.check()  # in a loop over long lists few calls are made
            holds = m.terms.list_tail(a) == m.symbols.nil
        else:
            holds = m.terms.is_ground(a)
        return branch_on(m, holds, p + 4, m.program.code[p + 3])
    b = m.stacks.x[m.program.code[p + 3]]
    if m.stacks.mode == 2 and m.tabling.looks_at_rest(a, b):
        return other_work(m, OUT_MAY_SUCCEED)
    i = compare(m.terms, a, b)
    if op == EQUAL:
        holds = (i == 0) == (t == 0)
    elif t == C_LT:
        holds = i < 0
    elif t == C_LE:
        holds = i <= 0
    elif t == C_GT:
        holds = i > 0
    else:
        holds = i >= 0
    return branch_on(m, holds, p + 5, m.program.code[p + 4])


def call_instruction(m):
    """CALLN: call/N with its goal in x[0]."""
    n: cython.longlong = m.program.code[m.stacks.P + 1]
    a: cython.longlong = m.terms.deref(m.stacks.x[0])
    d: cython.longlong
    i: cython.longlong
    p: cython.longlong
    m.running_pred = 0
    p = goal_pred(m, a, n - 1)
    d = m.terms.arity_of(a)
    m.stacks.x_room(d + n)
    if m.program.preds[p * PSIZE + P_FLAGS] & F_CONTROL:
        if n > 1:
            a = with_arguments(m, a, n - 1)
        m.stacks.x[0] = body_goal(m, a)
        m.stacks.x[1] = m.stacks.B << 3 | INT
        m.stacks.P = m.program.preds[m.program.p_body * PSIZE + P_ENTRY]
        return R_GO
    if d > 1:
        for i in range(n - 1, 0, -1):
            m.stacks.x[d + i - 1] = m.stacks.x[i]
    elif d == 0:
        for i in range(1, n):
            m.stacks.x[i - 1] = m.stacks.x[i]
    for i in range(d):
        m.stacks.x[i] = m.terms.part(a, i)
    m.called = p
    return R_CALL


def body_instruction(m):
    """BODY: '$body'(Goal, Cut) takes a control construct apart; its parts are called by the library."""
    a: cython.longlong = m.terms.deref(m.stacks.x[0])
    b: cython.longlong = m.terms.deref(m.stacks.x[1])
    c: cython.longlong
    d: cython.longlong
    i: cython.longlong
    m.running_pred = 0
    if a == m.symbols.a_cut:
        m.stacks.B = b >> 3
        m.stacks.P = m.stacks.CP
        return R_GO
    d = m.terms.functor_of(a) if a & 7 == STR or a & 7 == GST else -1
    if d == m.symbols.f_semicolon or d == m.symbols.f_bar:
        c = m.terms.part(a, 0)
        i = m.terms.functor_of(c) if c & 7 == STR or c & 7 == GST else -1
        if i == m.symbols.f_arrow or i == m.symbols.f_softarrow:
            m.stacks.x[2] = m.terms.part(a, 1)
            m.stacks.x[0] = m.terms.part(c, 0)
            m.stacks.x[1] = m.terms.part(c, 1)
            m.stacks.x[3] = b
            m.called = m.program.p_ite if i == m.symbols.f_arrow else m.program.p_soft
            return R_CALL
        m.called = m.program.p_or
    elif d == m.symbols.comma_functor:
        m.called = m.program.p_and
    elif d == m.symbols.f_arrow:
        m.called = m.program.p_ifthen
    elif d == m.symbols.f_softarrow:
        m.called = m.program.p_softthen
    else:
        m.stacks.x[0] = a
        m.stacks.P = m.program.call_code
        return R_GO
    m.stacks.x[0] = m.terms.part(a, 0)
    m.stacks.x[1] = m.terms.part(a, 1)
    m.stacks.x[2] = b
    return R_CALL


def catch_instruction(m):
    b: cython.longlong = m.stacks.push_choice(BK_CATCH, 0)
    m.stacks.choice[b + B_1] = m.stacks.E
    m.stacks.choice[b + B_2] = m.findall.top
    m.stacks.choice[b + B_3] = m.findall.mark
    m.stacks.env[m.stacks.E + E_SLOTS + m.program.code[m.stacks.P + 1]] = b << 3 | INT
    m.stacks.x[0] = m.stacks.env[m.stacks.E + E_SLOTS]
    m.stacks.P += 2
    return R_GO


def native_instruction(m):
    number: cython.longlong = m.program.code[m.stacks.P + 1]
    p: cython.longlong = m.stacks.P + 2
    m.running_pred = -10 - number
    found: cython.int = native(m, number)
    m.running_pred = 0
    m.stacks.P = p
    return R_GO if found == 1 else R_FAIL


def clause_instruction(m):
    """CLAUSE_TRY: clause/2 and '$clause'/3."""
    m.running_pred = m.program.p_clause
    if m.program.code[m.stacks.P + 1] == 1:
        check_clause_access(m)
    found: cython.int = clause_first(m)
    m.running_pred = 0
    m.stacks.P = m.stacks.CP
    return R_GO if found == 1 else R_FAIL


def common_instruction(m):
    """COMMON: a predicate of the library in its common mode, or else by its clauses."""
    m.running_pred = m.program.code[m.stacks.P + 3]
    found: cython.int = common_mode(m, m.program.code[m.stacks.P + 1])
    m.running_pred = 0
    if found == 2:
        m.called = m.program.code[m.stacks.P + 2]
        return R_CALL
    m.stacks.P = m.stacks.CP
    return R_GO if found == 1 else R_FAIL


def host_call(m, p):
    """A predicate written in Python."""
    m.called = 0
    m.running_pred = p
    found: cython.int = 2
    common: cython.longlong = m.program.preds[p * PSIZE + P_COMMON]
    if common != 0:
        found = common_mode(m, common)
    if found == 2:
        found = call_host(m, m.program.preds[p * PSIZE + P_ENTRY], m.program.preds[p * PSIZE + P_ARITY])
    m.running_pred = 0
    m.stacks.P = m.stacks.CP
    return R_GO if found else R_FAIL


def call_host(m, number, n):
    """Call a builtin written in Python with its dereferenced arguments."""
    f = m.program.hosts[number]
    i: cython.longlong
    if n == 0:
        return f(m)
    if n == 1:
        return f(m, m.terms.deref(m.stacks.x[0]))
    if n == 2:
        return f(m, m.terms.deref(m.stacks.x[0]), m.terms.deref(m.stacks.x[1]))
    if n == 3:
        return f(
            m,
            m.terms.deref(m.stacks.x[0]),
            m.terms.deref(m.stacks.x[1]),
            m.terms.deref(m.stacks.x[2]),
        )
    a: cython.longlong = m.terms.deref(m.stacks.x[0])
    b: cython.longlong = m.terms.deref(m.stacks.x[1])
    c: cython.longlong = m.terms.deref(m.stacks.x[2])
    d: cython.longlong = m.terms.deref(m.stacks.x[3])
    if n == 4:
        return f(m, a, b, c, d)
    if n == 5:
        return f(m, a, b, c, d, m.terms.deref(m.stacks.x[4]))
    if n == 6:
        return f(m, a, b, c, d, m.terms.deref(m.stacks.x[4]), m.terms.deref(m.stacks.x[5]))
    args = [a, b, c, d]
    for i in range(4, n):
        args.append(m.terms.deref(m.stacks.x[i]))
    return f(m, *args)


def undefined(m, p):
    """Call of an unknown predicate: an error, or a failure, as the flag unknown says."""
    f: cython.longlong = m.program.preds[p * PSIZE + P_FUNCTOR]
    m.called = 0
    unknown = m.prolog_flags.get("unknown", "error")
    if unknown == "warning":
        name = f"{m.symbols.atom_text(m.symbols.functor_name[f])}/{m.symbols.functor_arity[f]}"
        m.streams.current_output.write(f"** Warning: Undefined procedure: {name}\n")
    if unknown != "error":
        return 0
    indicator = m.terms.struct("/", m.symbols.functor_name[f], m.symbols.functor_arity[f] << 3 | INT)
    raise PrologError("existence_error", "procedure", indicator, context=("call", 1))


def msw_instruction(m):
    m.running_pred = m.program.p_msw
    found: cython.int = m.switches.first(m)
    m.running_pred = 0
    m.stacks.P = m.stacks.CP
    return R_GO if found == 1 else R_FAIL


def tabled_call(m):
    """A call of a tabled predicate while there are attributed variables."""
    if plain_call(m):
        return R_CALL
    result: cython.int = m.tabling.call(m, m.called)
    return failed(m) if result == R_FAIL else result


def returned(m, result):
    """A predicate that is not made of clauses has returned: attributed variables that it bound are woken."""
    if result == R_GO and m.heap.attr_floor != 0 and m.stacks.P == m.stacks.CP and wake(m):
        return R_CALL
    return result


def failed(m):
    """Failure of what was done here. In a search the newest choice point is mostly one that is gone on
    with here, too: then it need not go through the loop."""
    b: cython.longlong
    kind: cython.longlong
    result: cython.int = R_FAIL
    while result == R_FAIL and m.stacks.mode != 2:
        b = m.stacks.B
        kind = m.stacks.choice[b + B_KIND]
        if not (
            kind == BK_ANSWERS or kind == BK_GENERATOR or (kind == BK_MSW and m.stacks.choice[b + B_3] == 2)
        ):
            break
        m.ticks -= 1
        if m.heap.TR > m.stacks.choice[b + B_TR]:
            m.heap.undo_to(m.stacks.choice[b + B_TR])
        m.heap.H = m.stacks.choice[b + B_H]
        m.stacks.E = m.stacks.choice[b + B_E]
        m.stacks.CP = m.stacks.choice[b + B_CP]
        m.stacks.XT = m.stacks.choice[b + B_XT]
        result = m.switches.retry(m) if kind == BK_MSW else m.tabling.retry(m, kind)
    return result


def retry(m):
    """The next way of a choice point that is not one of clauses or code: bindings are undone."""
    kind: cython.longlong = m.stacks.choice[m.stacks.B + B_KIND]
    if kind == BK_MSW:
        return m.switches.retry(m)
    if kind == BK_BETWEEN:
        if m.ticks <= 0:
            check_signals(m)
        return between_next(m)
    return retry_clause_access(m) if kind == BK_CLAUSEREF else m.tabling.retry(m, kind)


def retry_clause_access(m):
    """The next clause of clause/2 or retract/1."""
    b: cython.longlong = m.stacks.B
    i: cython.longlong
    found: cython.int
    for i in range(m.stacks.choice[b + B_N]):
        m.stacks.x[i] = m.stacks.choice[b + B_ARGS + i]
    m.heap.HB = m.heap.H
    if m.ticks <= 0:
        check_signals(m)
    found = clause_next(m)
    m.stacks.P = m.stacks.CP
    return R_GO if found == 1 else R_FAIL


def poll(m, nargs):
    """At a call or a return: look at signals; make room or collect garbage."""
    due: cython.bint = COLLECTS and m.ticks <= 0 and m.stacks.watch == 0 and collection_is_due(m)
    if m.ticks <= 0:
        check_signals(m)
    if m.cleanup_b != 0 and m.stacks.watch == 0 and m.cleanup_is_due():
        run_cleanups(m, nargs)
    full: cython.bint = m.heap.TR + MARGIN > m.heap.trail_size and m.heap.TR > (1 << 17)
    if m.heap.H > m.heap.gc_threshold or full or due:
        if m.stacks.watch != 0:  # nothing moves in a look ahead: it is given up
            raise resource_error("memory")
        collect(m, nargs)
    m.heap.room(4 * MARGIN)
    m.heap.trail_room(4 * MARGIN)


def collection_is_due(m):
    """In the build that always collects: yes, but the more words are in use the more rarely, as a collection
    goes over all of them."""
    used: cython.longlong = m.heap.H + m.heap.TR + m.stacks.E + m.stacks.B
    return m.inferences // TICKS % (1 + used // 4096) == 0


def check_signals(m):
    m.inferences += TICKS - m.ticks
    m.ticks = TICKS
    m.interrupts.check()
    if m.cleanup_b != 0:
        m.poll_soon()


def run_cleanups(m, nargs):
    """Run the cleanups that are due before the call whose arguments are in x goes on."""
    # cells are not moved while another query runs
    args = [m.stacks.x[i] for i in range(nargs)]
    called: cython.longlong = m.called
    result: cython.longlong = m.call_result
    m.cleaner(m)
    for i in range(nargs):
        m.stacks.x[i] = args[i]
    m.called = called
    m.call_result = result
    return 0


def collect(m, nargs):
    """Garbage collection, if a collector is attached."""
    size: cython.longlong
    if m.collector is not None:
        m.collector(m, nargs)
    if m.heap.H + 8 * MARGIN > m.heap.limit - m.heap.limit // 32:
        raise resource_error("memory")
    m.stacks.set_threshold()
    size = 2 * m.heap.gc_threshold
    if size < (1 << 18):
        size = 1 << 18
    return m.heap.shrink_to(size)
