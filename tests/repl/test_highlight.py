"""Highlighting at the prompt."""

import pytest
from prompt_toolkit.document import Document

from prism_repl.repl.highlight import QueryLexer, line_of, lines_of, matching_brackets


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
    assert line_of(line, state).after == after


def test_lines():
    get = QueryLexer().lex_document(Document("X = 'a\nb', foo(Y)"))
    assert "".join(piece[1] for piece in get(0)) == "X = 'a"
    assert get(0)[0] == ("class:pygments.name.variable", "X")
    assert get(1)[0] == ("class:pygments.literal.string.symbol", "b")
    assert ("class:pygments.name.function", "foo") in get(1)
    assert get(2) == []


LONG = [f"    member(Item{i},[a,b,'C d',{i},0.5]), Value{i} is Item{i}*2 + {i}," for i in range(200)]


def test_a_key_in_a_long_query_costs_one_line():
    lexer = QueryLexer()
    lexer.lex_document(Document("\n".join(LONG)))
    before = line_of.cache_info().misses
    for n in range(20):
        get = lexer.lex_document(Document("\n".join([*LONG, "write(x" + "y" * n])))
        assert get(200)[-1] == ("class:pygments.name.constant", "x" + "y" * n)
    assert line_of.cache_info().misses == before + 20


@pytest.mark.parametrize(
    ("text", "marked"),  # | is the cursor; the brackets that are marked are [1] and [2]
    [
        ("f(a)|", "f<a>"),
        ("f|(a)", "f<a>"),
        ("f(|a)", None),
        ("f(a|)", "f<a>"),
        ("f([a,(b)])|", "f<[a,(b)]>"),
        ("f(')')|", "f<')'>"),
        ("f(0'))|", "f<0')>"),
        ("f(0'()|", "f<0'(>"),
        ("f( % )\n)|", "f< % )\n>"),
        ("f(/* ) \n ) */ [\n])|", "f</* ) \n ) */ [\n]>"),
        ("f('a\nb)',c)|", "f<'a\nb)',c>"),
        ("X -> Y|", None),
        ("f(a]|", None),
        ("f(a|", None),
        ("a)|", None),
    ],
)
def test_matching_brackets(text, marked):
    before, _, after = text.partition("|")
    document = Document(before + after, len(before))
    cursor = document.cursor_position_row, document.cursor_position_col
    found = matching_brackets(lines_of(document.lines), cursor)
    shown = None
    if found:
        first, last = sorted(document.translate_row_col_to_index(*place) for place in found)
        whole = document.text
        shown = whole[:first] + "<" + whole[first + 1 : last] + ">" + whole[last + 1 :]
    assert shown == marked
