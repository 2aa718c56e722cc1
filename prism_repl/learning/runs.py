"""One start of the learning loop."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

from prism_repl.arrays import Array
from prism_repl.learning.problem import LearningError


class Run:
    """One start of the learning loop: its numbers, how far it is, and what it has to tell."""

    def __init__(self, index: int, numbers: Array, observed: Array, itemp: float, logs: bool) -> None:
        self.index, self.numbers, self.itemp, self.logs = index, numbers, itemp, logs
        self.observed = observed  # how often each goal was
        self.total = float(observed.sum())
        self.iteration = 0
        self.before: tuple[float, Array] | None = None  # objective and numbers of the last iteration
        self.counts: Array | None = None
        self.objective = -math.inf
        self.likelihood = -math.inf
        self.log_prior: float | None = None
        self.converged = False
        self.done = False
        self.underflow: int | None = None  # a goal whose probability plain floats could not hold
        self.error: LearningError | None = None
        self.drawn: Any = None  # where the random numbers were after its start
        self.told: deque[tuple[str, tuple[Any, ...]]] = deque()

    def tell(self, event: str, *arguments: Any) -> None:
        self.told.append((event, arguments))

    def fail(self, error: LearningError) -> None:
        self.error = error
        self.done = True
