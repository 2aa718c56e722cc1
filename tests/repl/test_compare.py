"""The rules of comparing output with a transcript."""

import pytest

from prism_repl.repl.compare import diff_lines, diff_text, same_output


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("X = a\nyes", "X = a\nyes\n"),
        ("X  =   a\n\nyes", "X = a\nyes"),
        ("P = 0.333333\nyes", "P = 0.333334\nyes"),
        ("P = 0.3333\nyes", "P = 0.333333\nyes"),
        ("P = 1.58168e-05\nyes", "P = 1.58169e-05\nyes"),
        ("(p: 0.000000000)", "(p: -0.000000000)"),
        ("a: -2.442347035369205", "a: -2.442347035369204"),
        ("a: -0.491065121637174", "a: -0.491065121637065"),
        ("X = _1428\nyes", "X = _G12\nyes"),
        ("X = f(_17a8,_)\nyes", "X = f(_12,_c01f9468)\nyes"),
        ("        Total learning time: 0.000 seconds", "        Total learning time: 1.234 seconds"),
        ("        Total table space used: 4736 bytes", "        Total table space used: 1 bytes"),
        ("  learn_time            : 0", "  learn_time            : 0.004"),
        ("X = a ?\nyes", "X = a\nyes"),
        ("X = a\nyes", "X = a ?\nyes"),
        ("true ?\nyes", "\nyes"),
        ("X = 1 ?;\nX = 2 ?;\nno", "X = 1 ?;\nX = 2\nyes"),
        ("loading::hmm.psm.out\n\nyes", "yes"),
        ("...\nyes", "a\nb\nyes"),
        ("a\n...\nd\nyes", "a\nb\nc\nd\nyes"),
        ("a\n...\n...\nd\nyes", "a\nd\nyes"),
        ("...", "a\nyes"),
        ("P = 0.432", "P = 0.432\nyes"),
        ("", "\nyes\n"),
        ("% a note\nX = a\nyes", "X = a\nyes"),
    ],
)
def test_same(expected, actual):
    assert same_output(expected, actual)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("X = a\nyes", "X = b\nyes"),
        ("yes", "no"),
        ("", "no"),
        ("", "X = 1\nyes"),
        ("ano", "a\nno"),
        ("P = 0.333333\nyes", "P = 0.333336\nyes"),
        ("P = 0.5\nyes", "P = 0.51\nyes"),
        ("P = 0.5\nyes", "P = 0.500002\nyes"),
        ("N = 2\nyes", "N = 2.0\nyes"),
        ("a: -0.491065121637174", "a: -0.491065121837174"),
        ("N = 26\nyes", "N = 27\nyes"),
        ("X = _Y\nyes", "X = _Z\nyes"),
        ("X = 1 ?;\nX = 2 ?;\nno", "X = 1 ?;\nno"),
        ("X = 1 ?;\nX = 2\nyes", "X = 1\nyes"),
        ("a\n...\nd\nyes", "a\nb\nyes"),
        ("*** my", "yes"),
        ("Number of iterations: 5", "Number of iterations: 6"),
        ("(p: -0.500000000)", "(p: 0.500000000)"),
    ],
)
def test_different(expected, actual):
    assert not same_output(expected, actual)


def test_diff():
    assert diff_lines("X = 0.25\nY = b\nyes", "X = 0.25\nY = c\nyes") == [
        (" ", "X = 0.25"),
        ("-", "Y = b"),
        ("+", "Y = c"),
        (" ", "yes"),
    ]
    assert "\x1b[31m- Y = b\x1b[0m" in diff_text("Y = b", "Y = c", color=True)


def test_diff_of_equal_numbers_is_not_shown():
    marks = [mark for mark, _ in diff_lines("P = 0.333333\nQ = 1\nyes", "P = 0.333334\nQ = 2\nyes")]
    assert marks == [" ", "-", "+", " "]
