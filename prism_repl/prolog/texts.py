# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Atoms, lists of characters and lists of codes into each other: the predicates that programs call often."""

import cython

from prism_repl.core.errors import (
    PrologError,
    domain_error,
    instantiation_error,
    representation_error,
    type_error,
)

if not cython.compiled:
    from prism_repl.core.cells import ATM, GLS, INT, LST, REF
    from prism_repl.core.unification import unify


def character(m, c):
    """The text of a one-character atom."""
    if c & 7 == REF:
        raise instantiation_error()
    if c & 7 != ATM or len(m.symbols.atom_text(c)) != 1:
        raise type_error("character", c)
    return m.symbols.atom_text(c)


def code_char(m, c):
    """The character of a character code."""
    code: cython.longlong
    if c & 7 == REF:
        raise instantiation_error()
    if c & 7 != INT:
        if not m.terms.is_integer(c):
            raise type_error("integer", c)
        raise representation_error("character_code")
    code = c >> 3
    if code < 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise representation_error("character_code")
    return chr(code)


def short_text(m, c, codes):
    """The text of a list of at most 256 Latin-1 characters or their codes; None if it is anything else."""
    if cython.compiled:
        buffer = cython.declare(cython.uchar[256])
        x: cython.longlong = c
        h: cython.longlong
        n: cython.longlong = 0
        code: cython.longlong
        one: str
        while x & 7 == LST and n < 256:
            h = m.terms.deref(m.heap.cells[x >> 3])
            if codes:
                if h & 7 != INT:
                    return None
                code = h >> 3
            else:
                if h & 7 != ATM or h < 0:
                    return None
                one = m.symbols.atom_texts[h >> 3]
                if len(one) != 1:
                    return None
                code = ord(one)
            if code < 0 or code > 255:
                return None
            buffer[n] = code
            n += 1
            x = m.terms.deref(m.heap.cells[(x >> 3) + 1])
        if x != m.symbols.nil:
            return None
        return cython.cast(cython.p_char, buffer)[:n].decode("latin-1")
    else:
        return None


def list_text(m, c, codes):
    """The text of a proper list of codes or characters."""
    short: str = short_text(m, c, codes)
    if short is not None:
        return short
    parts: list = []
    n: cython.longlong = 0
    x: cython.longlong = m.terms.deref(c)
    limit: cython.longlong = m.heap.H + m.store.top + 16
    while x & 7 == LST or x & 7 == GLS:
        if codes:
            parts.append(code_char(m, m.terms.head(x)))
        else:
            parts.append(character(m, m.terms.head(x)))
        x = m.terms.tail(x)
        n += 1
        if n & 65535 == 0:
            m.interrupts.check()
        if n > limit:
            break
    if x & 7 == REF:
        raise instantiation_error()
    if x != m.symbols.nil:
        raise type_error("list", c)
    return "".join(parts)


def chars_text(m, c):
    """The text of a list of characters."""
    return checked_text(m, c, False)


def codes_text(m, c):
    """The text of a list of character codes."""
    return checked_text(m, c, True)


def checked_text(m, c, codes):
    try:
        return list_text(m, c, codes)
    except PrologError:
        # what is no list at all, or has no end, is an error before a bad element is
        tail: cython.longlong = m.terms.list_items(c)[1]
        if tail & 7 == REF:
            raise instantiation_error() from None
        if tail != m.symbols.nil:
            raise type_error("list", c) from None
        raise


def chars_list(m, text):
    """The list of the characters of a text."""
    return elements_list(m, text, True)


def codes_list(m, text):
    """The list of the character codes of a text."""
    return elements_list(m, text, False)


def elements_list(m, text, chars):
    n: cython.longlong = len(text)
    i: cython.longlong
    at: cython.longlong
    code: cython.longlong
    if n == 0:
        return m.symbols.nil
    m.heap.room(2 * n)
    at = m.heap.H
    for i in range(n):
        if i & 65535 == 0:
            m.interrupts.check()
        code = ord(text[i])
        m.heap.cells[at + 2 * i] = m.symbols.char_atom(code) if chars else code << 3 | INT
        m.heap.cells[at + 2 * i + 1] = (at + 2 * i + 2) << 3 | LST
    m.heap.cells[at + 2 * n - 1] = m.symbols.nil
    m.heap.H = at + 2 * n
    return at << 3 | LST


def atom_argument(m, c):
    if c & 7 == ATM:
        return m.symbols.atom_text(c)
    if c & 7 == REF:
        raise instantiation_error()
    raise type_error("atom", c)


def check_list_or_partial(m, c):
    tail: cython.longlong
    if c & 7 != REF and c != m.symbols.nil:
        tail = m.terms.list_items(c)[1]
        if tail & 7 != REF and tail != m.symbols.nil:
            raise type_error("list", c)
    return 0


# ---- predicates


def atom_length(m, a, length):
    n: cython.longlong = len(atom_argument(m, a))
    if length & 7 != REF:
        if not m.terms.is_integer(length):
            raise type_error("integer", length)
        if m.terms.int_value(length) < 0:
            raise domain_error("not_less_than_zero", length)
    return unify(m.terms, length, n << 3 | INT)


def atom_chars(m, a, chars):
    if a & 7 == REF:
        return unify(m.terms, a, m.symbols.atom(chars_text(m, chars)))
    text: str = atom_argument(m, a)
    check_list_or_partial(m, chars)
    return unify(m.terms, chars, chars_list(m, text))


def atom_codes(m, a, codes):
    if a & 7 == REF:
        return unify(m.terms, a, m.symbols.atom(codes_text(m, codes)))
    text: str = atom_argument(m, a)
    check_list_or_partial(m, codes)
    return unify(m.terms, codes, codes_list(m, text))


def char_code(m, one, code):
    n: cython.longlong
    if one & 7 != REF:
        n = ord(character(m, one))
        if code & 7 != REF:
            code_char(m, code)
        return unify(m.terms, code, n << 3 | INT)
    return unify(m.terms, one, m.symbols.atom(code_char(m, code)))


def join(m, a, b, whole):
    """atom_concat/3 of two atoms."""
    text: str = m.symbols.atom_text(a)
    if whole & 7 != REF and whole & 7 != ATM:
        raise PrologError("type_error", "atom", whole, context=("atom_concat", 3))
    return unify(m.terms, whole, m.symbols.atom(text + m.symbols.atom_text(b)))


def sub_text(m, whole, before, length, sub):
    """The part of an atom; the places are right."""
    start: cython.longlong = before >> 3
    text: str = m.symbols.atom_text(whole)
    return unify(m.terms, sub, m.symbols.atom(text[start : start + (length >> 3)]))


def concat(m, a, b, whole, length):
    """atom_concat/3 when it has one answer: length = []; else the length of the atom to split."""
    text: str
    part: str
    if a & 7 != REF:
        atom_argument(m, a)
    if b & 7 != REF:
        atom_argument(m, b)
    if whole & 7 != REF:
        atom_argument(m, whole)
    if a & 7 != REF and b & 7 != REF:
        return join(m, a, b, whole) and unify(m.terms, length, m.symbols.nil)
    text = atom_argument(m, whole)
    n: cython.longlong = len(text)
    if a & 7 != REF:
        part = m.symbols.atom_text(a)
        return (
            text.startswith(part)
            and unify(m.terms, b, m.symbols.atom(text[len(part) :]))
            and unify(m.terms, length, m.symbols.nil)
        )
    if b & 7 != REF:
        part = m.symbols.atom_text(b)
        if not text.endswith(part):
            return False
        return unify(m.terms, a, m.symbols.atom(text[: n - len(part)])) and unify(
            m.terms, length, m.symbols.nil
        )
    return unify(m.terms, length, n << 3 | INT)


def place_argument(m, c):
    """The value of an integer argument of sub_atom/5, -1 if it is unbound."""
    if c & 7 == REF:
        return -1
    if not m.terms.is_integer(c):
        raise type_error("integer", c)
    if m.terms.int_value(c) < 0:
        raise domain_error("not_less_than_zero", c)
    if c & 7 != INT:
        return m.heap.limit  # longer than any atom
    return c >> 3


def sub_atom(m, whole, before, length, after, sub, answers):
    """What sub_atom/5 has to try: [] (the only answer is found), a list of s(Before,Length,After),
    or all(Length of the atom)."""
    try:
        return sub_atom_places(m, whole, before, length, after, sub, answers)
    except PrologError as error:
        error.context = ("sub_atom", 5)
        raise


def sub_atom_places(m, whole, before, length, after, sub, answers):
    text: str = atom_argument(m, whole)
    part: str
    n: cython.longlong = len(text)
    b: cython.longlong
    k: cython.longlong
    a: cython.longlong
    i: cython.longlong
    if sub & 7 != REF and sub & 7 != ATM:
        raise type_error("atom", sub)
    b = place_argument(m, before)
    k = place_argument(m, length)
    a = place_argument(m, after)
    if sub & 7 == ATM:
        part = m.symbols.atom_text(sub)
        if (k >= 0 and k != len(part)) or len(part) > n:
            return False
        k = len(part)
        if b < 0 and a < 0:
            places = []
            i = text.find(part)
            while i >= 0:
                places.append((i, k))
                i = text.find(part, i + 1)
            return several(m, n, places, text, before, length, after, sub, answers)
    if b >= 0 and k >= 0:
        return only(m, n, b, k, text, before, length, after, sub, answers)
    if b >= 0 and a >= 0:
        return only(m, n, b, n - b - a, text, before, length, after, sub, answers)
    if k >= 0 and a >= 0:
        return only(m, n, n - k - a, k, text, before, length, after, sub, answers)
    if b >= 0:
        places = [(b, i) for i in range(n - b + 1)]
    elif k >= 0:
        places = [(i, k) for i in range(n - k + 1)]
    elif a >= 0:
        places = [(i, n - a - i) for i in range(n - a + 1)]
    else:
        return unify(m.terms, answers, m.terms.struct("all", m.terms.int_cell(n)))
    return several(m, n, places, text, before, length, after, sub, answers)


def several(m, n, places, text, before, length, after, sub, answers):
    """The answers of sub_atom/5 as a list, if there are more than one."""
    if not places:
        return False
    if len(places) == 1:
        return only(m, n, places[0][0], places[0][1], text, before, length, after, sub, answers)
    found = [
        m.terms.struct("s", m.terms.int_cell(i), m.terms.int_cell(j), m.terms.int_cell(n - i - j))
        for i, j in places
    ]
    return unify(m.terms, answers, m.terms.list_from(found))


def only(m, n, i, j, text, before, length, after, sub, answers):
    """The one answer of sub_atom/5, if the places are within the atom."""
    if i < 0 or j < 0 or i + j > n:
        return False
    return (
        unify(m.terms, before, i << 3 | INT)
        and unify(m.terms, length, j << 3 | INT)
        and unify(m.terms, after, (n - i - j) << 3 | INT)
        and unify(m.terms, sub, m.symbols.atom(text[i : i + j]))
        and unify(m.terms, answers, m.symbols.nil)
    )
