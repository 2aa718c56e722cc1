"""Some of the random goals of tests/support/fuzz.py in every run; any number of them by that module."""

import os
import subprocess
import sys
from pathlib import Path

import prism_repl

COUNT = 100


def test_random_goals_leave_the_session_usable(tmp_path):
    root = Path(prism_repl.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), str(Path(__file__).parents[1])])}
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.support.fuzz", "0", str(COUNT)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
        timeout=1800,
    )
    assert run.returncode == 0, run.stdout[-1500:] + run.stderr[-3000:]
    assert "done" in run.stdout
