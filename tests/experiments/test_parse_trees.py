"""Trees from the Viterbi explanations of grammars."""

import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_repl import Atom, PrismError, Session, Struct, Var
from prism_repl.experiments import (
    Tree,
    left_corner_tree,
    leftmost_tree,
    read_trees,
    score_parses,
    switches_in_order,
)
from tests.experiments.test_trees import trees

FOLDER = Path(__file__).parent.parent.parent / "examples" / "viterbi-training"

SESSION = Session([].append)
SAME_WORDS = read_trees(
    """
    (S (A a) (X (B b) (C c)))
    (S (A a) (Y (B b) (C c)))
    (S (A a) (B b) (C c))
    (S (X (A a) (B b)) (C c))
    (S (S (A a) (X b)) (X c))
    (S a b c)
    """
)
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


@pytest.mark.parametrize("kind", ["pcfg", "plcg"])
def test_the_programs_are_those_of_the_paper(kind, grammars, tmp_path):
    """With the same switches and parameters the paper's parsers, which read the rules off the switches, find
    the same probabilities."""
    grammar = grammars.Grammar.of_trees(GRAMMAR)
    text = grammars.pcfg_program(grammar) if kind == "pcfg" else grammars.plcg_program(grammar)
    values = [line for line in text.splitlines() if line.startswith("values(")]
    figure = (FOLDER.parent / f"{kind}.psm").read_text()
    parser = [line for line in figure.splitlines() if not line.startswith("values(")]
    found = []
    for name, lines in (("special", text.splitlines()), ("figure", values + parser)):
        program = tmp_path / f"{name}.psm"
        program.write_text("\n".join(lines) + "\n")
        session = Session([].append)
        session.prism(program)
        goals = [grammars.goal_text(kind, tree.words()) for tree in GRAMMAR]
        session.prob(goals[0])  # switches are there when they were met
        switches = session.switches()
        assert len(switches) >= 5
        for switch in switches:
            weights = [1 + len(str(outcome)) for outcome in switch.outcomes]
            shares = [weight / sum(weights) for weight in weights]
            session.once(Struct("set_sw", switch.name, shares))
        found.append([session.prob(goal) for goal in goals])
    assert found[0] == pytest.approx(found[1])
    assert all(0 < p < 0.1 for p in found[0])


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
        ("read_bracketed(_,_)", "instantiation_error"),
        ("read_bracketed('nowhere.mrg',_)", "existence_error.*read_bracketed/2"),
        ("write_bracketed(_)", "instantiation_error"),
        ("parse_scores([],_)", "domain_error"),
        ("parse_scores(_,_)", "instantiation_error"),
        ("parse_scores([s(a)-_],_)", "instantiation_error"),
        ("parse_scores([s(a)],_)", "type_error"),
        ("parse_scores([s(a)-s(b)],_)", "domain_error"),
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


@given(st.lists(trees, max_size=4))
def test_files_are_read_as_in_python(found):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trees.mrg"
        file.write_text("".join(f"( {tree} )\n" for tree in found), encoding="utf-8")
        answer = SESSION.once(Struct("read_bracketed", str(file), Var("Trees")))
    assert answer["Trees"] == list(map(term_of, found))


def term_of(tree: Tree) -> Struct:
    return Struct(tree.label, *(Atom(c) if isinstance(c, str) else term_of(c) for c in tree.children))


@pytest.mark.parametrize(
    "text", ["(S (NP he)", "(S he))", "(S he) word", "(S ())", "(S (NP))", "(", "(S ((A a)))"]
)
def test_files_that_are_no_trees(tmp_path, text):
    (tmp_path / "wrong.mrg").write_text(text)
    with pytest.raises(PrismError, match="domain_error"):
        SESSION.once(Struct("read_bracketed", str(tmp_path / "wrong.mrg"), Var("Trees")))


def test_what_is_written(tmp_path):
    out: list[str] = []
    Session(out.append).once("write_bracketed('S'('NP'(he),'VP'('V'('it''s'),[])))")
    assert "".join(out) == "(S (NP he) (VP (V it's) []))"


@given(st.lists(st.tuples(st.sampled_from(SAME_WORDS), st.sampled_from([*SAME_WORDS, None])), min_size=1))
def test_scores_are_those_of_python(pairs):
    terms = [Struct("-", term_of(right), term_of(tree) if tree else []) for right, tree in pairs]
    scores = SESSION.once(Struct("parse_scores", terms, Var("Scores")))["Scores"]
    right = score_parses(pairs)
    assert {score.args[0]: score.args[1] for score in scores} == {
        name: pytest.approx(getattr(right, name))
        for name in ("labelled_tree", "bracketed_tree", "zero_crossing", "f1")
    }


def test_a_derivation_with_switches_left_over_has_no_tree():
    assert not Session([].append).once("derivation_tree(s,[msw(s,[a]),msw(s,[b])],_)")
