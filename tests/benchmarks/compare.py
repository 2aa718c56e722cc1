"""Two versions of prism-repl beside each other: what a change costs, or gains.

    git worktree add ../before COMMIT
    (cd ../before; python -c 'from setuptools import setup; setup()' build_ext --inplace)
    python -m tests.benchmarks.compare ../before [--after .] [--treebank FOLDER] [--repeat 5] [NAME...]

Each work is done by fresh processes of the two versions in turns; the figure is the least CPU time of some
runs, so that other load of the machine matters little. Both run the programs of this folder. Without a
treebank (tests/benchmarks/treebank.py says what that is) a small random one is made. Nothing is asserted.
"""

import argparse
import math
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import treebank
from tests.benchmarks.explanations import sequences
from tests.benchmarks.prolog import TIMES
from tests.benchmarks.runs import PROGRAMS, TIMED, BenchmarkFailed, prism_command, run, table

# A learn: its whole CPU time. It is the second of two, as versions differ in when they load what is loaded
# once (numpy at the start, or when an array is first made).
LEARN = (
    "prism('{program}'), load_clauses('{data}',Gs), set_prism_flag(learn_mode,ml), "
    "set_prism_flag(max_iterate,5), set_prism_flag(epsilon,1.0e-30), learn(Gs), "
    "statistics(runtime,[A|_]), learn(Gs), statistics(runtime,[B|_]), C is B-A, nl, write(ms(C)), nl"
)
# What an iteration takes (wall time, as the system reports it). VT needs few of them, and how many depends on
# where it begins: so the start is given, and the learn that counts is the second, after what is loaded once.
ITERATE = (
    "prism('{program}'), load_clauses('{data}',Gs), set_prism_flag(learn_mode,{mode}), "
    "set_prism_flag(init,none), set_prism_flag(max_iterate,100), set_prism_flag(epsilon,1.0e-30), "
    "set_sw_all(_,[0.6,0.4]), set_sw(out(s0),[0.51,0.49]), set_sw(tr(s1),[0.3,0.7]), save_sw('{start}'), "
    "learn(Gs), restore_sw('{start}'), learn(Gs), "
    "learn_statistics(em_time,E), learn_statistics(num_iterations,I), F is 1000*E/I, "
    "nl, write(iteration(F)), nl"
)


@dataclass
class Work:
    """One row: how it is run, and how its milliseconds are read from the finished process."""

    name: str
    files: list[Path]
    goal: str
    milliseconds: Callable[[str, float], float]


def printed(word: str) -> Callable[[str, float], float]:
    """Reads the figure that the goal prints as word(Milliseconds)."""

    def read(output: str, cpu: float) -> float:
        found = re.findall(word + r"\(([^)]+)\)", output)
        if not found:
            raise BenchmarkFailed(output[-2000:])
        return float(found[-1])

    return read


def learning(program: Path, data: Path) -> str:
    return LEARN.format(program=program.as_posix(), data=data.as_posix())


def iterating(program: Path, data: Path, mode: str) -> str:
    start = data.with_suffix(".start")
    return ITERATE.format(program=program.as_posix(), data=data.as_posix(), start=start.as_posix(), mode=mode)


def works(folder: Path, trees: Path) -> list[Work]:
    """All rows, with their data in a folder."""
    found = [Work("start", [], "true", lambda output, cpu: 1000 * cpu)]
    for name, times in TIMES.items():
        goal = TIMED.format(goal=f"bench({times})")
        found.append(Work(name, [PROGRAMS / f"{name}.pl"], goal, printed("ms")))
    for name, program, count, length, seed in (
        ("HMM 1000 x 100", "hmm", 1000, 100, 1),
        ("PCFG 100 x 20", "pcfg", 100, 20, 2),
        ("PCFG 20 x 40", "pcfg", 20, 40, 3),
    ):
        data = folder / f"{program}{length}.dat"
        data.write_text("\n".join(sequences(program, count, length, seed)) + "\n")
        goal = learning(PROGRAMS / f"{program}.psm", data)
        found.append(Work(f"learn {name}", [], goal, printed("ms")))
        if program == "hmm":
            for mode, what in (("ml", "EM"), ("ml_vt", "VT")):
                goal = iterating(PROGRAMS / f"{program}.psm", data, mode)
                found.append(Work(f"{what} iteration {name}", [], goal, printed("iteration")))
    sentences = folder / "sentences.dat"
    lines = (trees / "sentences.dat").read_text().splitlines()[:1500]
    sentences.write_text("\n".join(lines) + "\n")
    for program, name in (("grammar_special.psm", "special"), ("grammar.psm", "generic")):
        goal = learning((trees / program).resolve(), sentences)
        found.append(Work(f"learn treebank {name}", [], goal, printed("ms")))
    return found


def measure(work: Work, versions: list[Path], repeat: int) -> list[float]:
    """The least milliseconds of each version."""
    best = [math.inf] * len(versions)
    for _ in range(repeat):
        for i, version in enumerate(versions):
            one = run(prism_command(work.files, work.goal), folder=version)
            best[i] = min(best[i], work.milliseconds(one.output, one.cpu))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path, help="a built worktree of another version")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only rows whose names contain one of these")
    parser.add_argument("--after", type=Path, default=Path.cwd(), help="default: the current folder")
    parser.add_argument("--treebank", type=Path, help="a folder as tests.benchmarks.treebank wants it")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the least counts")
    options = parser.parse_intermixed_args()
    versions = [options.before.resolve(), options.after.resolve()]
    for version in versions:
        if not (version / "prism_repl" / "__main__.py").exists():
            parser.error(f"{version} is no folder of prism-repl")
    rows = []
    ratios = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        trees = options.treebank
        if trees is None:
            trees = folder / "trees"
            treebank.make(trees, 1500, 1)
        for work in works(folder, trees):
            if options.names and not any(name in work.name for name in options.names):
                continue
            before, after = measure(work, versions, options.repeat)
            ratios.append(before / after)
            rows.append([work.name, f"{before:.1f}", f"{after:.1f}", f"{ratios[-1]:.2f}"])
            print(f"{work.name}: {ratios[-1]:.2f}", file=sys.stderr, flush=True)
    if not rows:
        parser.error("no such work")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    rows.append(["geometric mean", "", "", f"{mean:.2f}"])
    head = ["work", "before ms", "after ms", "before / after"]
    print(table("Least CPU milliseconds; above 1: it became faster", head, rows))


if __name__ == "__main__":
    main()
