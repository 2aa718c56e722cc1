"""Completion: a pure function says what kind of thing is expected at the cursor, another what there is."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from prism_repl.toplevel.queries import TOKEN

Kind = Literal["predicate", "flag", "flag_value", "switch", "file", "variable", "topic", "nothing"]

FLAG_FIRST = {"set_prism_flag", "get_prism_flag", "current_prism_flag"}
# The first argument of these is a switch, or a file.
SWITCH_FIRST = re.compile(r"(?:soft_|b_)?msw|(?:set|get|show|fix|unfix)_sw(?:_\w+)?|get_values[01]?")
FILE_TAKERS = re.compile(
    r"prismn?|consult|compile|cl|load|include|ensure_loaded|edit|log|see|tell|open"
    r"|(?:load|save)_(?:clauses|csv)|(?:save|restore)_sw(?:_\w+)?"
)
HELP_TAKERS = {"help", "apropos"}


@dataclass(frozen=True)
class Expected:
    """What can stand at the cursor, and what is typed of it already; `flag`: whose value is meant."""

    kind: Kind
    prefix: str = ""
    flag: str = ""
    quoted: bool = False  # the prefix is inside an open quote


@dataclass
class Open:
    """An open bracket: the functor before it ('' if none) and how many arguments are complete."""

    functor: str
    index: int = 0
    first: str = ""


def expected_at(text: str, cursor: int) -> Expected:
    """What kind of thing is expected at the cursor."""
    stack = [Open("")]
    before = ""  # the last token, if it touches the next one
    word = quote = token = ""
    kind: str | None = None
    for match in TOKEN.finditer(text[:cursor]):
        kind, token = match.lastgroup, match.group()
        word = token if kind == "name" else ""
        if kind in ("open_quote", "open_comment"):
            quote = token
            break
        if kind == "open":
            stack.append(Open(before if token == "(" else ""))
        elif kind == "close" and len(stack) > 1:
            stack.pop()
        elif kind == "solo" and token == ",":
            stack[-1].index += 1
        elif kind == "end":
            stack = [Open("")]
        elif stack[-1].index == 0 and kind in ("name", "quoted"):
            stack[-1].first = token
        before = token if kind == "name" else ""
    top = stack[-1]
    if kind == "open_comment" or (kind == "layout" and token.startswith("%")):
        return Expected("nothing")
    takes_file = (FILE_TAKERS.fullmatch(top.functor) and top.index <= 1) or (
        top.functor == "" and is_file_list(text, stack)
    )
    if quote:
        return (
            Expected("file", quote[1:], quoted=True)
            if takes_file and quote[0] == "'"
            else Expected("nothing")
        )
    if word[:1].isupper() or word.startswith("_"):
        return Expected("variable", word)
    if kind in ("number", "code", "quoted", "close", "end"):
        return Expected("nothing")
    if top.functor in FLAG_FIRST:
        return Expected("flag", word) if top.index == 0 else Expected("flag_value", word, flag=top.first)
    if SWITCH_FIRST.fullmatch(top.functor) and top.index == 0:
        return Expected("switch", word)
    if takes_file:
        return Expected("file", word)
    if top.functor in HELP_TAKERS:
        return Expected("topic", word)
    return Expected("predicate", word)


def is_file_list(text: str, stack: list[Open]) -> bool:
    """[file]. at the prompt loads a file."""
    return len(stack) == 2 and text.lstrip().startswith("[")


@dataclass(frozen=True)
class Candidate:
    """A completion: its text, what is shown beside it."""

    text: str
    shown: str = ""
    note: str = ""


class Index:
    """Names in order, so that those with a prefix are found without looking at all."""

    def __init__(self, entries: Iterable[tuple[str, str, str]]) -> None:
        """Entries are (name, as shown, note)."""
        self.entries = sorted(set(entries))
        self.keys = [entry[0] for entry in self.entries]

    def starting_with(self, prefix: str, limit: int = 200) -> Iterator[Candidate]:
        at = bisect_left(self.keys, prefix)
        for name, shown, note in self.entries[at : at + limit]:
            if not name.startswith(prefix):
                return
            yield Candidate(name, shown, note)


class Source:
    """What there is to complete; the prompt fills it from a session. Every method is cheap."""

    def predicates(self) -> Index:
        return Index(())

    def flags(self) -> Index:
        return Index(())

    def flag_values(self, flag: str) -> list[str]:
        return []

    def switches(self) -> list[str]:
        return []

    def topics(self) -> Index:
        return Index(())


def candidates(source: Source, expected: Expected, text: str, cursor: int) -> Iterator[Candidate]:
    """The completions for what is expected."""
    prefix = expected.prefix
    if expected.kind == "predicate":
        if prefix:
            yield from source.predicates().starting_with(prefix)
    elif expected.kind == "flag":
        yield from source.flags().starting_with(prefix)
    elif expected.kind == "flag_value":
        yield from (Candidate(v) for v in source.flag_values(expected.flag) if v.startswith(prefix))
    elif expected.kind == "switch":
        yield from (Candidate(s) for s in source.switches() if s.startswith(prefix))
    elif expected.kind == "topic":
        yield from source.topics().starting_with(prefix)
    elif expected.kind == "file":
        yield from files(prefix, expected.quoted)
    elif expected.kind == "variable":
        yield from (Candidate(v) for v in variables(text, cursor) if v.startswith(prefix) and v != prefix)


def variables(text: str, cursor: int) -> list[str]:
    """The variables of the query, without the word that is being typed."""
    found: dict[str, None] = {}
    for match in TOKEN.finditer(text):
        name = match.group()
        if (
            match.lastgroup == "name"
            and (name[0].isupper() or (name[0] == "_" and len(name) > 1))
            and match.end() != cursor
        ):
            found[name] = None
    return list(found)


PROGRAMS = (".psm", ".pl", ".prolog", ".pro", ".out")


def files(prefix: str, quoted: bool) -> Iterator[Candidate]:
    """Files and directories; programs first. A name that is not an atom is quoted."""
    directory, _, start = prefix.rpartition("/")
    try:
        found = list(os.scandir(Path(directory or ("/" if prefix.startswith("/") else ".")).expanduser()))
    except OSError:
        return
    names = []
    for entry in found:
        if entry.name.startswith(start) and (start.startswith(".") or not entry.name.startswith(".")):
            is_directory = entry.is_dir()
            names.append(
                (not is_directory and not entry.name.endswith(PROGRAMS), entry.name + "/" * is_directory)
            )
    for _, name in sorted(names):
        path = f"{directory}/{name}" if "/" in prefix else name
        plain = path.removesuffix(".psm").removesuffix(".pl")
        if not quoted and re.fullmatch(r"[a-z]\w*", plain, re.ASCII):
            yield Candidate(plain, path)
        elif quoted:
            yield Candidate(path, path)
        else:
            escaped = path.replace("'", "\\'")
            yield Candidate(f"'{escaped}" + ("" if path.endswith("/") else "'"), path)
