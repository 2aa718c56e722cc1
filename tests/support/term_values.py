"""Terms for tests of the parts below the reader: Python values to cells and back.

int, float: numbers; str: atoms ("_X": a variable by that name); list: a list;
tuple: a structure ("f", arg, ...).
"""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError
from prism_repl.core.memory import Memory
from prism_repl.prolog.builtins.flags import default_flags
from prism_repl.prolog.builtins.registry import BUILTINS
from prism_repl.prolog.evaluables import FUNCTORS
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.streams import Streams
from prism_repl.prolog.writer import write_term


class Host(Memory):
    """What builtins need of a machine, without its Prolog."""

    def __init__(self):
        super().__init__(FUNCTORS)
        self.operators = Operators()
        self.prolog_flags = default_flags()
        self.streams = Streams()
        self.state = {}
        self.output = []
        self.streams.user_output_sink = self.streams.user_error_sink = self.output.append


def run(m, text):
    """Call the builtin of a goal given as text: its bindings {name: text}, None for failure, or the
    formal error term as text."""
    read = read_term(m, text)
    goal = m.deref(read.cell)
    args = [m.arg(goal, i) for i in range(m.arity_of(goal))] if m.is_compound(goal) else []
    try:
        if not BUILTINS[m.atom_text(m.name_of(goal)), len(args)].run()(m, *args):
            return None
    except PrologError as error:
        if error.announcement:
            m.streams.complain(error.announcement)
        return write_term(m, error.formal(m), quoted=True)
    return {
        name: write_term(m, m.deref(c), quoted=True, float_format="full")
        for name, c in read.variables
        if m.deref(c) & 7 != REF
    }


def build(m, value, names=None):
    names = {} if names is None else names
    if isinstance(value, float):
        return m.float_cell(value)
    if isinstance(value, int):
        return m.int_cell(value)
    if isinstance(value, str):
        if value.startswith("_"):
            if value not in names:
                names[value] = m.new_var()
            return names[value]
        return m.atom(value)
    if isinstance(value, list):
        return m.list_from([build(m, x, names) for x in value])
    return m.struct(value[0], *[build(m, x, names) for x in value[1:]])


def value_of(m, c):
    """The Python value of a cell; variables become "_"."""
    c = m.deref(c)
    if c & 7 == REF:
        return "_"
    if c & 7 == ATM:
        return [] if c == m.nil else m.atom_text(c)
    if m.is_number(c):
        return m.number_value(c)
    items, tail = m.list_items(c)
    if items:
        values = [value_of(m, x) for x in items]
        return values if tail == m.nil else ("|", *values, value_of(m, tail))
    return (m.atom_text(m.name_of(c)), *[value_of(m, m.arg(c, i)) for i in range(m.arity_of(c))])


def ask(m, predicate, *args):
    """Call the builtin predicate; the values of its arguments afterwards, or None for failure."""
    names = {}
    cells = [build(m, a, names) for a in args]
    if BUILTINS[predicate, len(args)].run()(m, *[m.deref(c) for c in cells]):
        return [value_of(m, c) for c in cells]
    return None


def error_of(m, predicate, *args):
    """The formal error term, as a Python value, that the builtin raises."""
    try:
        result = ask(m, predicate, *args)
    except PrologError as error:
        if error.announcement:
            m.streams.complain(error.announcement)
        return value_of(m, error.formal(m))
    raise AssertionError(f"no error but {result}")
