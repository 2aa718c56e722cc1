"""The characters that pictures in text are drawn with, and texts cut to a width."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lines:
    """A set of characters."""

    across: str
    down: str
    tee: str  # a branch to the right, the line goes on down
    corner: str  # the last branch to the right
    left: str  # of a bar above children: its ends, a child between them, the parent above it
    right: str
    child: str
    parent: str
    both: str
    bar: str  # of a bar chart, full; and parts of one, from the thinnest
    parts: str
    levels: str  # of a curve, from the lowest
    best: str  # marks the best explanation
    cut: str  # stands for what was cut off


BOX = Lines("─", "│", "├", "└", "┌", "┐", "┬", "┴", "┼", "█", "▏▎▍▌▋▊▉", "▁▂▃▄▅▆▇█", "●", "…")
ASCII = Lines("-", "|", "|", "`", ",", ".", "+", "+", "+", "#", "", "_.-=+*#@", "*", "~")


def cut(text: str, width: int, lines: Lines) -> str:
    """A text of at most this many characters."""
    return text if len(text) <= width else text[: max(0, width - 1)] + lines.cut
