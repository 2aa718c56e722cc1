"""Where queries end."""

import pytest

from prism_repl.prolog.queries import is_complete, scan, split, with_period


@pytest.mark.parametrize(
    "text",
    [
        "true.",
        "X = 'a. b'.",
        "X = 0'. .",
        "X = 0'a.",
        "X = 0''' .",
        'X = "a.".',
        "X = 1.5.",
        "p. % done",
        "/* a. */ p.\n",
        "X = [a|T].",
        "X = a.b.",
        "X = 0'\\n.",
    ],
)
def test_complete(text):
    assert is_complete(text)


@pytest.mark.parametrize(
    "text",
    ["", "true", "X = 'a.", "X = 1.", "X = 0'.", 'X = "a.', "/* p.", "% p.", "foo(X,\n", "X = a+.", "p. q"],
)
def test_incomplete(text):
    if text == "X = 1.":
        assert is_complete(text)  # an integer and the end
    else:
        assert not is_complete(text)


def test_split():
    assert split("a.\nb(X),\n c. d") == (["a.", "b(X),\n c."], " d")
    assert split("a.  \n") == (["a."], "")


@pytest.mark.parametrize("quote", ["'", '"', "`"])
def test_a_quote_that_is_not_closed_on_its_line(quote):
    """A period at the end of that line ends the query, as it ends a clause of a file."""
    assert split(f"X = {quote}a b.\nY = {quote}c{quote}.\n") == (
        [f"X = {quote}a b.", f"Y = {quote}c{quote}."],
        "",
    )
    assert split(f"X = {quote}a\\\nb.{quote}.\n")[1] == ""
    assert not is_complete(f"X = {quote}a\n")


def test_depth_and_more():
    assert scan("foo(a,[b").depth == 2
    assert scan("foo(a),").expects_more
    assert scan("X is").expects_more
    assert not scan("foo(a)").expects_more


def test_with_period():
    assert with_period("foo(X)") == "foo(X)."
    assert with_period("foo(X). ") == "foo(X)."
    assert with_period("X = @") == "X = @ ."
    assert with_period("foo % hi") == "foo % hi\n."


def test_escapes_that_end_with_a_backslash():
    assert is_complete(r"X = '\x41\'.")
    assert is_complete(r"X = '\101\'.")
    assert not is_complete(r"X = 'a\'.")
