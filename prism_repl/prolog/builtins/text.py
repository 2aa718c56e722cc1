"""Text in terms: atoms, lists of characters or codes, numbers; and the errors when it is not there."""

import re

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import (
    PrologError,
    instantiation_error,
    syntax_error,
    type_error,
)
from prism_repl.prolog.builtins.types import TYPES, Type
from prism_repl.prolog.digits import int_text
from prism_repl.prolog.notation import float_text
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.texts import chars_text, codes_text
from prism_repl.prolog.writer import write_term


def number_text(m, c):
    """A number as it reads back."""
    if m.is_float(c):
        return float_text(m.float_value(c), True)
    return int_text(m.int_value(c))


def atomic_text(m, c):
    """The text of an atom or a number."""
    if c & 7 == ATM:
        return m.atom_text(c)
    if c & 7 == REF:
        raise instantiation_error()
    if m.is_number(c):
        return number_text(m, c)
    raise type_error("atomic", c)


def any_text(m, c):
    """The text of an atom, a number, or a list of codes or characters."""
    if m.is_list_cell(c):
        head = m.head(c)
        return codes_text(m, c) if m.is_integer(head) else chars_text(m, c)
    return "" if c == m.nil else atomic_text(m, c)


TYPES["text"] = Type(any_text)


def list_text(m, c):
    """The text of a list of codes or characters."""
    if c & 7 == REF:
        raise instantiation_error()
    if c != m.nil and not m.is_list_cell(c):
        raise type_error("list", c)
    return any_text(m, c)


def parse_number(m, text):
    """The number cell that the text denotes (layout may come before it), or a syntax error."""
    digits = text[1:] if text[:1] == "-" else text
    if digits.isascii() and digits.isdigit() and len(digits) < 4000:
        return m.int_cell(int(text))
    body = text.lstrip()
    if body.startswith(("/*", "%")):
        body = skip_comments(body)
    sign = body[:1] if body[:1] in ("-", "+") else ""
    if not body[len(sign) : len(sign) + 1].isdigit() or (text[-1:].isspace() and text[-3:-1] != "0'"):
        raise syntax_error("invalid_number_format")
    digits = body[len(sign) :]
    if re.search(r"/\*|%", digits.removeprefix("0'%")):  # a comment may come before the number only
        raise syntax_error("invalid_number_format")
    try:
        term = read_term(m, digits)
    except PrologError as error:
        if error.kind == "resource_error":
            raise
        term = None
    # the period that read_term adds must be the one that ended the term
    if term is None or term.end <= len(digits) or not m.is_number(m.deref(term.cell)):
        raise syntax_error("invalid_number_format")
    if sign != "-":
        return m.deref(term.cell)
    value = m.number_value(m.deref(term.cell))
    return m.float_cell(-value) if isinstance(value, float) else m.int_cell(-value)


def skip_comments(text):
    while True:
        text = text.lstrip()
        if text.startswith("/*") and "*/" in text:
            text = text[text.index("*/", 2) + 2 :]
        elif text.startswith("%"):
            text = text.partition("\n")[2]
        else:
            return text


def parse_term(m, text):
    """(cell, [(name, variable)]) of the one term in the text; a period at its end may be missing."""
    body = text.rstrip()
    try:
        term = read_term(m, body)
    except PrologError as error:
        if error.kind == "resource_error":
            raise
        term = None
    if term is None or term.end < len(body):
        raise syntax_error("invalid_term_format")
    return term.cell, term.variables


def term_text(m, c):
    """A term as text that reads back."""
    return write_term(m, c, quoted=True, numbervars=True, float_format="full")
