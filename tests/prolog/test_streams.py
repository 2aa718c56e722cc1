"""Streams: opening, reading, writing, positions, and the errors of the standard."""

import pytest

import prism_repl.prolog.builtins  # noqa: F401
from prism_repl.prolog.builtins.term_input import read_from
from tests.support.term_values import Host, run


@pytest.fixture
def m():
    return Host()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.txt"


def opened(m, path, mode, options="[]"):
    """The text of the stream term."""
    result = run(m, f"open('{path}',{mode},S,{options})")
    assert isinstance(result, dict), result
    return result["S"]


def test_write_then_read(m, path):
    s = opened(m, path, "write")
    assert s.startswith("'$stream'(")
    assert run(m, f"put_char({s},a)") == {}
    assert run(m, f"put_code({s},0'b)") == {}
    assert run(m, f"nl({s})") == {}
    assert run(m, f"tab({s},1+1)") == {}
    assert run(m, f"line_position({s},C)") == {"C": "2"}
    assert run(m, f"close({s})") == {}
    assert path.read_text() == "ab\n  "
    assert run(m, f"close({s})") == f"existence_error(stream,{s})"
    s = opened(m, path, "append")
    run(m, f"put_char({s},é)")
    run(m, f"close({s})")
    s = opened(m, path, "read", "[alias(in),eof_action(eof_code)]")
    assert run(m, "peek_char(in,X)") == {"X": "a"}
    assert run(m, f"get_char({s},X)") == {"X": "a"}
    assert run(m, "get_code(in,X)") == {"X": "98"}
    assert run(m, "read_line_to_codes(in,X)") == {"X": "[]"}
    assert run(m, "line_count(in,X)") == {"X": "2"}
    assert run(m, "read_line_to_codes(in,X)") == {"X": "[32,32,233]"}
    assert run(m, "at_end_of_stream(in)") == {}
    assert run(m, "get_char(in,X)") == {"X": "end_of_file"}
    assert run(m, "peek_code(in,X)") == {"X": "-1"}


def test_eof_action_error(m, path):
    path.write_text("")
    s = opened(m, path, "read", "[eof_action(error)]")
    assert run(m, f"get_char({s},X)") == {"X": "end_of_file"}
    assert run(m, f"get_char({s},X)") == f"permission_error(input,past_end_of_stream,{s})"
    assert run(m, f"read({s},X)") == f"permission_error(input,past_end_of_stream,{s})"


def test_terms(m, path):
    path.write_text("f(X,Y,X). % comment\n'a.b'. \"x.y\".\nbad(. good(1).\n last(A)")
    s = opened(m, path, "read")
    result = run(m, f"read_term({s},T,[variable_names(N),singletons(Z),variables(V)])")
    assert result["T"].startswith("f(")
    assert result["N"].startswith("['X'=")
    assert result["Z"].startswith("['Y'=")
    assert run(m, f"read({s},T)") == {"T": "'a.b'"}
    assert run(m, f"read({s},T)") == {"T": "[120,46,121]"}
    assert run(m, f"read({s},T)") == "syntax_error(read)"
    assert run(m, f"read({s},T)") == {"T": "good(1)"}
    assert run(m, f"read({s},T)") == "syntax_error(read)"
    assert run(m, f"read({s},T)") == {"T": "end_of_file"}
    assert run(m, f"read_term({s},T,[nonsense])") == "domain_error(read_option,nonsense)"
    assert run(m, f"read_term({s},T,[variables(V)|_])") == "instantiation_error"


def test_positions(m, path):
    path.write_text("abc\ndef\n")
    s = opened(m, path, "read")
    run(m, f"read_line_to_codes({s},_)")
    properties = run(m, f"'$stream_properties'({s},L)")["L"]
    assert "position('$stream_position'(4,2,0))" in properties
    assert "end_of_stream(not)" in properties
    run(m, f"read_line_to_codes({s},_)")
    assert "end_of_stream(at)" in run(m, f"'$stream_properties'({s},L)")["L"]
    assert run(m, f"set_stream_position({s},'$stream_position'(4,2,0))") == {}
    assert run(m, f"get_char({s},X)") == {"X": "d"}
    assert run(m, f"line_count({s},X)") == {"X": "2"}
    assert run(m, f"set_stream_position({s},foo)") == "domain_error(stream_position,foo)"
    assert run(m, "set_stream_position(user_input,'$stream_position'(0,1,0))") == (
        "permission_error(reposition,stream,user_input)"
    )


def test_bytes(m, path):
    s = opened(m, path, "write", "[type(binary)]")
    assert run(m, f"put_byte({s},200)") == {}
    assert run(m, f"put_char({s},a)") == f"permission_error(output,binary_stream,{s})"
    assert run(m, f"nl({s})") == f"permission_error(output,binary_stream,{s})"
    run(m, f"close({s})")
    assert path.read_bytes() == b"\xc8"
    s = opened(m, path, "read", "[type(binary)]")
    assert run(m, f"get_char({s},X)") == f"permission_error(input,binary_stream,{s})"
    assert run(m, f"peek_byte({s},X)") == {"X": "200"}
    assert run(m, f"get_byte({s},X)") == {"X": "200"}
    assert run(m, f"get_byte({s},X)") == {"X": "-1"}
    s = opened(m, path, "read")
    assert run(m, f"get_byte({s},X)") == f"permission_error(input,text_stream,{s})"
    assert run(m, f"get_char({s},X)") == "representation_error(character)"
    s = opened(m, path, "read", "[encoding(iso_latin_1)]")
    assert run(m, f"get_code({s},X)") == {"X": "200"}


ERRORS = [
    ("open(X,read,S)", "instantiation_error"),
    ("open(f,X,S)", "instantiation_error"),
    ("open(f,read,S,_)", "instantiation_error"),
    ("open(f,read,S,[type(text)|_])", "instantiation_error"),
    ("open(f,1,S)", "type_error(atom,1)"),
    ("open(f,read,S,x)", "type_error(list,x)"),
    ("open(f,read,s)", "uninstantiation_error(s)"),
    ("open(f(a),read,S)", "domain_error(source_sink,f(a))"),
    ("open(f,look,S)", "domain_error(io_mode,look)"),
    ("open(f,read,S,[bad])", "domain_error(stream_option,bad)"),
    ("open(f,read,S,[type(odd)])", "domain_error(stream_option,type(odd))"),
    ("open('/no/such/file',read,S)", "existence_error(source_sink,'/no/such/file')"),
    ("open('/no/such/folder/f',write,S)", "permission_error(open,source_sink,'/no/such/folder/f')"),
    ("tell('/no/such/folder/f')", "permission_error(open,source_sink,'/no/such/folder/f')"),
    ("open('/',read,S)", "permission_error(open,source_sink,/)"),
    ("open('/',write,S)", "permission_error(open,source_sink,/)"),
    ("open(f,read,S,[alias(user_input)])", "permission_error(open,source_sink,alias(user_input))"),
    ("close(X)", "instantiation_error"),
    ("close(foo)", "existence_error(stream,foo)"),
    ("close(1)", "domain_error(stream_or_alias,1)"),
    ("close(user_input,[x])", "domain_error(close_option,x)"),
    ("close(user_input,_)", "instantiation_error"),
    ("get_char(user_output,X)", "permission_error(input,stream,user_output)"),
    ("get_char(X,Y)", "instantiation_error"),
    ("get_char(user_input,1)", "type_error(in_character,1)"),
    ("get_code(user_input,a)", "type_error(integer,a)"),
    ("get_code(user_input,-2)", "representation_error(in_character_code)"),
    ("get_byte(user_input,X)", "permission_error(input,text_stream,user_input)"),
    ("put_char(X)", "instantiation_error"),
    ("put_char(ab)", "type_error(character,ab)"),
    ("put_char(user_input,a)", "permission_error(output,stream,user_input)"),
    ("put_code(-1)", "representation_error(character_code)"),
    ("put_byte(user_output,300)", "type_error(byte,300)"),
    ("put_byte(user_output,30)", "permission_error(output,text_stream,user_output)"),
    ("current_input(foo)", "domain_error(stream,foo)"),
    ("current_output('$stream'(99))", "domain_error(stream,'$stream'(99))"),
    ("set_input(user_output)", "permission_error(input,stream,user_output)"),
    ("set_output(user_input)", "permission_error(output,stream,user_input)"),
    ("flush_output(user_input)", "permission_error(output,stream,user_input)"),
    ("at_end_of_stream(_)", "instantiation_error"),
    ("'$check_stream_property'(S,foo)", "domain_error(stream_property,foo)"),
    ("'$check_stream_property'(foo,S)", "domain_error(stream,foo)"),
    ("see(X)", "instantiation_error"),
    ("see('/no/such/file')", "existence_error(source_sink,'/no/such/file')"),
    ("tab(a)", "type_error(evaluable,a/0)"),
]


@pytest.mark.parametrize(("goal", "error"), ERRORS, ids=[goal for goal, _ in ERRORS])
def test_error(m, goal, error):
    assert run(m, goal) == error


def test_user_streams(m):
    lines = ["foo(X).\n", "bar\n", " . x"]
    m.streams.user_input_source = lambda: lines.pop(0) if lines else ""
    assert run(m, "read(T)")["T"].startswith("foo(")
    assert run(m, "read(T)") == {"T": "bar"}
    assert run(m, "get_char(X)") == {"X": "' '"}
    assert run(m, "get_char(X)") == {"X": "x"}
    assert run(m, "get_char(X)") == {"X": "end_of_file"}
    lines.append("more.\n")
    assert run(m, "read(T)") == {"T": "more"}
    run(m, "put_char(h)")
    run(m, "put_char(user_output,i)")
    assert m.streams.user_output.column == 2
    run(m, "nl")
    assert "".join(m.output) == "hi\n"
    assert m.streams.user_output.column == 0


def test_see_and_tell(m, path):
    assert run(m, f"tell('{path}')") == {}
    run(m, "put_char(a)")
    assert run(m, f"telling('{path}')") == {}
    run(m, "tell(user)")
    run(m, "put_char(x)")
    assert run(m, f"tell('{path}')") == {}
    run(m, "put_char('.')")
    run(m, "told")
    run(m, "put_char(y)")
    assert "".join(m.output) == "xy"
    assert path.read_text() == "a."
    run(m, f"see('{path}')")
    assert run(m, "read(X)") == {"X": "a"}
    assert run(m, "seeing(X)") == {"X": f"'{path}'"}
    run(m, "seen")
    assert run(m, "seeing(X)") == {"X": "user"}


def test_see_opens_its_own_stream(m, path):
    path.write_text("a. b.")
    s = opened(m, path, "read")
    assert run(m, f"read({s},X)") == {"X": "a"}
    run(m, f"see('{path}')")
    assert run(m, "read(X)") == {"X": "a"}
    run(m, f"see({s})")
    assert run(m, "read(X)") == {"X": "b"}


def test_closing_the_current_output_goes_back_to_the_user(m, path):
    s = opened(m, path, "write")
    run(m, f"set_output({s})")
    run(m, f"close({s})")
    assert m.streams.current_output is m.streams.user_output
    assert run(m, "close(user_output)") == {}
    run(m, "put_char(z)")
    assert m.output == ["z"]


def test_large_file_is_read_in_linear_time(m, path):
    path.write_text("fact(abc,1).\n" * 20_000)
    s = opened(m, path, "read")
    stream = m.streams.by_number[max(m.streams.by_number)]
    for _ in range(20_000):
        assert read_from(m, stream) is not None
    assert run(m, f"read({s},T)") == {"T": "end_of_file"}
