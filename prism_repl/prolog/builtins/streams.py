"""Opening, choosing, closing and asking about streams."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import (
    PrologError,
    domain_error,
    existence_error,
    instantiation_error,
    permission_error,
)
from prism_repl.prolog.builtins.arguments import compound_items, items
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.builtins.types import atom, nonneg
from prism_repl.prolog.source import expanded_name
from prism_repl.prolog.streams import ENCODINGS, InputStream, OutputStream
from prism_repl.prolog.texts import chars_list, codes_list

# ---- streams as terms


def stream_cell(m, stream):
    return m.struct("$stream", m.int_cell(stream.number))


def stream_number(m, c):
    """The number in '$stream'(N), or None."""
    found = compound_items(m, c, "$stream", 1)
    return m.int_value(found[0]) if found and m.is_integer(found[0]) else None


def find_stream(m, c):
    """The open stream of a stream term or alias."""
    if c & 7 == REF:
        raise instantiation_error()
    if c & 7 == ATM:
        stream = m.streams.by_alias.get(m.atom_text(c))
    else:
        number = stream_number(m, c)
        if number is None:
            raise domain_error("stream_or_alias", c)
        stream = m.streams.by_number.get(number)
    if stream is None:
        raise existence_error("stream", c)
    return stream


def is_user(m, c):
    """Is it the atom user? It means the terminal, for input and for output."""
    return c & 7 == ATM and m.atom_text(c) == "user" and "user" not in m.streams.by_alias


def input_stream(m, c=None, binary=None):
    """The input stream c (the current one if None); binary: None does not care."""
    if c is None:
        stream = m.streams.current_input
    else:
        stream = m.streams.user_input if is_user(m, c) else find_stream(m, c)
    if not isinstance(stream, InputStream):
        raise permission_error("input", "stream", c)
    check_kind(m, "input", stream, c, binary)
    return stream


def output_stream(m, c=None, binary=None):
    if c is None:
        stream = m.streams.current_output
    else:
        stream = m.streams.user_output if is_user(m, c) else find_stream(m, c)
    if not isinstance(stream, OutputStream):
        raise permission_error("output", "stream", c)
    check_kind(m, "output", stream, c, binary)
    return stream


def check_kind(m, action, stream, c, binary):
    if binary is not None and binary != stream.binary:
        kind = "binary_stream" if stream.binary else "text_stream"
        raise permission_error(action, kind, stream_cell(m, stream) if c is None else c)


# ---- open and close


def file_name(m, c):
    """The path in a source or sink argument."""
    if c & 7 == REF:
        raise instantiation_error()
    if c & 7 != ATM:
        raise domain_error("source_sink", c)
    return expanded_name(m.atom_text(c))


def open_file(m, source, mode, encoding="utf-8"):
    """Open a file or raise the error that open/4 raises."""
    path = file_name(m, source)
    try:
        if mode == "read":
            return m.streams.open_input(path, encoding)
        return m.streams.open_output(path, mode, encoding)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        # a folder that is missing only hinders writing
        if isinstance(error, FileNotFoundError) and mode == "read":
            raise existence_error("source_sink", source) from None
        raise permission_error("open", "source_sink", source) from None


OPTION_VALUES = {
    "type": ("text", "binary"),
    "reposition": ("true", "false"),
    "eof_action": ("error", "eof_code", "reset"),
    "encoding": tuple(ENCODINGS),
    "alias": None,
}


def open_options(m, options):
    """Python dict of the options of open/4."""
    values = {}
    for option in items(m, options):
        if option & 7 == REF:
            raise instantiation_error()
        if not m.is_compound(option) or m.arity_of(option) != 1:
            raise domain_error("stream_option", option)
        name = m.atom_text(m.name_of(option))
        value = m.arg(option, 0)
        if value & 7 == REF:
            raise instantiation_error()
        if name not in OPTION_VALUES or value & 7 != ATM:
            raise domain_error("stream_option", option)
        allowed = OPTION_VALUES[name]
        if allowed is not None and m.atom_text(value) not in allowed:
            raise domain_error("stream_option", option)
        if name == "alias" and m.atom_text(value) in m.streams.by_alias:
            raise permission_error("open", "source_sink", option)
        values[name] = m.atom_text(value)
    return values


@builtin("open(+File:file, +Mode, -Stream, +Options:options) is det, protected")
def open4(m, source, mode, stream, options):
    if source & 7 == REF or mode & 7 == REF:
        raise instantiation_error()
    m.proper_list(options)
    how = atom(m, mode)
    if stream & 7 != REF:
        raise PrologError("uninstantiation_error", stream)
    file_name(m, source)
    if how not in ("read", "write", "append"):
        raise domain_error("io_mode", mode)
    values = open_options(m, options)
    encoding = None if values.get("type") == "binary" else ENCODINGS[values.get("encoding", "utf-8")]
    opened = open_file(m, source, how, encoding)
    if values.get("reposition") == "true" and not opened.reposition:
        m.streams.close(opened)
        raise permission_error("open", "source_sink", m.struct("reposition", m.atom("true")))
    if values.get("reposition") == "false":
        opened.reposition = False
    opened.eof_action = values.get("eof_action", "error")
    if "alias" in values:
        m.streams.give_alias(opened, values["alias"])
    return m.unify(stream, stream_cell(m, opened))


@builtin("open(+File:file, +Mode, -Stream) is det, protected")
def open3(m, source, mode, stream):
    return open4(m, source, mode, stream, m.nil)


@builtin("close(+Stream:stream, +Options:options) is det, protected")
def close2(m, stream, options):
    found = find_stream(m, stream)
    for option in items(m, options):
        if option & 7 == REF:
            raise instantiation_error()
        value = compound_items(m, option, "force", 1)
        if value and value[0] & 7 == REF:
            raise instantiation_error()
        if not value or value[0] & 7 != ATM or m.atom_text(value[0]) not in ("true", "false"):
            raise domain_error("close_option", option)
    m.streams.close(found)
    return True


@builtin("close(+Stream:stream) is det, protected")
def close1(m, stream):
    m.streams.close(find_stream(m, stream))
    return True


# ---- the current streams


def unify_stream(m, c, stream):
    """current_input/1, current_output/1: the argument must be a variable or an open stream."""
    if c & 7 != REF and stream_number(m, c) not in m.streams.by_number:
        raise domain_error("stream", c)
    return m.unify(c, stream_cell(m, stream))


@builtin("current_input(?Stream) is semidet, protected")
def current_input(m, c):
    return unify_stream(m, c, m.streams.current_input)


@builtin("current_output(?Stream) is semidet, protected")
def current_output(m, c):
    return unify_stream(m, c, m.streams.current_output)


@builtin("set_input(+Stream:stream) is det, protected")
def set_input(m, c):
    m.streams.current_input = input_stream(m, c)
    return True


@builtin("set_output(+Stream:stream) is det, protected")
def set_output(m, c):
    m.streams.current_output = output_stream(m, c)
    return True


@builtin("flush_output is det, protected")
def flush_output(m):
    m.streams.current_output.flush()
    return True


@builtin("flush_output(+Stream:stream) is det, protected")
def flush_output1(m, c):
    output_stream(m, c).flush()
    return True


# ---- see, tell


def stream_of(m, source, mode, kind):
    """The stream that see/1 or tell/1 opened on a file and did not close, else a new one."""
    path = file_name(m, source)
    for stream in m.streams.by_number.values():
        if stream.by_name and stream.file_name == path and isinstance(stream, kind):
            return stream
    stream = open_file(m, source, mode)
    stream.by_name = True
    return stream


def names_stream(m, c):
    return stream_number(m, c) is not None or (c & 7 == ATM and m.atom_text(c) in m.streams.by_alias)


@builtin("see(+File:file) is det")
def see(m, source):
    if names_stream(m, source):
        return set_input(m, source)
    if file_name(m, source) == "user":
        m.streams.current_input = m.streams.user_input
    else:
        m.streams.current_input = stream_of(m, source, "read", InputStream)
        m.streams.current_input.eof_action = "eof_code"
    return True


def redirect(m, sink, mode):
    if names_stream(m, sink):
        return set_output(m, sink)
    if file_name(m, sink) == "user":
        m.streams.current_output = m.streams.user_output
    else:
        m.streams.current_output = stream_of(m, sink, mode, OutputStream)
    return True


@builtin("tell(+File:file) is det")
def tell(m, sink):
    return redirect(m, sink, "write")


@builtin("append(+File:file) is det")
def append(m, sink):
    return redirect(m, sink, "append")


@builtin("seen is det")
def seen(m):
    m.streams.close(m.streams.current_input)
    m.streams.current_input = m.streams.user_input
    return True


@builtin("told is det")
def told(m):
    m.streams.close(m.streams.current_output)
    m.streams.current_output = m.streams.user_output
    return True


def name_cell(m, stream):
    if stream in (m.streams.user_input, m.streams.user_output):
        return m.atom("user")
    return m.atom(stream.file_name) if stream.file_name else stream_cell(m, stream)


@builtin("seeing(-Stream) is det")
def seeing(m, c):
    return m.unify(c, name_cell(m, m.streams.current_input))


@builtin("telling(-Stream) is det")
def telling(m, c):
    return m.unify(c, name_cell(m, m.streams.current_output))


# ---- properties and positions


@helper("$streams", 1)
def streams(m, c):
    return m.unify(c, m.list_from([stream_cell(m, s) for s in list(m.streams.by_number.values())]))


def position_cell(m, stream):
    return m.struct("$stream_position", *[m.int_cell(n) for n in stream.position()])


@helper("$stream_properties", 2)
def stream_properties(m, c, properties):
    """All properties of an open stream as a list."""
    stream = find_stream(m, c)
    is_input = isinstance(stream, InputStream)
    cells = [m.atom("input" if is_input else "output"), m.struct("mode", m.atom(stream.mode))]
    cells += [m.struct("alias", m.atom(a)) for a in stream.aliases]
    if stream.file_name is not None:
        cells.append(m.struct("file_name", m.atom(stream.file_name)))
    if is_input:
        cells.append(m.struct("end_of_stream", m.atom(stream.end_state())))
        cells.append(m.struct("eof_action", m.atom(stream.eof_action)))
    if stream.reposition:
        cells.append(m.struct("position", position_cell(m, stream)))
    cells.append(m.struct("reposition", m.atom("true" if stream.reposition else "false")))
    cells.append(m.struct("type", m.atom("binary" if stream.binary else "text")))
    if stream.encoding:
        cells.append(m.struct("encoding", m.atom({"utf-8": "utf8"}.get(stream.encoding, stream.encoding))))
    return m.unify(properties, m.list_from(cells))


PROPERTIES = (
    *("mode", "alias", "file_name", "end_of_stream", "eof_action"),
    *("position", "reposition", "type", "encoding"),
)


@helper("$check_stream_property", 2, context=("stream_property", 2))
def check_stream_property(m, stream, prop):
    """The errors of stream_property/2."""
    if stream & 7 != REF:
        number = stream_number(m, stream)
        if number is None:
            raise domain_error("stream", stream)
        if number not in m.streams.by_number:
            raise existence_error("stream", stream)
    if prop & 7 != REF:
        name = m.atom_text(m.name_of(prop)) if m.is_callable(prop) else ""
        arity = m.arity_of(prop) if m.is_compound(prop) else 0
        if not ((arity == 0 and name in ("input", "output")) or (arity == 1 and name in PROPERTIES)):
            raise domain_error("stream_property", prop)
    return True


@builtin("set_stream_position(+Stream:stream, +Position) is det")
def set_stream_position(m, c, position):
    stream = find_stream(m, c)
    if position & 7 == REF:
        raise instantiation_error()
    parts = compound_items(m, position, "$stream_position", 3)
    if not parts or not all(m.is_integer(x) for x in parts):
        raise domain_error("stream_position", position)
    if not stream.reposition:
        raise permission_error("reposition", "stream", c)
    stream.seek(*[nonneg(m, x) for x in parts])
    return True


@builtin("line_count(+Stream:stream, -N) is det")
def line_count(m, c, count):
    return m.unify(count, m.int_cell(find_stream(m, c).position()[1]))


@builtin("line_position(+Stream:stream, -N) is det")
def line_position(m, c, column):
    return m.unify(column, m.int_cell(find_stream(m, c).position()[2]))


@builtin("character_count(+Stream:stream, -N) is det")
def character_count(m, c, count):
    return m.unify(count, m.int_cell(find_stream(m, c).position()[0]))


# ---- output to a term (with_output_to/2 in library/control.pl)


def sink_maker(m, sink):
    """How the text becomes the argument of atom(A), codes(Cs) or chars(Cs)."""
    if sink & 7 == REF:
        raise instantiation_error()
    makers = {"atom": lambda m, text: m.atom(text), "codes": codes_list, "chars": chars_list}
    kind = m.atom_text(m.name_of(sink)) if m.is_compound(sink) and m.arity_of(sink) == 1 else ""
    if kind not in makers:
        raise domain_error("output_sink", sink)
    return makers[kind]


@helper("$capture_output", 1, context=("with_output_to", 2))
def capture_output(m, sink):
    """From now on current output goes to memory, until $captured_output."""
    sink_maker(m, sink)
    stream, parts = m.streams.open_memory()
    m.state.setdefault("captures", []).append((stream, parts, m.streams.current_output))
    m.streams.current_output = stream
    return True


@helper("$captured_output", 1)
def captured_output(m, sink):
    """End the capture and unify what was written with the sink ([] drops it)."""
    stream, parts, before = m.state["captures"].pop()
    m.streams.close(stream)
    m.streams.current_output = m.streams.user_output if before.closed else before
    return sink == m.nil or m.unify(m.arg(sink, 0), sink_maker(m, sink)(m, "".join(parts)))
