"""History by whole queries, in a file that survives crashes and is shared by concurrent sessions.

One query is one line of the file, as a JSON string. A line is appended under a lock when the query is
submitted, so nothing is lost and nothing is mixed up; a line that cannot be read is skipped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History

try:
    import fcntl
except ImportError:  # not on Windows; appending one short line is atomic enough there
    fcntl = None  # type: ignore[assignment]


class QueryHistory(History):
    """The history of the prompt. Problems with the file are told once, then it lives in memory only."""

    def __init__(self, path: Path, size: int, tell: Callable[[str], object]) -> None:
        super().__init__()
        self.path = path
        self.size = size
        self.tell = tell
        self.usable = True
        # Told before the first prompt: the queries themselves are read behind it.
        try:
            path.open("rb").close()
        except FileNotFoundError:
            return
        except OSError as error:
            self.give_up("read", error)

    def load_history_strings(self) -> Iterable[str]:
        """The queries, newest first."""
        if not self.usable:
            return
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            self.give_up("read", error)
            return
        before = None
        for line in reversed(lines[-self.size :]):
            try:
                query = json.loads(line)
            except ValueError:
                continue
            if isinstance(query, str) and query != before:
                yield query
                before = query

    def store_string(self, string: str) -> None:
        if not self.usable:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                if fcntl:
                    fcntl.flock(file, fcntl.LOCK_EX)
                line = json.dumps(string.encode("utf-8", "replace").decode("utf-8"), ensure_ascii=False)
                # A crash may have left half a line.
                file.seek(0, 2)
                if file.tell():
                    file.seek(-1, 2)
                    if file.read(1) != b"\n":
                        line = "\n" + line
                file.write(line.encode("utf-8") + b"\n")
        except OSError as error:
            self.give_up("write", error)

    def give_up(self, action: str, error: OSError) -> None:
        if self.usable:
            self.usable = False
            self.tell(
                f"prism-repl: cannot {action} the history {self.path}: {error.strerror}; it is not kept\n"
            )


class Suggest(AutoSuggest):
    """Suggests the rest of the last query that starts as the text does."""

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        text = document.text
        if text.strip():
            for query in reversed(buffer.history.get_strings()):
                if query.startswith(text):
                    return Suggestion(query[len(text) :])
        return None
