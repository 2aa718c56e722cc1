"""Table 4: naive Bayes with a hidden class (NBH), learned by VT, EM, MAP and VB."""

from __future__ import annotations

import functools
import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from data_sets import DataError, DataSet, read_arff
from grammars import list_text
from jobs import Job

from prism_repl import Session, Struct
from prism_repl.experiments import folds

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
    data = read_arff(Path(path))
    if len(data.rows) < FOLDS:
        raise DataError(f"{path}: {len(data.rows)} rows, too few for {FOLDS} folds")
    if len(data.classes) == 1:
        raise DataError(f"{path}: all rows have the class {data.classes[0]}")
    if len(data.classes) > len(data.rows) / 2:
        raise DataError(f"{path}: {len(data.classes)} classes for {len(data.rows)} rows, too many")
    if not data.values:
        raise DataError(f"{path}: there is no attribute beside the class")
    return data


class Classifier:
    """A session with the program for a data set. Examples are searched once for all that is done with it."""

    def __init__(self, data: DataSet, hidden: int) -> None:
        self.data = data
        self.session = Session(output=lambda text: None)
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "nbh.psm"
            program.write_text(nbh_program(data, hidden), encoding="utf-8")
            self.session.prism(program)
        self.session.once("set_prism_flag(clean_table,off)")
        examples = list(zip(data.labels, data.rows, strict=True))
        self.goals = [goal(*example) for example in dict.fromkeys(examples)]  # equal examples are one goal
        number = {example: i for i, example in enumerate(dict.fromkeys(examples))}
        self.goal_of = [number[example] for example in examples]

    def set_up(self, method: str, pseudo: str, threads: int) -> None:
        """Flags and pseudo counts of a method."""
        kind = "a" if method == "VB" else "d"
        # both: parameters are the means of VB's posterior
        mode = {"VT": "ml_vt", "VB": "both"}.get(method, "ml")
        self.session.once(
            f"set_seed(1), set_prism_flag(threads,{threads}), set_prism_flag(learn_mode,{mode}), "
            f"set_prism_flag(default_sw_{kind},{pseudo}), set_sw_all(_,uniform), "
            f"set_sw_all_{kind}(_,{pseudo})"
        )

    def share_right(self, rows: list[int]) -> float:
        """The share of some rows whose class is found."""
        data = self.data
        logs = self.session.log_probs(goal(label, data.rows[i]) for i in rows for label in data.classes)
        best = logs.reshape(len(rows), len(data.classes)).argmax(axis=1)
        right = sum(data.classes[b] == data.labels[i] for b, i in zip(best, rows, strict=True))
        return right / len(rows)


@functools.lru_cache(maxsize=1)  # runs with the same program follow each other
def classifier(path: str, hidden: int) -> Classifier:
    return Classifier(data_set(path), hidden)


def accuracy(path: str, method: str, hidden: int, pseudo: str, repeats: int, threads: int) -> list[float]:
    """For each fold of some cross validations the share of its rows whose class is found. All folds are
    learned side by side."""
    c = classifier(path, hidden)
    rows = range(len(c.goal_of))
    parts = [fold for repeat in range(repeats) for fold in folds(rows, FOLDS, seed=repeat)]
    counts = np.array(
        [np.bincount([c.goal_of[i] for i in f.training], minlength=len(c.goals)) for f in parts]
    )
    c.set_up(method, pseudo, threads)
    learned = c.session.learn_samples(c.goals, counts)
    return [c.share_right(fold.test) for fold, _ in zip(parts, learned, strict=True)]


def settings(method: str, hidden: list[int]) -> list[tuple[int, str]]:
    """Numbers of hidden classes with pseudo counts; EM has none to speak of."""
    counts = ["1.0e-9"] if method == "EM" else PSEUDO_COUNTS
    return [(groups, count) for groups in hidden for count in counts]


def key(path: str, method: str, hidden: int, pseudo: str, repeats: int) -> str:
    return f"{prefix(path)}{method} {hidden} {pseudo} repeats {repeats}"


@functools.lru_cache
def prefix(path: str) -> str:
    """What the keys of results on a file begin with: other rows have other results."""
    return f"accuracy {Path(path).stem} {hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]} "


@dataclass(frozen=True)
class Plan:
    """What is run on a data set: which numbers of hidden classes, how many cross validations."""

    path: str
    hidden: list[int]
    repeats: int

    @property
    def name(self) -> str:
        return Path(self.path).stem

    def jobs(self, threads: int) -> list[Job]:
        """The runs of Table 4. Naive Bayes itself is EM with one hidden class."""
        return [
            Job(
                key(self.path, method, groups, pseudo, self.repeats),
                accuracy,
                (self.path, method, groups, pseudo, self.repeats, threads),
            )
            for groups in [1, *self.hidden]
            for method in (METHODS if groups > 1 else ["EM"])
            for _, pseudo in settings(method, [groups])
        ]

    def accuracies(self, found: dict[str, Any], method: str, groups: int, pseudo: str) -> list[float]:
        """The results of all folds of one setting."""
        shares: list[float] = found[key(self.path, method, groups, pseudo, self.repeats)]
        return shares

    def described(self) -> list[str]:
        """A row of the table of what was run."""
        rows = len(data_set(self.path).rows)
        runs = len(self.jobs(1)) * FOLDS * self.repeats
        return [self.name, f"{rows:,}", str(self.repeats), ranges(self.hidden), f"{runs:,}"]


def finished(found: dict[str, Any], path: str, hidden: list[int]) -> Plan | None:
    """The plan for a data set that is carried out already: with as many numbers of hidden classes as there
    are, and then with as many cross validations. None if there is none."""
    counts = {int(k.rsplit(" ", 1)[1]) for k in found if k.startswith(prefix(path))}
    plans = []
    for repeats in counts:
        there = [n for n in hidden if all(job.key in found for job in Plan(path, [n], repeats).jobs(1))]
        if there:
            plans.append(Plan(path, there, repeats))
    return max(plans, key=lambda plan: (len(plan.hidden), plan.repeats), default=None)


def ranges(numbers: list[int]) -> str:
    """2 to 15, or 5, 10, 15."""
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))
