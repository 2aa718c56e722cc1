"""The background of the terminal: what it says of itself."""

import os
import pty
import threading

import pytest

from prism_repl.repl import background as module
from prism_repl.repl.background import QUESTION, ask, background, from_reply, from_variable


@pytest.mark.parametrize(
    ("value", "result"),
    [("15;0", "dark"), ("0;15", "light"), ("0;default;7", "light"), ("", None), ("0;default", None)],
)
def test_the_variable(value, result):
    assert from_variable(value) == result


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        (b"\x1b]11;rgb:0000/0000/0000\x07\x1b[?62c", "dark"),
        (b"\x1b]11;rgb:ffff/ffff/dddd\x1b\\\x1b[?62c", "light"),
        (b"\x1b]11;rgb:ff/ff/ff\x1b\\", "light"),
        (b"\x1b[?62;4c", "neutral"),
        (b"", "neutral"),
    ],
)
def test_the_reply(reply, result):
    assert from_reply(reply) == result


def test_a_terminal_that_answers(monkeypatch):
    """What the user types meanwhile is not lost."""
    terminal, ours = pty.openpty()

    def answer():
        asked = b""
        while QUESTION not in asked:
            asked += os.read(terminal, 1024)
        os.write(terminal, b"X = 1\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c")

    thread = threading.Thread(target=answer)
    thread.start()
    with os.fdopen(ours, "r+b", buffering=0) as file:
        monkeypatch.setattr("sys.stdin", file)
        monkeypatch.setattr("sys.stdout", file)
        reply, typed = ask(QUESTION)
    thread.join()
    os.close(terminal)
    assert from_reply(reply) == "light"
    assert typed == b"X = 1"


def test_no_terminal(monkeypatch):
    monkeypatch.delenv("COLORFGBG", raising=False)
    monkeypatch.setenv("TERM", "dumb")
    assert background() == "neutral"
    monkeypatch.setenv("TERM", "linux")
    assert background() == "dark"


def test_typed_keys_come_to_the_prompt(monkeypatch):
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.input.typeahead import get_typeahead

    with create_pipe_input() as source, create_app_session(input=source):
        monkeypatch.setattr("prompt_toolkit.input.create_input", lambda: source)
        module.keep(b"ab\r")
        assert [press.data for press in get_typeahead(source)] == ["a", "b", "\r"]
