"""Parsing, recording and rewriting transcripts."""

import pytest

from prism_repl.repl.transcript import TranscriptError, parse, record_text, updated

FIGURE = """\
?- viterbif(path(1,4),P,_X),viterbi_switches(_X,VE)
P = 0.432
VE = [msw(d_e(1,2),on),msw(d_e(2,3),on),msw(d_e(3,4),on)]

?- set_prism_flag(learn_mode,ml_vt).

?- learn([path(1,4),path(1,3),path(2,4),path(2,5),path(3,6)]).
...

?- viterbif(path(1,4),P,_X),viterbi_switches(_X,VE)
P = 0.104
VE = [msw(d_e(1,6),on),msw(d_e(6,5),on),msw(d_e(5,4),on)]
"""


def test_the_figure_of_the_paper():
    entries = parse(FIGURE)
    assert [e.query[:20] for e in entries] == [
        "viterbif(path(1,4),P",
        "set_prism_flag(learn",
        "learn([path(1,4),pat",
        "viterbif(path(1,4),P",
    ]
    assert entries[0].output.startswith("P = 0.432\nVE =")
    assert entries[1].output == ""
    assert entries[2].output == "..."
    assert entries[3].line == 10


def test_comments_and_alternatives():
    text = "% head\n\n?- a(X).\nX = 1 ?;\nX = 2 ?;\nno\n\n% why\n| ?- b.\n\nyes\n"
    a, b = parse(text)
    assert a.alternatives == 2
    assert a.comments == ["% head"]
    assert a.output == "X = 1 ?;\nX = 2 ?;\nno"
    assert b.comments == ["% why"]
    assert b.output == "yes"


def test_queries_over_several_lines():
    text = "?- a(X),\n   b(X).\nyes\n\n?- c(X)\n|    ;\n|    d.\nno\n?- e(f\n).\nyes\n"
    assert [e.query for e in parse(text)] == ["a(X),\n   b(X).", "c(X)\n;\nd.", "e(f\n)."]
    assert [e.output for e in parse(text)] == ["yes", "no", "yes"]


def test_indented_output_is_not_query():
    (entry,) = parse("?- probf(a)\na\n   <=> msw(c,0)\n\nyes\n")
    assert entry.query == "probf(a)"
    (entry,) = parse("?- tab(3),write(x)\n   x\nyes\n")
    assert entry.output.strip() == "x\nyes"


def test_output_that_looks_like_a_query():
    (entry,) = parse("?- write('?- a'), nl.\nb\n?- a\n\nyes\n")
    assert entry.output == "b\n?- a\n\nyes"


def test_windows_line_ends():
    a, b = parse("?- a.\r\nyes\r\n\r\n?- b.\r\nno\r\n")
    assert (a.query, a.output, b.query, b.output) == ("a.", "yes", "b.", "no")


@pytest.mark.parametrize(("text", "line"), [("hello\n", 1), ("% c\n\n?- a(X,\n\n?- b.\n", 3), ("?- 'a\n", 1)])
def test_errors_name_the_line(text, line):
    with pytest.raises(TranscriptError) as caught:
        parse(text, "x.txt")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"x.txt:{line}: ")


def test_update_changes_only_what_is_given():
    text = "% head\n\n?- a.\nyes\n\n% keep\n?- b.\nX = 1\nyes\n"
    entries = parse(text)
    assert updated(text, [(entries[1], "\nX = 2\nyes\n")]) == text.replace("X = 1", "X = 2")
    assert updated(text, [(entries[0], "no\n")]) == text.replace("?- a.\nyes", "?- a.\nno")
    assert updated("?- a.\n", [(parse("?- a.\n")[0], "yes\n")]) == "?- a.\nyes\n"


def test_record():
    assert record_text("a,\n  b.", "loading::x.out\n\nyes\n") == "?- a,\n|      b.\nyes\n"
    (entry,) = parse(record_text("a,\n  b.", "yes"))
    assert entry.query == "a,\n  b."


@pytest.mark.parametrize("query", ["X = [1,2.", "X = 'abc.", 'X = "abc.', "X = f(a,", "X = /* abc."])
def test_a_query_that_is_not_finished(query):
    """PRISM reads one line; what is wrong with it is its output, and the transcript goes on."""
    error = "** Syntax error (user_input, 1-1)\n...\n*** error(syntax_error(read),read/1)"
    first, second = parse(f"?- {query}\n{error}\n\n?- X = 1.\nX = 1\nyes\n")
    assert (first.query, first.output) == (query, error)
    assert second.query == "X = 1."
