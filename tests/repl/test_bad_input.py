"""What nobody should type, load or configure: clear answers, and the session goes on."""

import os
import re
import subprocess
import sys

import pytest

from prism_repl import PrismError, Session
from prism_repl.answers import Answer
from prism_repl.repl.console import Console, record
from tests.repl.fake_session import FakeSession
from tests.repl.terminal import Terminal


@pytest.fixture(scope="module")
def session():
    return Session([].append)


def prism_repl(*args, data=b"", folder=None):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run(
        [sys.executable, "-m", "prism_repl", *args],
        input=data,
        capture_output=True,
        timeout=120,
        env=environment,
        cwd=folder,
    )


@pytest.mark.parametrize(
    ("text", "here"),
    [
        ("X = [1,2.", "X = [1,2<<HERE>>."),
        ("foo(a,b]).", "foo(a,b<<HERE>>])."),
        ("X = 'open.", "X = 'open.<<HERE>>"),
        ("X = /* open", "<<HERE>>"),
        ("X = \0.", r"X = <<HERE>>\x0\."),
        ("X = \x01\x02.", r"X = <<HERE>>\x1\\x2\."),
        ("X = (a.", "<<HERE>>"),
        ("{", "<<HERE>>"),
    ],
)
def test_unbalanced_text_and_control_characters(session, text, here):
    answer = next(session.ask(text))
    assert answer.message.startswith("** Syntax error (user_input, 1-1)\n")
    assert here in answer.message
    assert session.once("true")


DEEP = 200_000


@pytest.mark.parametrize(
    "text",
    [
        "f(" * DEEP + "a" + ")" * DEEP,
        "[" * DEEP + "]" * DEEP,
        "- " * DEEP + "a",
        "(" * DEEP + "a" + ")" * DEEP,
        "{" * DEEP + "a" + "}" * DEEP,
        "1+" * DEEP + "1",
        "a:" * DEEP + "a",
    ],
    ids=["arguments", "lists", "prefix", "parentheses", "braces", "left", "right"],
)
def test_terms_of_great_depth(session, text):
    answer = session.once(f"X = {text}, copy_term(X,Y), X == Y")
    assert answer
    assert len(dict(answer.bindings)["X"]) >= 1


def test_deep_text_that_is_not_closed(session):
    answer = next(session.ask("X = " + "f(" * DEEP + "a."))
    assert answer.status == "error"
    assert len(answer.message) < 10_000


def test_one_long_line():
    size = 1_000_000
    data = b"X = '" + b"a" * size + b"', atom_length(X,N).\nY = 1.\n"
    out = prism_repl(data=data).stdout
    assert b"N = %d\nyes\n" % size in out
    assert out.endswith(b"?- Y = 1.\nY = 1\nyes\n")


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("X = f(X)", "X = f(...)\nyes\n"),
        ("X = f(X), Y = f(Y), X == Y", "X = f(...)\nY = f(...)\nyes\n"),
        ("X = f(X), copy_term(X,Y)", "*** error(type_error(acyclic_term,...),copy_term/2)\n"),
        ("X = f(X), throw(X)", "*** error(type_error(acyclic_term,...),throw/1)\n"),
        ("X = f(X), findall(X,true,L)", "*** error(type_error(acyclic_term,...),findall/3)\n"),
        ("X = f(X), assertz(cyclic(X))", "*** error(type_error(acyclic_term,...),assertz/1)\n"),
        ("X = f(X), catch(throw(X),error(E,_),true)", "X = f(...)\nE = type_error(acyclic_term,...)\nyes\n"),
    ],
)
def test_cyclic_terms(session, query, answer):
    assert record(session, query) == answer


@pytest.mark.parametrize(
    "query",
    [
        "X = X+1, _ is X",
        "X = 1+X, 1 < X",
        "X = [X], _ is X",
        "X = (true,X), call(X)",
        "X = (fail;X), findall(a,X,_)",
        "X = (true,X), write_call(X)",
        "X = f(X), msw(X,_)",
        "X = f(X), set_sw(X,uniform)",
        "X = [0.5|X], expand_probs(X,_)",
        "X = f(X), show_sw(X)",
        "X = f(X), countlist([X],_)",
        "X = f(X), set_prism_flag(epsilon,X)",
        "X = f(X), new_hashtable(T), hashtable_put(T,X,1)",
        "X = [1|X], random_set_seed(X)",
    ],
)
def test_cyclic_terms_are_refused_where_their_size_matters(session, query):
    with pytest.raises(PrismError, match="acyclic_term"):
        session.once(query)


def test_terms_that_share_their_parts_are_not_taken_for_cyclic(session):
    goals = ", ".join(f"X{i + 1} = (X{i},X{i})" for i in range(14))
    assert session.once(f"X0 = true, {goals}, X14")
    sums = ", ".join(f"X{i + 1} = X{i}+X{i}" for i in range(14))
    assert session.once(f"X0 = 1, {sums}, X is X14")["X"] == 2**14


def test_cyclic_terms_through_python(session):
    answer = session.once("X = f(X), Y = 1")
    assert answer["Y"] == 1
    with pytest.raises(ValueError, match="cyclic"):
        answer["X"]
    with pytest.raises(PrismError, match="acyclic_term"):
        session.once("X = f(X), throw(X)")


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("throw(X)", "*** error(instantiation_error,throw/1)\n"),
        ("throw(f(X,Y,X))", r"\*\*\* f\((_\w+),_\w+,\1\)\n"),
        ("findall(X,throw(a),L)", "*** a\n"),
        ("forall(member(X,[1]),nosuch(X))", "***  Undefined procedure: nosuch/1\n"),
        ("catch(findall(X,throw(a),L),E,true)", "E = a\nyes\n"),
        ("catch(catch(throw(a),a,throw(b)),b,true)", "\nyes\n"),
        ("catch(throw(a),b,true)", "*** a\n"),
    ],
)
def test_balls(session, query, answer):
    shown = record(session, query)
    assert shown == answer or re.fullmatch(answer, shown)


def test_a_huge_ball(session):
    answer = session.once("catch((numlist(1,1000000,L), throw(ball(L))),ball(M),length(M,N))")
    assert answer["N"] == 1_000_000


def test_endless_recursion():
    session = Session([].append)
    session.machine.heap.limit = 1 << 21  # so that the test is quick
    session.once("assertz((endless :- endless, endless))")
    assert record(session, "endless") == "*** error(resource_error(memory),endless/0)\n"
    assert record(session, "findall(_,endless,_)") == "*** error(resource_error(memory),endless/0)\n"
    assert session.once("X = 1")["X"] == 1


# ---- files


def load(folder, name, data, goal="true"):
    (folder / name).write_bytes(data)
    return prism_repl("-g", f"consult('{name}'), {goal}", folder=folder)


def test_bad_clauses_are_skipped(tmp_path):
    result = load(tmp_path, "bad.pl", b"p(1).\np(2) :- q(]).\np(\0).\np(3).\n", "forall(p(X),(write(X),nl))")
    assert result.stdout == b"consulting::bad.pl\n1\n3\n"
    errors = result.stderr.decode()
    assert "** Syntax error (bad.pl, 2-2)" in errors
    assert "** Syntax error (bad.pl, 3-3)" in errors
    assert errors.endswith("2 error(s)\nprism-repl: 2 error(s) while loading\n")
    assert result.returncode == 1


def test_other_encodings(tmp_path):
    result = load(tmp_path, "latin.pl", "p(é).\n".encode("latin-1"), "p(X), write(X)")
    assert result.stderr.decode().count("is not UTF-8 (line 1); it is read as Latin-1") == 1
    assert result.stdout.decode().endswith("é")
    (tmp_path / "model.psm").write_bytes("values(c,[é]).\n".encode("latin-1"))
    result = prism_repl("-g", "prism(model)", folder=tmp_path)
    assert result.stderr.decode().count("is not UTF-8 (line 1); it is read as Latin-1") == 1
    for encoding in ("utf-16", "utf-8-sig"):
        out = load(tmp_path, "marked.pl", "p(é).\n".encode(encoding), "p(X), write(X)").stdout.decode()
        assert out == "consulting::marked.pl\né"


def test_windows_line_ends(tmp_path):
    assert load(tmp_path, "win.pl", b"p(1).\r\np(2) :-\r\n  true.\r\n", "p(2)").returncode == 0
    assert prism_repl(data=b"X = 1,\r\n  Y = 2.\r\n").stdout.endswith(b"X = 1\nY = 2\nyes\n")


def test_a_directory_is_no_program(tmp_path):
    (tmp_path / "dir.psm").mkdir()
    for goal in ("prism(dir)", "consult('dir.psm')", "open('dir.psm',read,_)"):
        result = prism_repl("-g", goal, folder=tmp_path)
        assert result.returncode == 1
        assert b"*** error(" in result.stdout + result.stderr


def test_halt_in_a_directive(tmp_path):
    result = load(tmp_path, "stop.pl", b":- throw(oops).\n:- halt(3).\np.\n", "write(never)")
    assert result.returncode == 3
    assert (result.stdout, result.stderr) == (
        b"consulting::stop.pl\n",
        b"oops\n% stop.pl:1:1: :- throw(oops).\n",
    )


def test_bytes_that_are_no_utf8(tmp_path):
    result = prism_repl(data=b"write('\xff\xe9'), nl.\natom_length('\xff',N).\nX = '\\xd800\\'.\nY = 1.\n")
    assert b"\n\\udcff\\udce9\n" in result.stdout
    assert b"?- write('\xff\xe9'), nl.\n" in result.stdout
    assert b"N = 1\n" in result.stdout
    assert result.stdout.endswith(b"?- Y = 1.\nY = 1\nyes\n")
    assert result.stderr == b""


def test_a_transcript_that_does_not_parse_names_the_line(tmp_path):
    (tmp_path / "bad.session.txt").write_text("?- true.\n\nyes\n\n?- foo(.\n\nyes\n", encoding="utf-8")
    (tmp_path / "none.session.txt").write_text("no query here\n", encoding="utf-8")
    result = prism_repl("replay", "bad.session.txt", "none.session.txt", folder=tmp_path)
    text = (result.stdout + result.stderr).decode()
    assert result.returncode == 1
    assert "bad.session.txt:5" in text
    assert re.search(r"none.session.txt:1\b", text)
    assert "Traceback" not in text


# ---- the last guards


class Defect(FakeSession):
    def answers(self, query, timeout=None):
        if query == "defect":
            raise RuntimeError("two\nlines")
        yield Answer("yes")


def test_a_defect_is_one_line_and_the_session_goes_on():
    out = []
    console = Console(Defect(), out.append)
    assert console.run("defect", lambda answer: False).status == "error"
    assert "".join(out) == "*** error(system_error,RuntimeError: two)\n"
    assert console.run("true", lambda answer: False)


def test_no_traceback_from_the_command_line(monkeypatch, capsys):
    from prism_repl import cli

    monkeypatch.setattr(cli, "dispatch", lambda argv: 1 // 0)
    assert cli.main([]) == 1
    assert capsys.readouterr().err.startswith("prism-repl: ZeroDivisionError: ")


# ---- the terminal


def test_a_narrow_terminal_without_readable_files(tmp_path):
    """20 columns; a configuration that is a directory, a history that cannot be written."""
    (tmp_path / ".config" / "prism-repl" / "config.toml").mkdir(parents=True)
    (tmp_path / ".local" / "state" / "prism-repl" / "history").mkdir(parents=True)
    t = Terminal(tmp_path, columns=20, rows=24).ready()
    assert "defaults are used" in t.text().replace("\n", " ")
    t.query("X = [a,b,c,d,e,f,g,h,i,j].")
    t.wait(r"X = \[a,b,c,d,e,f,\s+g,h,i,j\]\nyes\n")  # broken at a comma
    assert "it is not kept" in re.sub(r"\s+", " ", t.text())
    t.ready()
    assert t.end() == 0
    assert "Traceback" not in t.text()


def test_bytes_that_are_no_utf8_at_the_prompt(tmp_path):
    t = Terminal(tmp_path).ready()
    os.write(t.child.child_fd, b"X = '\xff\xfe'.\r")
    t.wait(r"X = .*\nyes\n|\*\* Syntax error")
    t.ready()
    t.query("Y = 1.")
    t.wait("Y = 1\nyes\n")
    assert t.end() == 0
