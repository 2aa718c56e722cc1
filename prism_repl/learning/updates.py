"""How counts become parameters: ML and MAP (Estimate), variational Bayes (Variational).

The numbers of a run are what the update changes: parameters, or hyperparameters. A strategy says which
parameters the graph is folded with, what the objective is, and what the next numbers are."""

from __future__ import annotations

from prism_repl.arrays import Array, np
from prism_repl.learning.problem import LearningError, LearnOptions, SwitchNumbers
from prism_repl.learning.segments import Segments, weighted_sums
from prism_repl.learning.starts import start_hyperparameters, start_parameters
from prism_repl.model.chance import Random
from prism_repl.model.gamma import digamma, log_gamma


def check_pseudo_counts(numbers: SwitchNumbers, fixed: Array) -> None:
    """MAP estimation needs all pseudo counts, and no parameter that is fixed to zero; `fixed` has a truth
    value per instance."""
    delta = numbers.delta
    smooth = bool((delta > 0.0).any())
    wrong = {
        "negative delta values in MAP estimation": delta < 0.0,
        "mixture of zero and non-zero pseudo counts": smooth & (delta == 0.0),
        "parameters fixed to zero in MAP estimation": smooth & fixed & (numbers.theta <= 0.0),
    }
    for text, where in wrong.items():
        if where.any():
            instance = int(np.flatnonzero(where)[0])
            raise LearningError(text, "invalid_numeric_value", instance=instance)


class Estimate:
    """ML, or MAP where there are pseudo counts: the numbers of a run are its parameters."""

    def __init__(self, segments: Segments, numbers: SwitchNumbers, options: LearnOptions) -> None:
        self.segments, self.options = segments, options
        self.start = numbers.theta
        self.delta = numbers.delta[:, None]
        self.fixed = np.repeat(numbers.fixed, segments.sizes)[:, None]
        self.smooth = bool((numbers.delta > 0.0).any())  # MAP
        check_pseudo_counts(numbers, self.fixed[:, 0])

    def initial(self, random: Random) -> Array:
        """The numbers a run starts with."""
        return start_parameters(self.start, self.fixed[:, 0], self.segments, self.options, random)

    def parameters(self, numbers: Array) -> Array:
        """Logarithms are taken by the caller: these are what the graph is folded with, at temperature 1."""
        return numbers

    def objective(self, numbers: Array, data: Array, itemp: Array) -> tuple[Array, Array | None]:
        """The objective from the data's part (log likelihood at this temperature), and the log prior, per
        lane.

        Annealing maximises data/itemp + prior; it is written times itemp, so that ML is judged by the
        data."""
        if not self.smooth:
            return data, None
        with np.errstate(divide="ignore"):
            prior = weighted_sums(self.delta, np.log(numbers))
        return data + itemp * prior, prior

    def updated(self, numbers: Array, counts: Array, itemp: Array) -> Array:
        raw = counts + self.delta
        totals = self.segments.spread(self.segments.sums(raw))
        with np.errstate(invalid="ignore", divide="ignore"):
            fresh = raw / totals
        return np.where(self.fixed | (totals <= 0.0), numbers, fresh)


class Variational:
    """VB: the numbers of a run are the hyperparameters (alphas) of the posterior."""

    smooth = False

    def __init__(self, segments: Segments, numbers: SwitchNumbers, options: LearnOptions) -> None:
        self.segments, self.options = segments, options
        self.alpha = (numbers.delta + 1.0)[:, None]
        self.fixed = np.repeat(numbers.fixed_h, segments.sizes)[:, None]
        if (self.alpha <= 0.0).any():
            raise LearningError(
                "non-positive alpha values in variational Bayes",
                "invalid_numeric_value",
                instance=int(np.flatnonzero(self.alpha[:, 0] <= 0.0)[0]),
            )
        self.constant = self._log_normalizer(self.alpha)
        # The numbers that expected logarithms were asked of last, with these: the objective needs those of
        # the parameters.
        self._last: tuple[Array, Array] | None = None

    def _log_normalizer(self, alpha: Array) -> Array:
        total = self.segments.total
        return total(log_gamma(alpha)) - total(log_gamma(self.segments.sums(alpha)))

    def initial(self, random: Random) -> Array:
        return start_hyperparameters(self.alpha[:, 0], self.fixed[:, 0], self.segments, self.options, random)

    def _expected_logs(self, alpha: Array) -> Array:
        last = self._last  # threads may change it meanwhile
        if last is not None and last[0] is alpha:
            return last[1]
        logs: Array = digamma(alpha) - self.segments.spread(digamma(self.segments.sums(alpha)))
        self._last = alpha, logs
        return logs

    def parameters(self, numbers: Array) -> Array:
        return np.exp(self._expected_logs(numbers))

    def objective(self, numbers: Array, data: Array, itemp: Array) -> tuple[Array, Array | None]:
        """The free energy: (data + entropy of the posterior)/itemp + expected log prior."""
        logs = self._expected_logs(numbers)
        log_prior = weighted_sums(self.alpha - 1.0, logs) - self.constant
        entropy = self._log_normalizer(numbers) - self.segments.total((numbers - 1.0) * logs)
        return (data + entropy) / itemp + log_prior, None

    def updated(self, numbers: Array, counts: Array, itemp: Array) -> Array:
        return np.where(self.fixed, numbers, itemp * (counts + self.alpha - 1.0) + 1.0)
