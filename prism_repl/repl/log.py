"""Recording a session to a file, as a transcript."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from prism_repl.repl.loading import quoted
from prism_repl.repl.transcript import record_text


class Log:
    """Collects a query and what follows it, and appends it to the file when the query has ended."""

    def __init__(self) -> None:
        self.file: TextIO | None = None
        self.query = ""
        self.parts: list[str] = []
        self.skip = False  # the query that opened or closed the log is not part of it

    def open(self, path: str | Path, loaded: Iterable[str] = ()) -> None:
        """Start recording; an existing file is continued. OSError if it cannot be written.

        A new file begins by loading the programs that are loaded now (paths), so that it can be replayed.
        """
        self.close()
        self.skip = True
        self.file = Path(path).open("a", encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
        if not self.file.tell():
            for program in loaded:
                name = os.path.relpath(program, Path(path).resolve().parent)
                how = "prism" if name.endswith(".psm") else "consult"
                self.append(f"{how}({quoted(name.removesuffix('.psm'))}).", "yes")

    def close(self) -> None:
        self.skip = True
        if self.file:
            self.file.close()
            self.file = None

    def begin(self, query: str) -> None:
        self.query, self.parts, self.skip = query, [], False

    def write(self, text: str) -> None:
        if self.file:
            self.parts.append(text)

    def end(self) -> None:
        """Append the query with its output."""
        if not self.skip:
            self.append(self.query, "".join(self.parts))
        self.parts = []

    def append(self, query: str, output: str) -> None:
        if self.file:
            separator = "\n" if self.file.tell() else ""
            self.file.write(separator + record_text(query, output))
            self.file.flush()
