"""Learning on the explanation graph of an HMM, without the search: milliseconds an iteration.

    python -m tests.benchmarks.learning [--sequences 1000] [--length 100] [--restarts 50]

CPU time of one thread, the best of several passes: the load of the machine matters less. Nothing is asserted.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from prism_repl.graph.graph import build_graph
from prism_repl.graph.plan import LANES, Plan, Workspace
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.expectations import GraphExpecting
from prism_repl.learning.loop import learn
from prism_repl.learning.problem import LearnOptions, SwitchNumbers
from prism_repl.model.chance import Random
from tests.benchmarks.hmm_graph import hmm_tables


def milliseconds(work: Callable[..., object], *arguments: object, times: int = 10) -> float:
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        work(*arguments)
        best = min(best, time.process_time() - begun)
    return 1000.0 * best


class Evaluations(LearnEvents):
    """Counts how often parameters were judged, over all runs."""

    count = 0

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        self.count += 1


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sequences", type=int, default=1000)
    parser.add_argument("--length", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=50)
    arguments = parser.parse_args()
    _, tables = hmm_tables(arguments.sequences, arguments.length)
    tables = {name: np.asarray(values, dtype=np.int32) for name, values in tables.items()}
    graph = build_graph(**tables)
    plan = Plan(graph)
    print(
        f"{graph.n_nodes} nodes, {graph.size} factors, {plan.n_mono} monomials, "
        f"{plan.n_nodes} nodes of the plan"
    )
    print(f"{'graph':28}{milliseconds(lambda: build_graph(**tables), times=3):9.2f} ms")
    print(f"{'plan':28}{milliseconds(Plan, graph, times=3):9.2f} ms")
    rng = np.random.default_rng(1)
    theta = rng.random((graph.n_instances, LANES)) + 0.5
    for a, b in zip(graph.switch_instances[:-1], graph.switch_instances[1:], strict=True):
        theta[a:b] /= theta[a:b].sum(axis=0)
    for lanes in (1, LANES):
        for best in (False, True):
            for logs in (False, True):
                space = Workspace(plan, lanes)
                numbers = np.log(theta[:, :lanes]) if logs else theta[:, :lanes]
                weights = np.repeat(graph.counts[:, None], lanes, axis=1)
                up = milliseconds(space.inside, numbers, logs, best)
                both = milliseconds(space.expect, numbers, weights, logs, best)
                name = f"{'VT' if best else 'EM'}{' logs' if logs else ''}, {lanes} lane{'s' * (lanes > 1)}"
                print(f"{name:28}{both:9.2f} ms   (only up {up:.2f})")
    still = np.zeros(graph.n_switches, dtype=bool)
    for mode, delta in (("ml", 0.0), ("ml_vt", 1.0)):
        start = SwitchNumbers(theta[:, 0], np.full(graph.n_instances, delta), still, still)
        options = LearnOptions(mode=mode, init="none", max_iterate=20, epsilon=1e-30)
        begun = time.process_time()
        result = learn(graph, start, options, Random(1), expecting=GraphExpecting(plan, options.viterbi))
        spent = 1000.0 * (time.process_time() - begun) / (result.iterations + 1)
        print(f"{'learn ' + mode:28}{spent:9.2f} ms an iteration ({result.iterations} iterations)")
    start = SwitchNumbers(theta[:, 0], np.ones(graph.n_instances), still, still)
    cost = {}
    for restart in (1, arguments.restarts):
        options = LearnOptions(mode="ml_vt", restart=restart)
        seen = Evaluations()
        expecting = GraphExpecting(plan, options.viterbi)
        spent = milliseconds(learn, graph, start, options, Random(2), seen, expecting, times=1)
        cost[restart] = spent / seen.count
    ratio = arguments.restarts * cost[arguments.restarts] / cost[1]
    print(
        f"{arguments.restarts} restarts of VT: {ratio:.1f} times one run of as many iterations, on one thread"
    )


if __name__ == "__main__":
    main()
