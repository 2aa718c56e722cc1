"""Running a goal in a fresh process of prism-repl or of SWI-Prolog, and what it took."""

import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"

# Milliseconds of CPU time around a goal, printed by the Prolog system itself: loading is not counted.
TIMED = "statistics(runtime,[A|_]), ({goal}), statistics(runtime,[B|_]), C is B-A, nl, write(ms(C)), nl"


@dataclass
class Run:
    """One finished process: the seconds it printed, and what the operating system counted."""

    seconds: float
    output: str
    wall: float
    cpu: float
    megabytes: float


class BenchmarkFailed(Exception):
    """The process did not print what was asked for; the message is what it printed instead."""


def swipl() -> str | None:
    return shutil.which("swipl")


def prism_command(files: Sequence[Path | str], goal: str) -> list[str]:
    return [sys.executable, "-m", "prism_repl", "-g", goal, *map(str, files)]


def swi_command(files: Sequence[Path | str], goal: str) -> list[str]:
    program = swipl()
    if program is None:
        raise BenchmarkFailed("swipl is not installed")
    return [program, "-q", "-g", goal, "-t", "halt", *map(str, files)]


def run(command: list[str], timeout: float = 600, folder: Path | None = None) -> Run:
    """Run a command to its end, in a folder; its own time and peak memory, not those of its neighbours."""
    # modules are compiled to bytecode once, as an install does it
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=env,
        cwd=folder,
    )
    assert process.stdout is not None
    timer = threading.Timer(timeout, process.kill)
    timer.start()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)  # unlike process.wait, this tells what this child used
    timer.cancel()
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise BenchmarkFailed(f"{' '.join(command)}\nended with {process.returncode}:\n{output[-2000:]}")
    found = re.findall(r"ms\((\d+)\)", output)
    seconds = int(found[-1]) / 1000 if found else float("nan")
    return Run(seconds, output, wall, usage.ru_utime + usage.ru_stime, megabytes(usage))


def megabytes(usage: resource.struct_rusage) -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * unit / 1e6


def timed(command, files: Sequence[Path | str], goal: str, repeat: int = 3) -> Run:
    """The fastest of some runs of a goal; `command` is prism_command or swi_command."""
    runs = [run(command(files, TIMED.format(goal=goal))) for _ in range(repeat)]
    best = min(runs, key=lambda one: one.seconds)
    if not best.seconds >= 0:
        raise BenchmarkFailed(best.output[-2000:])
    return best


def swi_lips(repeat: int = 3) -> float | None:
    """Naive reverse in SWI-Prolog, inferences a second: the yardstick of the machine; None without it."""
    if swipl() is None:
        return None
    times = 40_000
    best = timed(swi_command, [PROGRAMS / "nreverse.pl"], f"bench({times})", repeat)
    return 496 * times / best.seconds


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as plain text: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [title, ""]
    for row in [head, ["-" * width for width in widths], *rows]:
        cells = [
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
