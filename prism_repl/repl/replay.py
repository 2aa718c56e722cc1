"""Replaying transcripts: run the queries in one session and compare."""

from __future__ import annotations

import contextlib
import fnmatch
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prism_repl.core.errors import PrologHalt
from prism_repl.repl import transcript
from prism_repl.repl.compare import diff_text, same_output
from prism_repl.repl.console import record_into
from prism_repl.repl.transcript import Entry, TranscriptError

if TYPE_CHECKING:
    from prism_repl.repl.sessions import Session


def default_session() -> Session:
    from prism_repl.repl.sessions import Session

    return Session()


@dataclass(frozen=True)
class Result:
    """One replayed query."""

    entry: Entry
    actual: str
    agrees: bool
    skipped: bool = False  # the transcript shows that the user interrupted it


def normal_query(query: str) -> str:
    """A query for looking it up: white space folded, no final period."""
    return " ".join(query.split()).rstrip(".").rstrip()


class Replay:
    """A transcript being replayed in one session, query by query, in the transcript's directory."""

    def __init__(
        self,
        path: Path,
        new_session: Callable[[], Session] = default_session,
        timeout: float | None = None,
    ) -> None:
        """`timeout`: seconds for an answer; a query that takes longer is stopped and differs."""
        self.path = path
        self.timeout = timeout
        self.text, self.entries = transcript.read(path)
        self.new_session = new_session
        self.session: Session | None = None
        self.directory: Path | None = None
        self.results: list[Result] = []
        self.resources = contextlib.ExitStack()

    def result(self, index: int) -> Result:
        """The result of one query; those before it are run first, as it may need what they did."""
        if self.directory is None:
            self.directory = self.resources.enter_context(writable(self.path.resolve().parent))
        with contextlib.chdir(self.directory):
            while len(self.results) <= index:
                self.results.append(self.run(self.entries[len(self.results)]))
        return self.results[index]

    def run(self, entry: Entry) -> Result:
        if entry.interrupted:
            return Result(entry, entry.output, agrees=True, skipped=True)
        self.session = self.session or self.new_session()
        parts: list[str] = []
        try:
            record_into(parts.append, self.session, entry.query, entry.alternatives, self.timeout)
        except PrologHalt:
            self.session = None  # what follows was typed into a new one
        actual = "".join(parts)
        return Result(entry, actual, same_output(entry.output, actual))

    def close(self) -> None:
        self.resources.close()


def replay(
    path: Path, new_session: Callable[[], Session] = default_session, timeout: float | None = None
) -> Iterator[Result]:
    """The results of all queries of a transcript."""
    with contextlib.closing(Replay(path, new_session, timeout)) as run:
        for index in range(len(run.entries)):
            yield run.result(index)


@contextlib.contextmanager
def writable(directory: Path) -> Iterator[Path]:
    """The directory, or a copy if it is not for writing: queries may write files."""
    if directory.stat().st_mode & 0o200 and os.access(directory, os.W_OK):
        yield directory
        return
    with tempfile.TemporaryDirectory() as parent:
        copy = Path(parent) / directory.name
        copy.mkdir()
        for file in directory.iterdir():
            if file.is_file():
                shutil.copyfile(file, copy / file.name)
        yield copy


@dataclass
class Difference:
    """A difference that was agreed upon: `query` of `topic` need not agree, for a reason.

    `at` is the line of the transcript where the query stands, if it is meant only there.
    """

    topic: str
    query: str
    reason: str
    line: int
    at: int | None = None
    used: bool = False


def read_differences(path: Path) -> list[Difference]:
    """The file of agreed differences: a line `topic ?- query.`, then its reason on indented lines.

    `topic:12 ?- query.` means only the query on line 12 of the transcript.
    """
    found: list[Difference] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0] in " \t":
            if not found:
                raise TranscriptError(str(path), number, "a reason without a query above it")
            found[-1].reason = f"{found[-1].reason} {line.strip()}".strip()
            continue
        topic, mark, query = line.partition(" ?- ")
        if not mark:
            raise TranscriptError(str(path), number, f"expected `topic ?- query.`, not: {line[:60]}")
        name, _, at = topic.strip().partition(":")
        if at and not at.isdecimal():
            raise TranscriptError(str(path), number, f"expected a line number after the colon: {topic[:60]}")
        found.append(Difference(name, normal_query(query), "", number, int(at) if at else None))
    for difference in found:
        if not difference.reason:
            raise TranscriptError(
                str(path), difference.line, "no reason is given (indented, below the query)"
            )
    return found


class Replayer:
    """The `replay` command: several transcripts, a report of what differs, perhaps an update."""

    def __init__(
        self,
        write: Callable[[str], object],
        *,
        update: bool = False,
        match: str | None = None,
        color: bool = False,
        differences: list[Difference] | None = None,
        timeout: float | None = None,
        new_session: Callable[[], Session] = default_session,
    ) -> None:
        self.write = write
        self.update = update
        self.match = match
        self.color = color
        self.differences = differences or []
        self.timeout = timeout
        self.new_session = new_session

    def run(self, paths: list[Path]) -> int:
        """Replay the files; 0 if all agree, 1 otherwise."""
        status = 0
        for path in paths:
            try:
                if not self.replay_file(path):
                    status = 1
            except TranscriptError as error:
                self.write(f"{error}\n")
                status = 1
        for difference in self.differences:
            if (
                not difference.used
                and any(topic_of(path) == difference.topic for path in paths)
                and not self.match
            ):
                self.write(
                    f"agreed difference that does not occur: {difference.topic} ?- {difference.query}.\n"
                )
        return status

    def replay_file(self, path: Path) -> bool:
        failed: list[Result] = []
        agreed = total = skipped = 0
        for result in replay(path, self.new_session, self.timeout):
            # All queries run, as later ones may need them; --match says which are compared.
            if self.match and not fnmatch.fnmatchcase(normal_query(result.entry.query), self.match):
                continue
            if result.skipped:
                skipped += 1
                continue
            total += 1
            if result.agrees:
                continue
            difference = self.agreed(path, result.entry)
            if difference:
                agreed += 1
                continue
            failed.append(result)
            if not self.update:
                self.write(self.report(path, result))
        notes = [f"{total - len(failed) - agreed} of {total} agree"]
        if agreed:
            notes.append(f"{agreed} agreed difference{'s' * (agreed > 1)}")
        if skipped:
            notes.append(f"{skipped} skipped (interrupted in the transcript)")
        if failed and self.update:
            text, _ = transcript.read(path)
            new = transcript.updated(text, [(r.entry, r.actual) for r in failed])
            path.write_bytes(new.encode("utf-8", errors="surrogateescape"))
            notes.append(f"{len(failed)} updated")
        elif failed:
            notes.append(self.paint(f"{len(failed)} differ", "\x1b[31m"))
        self.write(f"{path}: {', '.join(notes)}\n")
        return self.update or not failed

    def agreed(self, path: Path, entry: Entry) -> Difference | None:
        for difference in self.differences:
            if (
                difference.topic == topic_of(path)
                and difference.query == normal_query(entry.query)
                and difference.at in (None, entry.line)
            ):
                difference.used = True
                return difference
        return None

    def report(self, path: Path, result: Result) -> str:
        head = self.paint(f"{path}:{result.entry.line}", "\x1b[1m")
        diff = diff_text(result.entry.output, result.actual, self.color)
        return f"{head}\n?- {result.entry.query}\n{diff}\n\n"

    def paint(self, text: str, code: str) -> str:
        return f"{code}{text}\x1b[0m" if self.color else text


def topic_of(path: Path) -> str:
    """The name by which differences.txt calls a transcript: its directory's, or its own."""
    return (
        path.resolve().parent.name if path.name == "session.txt" else path.name.removesuffix(".session.txt")
    )
