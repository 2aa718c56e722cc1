"""MCMC over explanations: samples of chains, and what follows from them.

The parameters are integrated out: a state is one explanation for each goal, of which only the counts of
switch instances matter. From the counts follow the marginal likelihood (Chib's identity at the means that VB
found) and the predictive probability of explanations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from prism_repl.arrays import Array, np
from prism_repl.graph.chain import Chain
from prism_repl.graph.graph import Graph
from prism_repl.model.chance import Random
from prism_repl.model.gamma import log_gamma

CELLS = 1 << 22  # counts that are spread out at once


class Words:
    """Random words for a chain, taken in blocks; what a block was not used for is given back."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.before: Any = None

    def __call__(self, n: int) -> Array:
        self.before = self.random.mark()
        return self.random.words(n).astype(np.float64)

    def settle(self, chain: Chain) -> None:
        """Leave the session's generator where the chain is."""
        used = chain.used_words()
        if self.before is not None:
            self.random.go_back(self.before)
            if used:
                self.random.words(used)
            self.before = None


@dataclass(frozen=True)
class Schedule:
    """How long a chain is, and which of its states are kept."""

    end: int
    burn_in: int
    skip: int
    chains: int = 1

    @property
    def steps(self) -> int:
        return self.end - (self.end - self.burn_in) % self.skip


@dataclass
class Kept:
    """The states that one chain kept: (instance, change of its count), and where those of a state end."""

    changes: Array
    ends: Array
    accepted: int
    steps: int

    def __len__(self) -> int:
        return len(self.ends)


@dataclass(frozen=True)
class SwitchUse:
    """How often an explanation uses the values of a switch; `alpha` is its prior in the switch database."""

    number: int
    counts: Array
    alpha: Array


class Samples:
    """The kept states of some chains, with the prior `alpha` and the parameters `theta` of the start."""

    def __init__(self, graph: Graph, alpha: Array, theta: Array, chains: list[Kept]) -> None:
        self.switch_instances = graph.switch_instances.copy()
        self.switch_ids, self.instance_ids = graph.switch_ids.copy(), graph.instance_ids.copy()
        self.alpha, self.theta, self.chains = alpha, theta, chains
        self.log_likelihood = 0.0  # of the goals under theta
        self.free_energy = 0.0

    def __len__(self) -> int:
        return sum(map(len, self.chains))

    def blocks(self, columns: Array | None = None) -> Iterator[Array]:
        """The counts of the states, some rows at a time; of some instances only, if told."""
        n = len(self.alpha)
        place = np.full(n, -1)
        wanted = np.arange(n) if columns is None else columns
        place[wanted] = np.arange(len(wanted))
        rows = max(1, CELLS // max(1, len(wanted)))
        for kept in self.chains:
            counts = np.zeros(len(wanted))
            begin = 0
            for first in range(0, len(kept), rows):
                ends = kept.ends[first : first + rows]
                changes = kept.changes[begin : ends[-1]]
                row = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=begin))
                column = place[changes[:, 0]]
                inside = column >= 0
                block = np.zeros((len(ends), len(wanted)))
                np.add.at(block, (row[inside], column[inside]), changes[inside, 1])
                block[0] += counts
                np.cumsum(block, axis=0, out=block)
                counts = block[-1].copy()
                begin = int(ends[-1])
                yield block

    def log_joint(self) -> Array:
        """ln Z of the prior plus the counts for each state."""
        blocks = self.blocks()
        return np.concatenate([log_normalizers(self.alpha + b, self.switch_instances) for b in blocks])

    def log_marginal(self) -> float:
        """The estimate of the log marginal likelihood of the goals."""
        sizes = np.diff(self.switch_instances)
        chosen = np.repeat(sizes > 1, sizes)
        starts = np.concatenate([[0], np.cumsum(sizes[sizes > 1])])
        log_theta = np.log(self.theta[chosen])

        def density(numbers: Array) -> Array:
            numbers = numbers[:, chosen]
            values: Array = (numbers - 1.0) @ log_theta - log_normalizers(numbers, starts)
            return values

        posterior = np.concatenate([density(self.alpha + block) for block in self.blocks()])
        prior = float(density(self.alpha[None, :])[0])
        return self.log_likelihood + prior - log_mean(posterior)

    def log_predictive(self, uses: list[SwitchUse]) -> float:
        """The log of the predictive probability of an explanation."""
        place = {int(number): i for i, number in enumerate(self.switch_ids)}
        seen = [use for use in uses if use.number in place]
        constant = sum(
            float(dirichlet_ratio(use.alpha[None, :], use.counts)[0])
            for use in uses
            if use.number not in place
        )
        if not seen:
            return constant
        bounds = [self.switch_instances[place[use.number] : place[use.number] + 2] for use in seen]
        columns = np.concatenate([np.arange(begin, end) for begin, end in bounds])
        parts = []
        for block in self.blocks(columns):
            numbers = self.alpha[columns] + block
            at = 0
            total = np.zeros(len(block))
            for use in seen:
                total += dirichlet_ratio(numbers[:, at : at + len(use.counts)], use.counts)
                at += len(use.counts)
            parts.append(total)
        return constant + log_mean(np.concatenate(parts))


def dirichlet_ratio(numbers: Array, counts: Array) -> Array:
    """ln Z(numbers + counts) - ln Z(numbers) of one switch, for each row."""
    used = counts > 0
    result: Array = (log_gamma(numbers[:, used] + counts[used]) - log_gamma(numbers[:, used])).sum(axis=1)
    totals = numbers.sum(axis=1)
    return result + log_gamma(totals) - log_gamma(totals + counts.sum())


def log_normalizers(numbers: Array, starts: Array) -> Array:
    """ln Z of Dirichlet distributions, summed over the switches, for each row."""
    if numbers.shape[1] == 0:
        return np.zeros(len(numbers))
    totals = np.add.reduceat(numbers, starts[:-1], axis=1)
    result: Array = log_gamma(numbers).sum(axis=1) - log_gamma(totals).sum(axis=1)
    return result


def log_mean(logs: Array) -> float:
    greatest = logs.max()
    return float(greatest + np.log(np.exp(logs - greatest).mean()))
