"""The random runs of MCMC that were recorded with PRISM (48-mcmc-predict/runs.txt), digit by digit.

PRISM takes the noise of VB's start for the prior of the chain; from the query that makes the noise large
the flag mcmc_prior makes ours do the same. Restarts of VB are left out: PRISM's prior piles up over them.
"""

import re
import shutil
from pathlib import Path

import pytest

from prism_repl.repl.compare import diff_text
from prism_repl.repl.replay import replay

RECORDED = Path(__file__).parent.parent / "sessions" / "48-mcmc-predict"
SECTION = re.compile(r"^% ---- seed (\d+) ----\n(.*?)(?=^% ---- seed|\Z)", re.MULTILINE | re.DOTALL)
NOISE = "?- set_prism_flag(std_ratio,0.2).\n"
RESTARTS = "?- set_prism_flag(restart,3).\n"


@pytest.mark.parametrize(
    ("seed", "text"), SECTION.findall((RECORDED / "runs.txt").read_text(encoding="utf-8"))
)
def test_recorded_runs(seed, text, tmp_path):
    folder = shutil.copytree(RECORDED, tmp_path / "runs")
    text = text[: text.index(RESTARTS)].replace(
        NOISE, f"?- set_prism_flag(mcmc_prior,start).\nyes\n\n{NOISE}"
    )
    (folder / "runs.txt").write_text(f"?- set_seed({seed}).\nyes\n\n{text}")
    wrong = [
        f"line {r.entry.line}: ?- {r.entry.query}\n{diff_text(r.entry.output, r.actual)}"
        for r in replay(folder / "runs.txt")
        if not r.agrees
    ]
    assert not wrong, "\n\n" + "\n\n".join(wrong)


def test_there_are_runs():
    assert len(SECTION.findall((RECORDED / "runs.txt").read_text(encoding="utf-8"))) == 3
