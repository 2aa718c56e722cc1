"""Pictures as files, by libraries: Graphviz for graphs, svgling for trees, matplotlib for plots.

They come with the extra `pictures`; Graphviz' program dot comes with the system.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Any

from prism_repl.pictures.bars import Distribution
from prism_repl.pictures.curves import Curve, scale
from prism_repl.pictures.graphs import GraphPicture, number_text
from prism_repl.pictures.trees import Tree

SUFFIXES = ("svg", "png", "dot")
INSTALL = "python -m pip install 'prism-repl[pictures]'"
BEST, OTHER = "#c05000", "#404040"
PAGE = 860  # pixels of a notebook's column
FONT = "Helvetica"
LABEL = 60  # characters
MOST_SWITCHES = 50  # in one picture


class Missing(Exception):
    """A library or program is not there; the text says what to install."""


class UnknownSuffix(Exception):
    """No picture can be written to a file of this name."""


def imported(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        library = name.partition(".")[0]
        raise Missing(f"pictures of this kind need {library}: {INSTALL}") from None


def suffix_of(path: str, allowed: tuple[str, ...] = SUFFIXES) -> str:
    suffix = FilePath(path).suffix.removeprefix(".").lower()
    if suffix not in allowed:
        raise UnknownSuffix(", ".join("." + known for known in allowed))
    return suffix


def short(text: str) -> str:
    return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def element(svg: str) -> str:
    """A picture as part of a page: without what stands before <svg> in a file, and not wider than a page."""
    tag, _, rest = svg[svg.index("<svg") :].partition(">")
    width, height = (re.search(rf'\b{side}="([\d.]+)(px|pt)?"', tag) for side in ("width", "height"))
    if width and height and float(width[1]) > PAGE:
        scaled = float(height[1]) * PAGE / float(width[1])
        tag = tag.replace(width[0], f'width="{PAGE}px"').replace(height[0], f'height="{scaled:.0f}px"')
    return f"{tag}>{rest}"


# ---- Graphviz


def rendered(dot: Any, suffix: str) -> bytes:
    """A graph of the graphviz library as a picture."""
    if suffix == "dot":
        return str(dot.source).encode()
    if shutil.which("dot") is None:
        raise Missing("this picture needs the program dot: apt install graphviz, brew install graphviz")
    return bytes(dot.pipe(format=suffix))


def tree_dot(tree: Tree) -> Any:
    style = {"shape": "plaintext", "height": "0.2", "width": "0.2", "margin": "0.05,0.03", "fontname": FONT}
    # Children stand in their order; else Graphviz may change it.
    dot = imported("graphviz").Digraph(node_attr=style, graph_attr={"ranksep": "0.35", "ordering": "out"})
    dot.attr("edge", arrowhead="none")
    waiting = [(tree, "0")]
    while waiting:
        node, name = waiting.pop()
        dot.node(name, escaped(node.label))
        for i, child in enumerate(node.children):
            dot.edge(name, f"{name}.{i}")
            waiting.append((child, f"{name}.{i}"))
    return dot


def graph_dot(graph: GraphPicture) -> Any:
    """Goals are boxes, explanations are round and name their switches; the best one has another colour."""
    dot = imported("graphviz").Digraph(
        graph_attr={"ranksep": "0.3", "nodesep": "0.2"},
        node_attr={"fontsize": "11", "fontname": FONT, "height": "0.2", "shape": "box"},
        edge_attr={"arrowsize": "0.6"},
    )
    for i, node in enumerate(graph.nodes):
        color = BEST if node.best else OTHER
        label = f"{escaped(node.goal)}\\n{number_text(node.probability)}"
        dot.node(f"g{i}", label, color=color, penwidth="2" if node.best else "1")
    for i, node in enumerate(graph.nodes):
        for k, path in enumerate(node.paths):
            color, width = (BEST, "2") if path.best else (OTHER, "1")
            name = f"g{i}p{k}"
            parts = [*(escaped(switch) for switch in path.switches), number_text(path.probability)]
            label = "\\n".join(parts)
            dot.node(name, label, style="rounded", color=color, fontsize="9", margin="0.08,0.03")
            dot.edge(f"g{i}", name, color=color, penwidth=width, arrowhead="none")
            for goal in path.goals:
                dot.edge(name, f"g{goal}", color=color, penwidth=width)
    return dot


def escaped(label: str) -> str:
    return short(label).replace("\\", "\\\\").replace("\n", " ")


def graph_svg(graph: GraphPicture) -> str:
    return element(rendered(graph_dot(graph), "svg").decode())


def graph_picture(graph: GraphPicture, suffix: str) -> bytes:
    return rendered(graph_dot(graph), suffix)


def graph_file(graph: GraphPicture, path: str) -> None:
    write(path, graph_picture(graph, suffix_of(path)))


# ---- trees


def tree_svg(tree: Tree) -> str:
    """By svgling; it recurses, so a deep tree is drawn by Graphviz."""
    if tree.depth > 100:
        return element(rendered(tree_dot(tree), "svg").decode())
    svgling = imported("svgling")
    options = {"font_style": svgling.core.SANS, "leaf_padding": 1}
    return element(str(svgling.draw_tree(nested(tree), **options).get_svg().tostring()))


def nested(tree: Tree) -> Any:
    if not tree.children:
        return short(tree.label)
    return (short(tree.label), *(nested(child) for child in tree.children))


def tree_picture(tree: Tree, suffix: str) -> bytes:
    return tree_svg(tree).encode() if suffix == "svg" else rendered(tree_dot(tree), suffix)


def tree_file(tree: Tree, path: str) -> None:
    write(path, tree_picture(tree, suffix_of(path)))


# ---- plots


def plot(draw: Callable[[Any], None], size: tuple[float, float], suffix: str) -> bytes:
    """What a function draws into the axes of matplotlib."""
    figure_class = imported("matplotlib.figure").Figure
    imported("matplotlib.backends.backend_agg")
    output = io.BytesIO()
    # Text stays text, and the same picture is the same file.
    with imported("matplotlib").rc_context({"svg.fonttype": "none", "svg.hashsalt": "prism-repl"}):
        figure = figure_class(figsize=size, layout="constrained")
        draw(figure)
        figure.savefig(output, format=suffix, dpi=150, metadata={"Date": None} if suffix == "svg" else None)
    return output.getvalue()


def bars_picture(distributions: list[Distribution], suffix: str) -> bytes:
    distributions = distributions[:MOST_SWITCHES]
    rows = [len(d.outcomes) for d in distributions]

    def draw(figure: Any) -> None:
        axes = figure.subplots(len(rows), 1, squeeze=False, height_ratios=[n + 1 for n in rows])[:, 0]
        for axis, d in zip(axes, distributions, strict=True):
            places = range(len(d.outcomes))
            axis.barh(places, d.probabilities, height=0.7, color="#4878a8")
            axis.set_yticks(places, [short(outcome) for outcome in d.outcomes])
            axis.set_xlim(0, 1)
            axis.invert_yaxis()
            axis.spines[["top", "right"]].set_visible(False)
            axis.tick_params(axis="y", length=0)
            axis.tick_params(axis="x", labelbottom=axis is axes[-1])
            axis.set_title(short(d.name), fontsize=10, loc="left")
            for place, p in zip(places, d.probabilities, strict=True):
                inside = p > 0.9
                where = {"x": p - 0.01, "ha": "right", "color": "white"} if inside else {"x": p + 0.01}
                axis.text(y=place, s=f"{p:.3f}", va="center", fontsize=8, **where)

    return plot(draw, (7.0, 0.6 + 0.32 * sum(n + 2 for n in rows)), suffix)


def learning_picture(curves: list[Curve], name: str, suffix: str) -> bytes:
    def draw(figure: Any) -> None:
        axis = figure.subplots()
        for i, curve in enumerate(curves):
            style = {"color": BEST, "linewidth": 2.0, "zorder": 3} if curve.best else {"linewidth": 1.0}
            label = f"run {i}" + (" (best)" if curve.best and len(curves) > 1 else "")
            axis.plot(range(len(curve.objectives)), curve.objectives, label=label, **style)
        low, high = scale(curves)
        if high > low:
            margin = 0.05 * (high - low)
            axis.set_ylim(low - margin, high + margin)
        axis.spines[["top", "right"]].set_visible(False)
        axis.ticklabel_format(axis="y", useOffset=False)
        axis.set_xlabel("iteration")
        axis.set_ylabel(name)
        if 1 < len(curves) <= 12:
            axis.legend(fontsize=8)

    return plot(draw, (7.0, 4.0), suffix)


def bars_file(distributions: list[Distribution], path: str) -> None:
    write(path, bars_picture(distributions, suffix_of(path, ("svg", "png"))))


def learning_file(curves: list[Curve], name: str, path: str) -> None:
    write(path, learning_picture(curves, name, suffix_of(path, ("svg", "png"))))


def write(path: str, data: bytes) -> None:
    FilePath(path).expanduser().write_bytes(data)
