"""Every predicate that PRISM documents is there and counts as built in. The list is in predicates.txt, by
subject."""

from pathlib import Path

import pytest

from prism_repl import Session

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


@pytest.fixture(scope="module")
def session():
    return Session()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_predicates_are_built_in(session, subject):
    assert predicates(subject)
    missing = []
    for indicator in predicates(subject):
        name, _, arity = indicator.rpartition("/")
        query = f"functor(H,'{name}',{arity}), predicate_property(H,built_in)"
        if name not in DECLARED and session.once(query).status != "yes":
            missing.append(indicator)
    assert missing == []


def test_all_subjects_are_checked():
    lines = (Path(__file__).parent / "predicates.txt").read_text(encoding="utf-8").splitlines()
    assert [line.strip("[]") for line in lines if line.startswith("[")] == SUBJECTS
