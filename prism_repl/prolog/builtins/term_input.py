"""read/1,2 and read_term/2,3."""

from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, instantiation_error
from prism_repl.prolog.builtins.arguments import compound_items, items
from prism_repl.prolog.builtins.characters import checked, past_end
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.streams import input_stream
from prism_repl.prolog.reader import Reader, find_end
from prism_repl.prolog.streams import PastEnd

READ_OPTIONS = ("variables", "variable_names", "singletons")


def read_from(m, stream):
    """The next ReadTerm of a text stream, None at its end; a bad clause is consumed, too."""
    stream.peek()  # the error for reading past the end
    while True:
        end = find_end(stream.text, stream.place)[0]
        if end >= 0 or not stream.fill():
            break
    length = end - stream.place if end >= 0 else len(stream.text) - stream.place
    line = stream.line
    text = stream.take(length)
    name = stream.file_name or "user_input"
    term = Reader(m, text, name, line).read_term()
    if term is None:
        stream.past = stream.eof_action != "reset"
    return term


def read_options(m, options):
    """[(name, cell of the option's argument)]"""
    found = []
    for option in items(m, options):
        if option & 7 == REF:
            raise instantiation_error()
        for name in READ_OPTIONS:
            value = compound_items(m, option, name, 1)
            if value:
                found.append((name, value[0]))
                break
        else:
            raise domain_error("read_option", option)
    return found


def read_into(m, c, term, options):
    wanted = read_options(m, options)
    stream = input_stream(m, c, False)
    try:
        read = read_from(m, stream)
    except PastEnd:
        raise past_end(m, stream, c) from None
    if read is None:
        cell, variables, named, single = m.atom("end_of_file"), [], [], []
    else:
        cell, named, single = read.cell, read.variables, read.singleton_variables
        variables = m.term_vars(cell)
    lists = {
        "variables": variables,
        "variable_names": [m.struct("=", m.atom(name), v) for name, v in named],
        "singletons": [m.struct("=", m.atom(name), v) for name, v in single],
    }
    return m.unify(term, cell) and all(m.unify(value, m.list_from(lists[name])) for name, value in wanted)


@builtin("read(?Term) is det, protected")
def read1(m, term):
    return read_into(m, None, term, m.nil)


@builtin("read(+Stream:stream, ?Term) is det, protected")
def read2(m, c, term):
    return read_into(m, checked(m, c), term, m.nil)


@builtin("read_term(?Term, +Options:options) is det, protected")
def read_term2(m, term, options):
    return read_into(m, None, term, options)


@builtin("read_term(+Stream:stream, ?Term, +Options:options) is det, protected")
def read_term3(m, c, term, options):
    return read_into(m, checked(m, c), term, options)
