"""How well Markov chains have mixed: effective sample size and split R-hat.

Both as in Gelman et al., Bayesian Data Analysis (2013), sections 11.4 and 11.5. A series has a row
for each chain, and a number for each state that it kept.
"""

from __future__ import annotations

from prism_repl.arrays import Array, np

LEAST = 4  # states of a chain that halves can be made of


def halves(chains: Array) -> Array:
    """The halves of all chains as chains of their own: rows are states. A state in the middle is left out."""
    n = chains.shape[1] // 2
    return np.concatenate([chains[:, :n], chains[:, chains.shape[1] - n :]])


def split_r_hat(chains: Array) -> float:
    """The square root of total over within variance of the halves; 1 if nothing ever changes."""
    parts = halves(chains)
    n = parts.shape[1]
    within = parts.var(axis=1, ddof=1).mean()
    between = parts.mean(axis=1).var(ddof=1)
    if within == 0.0:
        return 1.0 if between == 0.0 else float("inf")
    return float(np.sqrt((n - 1) / n + between / within))


def effective_size(chains: Array) -> float:
    """How many independent draws the states are worth: by sums of neighbouring autocorrelations up to the
    first that is not positive, never growing (Geyer). All of them if nothing ever changes."""
    parts = halves(chains)
    m, n = parts.shape
    centred = parts - parts.mean(axis=1, keepdims=True)
    size = 1 << (2 * n - 1).bit_length()
    spectrum = np.fft.rfft(centred, size, axis=1)
    covariance = np.fft.irfft(spectrum * spectrum.conj(), size, axis=1)[:, :n].mean(axis=0) / n
    within = covariance[0] * n / (n - 1)
    variance = covariance[0] + parts.mean(axis=1).var(ddof=1)
    if variance <= 1e-300:
        return float(chains.size)
    correlation = 1.0 - (within - covariance) / variance
    correlation[0] = 1.0
    pairs = correlation[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    stop = np.flatnonzero(pairs <= 0.0)
    pairs = np.minimum.accumulate(pairs[: stop[0]] if len(stop) else pairs)
    time = max(-1.0 + 2.0 * pairs.sum(), 1.0 / np.log10(max(m * n, 10)))
    return float(min(m * n / time, m * n * np.log10(max(m * n, 10))))
