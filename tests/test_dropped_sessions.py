"""Sessions that are made and dropped leave nothing behind."""

import subprocess
import sys
from pathlib import Path

import pytest

import prism_repl

PROGRAM = """
import sys
from prism_repl import Session

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def session():
    s = Session(output=lambda text: None)
    for query in ("assertz(k(f(X,[1,2.5])))", "k(Y)", "prob(msw(c,h),P)", "sort([c,b,a],L)"):
        list(s.ask(query))

for _ in range(16):
    session()
before = resident()
for _ in range(int(sys.argv[1])):
    session()
print(resident() - before)
"""


@pytest.mark.unchecked  # sanitizers keep what is freed
@pytest.mark.parametrize("count", [48, pytest.param(1000, marks=pytest.mark.long)])
def test_memory_of_dropped_sessions_is_used_again(count):
    if not Path("/proc/self/statm").exists():
        pytest.skip("NO /proc HERE: the memory of dropped sessions is not measured")
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(count)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(prism_repl.__file__).parents[1]), "PATH": "/usr/bin:/bin"},
        timeout=1200,
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 10_000_000
