"""Searches of many goals drop the tables that no goal needs: the graph is the same with and without."""

import random

import pytest

from prism_repl.inference import search
from prism_repl.prolog.reader import read_term
from prism_repl.prolog.writer import write_term
from prism_repl.tabling import table_space
from prism_repl.tabling.explanations import forget_terms
from tests.support.programs import WEATHER, Program

GRAMMAR = """
values(s,[[s,s],[n,v],[t,s],[a],[b]]).
values(t,[[w1],[w2],[w3],[w4],[w5],[w6],[w7],[w8],[w9],[a,b,a]]).
values(n,[[a],[n,a],[c,s]]).
values(v,[[b],[v,s],[b,v]]).
values(1.5,[x,[y,z]]).
values([l],[x,y]).

pcfg(L) :- pcfg([s],L,[]), ( L = [a|_] -> msw(1.5,_), msw([l],x) ; odd(L) ), known(L).
pcfg([],L,L).
pcfg([X|Xs],L0,L) :-
    ( get_values(X,_) -> msw(X,Body), pcfg(Body,L0,L1)
    ; L0 = [X|L1] ),
    pcfg(Xs,L1,L).
odd([_]) :- msw(1.5,[y,z]).
odd([_,_|L]) :- odd(L).
odd([_,_|L]) :- msw([l],y), even(L).
even([]).
even([_,_|L]) :- even(L), open(L,_).
open(_,f(_,_)).
known([_|_]) :- rain.
rain :- msw([l],_).
"""


def sentences(count, longest, seed):
    generator = random.Random(seed)
    for _ in range(count):
        yield f"pcfg([{','.join(generator.choices('ab', k=generator.randint(1, longest)))}])"


def weeks(count, longest, seed):
    generator = random.Random(seed)
    for _ in range(count):
        days = generator.choices(["sun", "rain", "wind"], k=generator.randint(1, longest))
        yield f"week([{','.join(days)}])"


def graph_of(program, goals):
    """The goals, and the paths of every goal of the graph, as texts."""
    m = program.m
    forget_terms(m)
    cells = [m.intern(read_term(m, goal + " .").cell, True) for goal in goals]
    found = search.search(m, cells)
    found.refuse_cycle()
    graph = found.graph
    name = [write_term(m, found.node_cell(i)) for i in range(graph.n_nodes)]
    paths = {}
    for node in range(graph.n_nodes):
        rows = []
        for path in range(graph.node_paths[node], graph.node_paths[node + 1]):
            factors = graph.factors[graph.path_factors[path] : graph.path_factors[path + 1]].tolist()
            rows.append(
                tuple(
                    write_term(m, found.switch_cell(f))
                    if f < graph.n_instances
                    else name[f - graph.n_instances]
                    for f in factors
                )
            )
        paths[name[node]] = sorted(rows)
    return [name[root] for root in graph.roots], paths


@pytest.mark.parametrize(("text", "goals"), [(GRAMMAR, sentences), (WEATHER, weeks)])
@pytest.mark.parametrize("words", [0, 60, 1000])
def test_a_swept_search_finds_the_same_graph(tmp_path, monkeypatch, text, goals, words):
    program = Program(tmp_path, text)
    asked = list(goals(40, 7, words))
    asked = [goal for goal in asked if program.ask(f"prob({goal},_)") == [{}]]
    assert len(asked) > 10
    monkeypatch.setattr(table_space, "YOUNG_WORDS", 1 << 40)
    whole = graph_of(program, asked)
    monkeypatch.setattr(table_space, "YOUNG_WORDS", words)
    monkeypatch.setattr(table_space, "WORTH", 0)
    swept = graph_of(program, asked)
    assert swept == whole


def test_sweeps_keep_the_table_space_small(tmp_path, monkeypatch):
    program = Program(tmp_path, GRAMMAR)
    goals = [goal for goal in sentences(60, 9, 3) if program.ask(f"prob({goal},_)") == [{}]]
    counts = {}
    monkeypatch.setattr(table_space, "WORTH", 1)
    for words in (1 << 40, 100):
        monkeypatch.setattr(table_space, "YOUNG_WORDS", words)
        graph_of(program, goals)
        counts[words] = program.m.tabling.tables.table_count
    assert counts[100] < counts[1 << 40] * 0.9


def test_an_error_in_the_middle_of_a_search_leaves_a_usable_table_space(tmp_path, monkeypatch):
    monkeypatch.setattr(table_space, "YOUNG_WORDS", 0)
    program = Program(tmp_path, GRAMMAR + "bad(X) :- msw(s,X), pcfg([a]), throw(ball).\n")
    assert program.ask("catch(learn([pcfg([a]),pcfg([a,b,b]),bad(_),pcfg([a,a])]),ball,true)") == [{}]
    assert program.number("prob(pcfg([a]),P)") > 0


def test_terms_of_clauses_that_go_in_the_middle_of_a_search(tmp_path, monkeypatch):
    """The terms of loaded clauses are stored once; sweeps move them, and clauses that go take them along."""
    monkeypatch.setattr(table_space, "YOUNG_WORDS", 0)
    monkeypatch.setattr(table_space, "WORTH", 0)
    count = 40
    terms = [f"t({n},[a,b,c,d],f(g(h(i{n}))),[[1,2],[3,4]])" for n in range(count)]
    program = Program(
        tmp_path,
        "values(c,[x,y]).\n"
        ":- dynamic(big/2).\n"
        + "".join(f"big({n},{term}).\n" for n, term in enumerate(terms))
        + "stays(t(0,[a,b,c,d],f(g(h(i0))),[[1,2],[3,4]])).\n"
        "use(N) :- retract(big(N,T)), stays(S), walk(T,V), walk(S,V).\n"
        "walk(t(_,L,_,_),V) :- along(L,V).\n"
        "along([],_).\n"
        "along([_|L],V) :- msw(c,V), along(L,V).\n"
        "again(N) :- use(N).\n"
        "again(_) :- stays(T), walk(T,y), garbage_collect.\n",
    )
    goals = [f"again({n})" for n in range(count)]
    paths = graph_of(program, goals)[1]
    assert program.ask("big(_,_)") == []
    assert [len(paths[goal]) for goal in goals] == [2] * count
    assert [len(paths[f"use({n})"]) for n in range(count)] == [2] * count
    paths = graph_of(program, goals)[1]
    assert [len(paths[goal]) for goal in goals] == [1] * count


def test_terms_of_a_search_that_was_not_ended_are_found_again(tmp_path):
    """Without memory the end of a search may leave its terms young."""
    m = Program(tmp_path, GRAMMAR).m
    term = "foo(bar,baz,[qux,1,2],'quux quux')"
    m.store.begin_log(1 << 10)
    first = m.intern(read_term(m, f"{term} .").cell, True)
    m.store.begin_log(1 << 10)
    assert m.intern(read_term(m, f"{term} .").cell, True) == first
    m.store.begin_log(0)
    assert m.intern(read_term(m, f"{term} .").cell, True) == first
