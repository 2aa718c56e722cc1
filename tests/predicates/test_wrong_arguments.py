"""Predicates called with wrong arguments of every kind; the answers are in wrong_arguments.txt."""

import re
from pathlib import Path

import pytest

from tests.support.prism import Prism

MODEL = """
values(coin,[h,t]).
values(die(_),[1-6]).
p(X) :- msw(coin,X).
q(X,Y) :- p(X), msw(die(1),Y).
:- set_sw(coin).
"""


def table():
    """(predicate, [(query, answer), ...]) for each predicate."""
    groups = {}
    for line in (Path(__file__).parent / "wrong_arguments.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            query, _, answer = line.rpartition(" => ")
            name = re.match(r"[a-z_0-9]*", query)
            groups.setdefault(name.group() or query, []).append((query, answer))
    return sorted(groups.items())


@pytest.fixture
def prism(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.psm").write_text(MODEL)
    return Prism()


def answer_of(prism, query):
    assert prism.ask("prism(model)") == [{}]
    found = prism.ask(query, limit=1)
    if not isinstance(found, str):
        return "yes" if found else "no"
    formal = re.fullmatch(r"error\((.*),[^,]*\)", found)
    return re.sub(r"\b_[0-9a-f]+\b", "_", formal.group(1) if formal else found)


@pytest.mark.parametrize(("name", "cases"), table(), ids=[name for name, _ in table()])
def test_wrong_arguments(prism, name, cases):
    assert [(query, answer_of(prism, query)) for query, _ in cases] == cases
