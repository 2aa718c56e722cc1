"""A pytest plug-in: transcripts are tests, one for each query.

Collected are files named `*.session.txt`, and those that the option prism_sessions names:

    [tool.pytest.ini_options]
    prism_sessions = ["tests/sessions/*/session.txt"]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

# What replays is imported when a transcript is collected: other test suites should not pay for it.
if TYPE_CHECKING:
    from prism_repl.repl.replay import Replay

SUFFIX = ".session.txt"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "prism_sessions", "glob patterns of further prism-repl transcripts to replay", type="args", default=[]
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    patterns = parent.config.getini("prism_sessions")
    if file_path.name.endswith(SUFFIX) or any(file_path.match(pattern) for pattern in patterns):
        return SessionFile.from_parent(parent, path=file_path)
    return None


class SessionFile(pytest.File):
    """A transcript. Its queries share one session, which starts with the first query that runs."""

    replay: Replay

    def collect(self) -> Iterator[pytest.Item]:
        from prism_repl.repl.replay import Replay
        from prism_repl.repl.transcript import TranscriptError

        try:
            self.replay = Replay(self.path)
        except TranscriptError as error:
            raise self.CollectError(str(error)) from None
        for index, entry in enumerate(self.replay.entries):
            name = f"{entry.line}: {' '.join(entry.query.split())}"
            yield QueryItem.from_parent(self, name=name, index=index)

    def teardown(self) -> None:
        if hasattr(self, "replay"):
            self.replay.close()


class QueryItem(pytest.Item):
    """One query of a transcript."""

    def __init__(self, *, index: int, **options: Any) -> None:
        super().__init__(**options)
        self.index = index

    def runtest(self) -> None:
        assert isinstance(self.parent, SessionFile)
        result = self.parent.replay.result(self.index)
        if result.skipped:
            pytest.skip("interrupted in the transcript")
        if not result.agrees:
            raise Disagreement(result.entry.query, result.entry.output, result.actual)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Disagreement):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        assert isinstance(self.parent, SessionFile)
        # Not just the name: pytest shows the periods in a name as "::".
        line = self.parent.replay.entries[self.index].line
        return self.path, line - 1, f"line {self.name}"


class Disagreement(Exception):
    """The output is not what the transcript shows."""

    def __init__(self, query: str, expected: str, actual: str) -> None:
        from prism_repl.repl.compare import diff_text

        super().__init__(f"?- {query}\n(- expected, + printed)\n{diff_text(expected, actual)}")
