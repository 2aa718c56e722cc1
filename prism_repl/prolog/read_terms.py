"""What reading gives: a term with its place in the text, or an error with the place where it stopped."""

from typing import Any

from prism_repl.core.cells import GLS, LST
from prism_repl.core.errors import PrologError

HERE = "<<HERE>>"
# How much of a clause an error message shows at most, on each side of the error.
SHOWN = 2000
TYPED = ("user_input", "user", "text")  # names of what is no file


class ReadTerm:
    """A term that was read, with its variables and its place in the text.

    `variables` are (name, cell) in order of first occurrence, without `_`; `occurrences` counts each.
    Lines and columns begin at 1; `start` and `end` are offsets in `source`, `end` is just after the period.
    `positions` (if asked for) gives the (start, end) offsets of subterms by the heap index of the slot
    that holds them, see `position`.
    """

    def __init__(
        self,
        cell: int,
        variables: list[tuple[str, int]],
        occurrences: list[int],
        source: str,
        start: int,
        end: int,
        positions: Any,
    ) -> None:
        self.cell = cell
        self.variables = variables
        self.occurrences = occurrences
        self.source = source
        self.start = start
        self.end = end
        self.positions = positions
        self.start_line = self.start_column = self.end_line = self.end_column = 0

    @property
    def text(self) -> str:
        """The source text, from the first character of the term to the period."""
        return self.source[self.start : self.end]

    @property
    def singletons(self) -> list[str]:
        """Names that a warning should list: they occur once and do not begin with `_`."""
        return [
            name
            for (name, _), n in zip(self.variables, self.occurrences, strict=True)
            if n == 1 and not name.startswith("_")
        ]

    @property
    def singleton_variables(self) -> list[tuple[str, int]]:
        """(name, cell) of all named variables that occur once (the `singletons` option of read_term)."""
        return [v for v, n in zip(self.variables, self.occurrences, strict=True) if n == 1]

    def position(self, parent: int, i: int) -> tuple[int, int] | None:
        """(start, end) offsets of argument i, from 0, of a compound subterm; None if it is not known."""
        slot = (parent >> 3) + (0 if parent & 7 in (LST, GLS) else 1)
        return self.positions.get(slot + i)


class ReadError(PrologError):
    """A syntax error: error(syntax_error(read), _) with the place where the reader could not go on."""

    def __init__(
        self,
        message: str,
        name: str,
        text: str,
        offset: int,
        line: int,
        column: int,
        first_line: int,
        last_line: int,
    ) -> None:
        super().__init__("syntax_error", "read")
        self.message = message
        self.name = name
        self.text = text
        self.offset = offset
        self.line = line
        self.column = column
        self.first_line = first_line
        self.last_line = last_line

    @property
    def here(self) -> str:
        """The text of the clause with <<HERE>> at the place of the error."""
        before = self.text[: self.offset]
        after = self.text[self.offset :]
        if len(before) > SHOWN:
            before = "..." + before[len(before) - SHOWN :]
        if len(after) > SHOWN:
            after = after[:SHOWN] + "..."
        return visible(before) + HERE + visible(after)

    @property
    def report(self) -> str:
        """The message that PRISM prints, with the two blank lines after it. What is wrong stands below the
        place, as a comment: a replay does not look at it. In a file it says line and column."""
        lines = f"{self.first_line}-{self.last_line}"
        place = "" if self.name in TYPED else f"{self.name}:{self.line}:{self.column}: "
        return f"** Syntax error ({self.name}, {lines})\n{self.here}\n% {place}{self.message}\n\n\n"

    def __str__(self) -> str:
        return f"{self.name}:{self.line}:{self.column}: {self.message}\n{self.here}"


def visible(text: str) -> str:
    """The text with control characters written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):x}\\" for c in text)
