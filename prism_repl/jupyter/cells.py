"""What stands in a cell: a program, or queries and commands one after the other."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from prism_repl.prolog.queries import TOKEN

# The commands with what follows them, and what they do. A command stands at the beginning of a line; any
# other text after % is a comment, as in Prolog.
COMMANDS = {
    "load": ("FILE", "load a program: .psm by prism/1, others by consult/1"),
    "sw": ("[PATTERN]", "the switches that match, as a pandas DataFrame"),
    "next": ("[N]", "the next answers of the last query"),
    "all": ("", "all further answers of the last query"),
    "help": ("[NAME]", "help on a predicate or a flag; without a name, this list"),
}
PROGRAM = re.compile(r"\s*%%program\b[ \t]*(.*)")
COMMAND = re.compile(r"%(\w+)[ \t]*(.*)")


@dataclass(frozen=True)
class Program:
    """The text of a program. Its lines are those of the cell: the first, which says %%program, is empty."""

    name: str
    text: str


@dataclass(frozen=True)
class Query:
    """A query, and line and column (from 1) of the cell where it begins."""

    text: str
    line: int
    column: int


@dataclass(frozen=True)
class Command:
    """%name argument"""

    name: str
    argument: str
    line: int


@dataclass(frozen=True)
class Doubt:
    """A comment that may be meant as a command."""

    text: str
    meant: str


Part = Program | Query | Command | Doubt


def parts_of(cell: str) -> list[Part]:
    """The parts of a cell."""
    if head := PROGRAM.match(cell):
        before = cell[: head.end()].count("\n")
        return [Program(head[1].strip(), "\n" * before + cell[head.end() :])]
    parts: list[Part] = []
    start: int | None = None  # of the query that is being read
    for token in TOKEN.finditer(cell):
        at, kind = token.start(), token.lastgroup
        if kind == "layout":
            if start is None and (part := command_at(cell, at, token.group())):
                parts.append(part)
            continue
        if start is None:
            start = at
        if kind == "end":
            parts.append(query_at(cell, start, token.end()))
            start = None
    if start is not None:
        parts.append(query_at(cell, start, len(cell)))
    return parts


def command_at(cell: str, at: int, text: str) -> Command | Doubt | None:
    """The command that a comment is, or may be meant to be."""
    if not (at == 0 or cell[at - 1] == "\n"):
        return None
    found = COMMAND.match(text)
    if not found:
        return None
    name, argument = found[1], found[2].strip()
    if name in COMMANDS:
        return Command(name, argument, cell.count("\n", 0, at) + 1)
    near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.7)
    return Doubt(f"%{name}", f"%{near[0]}") if near else None


def query_at(cell: str, start: int, end: int) -> Query:
    line_start = cell.rfind("\n", 0, start) + 1
    return Query(cell[start:end].rstrip(), cell.count("\n", 0, start) + 1, start - line_start + 1)


def place_in_cell(query: Query, place: tuple[int, int]) -> tuple[int, int]:
    """Line and column of the cell from those of the query."""
    line, column = place
    return query.line + line - 1, column + query.column - 1 if line == 1 else column


def commands_text() -> str:
    """What %help says."""
    rows = [("%%program NAME", "first line of a cell: the rest is a program")]
    rows += [(f"%{name} {argument}".strip(), text) for name, (argument, text) in COMMANDS.items()]
    lines = [f"{name:16} {text}" for name, text in rows]
    return "\n".join(["A cell is a program, or queries that end with a period.", *lines]) + (
        "\nhelp. lists predicates and flags; Shift-Tab shows the help of what the cursor is at.\n"
    )
