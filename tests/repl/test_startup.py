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


def test_the_collector_looks_at_no_part_of_numpy(tmp_path):
    program = (
        "import gc, sys; from prism_repl.cli import main; from prism_repl import arrays;"
        "main(['-g','true']); before = gc.get_freeze_count();"
        "assert 'numpy' not in sys.modules; arrays.np.zeros(1);"
        "print(before > 0, gc.get_freeze_count() - before > 5000, gc.isenabled())"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], env=environment(tmp_path), capture_output=True, check=True
    )
    assert out.stdout == b"True True True\n"


def test_a_program_that_imports_us_keeps_its_collector(tmp_path):
    program = "import gc, prism_repl.arrays; prism_repl.arrays.np.zeros(1); print(gc.get_freeze_count())"
    out = subprocess.run(
        [sys.executable, "-c", program], env=environment(tmp_path), capture_output=True, check=True
    )
    assert out.stdout == b"0\n"
