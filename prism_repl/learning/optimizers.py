"""Steps from gradients: plain steps, Adadelta, Adam. Each weight has a memory of its own, empty at the start
of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from prism_repl.arrays import Array, np


@dataclass(frozen=True)
class OptimizerOptions:
    name: str = "adam"  # sgd, adadelta, adam
    rate: float = 0.0001
    adadelta_gamma: float = 0.95
    adadelta_epsilon: float = 1e-8
    adam_beta: float = 0.9
    adam_gamma: float = 0.999
    adam_epsilon: float = 1e-8


class Optimizer(Protocol):
    def step(self, gradient: Array) -> Array:
        """What is added to the weights, to climb."""


def optimizer(options: OptimizerOptions) -> Optimizer:
    return OPTIMIZERS[options.name](options)


def quotient(above: Array, below: Array) -> Array:
    """above / below; 0/0 is 0: where nothing has happened yet, nothing is to be done."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        result: Array = np.where((above == 0.0) & (below == 0.0), 0.0, above / below)
    return result


class Plain:
    def __init__(self, options: OptimizerOptions) -> None:
        self.options = options

    def step(self, gradient: Array) -> Array:
        return self.options.rate * gradient


class Adadelta:
    """The step is as large as the steps before were, in units of the gradients before."""

    def __init__(self, options: OptimizerOptions) -> None:
        self.options = options
        self.squares: Array | float = 0.0  # running mean of the squares of the gradients
        self.steps: Array | float = 0.0  # and of the steps

    def step(self, gradient: Array) -> Array:
        gamma, epsilon = self.options.adadelta_gamma, self.options.adadelta_epsilon
        self.squares = gamma * self.squares + (1.0 - gamma) * gradient**2
        step = quotient(np.sqrt(self.steps + epsilon) * gradient, np.sqrt(self.squares + epsilon))
        self.steps = gamma * self.steps + (1.0 - gamma) * step**2
        return self.options.rate * step


class Adam:
    """Epsilon is inside the root, as in PRISM."""

    def __init__(self, options: OptimizerOptions) -> None:
        self.options = options
        self.mean: Array | float = 0.0
        self.squares: Array | float = 0.0
        self.t = 0

    def step(self, gradient: Array) -> Array:
        beta, gamma = self.options.adam_beta, self.options.adam_gamma
        self.t += 1
        self.mean = beta * self.mean + (1.0 - beta) * gradient
        self.squares = gamma * self.squares + (1.0 - gamma) * gradient**2
        # Running means that begin at zero are too small at first.
        mean = quotient(self.mean, np.asarray(1.0 - beta**self.t))
        square = quotient(self.squares, np.asarray(1.0 - gamma**self.t))
        return self.options.rate * quotient(mean, np.sqrt(square + self.options.adam_epsilon))


OPTIMIZERS: dict[str, type[Plain] | type[Adadelta] | type[Adam]] = {
    "sgd": Plain,
    "adadelta": Adadelta,
    "adam": Adam,
}
