"""Queries from a pipe or a file: what comes out is a transcript."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from prism_repl.answers import Answer
from prism_repl.prolog import queries
from prism_repl.repl.batch import open_log
from prism_repl.repl.console import Console
from prism_repl.repl.loading import load_goal
from prism_repl.repl.sessions import Session
from prism_repl.repl.transcript import query_text


class Input:
    """Reads queries and `;` lines from a stream, one at a time: a running program can read from it, too."""

    def __init__(self, readline: Iterator[str]) -> None:
        self.readline = readline
        self.text = ""
        self.waiting: list[str] = []

    def next_query(self) -> str | None:
        """The next query, or ';', or None at the end of the input."""
        while not self.waiting:
            line = next(self.readline, None)
            if line is None:
                rest, self.text = self.text.strip(), ""
                # Comments at the end are no query; an unfinished query gets its period.
                return rest if rest and not queries.scan(rest).blank else None
            line = line.replace("\r\n", "\n")
            if not self.text.strip() and line.strip() == ";":
                return ";"
            if not self.text.strip():
                line = queries.without_prompt(line)
            self.waiting, self.text = queries.split(self.text + line)
        return self.waiting.pop(0)


def run_pipe(files: list[str], log: str | None = None, ascii_only: bool = False) -> int:
    """Run the queries of standard input."""
    write = sys.stdout.write
    session = Session(write, read_line=sys.stdin.readline)
    session.machine.state["ascii_pictures"] = ascii_only
    if log and not open_log(session, log):
        return 1
    console = Console(session, write)
    source = Input(iter(sys.stdin.readline, ""))
    waiting: list[str | None] = [load_goal(name) for name in files]
    first = True

    def choose(answer: Answer) -> bool:
        """Is the next line a `;`? What else it is waits for its turn."""
        sys.stdout.flush()
        if not waiting:
            waiting.append(source.next_query())
        if waiting[0] == ";":
            waiting.pop(0)
            return True
        return False

    while True:
        query = waiting.pop(0) if waiting else source.next_query()
        if query is None:
            return 0
        if query == ";":
            print("prism-repl: there is no further answer for ;", file=sys.stderr)
            continue
        write(("" if first else "\n") + query_text(queries.with_period(query)) + "\n")
        first = False
        sys.stdout.flush()
        console.run(query, choose)
        sys.stdout.flush()
