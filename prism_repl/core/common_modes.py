# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Predicates written in Python, in the modes that programs use most: these need no Python.

Arguments are in x. 1: success, 0: failure, 2: another mode, or a term that may be wrong: the function in
Python is called, which makes the checks and has the errors. Texts are short and of one-byte characters: they
are put together in the buffer of the symbols.
"""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.sorting import sort_list
    from prism_repl.core.symbols import BUFFER_SIZE
    from prism_repl.core.unification import unify

    ELSEWHERE = 2


def common_mode(m, number):
    a: cython.longlong = m.terms.deref(m.stacks.x[0])
    b: cython.longlong
    if number == M_RETRACTALL_CHECK:
        return retractall_check(m, a)
    b = m.terms.deref(m.stacks.x[1])
    if number == M_ATOM_LENGTH:
        return atom_length(m, a, b)
    if number == M_ATOM_CODES:
        return atom_list(m, a, b, True)
    if number == M_ATOM_CHARS:
        return atom_list(m, a, b, False)
    if number == M_NUMBER_CODES:
        return number_list(m, a, b, True)
    if number == M_NUMBER_CHARS:
        return number_list(m, a, b, False)
    if number == M_ATOM_NUMBER:
        return atom_number(m, a, b)
    if number == M_CHAR_CODE:
        return char_code(m, a, b)
    if number == M_ATOM_CONCAT:
        return atom_concat(m, a, b)
    if number == M_SUB_TEXT:
        return sub_text(m, a, b)
    if number == M_SUB_ATOM:
        return sub_atom(m, a, b)
    if number == M_UPCASE_ATOM:
        return other_case(m, a, b, 97, -32)
    if number == M_DOWNCASE_ATOM:
        return other_case(m, a, b, 65, 32)
    if number == M_LIST_CONCAT:
        return list_concat(m, a, b)
    if number == M_LIST_CONCAT_WITH:
        return list_concat_with(m, a, b)
    if number == M_SORT:
        return sort(m, a, b, 0, False, True)
    if number == M_MSORT:
        return sort(m, a, b, 0, False, False)
    if number == M_KEYSORT:
        return sort(m, a, b, -1, False, False)
    if number == M_SORT_BY:
        return sort_by(m, a, b)
    if number == M_SUCC:
        return succ(m, a, b)
    if number == M_PLUS:
        return plus(m, a, b)
    if number == M_LENGTH:
        return length(m, a, b)
    if number == M_NTH0:
        return nth(m, a, b, 0)
    if number == M_NTH1:
        return nth(m, a, b, 1)
    return clause_parts(m, a, b)


# ---- texts


def load_list(m, c, codes):
    """Put the text of a list of codes or characters into the buffer; where it ends, -1 if it is no such."""
    n: cython.longlong = 0
    code: cython.longlong
    while n < BUFFER_SIZE:
        if c & 7 == LST:
            code = m.terms.deref(m.heap.cells[c >> 3])
            c = m.terms.deref(m.heap.cells[(c >> 3) + 1])
        elif c & 7 == GLS:
            code = m.store.cells[c >> 3]
            c = m.store.cells[(c >> 3) + 1]
        else:
            break
        if codes:
            code = code >> 3 if code & 7 == INT else -1
        else:
            code = m.symbols.code_of(code)
        if code < 0 or code > 255:
            return -1
        m.symbols.buffer[n] = code
        n += 1
    return n if c == m.symbols.nil else -1


def buffer_list(m, end, codes):
    """The list of the codes or characters in the buffer."""
    i: cython.longlong
    code: cython.longlong
    at: cython.longlong
    if end == 0:
        return m.symbols.nil
    m.heap.room(2 * end)
    at = m.heap.H
    for i in range(end):
        code = m.symbols.buffer[i]
        m.heap.cells[at + 2 * i] = code << 3 | INT if codes else m.symbols.char_atom(code)
        m.heap.cells[at + 2 * i + 1] = (at + 2 * i + 2) << 3 | LST
    m.heap.cells[at + 2 * end - 1] = m.symbols.nil
    m.heap.H = at + 2 * end
    return at << 3 | LST


def buffer_integer(m, end):
    """The cell of the integer whose digits are in the buffer, -1 if there is anything else."""
    value: cython.longlong = 0
    first: cython.longlong = 1 if end > 0 and m.symbols.buffer[0] == 45 else 0
    i: cython.longlong
    if end <= first or end > first + 17:
        return -1
    for i in range(first, end):
        if m.symbols.buffer[i] < 48 or m.symbols.buffer[i] > 57:
            return -1
        value = 10 * value + (m.symbols.buffer[i] - 48)
    return (-value if first == 1 else value) << 3 | INT


def load_constant(m, c, at):
    """Put an atom or a small integer into the buffer; the place behind it, -1 if that cannot be."""
    if c & 7 == ATM:
        return m.symbols.load(c, at)
    return m.symbols.load_integer(c >> 3, at) if c & 7 == INT and at + 20 <= BUFFER_SIZE else -1


def atom_length(m, a, length):
    if a & 7 != ATM or (length & 7 != REF and (length & 7 != INT or length < 0)):
        return ELSEWHERE
    return unify(m.terms, length, m.symbols.text_length(a) << 3 | INT)


def atom_list(m, a, parts, codes):
    """atom_codes/2, atom_chars/2."""
    end: cython.longlong
    if a & 7 == ATM and parts & 7 == REF:
        end = m.symbols.load(a, 0)
        return ELSEWHERE if end < 0 else unify(m.terms, parts, buffer_list(m, end, codes))
    if a & 7 != REF:
        return ELSEWHERE
    end = load_list(m, parts, codes)
    return ELSEWHERE if end < 0 else unify(m.terms, a, m.symbols.buffer_atom(0, end))


def number_list(m, number, parts, codes):
    """number_codes/2, number_chars/2."""
    value: cython.longlong
    if number & 7 == INT and parts & 7 == REF:
        return unify(m.terms, parts, buffer_list(m, m.symbols.load_integer(number >> 3, 0), codes))
    if number & 7 != REF and number & 7 != INT:
        return ELSEWHERE
    value = buffer_integer(m, load_list(m, parts, codes))
    return ELSEWHERE if value == -1 else unify(m.terms, number, value)


def atom_number(m, a, number):
    end: cython.longlong
    value: cython.longlong
    if a & 7 == REF and number & 7 == INT:
        return unify(m.terms, a, m.symbols.buffer_atom(0, m.symbols.load_integer(number >> 3, 0)))
    if a & 7 != ATM or (number & 7 != REF and number & 7 != INT and number & 7 != BOX):
        return ELSEWHERE
    end = m.symbols.load(a, 0)
    if end > 0 and (65 <= m.symbols.buffer[0] <= 90 or 97 <= m.symbols.buffer[0] <= 122):
        return 0  # no number begins with a letter
    value = buffer_integer(m, end)
    return ELSEWHERE if value == -1 else unify(m.terms, number, value)


def char_code(m, one, code):
    found: cython.longlong
    if one & 7 == REF:
        if code & 7 != INT or not 0 <= code >> 3 <= 255:
            return ELSEWHERE
        return unify(m.terms, one, m.symbols.char_atom(code >> 3))
    found = m.symbols.code_of(one)
    if found < 0 or (code & 7 != REF and (code & 7 != INT or not 0 <= code >> 3 <= 255)):
        return ELSEWHERE
    return unify(m.terms, code, found << 3 | INT)


def same_bytes(m, a, b, n):
    """Whether n characters from two places of the buffer on are the same."""
    i: cython.longlong
    for i in range(n):  # noqa: SIM110
        if m.symbols.buffer[a + i] != m.symbols.buffer[b + i]:
            return False
    return True


def atom_concat(m, a, b):
    """Two atoms into one; or what follows a known beginning, or comes before a known end."""
    whole: cython.longlong = m.terms.deref(m.stacks.x[2])
    n: cython.longlong
    k: cython.longlong
    if a & 7 == ATM and b & 7 == ATM and (whole & 7 == REF or whole & 7 == ATM):
        n = m.symbols.load(a, 0)
        if n >= 0:
            n = m.symbols.load(b, n)
        return ELSEWHERE if n < 0 else unify(m.terms, whole, m.symbols.buffer_atom(0, n))
    if whole & 7 != ATM or not ((a & 7 == ATM and b & 7 == REF) or (a & 7 == REF and b & 7 == ATM)):
        return ELSEWHERE
    n = m.symbols.load(whole, 0)
    if n < 0:
        return ELSEWHERE
    k = m.symbols.load(a if a & 7 == ATM else b, n)
    if k < 0:
        return ELSEWHERE
    k -= n
    if k > n or not same_bytes(m, 0 if a & 7 == ATM else n - k, n, k):
        return 0
    if a & 7 == ATM:
        return unify(m.terms, b, m.symbols.buffer_atom(k, n))
    return unify(m.terms, a, m.symbols.buffer_atom(0, n - k))


def sub_text(m, whole, before):
    """'$sub_text'(Whole, Before, Length, Sub): the places are right."""
    first: cython.longlong = before >> 3
    length: cython.longlong = m.terms.deref(m.stacks.x[2]) >> 3
    if m.symbols.load(whole, 0) < 0:
        return ELSEWHERE
    return unify(m.terms, m.stacks.x[3], m.symbols.buffer_atom(first, first + length))


def place(c):
    """What an argument of sub_atom/5 says: a place, -1 if it is a variable, -2 if it may be wrong."""
    if c & 7 == REF:
        return -1
    return c >> 3 if c & 7 == INT and c >= 0 else -2


def sub_atom(m, whole, before):
    """sub_atom/5 where there is one answer, or none."""
    length: cython.longlong = m.terms.deref(m.stacks.x[2])
    after: cython.longlong = m.terms.deref(m.stacks.x[3])
    sub: cython.longlong = m.terms.deref(m.stacks.x[4])
    b: cython.longlong = place(before)
    k: cython.longlong = place(length)
    a: cython.longlong = place(after)
    n: cython.longlong
    end: cython.longlong
    i: cython.longlong
    if whole & 7 != ATM or (sub & 7 != ATM and sub & 7 != REF) or b == -2 or k == -2 or a == -2:
        return ELSEWHERE
    n = m.symbols.load(whole, 0)
    if n < 0:
        return ELSEWHERE
    if sub & 7 == ATM:
        end = m.symbols.load(sub, n)
        if end < 0:
            return ELSEWHERE
        if (k >= 0 and k != end - n) or end - n > n:
            return 0
        k = end - n
        if b < 0 and a < 0:
            for i in range(n - k + 1):
                if same_bytes(m, i, n, k):
                    if b >= 0:  # a second answer
                        return ELSEWHERE
                    b = i
            if b < 0:
                return 0
    if b < 0:
        if k < 0 or a < 0:
            return ELSEWHERE
        b = n - k - a
    elif k < 0:
        if a < 0:
            return ELSEWHERE
        k = n - b - a
    if b < 0 or k < 0 or b > n or k > n - b:
        return 0
    if sub & 7 == ATM and not same_bytes(m, b, n, k):
        return 0
    return (
        unify(m.terms, before, b << 3 | INT)
        and unify(m.terms, length, k << 3 | INT)
        and unify(m.terms, after, (n - b - k) << 3 | INT)
        and (sub & 7 == ATM or unify(m.terms, sub, m.symbols.buffer_atom(b, b + k)))
    )


def other_case(m, a, result, first, change):
    """upcase_atom/2, downcase_atom/2: the 26 letters from `first` on are changed."""
    end: cython.longlong
    i: cython.longlong
    if a & 7 != ATM or a == m.symbols.nil:  # which is a text without characters, too
        return ELSEWHERE
    end = m.symbols.load(a, 0)
    for i in range(end):
        if m.symbols.buffer[i] > 127:
            return ELSEWHERE
        if first <= m.symbols.buffer[i] < first + 26:
            m.symbols.buffer[i] += change
    return ELSEWHERE if end < 0 else unify(m.terms, result, m.symbols.buffer_atom(0, end))


def join_list(m, c, separator):
    """Put the constants of a list into the buffer, a separator (0: none) between them; where that ends, -1 if
    it cannot be done."""
    end: cython.longlong = 0
    count: cython.longlong = 0
    while c & 7 == LST or c & 7 == GLS:
        if count > 0 and separator != 0:
            end = load_constant(m, separator, end)
            if end < 0:
                return -1
        end = load_constant(m, m.terms.head(c), end)
        count += 1
        if end < 0 or count > BUFFER_SIZE:
            return -1
        c = m.terms.tail(c)
    return end if c == m.symbols.nil else -1


def list_concat(m, parts, whole):
    """atomic_list_concat/2."""
    end: cython.longlong = join_list(m, parts, 0)
    return ELSEWHERE if end < 0 else unify(m.terms, whole, m.symbols.buffer_atom(0, end))


def list_concat_with(m, parts, separator):
    """atomic_list_concat/3: joins, or splits if the parts are unknown."""
    whole: cython.longlong = m.terms.deref(m.stacks.x[2])
    end: cython.longlong
    if separator & 7 != ATM or m.symbols.text_length(separator) == 0:
        return ELSEWHERE
    if parts & 7 == REF:
        return split(m, parts, separator, whole)
    end = join_list(m, parts, separator)
    return ELSEWHERE if end < 0 else unify(m.terms, whole, m.symbols.buffer_atom(0, end))


def split(m, parts, separator, whole):
    n: cython.longlong
    k: cython.longlong
    i: cython.longlong = 0
    first: cython.longlong = 0
    at: cython.longlong
    if whole & 7 != ATM:
        return ELSEWHERE
    n = m.symbols.load(whole, 0)
    if n < 0:
        return ELSEWHERE
    k = m.symbols.load(separator, n) - n
    if k <= 0:
        return ELSEWHERE
    m.heap.room(2 * n + 2)
    at = m.heap.H
    while i + k <= n:
        if same_bytes(m, i, n, k):
            m.heap.cells[at] = m.symbols.buffer_atom(first, i)
            m.heap.cells[at + 1] = (at + 2) << 3 | LST
            at += 2
            i += k
            first = i
        else:
            i += 1
    m.heap.cells[at] = m.symbols.buffer_atom(first, n)
    m.heap.cells[at + 1] = m.symbols.nil
    i = m.heap.H
    m.heap.H = at + 2
    return unify(m.terms, parts, i << 3 | LST)


# ---- lists and integers


def sort(m, c, result, key, descending, unique):
    if result & 7 != REF or m.terms.list_tail(c) != m.symbols.nil:
        return ELSEWHERE
    return unify(m.terms, result, sort_list(m, c, key, descending, unique))


def sort_by(m, key, order):
    """sort/4 with one of @<, @=<, @>, @>=."""
    end: cython.longlong
    if key & 7 != INT or key < 0 or order & 7 != ATM:
        return ELSEWHERE
    end = m.symbols.load(order, 0)
    if end < 2 or end > 3 or m.symbols.buffer[0] != 64:
        return ELSEWHERE
    c: cython.longlong = m.terms.deref(m.stacks.x[2])
    result: cython.longlong = m.terms.deref(m.stacks.x[3])
    if m.symbols.buffer[end - 1] == 60 and (end == 2 or m.symbols.buffer[1] == 61):
        return sort(m, c, result, key >> 3, False, end == 2)
    if m.symbols.buffer[1] == 62 and (end == 2 or m.symbols.buffer[2] == 61):
        return sort(m, c, result, key >> 3, True, end == 2)
    return ELSEWHERE


def length(m, c, n):
    """length/2 of a complete list."""
    k: cython.longlong = 0
    limit: cython.longlong = m.heap.H + m.store.top
    while k <= limit:
        if c & 7 == LST:
            c = m.heap.cells[(c >> 3) + 1]
            if c & 7 == REF:
                c = m.terms.deref(c)
        elif c & 7 == GLS:
            c = m.store.cells[(c >> 3) + 1]
        else:
            break
        k += 1
        if k & 65535 == 0:
            m.interrupts.check()
    if c != m.symbols.nil or (n & 7 != REF and (n & 7 != INT or n < 0)):
        return ELSEWHERE
    return unify(m.terms, n, k << 3 | INT)


def nth(m, place, c, base):
    """nth0/3, nth1/3 of a known place that the list has."""
    k: cython.longlong = (place >> 3) - base
    if place & 7 != INT or k < 0:
        return ELSEWHERE
    while c & 7 == LST or c & 7 == GLS:
        if k == 0:
            return unify(m.terms, m.stacks.x[2], m.terms.part(c, 0))
        c = m.terms.deref(m.terms.part(c, 1))
        k -= 1
        if k & 65535 == 0:
            m.interrupts.check()
    return ELSEWHERE


def is_small(c):
    """An integer whose sum with another such is no big one."""
    return c & 7 == INT and -(1 << 30) < c >> 31 < (1 << 30)


def succ(m, x, y):
    if is_small(x) and x >= 0 and (y & 7 == REF or (y & 7 == INT and y >= 0)):
        return unify(m.terms, y, x + 8)
    if x & 7 == REF and y & 7 == INT and y > INT:
        return unify(m.terms, x, y - 8)
    return ELSEWHERE


def plus(m, x, y):
    z: cython.longlong = m.terms.deref(m.stacks.x[2])
    if is_small(x) and is_small(y) and (z & 7 == REF or z & 7 == INT):
        return unify(m.terms, z, ((x >> 3) + (y >> 3)) << 3 | INT)
    if is_small(x) and y & 7 == REF and is_small(z):
        return unify(m.terms, y, ((z >> 3) - (x >> 3)) << 3 | INT)
    if x & 7 == REF and is_small(y) and is_small(z):
        return unify(m.terms, x, ((z >> 3) - (y >> 3)) << 3 | INT)
    return ELSEWHERE


# ---- clauses


def is_dynamic(m, head):
    """Whether a term is the head of clauses that programs may change."""
    f: cython.longlong
    if head & 7 == ATM:
        f = m.symbols.functor(head, 0)
    elif head & 7 == STR or head & 7 == GST:
        f = m.terms.functor_of(head)
    else:
        return False
    if f >= m.program.functor_pred_size:
        return False
    return m.program.preds[m.program.functor_pred[f] * PSIZE + P_FLAGS] & F_DYNAMIC != 0


def clause_parts(m, clause, head):
    """'$clause_parts'(Clause, Head, Body) of a clause of a dynamic predicate."""
    h: cython.longlong = clause
    body: cython.longlong = m.symbols.a_true
    if clause & 7 == STR and m.terms.functor_of(clause) == m.symbols.f_neck:
        h = m.terms.deref(m.terms.part(clause, 0))
        body = m.terms.deref(m.terms.part(clause, 1))
        if body & 7 != REF and body & 7 != ATM and body & 7 != STR:
            return ELSEWHERE
    if not is_dynamic(m, h):
        return ELSEWHERE
    return unify(m.terms, head, h) and unify(m.terms, m.stacks.x[2], body)


def retractall_check(m, head):
    """'$retractall_check'(Head) of a dynamic predicate."""
    return 1 if is_dynamic(m, head) else ELSEWHERE
