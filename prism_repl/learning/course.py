"""The course of learning, kept to be looked at: the objective of each run by iteration."""

from __future__ import annotations

from prism_repl.learning.events import LearnEvents
from prism_repl.pictures.curves import Curve


class Course(LearnEvents):
    """Collects the objectives of all runs."""

    def __init__(self) -> None:
        self.runs: list[list[float]] = []
        self.converged: list[bool] = []

    def run_started(self, run: int, n_runs: int) -> None:
        self.runs.append([])
        self.converged.append(False)

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        self.runs[-1].append(objective)

    def run_ended(self, iterations: int, converged: bool, objective: float) -> None:
        self.converged[-1] = converged

    def curves(self, best: int) -> list[Curve]:
        """The runs as curves; `best` is the number of the one that was taken."""
        return [
            Curve(tuple(values), converged, i == best)
            for i, (values, converged) in enumerate(zip(self.runs, self.converged, strict=True))
        ]
