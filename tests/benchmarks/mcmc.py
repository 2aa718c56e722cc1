"""How many proposals a second a chain makes on the graph of an HMM (2 states, 1000 sequences of 100).

python -m tests.benchmarks.mcmc [steps]
"""

import sys
import time

import numpy as np

from prism_repl.graph.chain import Chain
from prism_repl.inference.mcmc import Words
from prism_repl.model.chance import Random
from tests.benchmarks.hmm_graph import hmm_graph


def main(steps: int) -> None:
    graph = hmm_graph()
    words = Words(Random(1))
    chain = Chain(graph, graph.roots, np.ones(graph.n_instances), False, words, None)
    chain.scatter()
    started = time.perf_counter()
    chain.run(steps, steps // 10, 10)
    seconds = time.perf_counter() - started
    print(f"{steps} proposals in {seconds:.2f} s: {60 * steps / seconds:,.0f} a minute")
    print(f"accepted {chain.accepted / steps:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
