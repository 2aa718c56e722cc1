"""The start: quick, and without what is not needed."""

import os
import resource
import subprocess
import sys

import pytest

from prism_repl.prolog import machine


def environment(cache):
    """As for an installed package: byte code is kept."""
    path = os.pathsep.join(p for p in sys.path if p)
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": str(cache)}


def seconds(cache, *args):
    """Processor time of a run of Python: other programs on the machine matter less to it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *args], env=environment(cache), check=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.skipif(machine.__file__.endswith(".py"), reason="the library is loaded by uncompiled code")
def test_start_takes_at_most_2_5_times_that_of_numpy(tmp_path):
    ours = lambda: seconds(tmp_path, "-m", "prism_repl", "-g", "true")  # noqa: E731
    theirs = lambda: seconds(tmp_path, "-c", "import numpy")  # noqa: E731
    ours(), theirs()  # compiles to byte code
    assert min(ours() for _ in range(4)) < 2.5 * min(theirs() for _ in range(4))


def test_a_goal_needs_no_prompt(tmp_path):
    program = (
        "import sys; from prism_repl.cli import main; main(['-g','true']);"
        "print(sorted({'prompt_toolkit','pygments','asyncio','tomllib'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    out = subprocess.run(command, env=environment(tmp_path), capture_output=True, check=True)
    assert out.stdout == b"[]\n"
