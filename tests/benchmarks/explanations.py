"""Explanation search, learning and n-best explanations on an HMM and on an ambiguous grammar; memory,
start-up, long arguments.

    python -m tests.benchmarks.explanations

prints one table: what was measured, what PRISM 2.4.2a took on a machine where SWI-Prolog did 27 million
inferences a second in naive reverse, the same scaled to this machine by its own SWI-Prolog (if installed),
and the aim. Nothing is asserted.
"""

import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.runs import PROGRAMS, BenchmarkFailed, Run, prism_command, run, swi_lips, table

REFERENCE_LIPS = 27e6

# A learn of some iterations prints figures(search seconds, seconds of all iterations, iterations).
LEARN = (
    "prism('{program}'), load_clauses('{data}',Gs), "
    "set_prism_flag(max_iterate,{iterations}), set_prism_flag(epsilon,1.0e-30), "
    "learn(Gs), learn_statistics(learn_search_time,S), learn_statistics(em_time,E), "
    "learn_statistics(num_iterations,I), nl, write(figures(S,E,I)), nl"
)
PROB = (
    "prism('{program}'), load_clauses('{data}',[G]), log_prob(G,_), "
    "infer_statistics(infer_search_time,S), nl, write(figures(S,0,1)), nl"
)
# The parameters are of no special kind: no ties. Ten times, search included, as milliseconds are coarse.
BEST = (
    "prism('{{program}}'), load_clauses('{{data}}',[G]), {parameters}, statistics(runtime,[A|_]), "
    "( between(1,10,_), {query}, fail ; true ), statistics(runtime,[B|_]), "
    "S is (B-A)/10000, nl, write(figures(S,0,1)), nl"
)
HMM_PARAMETERS = (
    "set_sw(init,[0.7,0.3]), set_sw(tr(s0),[0.63,0.37]), set_sw(tr(s1),[0.41,0.59]), "
    "set_sw(out(s0),[0.55,0.45]), set_sw(out(s1),[0.3,0.7])"
)
PCFG_PARAMETERS = "set_sw(s,[0.4,0.35,0.25])"


def sequences(predicate: str, count: int, length: int, seed: int) -> Iterator[str]:
    """Goals predicate([a,b,...]) with random symbols."""
    generator = random.Random(seed)
    for _ in range(count):
        yield f"{predicate}([{','.join(generator.choices('ab', k=length))}])."


def figures(text: str) -> tuple[float, float, int]:
    """What LEARN or PROB printed."""
    found = re.findall(r"figures\(([^,]+),([^,]+),(\d+)\)", text)
    if not found:
        raise BenchmarkFailed(text[-2000:])
    search, iterations, count = found[-1]
    return float(search), float(iterations), int(count)


def measure(
    program: Path, goals: Iterator[str], goal: str = LEARN, iterations: int = 100, repeat: int = 3
) -> tuple[float, float, Run]:
    """Best search time, best time of an iteration, and the run with the least memory."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "goals.dat"
        data.write_text("\n".join(goals) + "\n")
        text = goal.format(program=program.as_posix(), data=data.as_posix(), iterations=iterations)
        runs = [run(prism_command([], text)) for _ in range(repeat)]
    results = [figures(one.output) for one in runs]
    search = min(result[0] for result in results)
    iteration = min(result[1] / result[2] for result in results)
    return search, iteration, min(runs, key=lambda one: one.megabytes)


def start_up(repeat: int = 5) -> tuple[float, float, float]:
    """Wall seconds of `prism-repl -g true` and of Python importing numpy, and the megabytes of the first."""
    ours = [run(prism_command([], "true")) for _ in range(repeat)]
    numpy = [run([sys.executable, "-c", "import numpy"]) for _ in range(repeat)]
    return min(one.wall for one in ours), min(one.wall for one in numpy), min(one.megabytes for one in ours)


def main() -> None:
    lips = swi_lips()
    scale = REFERENCE_LIPS / lips if lips else None
    rows: list[list[str]] = []

    def row(work: str, ours: str, there: str, scaled: str, aim: str) -> None:
        rows.append([work, ours, there, scaled, aim])

    def timed_row(work: str, seconds: float, there: float, aim: float) -> None:
        scaled = f"{there * scale:.4g} s" if scale else "-"
        row(work, f"{seconds:.4g} s", f"{there} s", scaled, f"<= {aim * (scale or 1):.3g} s")

    wall, numpy, base = start_up()
    row("start to prompt, wall", f"{wall:.3f} s", "0.02 s", "", "<= 0.3 s")
    row("  against Python importing numpy", f"{wall / numpy:.2f} times", "", "", "<= 2.5")

    hmm = PROGRAMS / "hmm.psm"
    search, iteration, best = measure(hmm, sequences("hmm", 1000, 100, 1))
    timed_row("HMM 1000 x 100: search", search, 1.2, 0.30)
    timed_row("  EM, an iteration", iteration, 0.038, 0.0035)
    row(
        "  memory above an empty session",
        f"{best.megabytes - base:.0f} MB",
        "98 MB of tables",
        "",
        "<= 60 MB",
    )

    pcfg = PROGRAMS / "pcfg.psm"
    search, _, _ = measure(pcfg, sequences("pcfg", 100, 20, 2), iterations=5)
    timed_row("PCFG 100 x 20: search", search, 0.33, 0.07)
    search, _, _ = measure(pcfg, sequences("pcfg", 20, 40, 3), iterations=5)
    timed_row("PCFG 20 x 40: search", search, 0.55, 0.07)

    for length in (100, 1_000, 10_000, 100_000):
        search, _, _ = measure(hmm, sequences("hmm", 1, length, 4), PROB)
        row(
            f"HMM 1 x {length}: search, a symbol",
            f"{search / length * 1e6:.2f} us",
            "linear in length",
            "",
            "constant",
        )

    for length in (200, 400):
        for query in ("viterbi(G,_)", "n_viterbi(1000,G,_)", "n_viterbif(1000,G,_)"):
            goal = BEST.format(parameters=HMM_PARAMETERS, query=query)
            seconds, _, _ = measure(hmm, sequences("hmm", 1, length, 5), goal)
            row(f"HMM 1 x {length}: {query}", f"{seconds * 1e3:.1f} ms", "", "", "")
    for query in ("viterbi(G,_)", "n_viterbi(10,G,_)", "n_viterbi(1000,G,_)"):
        goal = BEST.format(parameters=PCFG_PARAMETERS, query=query)
        seconds, _, _ = measure(pcfg, sequences("pcfg", 1, 20, 6), goal)
        row(f"PCFG 1 x 20: {query}", f"{seconds * 1e3:.1f} ms", "", "", "")

    note = (
        f"SWI-Prolog here: {lips / 1e6:.1f} million inferences a second"
        if lips
        else "SWI-Prolog is not installed"
    )
    head = ["work", "prism-repl", "PRISM there", "scaled to here", "aim here"]
    print(table(note, head, rows))


if __name__ == "__main__":
    main()
