"""EM on an HMM beside hmmlearn's CategoricalHMM: same data, same start, same likelihood, time an iteration.

pip install '.[bench]'
python -m tests.benchmarks.hmmlearn_comparison [--sequences 1000] [--length 100] [--iterations 20]
"""

import argparse
import random
import re
import tempfile
import time
from pathlib import Path

from tests.benchmarks.explanations import figures, sequences
from tests.benchmarks.runs import PROGRAMS, BenchmarkFailed, prism_command, run, table

START = {"init": [0.6, 0.4], "tr": [[0.7, 0.3], [0.2, 0.8]], "out": [[0.55, 0.45], [0.3, 0.7]]}

# The start is set by hand, and no pseudo counts: plain maximum likelihood, as in hmmlearn.
LEARN = (
    "prism('{program}'), {switches}, load_clauses('{data}',Gs), "
    "set_prism_flag(init,none), set_prism_flag(default_sw_d,0), "
    "set_prism_flag(max_iterate,{iterations}), set_prism_flag(epsilon,1.0e-30), learn(Gs), "
    "learn_statistics(learn_search_time,S), learn_statistics(em_time,E), learn_statistics(num_iterations,I), "
    "learn_statistics(log_likelihood,L), nl, write(figures(S,E,I)), nl, writeq(likelihood(L)), nl"
)


def switches() -> str:
    goals = [f"set_sw(init,{START['init']})"]
    for name in ("tr", "out"):
        goals += [f"set_sw({name}(s{i}),{row})" for i, row in enumerate(START[name])]
    return ", ".join(goals)


def ours(goals: list[str], iterations: int) -> tuple[float, float]:
    """Seconds an iteration and the final log likelihood in prism-repl. There is one update less than
    likelihoods are computed, as hmmlearn's last update is not judged."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "goals.dat"
        data.write_text("\n".join(goals) + "\n")
        goal = LEARN.format(
            program=(PROGRAMS / "categorical_hmm.psm").as_posix(),
            data=data.as_posix(),
            switches=switches(),
            iterations=iterations - 1,
        )
        output = run(prism_command([], goal)).output
    found = re.findall(r"likelihood\(([^)]+)\)", output)
    if not found:
        raise BenchmarkFailed(output[-2000:])
    _, seconds, count = figures(output)
    return seconds / (count + 1), float(found[-1])


def theirs(goals: list[str], iterations: int) -> tuple[float, float]:
    """The same in hmmlearn."""
    import numpy as np
    from hmmlearn.hmm import CategoricalHMM

    observed = [[symbol == "b" for symbol in re.findall(r"[ab](?=[,\]])", goal)] for goal in goals]
    data = np.array([[int(symbol)] for sequence in observed for symbol in sequence])
    lengths = [len(sequence) for sequence in observed]
    model = CategoricalHMM(
        n_components=2, n_features=2, n_iter=iterations, tol=-1.0, init_params="", params="ste"
    )
    model.startprob_ = np.array(START["init"])
    model.transmat_ = np.array(START["tr"])
    model.emissionprob_ = np.array(START["out"])
    start = time.process_time()
    model.fit(data, lengths)
    seconds = time.process_time() - start
    return seconds / iterations, model.monitor_.history[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description="EM beside hmmlearn")
    parser.add_argument("--sequences", type=int, default=1000)
    parser.add_argument("--length", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=20)
    options = parser.parse_args()
    goals = list(sequences("hmm", options.sequences, options.length, random.Random(5).randrange(1000)))
    their_time, their_likelihood = theirs(goals, options.iterations)
    our_time, our_likelihood = ours(goals, options.iterations)
    rows = [
        ["seconds an iteration", f"{their_time:.4f}", f"{our_time:.4f}", f"{their_time / our_time:.1f}"],
        [
            "log likelihood",
            f"{their_likelihood:.6f}",
            f"{our_likelihood:.6f}",
            f"{our_likelihood - their_likelihood:.1e}",
        ],
    ]
    title = f"{options.sequences} sequences of length {options.length}, {options.iterations} iterations of EM"
    print(table(title, ["", "hmmlearn", "prism-repl", "ratio / difference"], rows))


if __name__ == "__main__":
    main()
