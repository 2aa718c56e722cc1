"""Calls of predicates that PRISM or B-Prolog have, and this system does not."""

import pytest

from prism_repl import PrismError, Session
from prism_repl.missing import absent_subject


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("in", "finite-domain constraints"),
        ("#=", "finite-domain constraints"),
        ("freeze", None),
        ("inside", None),
        ("ranking", None),
    ],
)
def test_subjects(name, subject):
    assert absent_subject(name) == subject


def test_the_report_names_what_is_missing():
    with pytest.raises(PrismError) as error:
        Session().once("X #= 3")
    assert error.value.answer.message.splitlines() == [
        "***  Undefined procedure: #= /2",
        "***  Not part of this system: finite-domain constraints",
    ]


def test_unknown_predicates_may_fail_with_a_warning():
    written = []
    session = Session(written.append)
    session.once("set_prolog_flag(unknown,warning)")
    assert session.once("nothing(1)").status == "no"
    assert "".join(written) == "** Warning: Undefined procedure: nothing/1\n"
