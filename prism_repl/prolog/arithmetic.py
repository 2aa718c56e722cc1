# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Evaluation of arithmetic expressions: cells in, number cells out.

Small integers and floats are done here, on machine words; big integers and the other
functions in evaluables.py, on Python numbers. Deep expressions use the heap's work stack.
"""

import cython

from prism_repl.core.errors import PrologError, evaluation_error, instantiation_error, type_error
from prism_repl.prolog.evaluables import BINARY, CONSTANTS, FIRST, FUNCTORS, UNARY, overflow, undefined

if not cython.compiled:
    from prism_repl.core.cells import ATM, BOX, GLS, GST, INT, LST, REF, STR
    from prism_repl.prolog.evaluables import (
        ABS,
        ADD,
        BIT_AND,
        BIT_OR,
        BIT_XOR,
        DIV,
        FLOOR_QUO,
        MAX,
        MIN,
        MOD,
        MUL,
        NEG,
        POWER,
        QUO,
        REM,
        SAME,
        SHIFT_LEFT,
        SHIFT_RIGHT,
        SUB,
    )

SMALL_LIMIT = 1 << 60
EXACT_LIMIT = 1 << 53
PRODUCT_LIMIT = float(1 << 59)
DEEPEST_SUBSCRIPT = 500
subscripts_open = 0  # evaluation runs no goals: it is zero between any two
EVALUABLE_FIRST = FIRST
UNARY_FIRST = FIRST + len(BINARY)
EVALUABLE_END = FIRST + len(FUNCTORS)
FUNCTIONS: list = [BINARY[name] if arity == 2 else UNARY[name] for name, arity in FUNCTORS]


def evaluate(m, c):
    """The number cell that an expression stands for."""
    base: cython.longlong = m.heap.wtop
    start: cython.longlong = m.heap.H
    root: cython.longlong = c
    lists: cython.longlong = 0
    limit: cython.longlong = 2 * (m.heap.H + m.store.top) + 16  # more steps than cells: perhaps cyclic
    t: cython.longlong
    f: cython.longlong
    v: cython.longlong
    first: cython.longlong
    try:
        while True:
            c = m.terms.deref(c)
            t = c & 7
            if t == INT or t == BOX:
                v = c
            elif t == STR or t == GST:
                f = m.terms.functor_of(c)
                if f < EVALUABLE_FIRST or f >= EVALUABLE_END:
                    raise not_evaluable(m, m.symbols.functor_name_of(f), m.symbols.functor_arity_of(f))
                if f == POWER:
                    v = m.terms.arg(c, 1)
                    if v & 7 == LST or v & 7 == GLS or v & 7 == ATM:
                        c = array_element(m, c)
                        continue
                m.heap.work_room(2)
                m.heap.work[m.heap.wtop] = c
                m.heap.work[m.heap.wtop + 1] = 0
                m.heap.wtop += 2
                if m.heap.wtop - base == limit and not m.terms.is_acyclic(root):
                    raise type_error("acyclic_term", root)
                c = m.terms.arg(c, 0)
                continue
            elif t == ATM:
                v = atom_value(m, c)
            elif t == REF:
                raise instantiation_error()
            else:  # a list of one element stands for it: "a" is 97
                if m.terms.deref(m.terms.tail(c)) != m.symbols.nil:
                    raise not_evaluable(m, m.symbols.atom("."), 2)
                lists += 1
                if lists == limit and not m.terms.is_acyclic(root):
                    raise type_error("acyclic_term", root)
                c = m.terms.head(c)
                continue
            # v is the value of the innermost open argument
            c = 0
            while m.heap.wtop > base:
                t = m.heap.work[m.heap.wtop - 2]
                first = m.heap.work[m.heap.wtop - 1]
                f = m.terms.functor_of(t)
                if f >= UNARY_FIRST:
                    v = apply1(m, f, v)
                elif first == 0:
                    m.heap.work[m.heap.wtop - 1] = v
                    c = m.terms.arg(t, 1)
                    break
                else:
                    v = apply2(m, f, first, v)
                m.heap.wtop -= 2
            if c == 0:
                break
    except BaseException:
        m.heap.wtop = base
        raise
    # only boxes were built: keep the result, drop the intermediate ones
    if v & 7 == INT:
        m.heap.H = start
    elif v & 8 == 0 and (v >> 4) > start and m.terms.is_float(v):
        d: cython.double = m.terms.float_value(v)
        m.heap.H = start
        v = m.terms.float_cell(d)
    return v


def not_evaluable(m, name, arity):
    return PrologError("type_error", "evaluable", ("/", name, m.terms.int_cell(arity)))


def atom_value(m, c):
    function = CONSTANTS.get(m.symbols.atom_text(c))
    if function is None:
        raise not_evaluable(m, c, 0)
    return result_cell(m, function())


def array_element(m, c):
    """The element of an array or list that A^[I,J] (also written A[I,J]) stands for."""
    array: cython.longlong = m.terms.arg(c, 0)
    subscripts: cython.longlong = m.terms.arg(c, 1)
    i: cython.longlong
    if array & 7 == REF:
        raise instantiation_error()
    if subscripts & 7 == ATM:
        if m.symbols.atom_text(subscripts) != "length":
            raise not_evaluable(m, subscripts, 0)
        return m.terms.int_cell(array_length(m, array))
    for subscript in m.terms.proper_list(subscripts):
        index = subscript_value(m, subscript)
        if index & 7 != INT:
            raise type_error("integer", index)
        if array & 7 == REF:
            raise instantiation_error()
        if m.terms.is_list_cell(array):
            array = m.terms.arg(list_place(m, array, index), 0)
            continue
        if not m.terms.is_compound(array):
            raise type_error("array", array)
        i = index >> 3
        if i < 1 or i > m.terms.arity_of(array):
            raise PrologError("domain_error", "array_subscript", index)
        array = m.terms.arg(array, i - 1)
    return array


def subscript_value(m, subscript):
    """The value of a subscript, which may have arrays with subscripts in it, down to some depth."""
    global subscripts_open
    if subscripts_open == DEEPEST_SUBSCRIPT:
        raise PrologError("resource_error", "array_subscripts")
    subscripts_open += 1
    try:
        return evaluate(m, subscript)
    finally:
        subscripts_open -= 1


def list_place(m, cells, index):
    """The list that begins with the element that a subscript, a small integer, names."""
    i: cython.longlong = index >> 3
    if i < 1:
        raise PrologError("domain_error", "array_subscript", index)
    while i > 1:
        cells = m.terms.arg(cells, 1)
        if cells & 7 == REF:
            raise instantiation_error()
        if not m.terms.is_list_cell(cells):
            raise PrologError("domain_error", "array_subscript", index)
        i -= 1
    return cells


def array_length(m, array):
    """What A^length is: the number of elements of a structure or a list."""
    if m.terms.is_list_cell(array) or (array & 7 == ATM and m.symbols.atom_text(array) == "[]"):
        return len(m.terms.proper_list(array))
    if not m.terms.is_compound(array):
        raise type_error("array", array)
    return m.terms.arity_of(array)


def result_cell(m, value):
    if isinstance(value, float):
        return m.terms.float_cell(value)
    return m.terms.int_cell(value)


def float_result(m, r):
    """A computed float; infinities and nan as the flags say."""
    if r - r != 0.0:
        if r != r:
            r = undefined(m)
        else:
            r = overflow(m, r)
    return m.terms.float_cell(r)


def apply1(m, f, a):
    """Functor f/1 applied to a number cell."""
    x: cython.longlong
    if a & 7 == INT:
        x = a >> 3
        if f == NEG:
            if x > -SMALL_LIMIT:
                return -x << 3 | INT
        elif f == ABS:
            if x > -SMALL_LIMIT:
                return (x if x >= 0 else -x) << 3 | INT
        elif f == SAME:
            return a
    elif f == NEG and m.terms.is_float(a):
        return m.terms.float_cell(-m.terms.float_value(a))
    return slow1(m, f, a)


def slow1(m, f, a):
    return result_cell(m, FUNCTIONS[f - EVALUABLE_FIRST](m, m.terms.number_value(a)))


def slow2(m, f, a, b):
    return result_cell(m, FUNCTIONS[f - EVALUABLE_FIRST](m, m.terms.number_value(a), m.terms.number_value(b)))


def apply2(m, f, a, b):
    """Functor f/2 applied to number cells."""
    x: cython.longlong
    y: cython.longlong
    r: cython.longlong
    p: cython.double
    q: cython.double
    if a & 7 == INT and b & 7 == INT:
        x = a >> 3
        y = b >> 3
        if f == ADD:
            r = x + y
        elif f == SUB:
            r = x - y
        elif f == MUL:
            p = cython.cast(cython.double, x) * cython.cast(cython.double, y)
            if p > PRODUCT_LIMIT or p < -PRODUCT_LIMIT:
                return slow2(m, f, a, b)
            r = x * y
        elif f == QUO or f == REM or f == MOD or f == FLOOR_QUO:
            if y == 0:
                raise evaluation_error("zero_divisor")
            if f == MOD or f == REM:
                if cython.compiled:
                    r = x % y
                    if f == MOD and r != 0 and (r < 0) != (y < 0):
                        r += y
                else:
                    r = x % y
                    if f == REM and r != 0 and (x < 0) != (y < 0):
                        r -= y
            else:
                if cython.compiled:
                    r = x // y
                    if f == FLOOR_QUO and r * y != x and (x < 0) != (y < 0):
                        r -= 1
                else:
                    r = x // y
                    if f == QUO and r * y != x and (x < 0) != (y < 0):
                        r += 1
        elif f == DIV:
            if y == 0:
                raise evaluation_error("zero_divisor")
            # beyond 2**53 the operands are not exact as doubles: Python rounds correctly
            if -EXACT_LIMIT <= x <= EXACT_LIMIT and -EXACT_LIMIT <= y <= EXACT_LIMIT:
                return m.terms.float_cell(cython.cast(cython.double, x) / cython.cast(cython.double, y))
            return slow2(m, f, a, b)
        elif f == MIN:
            return a if x <= y else b
        elif f == MAX:
            return a if x >= y else b
        elif f == BIT_AND:
            r = x & y
        elif f == BIT_OR:
            r = x | y
        elif f == BIT_XOR:
            r = x ^ y
        elif f == SHIFT_RIGHT and 0 <= y < 60:
            r = x >> y
        elif f == SHIFT_LEFT and 0 <= y < 30 and x >> 30 == 0:
            r = x << y
        else:
            return slow2(m, f, a, b)
        if -SMALL_LIMIT <= r < SMALL_LIMIT:
            return r << 3 | INT
        return m.terms.int_cell(r)
    if f > DIV:
        return slow2(m, f, a, b)
    if a & 7 == INT:
        p = a >> 3
    elif m.terms.is_float(a):
        p = m.terms.float_value(a)
    else:
        return slow_float2(m, f, a, b)
    if b & 7 == INT:
        q = b >> 3
    elif m.terms.is_float(b):
        q = m.terms.float_value(b)
    else:
        return slow_float2(m, f, a, b)
    if f == ADD:
        p = p + q
    elif f == SUB:
        p = p - q
    elif f == MUL:
        p = p * q
    else:
        if q == 0.0:
            raise evaluation_error("undefined" if p == 0.0 else "zero_divisor")
        p = p / q
    return float_result(m, p)


def slow_float2(m, f, a, b):
    """A big integer is among the operands: exact if both are integers."""
    value = FUNCTIONS[f - EVALUABLE_FIRST](m, m.terms.number_value(a), m.terms.number_value(b))
    if isinstance(value, float):
        return float_result(m, value)
    return m.terms.int_cell(value)
