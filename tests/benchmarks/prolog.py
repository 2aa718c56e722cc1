"""The Prolog machine beside SWI-Prolog, on the programs of tests/benchmarks/programs.

    python -m tests.benchmarks.prolog [--repeat 3] [NAME...]

Each program runs in a fresh process of each system, in turn; the figure is the least CPU time of some runs,
taken inside the process, so that start and loading do not count. Nothing is asserted: a table is printed.
"""

import argparse
import math

from tests.benchmarks.runs import PROGRAMS, BenchmarkFailed, prism_command, swi_command, swipl, table, timed

# How often each program repeats its work: about half a second in SWI-Prolog 9.
TIMES = {
    "nreverse": 40_000,
    "tak": 60,
    "queens": 80,
    "derive": 50_000,
    "database": 12,
    "zebra": 300,
    "meta": 4_000,
    "atoms": 100,
}


def measure(command, name: str, repeat: int) -> float | None:
    try:
        return timed(command, [PROGRAMS / f"{name}.pl"], f"bench({TIMES[name]})", repeat).seconds
    except BenchmarkFailed as failure:
        print(f"{name}: {failure}")
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description="prism-repl beside SWI-Prolog")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TIMES))
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of each program, of which the best counts"
    )
    options = parser.parse_args()
    unknown = set(options.names) - set(TIMES)
    if unknown:
        parser.error("no such program: " + ", ".join(sorted(unknown)))
    if swipl() is None:
        parser.error("swipl is not installed (Debian: swi-prolog-nox)")
    rows = []
    ratios = []
    for name in options.names or TIMES:
        theirs = measure(swi_command, name, options.repeat)
        ours = measure(prism_command, name, options.repeat)
        if not ours or not theirs:
            rows.append(
                [name, f"{theirs:.3f}" if theirs else "failed", f"{ours:.3f}" if ours else "failed", ""]
            )
            continue
        ratios.append(theirs / ours)
        rows.append([name, f"{theirs:.3f}", f"{ours:.3f}", f"{ratios[-1]:.2f}"])
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        rows.append(["geometric mean", "", "", f"{mean:.2f}"])
        rows.append(["least", "", "", f"{min(ratios):.2f}"])
    print(
        table(
            "CPU seconds; SWI / prism-repl above 1: prism-repl is faster",
            ["program", "SWI-Prolog", "prism-repl", "SWI / prism-repl"],
            rows,
        )
    )
    if "nreverse" in (options.names or TIMES) and rows[0][0] == "nreverse" and rows[0][3]:
        inferences = 496 * TIMES["nreverse"] / 1e6
        print(
            f"\nnaive reverse, million inferences a second: SWI-Prolog {inferences / float(rows[0][1]):.0f}, "
            f"prism-repl {inferences / float(rows[0][2]):.0f}"
        )


if __name__ == "__main__":
    main()
