"""Bracketed trees: reading, writing, what is in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_repl.experiments import Tree, TreeError, plain_tree, read_trees

SLEPT = "(S (NP (PRP he)) (VP (VBD slept)))"

symbols = st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters="()"), min_size=1)
trees = st.recursive(
    st.builds(Tree, symbols, st.lists(symbols, min_size=1, max_size=3).map(tuple)),
    lambda inner: st.builds(Tree, symbols, st.lists(inner | symbols, min_size=1, max_size=3).map(tuple)),
    max_leaves=20,
)


def test_read_and_write():
    (tree,) = read_trees(SLEPT)
    assert tree == Tree("S", (Tree("NP", (Tree("PRP", ("he",)),)), Tree("VP", (Tree("VBD", ("slept",)),))))
    assert str(tree) == SLEPT


def test_penn_files_wrap_trees_in_brackets_without_a_label():
    assert read_trees(f"( {SLEPT} )\n\n(\n  {SLEPT}\n)\n") == read_trees(SLEPT + SLEPT)


@given(st.lists(trees, max_size=4))
def test_what_is_written_is_read(given_trees):
    assert read_trees("\n".join(map(str, given_trees))) == given_trees


def test_words_brackets_and_rules():
    (tree,) = read_trees(SLEPT)
    assert tree.words() == ["he", "slept"]
    assert tree.brackets() == [("PRP", 0, 1), ("NP", 0, 1), ("VBD", 1, 2), ("VP", 1, 2), ("S", 0, 2)]
    assert list(tree.rules()) == [
        ("S", ("NP", "VP")),
        ("NP", ("PRP",)),
        ("PRP", ("he",)),
        ("VP", ("VBD",)),
        ("VBD", ("slept",)),
    ]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("(S (NP-SBJ-1 (PRP he)) (VP=2 (VBD slept)))", "(S (NP (PRP he)) (VP (VBD slept)))"),
        ("(S (NP-SBJ (-NONE- *-1)) (VP (V go) (SBAR (-NONE- 0) (S (-NONE- *T*-2)))))", "(S (VP (V go)))"),
        ("(NP (NP-TMP (NP (N day)) (-NONE- *)))", "(NP (N day))"),
        ("(X (-LRB- -LRB-) (-RRB- -RRB-) (= =))", "(X (-LRB- -LRB-) (-RRB- -RRB-) (= =))"),
    ],
)
def test_plain_trees(text, plain):
    (tree,) = read_trees(text)
    assert str(plain_tree(tree)) == plain
    assert plain_tree(plain_tree(tree)) == plain_tree(tree)


def test_nothing_is_left_of_traces():
    assert plain_tree(*read_trees("(S (NP (-NONE- *)))")) is None
    assert plain_tree(*read_trees("(-NONE- *)")) is None


def test_deep_trees():
    depth = 100_000
    text = "(A " * depth + "w" + ")" * depth
    (tree,) = read_trees(text)
    assert str(tree) == text
    assert tree.words() == ["w"]
    assert len(tree.brackets()) == depth


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NP he)", "line 1, column 1: a bracket is not closed"),
        ("(S he))", "line 1, column 7: a ) too many"),
        ("(S he)\n word", "line 2, column 2: 'word' stands outside"),
        ("(S ())", "line 1, column 5: empty brackets"),
        ("(S (NP))", "line 1, column 4: the node NP has no children"),
        ("(", "a bracket is not closed"),
    ],
)
def test_errors_say_where(text, message):
    with pytest.raises(TreeError) as error:
        read_trees(text)
    assert message in str(error.value)
