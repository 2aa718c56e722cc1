"""Completion: a pure function says what kind of thing is expected at the cursor, another what there is."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from prism_repl.predicates.system import declared
from prism_repl.prolog.queries import TOKEN

Kind = Literal[
    "predicate", "flag", "flag_value", "switch", "outcome", "distribution", "option", "function", "file",
    "variable", "topic", "nothing",
]  # fmt: skip

DISTRIBUTIONS = ("default", "f_geometric", "noisy_u", "random", "uniform")
OPTIONS = ("compile", "consult", "dump", "load", "noverb", "nv", "v", "verb")
OPTION_VALUE = re.compile(r"\s*(\w+)\s*=\s*(\w*)$")
COMPARISONS = {"is", "=:=", "=\\=", "<", "=<", ">", ">="}


@dataclass(frozen=True)
class Expected:
    """What can stand at the cursor, and what is typed of it already; `of` is the flag whose value, or the
    switch whose outcome is meant."""

    kind: Kind
    prefix: str = ""
    of: str = ""
    quoted: bool = False  # the prefix is inside an open quote


@dataclass
class Open:
    """An open bracket: the functor before it ('' if none), how many arguments are complete, where the first
    one starts and ends and where the current one starts, and whether that is an arithmetic expression."""

    functor: str
    index: int = 0
    start: int = 0
    first_end: int = 0
    here: int = 0
    arithmetic: bool = False


@dataclass
class Place:
    """Where a text has come to: the brackets that are open, the last token and its kind."""

    stack: list[Open] = field(default_factory=lambda: [Open("")])
    kind: str | None = None
    token: str = ""
    before: str = ""  # the last token if it is a name, which a bracket makes a functor
    start: int = 0  # of the last token

    def follow(self, text: str, at: int) -> None:
        """Go on through a text."""
        for match in TOKEN.finditer(text, at):
            self.kind, self.token, self.start = match.lastgroup, match.group(), match.start()
            kind, token, stack = self.kind, self.token, self.stack
            if kind in ("open_quote", "open_comment"):
                break
            if kind == "open":
                after = match.end()
                stack.append(Open(self.before if token == "(" else "", start=after, here=after))
            elif kind == "close" and len(stack) > 1:
                stack.pop()
            elif kind == "solo" and token == ",":
                top = stack[-1]
                top.first_end = top.first_end or self.start
                top.index += 1
                top.here = match.end()
                top.arithmetic = False
            elif kind == "end":
                self.stack = [Open("")]
            elif token in COMPARISONS:
                stack[-1].arithmetic = True
            self.before = token if kind == "name" else ""


@lru_cache(maxsize=2)
def after_lines(text: str) -> Place:
    """The place after the lines above the cursor's: the same for all keys that are typed into one line."""
    place = Place()
    place.follow(text, 0)
    return place


def place_at(text: str) -> Place:
    """The place at the end of a text."""
    line = text.rfind("\n") + 1
    above = after_lines(text[:line])
    unfinished = above.kind in ("open_quote", "open_comment")
    place = replace(above, stack=[replace(part) for part in above.stack])
    place.follow(text, above.start if unfinished else line)
    return place


@lru_cache(maxsize=64)
def declared_types(name: str, place: int) -> frozenset[str]:
    """The types that the predicates of a name have in a place."""
    if name == "include":  # the directive; include/3 takes no types
        return frozenset({"file"})
    return frozenset(
        declaration.arguments[place].type
        for (other, arity), declaration in declared().items()
        if other == name and place < arity
    )


def expected_at(text: str, cursor: int) -> Expected:
    """What kind of thing is expected at the cursor."""
    place = place_at(text[:cursor])
    kind, token, stack = place.kind, place.token, place.stack
    word = token if kind == "name" else ""
    quote = token if kind in ("open_quote", "open_comment") else ""
    top = stack[-1]
    if kind == "open_comment" or (kind == "layout" and token.startswith("%")):
        return Expected("nothing")
    types = declared_types(top.functor, top.index)
    takes_file = not types.isdisjoint(("file", "file_name")) or (
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
    if switch := switch_at(text[:cursor], stack):
        return switch
    if kind in ("number", "code", "quoted", "close", "end"):
        return Expected("nothing")
    first = text[top.start : top.first_end].strip()
    if "flag" in types:
        return Expected("flag", word)
    if "flag_value" in types:
        return Expected("flag_value", word, of=first)
    if "distribution" in types:
        return Expected("distribution", word)
    if len(stack) > 2 and "load_options" in declared_types(stack[-2].functor, stack[-2].index):
        value = OPTION_VALUE.match(text[top.here : cursor])
        return Expected("flag_value", word, of=value[1]) if value else Expected("option", word)
    if takes_file:
        return Expected("file", word)
    if "topic" in types:
        return Expected("topic", word)
    if any(level.arithmetic for level in stack):
        return Expected("function", word)
    return Expected("predicate", word)


def switch_at(text: str, stack: list[Open]) -> Expected | None:
    """The switch, or the outcome of one, that the text ends within, however far."""
    for level in reversed(stack):
        typed = text[level.here :].lstrip()
        types = declared_types(level.functor, level.index)
        if "switch" in types:
            return Expected("switch", typed)
        if "outcome" in types:
            return Expected("outcome", typed, of=text[level.start : level.first_end].strip())
    return None


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

    def outcomes(self, switch: str) -> list[str]:
        return []

    def functions(self) -> Index:
        return Index(())

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
        yield from starting(source.flag_values(expected.of), prefix)
    elif expected.kind == "switch":
        yield from starting(source.switches(), prefix)
    elif expected.kind == "outcome":
        yield from starting(source.outcomes(expected.of), prefix)
    elif expected.kind == "distribution":
        yield from starting(DISTRIBUTIONS, prefix)
    elif expected.kind == "option":
        yield from starting(OPTIONS, prefix)
        yield from source.flags().starting_with(prefix)
    elif expected.kind == "function":
        yield from source.functions().starting_with(prefix)
    elif expected.kind == "topic":
        yield from source.topics().starting_with(prefix)
    elif expected.kind == "file":
        yield from files(prefix, expected.quoted)
    elif expected.kind == "variable":
        yield from (Candidate(v) for v in variables(text, cursor) if v.startswith(prefix) and v != prefix)


def starting(texts: Iterable[str], prefix: str) -> Iterator[Candidate]:
    """The texts that start so, blanks apart; a term that is typed already is no completion."""
    typed = "".join(prefix.split())
    return (Candidate(text) for text in texts if text.startswith(typed) and text != typed)


def variables(text: str, cursor: int) -> list[str]:
    """The variables of the query, without the word that is being typed."""
    line = text.rfind("\n", 0, cursor) + 1
    end = text.find("\n", cursor)
    end = end if end >= 0 else len(text)
    here = (name for name, at in variables_in(text[line:end]) if line + at != cursor)
    names = (name for part in (text[:line], text[end:]) for name, _ in variables_in(part))
    return list(dict.fromkeys([*names, *here]))


@lru_cache(maxsize=4)
def variables_in(text: str) -> tuple[tuple[str, int], ...]:
    """Named variables, and the offset after each."""
    return tuple(
        (match.group(), match.end())
        for match in TOKEN.finditer(text)
        if match.lastgroup == "name" and (match[0][0].isupper() or match[0][0] == "_" != match[0])
    )


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
