"""Trees as text: from the top down where there is room, else indented."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from prism_repl.pictures.lines import BOX, Lines, cut

GAP = 2  # columns between two subtrees
DEEP = 40  # a deeper tree is indented
LABEL = 40  # characters of a label in a tree from the top down


@dataclass(frozen=True, repr=False)
class Tree:
    """A label and the trees below it; `depth` and `size` are those of the whole."""

    label: str
    children: tuple[Tree, ...] = ()
    depth: int = 1
    size: int = 1

    @staticmethod
    def of(label: str, children: tuple[Tree, ...] = ()) -> Tree:
        depth = 1 + max((child.depth for child in children), default=0)
        return Tree(label, children, depth, 1 + sum(child.size for child in children))

    def __str__(self) -> str:
        return tree_text(self)

    def __repr__(self) -> str:
        return f"<Tree {self.label}, {self.size} nodes>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """IPython draws a tree; within a list it is named."""
        printer.text(repr(self) if printer.indentation else str(self).rstrip("\n"))

    def _repr_svg_(self) -> str | None:
        from prism_repl.pictures.files import Missing, tree_svg

        try:
            return tree_svg(self)
        except Missing:
            return None  # a notebook shows the text


def tree_text(tree: Tree, width: int = 80, lines: Lines = BOX) -> str:
    """The tree as lines of text, none longer than the width."""
    if tree.depth <= DEEP:
        block = drawn(tree, width, lines)
        if block is not None:
            return "".join(line.rstrip() + "\n" for line in block.rows)
    return "".join(line + "\n" for line in indented(tree, width, lines))


@dataclass(frozen=True)
class Block:
    """Rows of the same length, and the column at which the parent is joined."""

    rows: list[str]
    width: int
    middle: int


def drawn(tree: Tree, width: int, lines: Lines) -> Block | None:
    """The tree from the top down; None if it is wider than the width."""
    label = cut(tree.label, min(LABEL, width), lines)
    if not tree.children:
        return Block([label], len(label), len(label) // 2)
    blocks = []
    used = -GAP
    for child in tree.children:
        block = drawn(child, width - used - GAP, lines)
        if block is None:
            return None
        blocks.append(block)
        used += block.width + GAP
        if used > width:
            return None
    return joined(label, blocks, width, lines)


def joined(label: str, blocks: list[Block], width: int, lines: Lines) -> Block | None:
    """A label above its blocks."""
    starts = []
    at = 0
    for block in blocks:
        starts.append(at)
        at += block.width + GAP
    total = at - GAP
    joints = [start + block.middle for start, block in zip(starts, blocks, strict=True)]
    middle = (joints[0] + joints[-1]) // 2
    # A label that is wider than what is below it makes room on the left.
    shift = max(0, len(label) // 2 - middle)
    middle += shift
    joints = [joint + shift for joint in joints]
    total = max(total + shift, middle - len(label) // 2 + len(label))
    if total > width:
        return None
    rows = [(" " * (middle - len(label) // 2) + label).ljust(total), bar(joints, middle, total, lines)]
    for i in range(max(len(block.rows) for block in blocks)):
        row = " " * shift
        for start, block in zip(starts, blocks, strict=True):
            row = row.ljust(start + shift) + (block.rows[i] if i < len(block.rows) else "")
        rows.append(row.ljust(total))
    return Block(rows, total, middle)


def bar(joints: list[int], middle: int, total: int, lines: Lines) -> str:
    """The line between a label and its children."""
    row = [" "] * total
    if len(joints) == 1:
        row[joints[0]] = lines.down
        return "".join(row)
    for i in range(joints[0], joints[-1] + 1):
        row[i] = lines.across
    for joint in joints[1:-1]:
        row[joint] = lines.child
    row[joints[0]], row[joints[-1]] = lines.left, lines.right
    row[middle] = lines.both if middle in joints else lines.parent
    return "".join(row)


def indented(tree: Tree, width: int, lines: Lines) -> Iterator[str]:
    """One line for each node. Where there is no room for another step, what is below stays where it is."""
    limit = width // 2
    yield cut(tree.label, width, lines)
    waiting = [(child, "", i == len(tree.children) - 1) for i, child in enumerate(tree.children)][::-1]
    while waiting:
        node, before, last = waiting.pop()
        branch = (lines.corner if last else lines.tee) + lines.across + " "
        yield cut(before + branch + node.label, width, lines)
        step = "   " if last else lines.down + "  "
        below = before + step if len(before) + len(step) < limit else before
        count = len(node.children)
        waiting += [(child, below, i == count - 1) for i, child in enumerate(node.children)][::-1]
