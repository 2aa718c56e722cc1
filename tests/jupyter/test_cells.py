"""What stands in a cell."""

import pytest

from prism_repl.jupyter.cells import Command, Doubt, Program, Query, parts_of, place_in_cell


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ("", []),
        ("% only a comment\n/* another */", []),
        ("a. b", [Query("a.", 1, 1), Query("b", 1, 4)]),
        ("X = 'a. b'.\n  p :-\n q.", [Query("X = 'a. b'.", 1, 1), Query("p :-\n q.", 2, 3)]),
        ("a.\n%sw f(_)\nb.", [Query("a.", 1, 1), Command("sw", "f(_)", 2), Query("b.", 3, 1)]),
        ("a, % why\n%sw\nb.", [Query("a, % why\n%sw\nb.", 1, 1)]),  # within a query it is a comment
        (" %sw", []),  # not at the beginning of a line
        ("%nonsense", []),
        ("%lod x", [Doubt("%lod", "%load")]),
        ("%%program p\na.\nb.", [Program("p", "\na.\nb.")]),
        ("\n\n%%program p q\na.", [Program("p q", "\n\n\na.")]),
        ("%%program", [Program("", "")]),
        ("%%programs\na.", [Query("a.", 2, 1)]),
    ],
)
def test_parts(cell, parts):
    assert parts_of(cell) == parts


def test_places():
    assert place_in_cell(Query("", 3, 5), (1, 2)) == (3, 6)
    assert place_in_cell(Query("", 3, 5), (2, 2)) == (4, 2)
