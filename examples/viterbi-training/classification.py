"""Table 4: naive Bayes with a hidden class (NBH), learned by VT, EM, MAP and VB."""

from __future__ import annotations

import functools
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from data_sets import DataSet, read_arff
from grammars import list_text
from jobs import Job

from prism_repl import Session, Struct
from prism_repl.experiments import folds, restarted

METHODS = ["VT", "EM", "MAP", "VB"]
PSEUDO_COUNTS = ["0.1", "1.0"]  # of VT and MAP; the hyperparameters of VB
FOLDS = 10

PROGRAM = """
nbayes(Class,Values) :- msw(class,Class), msw(hidden(Class),Group), attributes(Values,1,Class,Group).

attributes([],_,_,_).
attributes([V|Vs],J,Class,Group) :-
    ( V == '?' -> msw(attr(J,Class,Group),_) ; msw(attr(J,Class,Group),V) ),   % '?' is a missing value
    J1 is J+1,
    attributes(Vs,J1,Class,Group).
"""


def nbh_program(data: DataSet, hidden: int) -> str:
    """The program of the paper's figure, with the classes and attributes of a data set."""
    lines = [
        f"values(class,{list_text(data.classes)}).\n",
        f"values(hidden(_),[{','.join(map(str, range(1, hidden + 1)))}]).\n",
        *(f"values(attr({j},_,_),{list_text(values)}).\n" for j, values in enumerate(data.values, 1)),
    ]
    return "".join(lines) + PROGRAM


def goal(label: str, row: tuple[str, ...]) -> Struct:
    return Struct("nbayes", label, list(row))


@functools.lru_cache(maxsize=2)
def data_set(path: str) -> DataSet:
    return read_arff(Path(path))


@functools.lru_cache(maxsize=1)  # runs with the same program follow each other, and share what was searched
def classifier(path: str, hidden: int) -> Session:
    session = Session(output=lambda text: None)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "nbh.psm"
        program.write_text(nbh_program(data_set(path), hidden), encoding="utf-8")
        session.prism(program)
    session.once("set_prism_flag(clean_table,off)")
    return session


def accuracy(
    path: str, method: str, hidden: int, pseudo: str, repeat: int, fold_number: int, threads: int
) -> float:
    """The share of the rows of a fold whose class is found."""
    data = data_set(path)
    pairs = list(zip(data.labels, data.rows, strict=True))
    fold = next(f for f in folds(pairs, FOLDS, seed=repeat) if f.number == fold_number)
    session = classifier(path, hidden)
    session.once(f"set_seed({repeat * FOLDS + fold_number}), set_prism_flag(threads,{threads})")
    kind = "a" if method == "VB" else "d"
    session.once(
        f"set_prism_flag(default_sw_{kind},{pseudo}), set_sw_all(_,uniform), set_sw_all_{kind}(_,{pseudo})"
    )
    mode = {"VT": "ml_vt", "VB": "both"}.get(method, "ml")  # both: parameters are the means of VB's posterior
    training = Counter(fold.training)
    restarted(session, [Struct("count", goal(*pair), count) for pair, count in training.items()], mode)
    logs = session.log_probs(goal(label, row) for _, row in fold.test for label in data.classes)
    best = logs.reshape(len(fold.test), len(data.classes)).argmax(axis=1)
    right = sum(data.classes[i] == label for i, (label, _) in zip(best, fold.test, strict=True))
    return right / len(fold.test)


def settings(method: str, hidden: list[int]) -> list[tuple[int, str]]:
    """Numbers of hidden classes with pseudo counts; EM has none to speak of."""
    counts = ["1.0e-9"] if method == "EM" else PSEUDO_COUNTS
    return [(groups, count) for groups in hidden for count in counts]


def key(path: str, method: str, hidden: int, pseudo: str, repeat: int, fold: int) -> str:
    return f"accuracy {Path(path).stem} {method} {hidden} {pseudo} repeat {repeat} fold {fold}"


def accuracy_jobs(path: str, hidden: list[int], repeats: int, threads: int) -> list[Job]:
    """The runs of Table 4 on a data set. Naive Bayes itself is EM with one hidden class."""
    return [
        Job(
            key(path, method, groups, pseudo, repeat, fold),
            accuracy,
            (path, method, groups, pseudo, repeat, fold, threads),
        )
        for groups in [1, *hidden]
        for repeat in range(repeats)
        for method in (METHODS if groups > 1 else ["EM"])
        for _, pseudo in settings(method, [groups])
        for fold in range(FOLDS)
    ]


def accuracies(
    found: dict[str, Any], path: str, method: str, groups: int, pseudo: str, repeats: int
) -> list[float]:
    """The results of all folds of one setting."""
    return [
        found[key(path, method, groups, pseudo, repeat, fold)]
        for repeat in range(repeats)
        for fold in range(FOLDS)
    ]
