"""Characters, codes and bytes in and out; nl, tab."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import (
    instantiation_error,
    permission_error,
    representation_error,
    type_error,
)
from prism_repl.prolog.arithmetic import evaluate
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.streams import input_stream, output_stream, stream_cell
from prism_repl.prolog.streams import PastEnd
from prism_repl.prolog.texts import character, code_char


def past_end(m, stream, c):
    """The error for reading beyond the end."""
    return permission_error("input", "past_end_of_stream", stream_cell(m, stream) if c is None else c)


# ---- input


def next_char(m, c, binary, consume):
    """The next character of a stream, "" at its end."""
    stream = input_stream(m, c, binary)
    try:
        return stream.get() if consume else stream.peek()
    except PastEnd:
        raise past_end(m, stream, c) from None


def get_character(m, c, char, consume):
    if char & 7 != REF and (
        char & 7 != ATM or (len(m.atom_text(char)) != 1 and m.atom_text(char) != "end_of_file")
    ):
        raise type_error("in_character", char)
    return m.unify(char, m.atom(next_char(m, c, False, consume) or "end_of_file"))


def get_character_code(m, c, code, consume):
    if code & 7 != REF:
        if not m.is_integer(code):
            raise type_error("integer", code)
        if not -1 <= m.int_value(code) <= 0x10FFFF:
            raise representation_error("in_character_code")
    ch = next_char(m, c, False, consume)
    return m.unify(code, m.int_cell(ord(ch) if ch else -1))


def get_one_byte(m, c, byte, consume):
    if byte & 7 != REF and (not m.is_integer(byte) or not -1 <= m.int_value(byte) <= 255):
        raise type_error("in_byte", byte)
    ch = next_char(m, c, True, consume)
    return m.unify(byte, m.int_cell(ord(ch) if ch else -1))


@builtin("get_char(?Char) is semidet, protected")
def get_char(m, char):
    return get_character(m, None, char, True)


@builtin("get_char(+Stream:stream, ?Char) is semidet, protected")
def get_char2(m, c, char):
    return get_character(m, checked(m, c), char, True)


@builtin("peek_char(?Char) is semidet, protected")
def peek_char(m, char):
    return get_character(m, None, char, False)


@builtin("peek_char(+Stream:stream, ?Char) is semidet, protected")
def peek_char2(m, c, char):
    return get_character(m, checked(m, c), char, False)


@builtin("get_code(?Code) is semidet, protected")
@builtin("get0(?Code) is semidet")
def get_code(m, code):
    return get_character_code(m, None, code, True)


@builtin("get_code(+Stream:stream, ?Code) is semidet, protected")
@builtin("get0(+Stream:stream, ?Code) is semidet")
def get_code2(m, c, code):
    return get_character_code(m, checked(m, c), code, True)


@builtin("peek_code(?Code) is semidet, protected")
def peek_code(m, code):
    return get_character_code(m, None, code, False)


@builtin("peek_code(+Stream:stream, ?Code) is semidet, protected")
def peek_code2(m, c, code):
    return get_character_code(m, checked(m, c), code, False)


@builtin("get_byte(?Byte) is semidet, protected")
def get_byte(m, byte):
    return get_one_byte(m, None, byte, True)


@builtin("get_byte(+Stream:stream, ?Byte) is semidet, protected")
def get_byte2(m, c, byte):
    return get_one_byte(m, checked(m, c), byte, True)


@builtin("peek_byte(?Byte) is semidet, protected")
def peek_byte(m, byte):
    return get_one_byte(m, None, byte, False)


@builtin("peek_byte(+Stream:stream, ?Byte) is semidet, protected")
def peek_byte2(m, c, byte):
    return get_one_byte(m, checked(m, c), byte, False)


def checked(m, c):
    """A variable as stream is an error before anything else."""
    if c & 7 == REF:
        raise instantiation_error()
    return c


@builtin("get(?Code) is semidet")
def get(m, code):
    """The next code that is not layout (DEC-10)."""
    while True:
        ch = next_char(m, None, False, True)
        if ch == "" or not ch.isspace():
            return m.unify(code, m.int_cell(ord(ch) if ch else -1))


def line_codes(m, c, codes):
    """The codes of the next line without its newline; -1 at the end of the stream."""
    stream = input_stream(m, c, False)
    chars = []
    try:
        while True:
            ch = stream.get()
            if ch in ("", "\n"):
                break
            chars.append(m.int_cell(ord(ch)))
    except PastEnd:
        raise past_end(m, stream, c) from None
    if ch == "" and not chars:
        return m.unify(codes, m.int_cell(-1))
    return m.unify(codes, m.list_from(chars))


@builtin("read_line_to_codes(+Stream:stream, -Codes) is det")
def read_line_to_codes(m, c, codes):
    return line_codes(m, c, codes)


@builtin("at_end_of_stream is semidet")
def at_end_of_stream(m):
    return m.streams.current_input.end_state() != "not"


@builtin("at_end_of_stream(+Stream:stream) is semidet")
def at_end_of_stream1(m, c):
    return input_stream(m, c).end_state() != "not"


# ---- output


def put(m, c, text, binary=False):
    output_stream(m, c, binary).write(text)
    return True


@builtin("put_char(+Char) is det, protected")
def put_char(m, char):
    return put(m, None, character(m, char))


@builtin("put_char(+Stream:stream, +Char) is det, protected")
def put_char2(m, c, char):
    checked(m, c)
    return put(m, c, character(m, char))


@builtin("put_code(+Code) is det, protected")
@builtin("put(+Code) is det")
def put_code(m, code):
    return put(m, None, code_char(m, code))


@builtin("put_code(+Stream:stream, +Code) is det")
@builtin("put(+Stream:stream, +Code) is det")
def put_code2(m, c, code):
    checked(m, c)
    return put(m, c, code_char(m, code))


def byte_text(m, byte):
    if byte & 7 == REF:
        raise instantiation_error()
    if not m.is_integer(byte) or not 0 <= m.int_value(byte) <= 255:
        raise type_error("byte", byte)
    return chr(m.int_value(byte))


@builtin("put_byte(+Byte) is det, protected")
def put_byte(m, byte):
    return put(m, None, byte_text(m, byte), True)


@builtin("put_byte(+Stream:stream, +Byte) is det, protected")
def put_byte2(m, c, byte):
    checked(m, c)
    return put(m, c, byte_text(m, byte), True)


@builtin("nl is det, protected")
def nl(m):
    return put(m, None, "\n")


@builtin("nl(+Stream:stream) is det, protected")
def nl1(m, c):
    return put(m, c, "\n")


def blanks(m, expression):
    number = evaluate(m, expression)
    if not m.is_integer(number):
        raise type_error("integer", number)
    return " " * max(0, m.int_value(number))


@builtin("tab(+N) is det")
def tab(m, n):
    return put(m, None, blanks(m, n))


@builtin("tab(+Stream:stream, +N) is det")
def tab2(m, c, n):
    checked(m, c)
    return put(m, c, blanks(m, n))
