"""Helpers in the user's name space: right where PRISM's are not, and a program's own count."""

import pytest

from prism_repl import Session
from prism_repl.answers import answer_text


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("unique([X,Y],Z), !", "Z = [X,Y]\nyes\n"),
        ("unifiable_unique([f(X),f(a),g(Y),f(b)],Z)", "Z = [f(X),g(Y)]\nyes\n"),
        ("unifiable_unique([f(X),f(Y)],Z)", "Z = [f(X)]\nyes\n"),
        ("unique(X,Z)", "*** error(instantiation_error,unique/2)\n"),
        ("unique(abc,Z)", "no\n"),
        ("transpose(X,[[1,4],[2,5]])", "X = [[1,2],[4,5]]\nyes\n"),
        ("transpose([],X), !", "X = []\nyes\n"),
        ("slice([a,b],X,Y,1)", "*** error(instantiation_error,slice/4)\n"),
        ("slice([a,b],X,1,0)", "*** error(domain_error(greater_than_zero,0),slice/4)\n"),
        ("slice(a,X,1,1)", "*** error(type_error(list,a),slice/4)\n"),
        ("atoms_concat(X,Y)", "*** error(instantiation_error,atoms_concat/2)\n"),
        ("hashtable_keys([3,1,2],L), !", "L = [1,2,3]\nyes\n"),
    ],
)
def test_helpers(query, answer):
    session = Session()
    session.once("assertz(put_all(_,[]))")
    session.once("assertz((put_all(H,[K|Ks]) :- hashtable_put(H,K,k), put_all(H,Ks)))")
    session.once(
        "assertz((hashtable_keys(Ks,L) :- new_hashtable(H), put_all(H,Ks), hashtable_keys_to_list(H,L)))"
    )
    assert answer_text(next(session.ask(query))) == answer


@pytest.mark.parametrize("suffix", ["pl", "psm"])
def test_a_program_has_its_own(tmp_path, suffix):
    printed = []
    session = Session(printed.append)
    path = tmp_path / f"own.{suffix}"
    path.write_text(
        "values(c,[h,t]).\nunique(X,own(X)).\nslice(_,_,_,mine).\ntranspose(a,b).\nuse(X) :- unique(1,X).\n"
    )
    session.consult(path)
    assert not any("redefine" in text or "***" in text for text in printed)
    assert str(session.once("use(X)")["X"]) == "own(1)"
    assert session.once("transpose(a,b), slice(1,2,3,mine)")
    assert not session.once("transpose([[a]],_)")
