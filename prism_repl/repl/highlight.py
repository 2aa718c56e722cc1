"""Highlighting while a query is typed: line by line, so that a key costs the same in a long query."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from prompt_toolkit.application import get_app
from prompt_toolkit.document import Document
from prompt_toolkit.filters import has_selection, is_searching, vi_insert_multiple_mode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput, merge_processors
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.styles.pygments import pygments_token_to_classname

from prism_repl.prolog.queries import TOKEN
from prism_repl.repl.lexer import PrismLexer

# What a line may start inside of: the lexer's states, and how they end.
ROOT = "root"
QUOTES = {"'": "quoted_atom", '"': "string", "`": "back_quoted"}
ENDS = {"comment": re.compile(r"\*/")} | {
    state: re.compile(rf"(?:[^{quote}\\]|\\.|{quote}{quote})*{quote}(?!{quote})")
    for quote, state in QUOTES.items()
}
PAIRS = {"(": ")", "[": "]", "{": "}"}

LEXER = PrismLexer(ensurenl=False, stripnl=False)

Position = tuple[int, int]  # line and column, from 0


class Line(NamedTuple):
    """What is known about a line: its coloured pieces, the brackets in it (outside quotes and comments)
    with their columns, and the state at its end."""

    pieces: StyleAndTextTuples
    brackets: tuple[tuple[int, str], ...]
    after: str


@lru_cache(maxsize=4096)
def line_of(text: str, state: str) -> Line:
    """A line that starts in a state."""
    stack = (ROOT,) if state == ROOT else (ROOT, state)
    pieces: StyleAndTextTuples = [
        ("class:" + pygments_token_to_classname(kind), part)
        for _, kind, part in LEXER.get_tokens_unprocessed(text, stack)
    ]
    at = 0
    if state != ROOT:
        end = ENDS[state].search(text) if state == "comment" else ENDS[state].match(text)
        if not end:
            return Line(pieces, (), state)
        at = end.end()
    brackets = []
    after = ROOT
    for match in TOKEN.finditer(text, at):
        if match.lastgroup == "open_comment":
            after = "comment"
        elif match.lastgroup == "open_quote":
            after = QUOTES[match.group()[0]]
        elif match.lastgroup in ("open", "close"):
            brackets.append((match.start(), match.group()))
    return Line(pieces, tuple(brackets), after)


def lines_of(texts: list[str]) -> list[Line]:
    """All lines of a query."""
    lines: list[Line] = []
    state = ROOT
    for text in texts:
        lines.append(line_of(text, state))
        state = lines[-1].after
    return lines


def matching_brackets(lines: list[Line], cursor: Position) -> tuple[Position, Position] | None:
    """The bracket at the cursor, or the closing one before it, and the one that belongs to it."""
    row, column = cursor
    here = dict(lines[row].brackets)
    if column not in here:
        column -= 1
        if here.get(column, "(") in PAIRS:
            return None
    forward = here[column] in PAIRS
    open_brackets: list[str] = []
    rows = range(row, len(lines)) if forward else range(row, -1, -1)
    for i in rows:
        for at, bracket in lines[i].brackets if forward else reversed(lines[i].brackets):
            if i == row and (at < column if forward else at > column):
                continue
            if (bracket in PAIRS) == forward:
                open_brackets.append(bracket)
                continue
            other = open_brackets.pop()
            if PAIRS[other if forward else bracket] != (bracket if forward else other):
                return None
            if not open_brackets:
                return (row, column), (i, at)
    return None


class QueryLexer(Lexer):
    """PRISM at the prompt."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        lines = lines_of(document.lines)
        return lambda number: lines[number].pieces if number < len(lines) else []


class MatchingBrackets(Processor):
    """Marks the bracket at the cursor and the one that belongs to it."""

    def __init__(self) -> None:
        self.document: Document | None = None
        self.found: tuple[Position, ...] = ()

    def positions(self, document: Document) -> tuple[Position, ...]:
        if document != self.document:
            cursor = document.cursor_position_row, document.cursor_position_col
            self.document = document
            self.found = matching_brackets(lines_of(document.lines), cursor) or ()
        return self.found

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        source = transformation_input
        fragments = source.fragments
        if not get_app().is_done:
            for row, column in self.positions(source.document):
                if row == source.lineno:
                    column = source.source_to_display(column)
                    fragments = explode_text_fragments(fragments)
                    style, text, *_ = fragments[column]
                    fragments[column] = (f"{style} class:matching-bracket", text)
        return Transformation(fragments)


class WhereNeeded(Processor):
    """Processors for the lines that they can change: the cursor's line, the last one (suggestions), those
    with a bracket to mark; all lines while something is searched for or selected. A key in a long query is a
    third cheaper with it."""

    EVERYWHERE = is_searching | has_selection | vi_insert_multiple_mode

    def __init__(self, processors: list[Processor], brackets: MatchingBrackets) -> None:
        self.processors = merge_processors(processors)
        self.brackets = brackets

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        source = transformation_input
        document = source.document
        if (
            source.lineno in (document.cursor_position_row, document.line_count - 1)
            or any(row == source.lineno for row, _ in self.brackets.positions(document))
            or self.EVERYWHERE()
        ):
            return self.processors.apply_transformation(source)
        return Transformation(source.fragments)
