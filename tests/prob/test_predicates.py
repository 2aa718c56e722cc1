"""Every predicate that PRISM documents is there. The list is in predicates.txt, by subject."""

from pathlib import Path

import pytest

from prism_repl.prob.system import new_prism
from prism_repl.prolog.instructions import CONSTANTS

SUBJECTS = ["sampling", "switches", "utilities"]


def predicates(subject):
    found, current = [], None
    for line in (Path(__file__).parent / "predicates.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif current == subject:
            found += line.split()
    return found


@pytest.mark.parametrize("subject", SUBJECTS)
def test_predicates_are_defined(subject):
    m = new_prism(seed=1)
    assert predicates(subject)
    missing = []
    for indicator in predicates(subject):
        name, _, arity = indicator.rpartition("/")
        p = m.find_pred(m.functor(m.atom(name), int(arity)))
        if not p or m.pred_field(p, CONSTANTS["P_KIND"]) == CONSTANTS["K_UNDEFINED"]:
            missing.append(indicator)
    assert missing == []
