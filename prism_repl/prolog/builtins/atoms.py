"""Atoms, characters and codes; ISO 8.16."""

from prism_repl.core.cells import REF
from prism_repl.core.errors import (
    PrologError,
    domain_error,
    instantiation_error,
)
from prism_repl.prolog import texts
from prism_repl.prolog.builtins.arguments import compound_items
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.builtins.text import (
    atomic_text,
    list_text,
    number_text,
    parse_number,
    parse_term,
    term_text,
)
from prism_repl.prolog.builtins.types import atom, partial_list
from prism_repl.prolog.texts import character, chars_list, chars_text, codes_list, codes_text

# ---- atoms and lists


builtin("atom_length(+Atom:atom, ?Length:integer) is semidet, itself, protected")(texts.atom_length)
builtin("atom_chars(?Atom, ?Chars) is semidet, protected")(texts.atom_chars)
builtin("atom_codes(?Atom, ?Codes) is semidet, protected")(texts.atom_codes)
builtin("char_code(?Char, ?Code) is semidet, protected")(texts.char_code)


def text_if_ground(m, c, convert):
    """The text of a list without variables; None if it cannot be known yet."""
    cells, tail = m.list_items(c)
    if tail & 7 == REF or any(m.deref(x) & 7 == REF for x in cells):
        return None
    return convert(m, c)


def number_and_list(m, number, parts, read, make):
    """number_chars/2 and number_codes/2: the list counts if it is complete."""
    text = text_if_ground(m, parts, read)
    if text is not None:
        return m.unify(number, parse_number(m, text))
    if number & 7 == REF:
        raise instantiation_error()
    partial_list(m, parts)
    return m.unify(parts, make(m, number_text(m, number)))


@builtin("number_chars(?Number:number, ?Chars) is semidet, protected")
def number_chars(m, number, chars):
    return number_and_list(m, number, chars, chars_text, chars_list)


@builtin("number_codes(?Number:number, ?Codes) is semidet, protected")
def number_codes(m, number, codes):
    return number_and_list(m, number, codes, codes_text, codes_list)


@builtin("name(?Atomic, ?Codes) is semidet")
def name(m, constant, codes):
    """A number if the codes are those of one, else an atom."""
    if constant & 7 != REF:
        return m.unify(codes, codes_list(m, atomic_text(m, constant)))
    text = list_text(m, codes)
    return m.unify(constant, constant_of(m, text))


def constant_of(m, text):
    """The number that the text denotes, or the atom of the text."""
    if text[:1].isspace() or text[:1] == "+":
        return m.atom(text)
    try:
        return parse_number(m, text)
    except PrologError as error:
        if error.kind == "resource_error":
            raise
        return m.atom(text)


@builtin("atom_number(?Atom:atom, ?Number:number) is semidet")
def atom_number(m, a, number):
    if a & 7 == REF:
        if number & 7 == REF:
            raise instantiation_error()
        return m.unify(a, m.atom(number_text(m, number)))
    try:
        return m.unify(number, parse_number(m, m.atom_text(a)))
    except PrologError as error:
        if error.kind == "resource_error":
            raise
        return False


@builtin("upcase_atom(+Atom:text, -Upper) is det")
def upcase_atom(m, text, upper):
    return m.unify(upper, m.atom(text.upper()))


@builtin("downcase_atom(+Atom:text, -Lower) is det")
def downcase_atom(m, text, lower):
    return m.unify(lower, m.atom(text.lower()))


# ---- joining and splitting


helper("$atom_concat", 4, context=("atom_concat", 3))(texts.concat)
helper("$sub_text", 4)(texts.sub_text)
helper("$sub_atom", 6)(texts.sub_atom)


@builtin("atomic_list_concat(+Parts:list, -Atom) is det")
@builtin("concat_atom(+Parts:list, -Atom) is det")
def atomic_list_concat(m, parts, whole):
    return m.unify(whole, m.atom("".join([atomic_text(m, x) for x in parts])))


@builtin("atomic_list_concat(?Parts, +Separator, ?Atom) is semidet")
@builtin("concat_atom(?Parts, +Separator, ?Atom) is semidet")
def atomic_list_concat_with(m, parts, separator, whole):
    """Joins with the separator; splits the whole if the parts are not all known."""
    gap = atomic_text(m, separator)
    cells, tail = m.list_items(parts)
    if tail == m.nil and all(m.deref(x) & 7 != REF for x in cells):
        return m.unify(whole, m.atom(gap.join([atomic_text(m, m.deref(x)) for x in cells])))
    if whole & 7 == REF:
        raise instantiation_error()
    if gap == "":
        raise domain_error("non_empty_atom", separator)
    pieces = [m.atom(x) for x in atomic_text(m, whole).split(gap)]
    return m.unify(parts, m.list_from(pieces))


# ---- terms and text


@builtin("term2atom(+Term, -Atom) is det")
def term2atom(m, term, a):
    return m.unify(a, m.atom(term_text(m, term)))


@builtin("term2string(+Term, -Codes) is det")
def term2string(m, term, codes):
    return m.unify(codes, codes_list(m, term_text(m, term)))


@builtin("term_to_atom(?Term, ?Atom) is semidet")
def term_to_atom(m, term, a):
    if term & 7 == REF and a & 7 != REF:
        return m.unify(term, parse_term(m, atomic_text(m, a))[0])
    return m.unify(a, m.atom(term_text(m, term)))


@builtin("parse_atom(+Atom:atom, -Term) is det")
def parse_atom(m, text, term):
    return m.unify(term, parse_term(m, text)[0])


@builtin("parse_string(+Codes, -Term) is det")
def parse_string(m, codes, term):
    return m.unify(term, parse_term(m, list_text(m, codes))[0])


def bindings_list(m, variables):
    return m.list_from([m.struct("=", m.atom(name), cell) for name, cell in variables])


@builtin("parse_atom(+Atom, -Term, -Bindings) is det")
@builtin("atom_to_term(+Atom, -Term, -Bindings) is det")
def atom_to_term(m, a, term, bindings):
    cell, variables = parse_term(m, atomic_text(m, a))
    return m.unify(term, cell) and m.unify(bindings, bindings_list(m, variables))


@builtin("parse_string(+Codes, -Term, -Bindings) is det")
def parse_string_names(m, codes, term, bindings):
    cell, variables = parse_term(m, list_text(m, codes))
    return m.unify(term, cell) and m.unify(bindings, bindings_list(m, variables))


# ---- character conversion: kept as a table; the flag char_conversion stays off, so nothing is converted


@builtin("char_conversion(+Char, +Other) is det")
def char_conversion(m, old, new):
    m.state.setdefault("char_conversion", {})[character(m, old)] = character(m, new)
    return True


@helper("$char_conversions", 1)
def char_conversions(m, pairs):
    table = m.state.get("char_conversion", {})
    return m.unify(pairs, m.list_from([m.struct("-", m.atom(a), m.atom(b)) for a, b in table.items()]))


@helper("$check_character_or_var", 1, context=("current_char_conversion", 2))
def check_character_or_var(m, c):
    if c & 7 != REF:
        character(m, c)
    return True


@helper("$char_kind", 2, context=("char_type", 2))
def char_kind(m, char, kind):
    """char_type/2 for a known character; kind may be to_lower(L), to_upper(U), digit(W) and so on."""
    ch = character(m, char)
    if kind & 7 == REF:
        raise instantiation_error()
    if m.is_compound(kind):
        return char_kind_with(m, ch, kind)
    test = CHAR_TESTS.get(atom(m, kind))
    if test is None:
        raise domain_error("char_type", kind)
    return test(ch)


def char_kind_with(m, ch, kind):
    for name, convert in CHAR_MAPS.items():
        found = compound_items(m, kind, name, 1)
        if found:
            result = convert(ch)
            if result is None:
                return False
            return m.unify(found[0], m.int_cell(result) if isinstance(result, int) else m.atom(result))
    raise domain_error("char_type", kind)


CHAR_TESTS = {
    "alpha": lambda ch: ch.isalnum() or ch == "_",
    "alnum": str.isalnum,
    "csym": lambda ch: ch.isalnum() or ch == "_",
    "csymf": lambda ch: ch.isalpha() or ch == "_",
    "ascii": str.isascii,
    "white": lambda ch: ch in " \t",
    "cntrl": lambda ch: (not ch.isprintable() and not ch.isspace()) or ch in "\t\n\r\v\f",
    "digit": str.isdigit,
    "space": str.isspace,
    "end_of_line": lambda ch: ch in "\n\r",
    "lower": str.islower,
    "upper": str.isupper,
    "punct": lambda ch: ch.isprintable() and not ch.isalnum() and not ch.isspace(),
    "graph": lambda ch: ch.isprintable() and not ch.isspace(),
    "print": str.isprintable,
}

CHAR_MAPS = {
    "to_lower": str.lower,
    "to_upper": str.upper,
    "upper": lambda ch: ch.lower() if ch.isupper() else None,
    "lower": lambda ch: ch.upper() if ch.islower() else None,
    "digit": lambda ch: int(ch) if ch.isascii() and ch.isdigit() else None,
}
