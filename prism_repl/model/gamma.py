"""Log-gamma and digamma of arrays of positive numbers: what Dirichlet distributions need."""

from __future__ import annotations

import math

from prism_repl.arrays import Array, np

_HALF_LOG_2_PI = 0.5 * math.log(2.0 * math.pi)
# From here on the asymptotic series are good to the last digits; smaller arguments are shifted up to it.
_LARGE = 12.0


def log_gamma(x: Array) -> Array:
    """log Gamma(x), x > 0."""
    x = np.array(x, dtype=np.float64)
    shift = np.zeros_like(x)
    small = x < _LARGE
    while small.any():
        shift[small] += np.log(x[small])
        x[small] += 1.0
        small = x < _LARGE
    y = 1.0 / (x * x)
    series = (
        1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * 691 / 360360))))
    ) / x
    return (x - 0.5) * np.log(x) - x + _HALF_LOG_2_PI + series - shift


def digamma(x: Array) -> Array:
    """The derivative of log Gamma(x), x > 0."""
    x = np.array(x, dtype=np.float64)
    shift = np.zeros_like(x)
    small = x < _LARGE
    while small.any():
        shift[small] += 1.0 / x[small]
        x[small] += 1.0
        small = x < _LARGE
    y = 1.0 / (x * x)
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * 691 / 32760)))))
    return np.log(x) - 0.5 / x - series - shift
