"""PRISM's text for the progress of learning: `#em-iters: 0..(26) (Converged: -9.295284783)`."""

from __future__ import annotations

from collections.abc import Callable

from prism_repl.learning.events import LearnEvents
from prism_repl.learning.progress import ProgressLine, clock_text

LABELS = {
    "ml": "#em-iters",
    "ml_crf": "#crf-iters",
    "vb": "#vbem-iters",
    "both": "#vbem-iters",
    "ml_vt": "#vt-iters",
    "vb_vt": "#vbvt-iters",
    "both_vt": "#vbvt-iters",
}


def mark(n: int, every: int) -> str:
    """What a progress line shows at step n: a dot each `every` steps, the number each tenth time. For
    `#goals: 0..(27)` step n is marked when goal n+1 is begun."""
    if n % every:
        return ""
    return str(n) if n % (10 * every) == 0 else "."


class ProgressText(LearnEvents):
    """Writes the iteration lines as the events come. With `verbose` (flag verb = em or full) a line for each
    iteration, else marks: a dot each `every` iterations, a number each tenth time."""

    def __init__(
        self,
        write: Callable[[str], object],
        mode: str,
        every: int = 10,
        verbose: bool = False,
        show_itemp: bool = False,
        warn: Callable[[int], None] | None = None,
        line: ProgressLine | None = None,
        cyclic: bool = False,
    ) -> None:
        self.line = line  # shows where the runs are, on a terminal
        self.run, self.n_runs = 0, 1
        self.write, self.every, self.verbose, self.show_itemp = write, every, verbose, show_itemp
        self.label = LABELS[mode]
        self.measure = "log_likelihood"
        self.iteration = "Iteration"
        if cyclic and not mode.endswith("_vt"):  # what lin_learn writes
            self.label = "#cyc-" + self.label.removeprefix("#")
            self.iteration = "iteration"
        self.variational = not mode.startswith("ml")
        self.warn = warn
        self.last_mark = -1
        self.prefix = ""  # what the line in work began with
        self.warned = False

    def run_started(self, run: int, n_runs: int) -> None:
        self.last_mark = -1
        self.run, self.n_runs = run, n_runs
        if self.verbose:
            if n_runs > 1:
                self.write(f"<<<< RESTART #{run} >>>>\n")
        else:
            self.prefix = (f"[{run}] " if n_runs > 1 else "") + self.label + ": "
            self.write(self.prefix)

    def temperature(self, itemp: float) -> None:
        if self.verbose:
            self.write(f"* Temperature = {itemp:.3f}\n")
        else:
            self.write(f"<{itemp:.3f}>" if self.show_itemp else "*")

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        if not self.verbose:
            if self.line is not None:
                self.line.status(lambda seconds: self.status(iteration, objective, seconds))
            return
        if self.variational:
            text = f"free_energy={objective:.9f}"
        elif prior is None:
            text = f"{self.measure}={likelihood:.9f}"
        else:
            text = f"log_likelihood={likelihood:.9f}\tlog_prior={prior:.9f}\tlog_post={objective:.9f}"
        self.write(f"{self.iteration} #{iteration}:\t{text}\n")

    def status(self, iteration: int, objective: float, seconds: float) -> str:
        run = f"[{self.run + 1} of {self.n_runs}] " if self.n_runs > 1 else ""
        rate = f"  {iteration / seconds:.3g}/s" if seconds > 0.0 else ""
        return f"{run}{self.label}: {iteration}  {objective:.3f}{rate}  {clock_text(seconds)}"

    def continued(self, iteration: int) -> None:
        # A new temperature looks at the same iteration again: it is marked once.
        text = mark(iteration, self.every)
        if text and not self.verbose and iteration != self.last_mark:
            self.last_mark = iteration
            self.write(text)

    def run_ended(self, iterations: int, converged: bool, objective: float) -> None:
        how = "Converged" if converged else "Stopped"
        if self.verbose:
            self.write(f"* {how} ({objective:.9f})\n")
        else:
            self.write(f"({iterations}) ({how}: {objective:.9f})\n")

    def log_scale_needed(self, run: int, goal: int) -> None:
        # Once is enough: the other runs have the same goals. The line in work is begun again.
        if self.warn is not None and not self.warned:
            self.warned = True
            self.warn(goal)
            self.write(self.prefix)


class GradientText(ProgressText):
    """The lines of sgd_learn and rank_learn. `details` is what the line of an iteration shows of the
    objective, which was evaluated just now."""

    def __init__(
        self,
        write: Callable[[str], object],
        every: int,
        verbose: bool,
        line: ProgressLine | None,
        details: Callable[[float, float, float | None], str],
    ) -> None:
        super().__init__(write, "ml", every, verbose, line=line)
        self.label, self.details = "#sgd-iters", details

    def evaluated(self, iteration: int, objective: float, likelihood: float, prior: float | None) -> None:
        if self.verbose:
            self.write(f"iteration #{iteration}:\t{self.details(objective, likelihood, prior)}\n")
        else:
            super().evaluated(iteration, objective, likelihood, prior)

    def loss_rose(self, iteration: int, old: float, new: float) -> None:
        if not self.verbose:
            self.write("\n")
        what = f"loss increased [old: {old:.9f}, new: {new:.9f}] (at iteration #{iteration})"
        self.write(f"***  PRISM WARNING: {what}; the step is undone\n")
        if not self.verbose:
            self.write(self.prefix)
