"""Exact probabilities beside ProbLog 2: the same numbers, and the time from the text of a program to them.

pip install '.[bench]'
python -m tests.benchmarks.exact [--small] [--seconds 120] [--random 200] [name ...]

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
import warnings
from pathlib import Path
from typing import Any

from tests.benchmarks.exact_programs import CASES, Case, grid
from tests.support.programs import Program
from tests.support.worlds import random_program


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
    return max((abs(p - other[goal.replace(" ", "")]) for goal, p in one.items()), default=0.0)


def compare(names: list[str], small: bool, seconds: float) -> None:
    """The programs one by one, and the mean over those that ProbLog needs a second or more for."""
    ratios = []
    print(f"{'program':32} {'size':>4} {'ProbLog':>10} {'ours':>10} {'times':>7}  largest difference")
    for name, (make, least, most) in CASES.items():
        if names and not any(wanted in name for wanted in names):
            continue
        size = least if small else most
        case = make(size)
        numbers, own = ours(case)
        result = theirs_limited(case, seconds)
        if result is None:
            print(f"{name:32} {size:4} > {seconds:6.0f} s {own:8.3f} s", flush=True)
            ratios.append(seconds / own)
            continue
        ratio = result[1] / own
        if result[1] >= 1.0:
            ratios.append(ratio)
        print(
            f"{name:32} {size:4} {result[1]:8.3f} s {own:8.3f} s {ratio:7.1f}"
            f"  {difference(numbers, result[0]):.1e}",
            flush=True,
        )
    if ratios:
        mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of the {len(ratios)} that ProbLog needs a second for: {mean:.1f} times faster")


def compare_random(n: int) -> None:
    """Random small programs against ProbLog, and against the list of all their worlds."""
    from_problog = from_worlds = 0.0
    n_goals = 0
    for seed in range(n):
        program = random_program(seed)
        exact = {f"g{i}": program.probability(f"g{i}") for i in range(5)}
        goals = [goal for goal, p in exact.items() if p > 0.0]
        case = Case(program.prism(), program.problog(), goals)
        found = ours(case)[0]
        from_problog = max(from_problog, difference(found, theirs(case)[0]))
        from_worlds = max(from_worlds, difference(found, exact))
        n_goals += len(goals)
    print(
        f"{n} random programs, {n_goals} goals: largest difference {from_problog:.1e} from ProbLog, "
        f"{from_worlds:.1e} from all worlds",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="cases (default: all, random programs and the grid)")
    parser.add_argument("--small", action="store_true", help="the small sizes: numbers rather than times")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long to wait for ProbLog")
    parser.add_argument("--random", type=int, help="how many random programs (default: 200, with names none)")
    options = parser.parse_args()
    if not options.names:
        case = grid(5)
        started = time.perf_counter()
        _, seconds = ours(case)
        print(f"5 x 5 grid: {seconds:.2f} s, {time.perf_counter() - started:.2f} s elapsed", flush=True)
    n_random = options.random if options.random is not None else 0 if options.names else 200
    if n_random:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compare_random(n_random)
    compare(options.names, options.small, options.seconds)


if __name__ == "__main__":
    main()
