"""The course of learning: the objective by iteration, for all restarts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from prism_repl.pictures.lines import BOX, Lines

LONG = 5  # updates


@dataclass(frozen=True)
class Curve:
    """One run: its objective before each update, and whether it is the one whose parameters were taken."""

    objectives: tuple[float, ...]
    converged: bool
    best: bool = False


def thinned(values: tuple[float, ...], room: int) -> list[float]:
    """At most `room` of the values, evenly chosen, the last one among them."""
    if len(values) <= room:
        return list(values)
    return [values[(i + 1) * len(values) // room - 1] for i in range(room)]


def scale(curves: list[Curve]) -> tuple[float, float]:
    """The lowest and the highest objective to show. The first one of a long run, before any update, is left
    out: beside the step from there all others would look alike."""
    shown = [curve.objectives[1:] if len(curve.objectives) > LONG else curve.objectives for curve in curves]
    finite = [value for values in shown for value in values if math.isfinite(value)]
    return min(finite, default=0.0), max(finite, default=0.0)


def sparkline(values: list[float], low: float, high: float, lines: Lines) -> str:
    levels = lines.levels
    if not math.isfinite(low) or not high > low:
        return levels[-1] * len(values)
    top = len(levels) - 1
    return "".join(
        levels[max(0, min(top, round((v - low) / (high - low) * top)))] if math.isfinite(v) else " "
        for v in values
    )


def learning_text(curves: list[Curve], name: str, width: int = 80, lines: Lines = BOX) -> str:
    """A row for each run, all at one scale."""
    low, high = scale(curves)
    longest = max((len(curve.objectives) for curve in curves), default=0)
    title, between = f"{name} by iteration,", f"from {low:.6g} to {high:.6g}"
    rows = [f"{title} {between}"] if len(title) + 1 + len(between) <= width else [title, between]
    runs = []
    for i, curve in enumerate(curves):
        mark = lines.best if curve.best else " "
        last = curve.objectives[-1] if curve.objectives else math.nan
        count = f"{len(curve.objectives)}{'' if curve.converged else ', stopped'}"
        runs.append((f"{mark} [{i}] " if len(curves) > 1 else "", f" {last:.6f} ({count})"))
    room = max(1, width - max((len(head) + len(tail) for head, tail in runs), default=0))
    for curve, (head, tail) in zip(curves, runs, strict=True):
        # One step to the right is as many iterations in all rows.
        columns = len(curve.objectives) if longest <= room else -(-len(curve.objectives) * room // longest)
        line = sparkline(thinned(curve.objectives, columns), low, high, lines)
        rows.append(head + line.ljust(min(room, longest)) + tail)
    return "".join(row + "\n" for row in rows)
