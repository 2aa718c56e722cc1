"""Random programs: for searches, with all that may stand in a clause; and plain ones, for any Prolog.

    python -m tests.support.random_programs FIRST COUNT

prints what searches of the programs with these numbers find, a line each, so that two builds can be compared.
"""

import random
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.prism import Prism

SWITCHES = {"c": ["h", "t"], "d": ["0", "1", "2"], "e(_)": ["h", "t"]}
CONSTANTS = ["h", "t", "0", "1"]
TERMS = [*CONSTANTS, "f(h)", "f(_)", "[h]", "X", "X", "Y", "_"]


@dataclass
class Source:
    """A program, and goals to ask it."""

    text: str
    goals: list[str]

    def chooses_in_recursion(self) -> bool:
        """Whether a predicate that calls itself, perhaps through others, leaves out answers."""
        calls: dict[str, set[str]] = {}
        choosing = set()
        for name, body in re.findall(r"^(\w+)\(.* :- (.*)$", self.text, re.MULTILINE):
            calls.setdefault(name, set()).update(re.findall(r"\b([pw]\d)\(", body))
            if "once(" in body or "!" in body:
                choosing.add(name)
        return any(name in reached(calls, name) for name in choosing)


def reached(calls: dict[str, set[str]], name: str) -> set[str]:
    """The predicates that one calls, and those that these call."""
    found: set[str] = set()
    rest = [name]
    while rest:
        new = calls.get(rest.pop(), set()) - found
        found |= new
        rest += new
    return found


class Clauses:
    """What random clauses are made of."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.predicates = [(f"p{i}", self.random.choice([1, 1, 2])) for i in range(self.random.randint(2, 5))]
        self.parsers = [f"w{i}" for i in range(self.random.randint(0, 3))]

    def pick(self, items):
        return self.random.choice(items)

    def call(self, below: int) -> str:
        """A call of a predicate: mostly of one that comes before, sometimes of any."""
        count = below if below and self.random.random() < 0.7 else len(self.predicates)
        name, arity = self.pick(self.predicates[:count])
        return f"{name}({','.join(self.pick(TERMS) for _ in range(arity))})"

    def switch(self) -> str:
        name = self.pick(["c", "c", "d", "e(h)", "e(1)"])
        values = SWITCHES["e(_)" if name[0] == "e" else name]
        return f"msw({name},{self.pick([*values, 'X', 'Y', '_', '_'])})"

    def test(self) -> str:
        return self.pick(
            ["X == h", "X \\== Y", "X = Y", "nonvar(X)", "atomic(Y)", "k(X)", "k(_)", "\\+ k(X)"]
        )

    def goal(self, below: int, depth: int = 0) -> str:
        dice = self.random.random()
        if dice < 0.35:
            return self.switch()
        if dice < 0.7:
            return self.call(below)
        if dice < 0.8 or depth > 1:
            return self.test()
        one, other = self.goal(below, depth + 1), self.goal(below, depth + 1)
        return self.pick(
            [
                f"( {one} ; {other} )",
                f"( {self.test()} -> {one} ; {other} )",
                f"catch({one},_,true)",
                f"catch(( {one}, throw(ball) ),_,{self.test()})",
                f"once({one})",
                f"call({one})",
                "!",
                f"\\+ {self.test()}",
            ]
        )

    def clause(self, i: int) -> str:
        name, arity = self.predicates[i]
        head = f"{name}({','.join(self.pick(TERMS) for _ in range(arity))})"
        goals = [self.goal(i) for _ in range(self.random.randint(0, 3))]
        if self.random.random() < 0.08:
            goals.insert(self.random.randint(0, len(goals)), "!")
        if self.random.random() < 0.05:
            goals.append("( k(z) -> true ; assertz(k(z)), retractall(k(z)) )")
        return f"{head} :- {', '.join([*goals, 'msw(tie,0)'])}."

    def parser(self, name: str) -> list[str]:
        """Rules of a grammar on lists: what looks ahead are for."""
        rules = []
        for k in range(self.random.randint(1, 4)):
            parts = [self.pick([*self.parsers, "h", "t"]) for _ in range(self.random.randint(1, 3))]
            goals = [f"msw(rule({name}),{k})"]
            for j, part in enumerate(parts):
                goals.append(
                    f"{part}(L{j},L{j + 1})" if part in self.parsers else f"L{j} = [{part}|L{j + 1}]"
                )
            rules.append(f"{name}(L0,L{len(parts)}) :- {', '.join(goals)}.")
        rules.append(f"{name}([{self.pick('ht')}|L],L) :- msw(rule({name}),4).")
        return rules


def search_program(seed: int) -> Source:
    """A program with switches, and goals for inference."""
    clauses = Clauses(seed)
    lines = [f"values({name},[{','.join(values)}])." for name, values in SWITCHES.items()]
    lines += ["values(tie,[0]).", "values(rule(_),[0,1,2,3,4]).", ":- dynamic k/1.", "k(h).", "k(0)."]
    goals = []
    for i, (name, arity) in enumerate(clauses.predicates):
        lines += [clauses.clause(i) for _ in range(clauses.random.randint(1, 4))]
        goals += [f"{name}({','.join('ABC'[:arity])})", f"{name}({','.join(['h'] * arity)})"]
    for name in clauses.parsers:
        lines += clauses.parser(name)
        words = ",".join(clauses.pick("ht") for _ in range(clauses.random.randint(1, 6)))
        goals += [f"{name}([{words}],[])", f"{name}([{words}],R)"]
    clauses.random.shuffle(goals)
    return Source("\n".join(lines) + "\n", goals)


def plain_program(seed: int) -> Source:
    """A program without switches, whose names have the seed in them; negation and cuts only of what is not
    recursive, so that it means the same to every Prolog with tables."""
    chance = random.Random(seed)
    facts = [f"k{seed}_{i}" for i in range(3)]
    nodes = ["a", "b", "c", "1", "f(a)", "[b]"]
    lines, goals = [], []
    for name in facts:
        lines += [
            f"{name}({chance.choice(nodes)},{chance.choice(nodes)})." for _ in range(chance.randint(2, 6))
        ]
        lines.append(f"once_{name}(X,Y) :- {name}(X,Y), !.")
    tabled = [f"t{seed}_{i}" for i in range(chance.randint(1, 4))]
    for name in tabled:
        lines.append(f":- table {name}/2.")
    for name in tabled:
        for _ in range(chance.randint(1, 4)):
            body, variable = [], "X"
            for j in range(chance.randint(1, 3)):
                following = chance.choice(["Y", f"Z{j}"])
                kind = chance.random()
                if kind < 0.4:
                    body.append(f"{chance.choice(facts)}({variable},{following})")
                elif kind < 0.8:
                    body.append(f"{chance.choice(tabled)}({variable},{following})")
                elif kind < 0.9:
                    body.append(
                        f"( {chance.choice(facts)}({variable},_) -> {following} = a ; {following} = b )"
                    )
                else:
                    found = f"{chance.choice(facts)}({variable},{following})"
                    ball = f"( {following} == a -> throw(x) ; true )"
                    body.append(f"catch(( {found}, {ball} ),x,{following} = g(Q))")
                variable = following
            if chance.random() < 0.3:
                body.append(f"\\+ {chance.choice(facts)}(Y,X)")
            lines.append(f"{name}(X,{chance.choice(['Y', 'Y', variable])}) :- {', '.join(body)}.")
        goals += [f"{name}(A,B)", f"{name}(a,B)", f"{name}(A,a)", f"{name}(f(a),[b])"]
    return Source("\n".join(lines) + "\n", goals)


def in_any_order(graph: str) -> list[tuple[str, list[str]]]:
    """A printed graph without the order of its nodes, of their paths, and of what these consist of."""
    nodes: list[tuple[str, list[str]]] = []
    for line in graph.splitlines():
        if line.startswith("   "):
            nodes[-1][1].append(" & ".join(sorted(line[7:].split(" & "))))
        else:
            nodes.append((line, []))
    return sorted((name.removeprefix("True "), sorted(paths)) for name, paths in nodes)


class Found:
    """What a session finds in programs, as text that does not depend on the names of variables."""

    def __init__(self, *flags: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.prism = Prism()
        self.flags = flags

    def load(self, source: Source) -> None:
        path = Path(self.folder.name) / "random.psm"
        path.write_text(source.text)
        assert self.prism.ask(f"prism('{path}')") == [{}], self.prism.output
        self.prism.ask("set_prism_flag(warn_exclusiveness,off), set_prism_flag(error_on_cycle,on)")
        for flag in self.flags:
            assert self.prism.ask(f"set_prism_flag({flag})") == [{}]

    def graph(self, goal: str) -> str:
        """The explanation graph of a goal, or the error."""
        result = self.prism.ask(f"probf({goal})")
        text = self.prism.output if isinstance(result, list) else f"{result} {self.prism.output}"
        return re.sub(r"\b_[0-9a-zA-Z]+", "_", f"{bool(result)} {text}")

    def graphs(self, source: Source) -> list[str]:
        self.load(source)
        return [self.graph(goal) for goal in source.goals]


def main() -> None:
    first, count = map(int, sys.argv[1:3])
    found = Found()
    for seed in range(first, first + count):
        print(repr(found.graphs(search_program(seed))))


if __name__ == "__main__":
    main()
