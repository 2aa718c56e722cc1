"""Where the runs of learning start: the numbers that are drawn by chance, and in which order."""

from __future__ import annotations

from typing import Any

import numpy as np

from prism_repl.learning.problem import LearnOptions
from prism_repl.learning.segments import Segments

Array = np.ndarray[Any, Any]

TINY = 1e-9  # noisy_u: the least value before normalisation


def seeds_of_runs(rng: np.random.Generator, n_runs: int) -> list[int]:
    """A seed for each run: its numbers do not depend on where and when it runs."""
    return rng.integers(1 << 62, size=n_runs).tolist()


def start_parameters(
    given: Array, fixed: Array, segments: Segments, options: LearnOptions, rng: np.random.Generator
) -> Array:
    """Parameters as the flag init wants them; `rng` is drawn from switch by switch, not for `fixed` ones."""
    theta = np.array(given, dtype=float)
    if options.init == "none":
        return theta
    drawn_for = segments.in_order(options.init_order, fixed)
    share = 1.0 / segments.size_of[drawn_for, 0]
    if options.init == "random":
        theta[drawn_for] = share + rng.random(len(drawn_for))
    else:
        noise = rng.standard_normal(len(drawn_for)) * options.std_ratio
        theta[drawn_for] = np.maximum(share * (1.0 + noise), TINY)
    totals = segments.spread(segments.sums(theta[:, None]))[:, 0]
    theta[drawn_for] /= totals[drawn_for]
    return theta


def start_hyperparameters(
    given: Array, fixed: Array, segments: Segments, options: LearnOptions, rng: np.random.Generator
) -> Array:
    """Hyperparameters, each a little larger than given unless it is fixed."""
    alpha: Array = given.copy()
    drawn_for = segments.in_order(options.init_order, fixed)
    spread = options.std_ratio / segments.size_of[drawn_for, 0]
    alpha[drawn_for] *= 1.0 + np.abs(rng.standard_normal(len(drawn_for)) * spread)
    return alpha
