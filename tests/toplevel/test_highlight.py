"""Highlighting at the prompt."""

import time

import pytest
from prompt_toolkit.document import Document

from prism_repl.toplevel.highlight import QueryLexer, line_tokens, state_after


@pytest.mark.parametrize(
    ("line", "state", "after"),
    [
        ("a, b", "root", "root"),
        ("X = 'abc", "root", "quoted_atom"),
        ("it''s still", "quoted_atom", "quoted_atom"),
        ("done', b", "quoted_atom", "root"),
        ("done', \"c", "quoted_atom", "string"),
        ("a /* b", "root", "comment"),
        ("c */ d", "comment", "root"),
        ("X = 0''' , Y = 0'a", "root", "root"),
        ("% it's", "root", "root"),
        ("back\\' still", "quoted_atom", "quoted_atom"),
    ],
)
def test_states(line, state, after):
    assert state_after(line, state) == after


def test_lines():
    get = QueryLexer().lex_document(Document("X = 'a\nb', foo(Y)"))
    assert "".join(piece[1] for piece in get(0)) == "X = 'a"
    assert get(0)[0] == ("class:pygments.name.variable", "X")
    assert get(1)[0] == ("class:pygments.literal.string.symbol", "b")
    assert ("class:pygments.name.function", "foo") in get(1)
    assert get(2) == []


def test_a_key_in_a_long_query_is_quick():
    lines = [f"    member(Item{i},[a,b,'C d',{i},0.5]), Value{i} is Item{i}*2 + {i}," for i in range(200)]
    lexer = QueryLexer()

    def key(text):
        get = lexer.lex_document(Document("\n".join([*lines, text])))
        for i in range(160, 201):
            get(i)

    key("")
    line_tokens("warm", "root")
    start = time.process_time()
    for n in range(20):
        key("write(x" + "y" * n)
    assert (time.process_time() - start) / 20 < 0.005
