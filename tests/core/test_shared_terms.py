"""Terms that share parts: one of 1,000 levels is a tree of 2**1000 nodes, which nothing may walk over."""

import pytest

from prism_repl import PrismError, Session

PROGRAM = """
tree(0,T,V) :- !, T = leaf(V).
tree(N,T,V) :- M is N-1, tree(M,L,V), T = t(L,N,L).
:- dynamic(kept/1).
:- dynamic(ruled/1).
:- table tabled/2.
tabled(T,X) :- T = t(_,X,_).
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    path = tmp_path_factory.mktemp("shared") / "tree.pl"
    path.write_text(PROGRAM)
    session = Session(output=lambda text: None)
    session.consult(path)
    return session


@pytest.mark.parametrize(
    "goal",
    [
        "tree(1000,T,X), copy_term(T,U), T = U",
        "tree(1000,T,X), copy_term(T,U), copy_term(U,W), W = T, tree(1000,T,b)",
        "tree(1000,T,X), copy_term(T,U), T @< U",
        "tree(1000,T,a), tree(1000,U,a), T == U, compare(=,T,U), T = U",
        "tree(1000,T,a), tree(1000,U,b), T \\== U, T \\= U, T @< U",
        "tree(1000,T,a), ground(T)",
        "tree(1000,T,X), \\+ ground(T), term_variables(T,[Y]), X == Y",
        "tree(1000,T,X), findall(T,member(_,[1,2]),[U,W]), U = T, W = T",
        "tree(1000,T,X), retractall(kept(_)), assertz(kept(T)), kept(U), U = T, tree(999,W,X), \\+ kept(W)",
        "tree(1000,T,X), retractall(ruled(_)), assertz((ruled(Y) :- Y = T, true)), ruled(U), U = T",
        "tree(1000,T,a), retractall(kept(_)), assertz(kept(T)), clause(kept(U),true), U == T",
        "tree(1000,T,X), acyclic_term(T), \\+ cyclic_term(T)",
        "tree(1000,T,a), tree(1000,U,a), tree(1000,W,b), term_hash(T,N), term_hash(U,N), \\+ term_hash(W,N)",
        "tree(1000,T,X), tree(1000,U,Y), variant(T,U), tree(1000,W,a), \\+ variant(T,W)",
        "tree(1000,T,X), nb_setval(k,T), nb_getval(k,U), U = T",
        "tree(1000,T,a), new_hashtable(H), hashtable_put(H,T,1), tree(1000,U,a), hashtable_get(H,U,1)",
        "tree(1000,T,X), catch(throw(T),B,true), B = T",
        "tree(1000,T,X), setof(Y-T,member(Y,[2,1]),L), length(L,2)",
        "tree(1000,T,a), msort([T,b,T],[b,U,U]), U == T",
        "tree(1000,T,X), numbervars(T,0,1), X == '$VAR'(0)",
        "tree(1000,T,X), subsumes_term(T,T), unify_with_occurs_check(U,T), U == T",
        "tree(1000,T,a), tabled(T,1000)",
        "tree(1000,T,X), tabled(T,1000)",
        "tree(1000,T,X), tabled(U,1000), U = T",
        "tree(1000,T,X), catch(atom_length(T,_),error(type_error(_,_),_),true)",
    ],
)
def test_terms_with_shared_parts(session, goal):
    assert session.once(f"{goal}, K = 1")["K"] == 1


def test_what_is_shown_of_them_is_cut(session):
    answer = session.once("tree(1000,T,a)")
    text = str(answer)
    assert "..." in text
    assert len(text) < 300_000
    assert answer["T"].args[1] == 1000
    with pytest.raises(PrismError) as caught:
        session.once("tree(1000,T,a), throw(T)")
    assert len(str(caught.value)) < 300_000


def test_what_is_long_but_not_shared_is_shown_whole(session):
    text = str(session.once("numlist(1,200000,L)"))
    assert text.endswith("199999,200000]\nyes\n")
    assert "..." not in text


def test_a_text_that_does_not_fit_is_an_error(session):
    limit = session.machine.heap.limit
    session.machine.heap.limit = 1 << 22
    try:
        with pytest.raises(PrismError, match="resource_error"):
            session.once("tree(1000,T,a), term_to_atom(T,_)")
    finally:
        session.machine.heap.limit = limit
    assert session.once("X = usable")


def test_a_body_of_shared_goals_is_refused(session):
    session.once("assertz((goals(0,true) :- !))")
    session.once("assertz((goals(N,(G,G)) :- M is N-1, goals(M,G)))")
    assert (
        session.once("goals(1000,G), catch(assertz((h :- G)),error(E,_),true)")["E"].name == "resource_error"
    )


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("X = f(X), variant(X,X)", "yes"),
        ("X = f(X), Y = f(Y), variant(X,Y), X = Y, X == Y", "yes"),
        ("X = f(X,A), Y = f(Y,B), variant(X,Y)", "yes"),
        ("X = f(X,A,A), Y = f(Y,B,C), variant(X,Y)", "no"),
        ("X = f(X), catch(copy_term(X,_),error(type_error(acyclic_term,_),_),true)", "yes"),
        ("X = f(X), catch(tabled(X,_),error(type_error(acyclic_term,_),_),true)", "yes"),
        ("X = f(X), catch(findall(X,true,_),error(type_error(acyclic_term,_),_),true)", "yes"),
        ("X = f(X), catch(term_hash(X,_),error(type_error(acyclic_term,_),_),true)", "yes"),
        ("X = [a|X], catch(assertz(kept(X)),error(type_error(acyclic_term,_),_),true)", "yes"),
    ],
)
def test_cyclic_terms(session, goal, expected):
    assert next(session.ask(goal)).status == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("0.0 = -0.0", "no"),
        ("X is -0.0, X == 0.0", "no"),
        ("X is -0.0, X =:= 0.0", "yes"),
        ("X is -0.0, compare(<,X,0.0)", "yes"),
        ("X is -0.0, X @< 0.0, 0.0 @> X, \\+ X @> 0.0", "yes"),
        ("X is -0.0, variant(X,0.0)", "no"),
        ("X is -0.0, sort([0.0,X,0.0],L), length(L,2)", "yes"),
    ],
)
def test_floats_are_equal_if_their_bits_are(session, goal, expected):
    assert next(session.ask(goal)).status == expected
