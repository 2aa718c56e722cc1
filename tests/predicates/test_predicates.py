"""The predicates that PRISM documents are in predicates.txt, by subject; that they are there is checked in
tests/repl/test_declarations.py."""

from pathlib import Path

SUBJECTS = [
    "loading",
    "help and watching",
    "sampling",
    "probabilities and graphs",
    "Viterbi",
    "graphs with cycles",
    "hindsight",
    "learning, statistics, flags",
    "switches",
    "utilities",
    "tensors",
    "MCMC",
    "CRF",
]
# What programs define.
DECLARED = {"values", "values_x", "data", "failure", "prism_main"}


def predicates(subject):
    found, current = [], None
    for line in (Path(__file__).parent / "predicates.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif current == subject:
            found += line.split()
    return found


def test_all_subjects_are_checked():
    lines = (Path(__file__).parent / "predicates.txt").read_text(encoding="utf-8").splitlines()
    assert [line.strip("[]") for line in lines if line.startswith("[")] == SUBJECTS
