"""Answers as text."""

from prism_repl.answers import NEXT, STOPPED, Answer, answer_text


def test_text():
    assert answer_text(Answer("yes")) == "\nyes\n"
    assert answer_text(Answer("no")) == "no\n"
    assert answer_text(Answer("yes", (("X", "1"), ("Y", "a")))) == "X = 1\nY = a\nyes\n"
    assert answer_text(Answer("yes", (("X", "1"),), pending=True)) + NEXT == "X = 1 ?;\n"
    assert answer_text(Answer("yes", pending=True)) + STOPPED == "true ?\nyes\n"
    assert answer_text(Answer("error", message="*** my")) == "*** my\n"


def test_answer_as_a_mapping():
    answer = Answer("yes", (("X", "1"),), value_of={"X": 1}.__getitem__)
    assert dict(answer) == {"X": 1}
    assert "X" in answer
    assert bool(answer)
    assert not Answer("no")
