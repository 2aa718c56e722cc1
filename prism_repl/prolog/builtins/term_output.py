"""Writing terms: write/1, writeq/1, print/1, write_canonical/1, write_term/2, portray_clause/1."""

from prism_repl.core.attributes import attributes
from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import domain_error, instantiation_error, type_error
from prism_repl.core.queries import solve_once
from prism_repl.prolog.builtins.attributes import attvar
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.streams import output_stream
from prism_repl.prolog.listing import clause_text
from prism_repl.prolog.texts import codes_text
from prism_repl.prolog.writer import write_term


def text_output(m, stream=None):
    """The output stream, the current one by default; it must take text."""
    return output_stream(m, stream, binary=False)


def float_format(m):
    """How write and print show floats: 6 digits, unless the flag asks for all."""
    return m.prolog_flags.get("float_format", "short")


def written(m, term):
    """The text of write/1."""
    return write_term(m, term, numbervars=True, float_format=float_format(m))


def quoted(m, term):
    """The text of writeq/1: it reads back."""
    return write_term(m, term, quoted=True, numbervars=True, float_format="full")


def printed(m, term):
    """The text of print/1: quoted, with short floats, as answers are shown."""
    return write_term(m, term, quoted=True, numbervars=True, float_format=float_format(m))


def canonical(m, term):
    """The text of write_canonical/1."""
    return write_term(m, term, quoted=True, ignore_ops=True, dotlists=True, float_format="full")


@builtin("write(@Term) is det, protected")
def write_1(m, term):
    text_output(m).write(written(m, term))
    return True


@builtin("write(+Stream:stream, @Term) is det, protected")
def write_2(m, stream, term):
    text_output(m, stream).write(written(m, term))
    return True


@builtin("writeln(@Term) is det")
def writeln_1(m, term):
    text_output(m).write(written(m, term) + "\n")
    return True


@builtin("writeln(+Stream:stream, @Term) is det")
def writeln_2(m, stream, term):
    text_output(m, stream).write(written(m, term) + "\n")
    return True


@builtin("writename(@Term) is det")
def writename(m, term):
    text_output(m).write(written(m, term))
    return True


@builtin("write_string(+Codes) is det")
def write_string(m, codes):
    text_output(m).write(codes_text(m, codes))
    return True


@builtin("writeq(@Term) is det, protected")
def writeq_1(m, term):
    text_output(m).write(quoted(m, term))
    return True


@builtin("writeq(+Stream:stream, @Term) is det, protected")
def writeq_2(m, stream, term):
    text_output(m, stream).write(quoted(m, term))
    return True


@builtin("print(@Term) is det, protected")
def print_1(m, term):
    text_output(m).write(printed(m, term))
    return True


@builtin("print(+Stream:stream, @Term) is det")
def print_2(m, stream, term):
    text_output(m, stream).write(printed(m, term))
    return True


@builtin("write_canonical(@Term) is det, protected")
def write_canonical_1(m, term):
    text_output(m).write(canonical(m, term))
    return True


@builtin("write_canonical(+Stream:stream, @Term) is det, protected")
def write_canonical_2(m, stream, term):
    text_output(m, stream).write(canonical(m, term))
    return True


@builtin("portray_clause(@Clause) is det")
def portray_clause_1(m, clause):
    text_output(m).write(clause_text(m, clause))
    return True


@builtin("portray_clause(+Stream:stream, @Clause) is det")
def portray_clause_2(m, stream, clause):
    text_output(m, stream).write(clause_text(m, clause))
    return True


@builtin("write_term(@Term, +Options:options) is det, protected")
def write_term_2(m, term, options):
    chosen = write_options(m, options)
    text_output(m).write(write_chosen(m, term, chosen))
    return True


@builtin("write_term(+Stream:stream, @Term, +Options:options) is det, protected")
def write_term_3(m, stream, term, options):
    out = text_output(m, stream)
    out.write(write_chosen(m, term, write_options(m, options)))
    return True


def write_chosen(m, term, chosen):
    """The text of write_term/2, with attributes behind their variables if they are asked for."""
    how = chosen.pop("attributes", "ignore")
    if how != "ignore":
        names = {cell: name for name, cell in chosen.get("variable_names", [])}
        for v in m.term_vars(term):
            if attvar(m, v):
                names[v] = names.get(v, write_term(m, v)) + "{" + attributes_text(m, v, how) + "}"
        chosen["variable_names"] = [(name, cell) for cell, name in names.items()]
    return write_term(m, term, **chosen)


def attributes_text(m, variable, how):
    """What write_term/2 shows of attributes: as attributes(write) or attributes(portray) says."""
    if how == "dots":
        return "..."
    if how == "write":
        return quoted(m, attributes(m, variable))
    text = m.new_var()
    solve_once(m, m.struct("$portray_attributes", variable, text))
    return m.atom_text(m.deref(text))


BOOLEAN_OPTIONS = ("quoted", "ignore_ops", "numbervars", "dotlists")
WORD_OPTIONS = {
    "spacing": ("standard", "next_argument"),
    "float_format": ("short", "full"),
    "attributes": ("ignore", "dots", "write", "portray"),
}


def write_options(m, options):
    """The options of write_term/2 as keyword arguments; of two that say the same the last counts."""
    chosen = {"float_format": float_format(m)}
    full = False
    for option in m.proper_list(options):
        option = m.deref(option)
        if option & 7 == REF:
            raise instantiation_error()
        if not m.is_compound(option) or m.arity_of(option) != 1:
            raise domain_error("write_option", option)
        name, value = m.atom_text(m.name_of(option)), m.arg(option, 0)
        if value & 7 == REF:
            raise instantiation_error()
        if name == "variable_names":
            chosen[name] = variable_names(m, option, value)
        elif name in ("max_depth", "priority"):
            if not m.is_integer(value):
                raise type_error("integer", value)
            number = m.int_value(value)
            if not 0 <= number <= (1200 if name == "priority" else 1 << 60):
                raise domain_error("write_option", option)
            chosen[name] = number
        elif name in WORD_OPTIONS or name in BOOLEAN_OPTIONS:
            word = m.atom_text(value) if value & 7 == ATM else ""
            if word not in WORD_OPTIONS.get(name, ("true", "false")):
                raise domain_error("write_option", option)
            chosen[name] = word if name in WORD_OPTIONS else word == "true"
            full = full or name == "float_format"
        else:
            raise domain_error("write_option", option)
    if chosen.get("quoted") and not full:
        chosen["float_format"] = "full"  # quoted text reads back
    return chosen


def variable_names(m, option, pairs):
    """['X'=X,...] as (name, cell) pairs; what is no variable any more keeps its value."""
    names = []
    cells, tail = m.list_items(pairs)
    if tail & 7 == REF:
        raise instantiation_error()
    if tail != m.nil:
        raise domain_error("write_option", option)
    for pair in cells:
        pair = m.deref(pair)
        if pair & 7 == REF:
            raise instantiation_error()
        if not m.is_compound(pair) or m.arity_of(pair) != 2 or m.atom_text(m.name_of(pair)) != "=":
            raise domain_error("write_option", option)
        name, variable = m.arg(pair, 0), m.arg(pair, 1)
        if name & 7 == REF:
            raise instantiation_error()
        text = m.atom_text(name) if name & 7 == ATM else ""
        if not is_variable_name(text):
            raise domain_error("write_option", option)
        if variable & 7 == REF:
            names.append((text, variable))
    return names


def is_variable_name(text):
    return (text[:1] == "_" or text[:1].isupper()) and all(ch == "_" or ch.isalnum() for ch in text)
