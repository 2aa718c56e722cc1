"""The terminal as the prompt uses it: coloured answers, folded terms, a stop after each screenful."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from typing import TextIO

from pygments.formatters.terminal256 import Terminal256Formatter

from prism_repl.answers import Answer, answer_text
from prism_repl.prolog.queries import TOKEN
from prism_repl.repl.lexer import PrismOutputLexer
from prism_repl.repl.style import STYLES

# Colouring takes time in proportion to the text; beyond this it is printed plain.
COLOURED = 20_000
ELLIPSIS = " ... "
MORE = "--More-- (space, Enter, a all, q skip)"


class Screen:
    """Writes to a terminal. `skipping` says that the user does not want to see the rest of an output."""

    def __init__(
        self, file: TextIO, *, color: bool, style: str, pager: bool, read_key: Callable[[], str]
    ) -> None:
        self.file = file
        self.color = color
        self.pager = pager
        self.read_key = read_key
        self.lexer = PrismOutputLexer(ensurenl=False, stripnl=False)
        self.formatter = Terminal256Formatter(style=STYLES[style])
        self.at_margin = True
        self.rows = 0
        self.column = 0
        self.skipping = False
        # Can the cursor be moved, and what was written be taken away again?
        self.dumb = os.environ.get("TERM", "dumb") == "dumb"

    def start(self) -> None:
        """A new query: its output starts on a new page."""
        self.rows = self.column = 0
        self.skipping = False
        self.at_margin = True

    def write(self, text: str) -> None:
        """Write output; whole lines that start at the margin are coloured."""
        if self.skipping or not text:
            return
        while text:
            # Only what comes after a full page needs a stop.
            if self.pager and self.rows >= self.page_rows():
                self.more()
                if self.skipping:
                    break
            room = max(1, self.page_rows() - self.rows) if self.pager else sys.maxsize
            size, rows, self.column = take_rows(text, self.column, self.columns(), room)
            self.put(text[:size])
            text = text[size:]
            self.rows += rows
        self.file.flush()

    def write_dim(self, text: str) -> None:
        """A line of the prompt's own, such as a hint."""
        if not self.skipping:
            self.file.write(self.dim(text))
            self.file.flush()

    def put(self, text: str) -> None:
        if text.startswith("\n") and not self.at_margin:
            self.file.write("\n")
            self.at_margin = True
            text = text[1:]
        if self.color and self.at_margin and len(text) <= COLOURED:
            self.file.write(self.painted(text))
        else:
            self.file.write(text)
        if text:
            self.at_margin = text.endswith("\n")

    def painted(self, text: str) -> str:
        from pygments import format as render

        return str(render(self.lexer.get_tokens(text), self.formatter))

    def more(self) -> None:
        """Stop at the end of a page."""
        self.file.write(("" if self.at_margin else "\n") + self.dim(MORE))
        self.file.flush()
        try:
            key = self.read_key()
        except KeyboardInterrupt:
            self.rows = 0  # what is said about the interrupt needs no stop
            self.at_margin = True
            raise
        finally:
            self.file.write("\n" if self.dumb else "\r\x1b[K")
            self.file.flush()
        if key in ("q", "\x1b"):
            self.skipping = True
            self.file.write(self.dim("(skipped)") + "\n")
            self.rows = 0  # the answer that follows needs no stop
            self.at_margin = True
        elif key == "a":
            self.rows = -(10**9)
        elif key in ("\r", "\n"):
            self.rows -= 1
        else:
            self.rows = 0

    def show_progress(self, text: str) -> None:
        """Show a text in the line below the output until the next one; "" takes it away."""
        if not self.skipping and not self.dumb:
            self.file.write("\r\x1b[K" + self.dim(text[: self.columns() - 1]) if text else "\r\x1b[K")
            self.file.flush()

    def hint(self, text: str, column: int) -> None:
        """Show a hint from a column on, if there is room in the row; the cursor stays where it is."""
        if not self.dumb and column + len(text) < self.columns():
            self.file.write(f"\x1b7{self.dim(text)}\x1b8")
            self.file.flush()

    def end_hint(self) -> None:
        if not self.dumb:
            self.file.write("\x1b[J")
            self.file.flush()

    def dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.color else text

    def columns(self) -> int:
        return max(1, shutil.get_terminal_size().columns)

    def page_rows(self) -> int:
        return max(3, shutil.get_terminal_size().lines - 1)


def take_rows(text: str, column: int, columns: int, room: int) -> tuple[int, int, int]:
    """How much of a text, written from a column on, fits into `room` rows of the terminal.

    The result is its length, the rows that it completes, and the column after it.
    """
    at = rows = 0
    while at < len(text):
        end = text.find("\n", at)
        stop = end if end >= 0 else len(text)
        full, after = divmod(column + stop - at, columns)
        if rows + full > room:
            return at + (room - rows) * columns - column, room, 0
        # A newline after a row that is just full does not add an empty one.
        rows += full + (1 if end >= 0 and (after or not full) else 0)
        column = 0 if end >= 0 else after
        at = stop + 1 if end >= 0 else stop
        if rows >= room:
            break
    return at, rows, column


def fold(text: str, limit: int) -> str:
    """A long term with its middle left out; 0 is no limit."""
    if not limit or len(text) <= limit:
        return text
    tail = min(80, limit // 4)
    return text[: limit - tail] + ELLIPSIS + text[len(text) - tail :]


def folded_text(answer: Answer, limit: int, columns: int = 0) -> tuple[str, bool]:
    """An answer as text with its terms folded, and whether any was; lines that are longer than `columns` are
    broken at commas."""
    short = tuple((name, fold(text, limit)) for name, text in answer.bindings)
    folded = short != answer.bindings
    broken = tuple((name, broken_text(text, columns, len(name) + 3)) for name, text in short)
    if broken == answer.bindings:
        return answer_text(answer), False
    return answer_text(Answer(answer.status, broken, answer.pending, answer.residual, answer.message)), folded


INDENT = 4  # of the lines after the first
END = 2  # room for ` ?` after the last
LONGEST = 200_000  # characters; a longer text is left to the terminal


def broken_text(text: str, columns: int, column: int) -> str:
    """A term that starts at a column, with new lines after commas, so that no word or number is broken."""
    if not columns or column + len(text) + END <= columns or len(text) > LONGEST:
        return text
    lines: list[str] = []
    start = last = 0  # of the line, and after its last comma
    for match in TOKEN.finditer(text):
        room = columns - (INDENT if lines else column) - END
        if match.end() - start > room and last > start:
            lines.append(text[start:last].rstrip())
            start = last
        if match.group() in (",", "|"):
            last = match.end()
    lines.append(text[start:])
    return ("\n" + " " * INDENT).join(lines)
