"""Transcripts: what a terminal shows of a session, as a file that can be replayed.

    % a comment
    ?- member(X,[a,b]).
    X = a ?;
    X = b
    yes

A query starts at `?- ` (or `| ?- `) at the beginning of a line, may go on over several lines, and its final
period may be missing. Its output goes up to the next query; comments after it belong to the next query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from prism_repl.prolog import queries

PROMPT = re.compile(r"^(?:\| )?\?-(?: |$)")
CONTINUATION = re.compile(r"^(?:\|    |\|\s?)")
# How a query ends that the user stopped: PRISM echoes ^C, learning and our own top level say so.
INTERRUPTED = re.compile(r"\^C\s*$|^\*\*\* interrupted|prism_runtime_error\(ctrl_c_pressed\)", re.MULTILINE)
# Output that a query which is not finished has: PRISM reads a query from one line.
NOT_READ = "** Syntax error (user_input,"
FINISHED = re.compile(r"^(?:yes|no|\*\*\* .*|\*\*\*  Undefined procedure: .*)$")


class TranscriptError(Exception):
    """A transcript that cannot be parsed; `line` is where, from 1, or 0 for the whole file."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path = path
        self.line = line


@dataclass
class Entry:
    """One query of a transcript, with what was printed."""

    query: str
    output: str = ""
    line: int = 1  # of the query, from 1
    first: int = 0  # the output is lines[first:last] of the file
    last: int = 0
    comments: list[str] = field(default_factory=list)

    @property
    def alternatives(self) -> int:
        """How often the user asked for another answer."""
        return sum(line.rstrip().endswith(" ?;") for line in self.output.split("\n"))

    @property
    def interrupted(self) -> bool:
        """Was the query stopped by the user? Then it may run forever."""
        return bool(INTERRUPTED.search(self.output))


def parse(text: str, path: str = "transcript") -> list[Entry]:
    """The queries of a transcript with their outputs."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    entries: list[Entry] = []
    comments: list[str] = []
    i = 0
    while i < len(lines):
        line = lines[i]
        if starts_query(lines, i):
            query, first = parse_query(lines, i, path)
            following = first
            while following < len(lines) and not starts_query(lines, following):
                following += 1
            first, last = output_range(lines, first, following)
            entries.append(Entry(query, "\n".join(lines[first:last]), i + 1, first, last, comments))
            comments = [line for line in lines[last:following] if line.startswith("%")]
            i = following
            continue
        if line.startswith("%"):
            comments.append(line)
        elif line.strip():
            raise TranscriptError(
                path, i + 1, f"a query (?- ...) or a comment (%) was expected, not: {line[:60]}"
            )
        i += 1
    return entries


def output_range(lines: list[str], first: int, last: int) -> tuple[int, int]:
    """The lines of an output without the empty lines around it, and without comments after it."""
    while last > first and (not lines[last - 1].strip() or lines[last - 1].startswith("%")):
        last -= 1
    while first < last and not lines[first].strip():
        first += 1
    return first, last


def starts_query(lines: list[str], i: int) -> bool:
    """Output may contain `?-` too: a query follows an empty line, a comment, or a finished answer."""
    if not PROMPT.match(lines[i]):
        return False
    return (
        i == 0
        or lines[i].startswith("|")
        or not lines[i - 1].strip()
        or lines[i - 1].startswith("%")
        or bool(FINISHED.match(lines[i - 1]))
    )


def parse_query(lines: list[str], start: int, path: str) -> tuple[str, int]:
    """The query that starts at a line, and the line after it."""
    text = PROMPT.sub("", lines[start], count=1)
    i = start + 1
    while True:
        found = queries.scan(text + "\n")
        if found.ends and found.blank:
            return text.strip(), i
        unfinished = (
            found.depth or found.open_quote or found.open_comment or found.expects_more or not text.strip()
        )
        if i < len(lines) and lines[i].startswith(NOT_READ):
            return text.strip(), i
        if not unfinished and not goes_on(text, lines, i):
            return text.strip(), i  # the final period was left out
        if i >= len(lines) or starts_query(lines, i) or not (lines[i].strip() or found.open_quote):
            raise TranscriptError(path, start + 1, f"the query does not end: {text.strip()[:60]}")
        text += "\n" + CONTINUATION.sub("", lines[i], count=1)
        i += 1


def goes_on(text: str, lines: list[str], i: int) -> bool:
    """Is the next line part of the query? Then it is indented or has a bar, and leads to a period."""
    block = []
    for line in lines[i:]:
        if not line.strip() or not (line[0] in " \t" or CONTINUATION.match(line)):
            break
        block.append(CONTINUATION.sub("", line, count=1))
        if queries.is_complete("\n".join([text, *block])):
            return True
    return False


def read(path: Path) -> tuple[str, list[Entry]]:
    """Text and queries of a transcript file. Bytes that are not UTF-8 are kept as they are."""
    try:
        text = path.read_bytes().decode("utf-8", errors="surrogateescape")
    except OSError as error:
        raise TranscriptError(str(path), 0, error.strerror or str(error)) from None
    return text, parse(text, str(path))


def record_text(query: str, output: str) -> str:
    """A query and its output as recorded: blank lines around the output are trimmed."""
    return f"{query_text(query)}\n{trim(output)}\n"


def query_text(query: str) -> str:
    """A query as it is shown, with its prompts."""
    return "?- " + query.strip().replace("\n", "\n|    ")


def trim(output: str) -> str:
    lines = output.replace("\r\n", "\n").split("\n")
    lines = [line for line in lines if not line.startswith(("loading::", "consulting::", "compiled in "))]
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "\n".join(lines)


def updated(text: str, changes: Iterable[tuple[Entry, str]]) -> str:
    """The transcript with the outputs of some entries replaced."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for entry, output in sorted(changes, key=lambda change: -change[0].line):
        shown = trim(output)
        lines[entry.first : entry.last] = shown.split("\n") if shown else []
    return newline.join(lines)
