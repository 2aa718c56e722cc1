"""Whether the terminal's background is dark or light, asked of the terminal itself."""

from __future__ import annotations

import os
import re
import select
import sys
import time

# OSC 11 asks for the colour of the background. A terminal that does not know it says nothing; so a question
# that all terminals answer (what are you?) follows, and its answer ends the waiting.
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
COLOR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[^\x07\x1b]*(?:\x07|\x1b\\)")
ATTRIBUTES = re.compile(rb"\x1b\[\?[\d;]*c")
PATIENCE = 1.0  # seconds


def background() -> str:
    """`dark`, `light`, or `neutral` if it cannot be found out."""
    by_variable = from_variable(os.environ.get("COLORFGBG", ""))
    if by_variable:
        return by_variable
    term = os.environ.get("TERM", "dumb")
    if term == "linux":
        return "dark"
    if term == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return "neutral"
    reply, typed = ask(QUESTION)
    if typed:
        keep(typed)
    return from_reply(reply)


def from_variable(value: str) -> str | None:
    """COLORFGBG is `15;0`, the numbers of foreground and background, perhaps with something between."""
    last = value.rpartition(";")[2]
    if not last.isdecimal():
        return None
    return "dark" if int(last) in (0, 1, 2, 3, 4, 5, 6, 8) else "light"


def from_reply(reply: bytes) -> str:
    found = COLOR.search(reply)
    if not found:
        return "neutral"
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "dark"


def ask(question: bytes) -> tuple[bytes, bytes]:
    """The terminal's replies, and what the user has typed meanwhile."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return b"", b""
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    read = b""
    until = time.monotonic() + PATIENCE
    try:
        tty.setcbreak(fd)
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), question)
        while not ATTRIBUTES.search(read):
            left = until - time.monotonic()
            if left <= 0 or not select.select([fd], [], [], left)[0]:
                break
            part = os.read(fd, 1024)
            if not part:
                break
            read += part
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
    return read, ATTRIBUTES.sub(b"", COLOR.sub(b"", read))


def keep(typed: bytes) -> None:
    """What was typed before the first prompt belongs to it."""
    from prompt_toolkit.input import create_input
    from prompt_toolkit.input.typeahead import store_typeahead
    from prompt_toolkit.input.vt100_parser import Vt100Parser
    from prompt_toolkit.key_binding.key_processor import KeyPress

    keys: list[KeyPress] = []
    parser = Vt100Parser(keys.append)
    parser.feed_and_flush(typed.decode("utf-8", "replace").replace("\n", "\r"))
    store_typeahead(create_input(), keys)
