"""The start: without what is not needed (its time is measured in tests/benchmarks/explanations.py)."""

import os
import subprocess
import sys


def environment(cache):
    """As for an installed package: byte code is kept."""
    path = os.pathsep.join(p for p in sys.path if p)
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": str(cache)}


def test_a_goal_needs_no_prompt(tmp_path):
    program = (
        "import sys; from prism_repl.cli import main; main(['-g','true']);"
        "print(sorted(set(sys.argv[1].split()) & set(sys.modules)))"
    )
    unneeded = "prompt_toolkit pygments asyncio tomllib subprocess numpy concurrent.futures"
    command = [sys.executable, "-c", program, unneeded]
    out = subprocess.run(command, env=environment(tmp_path), capture_output=True, check=True)
    assert out.stdout == b"[]\n"
