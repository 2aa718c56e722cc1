"""Pictures in text: trees, graphs, bars, curves; never wider than they may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_repl.pictures.bars import Distribution, bars_text
from prism_repl.pictures.curves import Curve, learning_text
from prism_repl.pictures.graphs import GraphPicture, Node, Path, graph_text
from prism_repl.pictures.lines import ASCII, BOX
from prism_repl.pictures.trees import Tree, tree_text

pytestmark = pytest.mark.quick

S = Tree.of("s", (Tree.of("np", (Tree.of("she"),)), Tree.of("vp", (Tree.of("v"), Tree.of("np")))))


def test_a_tree_from_the_top_down():
    assert tree_text(S) == (
        "    s\n"
        " ┌──┴──┐\n"
        "np    vp\n"
        " │   ┌─┴─┐\n"
        "she  v  np\n"
    )  # fmt: skip


def test_a_tree_with_three_children():
    tree = Tree.of("s", (Tree.of("a"), Tree.of("b"), Tree.of("c")))
    assert tree_text(tree) == "   s\n┌──┼──┐\na  b  c\n"


def test_a_wide_label():
    tree = Tree.of("a long label", (Tree.of("a"), Tree.of("b")))
    rows = tree_text(tree).splitlines()
    assert rows[0] == "a long label"
    assert rows[1].index("┴") == 6


def test_a_tree_without_room_is_indented():
    assert tree_text(S, 8) == "s\n├─ np\n│  └─ s…\n└─ vp\n   ├─ v\n   └─ np\n"
    assert tree_text(S, 8, ASCII).startswith("s\n|- np\n")


def test_a_deep_tree_stays_within_the_width():
    tree = Tree.of("end")
    for i in range(2000):
        tree = Tree.of(f"node{i}", (tree, Tree.of("x = y")))
    rows = tree_text(tree, 60).splitlines()
    assert len(rows) == 4001
    assert max(map(len, rows)) <= 60
    assert "node1000" in "".join(rows)


trees = st.recursive(
    st.text("abc(,)", min_size=1, max_size=12).map(Tree.of),
    lambda below: st.builds(
        Tree.of, st.text("xyz", min_size=1, max_size=12), st.lists(below, max_size=4).map(tuple)
    ),
    max_leaves=12,
)


@given(trees, st.integers(10, 80), st.sampled_from([BOX, ASCII]))
def test_no_row_is_wider_than_it_may_be(tree, width, lines):
    text = tree_text(tree, width, lines)
    assert all(len(row) <= width for row in text.splitlines())
    if lines is ASCII:
        assert text.isascii()


GRAPH = GraphPicture(
    (
        Node("p", 0.5, (Path((1,), ("c = a",), 0.3, True), Path((1,), ("c = b",), 0.2)), True),
        Node("q(1,2,3)", 0.5, (Path((), (), 0.5, True),), True),
    ),
    left_out=3,
)


def test_a_graph():
    assert graph_text(GRAPH) == (
        "● p  0.5\n"
        "  ├─● q(1,2,3) (1) & c = a  0.3\n"
        "  └── q(1,2,3) (1) & c = b  0.2\n"
        "● q(1,2,3) (1)  0.5\n"
        "  └─● true  0.5\n"
        "  … and 3 more goals\n"
    )
    assert graph_text(GRAPH, 80, ASCII).isascii()
    assert max(map(len, graph_text(GRAPH, 25).splitlines())) <= 25


def test_bars():
    d = Distribution("coin", ("head", "tail"), (0.75, 0.25))
    text = bars_text([d], 30)
    assert text == "coin\n  head 0.7500 ████████████\n  tail 0.2500 ████\n"
    assert bars_text([d], 30, ASCII) == "coin\n  head 0.7500 ############\n  tail 0.2500 ####\n"
    assert "▋" in bars_text([Distribution("c", ("a",), (0.03125,))], 30)


def test_curves():
    text = learning_text([Curve((-10.0, -5.0, -4.0), True, True)], "log likelihood")
    assert text == "log likelihood by iteration, from -10 to -4\n▁▇█ -4.000000 (3)\n"
    two = learning_text([Curve((-10.0,) * 500, False), Curve((-9.0,), True, True)], "x", 40, ASCII)
    long, short = Curve(tuple(map(float, range(90))), True), Curve(tuple(map(float, range(45))), True)
    of_long, of_short = learning_text([long, short], "x", 60, ASCII).splitlines()[1:]
    assert len(of_short.split()[1]) == -(-len(of_long.split()[1]) // 2)  # half as many iterations
    narrow = learning_text([long], "a name that is long", 40)
    assert narrow.startswith("a name that is long by iteration,\nfrom 1 to 89\n")
    rows = two.splitlines()
    assert max(map(len, rows)) <= 40
    assert rows[1].startswith("  [0] ____")
    assert rows[1].endswith("(500, stopped)")
    assert rows[2].startswith("* [1] @")
    assert learning_text([Curve((), False)], "x")  # nothing was evaluated
