"""Queries from text to printed answers, and the log."""

from prism_repl.toplevel.console import Console, record
from prism_repl.toplevel.transcript import parse
from tests.toplevel.fake_session import FakeSession


def test_record():
    session = FakeSession()
    assert record(session, "true.") == "\nyes\n"
    assert record(session, "fail.") == "no\n"
    assert record(session, "member(X,[a,b]).") == "X = a ?\nyes\n"
    assert record(session, "member(X,[a,b]).", 1) == "X = a ?;\nX = b ?\nyes\n"
    assert record(session, "member(X,[a,b]).", 5) == "X = a ?;\nX = b ?;\nno\n"
    assert record(session, "write(a).") == "a\nyes\n"
    assert record(session, "throw(my).") == "*** my\n"


def test_log(tmp_path):
    session = FakeSession()
    path = tmp_path / "x.session.txt"
    shown = []
    console = Console(session, shown.append)
    console.run("true.", lambda answer: False)
    session.log.open(path)
    console.run("member(X,[a,b]).", lambda answer: True)
    console.run("write(a).", lambda answer: False)
    session.log.close()
    console.run("fail.", lambda answer: False)
    assert path.read_text() == "?- member(X,[a,b]).\nX = a ?;\nX = b ?;\nno\n\n?- write(a).\na\nyes\n"
    assert len(parse(path.read_text())) == 2
    assert "".join(shown).endswith("a\nyes\nno\n")
