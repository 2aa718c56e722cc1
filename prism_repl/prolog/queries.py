"""Where a query ends: the little of Prolog's tokens that is needed before the reader sees the text.

The prompt (does Enter submit?), a pipe (how many lines belong to the query?) and transcripts ask here.
"""

from __future__ import annotations

import functools
import re
from collections import deque
from dataclasses import dataclass

# Order matters: layout and comments, the end, then tokens in which a period may hide.
TOKEN = re.compile(
    r"""
      (?P<layout>\s+|%[^\n]*|/\*(?s:.*?)\*/)
    | (?P<open_comment>/\*(?s:.*)\Z)
    | (?P<code>0'(?:\\x[0-9a-fA-F]+\\?|\\[0-7]+\\?|\\(?s:.)|''|[^'\\]|'))
    | (?P<number>\d+(?:_\d+)*(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+(?![A-Za-z_])|'[0-9A-Za-z]+)?)
    | (?P<broken_quote>  # not closed on its line, whose last character is a period: there the query ends
        (?:
          '(?:[^'\\\n]++|\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\(?s:.)|'')*+
        | "(?:[^"\\\n]++|\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\(?s:.)|"")*+
        | `(?:[^`\\\n]++|\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\(?s:.)|``)*+
        )\n(?:(?<=\.\n)|(?<=\.[ \t\r]\n))
      )
    | (?P<quoted>
        '(?:[^'\\]++|\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\(?s:.)|'')*+'
      | "(?:[^"\\]++|\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\(?s:.)|"")*+"
      | `(?:[^`\\]++|\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\(?s:.)|``)*+`
      )
    | (?P<open_quote>['"`](?s:.)*\Z)
    | (?P<name>[^\W\d_]\w*|_\w*)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<end>\.(?=\s|%|\Z))
    | (?P<symbol>[-+*/\\^<>=~:.?@\#&$]+)
    | (?P<solo>(?s:.))
    """,
    re.VERBOSE,
)

# What stands before a query on a terminal; a query that was copied from one may have it.
PROMPT = re.compile(r"(?:\| )?\?- ?")

# After one of these a term goes on: an argument is still missing.
INFIX_WORDS = {"is", "mod", "rem", "xor", "in", "div", "times", "rdiv"}


@dataclass(frozen=True)
class Scan:
    """What scanning some text found."""

    ends: tuple[int, ...]  # offsets just after each end token
    rest: int  # offset after the last end: what follows is unfinished (or layout)
    depth: int  # brackets open in the rest
    open_quote: bool  # the rest ends inside quotes
    open_comment: bool
    expects_more: bool  # the last token of the rest is an infix operator or a comma
    blank: bool  # the rest is layout only


@functools.lru_cache(maxsize=4)
def scan(text: str) -> Scan:
    """Look through the tokens of `text`."""
    ends: list[int] = []
    depth = 0
    rest = 0
    open_quote = open_comment = expects_more = False
    blank = True
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        token = match.group()
        if kind == "layout":
            continue
        if kind in ("end", "broken_quote"):
            ends.append(match.end())
            rest = match.end()
            depth = 0
            expects_more, blank = False, True
            continue
        blank = False
        open_quote = kind == "open_quote"
        open_comment = kind == "open_comment"
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        expects_more = kind == "symbol" or (kind == "solo" and token in ",;|") or token in INFIX_WORDS
    return Scan(tuple(ends), rest, depth, open_quote, open_comment, expects_more, blank)


def is_complete(text: str) -> bool:
    """Does the text end with a finished query?"""
    found = scan(text)
    return bool(found.ends) and found.blank


def split(text: str) -> tuple[list[str], str]:
    """The finished queries of a text, and the unfinished rest ('' if only layout is left)."""
    found = scan(text)
    queries = []
    start = 0
    for end in found.ends:
        queries.append(text[start_of(text, start) : end].rstrip())
        start = end
    rest = text[found.rest :]
    return queries, "" if found.blank else rest


def start_of(text: str, at: int = 0) -> int:
    """The offset of the first token at or after `at`: layout and comments are skipped."""
    while (match := TOKEN.match(text, at)) and match.lastgroup == "layout":
        at = match.end()
    return at


def without_prompt(text: str) -> str:
    """A query without the `?- ` that was copied with it."""
    text = text.lstrip()
    match = PROMPT.match(text)
    return text[match.end() :] if match else text


def with_period(text: str) -> str:
    """The query with its final period, which may have been left out."""
    text = text.strip()
    found = scan(text)
    if found.ends and found.blank:
        return text
    if start_of(text) >= len(text) or found.open_quote or found.open_comment:
        return text
    last = deque(TOKEN.finditer(text), maxlen=1)[0]
    if last.group().startswith("%"):
        return text + "\n."
    # After a symbol the period would become part of it.
    return text + (" ." if last.lastgroup == "symbol" else ".")
