"""Highlighting while a query is typed: line by line, so that a key costs the same in a long query."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.styles.pygments import pygments_token_to_classname

from prism_repl.toplevel.lexer import PrismLexer
from prism_repl.toplevel.queries import TOKEN

# What a line may start inside of: the lexer's states, and how they end.
ROOT = "root"
QUOTES = {"'": "quoted_atom", '"': "string", "`": "back_quoted"}
ENDS = {"comment": re.compile(r"\*/")} | {
    state: re.compile(rf"(?:[^{quote}\\]|\\.|{quote}{quote})*{quote}(?!{quote})")
    for quote, state in QUOTES.items()
}

LEXER = PrismLexer(ensurenl=False, stripnl=False)


def state_after(line: str, state: str) -> str:
    """The state at the end of a line that starts in a state."""
    at = 0
    if state != ROOT:
        end = ENDS[state].search(line) if state == "comment" else ENDS[state].match(line)
        if not end:
            return state
        at = end.end()
    for match in TOKEN.finditer(line, at):
        if match.lastgroup == "open_comment":
            return "comment"
        if match.lastgroup == "open_quote":
            return QUOTES[match.group()[0]]
    return ROOT


@lru_cache(maxsize=4096)
def line_tokens(line: str, state: str) -> tuple[StyleAndTextTuples, str]:
    """The coloured pieces of a line, and the state after it."""
    stack = (ROOT,) if state == ROOT else (ROOT, state)
    pieces: StyleAndTextTuples = [
        ("class:" + pygments_token_to_classname(kind), text)
        for _, kind, text in LEXER.get_tokens_unprocessed(line, stack)
    ]
    return pieces, state_after(line, state)


class QueryLexer(Lexer):
    """PRISM at the prompt."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        lines = document.lines
        states = [ROOT]  # at the start of each line, as far as it is known

        def get_line(number: int) -> StyleAndTextTuples:
            if number >= len(lines):
                return []
            while len(states) <= number:
                states.append(line_tokens(lines[len(states) - 1], states[-1])[1])
            return line_tokens(lines[number], states[number])[0]

        return get_line
