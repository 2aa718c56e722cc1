"""The real program at a terminal: typing, answers, Ctrl-C, completion, history, long output."""

import re
import time

import pytest

from tests.repl.terminal import Terminal

CTRL_C = "\x03"


@pytest.fixture
def terminal(tmp_path):
    started = []

    def start(*args, **options):
        started.append(Terminal(tmp_path, *args, **options))
        return started[-1].ready()

    yield start
    for t in started:
        t.child.close(force=True)


def test_answers(terminal):
    t = terminal()
    t.query("X = 1.")
    t.wait(r"X = 1\nyes\n")
    t.ready()
    t.query("member(X,[a,b,c]).")
    t.wait(r"X = a \?.*Enter stop")  # the keys are told the first time
    t.type(";")
    t.wait(r";\nX = b \?")
    t.type("\r")
    t.wait(r"\nyes\n")
    t.ready()
    t.query("member(X,[a,b,c]).")
    shown = t.wait(r"X = a \?")
    t.type("h")
    t.wait("the next answer")
    t.wait(r"X = a \?")
    t.type("a")
    shown = t.wait(r"X = c\nyes\n")
    assert "Enter stop" not in shown
    t.ready()
    assert t.end() == 0


def test_query_over_several_lines(terminal):
    t = terminal()
    t.type("member(X,[a,\r")
    t.wait(r"\|  ")
    t.type("b]).\r")
    t.wait(r"X = a \?")


def test_a_query_without_its_period(terminal):
    t = terminal()
    t.type("X = 1\r")
    t.wait("a query ends with")
    t.type(".\r")
    t.wait(r"X = 1\nyes\n")


def test_highlighting(terminal, tmp_path):
    t = terminal()
    t.type("foo(X)")
    t.wait("foo")
    assert re.search(r"\x1b\[[0-9;]*38;5;\d+m", t.raw)
    plain = Terminal(tmp_path, "--color", "never").ready()
    plain.query("X = 1.")
    plain.wait("yes\n")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9](;5;\d+)?m", plain.raw)
    plain.end()


def test_interrupts(terminal):
    t = terminal()
    t.query("assertz((loop :- loop)).")
    t.wait("yes\n")
    t.ready()
    t.query("loop.")
    time.sleep(0.5)
    t.type(CTRL_C)
    t.wait(r"\*\*\* interrupted")
    t.ready()
    t.type("half a query")
    t.wait("half a query")
    t.type(CTRL_C)  # clears the line
    t.ready()
    t.query("member(X,[a,b]).")
    t.wait(r"X = a \?")
    t.type(CTRL_C)  # stops
    t.wait("yes\n")
    t.ready()
    t.query("X = still_here.")
    t.wait(r"X = still_here\nyes\n")
    assert t.ready().end() == 0


def test_completion(terminal):
    t = terminal()
    t.type("set_prism_flag(learn_m\t")
    t.wait("learn_mode")
    t.type(CTRL_C)
    t.ready()
    t.type("show_sw\t")
    t.wait("Print the parameters")
    t.type(CTRL_C)


def test_history(terminal, tmp_path):
    t = terminal()
    t.query("X = first(1).")
    t.wait("yes\n")
    t.ready()
    t.query("X = second.")
    t.wait("yes\n")
    assert t.ready().end() == 0
    t = terminal()
    t.type("\x12first")  # reverse search
    t.wait("first")
    t.type("\r\r")
    t.wait(r"X = first\(1\)\nyes\n")
    assert (tmp_path / ".local/state/prism-repl/history").exists()


def test_pasting_many_lines(terminal):
    t = terminal()
    lines = "\r\n".join(f"assertz(pasted({i}))." for i in range(500))
    t.type(f"\x1b[200~{lines}\x1b[201~")
    t.type("\r")
    t.ready()
    t.query("findall(x,pasted(_),_L), length(_L,N), write(pasted=N), nl.")
    t.wait("pasted=500\n")


def test_a_long_answer(terminal):
    t = terminal(rows=20)
    t.query("numlist(1,150000,L).")  # about 1 MB
    t.wait(r"yes\n\(folded: Alt-W shows it whole\)\n")
    t.ready()
    t.type("\x1bw")
    t.wait("--More--")
    t.type("a")
    t.wait(r"149999,150000\]\nyes\n", timeout=120)
    t.ready()


def test_the_rest_of_a_long_answer_is_skipped(terminal):
    t = terminal(rows=20)
    t.query("numlist(1,150000,L).")
    t.wait(r"\(folded")
    t.ready()
    t.type("\x1bw")
    t.wait("--More--")
    t.type("q")
    t.wait(r"\(skipped\)\n")
    t.ready()
    t.query("X = 1.")
    t.wait(r"X = 1\nyes\n")


def test_a_folded_answer_takes_no_keys(terminal):
    """The next query may be typed, or come from a paste, at once."""
    t = terminal()
    t.type("numlist(1,1000,L).\rwrite(next), nl.\r")
    t.wait(r"\(folded")
    t.wait(r"next\n\nyes\n")


def test_a_query_that_was_copied_with_its_prompt(terminal):
    t = terminal()
    t.query("?- X = 1.")
    t.wait(r"X = 1\nyes\n")
    t.ready()
    t.type("\x1b[200~?- X = 2.\n| ?- Y = 3.\x1b[201~\r")
    t.wait(r"X = 2\nyes\n")
    t.wait(r"Y = 3\nyes\n")


def test_no_suggestions_without_colours(terminal, tmp_path):
    t = Terminal(tmp_path, "--color", "never").ready()
    t.query("append([a],[b],Unlikely).")
    t.wait("yes\n")
    t.ready()
    t.type("appe")
    t.wait("appe")
    time.sleep(0.3)
    with pytest.raises(AssertionError):
        t.wait("Unlikely", timeout=0.5)
    t.type(CTRL_C)
    t.ready().end()


def test_lines_that_come_without_marks_of_pasting(terminal):
    """As from a terminal without bracketed paste: many keys at once."""
    t = terminal()
    t.type("X = [\r" + "".join(f"item({i}),\r" for i in range(60)) + "last], length(X,N).\r")
    t.wait(r"N = 61\nyes\n")
    t.type("".join(f"assertz(pasted({i})).\r" for i in range(20)))
    t.wait(r"pasted\(19\)\)\.")
    t.wait(r"yes\n")
    t.ready()
    t.query("findall(x,pasted(_),_L), length(_L,N).")
    t.wait(r"N = 20\nyes\n")


def test_resizing(terminal):
    t = terminal()
    t.type("member(X,[a,b")
    t.wait("a,b")
    t.child.setwinsize(20, 20)
    t.type(",c,d,e,f")
    t.wait("f")
    t.child.setwinsize(40, 120)
    t.type("]).\r")
    t.wait(r"X = a \?")
    t.child.setwinsize(20, 60)
    t.type("\r")
    t.wait("yes\n")
    t.ready()
    t.query("repeat, fail.")
    t.wait("fail")
    t.child.setwinsize(50, 100)
    time.sleep(0.3)
    t.type(CTRL_C)
    t.wait(r"\*\*\* interrupted( in (repeat|fail)/0)?\n")
    t.ready()
    t.query("X = still_here.")
    t.wait(r"X = still_here\nyes\n")


def test_an_interrupt_says_where(terminal, tmp_path):
    (tmp_path / "walk.pl").write_text("go :- walk(0).\nwalk(N) :- M is N+1, walk(M).\n")
    t = terminal(tmp_path / "walk.pl")
    t.query("go.")
    t.wait("go")
    time.sleep(0.3)
    t.type(CTRL_C)
    t.wait(r"\*\*\* interrupted in (walk/1|is/2)\n")
    t.ready()


def test_an_interrupt_in_learning(terminal, tmp_path):
    (tmp_path / "coin.psm").write_text("values(coin(_),[a,b]).\nt(X) :- msw(coin(1),Y), msw(coin(Y),X).\n")
    t = terminal(tmp_path / "coin.psm")
    t.query("set_prism_flag(restart,1000000).")
    t.wait("yes\n")
    t.ready()
    t.query("learn([t(a),t(a),t(b)]).")
    t.wait("#em-iters")
    time.sleep(0.3)
    t.type(CTRL_C)
    t.wait(r"\(Interrupted\)\nKeep the parameters of iteration \d+, -\d+\.\d+\? \(y/n\) ")
    t.type("y")
    t.wait(r"yes\n\*\*\* error\(prism_runtime_error\(ctrl_c_pressed\),learn/1\)\n")
    t.ready()
    assert t.end() == 0


def test_vi_keys_and_light_style(tmp_path):
    folder = tmp_path / ".config" / "prism-repl"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_bytes(b'editing = "vi"\r\nstyle = "light"\r\n')
    t = Terminal(tmp_path).ready()
    t.type("wrong(1)")
    t.wait(r"wrong\(1\)")
    t.type("\x1b")
    time.sleep(1)  # else it would be taken for Alt with the next key
    t.type("0cwX = right\x1b")
    time.sleep(1)
    t.type("A.\r")
    t.wait(r"X = right\(1\)\nyes\n")
    assert "\x1b[38;5;88m" not in t.raw
    t.ready()
    t.query("fail.")
    t.wait("no\n")
    assert "\x1b[38;5;124mno" in t.raw  # the dark red of the light style
    assert t.ready().end() == 0


def test_narrow_terminal(terminal):
    t = terminal(columns=20)
    t.query("X = a_rather_long_atom_that_does_not_fit.")
    t.wait("yes\n")
    t.child.setwinsize(30, 120)
    t.ready()
    t.query("X = resized.")
    t.wait(r"X = resized\nyes\n")


def test_dumb_terminal(tmp_path):
    t = Terminal(tmp_path, env={"TERM": "dumb"}).ready()
    t.query("member(X,[a,b]).")
    t.wait(r"X = a \?")
    t.type(";")
    t.wait(r"X = b\nyes\n")
    # prompt_toolkit shows the cursor in its own way; ours is plain text
    assert set(re.findall(r"\x1b\[?[^a-zA-Z]*[a-zA-Z78]", t.raw)) <= {"\x1b[?12l", "\x1b[?25h"}
    assert t.ready().end() == 0


def test_bad_configuration_and_history(tmp_path):
    folder = tmp_path / ".config" / "prism-repl"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("style = [")
    (tmp_path / ".local/state/prism-repl/history").mkdir(parents=True)
    t = Terminal(tmp_path)
    t.wait("not a TOML file")
    t.ready()
    t.query("X = 1.")
    t.wait(r"yes\n")
    assert "cannot" in t.text()
    assert t.ready().end() == 0


def test_syntax_error_and_invalid_bytes(terminal):
    t = terminal()
    t.query("X = (a.")
    t.wait("<<HERE>>")
    t.ready()
    t.child.write("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"))
    t.query("\x15X = ok.")
    t.wait(r"X = ok\nyes\n")


def test_program_that_reads(terminal):
    t = terminal()
    t.query("read(X).")
    t.wait(r"\|:")
    t.query("foo(bar).")
    t.wait(r"X = foo\(bar\)\nyes\n")


def test_clauses_typed_in(terminal):
    t = terminal()
    t.query("p :- q.")
    t.wait(r"Undefined procedure: \(:-\)/2\n.*\[user\]")
    t.ready()
    t.query("[user].")
    t.wait("Ctrl-D ends the input")
    t.query("p(1).")
    t.wait(r"\|:")
    t.query("p(")
    t.wait(r"\|:")
    t.query("2).")
    t.wait(r"\|:")
    t.type("\x04")
    t.wait("yes\n")
    t.ready()
    t.query("findall(X,p(X),L).")
    t.wait(r"L = \[1,2\]")


def test_halt(terminal):
    t = terminal()
    t.query("halt(3).")
    t.child.expect("$")
    t.child.wait()
    assert t.child.exitstatus == 3
