"""Explanation graphs: the data that pictures are made of, and their text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prism_repl.pictures.lines import BOX, Lines, cut


@dataclass(frozen=True)
class Path:
    """One explanation of a goal: subgoals by their number in the graph, switches as text, its probability,
    and whether it is part of the best explanation of all."""

    goals: tuple[int, ...]
    switches: tuple[str, ...]
    probability: float
    best: bool = False


@dataclass(frozen=True)
class Node:
    """A goal with its probability and its explanations; `best`: it is part of the best explanation."""

    goal: str
    probability: float
    paths: tuple[Path, ...]
    best: bool = False


@dataclass(frozen=True, repr=False)
class GraphPicture:
    """The nodes of an explanation graph, the goal first; of a large one only some."""

    nodes: tuple[Node, ...]
    left_out: int = 0

    def __str__(self) -> str:
        return graph_text(self)

    def __repr__(self) -> str:
        return f"<Graph of {self.nodes[0].goal}, {len(self.nodes) + self.left_out} goals>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """IPython draws a graph; within a list it is named."""
        printer.text(repr(self) if printer.indentation else str(self).rstrip("\n"))

    def _repr_svg_(self) -> str | None:
        from prism_repl.pictures.files import Missing, graph_svg

        try:
            return graph_svg(self)
        except Missing:
            return None  # a notebook shows the text


def number_text(x: float) -> str:
    return f"{x:.4g}"


def graph_text(graph: GraphPicture, width: int = 80, lines: Lines = BOX) -> str:
    """Each goal with its explanations below it. The best explanation is marked; what has several users has a
    number, by which it is named."""
    users = [0] * len(graph.nodes)
    for node in graph.nodes:
        for path in node.paths:
            for goal in path.goals:
                users[goal] += 1
    numbered = [i for i, count in enumerate(users) if count > 1]
    names = {i: f" ({k})" for k, i in enumerate(numbered, 1)}
    rows = []
    for i, node in enumerate(graph.nodes):
        mark = lines.best + " " if node.best else "  "
        tail = f"{names.get(i, '')}  {number_text(node.probability)}"
        rows.append(mark + cut(node.goal, width - 2 - len(tail), lines) + tail)
        for k, path in enumerate(node.paths):
            branch = lines.corner if k == len(node.paths) - 1 else lines.tee
            mark = lines.best if path.best else lines.across
            parts = [graph.nodes[goal].goal + names.get(goal, "") for goal in path.goals] + list(
                path.switches
            )
            tail = f"  {number_text(path.probability)}"
            start = f"  {branch}{lines.across}{mark} "
            rows.append(
                start + cut(" & ".join(parts) or "true", width - len(start) - len(tail), lines) + tail
            )
    if graph.left_out:
        rows.append(f"  {lines.cut} and {graph.left_out} more goals")
    return "".join(row + "\n" for row in rows)
