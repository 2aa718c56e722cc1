"""Tabling with modes against what a plain search of all answers finds."""

import heapq
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.prism import Prism

NODES = "abcde"
WAYS = {
    "right": "way(X,Y,D) :- road(X,Z,D1), way(Z,Y,D2), D is D1+D2",
    "left": "way(X,Y,D) :- way(X,Z,D1), road(Z,Y,D2), D is D1+D2",
    "double": "way(X,Y,D) :- way(X,Z,D1), way(Z,Y,D2), D is D1+D2",
}


@st.composite
def roads(draw):
    pairs = st.tuples(st.sampled_from(NODES), st.sampled_from(NODES))
    found = draw(st.lists(pairs, min_size=1, max_size=12, unique=True))
    return {pair: draw(st.integers(1, 9)) for pair in found}


def shortest(roads):
    """Floyd and Warshall, over ways of at least one road."""
    best = dict(roads)
    for z, x, y in itertools.product(NODES, repeat=3):
        if (x, z) in best and (z, y) in best:
            best[x, y] = min(best.get((x, y), 10**9), best[x, z] + best[z, y])
    return best


def loaded(roads, declaration, *rules):
    prism = Prism()
    assert prism.ask(f"table(({declaration}))") == [{}]
    for clause in [*(f"road({x},{y},{d})" for (x, y), d in roads.items()), *rules]:
        assert len(prism.ask(f"assertz(({clause}))")) == 1
    return prism


@pytest.mark.parametrize("shape", WAYS)
@given(roads=roads())
@settings(max_examples=30, deadline=None)
def test_shortest_ways(shape, roads):
    prism = loaded(roads, "way(+,+,min)", "way(X,Y,D) :- road(X,Y,D)", WAYS[shape])
    best = shortest(roads)
    for x in NODES:
        found = {(x, s["Y"]): int(s["D"]) for s in prism.ask(f"way({x},Y,D)")}
        assert found == {pair: d for pair, d in best.items() if pair[0] == x}
        for y in NODES:  # each call has one answer at most, whatever was asked before
            assert [int(d) for d in prism.all(f"way({x},{y},X)")] == [d for d in [best.get((x, y))] if d]
    all_pairs = {(s["X"], s["Y"]): int(s["D"]) for s in prism.ask("way(X,Y,D)")}
    assert all_pairs == best


@given(roads=roads())
@settings(max_examples=30, deadline=None)
def test_the_way_that_belongs_to_the_length(roads):
    prism = loaded(
        roads,
        "way(+,+,-,min)",
        "way(X,Y,[X,Y],D) :- road(X,Y,D)",
        "way(X,Y,[X|W],D) :- road(X,Z,D1), way(Z,Y,W,D2), D is D1+D2",
    )
    for (x, y), d in shortest(roads).items():
        (answer,) = prism.ask(f"way({x},{y},W,D)")
        towns = answer["W"].strip("[]").split(",")
        assert (towns[0], towns[-1], int(answer["D"])) == (x, y, d)
        assert sum(roads[pair] for pair in itertools.pairwise(towns)) == d


@given(roads=roads(), limit=st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_the_best_lengths(roads, limit):
    """Lengths of walks, without repetition, the shortest first: by a search in their order."""
    prism = loaded(
        roads,
        f"way(+,+,min):{limit}",
        "way(X,Y,D) :- road(X,Y,D)",
        "way(X,Y,D) :- way(X,Z,D1), road(Z,Y,D2), D is D1+D2",
    )
    for x in NODES:
        expected = {y: [] for y in NODES}
        queue = [(d, y) for (z, y), d in roads.items() if z == x]
        heapq.heapify(queue)
        seen = set()
        while queue:
            d, y = heapq.heappop(queue)
            if (d, y) in seen or len(expected[y]) == limit:
                continue
            seen.add((d, y))
            expected[y].append(d)
            for (z, w), e in roads.items():
                if z == y:
                    heapq.heappush(queue, (d + e, w))
        for y in NODES:
            assert [int(d) for d in prism.all(f"way({x},{y},X)")] == expected[y]


@given(roads=roads())
@settings(max_examples=20, deadline=None)
def test_widest_ways_and_towns(roads):
    """max and lattice on cycles: the widest way, and the set of what can be reached."""
    prism = loaded(
        roads,
        "wide(+,+,max), towns(+,lattice(merged/3))",
        "wide(X,Y,W) :- road(X,Y,W)",
        "wide(X,Y,W) :- road(X,Z,W1), wide(Z,Y,W2), W is min(W1,W2)",
        "towns(X,[X])",
        "towns(X,Ys) :- road(X,Z,_), towns(Z,Ys)",
        "merged(A,B,C) :- append(A,B,D), sort(D,C)",
    )
    wide = dict(roads)
    for z, x, y in itertools.product(NODES, repeat=3):
        if (x, z) in wide and (z, y) in wide:
            wide[x, y] = max(wide.get((x, y), 0), min(wide[x, z], wide[z, y]))
    assert {(s["X"], s["Y"]): int(s["W"]) for s in prism.ask("wide(X,Y,W)")} == wide
    for x in NODES:
        reached = {x} | {y for z, y in wide if z == x}
        assert set(prism.one(f"towns({x},X)").strip("[]").split(",")) == reached


@given(values=st.lists(st.integers(-9, 9), min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_which_answer_stays(values):
    for mode, expected in [
        ("first", values[0]), ("-", values[0]), ("min", min(values)), ("max", max(values)),
        ("last", list(dict.fromkeys(values))[-1]),
    ]:  # fmt: skip
        prism = loaded({}, f"p({mode})", *(f"p({v})" for v in values))
        assert prism.all("p(X)") == [str(expected)]
        assert prism.ask(f"p({expected})") == [{}]
        assert prism.ask("p(99)") == []


@pytest.mark.parametrize(("mode", "expected"), [("min", "2.5"), ("max", "10.5")])
def test_numbers_compare_by_value(mode, expected):
    """In the standard order each float comes before each integer."""
    prism = loaded({}, f"p({mode})", "p(3)", "p(10.5)", "p(2.5)", "p(10)")
    assert prism.one("p(X)") == expected


def test_other_terms_compare_in_the_standard_order():
    prism = loaded({}, "p(min), q(max)", *(f"{p}({t})" for p in "pq" for t in ["c(2,a)", "c(1,z)", "c(1,b)"]))
    assert prism.one("p(X)") == "c(1,b)"
    assert prism.one("q(X)") == "c(2,a)"


def test_a_value_to_compare_must_be_known():
    prism = loaded({}, "p(+,min)", "p(a,_)", "p(b,f(_))", "p(c,1)")
    assert prism.formal("p(a,_)") == prism.formal("p(b,_)") == "instantiation_error"
    assert prism.one("p(c,X)") == "1"


def test_an_output_may_have_variables():
    prism = loaded({}, "p(+,-,min)", "p(1,f(_,b),3)", "p(1,g(A,A),2)")
    (answer,) = prism.ask("p(1,g(c,X),D)")
    assert answer == {"X": "c", "D": "2"}


def test_calls_with_shared_or_bound_outputs():
    prism = loaded({}, "p(+,-,min)", "p(1,5,7)", "p(2,5,5)", "p(f(X),X,1)")
    assert prism.ask("p(1,X,X)") == []
    assert prism.ask("p(2,X,X)") == [{"X": "5"}]
    assert prism.ask("p(1,5,X)") == [{"X": "7"}]
    assert prism.ask("p(f(X),X,D)")[0]["D"] == "1"
    assert prism.ask("p(f(3),4,D)") == []


def test_arguments_that_are_not_tabled():
    prism = loaded(
        {},
        "pay(+,nt,min)",
        "pay(0,_,0)",
        "pay(N,Cs,K) :- N > 0, member(C,Cs), C =< N, M is N-C, pay(M,Cs,K1), K is K1+1",
    )
    assert prism.one("pay(63,[1,5,10,21,25],X)") == "3"
    prism.ask("initialize_table")
    assert prism.one("pay(63,[1,5,10,25],X)") == "6"


def test_not_tabled_arguments_on_a_cycle():
    """Branches that are run again get what the first call passed on."""
    roads = {("a", "b"): 1, ("b", "a"): 1, ("b", "c"): 5, ("a", "c"): 9}
    prism = loaded(
        roads,
        "way(+,nt,+,min)",
        "way(X,_,X,0)",
        "way(X,F,Y,D) :- way(X,F,Z,D1), road(Z,Y,D2), arg(1,F,N), D is D1+N*D2",
    )
    assert [prism.one(f"way(a,f(10),{y},X)") for y in "abc"] == ["0", "10", "60"]


def test_an_error_leaves_no_half_done_table():
    prism = loaded(
        {}, "p(+,max)", "p(X,Y) :- member(Y,[1,3,2]), ( Y == 2, t(X) -> true ; true )", "t(1) :- throw(ball)"
    )
    for _ in range(2):
        assert prism.ask("p(1,X)") == "ball"
    assert prism.ask("retract((t(1) :- throw(ball)))") != []
    assert prism.one("p(1,X)") == "3"


def test_a_join_that_fails_or_is_not_ground():
    prism = loaded(
        {}, "p(lattice(j/3)), q(lattice(k/3))", "p(1)", "p(2)", "j(_,_,_) :- fail", "q(1)", "q(2)", "k(_,_,_)"
    )
    assert prism.one("p(X)") == "1"
    assert prism.formal("q(_)") == "instantiation_error"


def test_a_join_may_use_tables():
    prism = loaded(
        {},
        "p(+,lattice(j/3)), far(+,max)",
        "p(X,Y) :- member(Y,[X,5,6])",
        "far(X,Y) :- member(Y,[X,1])",
        "j(A,B,C) :- far(A,C1), far(B,C2), C is C1+C2",
    )
    assert prism.one("p(2,X)") == "13"


def test_deep_and_many():
    """Many groups, and values that are improved many times: no answer is lost, none stays too long."""
    roads = {}
    n = 400
    for i in range(n):
        roads[i, i + 1] = 1
    for i in range(2, n + 1):
        roads[0, i] = 3 * n - i
    prism = loaded(roads, "way(+,+,min)", "way(X,X,0)", "way(X,Y,D) :- way(X,Z,D1), road(Z,Y,D2), D is D1+D2")
    assert prism.one("findall(Y-D,way(0,Y,D),L), length(L,X)") == str(n + 1)
    assert prism.one(f"way(0,{n},X)") == str(n)


PROGRAM = """
values(s,[1,2,3],[0.2,0.3,0.5]).
:- table best(+,max).
best([_|L],X) :- best(L,X).
best([X|_],X).
t(L) :- best(L,X), msw(s,X), u(L).
u([]).
u([X|L]) :- ( X == 1 -> msw(s,_) ; true ), u(L).
"""


def test_within_an_explanation_search(tmp_path):
    """Lists are what a search looks ahead at; a table with modes in it has its answer all the same."""
    (tmp_path / "model.psm").write_text(PROGRAM)
    prism = Prism()
    prism.ask(f"prism('{tmp_path}/model.psm')")
    for numbers, p in [([1, 2, 1], 0.3), ([3, 1], 0.5), ([1], 0.2), ([2, 2, 3, 1, 1], 0.5)]:
        assert float(prism.one(f"prob(t({numbers}),X)")) == pytest.approx(p)
    assert prism.ask("prob(t([7]),P)") == []


def test_probabilistic_predicates_have_no_modes(tmp_path):
    (tmp_path / "model.psm").write_text("values(s,[1,2]).\n:- table t(max).\nt(X) :- msw(s,X).\n")
    prism = Prism()
    prism.ask(f"prism('{tmp_path}/model.psm')")
    assert "table modes of a probabilistic predicate -- t/1" in prism.output
    assert float(prism.one("prob(t(_),X)")) == 1
    assert "permission_error" in prism.formal("table(t(max))")


@pytest.mark.parametrize(
    ("declaration", "error"),
    [
        ("p(+,best)", "domain_error(table_mode,best)"),
        ("p(+,7)", "domain_error(table_mode,7)"),
        ("p(min,max)", "domain_error(table_modes,p(min,max))"),
        ("p(+,lattice(f/2))", "domain_error(table_mode,lattice(f/2))"),
        ("p(+,lattice(f/3)):2", "domain_error(table_modes,p(+,lattice(f/3)))"),
        ("p(+,min):0", "domain_error(greater_than_zero,0)"),
        ("p(+,min):x", "type_error(integer,x)"),
        ("p:2", "type_error(table_declaration,p)"),
        ("_", "instantiation_error"),
        ("p(+,min):_", "instantiation_error"),
        ("p(+,lattice(_))", "instantiation_error"),
        ("append(+,+,-)", "permission_error(modify,static_procedure,append/3)"),
    ],
)
def test_bad_declarations(declaration, error):
    assert Prism().formal(f"table({declaration})") == error


def test_a_declaration_replaces_the_last_one():
    prism = loaded({}, "p(min)", "p(2)", "p(1)", "p(3)")
    assert prism.all("p(X)") == ["1"]
    prism.ask("table(p(max):2)")
    assert prism.all("p(X)") == ["3", "2"]
    prism.ask("table(p/1)")
    assert prism.all("p(X)") == ["2", "1", "3"]
