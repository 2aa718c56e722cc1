"""Log-gamma and digamma of arrays of positive numbers: what Dirichlet distributions need."""

from __future__ import annotations

import math

from prism_repl.arrays import Array, np

_HALF_LOG_2_PI = 0.5 * math.log(2.0 * math.pi)
# From here on the asymptotic series are good to the last digits; smaller arguments are shifted up by as much.
_LARGE = 12.0
# x (x+1) ... (x+11) is the product of these numbers added to x (x+11): x+k and x+11-k are taken together.
_PAIRS = (0.0, 10.0, 18.0, 24.0, 28.0, 30.0)


def _shifted(x: Array) -> tuple[Array, Array | None, Array | None]:
    """Arguments that are large enough; which of them were shifted, and x of these (1 for the others)."""
    small = x < _LARGE
    if not small.any():
        return x, None, None
    return np.where(small, x + _LARGE, x), small, np.where(small, x, 1.0)


def log_gamma(x: Array) -> Array:
    """log Gamma(x), x > 0."""
    x, small, below = _shifted(np.asarray(x, dtype=np.float64))
    y = 1.0 / (x * x)
    series = (
        1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * 691 / 360360))))
    ) / x
    result: Array = (x - 0.5) * np.log(x) - x + _HALF_LOG_2_PI + series
    if small is not None and below is not None:
        z = below * (below + (_LARGE - 1.0))
        product = z.copy()
        for pair in _PAIRS[1:]:
            product *= z + pair
        result -= np.where(small, np.log(product), 0.0)
    return result


def digamma(x: Array) -> Array:
    """The derivative of log Gamma(x), x > 0."""
    x, small, below = _shifted(np.asarray(x, dtype=np.float64))
    y = 1.0 / (x * x)
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * 691 / 32760)))))
    result: Array = np.log(x) - 0.5 / x - series
    if small is not None and below is not None:
        z = below * (below + (_LARGE - 1.0))
        shift = 1.0 / z
        for pair in _PAIRS[1:]:
            shift += 1.0 / (z + pair)
        result -= np.where(small, shift * (2.0 * below + (_LARGE - 1.0)), 0.0)
    return result
