"""Parsing scores, folds and significance."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_repl import Session
from prism_repl.experiments import (
    compare_with_control,
    folds,
    read_trees,
    restarted,
    score_parses,
    significance_table,
)

RIGHT, RELABELLED, OTHER, CROSSING = read_trees(
    """
    (S (A a) (X (B b) (C c)))
    (S (A a) (Y (B b) (C c)))
    (S (A a) (B b) (C c))
    (S (X (A a) (B b)) (C c))
    """
)


def test_each_measure_is_less_strict_than_the_one_before():
    scores = score_parses([(RIGHT, RIGHT), (RIGHT, RELABELLED), (RIGHT, OTHER), (RIGHT, CROSSING)])
    assert scores.sentences == 4
    assert (scores.labelled_tree, scores.bracketed_tree, scores.zero_crossing) == (0.25, 0.5, 0.75)
    # of 5 + 5 + 4 + 5 predicted brackets 5 + 4 + 4 + 4 are right, of 4 * 5 right ones as many are found
    assert scores.precision == pytest.approx(17 / 19)
    assert scores.recall == pytest.approx(17 / 20)
    assert scores.f1 == pytest.approx(2 * 17 / (19 + 20))


def test_no_parse_is_wrong():
    scores = score_parses([(RIGHT, None), (RIGHT, RIGHT)])
    assert (scores.labelled_tree, scores.zero_crossing, scores.recall) == (0.5, 0.5, 0.5)


def test_trees_of_other_sentences_are_refused():
    with pytest.raises(ValueError, match="different words"):
        score_parses([(RIGHT, read_trees("(S (A x))")[0])])
    with pytest.raises(ValueError, match="no trees"):
        score_parses([])


@given(st.integers(2, 30), st.integers(0, 40), st.none() | st.integers(0, 5))
def test_every_item_is_tested_once(k, more, seed):
    items = list(range(k + more))
    found = list(folds(items, k, seed))
    assert sorted(item for fold in found for item in fold.test) == items
    for fold in found:
        assert sorted(fold.training + fold.test) == items
    sizes = {len(fold.test) for fold in found}
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("k", [0, 1, 4])
def test_impossible_folds(k):
    with pytest.raises(ValueError, match="3 items"):
        list(folds([1, 2, 3], k))


def test_restarted_sets_flags(tmp_path):
    program = tmp_path / "coin.psm"
    program.write_text("values(coin,[h,t]).\ntoss(X) :- msw(coin,X).\n")
    session = Session([].append)
    session.prism(program)
    restarted(session, ["toss(h)", "toss(h)", "toss(t)"], "ml", restarts=3, epsilon=1.0e-6)
    assert session.once("get_prism_flag(restart,3), get_prism_flag(epsilon,E), E =:= 1.0e-6")
    assert session.switch("coin").parameters[0] == pytest.approx(2 / 3)


def test_a_clear_difference_is_significant():
    pytest.importorskip("scipy", reason="Dunnett's test needs scipy (the extra `examples`)")
    results = {"VT": [0.9, 0.91, 0.89, 0.9], "EM": [0.5, 0.51, 0.49, 0.5], "VB": [0.9, 0.89, 0.91, 0.9]}
    comparisons = {c.method: c for c in compare_with_control(results, "VT")}
    assert comparisons["EM"].p_value < 0.001
    assert comparisons["EM"].difference == pytest.approx(0.4)
    assert comparisons["VB"].p_value > 0.5
    table = significance_table({"score": results}, "VT")
    assert "**90.00**" in table
    assert "50.00 (0.82)*" in table
    assert table.count("*)") == 0


def test_comparisons_need_a_control():
    pytest.importorskip("scipy", reason="Dunnett's test needs scipy (the extra `examples`)")
    with pytest.raises(ValueError, match="control VT"):
        compare_with_control({"EM": [1.0]}, "VT")
    with pytest.raises(ValueError, match="nothing to compare"):
        compare_with_control({"VT": [1.0]}, "VT")


def test_a_method_that_is_always_right():
    """Scores without spread beside others are no reason for a warning."""
    pytest.importorskip("scipy", reason="Dunnett's test needs scipy (the extra `examples`)")
    results = {"VT": [1.0] * 10, "EM": [1.0] * 10, "NB": [0.99, 0.995] * 5}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        comparisons = {c.method: c.p_value for c in compare_with_control(results, "VT")}
    assert comparisons["NB"] < 0.001
    assert comparisons["EM"] == pytest.approx(1.0)
