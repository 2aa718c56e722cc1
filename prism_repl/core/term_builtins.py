# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Built-ins that need the machine's memory and no Python: terms taken apart, made, copied, compared.
Arguments are in x. 1: success, 0: failure.
"""

import cython

from prism_repl.core.errors import (
    PrologError,
    PrologThrow,
    domain_error,
    instantiation_error,
    resource_error,
    type_error,
)

if not cython.compiled:
    from prism_repl.core.attributes import copy_with_attributes
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.clause_access import n_retractall
    from prism_repl.core.comparison import compare
    from prism_repl.core.copying import copy, freeze
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.unification import unify


def native(m, number):
    a: cython.longlong
    i: cython.int
    if number == N_FUNCTOR:
        return n_functor(m)
    if number == N_ARG:
        return n_arg(m)
    if number == N_UNIV:
        return n_univ(m)
    if number == N_COPY:
        a = m.stacks.x[0]
        a = copy_with_attributes(m, a) if m.heap.attr_floor != 0 else copy(m.terms, a)
        return 1 if unify(m.terms, m.stacks.x[1], a) else 0
    if number == N_COMPARE:
        a = m.terms.deref(m.stacks.x[0])
        if a & 7 != REF:
            if a & 7 != ATM:
                raise type_error("atom", a)
            if m.symbols.atom_text(a) not in ("<", "=", ">"):
                raise domain_error("order", a)
        i = compare(m.terms, m.stacks.x[1], m.stacks.x[2])
        return 1 if unify(m.terms, a, m.symbols.atom("<" if i < 0 else (">" if i > 0 else "="))) else 0
    if number == N_FINDALL_BEGIN:
        return m.findall.begin()
    if number == N_FINDALL_ADD:
        return m.findall.add(m.stacks.x[0])
    if number == N_FINDALL_END:
        a = m.findall.collect(m.stacks.x[1])
        return 1 if unify(m.terms, m.stacks.x[0], a) else 0
    if number == N_THROW:
        a = m.terms.deref(m.stacks.x[0])
        if a & 7 == REF:
            raise instantiation_error()
        raise PrologThrow(freeze(m.terms, a))
    if number == N_GET_B:
        return 1 if unify(m.terms, m.stacks.x[0], m.stacks.B << 3 | INT) else 0
    if number == N_SKIP_LIST:
        return n_skip_list(m)
    if number == N_ASSERTZ or number == N_ASSERT:
        return m.database.assert_clause(m.stacks.x[0], True)
    if number == N_ASSERTA:
        return m.database.assert_clause(m.stacks.x[0], False)
    if number == N_RETRACTALL:
        return n_retractall(m)
    if number == N_NEW_LIST:
        return n_new_list(m)
    if number == N_COUNT_LIST:
        return n_count_list(m)
    check_list_or_partial(m, m.terms.deref(m.stacks.x[1]))
    return 1 if unify(m.terms, m.stacks.x[1], m.terms.list_from(m.terms.term_vars(m.stacks.x[0]))) else 0


def n_functor(m):
    t: cython.longlong = m.terms.deref(m.stacks.x[0])
    name: cython.longlong = m.terms.deref(m.stacks.x[1])
    arity: cython.longlong = m.terms.deref(m.stacks.x[2])
    n: cython.longlong
    i: cython.longlong
    if t & 7 != REF:
        if m.terms.is_atomic(t):
            return 1 if unify(m.terms, name, t) and unify(m.terms, arity, INT) else 0
        n = m.terms.arity_of(t)
        return 1 if unify(m.terms, name, m.terms.name_of(t)) and unify(m.terms, arity, n << 3 | INT) else 0
    if name & 7 == REF or arity & 7 == REF:
        raise instantiation_error()
    if m.terms.is_compound(name):
        raise type_error("atomic", name)
    if not m.terms.is_integer(arity):
        raise type_error("integer", arity)
    if arity & 7 != INT or arity >> 3 > 10000000:
        raise (
            PrologError("resource_error", "memory")
            if m.terms.int_value(arity) > 0
            else domain_error("not_less_than_zero", arity)
        )
    n = arity >> 3
    if n < 0:
        raise domain_error("not_less_than_zero", arity)
    if n == 0:
        return 1 if unify(m.terms, t, name) else 0
    if name & 7 != ATM:
        raise type_error("atom", name)
    f: cython.longlong = m.symbols.functor(name, n)
    m.heap.room(n + 2)
    at: cython.longlong = m.heap.H
    if f == m.symbols.list_functor:
        m.heap.cells[at] = at << 3
        m.heap.cells[at + 1] = (at + 1) << 3
        m.heap.H += 2
        return 1 if unify(m.terms, t, at << 3 | LST) else 0
    m.heap.cells[at] = f << 3 | INT
    for i in range(1, n + 1):
        m.heap.cells[at + i] = (at + i) << 3
    m.heap.H = at + n + 1
    return 1 if unify(m.terms, t, at << 3 | STR) else 0


def n_arg(m):
    n: cython.longlong = m.terms.deref(m.stacks.x[0])
    t: cython.longlong = m.terms.deref(m.stacks.x[1])
    if t & 7 == REF:
        raise instantiation_error()
    if n & 7 == REF:
        raise instantiation_error()
    if not m.terms.is_integer(n):
        raise type_error("integer", n)
    if not m.terms.is_compound(t):
        raise type_error("compound", t)
    if n & 7 != INT:
        if m.terms.int_value(n) < 0:
            raise domain_error("not_less_than_zero", n)
        return 0
    n = n >> 3
    if n < 0:
        raise domain_error("not_less_than_zero", m.terms.deref(m.stacks.x[0]))
    if n == 0 or n > m.terms.arity_of(t):
        return 0
    return 1 if unify(m.terms, m.stacks.x[2], m.terms.part(t, n - 1)) else 0


def n_univ(m):
    t: cython.longlong = m.terms.deref(m.stacks.x[0])
    n: cython.longlong
    i: cython.longlong
    at: cython.longlong
    if t & 7 != REF:
        check_list_or_partial(m, m.terms.deref(m.stacks.x[1]))
        n = 0 if m.terms.is_atomic(t) else m.terms.arity_of(t)
        m.heap.room(2 * n + 2)
        at = m.heap.H
        m.heap.cells[at] = t if m.terms.is_atomic(t) else m.terms.name_of(t)
        for i in range(n):
            m.heap.cells[at + 2 * i + 1] = (at + 2 * i + 2) << 3 | LST
            m.heap.cells[at + 2 * i + 2] = m.terms.part(t, i)
        m.heap.cells[at + 2 * n + 1] = m.symbols.nil
        m.heap.H = at + 2 * n + 2
        return 1 if unify(m.terms, m.stacks.x[1], at << 3 | LST) else 0
    name: cython.longlong
    spec: cython.longlong = m.terms.deref(m.stacks.x[1])
    if spec & 7 == REF:
        raise instantiation_error()
    n = list_arity(m, spec)
    if n > 0:
        name = m.terms.head(spec)
        if name & 7 == ATM:
            return make_from_list(m, t, m.symbols.functor(name, n), m.terms.tail(spec))
    items, tail = m.terms.list_items(spec)
    end: cython.longlong = tail
    if end & 7 == REF:
        raise instantiation_error()
    if end != m.symbols.nil:
        raise type_error("list", spec)
    if not items:
        raise domain_error("non_empty_list", spec)
    name = m.terms.deref(items[0])
    n = len(items) - 1
    if name & 7 == REF:
        raise instantiation_error()
    if n == 0:
        if m.terms.is_compound(name):
            raise type_error("atomic", name)
        return 1 if unify(m.terms, t, name) else 0
    if name & 7 != ATM:
        raise type_error("atom", name)
    return 1 if unify(m.terms, t, m.terms.new_struct(m.symbols.functor(name, n), items[1:])) else 0


def list_arity(m, c):
    """How many elements a short list has behind its first one; -1 if it is no list, or a long one."""
    n: cython.longlong = -1
    while (c & 7 == LST or c & 7 == GLS) and n < 256:
        c = m.terms.deref(m.terms.part(c, 1))
        n += 1
    return n if c == m.symbols.nil else -1


def make_from_list(m, t, f, c):
    """Make the structure whose arguments are the elements of a list."""
    n: cython.longlong = m.symbols.functor_arity[f]
    at: cython.longlong
    i: cython.longlong
    m.heap.room(n + 2)
    at = m.heap.H
    if f == m.symbols.list_functor:
        m.heap.cells[at] = m.terms.head(c)
        m.heap.cells[at + 1] = m.terms.head(m.terms.tail(c))
        m.heap.H = at + 2
        return 1 if unify(m.terms, t, at << 3 | LST) else 0
    m.heap.cells[at] = f << 3 | INT
    for i in range(1, n + 1):
        m.heap.cells[at + i] = m.terms.part(c, 0)
        c = m.terms.deref(m.terms.part(c, 1))
    m.heap.H = at + n + 1
    return 1 if unify(m.terms, t, at << 3 | STR) else 0


def n_new_list(m):
    """'$new_list'(N, List): a list of N variables."""
    n: cython.longlong = m.terms.deref(m.stacks.x[0])
    i: cython.longlong
    at: cython.longlong
    if n & 7 != INT or n >> 3 > m.heap.limit // 2:
        raise resource_error("memory")
    n = n >> 3
    if n <= 0:
        return 1 if unify(m.terms, m.stacks.x[1], m.symbols.nil) else 0
    m.heap.room(2 * n)
    at = m.heap.H
    for i in range(n):
        m.heap.cells[at + 2 * i] = (at + 2 * i) << 3
        m.heap.cells[at + 2 * i + 1] = (at + 2 * i + 2) << 3 | LST
        if i & 65535 == 65535:
            m.interrupts.check()
    m.heap.cells[at + 2 * n - 1] = m.symbols.nil
    m.heap.H = at + 2 * n
    return 1 if unify(m.terms, m.stacks.x[1], at << 3 | LST) else 0


def n_count_list(m):
    """'$count_list'(Low, High, List): the integers from Low to High, which is not less."""
    low: cython.longlong = m.terms.deref(m.stacks.x[0])
    high: cython.longlong = m.terms.deref(m.stacks.x[1])
    small: cython.bint = low & 7 == INT and high & 7 == INT
    first = m.terms.int_value(low)
    count = m.terms.int_value(high) - first + 1
    if count > m.heap.limit // 2:
        raise resource_error("memory")
    n: cython.longlong = count
    i: cython.longlong
    at: cython.longlong
    m.heap.room(2 * n)
    at = m.heap.H
    m.heap.H = at + 2 * n
    for i in range(n):
        m.heap.cells[at + 2 * i] = low + 8 * i if small else INT
        m.heap.cells[at + 2 * i + 1] = (at + 2 * i + 2) << 3 | LST
        if i & 65535 == 65535:
            m.interrupts.check()
    m.heap.cells[at + 2 * n - 1] = m.symbols.nil
    if not small:  # the boxes of big integers are behind the list
        for i in range(n):
            low = m.terms.int_cell(first + i)
            m.heap.cells[at + 2 * i] = low
            if i & 65535 == 65535:
                m.interrupts.check()
    return 1 if unify(m.terms, m.stacks.x[2], at << 3 | LST) else 0


def check_list_or_partial(m, c):
    """An output list must be a list or may become one."""
    if c & 7 != REF and c != m.symbols.nil:
        end: cython.longlong = m.terms.list_tail(c)
        if end == 0:  # cyclic
            end = m.terms.list_items(c)[1]
        if end & 7 != REF and end != m.symbols.nil:
            raise type_error("list", c)


def n_skip_list(m):
    """'$skip_list'(List, Length, Tail): how many list cells, and what they end in."""
    c: cython.longlong = m.terms.deref(m.stacks.x[0])
    k: cython.longlong = 0
    limit: cython.longlong = m.heap.size + m.store.size
    while True:
        if c & 7 == LST:
            c = m.terms.deref(m.heap.cells[(c >> 3) + 1])
        elif c & 7 == GLS:
            c = m.store.cells[(c >> 3) + 1]
        else:
            break
        k += 1
        if k > limit:  # cyclic: the tail is the list itself, which is not []
            break
    return 1 if unify(m.terms, m.stacks.x[1], k << 3 | INT) and unify(m.terms, m.stacks.x[2], c) else 0
