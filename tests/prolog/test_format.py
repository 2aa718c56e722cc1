"""format/1,2,3: directives, columns, errors."""

import pytest

from prism_repl.core.errors import PrologError, PrologThrow
from prism_repl.core.memory import Memory
from prism_repl.prolog.builtins import format as formatting
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.streams import Streams
from prism_repl.prolog.writer import write_term
from tests.support.term_values import build, value_of


class Machine(Memory):
    def __init__(self):
        super().__init__()
        self.operators = Operators()
        self.prolog_flags = {}
        self.streams = Streams()
        self.text = []
        self.streams.user_output_sink = self.text.append

    def output(self):
        text = "".join(self.text)
        self.text.clear()
        return text


@pytest.fixture
def m():
    return Machine()


def codes(text):
    return [ord(c) for c in text]


def formatted(m, directives, args):
    m.streams.current_output.column = 0
    assert formatting.format_2(m, build(m, directives), build(m, args))
    return m.output()


# The first part is what PRISM 2.4.2a prints.
CASES = [
    ("hello~n", [], "hello\n"),
    ("~w and ~q~n", ["a", "B c"], "a and 'B c'\n"),
    ("~a ~d ~s~n", ["abc", 42, codes("text")], "abc 42 text\n"),
    ("~4f ~2e ~g~n", [3.14159, 12345.678, 0.5], "3.1416 1.23e+04 0.5\n"),
    ("~2d", [314], "314"),
    ("~8|abc~n", [], "        abc\n"),
    ("~w~t~10|~w~n", ["left", "right"], "left      right\n"),
    ("~t~w~10|~w~n", ["left", "right"], "      leftright\n"),
    ("~c~c~n", [104, 105], "hi\n"),
    ("~p ~i~w~n", ["a", "b", "c"], "a c\n"),
    ("~*c~n", [3, ord("x")], "xxx\n"),
    ("~8r ~16r ~8R~n", [64, 255, 64], "100 ff 100\n"),
    ("~~ ~a~n", ["x"], "~ x\n"),
    ("~w~n", "hello", "hello\n"),
    # PRISM prints %0D for ~D
    ("~D", [1234567], "1,234,567"),
    ("~D ~D ~D", [-1234567, 12, 123], "-1,234,567 12 123"),
    ("~5d|~3d|~0d", [42, 12345, 7], "   42|12345|7"),
    ("~d", [("+", 1, ("*", 2, 3))], "7"),
    ("~d", [3.7], "3"),
    ("~16R", [-255], "-FF"),
    ("~36r ~2r", [35, 0], "z 0"),
    ("~e ~3g ~g ~0f ~1f", [1.0, 3.14159, 1e10, 2.5, 0.25], "1.000000e+00 3.14 1e+10 2 0.2"),
    ("~2f ~0f ~f", [10**30, 5, 1], f"{10**30}.00 5 1.000000"),
    ("~15f", [0.1], "0.100000000000000"),
    ("~f", [float("inf")], "inf"),
    ("~d", [1 << 200], str(1 << 200)),
    ("~s ~s ~s", ["abc", ["a", "b"], []], "abc ab "),
    ("~5s|~2s", [codes("abc"), codes("abc")], "abc  |ab"),
    ("~3n", [], "\n\n\n"),
    ("~w", [0.1 + 0.2], "0.3"),
    ("~q", [0.1 + 0.2], "0.30000000000000004"),
    ("~p", ["A b"], "'A b'"),
    ("~a~a", ["A b", 12], "A b12"),
    ("~`-t~20|", [], "-" * 20),
    ("~`*t~t~10|", [], "*" * 5 + " " * 5),
    ("~t~w~t~11|x", ["mid"], "    mid    x"),
    ("~t~w~t~10|x", ["mid"], "   mid    x"),
    ("~w~10+~w~10+|", ["a", "b"], "a         b         |"),
    ("~w~t~10+~w~t~5+|", ["a", "b"], "a         b    |"),
    ("~w~+x", ["a"], "a       x"),
    ("toolong~3|x", [], "toolongx"),
    ("ab~|cd~t~3+e", [], "abcd e"),
    ("a~nb~t~5|c", [], "a\nb    c"),
    ("~`xt~*|", [4], "xxxx"),
    ("~46t~5|", [], "....."),
    ("", [], ""),
    ("é~t~3|ü", [], "é  ü"),
]


@pytest.mark.parametrize(("directives", "args", "text"), CASES, ids=[case[0] for case in CASES])
def test_text(m, directives, args, text):
    assert formatted(m, directives, args) == text
    assert formatted(m, codes(directives), args) == text
    assert formatted(m, list(directives), args) == text


def test_columns_go_on_from_what_was_written(m):
    m.streams.current_output.write("ab")
    assert formatting.format_2(m, build(m, "c~t~6|d"), m.nil)
    assert m.output() == "abc   d"


@pytest.mark.parametrize(
    ("directives", "args"),
    [
        ("~w ~w~n", ["a"]),
        ("~z~n", ["a"]),
        ("~w", []),
        ("~a", [("f", 1)]),
        ("x", ["a"]),
        ("~", []),
        ("~1r", [1]),
        ("~37r", [1]),
        ("~s", [("f", 1)]),
        ("~c", [-1]),
        ("~3w", [1]),
        ("~`", []),
        ("~99999999999999999c", [1]),
        ("~*c", [-1, 65]),
        ("~e", [10**400]),
    ],
)
def test_invalid_argument(m, directives, args):
    with pytest.raises(PrologThrow) as caught:
        formatted(m, codes(directives), args)
    ball = write_term(m, m.thaw(caught.value.record), quoted=True)
    expected = write_term(m, build(m, ("format", codes(directives), args)), quoted=True)
    assert ball == f"error(invalid_argument,{expected})"
    assert m.output() == ""


@pytest.mark.parametrize(
    ("directives", "args", "formal"),
    [
        ("_F", [], "instantiation_error"),
        (("f", 1), [], ("domain_error", "format", ("f", 1))),
        ("~d", ["a"], ("type_error", "evaluable", ("/", "a", 0))),
        ("~d", ["_X"], "instantiation_error"),
        ("~a", ["_X"], "instantiation_error"),
        ("~c", ["x"], ("type_error", "integer", "x")),
        ("~8r", [1.5], ("type_error", "integer", 1.5)),
    ],
)
def test_errors(m, directives, args, formal):
    with pytest.raises(PrologError) as caught:
        formatted(m, directives, args)
    assert value_of(m, caught.value.formal(m)) == formal


@pytest.mark.parametrize(
    ("sink", "value"),
    [
        ("atom", "a-1"),
        ("codes", codes("a-1")),
        ("chars", ["a", "-", "1"]),
    ],
)
def test_sinks(m, sink, value):
    result = m.new_var()
    assert formatting.format_3(m, m.struct(sink, result), build(m, "~w-~d"), build(m, ["a", 1]))
    assert value_of(m, result) == value
    assert m.output() == ""


def test_difference_list_sink(m):
    result, tail = m.new_var(), m.new_var()
    assert formatting.format_3(m, m.struct("codes", result, tail), build(m, "ab"), m.nil)
    assert value_of(m, result) == ("|", 97, 98, "_")


def test_stream(m):
    assert formatting.format_3(m, m.atom("user_output"), build(m, "x~w~n"), build(m, [1]))
    assert m.output() == "x1\n"
    with pytest.raises(PrologError, match="existence_error"):
        formatting.format_3(m, m.atom("nowhere"), build(m, "x"), m.nil)


def test_format_1(m):
    assert formatting.format_1(m, build(m, codes("no args~n")))
    assert m.output() == "no args\n"
