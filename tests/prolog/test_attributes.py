"""Attributed variables as a program sees them: hooks of modules, goals in answers, errors, writing."""

import pytest

from prism_repl import Session
from prism_repl.answers import answer_text

pytestmark = pytest.mark.quick

DOMAIN = """
:- module(domain,[domain/2]).
domain(X,D) :- var(D), !, get_attr(X,domain,D).
domain(X,L) :- msort(L,D), put_attr(Y,domain,D), X = Y.
attr_unify_hook(D,Y) :-
    ( get_attr(Y,domain,E) -> findall(Z,( member(Z,D), member(Z,E) ),N),
        ( N == [] -> fail ; N = [V] -> Y = V ; put_attr(Y,domain,N) )
    ; var(Y) -> put_attr(Y,domain,D)
    ; member(Y,D), !
    ).
attribute_goals(X) --> { get_attr(X,domain,D) }, [domain(X,D)].
attr_portray_hook(D,_) :- write(in(D)).
"""
COUNTER = """
:- module(counter,[]).
counter:attr_unify_hook(_,Y) :- write(bound(Y)).
"""


@pytest.fixture
def printed():
    return []


@pytest.fixture
def session(printed, tmp_path):
    found = Session(printed.append)
    for name, text in ("domain", DOMAIN), ("counter", COUNTER):
        path = tmp_path / f"{name}.pl"
        path.write_text(text)
        found.consult(path)
    printed.clear()
    return found


def shown(session, query):
    return answer_text(next(session.ask(query)))


def test_each_module_has_its_hook(session, printed):
    assert shown(session, "domain(X,[a,b]), X = c") == "no\n"
    assert shown(session, "domain(X,[a,b]), domain(X,[a,c])") == "X = a\nyes\n"
    assert shown(session, "domain(X,[a,b,c]), domain(X,[a,c])") == "domain(X,[a,c])\nyes\n"
    assert shown(session, "put_attr(X,counter,0), X = 1") == "X = 1\nyes\n"
    assert printed == ["bound(1)"]
    assert shown(session, "put_attr(X,other,0), X = 1") == "X = 1\nyes\n"  # without a hook it is just bound


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("freeze(X,p(Y)), Z = f(X)", "Z = f(X)\nfreeze(X,p(Y))\nyes\n"),
        ("dif(X,Y), Y = a", "Y = a\ndif(X,a)\nyes\n"),
        ("dif(f(X,Y),f(a,b))", "dif(f(X,Y),f(a,b))\nyes\n"),
        ("dif(f(X,Y),f(a,b)), Y = c", "Y = c\nyes\n"),
        ("when((nonvar(X);ground(Y)),true)", "when((nonvar(X) ;  ground(Y)),true)\nyes\n"),
        ("when((nonvar(X),nonvar(Y)),p), X = 1", "X = 1\nwhen(nonvar(Y),p)\nyes\n"),
        ("put_attr(X,a,f(Y)), X = Z", "X = Z\nput_attr(Z,a,f(Y))\nyes\n"),
        ("freeze(X,true), member(Y,[1,2])", "Y = 1\nfreeze(X,true) ?"),
        ("freeze(_,true), true", "\nyes\n"),
        ("freeze(X,true), copy_term(X,Y,G)", "G = [freeze(Y,true)]\nfreeze(X,true)\nyes\n"),
        ("X = 1, freeze(X,Y = 2)", "X = 1\nY = 2\nyes\n"),
    ],
)
def test_answers_show_what_waits(session, query, answer):
    assert shown(session, query) == answer


def test_answers_have_the_goals_as_text(session):
    assert session.once("dif(X,1)").residual == ("dif(X,1)",)


def test_attributes_are_written_when_asked_for(session, printed):
    session.once("domain(X,[a,b]), write_term(f(X),[attributes(portray),variable_names(['X'=X])])")
    session.once("put_attr(X,k,v), write_term(X,[attributes(write),variable_names(['X'=X])])")
    session.once("put_attr(X,k,v), write_term(X,[attributes(dots),variable_names(['X'=X])])")
    assert "".join(printed) == "f(X{in([a,b])})X{att(k,v,[])}X{...}"


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("put_attr(a,m,1)", "uninstantiation_error(a),put_attr/3"),
        ("put_attr(X,M,1)", "instantiation_error,put_attr/3"),
        ("put_attr(X,1,1)", "type_error(atom,1),put_attr/3"),
        ("get_attr(X,f(x),V)", "type_error(atom,f(x)),get_attr/3"),
        ("put_attrs(X,foo)", "type_error(attributes,foo),put_attrs/2"),
        ("freeze(X,1)", "type_error(callable,1),freeze/2"),
        ("freeze(X,G)", "instantiation_error,freeze/2"),
        ("when(C,true)", "instantiation_error,when/2"),
        ("when(foo(a),true)", "domain_error(when_condition,foo(a)),when/2"),
        ("when((nonvar(X);foo),true)", "domain_error(when_condition,foo),when/2"),
        ("freeze(X,undefined_one(X)), X = 1", "existence_error(procedure,undefined_one/1)"),
        ("write_term(X,[attributes(some)])", "domain_error(write_option,attributes(some)),write_term/2"),
    ],
)
def test_errors(session, query, error):
    answer = next(session.ask(query))
    assert answer.status == "error"
    expected = answer.message.startswith("***  Undefined procedure: undefined_one/1")
    assert expected if "undefined_one" in error else answer.message == f"*** error({error})"
