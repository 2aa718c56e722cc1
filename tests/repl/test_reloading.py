"""make and edit."""

import os
import time

import pytest

from prism_repl import PrismError, Session


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Session([].append)


def rewrite(path, text):
    path.write_text(text)
    later = time.time() + 10
    os.utime(path, (later, later))


def test_make_loads_what_has_changed(session, tmp_path):
    file = tmp_path / "p.pl"
    file.write_text("p(1).\n")
    session.consult("p.pl")
    session.once("assertz(marker(1))")
    session.once("make")
    assert session.once("p(X)")["X"] == 1
    rewrite(file, "p(2).\n")
    session.once("make")
    assert [a["X"] for a in session.ask("p(X)") if a] == [2]
    assert session.once("marker(1)")


def test_make_of_a_program_with_switches(session, tmp_path):
    file = tmp_path / "m.psm"
    file.write_text("values(coin,[h,t]).\ntoss(X) :- msw(coin,X).\n")
    session.prism("m")
    session.set_switch("coin", [0.2, 0.8])
    rewrite(file, "values(coin,[h,t]).\ntoss(X) :- msw(coin,X).\nnew.\n")
    session.once("make(keep)")
    assert session.once("new")
    assert session.switch("coin").parameters.tolist() == [0.2, 0.8]
    rewrite(file, "values(coin,[h,t]).\ntoss(X) :- msw(coin,X).\nnewer.\n")
    os.utime(file, (1, 1))
    session.once("make")
    assert session.once("newer")
    assert session.switch("coin").parameters.tolist() == [0.5, 0.5]


def test_it_is_said_which_parameters_are_dropped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = []
    session = Session(output.append)
    file = tmp_path / "m.psm"
    program = (
        "values(a,[h,t]).\nvalues(b,[h,t],[0.3,0.7]).\nvalues(c,[x,y]).\n"
        "p(X) :- msw(a,X), msw(b,_), msw(c,_).\n"
    )
    file.write_text(program)
    session.prism("m")
    session.once("prob(p(h))")
    session.set_switch("a", [0.2, 0.8])
    session.once("fix_sw(c,[0.1,0.9])")
    rewrite(file, program.replace("[x,y]", "[x,y,z]"))
    output.clear()
    session.once("make(keep)")
    assert "** Switch c: not declared so any more: parameters dropped\n" in "".join(output)
    assert session.switch("a").parameters.tolist() == [0.2, 0.8]
    assert session.switch("b").parameters.tolist() == [0.3, 0.7]
    os.utime(file, (1, 1))
    output.clear()
    session.once("make")
    assert "** Switch a: parameters dropped (keep keeps them)\n" in "".join(output)
    os.utime(file, (2, 2))
    output.clear()
    session.once("make")
    assert "dropped" not in "".join(output)


def test_what_was_fixed_stays_fixed(session, tmp_path):
    file = tmp_path / "m.psm"
    file.write_text("values(c,[x,y]).\np(X) :- msw(c,X).\n")
    session.prism("m")
    session.once("fix_sw(c,[0.1,0.9]), set_sw_a(c,[2,3])")
    os.utime(file, (1, 1))
    session.once("make(keep)")
    assert session.switch("c").fixed
    assert session.once("get_sw_a(c,[_,_,As])")["As"] == [2, 3]


def test_edit(session, tmp_path, monkeypatch):
    file = tmp_path / "p.pl"
    file.write_text("p(1).\n")
    session.consult("p.pl")
    editor = tmp_path / "editor.sh"
    editor.write_text("#!/bin/sh\necho 'p(3).' > \"$1\"; touch -d '2030-01-01' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    session.once("edit(p)")
    assert session.once("p(X)")["X"] == 3
    session.once("edit(p,keep)")
    monkeypatch.setenv("VISUAL", "/nonexistent/editor")
    with pytest.raises(PrismError, match="existence_error"):
        session.once("edit(p)")


def test_bad_option(session):
    with pytest.raises(PrismError, match="domain_error"):
        session.once("make(all)")
    with pytest.raises(PrismError, match="instantiation_error"):
        session.once("edit(p,_)")
