"""The result of learning: the best run, its statistics and model scores."""

from __future__ import annotations

import math

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph
from prism_repl.learning.problem import LearnOptions, LearnResult, SwitchNumbers, sizes_of
from prism_repl.learning.runs import Run
from prism_repl.learning.segments import Segments
from prism_repl.model.gamma import log_gamma


def result_of(
    graph: Graph,
    numbers: SwitchNumbers,
    options: LearnOptions,
    segments: Segments,
    run: Run,
    seconds: float,
) -> LearnResult:
    """What the best run has learned, with its statistics."""
    theta: Array | None = None
    alpha: Array | None = None
    if options.variational:
        alpha = run.numbers
        if options.mode.startswith("both"):
            means = alpha / segments.spread(segments.sums(alpha[:, None]))[:, 0]
            theta = np.where(np.repeat(numbers.fixed, segments.sizes), numbers.theta, means)
    else:
        theta = run.numbers
    counts = run.counts if run.counts is not None else np.zeros(graph.n_instances)
    statistics: dict[str, float | int] = {}
    if not options.variational:
        statistics["log_likelihood"] = run.likelihood
        if run.log_prior is not None:
            statistics["log_post"] = run.objective
            statistics["log_prior"] = run.log_prior
        statistics["lambda"] = run.objective
    statistics |= sizes_of(graph)
    statistics["num_iterations_vb" if options.variational else "num_iterations"] = run.iteration
    if options.variational:
        statistics["free_energy"] = run.objective
    elif not options.viterbi:
        statistics["bic"] = run.likelihood - 0.5 * statistics["num_parameters"] * math.log(run.total)
        if run.log_prior is not None:
            statistics["cs"] = _cheeseman_stutz(segments, numbers.delta + 1.0, counts, run)
    return LearnResult(
        theta,
        alpha,
        counts,
        run.objective,
        run.iteration,
        run.converged,
        run.index,
        run.logs,
        seconds,
        statistics,
    )


def _cheeseman_stutz(segments: Segments, alpha: Array, counts: Array, run: Run) -> float:
    """The score of the completed data, corrected by how much likelier the completed data are than the
    data."""
    alpha, full = alpha[:, None], (alpha + counts)[:, None]
    complete = (log_gamma(full) - log_gamma(alpha)).sum() - (
        log_gamma(segments.sums(full)) - log_gamma(segments.sums(alpha))
    ).sum()
    used = counts > 0.0
    return float(complete - (counts[used] * np.log(run.numbers[used])).sum() + run.likelihood)
