"""Some of the random goals of tests/support/fuzz.py, and of the uses of the Python face of
tests/support/fuzz_face.py, in every run; any number of them by these modules."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import prism_repl


@pytest.mark.parametrize(("module", "count"), [("fuzz", 100), ("fuzz_face", 60)])
def test_random_goals_leave_the_session_usable(module, count, tmp_path):
    root = Path(prism_repl.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), str(Path(__file__).parents[1])])}
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", f"tests.support.{module}", "0", str(count)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
        timeout=1800,
    )
    assert run.returncode == 0, run.stdout[-1500:] + run.stderr[-3000:]
    assert "done" in run.stdout
