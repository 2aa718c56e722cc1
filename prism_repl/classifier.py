"""A PRISM program in the shape of scikit-learn: fit, predict, predict_proba, score.

model = PrismClassifier("nbayes.psm", "nbayes({y},[{0},{1}])")
GridSearchCV(model, {"pseudo_counts": [0.1, 1.0]}).fit(X, y)
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from prism_repl.api import RowGoal, rows_of
from prism_repl.session import Session


class PrismClassifier(ClassifierMixin, BaseEstimator):
    """Classifies by a program that generates examples with their classes.

    `program` is the path of a PRISM program, `goal` the goal of an example: {y} is its class, the other names
    in braces are columns of X, by name (DataFrame) or by number. fit learns from the goals of all examples;
    the probability of a class is that of the example with this class, divided by the sum over all classes.
    `pseudo_counts` is the flag default_sw_d (None: none), the others are flags of the same names.
    """

    def __init__(
        self,
        program: str,
        goal: str,
        *,
        learn_mode: str = "ml",
        pseudo_counts: float | None = None,
        restart: int = 1,
        epsilon: float = 1e-4,
        seed: int | None = None,
    ) -> None:
        self.program = program
        self.goal = goal
        self.learn_mode = learn_mode
        self.pseudo_counts = pseudo_counts
        self.restart = restart
        self.epsilon = epsilon
        self.seed = seed

    def fit(self, X: Any, y: Any) -> PrismClassifier:
        """Learn the program's parameters from examples and their classes."""
        check_consistent_length(X, y)
        if self.learn_mode in ("vb", "vb_vt"):
            raise ValueError(
                f"{self.learn_mode} learns hyperparameters and no parameters, which classes are told by: "
                f"use {self.learn_mode.replace('vb', 'both', 1)}"
            )
        if "{y}" not in self.goal.replace(" ", ""):
            raise ValueError(f"the goal must have the class as {{y}}: {self.goal}")
        self.classes_ = np.unique(np.asarray(y))
        self.session_ = session = Session(lambda text: None)
        session.prism(self.program)
        flags = session.flags
        flags.learn_mode, flags.restart, flags.epsilon = self.learn_mode, self.restart, self.epsilon
        if self.pseudo_counts is not None:
            flags.default_sw_d = self.pseudo_counts
        if self.seed is not None:
            session.once(f"random_set_seed({self.seed})")
        form = RowGoal(session, self.goal)
        labels = np.asarray(y).tolist()
        goals = [form.of({**row, "y": label}) for row, label in zip(rows(X), labels, strict=True)]
        self.statistics_ = session.learn(Counter(goals))
        return self

    def __getstate__(self) -> dict[str, Any]:
        """A fitted model is pickled by its parameters; the program is loaded again from its file."""
        state = dict(super().__getstate__())
        session = state.pop("session_", None)
        if session is not None:
            state["learned_"] = [(s.name, s.parameters.tolist()) for s in session.switches()]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        learned = state.pop("learned_", None)
        super().__setstate__(state)
        if learned is not None:
            self.session_ = Session(lambda text: None)
            self.session_.prism(self.program)
            for name, parameters in learned:
                self.session_.set_switch(name, parameters)

    def predict_proba(self, X: Any) -> np.ndarray[Any, Any]:
        """The probabilities of the classes, a row for each example; equal ones if the program knows none."""
        check_is_fitted(self, "session_")
        form = RowGoal(self.session_, self.goal)
        goals = [form.of({**row, "y": label}) for row in rows(X) for label in self.classes_.tolist()]
        places = {goal: place for place, goal in enumerate(dict.fromkeys(goals))}
        logs = self.session_.log_probs(places)[[places[goal] for goal in goals]]
        logs = logs.reshape(-1, len(self.classes_))
        best = logs.max(axis=1, keepdims=True)
        unknown = int((best == -np.inf).sum())
        if unknown:
            example = next(goal for goal, log in zip(goals, logs.ravel(), strict=True) if log == -np.inf)
            warnings.warn(
                f"{unknown} of {len(logs)} examples have probability 0 with every class, such as {example}",
                stacklevel=2,
            )
        weights = np.where(np.isfinite(best), np.exp(logs - np.where(np.isfinite(best), best, 0.0)), 1.0)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The most probable classes."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])


def rows(X: Any) -> list[dict[Any, Any]]:
    """The rows of X by column, named or numbered."""
    if hasattr(X, "to_dict"):
        return [dict(row) for row in rows_of(X)]
    return [dict(enumerate(row)) for row in np.asarray(X).tolist()]
