"""What the README shows is true: its sessions replay, its Python runs, its commands are there."""

import re
from pathlib import Path

import pytest

from prism_repl.repl.compare import diff_text
from prism_repl.repl.replay import replay

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_session_replays(tmp_path):
    (session,) = blocks("prism-session")
    for program in (ROOT / "examples").glob("*.psm"):
        (tmp_path / program.name).write_bytes(program.read_bytes())
    path = tmp_path / "readme.session.txt"
    path.write_text(session)
    results = list(replay(path))
    assert len(results) == 7
    wrong = [diff_text(r.entry.output, r.actual) for r in results if not r.agrees]
    assert not wrong, "\n\n".join(wrong)


def test_python_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (code,) = blocks("python")
    exec(compile(code, "README.md", "exec"), {})
    assert re.fullmatch(r"o o 0\.29\d+\n", capsys.readouterr().out)


def test_shown_clauses_are_those_of_the_example():
    (clauses,) = blocks("prolog")
    program = (ROOT / "examples" / "blood.psm").read_text()
    for line in clauses.splitlines():
        assert line.split("%")[0].strip() in program


def test_one_test_command():
    """.ci/run takes it from here."""
    assert len(re.findall(r"^    python3 .*pytest.*$", README, re.MULTILINE)) == 1


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_links(link):
    assert (ROOT / link).exists()
