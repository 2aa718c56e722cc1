"""All predicates of the index, called with arguments of every kind in every place: whatever they answer, it
is no defect (a Python error), no error names an internal predicate, and no message is printed twice."""

import itertools
import re

import pytest

from prism_repl import Session
from prism_repl.predicates.system import declared
from prism_repl.session import NO
from tests.predicates.test_predicates import DECLARED, SUBJECTS, predicates
from tests.predicates.test_wrong_arguments import MODEL

TERMS = ["_", "foo", "3", "-1", "0.5", "[]", "[_|_]", "[a,_]", "foo(_)", "p(h)", "[p(h)]", "coin", "'o.dat'"]
FEW = ["_", "foo", "[_|_]", "3"]  # for two places at a time
# They end the session, wait for the user, or write what is not looked at here.
LEFT_OUT = {"prism_help", "random_get_state"}
# Where an error may come from but the predicate that was called: what it was asked to call, to open, or
# to join (atoms_concat/2 is a program on top of it, in PRISM, too).
OTHERS = {"open/3", "call/1", "is/2", "msw/2", "set_prism_flag/2", ". /2", "atom_concat/3"}


def calls(name, arity):
    """Queries: in one place each of the terms, or in two some of them, in the others what is often right."""
    if arity == 0:
        yield name
    varied = [((place,), (term,)) for place in range(arity) for term in TERMS]
    varied += [
        (places, chosen)
        for places in itertools.combinations(range(arity), 2)
        for chosen in itertools.product(FEW, repeat=2)
    ]
    for places, chosen in varied:
        for usual in ("p(h)", "_") if arity > len(places) else ("_",):
            arguments = [usual] * arity
            for place, term in zip(places, chosen, strict=True):
                arguments[place] = term
            yield f"'{name}'({','.join(arguments)})"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_walk(subject, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.psm").write_text(MODEL)
    printed = []
    session = Session(printed.append)
    assert session.once("prism(model)")
    wrong = []
    for each in predicates(subject):
        name, _, arity = each.rpartition("/")
        if name in DECLARED or name in LEFT_OUT:
            continue
        session.once("set_prism_flag(max_iterate,20)")  # gradient steps go on to the last one
        for query in calls(name, int(arity)):
            printed.clear()
            answer = next(session.ask(query, timeout=2), NO)
            text = "".join(printed) + answer.message
            assert not answer.timed_out, query
            sources = re.findall(r"error\(.*,\(?([^,()]+)\)?/(\d+)\)", text)
            internal = [
                s for s, n in sources if s != name and f"{s}/{n}" not in OTHERS and "Undefined" not in text
            ]
            repeated = [line for line in text.split("\n") if "PRISM ERROR" in line]
            several = answer.pending and declared()[name, int(arity)].determinism in ("det", "semidet")
            if several or "system_error" in text or "Traceback" in text or internal or len(repeated) > 1:
                wrong.append(f"{query}: {text[:200]}")
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:40])
