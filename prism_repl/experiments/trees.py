"""Parse trees in bracketed Penn form: `(S (NP (PRP he)) (VP (VBD slept)))`.

Reading accepts what treebanks contain: white space anywhere, several trees in a text, and trees that are
wrapped in a pair of brackets without a label, as the Penn treebank's are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(r"[()]|[^\s()]+")
EMPTY = "-NONE-"  # the Penn treebank's label of traces, which are no words


class TreeError(ValueError):
    """A text is not a sequence of bracketed trees; says where."""


@dataclass(frozen=True)
class Tree:
    """A node with its label; children are trees or words."""

    label: str
    children: tuple[Tree | str, ...]

    def __str__(self) -> str:
        pieces: list[str] = []
        work: list[Tree | str | None] = [self]  # None closes a bracket
        while work:
            item = work.pop()
            if item is None:
                pieces.append(")")
            elif isinstance(item, str):
                pieces.append(" " + item)
            else:
                pieces.append(f"({item.label}" if not pieces else f" ({item.label}")
                work.append(None)
                work.extend(reversed(item.children))
        return "".join(pieces)

    def words(self) -> list[str]:
        """The words below, from left to right."""
        found: list[str] = []
        work: list[Tree | str] = [self]
        while work:
            item = work.pop()
            if isinstance(item, str):
                found.append(item)
            else:
                work.extend(reversed(item.children))
        return found

    def brackets(self) -> list[tuple[str, int, int]]:
        """(label, first, behind) of every node, positions counted in words from 0; children come first."""
        found: list[tuple[str, int, int]] = []
        position = 0
        work: list[Tree | str | tuple[str, int]] = [self]  # (label, first) ends a node
        while work:
            item = work.pop()
            if isinstance(item, str):
                position += 1
            elif isinstance(item, tuple):
                found.append((*item, position))
            else:
                work.append((item.label, position))
                work.extend(reversed(item.children))
        return found

    def rules(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The rules of the tree: (label, labels and words of the children), from the top, left to right."""
        work: list[Tree] = [self]
        while work:
            node = work.pop()
            yield node.label, tuple(c if isinstance(c, str) else c.label for c in node.children)
            work.extend(child for child in reversed(node.children) if isinstance(child, Tree))


def plain_tree(tree: Tree) -> Tree | None:
    """A tree as grammars are read from it: without the traces of the Penn treebank, with labels that are
    categories (NP for NP-SBJ-1), no node alone below one of the same label. None if nothing is left."""
    found: list[list[Tree | str]] = [[]]  # the children of the open nodes so far
    work: list[Tree | str | None] = [tree]  # None closes a node
    labels: list[str] = []
    while work:
        item = work.pop()
        if isinstance(item, str):
            found[-1].append(item)
        elif isinstance(item, Tree):
            if item.label != EMPTY:
                labels.append(category(item.label))
                found.append([])
                work.append(None)
                work.extend(reversed(item.children))
        else:
            label, children = labels.pop(), found.pop()
            if len(children) == 1 and isinstance(children[0], Tree) and children[0].label == label:
                found[-1].append(children[0])
            elif children:
                found[-1].append(Tree(label, tuple(children)))
    [top] = found
    return top[0] if top and isinstance(top[0], Tree) else None


def category(label: str) -> str:
    """A label without function tags and indices; -LRB- and the like are whole."""
    return label if label.startswith(("-", "=")) else re.split("[-=]", label)[0]


def read_trees(text: str) -> list[Tree]:
    """All trees of a text."""
    trees: list[Tree] = []
    open_nodes: list[tuple[str | None, list[Tree | str], int]] = []
    label_next = False
    opened = 0  # where the last bracket is
    for token in TOKEN.finditer(text):
        word = token.group()
        if word == "(":
            if label_next:  # `( (S ...))`: a bracket without a label
                open_nodes.append((None, [], opened))
            label_next = True
            opened = token.start()
        elif word == ")":
            if label_next:
                raise TreeError(f"{place(text, token.start())}: empty brackets")
            if not open_nodes:
                raise TreeError(f"{place(text, token.start())}: a ) too many")
            close_node(text, open_nodes, trees)
        elif label_next:
            open_nodes.append((word, [], opened))
            label_next = False
        elif open_nodes:
            open_nodes[-1][1].append(word)
        else:
            raise TreeError(f"{place(text, token.start())}: {word!r} stands outside of all brackets")
    if open_nodes or label_next:
        start = opened if label_next else open_nodes[-1][2]
        raise TreeError(f"{place(text, start)}: a bracket is not closed")
    return trees


def close_node(
    text: str, open_nodes: list[tuple[str | None, list[Tree | str], int]], trees: list[Tree]
) -> None:
    """End the innermost node: it becomes a child of the one around it, or a tree of the text."""
    label, children, start = open_nodes.pop()
    if not children:
        raise TreeError(f"{place(text, start)}: the node {label} has no children")
    if label is None:
        if open_nodes or not all(isinstance(child, Tree) for child in children):
            raise TreeError(f"{place(text, start)}: a node has no label")
        trees.extend(child for child in children if isinstance(child, Tree))
        return
    node = Tree(label, tuple(children))
    if open_nodes:
        open_nodes[-1][1].append(node)
    else:
        trees.append(node)


def place(text: str, position: int) -> str:
    """Where a position is, for people: line and column."""
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"line {line}, column {column}"
