"""Declarations of built-in predicates: how they are read, and that those of all predicates can be."""

import pytest

from prism_repl import Session
from prism_repl.prolog.builtins.registry import DECLARATIONS
from prism_repl.prolog.builtins.types import TYPES, UNCHECKED
from prism_repl.prolog.declarations import Argument, Declaration, declared_in, faults

TEXT = "f(+List:list!2104, ?N:nonneg, :Goal/2, -X) is nondet, first N, kept"


@pytest.fixture(scope="module")
def session():
    return Session([].append)


def test_a_declaration_is_read():
    declaration = Declaration(TEXT)
    assert (declaration.name, declaration.arity) == ("f", 4)
    assert declaration.determinism == "nondet"
    assert declaration.protection == "kept"
    assert declaration.order == [1, 0, 2, 3]
    assert declaration.arguments == [
        Argument("+", "List", "list", "2104", "0"),
        Argument("?", "N", "nonneg", "", "0"),
        Argument(":", "Goal", "", "", "2"),
        Argument("-", "X", "", "", "0"),
    ]
    assert declaration.shown == "f(+List:list, ?N:nonneg, :Goal/2, -X) is nondet"
    assert faults(TEXT) == []


def test_names_of_any_kind():
    assert [(d.name, d.arity) for d in map(Declaration, ("! is det", ",(:A, :B) is nondet"))] == [
        ("!", 0),
        (",", 2),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("f(+X)", "no determinism"),
        ("f(+X) is certain", "no determinism: certain"),
        ("f(X) is det", "arguments that cannot be read"),
        ("f(+X,+Y) is det", "arguments that cannot be read"),
        ("f(+X, +X) is det", "two arguments of one name"),
        ("f(+X) is det, first Y", "unknown word: first Y"),
        ("f(+X) is det, guarded", "unknown word: guarded"),
    ],
)
def test_faults(text, fault):
    assert fault in " ".join(faults(text))


def test_declarations_of_a_library_file():
    found = declared_in("%% a(+X) is det.\n% b(+X) is det.\na(_).\n%% c is semidet, kept.\nc.\n")
    assert [d.text for d in found] == ["a(+X) is det", "c is semidet, kept"]


def test_all_declarations_are_well_formed(session):
    assert {d.text: faults(d.text) for d in DECLARATIONS.values() if faults(d.text)} == {}


def test_all_types_are_known(session):
    used = {argument.type for d in DECLARATIONS.values() for argument in d.arguments} - {""}
    assert used - set(TYPES) - UNCHECKED == set()


@pytest.mark.parametrize(
    ("query", "error"),
    [
        # the list is looked at before what comes before it
        ("maplist_func(_,foo)", "error(type_error(list_or_nil,foo),maplist_func/2)"),
        ("maplist_func(f(_),[])", "error(type_error(atom,f(_)),maplist_func/2)"),
        ("random_int(_,X)", "error(instantiation_error,random_int/2)"),
        ("random_int(0,X)", "error(domain_error(greater_than_zero,0),random_int/2)"),
        ("slice([a|_],X,1,1)", "error(instantiation_error,slice/4)"),
    ],
)
def test_checks(session, query, error):
    answer = next(session.ask(query))
    assert str(answer.error).replace("_1", "_").startswith(error.split("_)")[0])
