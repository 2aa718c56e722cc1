"""The command line, as a user runs it."""

import os
import subprocess
import sys

import pytest


def run(*args, stdin="", cwd=None):
    """Exit status, standard output, standard error of prism-repl."""
    done = subprocess.run(
        [sys.executable, "-m", "prism_repl", *map(str, args)],
        input=stdin.encode("utf-8", "surrogateescape"),
        capture_output=True,
        cwd=cwd,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode()


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "p.pl"
    file.write_text("p(1).\np(2).\n")
    return file


def test_goal(program):
    assert run("-g", "write(hi), nl") == (0, "hi\n", "")
    assert run("-g", "fail")[0] == 1
    assert run("-g", "throw(my)") == (1, "", "*** my\n")
    assert run("-g", "nosuch(1)") == (1, "", "***  Undefined procedure: nosuch/1\n")
    assert run("-g", "X = (a")[0] == 1
    assert run("-g", "halt(3)")[0] == 3
    status, out, _ = run(program, "-g", "p(X), X > 1, write(X)")
    assert (status, out[-1]) == (0, "2")


def test_several_goals(tmp_path):
    assert run("-g", "assertz(p(1))", "-g", "p(X), write(X)") == (0, "1", "")
    assert run("-g", "write(a)", "-g", "fail", "-g", "write(b)") == (1, "a", "")
    log = tmp_path / "log.session.txt"
    run("--log", log, "-g", "X = 1", "-g", "write(a)", "-g", "throw(my)")
    assert log.read_text() == "?- X = 1.\nX = 1\nyes\n\n?- write(a).\na\nyes\n\n?- throw(my).\n*** my\n"


def test_replay_with_a_time_limit(tmp_path):
    file = tmp_path / "a.session.txt"
    file.write_text("?- repeat, fail.\nno\n")
    status, out, _ = run("replay", "--timeout", "0.1", file)
    assert status == 1
    assert "time limit" in out
    assert run("replay", "--timeout", "-1", file)[0] == 2


def test_file_that_is_missing(tmp_path):
    status, _, err = run(tmp_path / "none.pl", "-g", "true")
    assert status == 1
    assert "file_not_found" in err


def test_what_is_wrong_goes_to_standard_error(tmp_path):
    """What a program prints can be used, whatever else there is to say."""
    bad = tmp_path / "bad.pl"
    bad.write_text("p(X) :- q(.\nq(1).\n:- X is a.\n")
    status, out, err = run(bad, "-g", "q(X), write(X), nl")
    assert (status, out) == (1, f"consulting::{bad}\n1\n")
    assert "** Syntax error (bad.pl, 1-1)" in err
    assert "evaluable" in err
    status, out, err = run("-g", "write(a), prism(nosuch)")
    assert (status, out) == (1, "a")
    assert err.startswith("***  PRISM ERROR: file not found -- nosuch\n*** error(")


def test_pipe():
    status, out, err = run(stdin="X = 1.\nmember(Y,[a,\n  b]).\n;\nwrite(a). fail.\nfoo.\n")
    assert (status, err) == (0, "")
    assert out == (
        "?- X = 1.\nX = 1\nyes\n\n"
        "?- member(Y,[a,\n|      b]).\nY = a ?;\nY = b\nyes\n\n"
        "?- write(a).\na\nyes\n\n"
        "?- fail.\nno\n\n"
        "?- foo.\n***  Undefined procedure: foo/0\n"
    )


def test_pipe_output_replays(tmp_path, program):
    out = run(program, stdin="p(X).\n;\n% a comment\np(3)")[1]
    file = program.parent / "x.session.txt"
    file.write_text(out)
    status, report, err = run("replay", file)
    assert (status, err) == (0, "")
    assert "3 of 3 agree" in report


def test_pipe_that_halts():
    assert run(stdin="write(a), nl.\nhalt(2).\nwrite(b).\n")[0] == 2


def test_program_reads_from_the_pipe():
    out = run(stdin="read(X).\nfoo(bar).\nY = 2.\n")[1]
    assert "X = foo(bar)\nyes\n" in out
    assert "Y = 2\nyes\n" in out


def test_bad_bytes_and_windows_line_ends():
    status, out, _ = run(stdin="X = 1.\r\nY = '\udcff'.\r\n")
    assert status == 0
    assert "X = 1\nyes" in out


def test_log(tmp_path):
    log = tmp_path / "log.session.txt"
    run("--log", log, stdin="X = 1.\n")
    assert log.read_text() == "?- X = 1.\nX = 1\nyes\n"
    status, _, err = run("--log", tmp_path, stdin="X = 1.\n")
    assert status == 1
    assert "cannot write the log" in err


def test_replay(tmp_path):
    file = tmp_path / "a.session.txt"
    file.write_text("?- X = 1.\nX = 2\nyes\n")
    status, out, _ = run("replay", file)
    assert status == 1
    assert "- X = 2\n+ X = 1\n" in out
    assert "\x1b[" not in out
    assert "\x1b[32m" in run("replay", "--color", "always", file)[1]
    assert run("replay", "--update", file)[0] == 0
    assert file.read_text() == "?- X = 1.\nX = 1\nyes\n"


def test_replay_of_a_missing_file(tmp_path):
    status, out, _ = run("replay", tmp_path / "none.txt")
    assert (status, out) == (1, f"{tmp_path / 'none.txt'}: No such file or directory\n")


def test_version_and_usage():
    status, out, _ = run("--version")
    assert status == 0
    assert out.startswith("prism-repl ")
    assert run("--nosuch")[0] == 2
    assert run("replay")[0] == 2


def test_closed_output():
    done = subprocess.run(
        f"echo 'between(1,100000,X), write(X), nl, fail.' | {sys.executable} -m prism_repl | head -1",
        shell=True,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert b"Traceback" not in done.stderr


def test_the_name_of_byte_code_stands_for_its_source(tmp_path):
    (tmp_path / "m.psm").write_text("values(c,[a,b]).\np(X) :- msw(c,X).\n")
    status, out, err = run("m.psm.out", "-g", "prob(p(a))", cwd=tmp_path)
    assert (status, err) == (0, "")
    assert out.endswith("Probability of p(a) is: 0.500000000000000\n")


def test_run(tmp_path):
    (tmp_path / "m.psm").write_text("prism_main(Args) :- write(args(Args)), nl.\n")
    (tmp_path / "n.psm").write_text("prism_main :- write(plain), nl.\n")
    (tmp_path / "none.psm").write_text("p.\n")
    (tmp_path / "bad.psm").write_text("prism_main :- throw(my).\n")
    status, out, err = run("run", "m", "a", "-b", "c d", cwd=tmp_path)
    assert (status, err) == (0, "")
    assert out.endswith("args([a,-b,c d])\n\nyes\n")
    assert run("run", "n.psm", cwd=tmp_path)[1].endswith("plain\n\nyes\n")
    assert run("run", "prism:n", cwd=tmp_path)[0] == 0
    status, out, err = run("run", "none", cwd=tmp_path)
    assert status == 1
    assert "***  PRISM ERROR: prism_main/0-1 undefined -- none\nAborted by exception -- " in err
    status, out, err = run("run", "bad", cwd=tmp_path)
    assert (status, err) == (1, "Aborted by exception -- my\n")
    status, out, err = run("run", "nosuch", cwd=tmp_path)
    assert status == 1
    assert "Aborted by exception -- error(existence_error(prism_file,nosuch)" in err
    assert "batch file not specified" in run("run")[2]
