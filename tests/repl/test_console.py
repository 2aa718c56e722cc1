"""Queries from text to printed answers, and the log."""

from prism_repl import Session
from prism_repl.repl.console import Console, record
from prism_repl.repl.replay import replay
from prism_repl.repl.transcript import parse
from tests.repl.fake_session import FakeSession


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


def test_a_log_loads_what_was_loaded(tmp_path, monkeypatch):
    """It is replayed in its own directory, whatever the current one was."""
    (tmp_path / "models").mkdir()
    (tmp_path / "logs").mkdir()
    (tmp_path / "models" / "coin.psm").write_text("values(coin,[a,b]).\nflip(X) :- msw(coin,X).\n")
    (tmp_path / "extra.pl").write_text("extra(1).\n")
    monkeypatch.chdir(tmp_path)
    session = Session([].append)
    for query in (
        "prism('models/coin').",
        "consult(extra).",
        "log('logs/a.session.txt').",
        "prob(flip(a),P), extra(X).",
        "nolog.",
        "log('logs/a.session.txt').",  # goes on
        "extra(X).",
        "nolog.",
    ):
        record(session, query)
    text = (tmp_path / "logs" / "a.session.txt").read_text()
    assert text.split("\n\n")[:2] == ["?- prism('../models/coin').\nyes", "?- consult('../extra.pl').\nyes"]
    results = list(replay(tmp_path / "logs" / "a.session.txt"))
    assert len(results) == 4
    assert all(result.agrees for result in results)
