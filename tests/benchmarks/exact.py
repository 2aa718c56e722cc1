"""Exact probabilities beside ProbLog 2: the same numbers, and the time from the text of a program to them.

pip install '.[bench]'
python -m tests.benchmarks.exact [--small] [--seconds 120] [name ...]

ProbLog runs in a process of its own, which is stopped after --seconds; prism-repl in this one. Loading,
search, compiling and evaluation count in both. Times are those of the processor, with all threads and child
processes, so that other work on the machine does not matter.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.exact_programs import CASES, Case, grid
from tests.support.programs import Program


def ours(case: Case) -> tuple[dict[str, float], float]:
    """The probabilities of the goals, and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        program = Program(Path(folder), case.prism)
        program.printed("set_prism_flag(trials,once)")
        numbers = {}
        for goal in case.goals:
            query = f"prob({goal},{case.given()},P)" if case.evidence else f"prob({goal},P)"
            numbers[goal] = program.number(query) or 0.0
        return numbers, time.process_time() - started


def processor_time() -> float:
    """Of this process and of the compilers that it has started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def theirs(case: Case) -> tuple[dict[str, float], float]:
    """The same from ProbLog."""
    from problog import get_evaluatable
    from problog.program import PrologString

    started = processor_time()
    results = get_evaluatable().create_from(PrologString(case.problog_text())).evaluate()
    seconds = processor_time() - started
    return {str(goal).replace(" ", ""): float(p) for goal, p in results.items()}, seconds


def _send(case: Case, pipe: Any) -> None:
    pipe.send(theirs(case))


def theirs_limited(case: Case, seconds: float) -> tuple[dict[str, float], float] | None:
    """The same, or None if it does not end in time."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_send, args=(case, sender), daemon=True)
    process.start()
    try:
        return receiver.recv() if receiver.poll(seconds) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def difference(one: dict[str, float], other: dict[str, float]) -> float:
    return max(abs(p - other[goal.replace(" ", "")]) for goal, p in one.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="cases (default: all)")
    parser.add_argument("--small", action="store_true", help="the small sizes: numbers rather than times")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long to wait for ProbLog")
    options = parser.parse_args()
    ratios = []
    print(f"{'program':32} {'size':>4} {'ProbLog':>10} {'ours':>10} {'times':>7}  largest difference")
    for name, (make, small, large) in CASES.items():
        if options.names and not any(wanted in name for wanted in options.names):
            continue
        size = small if options.small else large
        case = make(size)
        numbers, seconds = ours(case)
        result = theirs_limited(case, options.seconds)
        if result is None:
            print(f"{name:32} {size:4} > {options.seconds:6.0f} s {seconds:8.3f} s", flush=True)
            ratios.append(options.seconds / seconds)
            continue
        ratios.append(result[1] / seconds)
        print(
            f"{name:32} {size:4} {result[1]:8.3f} s {seconds:8.3f} s {ratios[-1]:7.1f}"
            f"  {difference(numbers, result[0]):.1e}",
            flush=True,
        )
    print(f"geometric mean: {math.exp(math.fsum(map(math.log, ratios)) / len(ratios)):.1f} times faster")
    if not options.names:
        _, seconds = ours(grid(5))
        print(f"5 x 5 grid: {seconds:.2f} s")


if __name__ == "__main__":
    main()
