"""What learning tells while it runs. Nothing is printed there: report.py makes PRISM's text of it."""

from __future__ import annotations


class LearnEvents:
    """What learning tells while it runs, in the order of the runs. Override what is of interest."""

    def run_started(self, run: int, n_runs: int) -> None: ...

    def temperature(self, itemp: float) -> None: ...

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        """The numbers before update `iteration`; prior is None unless the method has one."""

    def continued(self, iteration: int) -> None:
        """Not converged: another update follows."""

    def run_ended(self, iterations: int, converged: bool, objective: float) -> None: ...

    def loss_rose(self, iteration: int, old: float, new: float) -> None:
        """A step was too large: the run ends with what it had before."""

    def log_scale_needed(self, run: int, goal: int) -> None:
        """The probability of this goal is too small for plain numbers: the run goes on with logarithms."""


class Both(LearnEvents):
    """Tells two listeners."""

    def __init__(self, first: LearnEvents, second: LearnEvents) -> None:
        self.listeners = first, second

    def run_started(self, run: int, n_runs: int) -> None:
        for listener in self.listeners:
            listener.run_started(run, n_runs)

    def temperature(self, itemp: float) -> None:
        for listener in self.listeners:
            listener.temperature(itemp)

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        for listener in self.listeners:
            listener.evaluated(iteration, objective, likelihood, prior)

    def continued(self, iteration: int) -> None:
        for listener in self.listeners:
            listener.continued(iteration)

    def run_ended(self, iterations: int, converged: bool, objective: float) -> None:
        for listener in self.listeners:
            listener.run_ended(iterations, converged, objective)

    def loss_rose(self, iteration: int, old: float, new: float) -> None:
        for listener in self.listeners:
            listener.loss_rose(iteration, old, new)

    def log_scale_needed(self, run: int, goal: int) -> None:
        for listener in self.listeners:
            listener.log_scale_needed(run, goal)
