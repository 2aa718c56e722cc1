"""The pytest plug-in, run on a small project of a user."""

import os
import subprocess
import sys

SESSION = """\
% Queries share one session.

?- assertz(fact(1)).
yes

?- fact(X).
X = 1
yes

?- fact(X).
X = 2
yes
"""


def run(folder, *args):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *args],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_PLUGINS": "prism_repl.repl.pytest_plugin",
        },
        check=False,
    )
    return done.returncode, done.stdout


def test_one_test_for_each_query(tmp_path):
    (tmp_path / "model.session.txt").write_text(SESSION)
    status, out = run(tmp_path)
    assert status == 1
    assert "2 passed" in out
    assert "1 failed" in out
    assert "model.session.txt::3: assertz(fact(1)). PASSED" in out
    assert "?- fact(X).\n(- expected, + printed)\n- X = 2\n+ X = 1\n  yes" in out


def test_one_query_alone_has_what_went_before(tmp_path):
    (tmp_path / "model.session.txt").write_text(SESSION)
    status, out = run(tmp_path, "-k", "6")
    assert status == 0
    assert "1 passed" in out


def test_option_names_further_files(tmp_path):
    (tmp_path / "notes.txt").write_text(SESSION)
    assert "no tests ran" in run(tmp_path)[1]
    (tmp_path / "pytest.ini").write_text("[pytest]\nprism_sessions = notes.txt\n")
    assert "2 passed" in run(tmp_path)[1]


def test_transcript_that_does_not_parse(tmp_path):
    (tmp_path / "bad.session.txt").write_text("hello\n")
    status, out = run(tmp_path)
    assert status == 2
    assert "bad.session.txt:1: a query" in out
