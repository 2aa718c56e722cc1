"""Paging, folding, colours."""

import io

import pytest

from prism_repl.answers import STOPPED, Answer
from prism_repl.repl.screen import Screen, broken_text, fold, folded_text, take_rows
from prism_repl.repl.style import PALETTES


@pytest.mark.parametrize(
    ("text", "column", "room", "result"),
    [
        ("abc\n", 0, 5, (4, 1, 0)),
        ("abc", 0, 5, (3, 0, 3)),
        ("0123456789", 0, 5, (10, 1, 0)),
        ("0123456789\nab", 0, 5, (13, 1, 2)),
        ("ab\ncd\nef\n", 0, 2, (6, 2, 0)),
        ("x" * 35, 0, 2, (20, 2, 0)),
        ("x" * 35, 5, 2, (15, 2, 0)),
        ("\n\n\n", 0, 2, (2, 2, 0)),
    ],
)
def test_rows(text, column, room, result):
    assert take_rows(text, column, 10, room) == result


class Small(Screen):
    def columns(self):
        return 10

    def page_rows(self):
        return 3


def screen(keys="", color=False):
    pressed = iter(keys)
    return Small(io.StringIO(), color=color, style="dark", pager=True, read_key=lambda: next(pressed))


def shown(s):
    return s.file.getvalue()


def test_pager():
    s = screen("  ")
    s.write("1\n2\n3\n4\n5\n6\n7\n")
    text = shown(s)
    assert text.count("--More--") == 2
    assert "".join(c for c in text if c.isdigit()) == "1234567"


def test_pager_does_not_stop_at_the_end():
    s = screen("")
    s.write("1\n2\n3\n")
    assert shown(s) == "1\n2\n3\n"


def test_pager_skips():
    s = screen("q")
    s.write("1\n2\n3\n4\n")
    s.write("5\n")
    assert "4" not in shown(s)
    assert "(skipped)" in shown(s)
    s.start()
    s.write("again\n")
    assert shown(s).endswith("again\n")


def test_pager_shows_all_the_rest():
    s = screen("a")
    s.write("x\n" * 100)
    assert shown(s).count("x") == 100


def test_pager_of_one_long_line():
    s = screen("a")
    s.write("y" * 95)
    assert shown(s).count("y") == 95
    assert shown(s).index("--More--") < 60


def test_fold():
    assert fold("x" * 10, 20) == "x" * 10
    assert fold("x" * 1000, 0) == "x" * 1000
    short = fold("a" * 500 + "b" * 500, 100)
    assert len(short) < 120
    assert " ... " in short
    assert short.startswith("aaa")
    assert short.endswith("bbb")


def test_folded_answer():
    answer = Answer("yes", (("X", "x" * 1000),), pending=True)
    text, folded = folded_text(answer, 100)
    assert folded
    assert text.endswith(" ?")
    assert folded_text(answer, 0) == ("X = " + "x" * 1000 + " ?", False)


def test_colour():
    s = screen(color=True)
    s.write("yes\n")
    assert "\x1b[" in shown(s)
    plain = screen()
    plain.write("yes\n")
    assert shown(plain) == "yes\n"


def test_yes_after_an_answer_is_coloured():
    out = io.StringIO()
    screen = Screen(out, color=True, style="dark", pager=False, read_key=lambda: "q")
    screen.write("X = 1 ?")
    screen.write(STOPPED)
    assert out.getvalue().endswith("yes\x1b[39;00m\n")


def test_long_answers_break_at_commas():
    text = "[" + ",".join(["12345", "'a,b c'", "foo(X,Y)"] * 4) + "]"
    lines = broken_text(text, 24, 4).split("\n")
    assert all(len(line) <= 24 for line in lines)
    assert all(line.endswith(",") for line in lines[:-1])
    assert "".join(line.strip() for line in lines) == text
    assert broken_text("f(a,b)", 80, 4) == "f(a,b)"
    assert broken_text("a" * 100, 20, 4) == "a" * 100  # there is no comma
    answer = Answer("yes", (("X", text),))
    shown, folded = folded_text(answer, 0, 24)
    assert not folded
    assert shown.startswith("X = [12345,'a,b c',\n    foo(X,Y),")


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("palette", "backgrounds"),
    [("dark", ["#000000", "#1c1c1c"]), ("light", ["#ffffff"]), ("neutral", ["#000000", "#ffffff"])],
)
def test_colours_can_be_read(palette, backgrounds):
    for color in PALETTES[palette]:
        for background in backgrounds:
            assert contrast(color, background) >= 4, (color, background)


def test_plain_text_has_the_colour_of_the_terminal():
    s = screen(color=True)
    s.write("some text\n")
    assert shown(s) == "some text\n"
