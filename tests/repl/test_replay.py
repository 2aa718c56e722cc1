"""Replaying transcripts: report, update, agreed differences, the pytest plug-in."""

import os
from pathlib import Path

import pytest

from prism_repl.repl.replay import Replayer, read_differences, replay
from prism_repl.repl.transcript import TranscriptError, read
from tests.repl.fake_session import FakeSession

TEXT = """\
% A session.

?- true.
yes

?- member(X,[a,b]).
X = a ?;
X = c
yes

?- fail.
no
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "10-topic" / "session.txt"
    file.parent.mkdir()
    file.write_text(TEXT)
    return file


def run(path, **options):
    written = []
    status = Replayer(written.append, new_session=FakeSession, **options).run([path])
    return status, "".join(written)


def test_results(path):
    assert [r.agrees for r in replay(path, FakeSession)] == [True, False, True]


def test_report(path):
    status, text = run(path)
    assert status == 1
    assert f"{path}:6\n?- member(X,[a,b]).\n  X = a ?;\n- X = c\n+ X = b\n  yes\n" in text
    assert "2 of 3 agree, 1 differ" in text


def test_report_in_colour(path):
    assert "\x1b[32m+ X = b\x1b[0m" in run(path, color=True)[1]


def test_update(path):
    status, text = run(path, update=True)
    assert status == 0
    assert "1 updated" in text
    assert path.read_text() == TEXT.replace("X = c\n", "X = b ?\n")
    assert run(path)[0] == 0


def test_match(path):
    assert run(path, match="true")[0] == 0
    assert run(path, match="member(*")[0] == 1


def test_agreed_differences(path, tmp_path):
    file = tmp_path / "differences.txt"
    file.write_text("# why\n10-topic ?- member(X,[a,b]).\n    PRISM is wrong here,\n    we are right.\n")
    (difference,) = differences = read_differences(file)
    assert difference.reason == "PRISM is wrong here, we are right."
    status, text = run(path, differences=differences)
    assert status == 0
    assert "2 of 3 agree, 1 agreed difference\n" in text


def test_agreed_difference_on_one_line(path, tmp_path):
    line = next(e.line for e in read(path)[1] if e.query.startswith("member"))
    file = tmp_path / "differences.txt"
    for at, expected in ((line, 0), (line + 1, 1)):
        file.write_text(f"10-topic:{at} ?- member(X,[a,b]).\n    only there\n")
        assert run(path, differences=read_differences(file))[0] == expected


def test_agreed_difference_that_does_not_occur(path, tmp_path):
    file = tmp_path / "differences.txt"
    file.write_text("10-topic ?- true.\n    no longer\n")
    _, text = run(path, differences=read_differences(file))
    assert "does not occur: 10-topic ?- true.\n" in text


@pytest.mark.parametrize(
    "text", ["10-topic true.\n  x\n", "  reason\n", "10-topic ?- true.\n", "10-topic:x ?- true.\n  y\n"]
)
def test_bad_differences(tmp_path, text):
    file = tmp_path / "differences.txt"
    file.write_text(text)
    with pytest.raises(TranscriptError):
        read_differences(file)


def test_transcript_that_does_not_parse(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("?- a(\n\n")
    status, text = run(bad)
    assert status == 1
    assert f"{bad}:1: the query does not end" in text
    status, text = run(tmp_path / "none.txt")
    assert status == 1
    assert "No such file" in text


def test_directory_that_is_not_for_writing(path):
    class Writes(FakeSession):
        def answers(self, query, timeout=None):
            Path("made").write_text("x")
            return super().answers(query)

    os.chmod(path.parent, 0o555)
    try:
        assert len(list(replay(path, Writes))) == 3
        assert not (path.parent / "made").exists()
    finally:
        os.chmod(path.parent, 0o755)
    before = Path.cwd()
    list(replay(path, Writes))
    assert (path.parent / "made").exists()
    assert Path.cwd() == before


def test_interrupted_queries_are_skipped(tmp_path):
    """They might never end."""
    file = tmp_path / "a.session.txt"
    file.write_text(
        "?- true.\nyes\n\n"
        "?- repeat, fail.\n^C\n\n"
        "?- repeat, fail.\n*** interrupted in repeat/0\n\n"
        "?- learn([a]).\n#goals: 0(1)\n(Interrupted)\n"
        "*** error(prism_runtime_error(ctrl_c_pressed),learn/1)\n\n"
        "?- fail.\nno\n"
    )
    results = list(replay(file, FakeSession))
    assert [r.skipped for r in results] == [False, True, True, True, False]
    status, text = run(file)
    assert status == 0
    assert "2 of 2 agree, 3 skipped (interrupted in the transcript)" in text


def test_a_time_limit(tmp_path):
    file = tmp_path / "a.session.txt"
    file.write_text("?- repeat, fail.\nno\n\n?- X = 1.\nX = 1\nyes\n")
    written = []
    assert Replayer(written.append, timeout=0.2).run([file]) == 1
    text = "".join(written)
    assert "+ *** time limit of 0.2 s exceeded" in text
    assert "1 of 2 agree, 1 differ" in text


def test_a_query_that_halts(tmp_path):
    """What was printed is compared; what follows was typed into a new session."""
    file = tmp_path / "a.session.txt"
    file.write_text(
        "?- assertz(a(1)), write(bye), halt.\nbye\n\n?- halt.\n\n?- a(X).\n...\n\n?- X = 2.\nX = 1\nyes\n"
    )
    results = list(replay(file))
    assert [r.agrees for r in results] == [True, True, True, False]
    assert results[2].actual.startswith("***  Undefined procedure: a/1")
