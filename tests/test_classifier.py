"""A program as a classifier of scikit-learn."""

import pickle

import pytest

sklearn = pytest.importorskip("sklearn", reason="SKIPPED: scikit-learn is not installed (extra `sklearn`)")

import numpy as np  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402

from prism_repl import PrismClassifier  # noqa: E402

PROGRAM = """
values(class,[yes,no]).
values(feature(_,_),[0,1]).
example(C,Xs) :- msw(class,C), features(1,C,Xs).
features(_,_,[]).
features(I,C,[X|Xs]) :- msw(feature(I,C),X), J is I+1, features(J,C,Xs).
"""


@pytest.fixture
def model(tmp_path):
    (tmp_path / "bayes.psm").write_text(PROGRAM)
    return PrismClassifier(str(tmp_path / "bayes.psm"), "example({y},[{0},{1}])", pseudo_counts=1.0)


X = np.array([[1, 1], [1, 1], [1, 0], [0, 0], [0, 0], [0, 1]] * 3)
Y = np.array(["yes", "yes", "yes", "no", "no", "no"] * 3)


def test_fit_and_predict(model):
    model.fit(X, Y)
    assert model.predict([[1, 1], [0, 0]]).tolist() == ["yes", "no"]
    probabilities = model.predict_proba([[1, 1], [0, 1]])
    assert probabilities.sum(axis=1) == pytest.approx([1, 1])
    # (9+1)/(9+2) and so on: naive Bayes with Laplace's rule
    assert probabilities[0, 1] == pytest.approx(70 / (70 + 4), abs=0.01)
    assert model.score(X, Y) == 1.0
    assert model.statistics_.num_switches == 5


def test_an_example_that_the_program_cannot_make(model):
    model.fit(X, Y)
    with pytest.warns(UserWarning, match=r"1 of 1 examples .* such as example\(no,\[7,7\]\)"):
        assert model.predict_proba([[7, 7]]).tolist() == [[0.5, 0.5]]


def test_variational_learning_must_give_parameters(model):
    with pytest.raises(ValueError, match="use both_vt"):
        model.set_params(learn_mode="vb_vt").fit(X, Y)
    assert model.set_params(learn_mode="both").fit(X, Y).score(X, Y) == 1.0


def test_grid_search(model):
    search = GridSearchCV(model, {"pseudo_counts": [0.1, 1.0], "learn_mode": ["ml", "ml_vt"]}, cv=3)
    search.fit(X, Y)
    assert search.best_score_ == 1.0
    assert set(search.best_params_) == {"pseudo_counts", "learn_mode"}
    assert clone(model).get_params()["pseudo_counts"] == 1.0


def test_wrong_uses(model):
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, Y[:3])
    with pytest.raises(ValueError, match="there is no column 5"):
        clone(model).set_params(goal="example({y},[{0},{5}])").fit(X, Y)
    with pytest.raises(ValueError, match=r"must have the class as \{y\}"):
        clone(model).set_params(goal="example(yes,[{0},{1}])").fit(X, Y)


def test_parameters_that_are_zero(model):
    """Without pseudo counts what was not seen has probability 0."""
    model.set_params(pseudo_counts=None).fit(X[:2], ["yes", "no"])
    with pytest.warns(UserWarning, match="probability 0 with every class"):
        assert model.predict_proba([[0, 0]]).tolist() == [[0.5, 0.5]]


def test_a_fitted_model_pickles(model):
    model.fit(X, Y)
    copied = pickle.loads(pickle.dumps(model))
    assert copied.predict_proba(X) == pytest.approx(model.predict_proba(X))
    assert copied.get_params() == model.get_params()
    assert not hasattr(pickle.loads(pickle.dumps(clone(model))), "session_")


def test_data_frames(model):
    pandas = pytest.importorskip("pandas", reason="SKIPPED: pandas is not installed")
    model.set_params(goal="example({y},[{a},{b}])")
    frame = pandas.DataFrame(X, columns=["a", "b"])
    assert model.fit(frame, Y).score(frame, Y) == 1.0
