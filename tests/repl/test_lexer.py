"""The lexers: right tokens, nothing lost, no errors on what PRISM accepts."""

import pytest
from pygments.token import Comment, Error, Generic, Keyword, Name, Number, Operator, Punctuation, String

from prism_repl.repl.lexer import PrismLexer, PrismOutputLexer, PrismSessionLexer


def tokens(text, lexer=PrismLexer):
    return [
        (kind, value)
        for kind, value in lexer(ensurenl=False, stripnl=False).get_tokens(text)
        if value.strip()
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X", (Name.Variable, "X")),
        ("_", (Name.Variable.Anonymous, "_")),
        ("_x", (Name.Variable, "_x")),
        ("0'c", (String.Char, "0'c")),
        ("0'''", (String.Char, "0'''")),
        ("0'\\n", (String.Char, "0'\\n")),
        ("16'FF", (Number.Integer, "16'FF")),
        ("1.5e-3", (Number.Float, "1.5e-3")),
        ("foo(", (Name.Function, "foo")),
        ("msw(", (Name.Builtin, "msw")),
        ("viterbif", (Operator.Word, "viterbif")),
        (":-", (Keyword.Declaration, ":-")),
        ("% hi", (Comment.Single, "% hi")),
        ("ähnlich(", (Name.Function, "ähnlich")),
    ],
)
def test_first_token(text, expected):
    assert tokens(text)[0] == expected


def test_quoted_atoms_and_periods():
    assert tokens("X = 'it''s. \\'a'.") == [
        (Name.Variable, "X"),
        (Operator, "="),
        (String.Symbol, "'"),
        (String.Symbol, "it"),
        (String.Escape, "''"),
        (String.Symbol, "s. "),
        (String.Escape, "\\'"),
        (String.Symbol, "a"),
        (String.Symbol, "'"),
        (Punctuation, "."),
    ]


PROGRAM = """\
% HMM
values(init,[s0,s1]).
values(out(_),[a,b],[0.5,0.5]) :- true, !.
:- p_table hmm/1.
hmm(L) :- str_length(N), msw(init,S), hmm(1,N,S,L). /* a
comment */
t(X) :- X = 0'a, Y = "str", Z = `b`, ( a -> b ; c ), \\+ d, W is 2**3 mod 4.
"""


def test_program_has_no_errors_and_nothing_is_lost():
    found = list(PrismLexer(ensurenl=False, stripnl=False).get_tokens(PROGRAM))
    assert "".join(value for _, value in found) == PROGRAM
    assert not [value for kind, value in found if kind is Error]


OUTPUT = """\
P = 0.432
X = 'a b' ?
yes
no
*** error(type_error(atom,1),foo/1)
Switch coin: unfixed_p: head (p: 0.500000000) tail (p: 0.500000000)
hmm([a])
   <=> hmm(1,s0) & msw(init,s0)
     v hmm(1,s1)
"""


def test_output():
    found = tokens(OUTPUT, PrismOutputLexer)
    assert (Name.Variable, "P") in found
    assert (Number.Float, "0.432") in found
    assert (Generic.Strong, "yes") in found
    assert (Generic.Deleted, "no") in found
    assert (Generic.Error, "*** error(type_error(atom,1),foo/1)") in found
    assert (Name.Function, "coin") in found
    assert (Name.Builtin, "msw") in found
    assert "".join(v for _, v in PrismOutputLexer(ensurenl=False, stripnl=False).get_tokens(OUTPUT)) == OUTPUT


def test_capital_letters_in_sentences_are_no_variables():
    text = (
        "Exporting switch information to the EM routine ... done\n"
        "[0] #em-iters: 0..(Interrupted)\nX = f(A,[B|C])\n"
    )
    found = [v for kind, v in PrismOutputLexer().get_tokens(text) if kind is Name.Variable]
    assert found == ["X", "A", "B", "C"]


def test_session():
    text = "% note\n?- member(X,[a,\n   b]).\nX = a ?;\nX = b\nyes\n"
    found = tokens(text, PrismSessionLexer)
    assert found[0] == (Comment.Single, "% note\n")
    assert (Generic.Prompt, "?- ") in found
    assert found.count((Name.Variable, "X")) == 3
    assert (Generic.Strong, "yes") in found
    assert "".join(v for _, v in PrismSessionLexer(ensurenl=False, stripnl=False).get_tokens(text)) == text
