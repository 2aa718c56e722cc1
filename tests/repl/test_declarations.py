"""One declaration for each predicate: what a session has, what help explains, what PRISM documents and what
is said to be missing agree with them; predicates do what their declarations say."""

import re
from importlib.resources import files

import pytest

from prism_repl import Session
from prism_repl.missing import absent_subject
from prism_repl.predicates.system import LIBRARY, PROLOG_LIBRARY, declared
from prism_repl.prolog.builtins.registry import BUILTINS
from prism_repl.prolog.builtins.types import TYPES
from prism_repl.prolog.declarations import declared_in
from prism_repl.repl import help as texts
from prism_repl.repl.transcript import parse
from tests.predicates.test_predicates import DECLARED, SUBJECTS, predicates

# Declarations of program files, which are no predicates.
OF_PROGRAMS = {("values", 2), ("values", 3)}
# Of each type something that is bound and of another type, and what the error says is expected.
OTHERS = {
    "integer": ("foo", "integer"), "nonneg": ("foo", "integer"), "positive_integer": ("foo", "integer"),
    "number": ("foo", "number"), "positive_number": ("foo", "number"), "atom": ("3", "atom"),
    "atomic": ("f(x)", "atomic"), "callable": ("3", "callable"), "compound": ("foo", "compound"),
    "list": ("foo", "list"), "list_or_nil": ("foo", "list_or_nil"), "non_empty_list": ("foo", "list"),
}  # fmt: skip
SIGNATURES = [signature for entry in texts.predicates() for signature in entry.signatures]


@pytest.fixture
def session():
    return Session([].append)


def test_a_session_has_what_is_declared(session):
    """Names that begin with $ are nobody's business."""
    known = {(str(i.args[0]), i.args[1]) for i in session.once("'$all_predicates'(L)")["L"]}
    assert {key for key in known if not key[0].startswith("$")} == set(declared())


def test_nothing_is_declared_twice():
    """Neither in Python and in Prolog, nor twice in Prolog."""
    texts = [
        path.read_text(encoding="utf-8")
        for folder in (LIBRARY, PROLOG_LIBRARY)
        for path in folder.glob("*.pl")
    ]
    found = [(d.name, d.arity) for text in texts for d in declared_in(text)]
    found += [key for key in BUILTINS if not key[0].startswith("$")]
    assert len(found) == len(set(found)) == len(declared())


def test_help_explains_what_is_declared():
    explained = set(texts.by_indicator())
    assert set(declared()) - explained == set()
    assert explained - set(declared()) == OF_PROGRAMS


@pytest.mark.parametrize("signature", SIGNATURES)
def test_help_and_declarations_name_the_same_arguments(signature):
    key = texts.indicator(signature)
    if key in OF_PROGRAMS or key == (".", 2):
        return
    names = [argument.name for argument in declared()[key].arguments]
    assert names == re.findall(r"\b[A-Z]\w*", signature.replace("keep", "Keep"))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_prism_documents_is_declared(subject):
    documented = [indicator.rpartition("/") for indicator in predicates(subject)]
    assert documented
    missing = [(name, int(arity)) for name, _, arity in documented if name not in DECLARED]
    assert [key for key in missing if key not in declared()] == []


def test_nothing_that_is_declared_is_said_to_be_missing():
    assert [name for name, _ in declared() if absent_subject(name) is not None] == []


def first_checks():
    """Of each predicate the argument that is checked first, if it must be bound."""
    for (name, arity), declaration in sorted(declared().items()):
        if (name, arity) == ("arg", 3):  # looks whether both are bound first
            continue
        checked = [i for i in declaration.order if declaration.arguments[i].type in TYPES]
        if checked and declaration.arguments[checked[0]].mode == "+":
            yield name, arity, checked[0], declaration.arguments[checked[0]].type


@pytest.mark.parametrize(("name", "arity", "place", "kind"), list(first_checks()), ids=lambda x: str(x))
def test_errors_are_those_of_the_declaration(session, name, arity, place, kind):
    def error_with(text):
        arguments = [text if i == place else "_" for i in range(arity)]
        return str(next(session.ask(f"'{name}'({','.join(arguments)})")).error)

    assert error_with("_").startswith("error(instantiation_error,")
    if kind in OTHERS:
        other, expected = OTHERS[kind]
        assert error_with(other).startswith(f"error(type_error({expected},")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for model in (files("prism_repl.repl") / "help_texts" / "models").iterdir():
        (folder / model.name).write_text(model.read_text())
    return folder


def several(query):
    """May a query have several answers, by the declarations of what it calls?"""
    words = set(re.findall(r"[a-z]\w*|[^\w\s(),'\"\[\]]+", query))
    return any(d.determinism in ("nondet", "multi") for (name, _), d in declared().items() if name in words)


EXAMPLES = [parse(entry.example)[0].query for entry in texts.predicates() if entry.example]


@pytest.mark.parametrize("query", [query for query in EXAMPLES if not several(query)])
def test_what_has_one_answer_leaves_no_choice_point(session, models, monkeypatch, query):
    monkeypatch.chdir(models)
    session.prism("coin")
    assert not next(session.ask(query)).pending


@pytest.mark.parametrize(
    ("goal", "property"),
    [("append(_,_,_)", "nondet"), ("atom_length(_,_)", "semidet"), ("nl", "det"), ("fail", "failure")],
)
def test_determinism_is_a_property(session, goal, property):
    assert session.once(f"predicate_property({goal},{property})")


def test_help_shows_modes():
    assert texts.help_text("numlist").startswith("numlist(+Low:integer, +High:integer, -List) is semidet\n")
    assert texts.help_text("consult").startswith("[File,...]\nconsult(+File:file)")  # as it is typed
