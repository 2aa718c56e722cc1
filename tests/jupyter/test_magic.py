"""%prism and %%prism in IPython."""

import pytest

pytest.importorskip("IPython", reason="SKIPPED: IPython is not installed (extra `jupyter`)")

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from prism_repl import Answers, Session, Struct
from prism_repl.jupyter.magic import QueryError

PROGRAM = "%%prism\n%%program coins\nvalues(coin,[head,tail],[0.25,0.75]).\ntoss(X) :- msw(coin,X).\n"


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "prism_repl")
    yield shell
    shell.history_manager.end_session()


def run(shell, code):
    """The value of a cell; its error is raised."""
    result = shell.run_cell(code)
    result.raise_error()
    return shell.user_ns.get("_result") if code.startswith("_result") else result.result


def test_queries(shell):
    found = run(shell, "%prism member(X,[1,b])")
    assert isinstance(found, Answers)
    assert [answer["X"] for answer in found] == [1, "b"]
    assert run(shell, "_result = %prism X = 1")[0]["X"] == 1
    assert not run(shell, "%prism fail")
    assert isinstance(run(shell, "_result = %prism"), Session)


def test_programs_and_commands(shell, capsys):
    run(shell, PROGRAM)
    found = run(shell, "%%prism\nprob(toss(head)).\nprob(toss(tail),P).")
    assert found[0]["P"] == 0.75
    assert "Probability of toss(head) is: 0.25" in capsys.readouterr().out
    frame = run(shell, "%prism %sw")
    assert frame["probability"].tolist() == [0.25, 0.75]


def test_variables_go_in(shell):
    run(shell, "import numpy as np\nwords = ['a b', 1, 0.1]\nx = np.array([0.1, 1/3])\nname = \"it's\"")
    found = run(shell, "%prism {words} = [A|_], X = {x}, N = {name}, Q = '{x}', {words} = W")
    assert found[0]["A"] == "a b"
    assert found[0]["X"] == [0.1, 1 / 3]  # to the last digit
    assert found[0]["N"] == "it's"
    assert found[0]["Q"] == "{x}"
    assert found[0]["W"] == ["a b", 1, 0.1]


def test_variables_come_out(shell):
    run(shell, "%prism -o X,Y member(X,[1,2]), Y = f(X)")
    assert (shell.user_ns["X"], shell.user_ns["Y"]) == (1, Struct("f", 1))
    run(shell, "%%prism --out Z\ntrue.\nZ = [a].")
    assert shell.user_ns["Z"] == ["a"]
    with pytest.raises(UsageError, match="does not bind W"):
        run(shell, "%prism -o W X = 1")
    with pytest.raises(UsageError, match="no answer"):
        run(shell, "%prism -o X fail")


def test_a_session_of_ones_own(shell):
    shell.user_ns["mine"] = Session(lambda text: None)
    shell.user_ns["mine"].once("assertz(own(1))")
    assert run(shell, "%prism -s mine own(X)")[0]["X"] == 1
    with pytest.raises(UsageError, match="nothing is not a Session"):
        run(shell, "%prism -s nothing own(X)")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("%prism nosuch(1)", "there is no predicate nosuch/1"),
        ("%prism X = {nosuch}", "{nosuch}: there is no Python variable nosuch"),
        ("mapping = {}\n%prism X = {mapping}", "{mapping}: a mapping has no Prolog term"),
        ("x = 1\n%prism f({x} b)", "Syntax error in line 1, column 7: "),
        ("%%prism\ntrue.\n\nX = f(a b).", "Syntax error in line 3, column 9: "),
    ],
)
def test_errors_are_sentences(shell, code, said):
    with pytest.raises(QueryError) as caught:
        run(shell, code)
    assert caught.value._render_traceback_()[0].startswith(said)


def test_what_a_session_prints_goes_where_it_went_before(shell, capsys):
    texts = []
    shell.user_ns["mine"] = Session(texts.append)
    run(shell, "%prism -s mine write(shown)")
    shell.user_ns["mine"].once("write(kept)")
    assert texts == ["kept"]
    assert "shown" in capsys.readouterr().out
