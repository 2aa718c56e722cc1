"""Trees from the Viterbi explanations of grammars."""

import sys
from pathlib import Path

import pytest

from prism_repl import PrismError, Session
from prism_repl.experiments import Tree, left_corner_tree, leftmost_tree, read_trees, switches_in_order

FOLDER = Path(__file__).parent.parent.parent / "examples" / "viterbi-training"

GRAMMAR = read_trees(
    """
    (S (NP (D the) (N man)) (VP (V saw) (NP (NP (D the) (N dog)) (PP (P with) (NP (N glasses))))))
    (S (NP (N man)) (VP (VP (V saw) (NP (N dog))) (PP (P with) (NP (N glasses)))))
    (S (S (NP (N dog)) (VP (V slept))) (C and) (S (NP (N man)) (VP (V slept))))
    """
)


@pytest.fixture
def grammars(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import grammars

    yield grammars
    sys.modules.pop("grammars", None)


def parse(session, grammars, grammar, kind: str, words: list[str]) -> Tree:
    found = session.viterbi(grammars.goal_text(kind, words))
    switches = list(switches_in_order(found.explanation))
    if kind == "pcfg":
        return leftmost_tree(grammar.start, switches, grammar.is_word)
    return left_corner_tree(grammar.start, switches)


@pytest.mark.parametrize("kind", ["pcfg", "plcg"])
def test_trees_of_the_most_probable_parses(kind, grammars, tmp_path):
    """The words are those of the sentence, the rules the grammar's."""
    grammar = grammars.Grammar.of_trees(GRAMMAR)
    program = tmp_path / f"{kind}.psm"
    program.write_text(grammars.pcfg_program(grammar) if kind == "pcfg" else grammars.plcg_program(grammar))
    session = Session(output=[].append)
    session.prism(program)
    rules = {(head, body) for head, bodies in grammar.rules.items() for body in bodies}
    for right in GRAMMAR:
        tree = parse(session, grammars, grammar, kind, right.words())
        assert tree.words() == right.words()
        assert set(tree.rules()) <= rules
    unambiguous = GRAMMAR[2]
    assert parse(session, grammars, grammar, kind, unambiguous.words()) == unambiguous


def test_both_grammars_accept_the_same_sentences(grammars, tmp_path):
    """A sentence has as many parses by left corners as from the top: all parses are the same trees."""
    grammar = grammars.Grammar.of_trees(GRAMMAR)
    words = "the man saw the dog with glasses and dog slept".split()
    found = []
    for kind, text in (("pcfg", grammars.pcfg_program(grammar)), ("plcg", grammars.plcg_program(grammar))):
        program = tmp_path / f"{kind}.psm"
        program.write_text(text)
        session = Session(output=[].append)
        session.prism(program)
        trees = set()
        query = f"n_viterbif(100,{grammars.goal_text(kind, words)},L)"
        for explanation in session.once(query)["L"]:
            switches = list(switches_in_order(explanation.args[2]))
            tree = (
                leftmost_tree("S", switches, grammar.is_word)
                if kind == "pcfg"
                else left_corner_tree("S", switches)
            )
            trees.add(str(tree))
        found.append(trees)
    assert len(found[0]) > 1
    assert found[0] == found[1]


def test_a_derivation_that_does_not_fit():
    with pytest.raises(ValueError, match="no rule for NP"):
        leftmost_tree("S", [("S", ["NP", "VP"]), ("VP", ["slept"])], lambda symbol: symbol.islower())
    with pytest.raises(ValueError, match="no first word of S"):
        left_corner_tree("S", [])


@pytest.mark.parametrize(
    ("query", "result"),
    [
        ("derivation_tree(s,[msw(s,[np,v]),msw(np,[they]),msw(v,[run])],R)", "s(np(they),v(run))"),
        ("derivation_tree(s,[msw(s,[np,v]),msw(np,[they])],R)", "s(np(they),v)"),
        ("cross_folds(2,[a,b,c],R)", "[fold([b],[a,c]),fold([a,c],[b])]"),
    ],
)
def test_predicates(query, result):
    assert Session([].append).once(f"{query}, R = {result}")


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("cross_folds(K,[a,b],_)", "instantiation_error"),
        ("cross_folds(a,[a,b],_)", "type_error"),
        ("cross_folds(3,[a,b],_)", "domain_error"),
        ("cross_folds(2,_,_)", "instantiation_error"),
        ("derivation_tree(s,x,_)", "type_error"),
    ],
)
def test_wrong_arguments(query, error):
    with pytest.raises(PrismError, match=error):
        Session([].append).once(query)


def test_a_derivation_with_switches_left_over_has_no_tree():
    assert not Session([].append).once("derivation_tree(s,[msw(s,[a]),msw(s,[b])],_)")
