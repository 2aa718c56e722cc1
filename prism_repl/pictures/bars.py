"""Distributions as bars."""

from __future__ import annotations

from dataclasses import dataclass

from prism_repl.pictures.lines import BOX, Lines, cut


@dataclass(frozen=True)
class Distribution:
    """A switch as text, its outcomes and their probabilities."""

    name: str
    outcomes: tuple[str, ...]
    probabilities: tuple[float, ...]


def bar(share: float, room: int, lines: Lines) -> str:
    """A bar for a share of the room."""
    steps = len(lines.parts) + 1
    filled = round(max(0.0, min(1.0, share)) * room * steps)
    full, part = divmod(filled, steps)
    return lines.bar * full + (lines.parts[part - 1] if part else "")


def bars_text(distributions: list[Distribution], width: int = 80, lines: Lines = BOX) -> str:
    """A block for each switch, a row for each outcome; bars are as long as the whole room at 1."""
    rows = []
    longest = max((len(o) for d in distributions for o in d.outcomes), default=0)
    label = min(longest, width // 3)
    room = max(1, min(50, width - label - 10))
    for distribution in distributions:
        rows.append(cut(distribution.name, width, lines))
        for outcome, p in zip(distribution.outcomes, distribution.probabilities, strict=True):
            name = cut(outcome, label, lines).ljust(label)
            rows.append(f"  {name} {p:.4f} {bar(p, room, lines)}".rstrip())
    return "".join(row + "\n" for row in rows)
