"""The same models for prism-repl (switches thrown once) and for ProbLog, each of any size."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

PAPER = {(1, 2): 0.9, (2, 3): 0.8, (3, 4): 0.6, (1, 6): 0.7}
PAPER |= {(2, 6): 0.5, (6, 5): 0.4, (5, 3): 0.7, (5, 4): 0.2}


@dataclass
class Case:
    """Programs without queries, the goals to ask for (the same text in both), and what is observed: goals and
    whether they hold."""

    prism: str
    problog: str
    goals: list[str]
    evidence: list[tuple[str, bool]] = field(default_factory=list)

    def given(self) -> str:
        """The evidence for prob/3."""
        return "[" + ",".join(goal if holds else f"not({goal})" for goal, holds in self.evidence) + "]"

    def problog_text(self) -> str:
        lines = [f"query({goal})." for goal in self.goals]
        lines += [f"evidence({goal},{'true' if holds else 'false'})." for goal, holds in self.evidence]
        return self.problog + "\n".join(lines) + "\n"


def facts(weights: dict[str, float]) -> tuple[str, str]:
    """Independent facts that hold with some probability: as switches, and as probabilistic facts."""
    values = "".join(f"values({name},[t,f],[{p},{1 - p}]).\n" for name, p in weights.items())
    return values, "".join(f"{p}::{name}.\n" for name, p in weights.items())


def connections(edges: dict[str, float], ends: list[tuple[str, str]], directed: bool) -> Case:
    """Paths along edges(A,B) that may be missing."""
    switches, probabilistic = facts(edges)
    pairs = [edge.removeprefix("e(").removesuffix(")") for edge in edges]
    prism = switches + "".join(f"edge({pair}).\n" for pair in pairs)
    prism += "link(X,Y) :- edge(X,Y), msw(e(X,Y),t).\n"
    problog = probabilistic + "link(X,Y) :- e(X,Y).\n"
    if not directed:
        prism += "link(X,Y) :- edge(Y,X), msw(e(Y,X),t).\n"
        problog += "link(X,Y) :- e(Y,X).\n"
    prism += "path(X,X).\npath(X,Y) :- X \\== Y, link(X,Z), path(Z,Y).\n"
    problog += "path(X,X).\npath(X,Y) :- X \\== Y, link(X,Z), path(Z,Y).\n"
    return Case(prism, problog, [f"path({a},{b})" for a, b in ends])


def paper_graph(size: int) -> Case:
    """The graph of the paper, all pairs; `size` copies of it one after the other."""
    edges = {}
    for copy in range(size):
        for (a, b), p in PAPER.items():
            edges[f"e(n{a + 5 * copy},n{b + 5 * copy})"] = p
    nodes = [f"n{i}" for i in range(1, 7 + 5 * (size - 1))]
    ends = [(a, b) for a in nodes[:6] for b in nodes[-6:] if a != b]
    return connections(edges, ends, directed=False)


def grid(size: int) -> Case:
    """Corner to corner of an undirected grid."""
    edges = {}
    for i in range(size):
        for j in range(size):
            for k, n in ((i, j + 1), (i + 1, j)):
                if k < size and n < size:
                    edges[f"e(n{i}_{j},n{k}_{n})"] = 0.6
    return connections(edges, [("n0_0", f"n{size - 1}_{size - 1}")], directed=False)


def ladder(size: int) -> Case:
    """A ladder with crossed rungs."""
    edges = {}
    for i in range(size):
        for a, b in (("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")):
            edges[f"e({a}{i},{b}{i + 1})"] = 0.7
        edges[f"e(a{i},b{i})"] = 0.3
    return connections(edges, [("a0", f"b{size}")], directed=False)


def random_graph(size: int) -> Case:
    """A directed graph with two edges a node."""
    chance = random.Random(size)
    edges = {}
    while len(edges) < 2 * size:
        a, b = chance.sample(range(size), 2)
        edges[f"e(n{a},n{b})"] = round(chance.uniform(0.2, 0.9), 2)
    return connections(edges, [("n0", f"n{b}") for b in range(1, size, 3)], directed=True)


def smokers(size: int) -> Case:
    """Smokers and friends: people smoke because of stress or because of friends who smoke."""
    chance = random.Random(size)
    friends: set[tuple[int, int]] = set()
    while len(friends) < 3 * size // 2:
        a, b = sorted(chance.sample(range(size), 2))
        friends.add((a, b))
    both = sorted(friends | {(b, a) for a, b in friends})
    switches, probabilistic = facts(
        {f"stress(p{i})": 0.3 for i in range(size)}
        | {f"influences(p{a},p{b})": 0.2 for a, b in both}
        | {f"cancer(p{i})": 0.1 for i in range(size)}
    )
    known = "".join(f"friend(p{a},p{b}).\n" for a, b in both)
    prism = (
        switches
        + known
        + (
            "smokes(X) :- msw(stress(X),t).\n"
            "smokes(X) :- friend(X,Y), msw(influences(Y,X),t), smokes(Y).\n"
            "ill(X) :- smokes(X), msw(cancer(X),t).\n"
        )
    )
    problog = (
        probabilistic
        + known
        + (
            "smokes(X) :- stress(X).\n"
            "smokes(X) :- friend(X,Y), influences(Y,X), smokes(Y).\n"
            "ill(X) :- smokes(X), cancer(X).\n"
        )
    )
    return Case(prism, problog, ["ill(p0)"], [("smokes(p1)", True), ("smokes(p2)", False)])


def alarm(size: int) -> Case:
    """Burglary, earthquake, alarm, with `size` neighbours who may call."""
    neighbours = [f"n{i}" for i in range(size)]
    switches, probabilistic = facts(
        {f"hears({n})": 0.7 for n in neighbours} | {f"nervous({n})": 0.05 for n in neighbours}
    )
    prism = switches + (
        "values(burglary,[t,f],[0.1,0.9]).\nvalues(earthquake,[heavy,mild,none],[0.01,0.19,0.8]).\n"
        "values(alarm(_,_),[t,f]).\n"
        ":- set_sw(alarm(t,heavy),[0.9,0.1]), set_sw(alarm(f,heavy),[0.3,0.7]).\n"
        ":- set_sw(alarm(t,mild),[0.85,0.15]), set_sw(alarm(f,mild),[0.1,0.9]).\n"
        ":- set_sw(alarm(t,none),[0.8,0.2]), set_sw(alarm(f,none),[0.01,0.99]).\n"
        "burglary :- msw(burglary,t).\n"
        "alarm :- msw(burglary,B), msw(earthquake,E), msw(alarm(B,E),t).\n"
        "calls(X) :- alarm, msw(hears(X),t).\n"
        "calls(X) :- msw(nervous(X),t).\n"
    )
    problog = probabilistic + (
        "0.1::burglary(t); 0.9::burglary(f).\n"
        "0.01::earthquake(heavy); 0.19::earthquake(mild); 0.8::earthquake(none).\n"
        "0.9::on(t,heavy). 0.85::on(t,mild). 0.8::on(t,none).\n"
        "0.3::on(f,heavy). 0.1::on(f,mild). 0.01::on(f,none).\n"
        "burglary :- burglary(t).\n"
        "alarm :- burglary(B), earthquake(E), on(B,E).\n"
        "calls(X) :- alarm, hears(X).\n"
        "calls(X) :- nervous(X).\n"
    )
    seen = [(f"calls({n})", i % 3 != 2) for i, n in enumerate(neighbours)]
    return Case(prism, problog, ["burglary", "alarm"], seen)


def die(size: int) -> Case:
    """One die, thrown once and used in many ways."""
    faces = 6 * size
    p = 1.0 / faces
    prism = f"values(die,{list(range(1, faces + 1))}).\n"
    problog = "; ".join(f"{p}::die({v})" for v in range(1, faces + 1)) + ".\n"
    prism += "even :- msw(die,V), V mod 2 =:= 0.\nhigh :- msw(die,V), V > 3.\nboth :- even, high.\n"
    problog += "even :- die(V), V mod 2 =:= 0.\nhigh :- die(V), V > 3.\nboth :- even, high.\n"
    for rule in ("either :- even.\neither :- high.\n", "twice :- both, either, even.\n"):
        prism += rule
        problog += rule
    return Case(prism, problog, ["both", "either", "twice"], [("high", True)])


def dice(size: int) -> Case:
    """The sum of several dice, each with a value of its own."""
    prism = "values(die(_),[1,2,3,4,5,6]).\n"
    problog = "".join(
        "; ".join(f"{1 / 6}::die({i},{v})" for v in range(1, 7)) + ".\n" for i in range(1, size + 1)
    )
    prism += "sum(0,0).\nsum(N,S) :- N > 0, msw(die(N),V), M is N-1, R is S-V, R >= 0, sum(M,R).\n"
    problog += "sum(0,0).\nsum(N,S) :- N > 0, die(N,V), M is N-1, R is S-V, R >= 0, sum(M,R).\n"
    return Case(prism, problog, [f"sum({size},{3 * size})", f"sum({size},{4 * size})"])


def urns(size: int) -> Case:
    """Annotated disjunctions: a ball from each urn; is there a run of three balls of the same colour?"""
    chance = random.Random(size)
    prism, problog = "", ""
    for i in range(size):
        w = [chance.randint(1, 6) for _ in range(3)]
        p = [x / sum(w) for x in w]
        prism += f"values(urn({i}),[red,green,blue],{p}).\n"
        colours = zip(("red", "green", "blue"), p, strict=True)
        problog += "; ".join(f"{x}::ball({i},{c})" for c, x in colours) + ".\n"
    prism += "ball(I,C) :- msw(urn(I),C).\n"
    rules = (
        f"run :- between(0,{size - 3},I), J is I+1, K is I+2, ball(I,C), ball(J,C), ball(K,C).\n"
        "first(C) :- ball(0,C).\n"
    )
    return Case(prism + rules, problog + rules, ["run", "first(red)"], [(f"ball({size - 1},red)", False)])


def chain(size: int) -> Case:
    """A hidden Markov model whose switches have a name for each time: a state, given what is seen."""
    chance = random.Random(size)
    seen = [chance.choice(["x", "y"]) for _ in range(size)]
    problog = ""
    names = ["start", "a", "b", "c"]
    for t in range(size):
        for s in names[:1] if t == 0 else names[1:]:
            problog += "; ".join(f"{1 / 3}::state({t},{s},{v})" for v in "abc") + ".\n"
        for s in "abc":
            problog += f"0.5::out({t},{s},x); 0.5::out({t},{s},y).\n"
    prism = "values(state(_,_),[a,b,c]).\nvalues(out(_,_),[x,y]).\n"
    prism += "in(0,S) :- msw(state(0,start),S).\nin(T,S) :- T > 0, U is T-1, in(U,R), msw(state(T,R),S).\n"
    problog += "in(0,S) :- state(0,start,S).\nin(T,S) :- T > 0, U is T-1, in(U,R), state(T,R,S).\n"
    prism += "sees(T,O) :- in(T,S), msw(out(T,S),O).\n"
    problog += "sees(T,O) :- in(T,S), out(T,S,O).\n"
    return Case(prism, problog, ["in(1,a)"], [(f"sees({t},{o})", True) for t, o in enumerate(seen)])


def negation(size: int) -> Case:
    """A lamp that is on if it does not fail, in a row of which each needs the last: complements of causes."""
    switches, probabilistic = facts(
        {f"fuse({i})": 0.1 for i in range(size)} | {f"wire({i})": 0.05 for i in range(size)} | {"power": 0.95}
    )
    prism = switches + (
        "up(0) :- msw(power,t).\n"
        "up(N) :- N > 0, M is N-1, up(M), msw(fuse(M),f), msw(wire(M),f).\n"
        "up(N) :- N > 1, M is N-2, up(M), msw(fuse(M),t), msw(wire(M),f).\n"
    )
    problog = probabilistic + (
        "broken(M) :- fuse(M).\nbroken(M) :- wire(M).\n"
        "up(0) :- power.\n"
        "up(N) :- N > 0, M is N-1, up(M), \\+ broken(M).\n"
        "up(N) :- N > 1, M is N-2, up(M), fuse(M), \\+ wire(M).\n"
    )
    return Case(prism, problog, [f"up({size})", "up(0)"], [(f"up({size // 2})", False)])


def votes(size: int) -> Case:
    """More than half of the voters say yes, each for one of two reasons."""
    switches, probabilistic = facts(
        {f"likes(v{i})": 0.4 for i in range(size)} | {f"told(v{i})": 0.2 for i in range(size)}
    )
    rules = (
        "count(I,K) :- I > 0, K > 0, voter(I,V), yes(V), J is I-1, L is K-1, count(J,L).\n"
        "count(I,K) :- I > 0, I > K, J is I-1, count(J,K).\n"
        "count(_,0).\n"
    )
    known = "".join(f"voter({i + 1},v{i}).\n" for i in range(size))
    prism = switches + known + "yes(V) :- msw(likes(V),t).\nyes(V) :- msw(told(V),t).\n" + rules
    problog = probabilistic + known + "yes(V) :- likes(V).\nyes(V) :- told(V).\n" + rules
    return Case(prism, problog, [f"count({size},{size // 2 + 1})"], [("yes(v0)", True)])


# name, the model, a small size for numbers and a large one for times (where ProbLog needs a second or more)
CASES: dict[str, tuple[Callable[[int], Case], int, int]] = {
    "paper's graph, all pairs": (paper_graph, 1, 2),
    "grid": (grid, 3, 4),
    "ladder": (ladder, 3, 6),
    "random graph": (random_graph, 10, 20),
    "smokers and friends": (smokers, 6, 8),
    "alarm with evidence": (alarm, 3, 1200),
    "one die, used twice": (die, 1, 100),
    "sum of dice": (dice, 3, 6),
    "urns (annotated disjunctions)": (urns, 5, 90),
    "Markov chain": (chain, 4, 60),
    "negation": (negation, 6, 110),
    "votes": (votes, 5, 14),
}
