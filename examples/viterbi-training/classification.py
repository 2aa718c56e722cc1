"""Table 4: naive Bayes with a hidden class (NBH), learned by VT, EM, MAP and VB."""

from __future__ import annotations

import functools
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from data_sets import DataSet, read_arff
from grammars import list_text, quoted
from jobs import Job

from prism_repl import Session
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

joints(Goals,Ps) :- findall(P,( member(G,Goals), joint(G,P) ),Ps).
joint(G,P) :- prob(G,P), !.
joint(_,0.0).
"""


def nbh_program(data: DataSet, hidden: int) -> str:
    """The program of the paper's figure, with the classes and attributes of a data set."""
    lines = [
        f"values(class,{list_text(data.classes)}).\n",
        f"values(hidden(_),[{','.join(map(str, range(1, hidden + 1)))}]).\n",
        *(f"values(attr({j},_,_),{list_text(values)}).\n" for j, values in enumerate(data.values, 1)),
    ]
    return "".join(lines) + PROGRAM


def goal(label: str, row: tuple[str, ...]) -> str:
    return f"nbayes({quoted(label)},{list_text(row)})"


@functools.lru_cache(maxsize=2)
def data_set(path: str) -> DataSet:
    return read_arff(Path(path))


def accuracy(
    path: str, method: str, hidden: int, pseudo: str, repeat: int, fold_number: int, threads: int
) -> float:
    """The share of the rows of a fold whose class is found."""
    data = data_set(path)
    pairs = list(zip(data.labels, data.rows, strict=True))
    fold = next(f for f in folds(pairs, FOLDS, seed=repeat) if f.number == fold_number)
    session = Session(output=lambda text: None)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "nbh.psm"
        program.write_text(nbh_program(data, hidden), encoding="utf-8")
        session.prism(program)
    session.once(f"set_seed({repeat * FOLDS + fold_number}), set_prism_flag(threads,{threads})")
    flag = "default_sw_a" if method == "VB" else "default_sw_d"
    session.once(f"set_prism_flag({flag},{pseudo})")
    mode = {"VT": "ml_vt", "VB": "both"}.get(method, "ml")  # both: parameters are the means of VB's posterior
    training = Counter(goal(label, row) for label, row in fold.training)
    restarted(session, [f"count({text},{count})" for text, count in training.items()], mode)
    tests = [goal(label, row) for _, row in fold.test for label in data.classes]
    answer = session.once(f"joints([{','.join(tests)}],Ps)")
    joints = answer["Ps"]
    assert isinstance(joints, list)
    width = len(data.classes)
    right = 0
    for i, (label, _) in enumerate(fold.test):
        row = joints[width * i : width * (i + 1)]
        right += data.classes[row.index(max(row))] == label
    return right / len(fold.test)


def settings(method: str, hidden: list[int]) -> list[tuple[int, str]]:
    """Numbers of hidden classes with pseudo counts; EM has none to speak of."""
    counts = ["1.0e-9"] if method == "EM" else PSEUDO_COUNTS
    return [(groups, count) for groups in hidden for count in counts]


def key(path: str, method: str, hidden: int, pseudo: str, repeat: int, fold: int) -> str:
    return f"accuracy {Path(path).stem} {method} {hidden} {pseudo} repeat {repeat} fold {fold}"


def accuracy_jobs(paths: list[str], hidden: list[int], repeats: int, threads: int) -> list[Job]:
    """All runs of Table 4. Naive Bayes itself is EM with one hidden class."""
    return [
        Job(
            key(path, method, groups, pseudo, repeat, fold),
            accuracy,
            (path, method, groups, pseudo, repeat, fold, threads),
        )
        for path in paths
        for method in METHODS
        for groups, pseudo in settings(method, [1, *hidden] if method == "EM" else hidden)
        for repeat in range(repeats)
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
