"""Batch runs: the commands recorded with PRISM (tests/sessions/54-batch/commands.txt), as `prism-repl run`.

Where a run does not succeed, its status is 1; errors name the predicate that was called.
"""

import re
import shutil
from pathlib import Path

import pytest

from prism_repl.repl.batch import run_main

RECORDED = Path(__file__).parent.parent / "sessions" / "54-batch"
COMMAND = re.compile(r"^\$ upprism(.*)\n((?:(?!\$ ).*\n)*?)\[exit status (\d)\]$", re.MULTILINE)
# What we print instead, and the status.
OURS = {
    "idle": "Aborted by exception -- error(existence_error(batch_predicate,idle),$pp_batch_main/2)",
    "nosuch": "Aborted by exception -- error(existence_error(prism_file,nosuch),prism/1)",
    "load:nosuch": "Aborted by exception -- error(existence_error(prism_file,nosuch),prism/2)",
    "prismn:nosuch": "Aborted by exception -- error(existence_error(prism_file,nosuch),prismn/1)",
    "": "Aborted by exception -- error(existence_error(prism_file,unknown),$pp_batch_main/2)",
}  # fmt: skip
REFUSED = {"hand"}  # PRISM prints nothing and succeeds


def lines(text: str) -> list[str]:
    text = re.sub(r"\b_[0-9a-f]+\b", "_", text)
    text = re.sub(r"(time: |used: )[\d.]+", r"\1", text)
    dropped = ("loading::", "prism-repl ", "%")  # % lines are remarks of ours
    return [line for line in text.splitlines() if line.strip() and not line.startswith(dropped)]


def words(text: str) -> list[str]:
    return [quoted or plain for quoted, plain in re.findall(r"'([^']*)'|(\S+)", text)]


@pytest.mark.parametrize(
    ("command", "output", "status"), COMMAND.findall((RECORDED / "commands.txt").read_text(encoding="utf-8"))
)
def test_recorded_commands(command, output, status, tmp_path, monkeypatch, capsys):
    command = command.strip()
    folder = shutil.copytree(RECORDED, tmp_path / "batch")
    monkeypatch.chdir(folder)
    program, *args = words(command) or [None]
    done = run_main(program, args)
    printed = capsys.readouterr()
    if command in REFUSED:
        assert done == 1
        assert "negation of a probabilistic goal" in printed.err
        return
    expected = lines(output)
    if command in OURS:
        expected[-1] = OURS[command]
    assert lines(printed.out) + lines(printed.err) == expected
    assert done == (1 if expected[-1] == "no" else int(status))


def test_there_are_commands():
    assert len(COMMAND.findall((RECORDED / "commands.txt").read_text(encoding="utf-8"))) == 24
