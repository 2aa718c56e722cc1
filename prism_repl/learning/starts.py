"""Where the runs of learning start: the numbers that are drawn by chance, and in which order."""

from __future__ import annotations

from prism_repl.arrays import Array, np
from prism_repl.learning.problem import LearnOptions
from prism_repl.learning.segments import Segments
from prism_repl.model.chance import Random

TINY = 1e-9  # noisy_u: the least value before normalisation
LEAST_ALPHA = 1e-12  # of the prior that VB's start is drawn around


def start_parameters(
    given: Array, fixed: Array, segments: Segments, options: LearnOptions, random: Random
) -> Array:
    """Parameters as the flag init wants them, drawn switch by switch, not for `fixed` ones."""
    theta = np.array(given, dtype=float)
    if options.init == "none":
        return theta
    drawn_for = segments.in_order(options.init_order, fixed)
    share = 1.0 / segments.size_of[drawn_for, 0]
    if options.init == "random":
        theta[drawn_for] = share + np.array(random.uniforms(len(drawn_for)))
    else:
        noise = (options.std_ratio * share) * np.array(random.gaussians(len(drawn_for)))
        theta[drawn_for] = np.maximum(noise + share, TINY)
    totals = segments.spread(segments.sums(theta[:, None]))[:, 0]
    theta[drawn_for] /= totals[drawn_for]
    return theta


def start_hyperparameters(
    given: Array, fixed: Array, segments: Segments, options: LearnOptions, random: Random
) -> Array:
    """Hyperparameters, each a little larger than given unless it is fixed. What is given is the prior of
    every run. (PRISM makes the start of a run the prior of the next one: its runs are judged by different
    priors.)"""
    alpha: Array = given.copy()
    drawn_for = segments.in_order(options.init_order, fixed)
    spread = options.std_ratio * (1.0 / segments.size_of[drawn_for, 0])
    noise = spread * np.array(random.gaussians(len(drawn_for)))
    alpha[drawn_for] = np.maximum(alpha[drawn_for], LEAST_ALPHA) * (1.0 + np.abs(noise))
    return alpha
