"""Whether differences between methods are more than chance: Dunnett's test against a control.

Needs scipy, which comes with the extra `examples`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """A method beside the control: the difference of their means and how likely it is by chance alone."""

    method: str
    difference: float  # mean of the control minus mean of the method
    p_value: float


def compare_with_control(results: Mapping[str, Sequence[float]], control: str) -> list[Comparison]:
    """Dunnett's test of every other method against the control; results are the scores of the folds."""
    try:
        from scipy.stats import dunnett
    except ImportError as error:
        raise ImportError("Dunnett's test needs scipy: pip install 'prism-repl[examples]'") from error
    if control not in results:
        raise ValueError(f"no results of the control {control}")
    others = [method for method in results if method != control]
    if not others:
        raise ValueError("there is nothing to compare the control with")
    base = list(results[control])
    if all(len(set(scores)) == 1 for scores in results.values()):  # no spread at all: the test has no scale
        p_values = [1.0 if results[method][0] == base[0] else 0.0 for method in others]
    else:
        with warnings.catch_warnings():
            # That the scores of one method are all equal is told as a loss of precision; there is none.
            warnings.filterwarnings("ignore", "Precision loss", RuntimeWarning)
            found = dunnett(*(list(results[method]) for method in others), control=base, random_state=0)
        p_values = [float(p) for p in found.pvalue]
    return [
        Comparison(method, mean(base) - mean(results[method]), p_value)
        for method, p_value in zip(others, p_values, strict=True)
    ]


def significance_table(
    measures: Mapping[str, Mapping[str, Sequence[float]]], control: str, level: float = 0.05
) -> str:
    """A Markdown table: a row a measure, a column a method, means with standard deviations in per cent.

    The best mean of a row is bold; a star marks methods that differ from the control at the given level.
    """
    methods = list(next(iter(measures.values())))
    lines = ["| measure | " + " | ".join(methods) + " |", "| --- |" + " --- |" * len(methods)]
    for measure, results in measures.items():
        best = max(mean(results[method]) for method in methods)
        differs = {
            c.method for c in compare_with_control(results, control) if c.p_value < level
        }  # fmt: skip
        cells = []
        for method in methods:
            value = mean(results[method])
            text = f"{100 * value:.2f}"
            text = f"**{text}**" if value == best else text
            cells.append(f"{text} ({100 * deviation(results[method]):.2f}){'*' * (method in differs)}")
        lines.append(f"| {measure} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample; 0 if it has one value."""
    if len(values) < 2:
        return 0.0
    middle = mean(values)
    return math.sqrt(math.fsum((v - middle) ** 2 for v in values) / (len(values) - 1))
