"""Keys: what Enter does while a query is typed, and the single keys after an answer."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Literal

from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.filters import Condition, completion_is_selected, has_completions, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from prism_repl.prolog import queries

INDENT = 4

Choice = Literal["next", "stop", "all", "help", "whole", "other"]

ANSWER_KEYS: dict[str, Choice] = {
    ";": "next", " ": "next", "\t": "next",
    "\r": "stop", "\n": "stop", ".": "stop", "y": "stop", "q": "stop", "\x04": "stop", "\x1b": "stop",
    "a": "all", "h": "help", "?": "help", "w": "whole",
}  # fmt: skip

ANSWER_HINT = "; next   Enter stop   a all   h help"
PERIOD_HINT = "a query ends with a period"
WHOLE_HINT = "(folded: Alt-W shows it whole)\n"
ANSWER_HELP = """\
  ;  space  Tab   the next answer
  Enter  .        stop here
  a               all further answers
  w               the answer whole, if it was folded
  h               this help
"""


def submits(text: str) -> bool:
    """Does Enter submit this text? If it is empty or its last query is finished."""
    return not text.strip() or queries.is_complete(text + "\n")


def indentation(text: str) -> str:
    """The blanks for a new line after this text: one step, and one more for each open bracket."""
    found = queries.scan(text)
    if found.open_quote:
        return ""  # they would become part of the atom
    return " " * (INDENT * max(1, found.depth)) if not found.blank else ""


def lacks_period(text: str) -> bool:
    """Was Enter pressed where nothing but the final period is missing?"""
    line, newline, rest = text.partition("\n")
    if not newline or rest.strip():
        return False
    found = queries.scan(line)
    unfinished = found.depth or found.open_quote or found.open_comment or found.expects_more
    return not (found.blank or unfinished)


def typing_keys(show_whole: Callable[[], None]) -> KeyBindings:
    """The key bindings of the prompt; `show_whole` shows the last answer whole if it was folded."""
    keys = KeyBindings()

    @keys.add("enter", filter=~is_searching & ~completion_is_selected)
    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if submits(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n" + indentation(buffer.document.text_before_cursor))

    @keys.add("enter", filter=has_completions & completion_is_selected)
    def take(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    @keys.add("escape", "enter")
    def submit_anyway(event: KeyPressEvent) -> None:
        """Alt-Enter: submit as it is; a missing period is added."""
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "w", filter=Condition(lambda: not get_app().current_buffer.text))
    def whole(event: KeyPressEvent) -> None:
        run_in_terminal(show_whole)

    @keys.add(Keys.BracketedPaste)
    def paste(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(pasted(event.data))

    return keys


def pasted(text: str) -> str:
    """Pasted text goes in as it is, whatever its line ends. Control characters are dropped; what is no
    text at all (bytes that are not UTF-8) shows as a replacement character."""
    text = re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", re.sub("\r\n?", "\n", text))
    return "".join(c for c in text if c in "\n\t" or c.isprintable())


def read_key() -> str:
    """One key from the terminal, without Enter. An escape sequence counts as its first character."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return (sys.stdin.readline() or "\n")[0]
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        first = os.read(fd, 64)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
    return first.decode("utf-8", "replace")[:1]


def answer_choice() -> Choice:
    """What the user wants after an answer."""
    return ANSWER_KEYS.get(read_key(), "other")
