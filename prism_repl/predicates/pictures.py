"""show_tree, show_graph, show_bars, show_learn: pictures as text, as files, and inline in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.errors import domain_error, existence_error, permission_error
from prism_repl.inference.search import Search, infer
from prism_repl.model.messages import say, text_of
from prism_repl.pictures import files, inline
from prism_repl.pictures.bars import Distribution, bars_text
from prism_repl.pictures.curves import Curve, learning_text
from prism_repl.pictures.graphs import GraphPicture, Node, Path, graph_text
from prism_repl.pictures.lines import ASCII, BOX, Lines
from prism_repl.pictures.trees import Tree, tree_text
from prism_repl.predicates.viterbi import Request, explanations
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.source import file_name
from prism_repl.prolog.writer import write_term

MOST_NODES = 1000  # of a graph in a file: Graphviz needs minutes for more
MOST_ROWS = 200  # nodes of a graph in text


def lines_of(m: Any) -> Lines:
    return ASCII if m.state.get("ascii_pictures") else BOX


def width_of(m: Any) -> int:
    """The columns of the terminal, if that is where the text goes, else 80."""
    columns = m.state.get("picture_width")
    return columns() if callable(columns) else 80


def shown(m: Any, text: Callable[[int, Lines], str], picture: Callable[[str], bytes]) -> bool:
    """Show a picture where programs write: as SVG in a notebook, inline if the flag says so and the terminal
    can, else as text. `picture` makes it for a suffix."""
    in_notebook = m.state.get("show_svg")
    protocol = inline.protocol(m.prob.flags["inline_pictures"])
    if m.streams.current_output is m.streams.user_output:
        try:
            if in_notebook is not None:
                in_notebook(files.element(picture("svg").decode()), text(width_of(m), lines_of(m)))
                return True
            if protocol is not None:
                say(m, inline.sequence(protocol, picture("png")) + "\n")
                return True
        except files.Missing as missing:
            say(m, f"** {missing}\n")
    say(m, text(width_of(m), lines_of(m)))
    return True


def saved(m: Any, file: int, save: Callable[[str], None]) -> bool:
    """Write a picture to a file; its suffix says which kind."""
    name = file_name(m, file)
    try:
        save(name)
    except files.UnknownSuffix as suffixes:
        m.streams.complain(f"***  PRISM ERROR: a picture ends in one of {suffixes} -- {name}\n")
        raise domain_error("picture_file", file) from None
    except files.Missing as missing:
        m.streams.complain(f"***  PRISM ERROR: {missing}\n")
        raise existence_error("picture_library", m.atom("pictures")) from None
    except OSError:
        raise permission_error("create", "source_sink", file) from None
    return True


# ---- trees


def goal_tree(m: Any, goal: int) -> Tree | None:
    """The best explanation of a goal; None if it has none. A list [Goal,Child,...] is such a tree itself."""
    if m.is_list_cell(goal):
        return tree_of(m, goal)
    found = explanations(m, goal, Request())
    return tree_of(m, found[0].terms.tree(found[0].paths)) if found else None


def tree_of(m: Any, cell: int) -> Tree:
    """[Goal,Child,...] as a tree of texts; msw(I,V) is I = V."""
    results: list[Tree] = []
    work: list[tuple[int, int]] = [(cell, -1)]  # a cell, and how many children it has if they are done
    while work:
        c, count = work.pop()
        c = m.deref(c)
        if count >= 0:
            children = tuple(results[len(results) - count :])
            del results[len(results) - count :]
            results.append(Tree.of(label(m, m.list_items(c)[0][0]), children))
        elif m.is_list_cell(c):
            items = m.list_items(c)[0]
            work.append((c, len(items) - 1))
            work += [(item, -1) for item in reversed(items[1:])]
        else:
            results.append(Tree.of(label(m, c)))
    return results[0]


def label(m: Any, c: int) -> str:
    c = m.deref(c)
    if m.is_compound(c) and m.arity_of(c) == 2 and m.atom_text(m.name_of(c)) == "msw":
        return f"{short(m, m.arg(c, 0))} = {short(m, m.arg(c, 1))}"
    return short(m, c)


def short(m: Any, c: int) -> str:
    return write_term(m, c, quoted=True, float_format="short", max_length=200)


@builtin("show_tree(+Goal) is det")
def show_tree(m: Any, goal: int) -> bool:
    tree = goal_tree(m, goal)
    return tree is not None and shown(
        m, lambda width, lines: tree_text(tree, width, lines), lambda suffix: files.tree_picture(tree, suffix)
    )


@builtin("show_tree(+Goal, +File:file) is det")
def show_tree_file(m: Any, goal: int, file: int) -> bool:
    tree = goal_tree(m, goal)
    return tree is not None and saved(m, file, lambda name: files.tree_file(tree, name))


# ---- graphs


def goal_graph(m: Any, goal: int, most: int) -> GraphPicture | None:
    """The explanation graph of a goal with its probabilities, the best explanation marked; of a large one
    only the first nodes. None if the goal has no explanation."""

    def compute(found: Search) -> GraphPicture:
        inference, graph = found.inference(False), found.graph
        values = inference.inside()
        best_paths = set(inference.viterbi().paths)
        node_of = graph.node_of_path().tolist()
        best_nodes = {node_of[path] for path in best_paths}
        order = list(graph.print_order())
        number = {node: i for i, node in enumerate(order[:most])}
        nodes = []
        scale = np.exp if values.logs else lambda x: x
        for node in order[:most]:
            paths = []
            for path in graph.paths(node):
                goals, switches = graph.split(path)
                paths.append(
                    Path(
                        tuple(number[g] for g in goals if g in number),
                        tuple(label(m, found.switch_cell(s)) for s in switches)
                        + tuple(short(m, found.node_cell(g)) for g in goals if g not in number),
                        float(scale(values.paths[path])),
                        path in best_paths,
                    )
                )
            probability = float(scale(values.nodes[node]))
            nodes.append(Node(short(m, found.node_cell(node)), probability, tuple(paths), node in best_nodes))
        return GraphPicture(tuple(nodes), len(order) - len(nodes))

    return infer(m, goal, compute)


@builtin("show_graph(+Goal) is det")
def show_graph(m: Any, goal: int) -> bool:
    graph = goal_graph(m, goal, MOST_ROWS)
    return graph is not None and shown(
        m,
        lambda width, lines: graph_text(graph, width, lines),
        lambda suffix: files.graph_picture(graph, suffix),
    )


@builtin("show_graph(+Goal, +File:file) is det")
def show_graph_file(m: Any, goal: int, file: int) -> bool:
    graph = goal_graph(m, goal, MOST_NODES)
    if graph is None:
        return False
    if graph.left_out:
        say(
            m,
            f"** The picture shows {MOST_NODES} of {graph.left_out + MOST_NODES} goals.\n",
        )
    return saved(m, file, lambda name: files.graph_file(graph, name))


# ---- switches


def distributions(m: Any, pattern: int) -> list[Distribution]:
    switches = m.prob.switches
    found = [s for s in switches.in_order(m, switches.matching(m, pattern)) if s.parameters is not None]
    return [
        Distribution(
            text_of(m, m.thaw(s.name) if not isinstance(s.name, int) else s.name),
            tuple(text_of(m, c) for c in s.outcome_cells(m)),
            tuple(map(float, s.parameters)),
        )
        for s in found
    ]


@builtin("show_bars is det")
def show_bars_all(m: Any) -> bool:
    return show_bars(m, m.new_var())


@builtin("show_bars(@Pattern:switch) is det")
def show_bars(m: Any, pattern: int) -> bool:
    found = distributions(m, pattern)
    if not found:
        say(m, NO_SWITCHES)
        return True
    return shown(
        m,
        lambda width, lines: bars_text(found, width, lines),
        lambda suffix: files.bars_picture(found, suffix),
    )


@builtin("show_bars(@Pattern:switch, +File:file) is det")
def show_bars_file(m: Any, pattern: int, file: int) -> bool:
    found = distributions(m, pattern)
    if not found:
        say(m, NO_SWITCHES)
        return False
    return saved(m, file, lambda name: files.bars_file(found, name))


NO_SWITCHES = "No such switch has parameters yet.\n"


# ---- learning


def course_of(m: Any) -> tuple[list[Curve], str] | None:
    """The curves of the last learn, and what they show."""
    course: tuple[list[Curve], str] | None = m.prob.statistics.get("course")
    return course


@builtin("show_learn is det")
def show_learn(m: Any) -> bool:
    course = course_of(m)
    if course is None:
        say(m, NOT_LEARNED)
        return True
    return shown(
        m,
        lambda width, lines: learning_text(*course, width, lines),
        lambda suffix: files.learning_picture(*course, suffix),
    )


@builtin("show_learn(+File:file) is det")
def show_learn_file(m: Any, file: int) -> bool:
    course = course_of(m)
    if course is None:
        say(m, NOT_LEARNED)
        return False
    return saved(m, file, lambda name: files.learning_file(*course, name))


NOT_LEARNED = "Nothing has been learned yet.\n"


# ---- for Python


@helper("$picture", 2)
def picture(m: Any, kind: int, goal: int) -> bool:
    """The tree or the graph of a goal as an object, left in m.state["picture"]."""
    found: Tree | GraphPicture | None
    found = goal_tree(m, goal) if m.atom_text(kind) == "tree" else goal_graph(m, goal, MOST_NODES)
    m.state["picture"] = found
    return found is not None
