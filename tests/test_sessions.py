"""The recorded sessions of tests/sessions replay: one test for each, in a copy of its directory.

Where we differ from the recording on purpose, the session is edited and a comment above the query says why.
"""

import shutil
from pathlib import Path

import pytest

from prism_repl.repl.compare import diff_text
from prism_repl.repl.replay import replay

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*/session.txt"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.parent.name)
def test_session(path, tmp_path):
    folder = tmp_path / path.parent.name
    shutil.copytree(path.parent, folder)
    wrong = [
        f"line {r.entry.line}: ?- {r.entry.query}\n{diff_text(r.entry.output, r.actual)}"
        for r in replay(folder / "session.txt")
        if not r.agrees
    ]
    assert not wrong, "\n\n" + "\n\n".join(wrong)


def test_there_are_sessions():
    assert SESSIONS
