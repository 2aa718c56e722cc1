"""Looking ahead in a search by the first element of a list: the graph is the same with and without."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.core.instructions import CONSTANTS
from tests.support.programs import WEATHER, Program
from tests.tabling.test_sweeps import GRAMMAR, graph_of

# What a clause may do with the list that it gets, L0, and what is left of it, L; p and q are tabled.
GOALS = [
    "L0 = [a|L]",
    "L0 = [b|L]",
    "L0 = [a,b|L]",
    "L0 = [_|L]",
    "L0 = L",
    "p(L0,L)",
    "q(L0,L)",
    "r(L0,k,L)",
    "p(L0,M), q(M,L)",
    "q(L0,M), p(M,L)",
    "r(L0,M,N), p(N,M), L = N",
    "( L0 = [a|M] -> q(M,L) ; L0 = [b|L] )",
    "( L0 = [_,a|L] -> true ; p(L0,L) )",
    "( L0 == [b] -> L = [] ; q(L0,L) )",
    "( L0 = [_|M], M \\== [] -> L = M ; p(L0,L) )",
    "( L0 = [_|M], var(M) -> L = M ; fail )",
    "( L0 @> [a,b] -> p(L0,L) ; L0 = [_|L] )",
    "\\+ L0 = [a,a|_], q(L0,L)",
    "length(L0,2), L0 = [_|L]",
    "plain(L0,L)",
    "plain(L0,M), p(M,L)",
    "once(p(L0,L))",
    "L0 = [X|M], ( X = a -> L = M ; q(M,L) )",
    "alone, q(L0,L)",
    "atom(L0), L = L0",
    "findall(X,member(X,L0),[_|L])",
]

REST = """
values(_,[x,y]).
plain([a|L],L) :- !.
plain([_,_|L],L).
alone :- msw(alone,x).
alone :- msw(alone,y), fail.
goal(L) :- p(L,[]).
"""


# The first clauses of each predicate, so that something succeeds.
FIRST = {
    "p": ["p([a|L],L) :- msw(base,x).", "p([c,_|L],L) :- msw(base,y)."],
    "q": ["q([b|L],L) :- msw(base,y).", "q([a,b|L],L) :- msw(base,_)."],
    "r": ["r([b|L],k,L) :- msw(base,_)."],
}


@st.composite
def programs(draw):
    clauses = []
    for head in ("p(L0,L)", "q(L0,L)", "r(L0,K,L)"):
        clauses += FIRST[head[0]]
        for number, goal in enumerate(draw(st.lists(st.sampled_from(GOALS), min_size=1, max_size=4))):
            switch = f"msw({head[0]}{number},{draw(st.sampled_from(['x', 'y', '_']))})"
            cut = draw(st.sampled_from(["", "", "", "!, "]))
            if head[0] == "r":
                goal += ", K = k"
            clauses.append(f"{head} :- {switch}, {cut}{goal}.")
    return "\n".join(clauses) + REST


def never_look(program):
    """The program, whose predicates do not look ahead."""
    m = program.m
    for name, arity in m.prob.tabled:
        m.program.set_pred_field(
            m.program.pred(m.functor(m.atom(name), arity)), CONSTANTS["P_LOOKS"], CONSTANTS["LOOKS"]
        )
    return program


def outcome(program, goals):
    try:
        return graph_of(program, goals)
    except Exception as error:  # the same error, whatever it is
        return type(error), str(error)


@settings(max_examples=150, deadline=None)
@given(programs(), st.lists(st.lists(st.sampled_from("abc"), max_size=5), min_size=1, max_size=4))
def test_looking_ahead_changes_nothing(tmp_path_factory, text, lists):
    folder = tmp_path_factory.mktemp("look")
    program = Program(folder, ":- p_table p/2, q/2, r/3, goal/1.\n" + text)
    for letters in lists:
        goals = [f"goal([{','.join(letters)}])"]
        m = program.m
        for name, arity in m.prob.tabled:
            m.program.set_pred_field(m.program.pred(m.functor(m.atom(name), arity)), CONSTANTS["P_LOOKS"], 0)
        looked = outcome(program, goals)
        assert looked == outcome(never_look(program), goals)


def field(program, name, arity, name_of_field):
    m = program.m
    return m.program.pred_field(m.program.pred(m.functor(m.atom(name), arity)), CONSTANTS[name_of_field])


@pytest.mark.shortcuts
@pytest.mark.parametrize("seed", [1, 2])
def test_a_grammar_finds_the_same_graph(tmp_path, seed):
    generator = random.Random(seed)
    goals = [f"pcfg([{','.join(generator.choices('ab', k=generator.randint(1, 12)))}])" for _ in range(30)]
    program = Program(tmp_path, GRAMMAR)
    looked = graph_of(program, goals)
    assert field(program, "pcfg", 3, "P_LIST_ARG") == 2
    assert looked == graph_of(never_look(program), goals)


@pytest.mark.shortcuts
def test_looks_that_never_fail_are_given_up(tmp_path):
    program = Program(tmp_path, WEATHER)
    assert program.number("long(400,G), log_prob(G,P)") < 0
    assert field(program, "days", 2, "P_LOOKS") == CONSTANTS["LOOKS"]
