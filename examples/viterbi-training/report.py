"""The reports: Markdown with tables and pictures."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot

from prism_repl.experiments.significance import deviation, mean


def save(out: Path, name: str, title: str, parts: Sequence[str]) -> Path:
    """Write a report. It ends with the command that makes it."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{name}.md"
    file.write_text(f"# {title}\n\n" + "\n\n".join([*parts, command()]) + "\n", encoding="utf-8")
    return file


def command() -> str:
    """What was called, and on what."""
    return (
        f"Command: `python {shlex.join(sys.argv)}` on a machine with {os.cpu_count()} cores, "
        f"Python {platform.python_version()}."
    )


def duration(seconds: float) -> str:
    """A time for people: 12.3 s, 4.5 minutes, 6.7 hours."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} minutes" if seconds < 6000 else f"{seconds / 3600:.1f} hours"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Mean and standard deviation, as the paper prints them: 8.10(2.28)."""
    return f"{mean(values):.{digits}f}({deviation(values):.{digits}f})"


def bars(out: Path, name: str, unit: str, groups: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """A picture of means with standard deviations: a group of bars each, one bar a method."""
    methods = list(next(iter(groups.values())))
    figure, axes = pyplot.subplots(figsize=(7, 3.5))
    width = 0.8 / len(methods)
    for i, method in enumerate(methods):
        places = [k + i * width for k in range(len(groups))]
        heights = [mean(results[method]) for results in groups.values()]
        errors = [deviation(results[method]) for results in groups.values()]
        axes.bar(places, heights, width, yerr=errors, label=method, capsize=2)
    axes.set_xticks([k + 0.4 - width / 2 for k in range(len(groups))], list(groups))
    axes.set_ylabel(unit)
    axes.legend(fontsize="small")
    return picture(out, name, figure)


def lines(out: Path, name: str, unit: str, series: Mapping[str, Mapping[int, float]]) -> str:
    """A picture of curves over whole numbers."""
    figure, axes = pyplot.subplots(figsize=(7, 3.5))
    for method, points in series.items():
        axes.plot(list(points), list(points.values()), marker="o", markersize=3, label=method)
    axes.set_xlabel("hidden classes")
    axes.set_ylabel(unit)
    axes.legend(fontsize="small")
    return picture(out, name, figure)


def picture(out: Path, name: str, figure: pyplot.Figure) -> str:
    out.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(out / f"{name}.svg")
    pyplot.close(figure)
    return f"![{name}]({name}.svg)"
