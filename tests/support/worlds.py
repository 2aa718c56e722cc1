"""Propositional programs with switches that are thrown once, and what is true in each of their worlds.

The truth of a goal comes from nothing but the clauses: all worlds are listed, and in each the least model is
computed. The same program can be written for PRISM and for ProbLog.
"""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass, field

Switch = str
Literal = tuple[Switch, int]  # a switch and the number of its outcome
World = dict[Switch, int]


@dataclass
class Clause:
    head: str
    goals: list[str]
    switches: list[Literal]


@dataclass
class Propositional:
    switches: dict[Switch, list[float]] = field(default_factory=dict)
    clauses: list[Clause] = field(default_factory=list)

    def worlds(self):
        """All worlds with their probabilities."""
        for values in itertools.product(*(range(len(p)) for p in self.switches.values())):
            world = dict(zip(self.switches, values, strict=True))
            yield world, math.prod(self.switches[s][v] for s, v in world.items())

    def true_in(self, given) -> set[str]:
        """The goals that follow from these literals (a set of pairs, or the items of a world)."""
        given = set(given)
        true: set[str] = set()
        changed = True
        while changed:
            changed = False
            for clause in self.clauses:
                if (
                    clause.head not in true
                    and true.issuperset(clause.goals)
                    and given.issuperset(clause.switches)
                ):
                    true.add(clause.head)
                    changed = True
        return true

    def probability(self, *goals: str, false: tuple[str, ...] = ()) -> float:
        """The probability that these goals hold and those do not."""
        total = []
        for world, probability in self.worlds():
            true = self.true_in(world.items())
            if true.issuperset(goals) and not true.intersection(false):
                total.append(probability)
        return math.fsum(total)

    def support(self, goal: str) -> set[Switch]:
        """The switches that the truth of a goal depends on."""
        truth = {tuple(w.values()): goal in self.true_in(w.items()) for w, _ in self.worlds()}
        names = list(self.switches)
        return {
            name
            for i, name in enumerate(names)
            for values, true in truth.items()
            if any(truth[(*values[:i], v, *values[i + 1 :])] != true for v in range(len(self.switches[name])))
        }

    def expected(self, goal: str) -> dict[Literal, float]:
        """How often each literal of the goal's support is expected, given the goal."""
        total = self.probability(goal)
        counts = {(s, v): 0.0 for s in self.support(goal) for v in range(len(self.switches[s]))}
        for world, probability in self.worlds():
            if goal in self.true_in(world.items()):
                for literal in world.items():
                    if literal in counts:
                        counts[literal] += probability / total
        return counts

    def explanations(self, goal: str) -> list[tuple[float, frozenset[Literal]]]:
        """The least sets of literals, without contradictions, that prove a goal; the most probable first."""
        choices = [[None, *range(len(p))] for p in self.switches.values()]
        proving = []
        for values in itertools.product(*choices):
            literals = frozenset((s, v) for s, v in zip(self.switches, values, strict=True) if v is not None)
            if goal in self.true_in(literals):
                proving.append(literals)
        least = [e for e in proving if not any(other < e for other in proving)]
        scored = [(math.prod(self.switches[s][v] for s, v in e), e) for e in least]
        return sorted(scored, key=lambda pair: -pair[0])

    # -- as text -------------------------------------------------------------------------------

    def prism(self) -> str:
        lines = [f"values({s},{list(range(len(p)))},{p})." for s, p in self.switches.items()]
        for clause in sorted(self.clauses, key=lambda clause: clause.head):
            body = [f"msw({s},{v})" for s, v in clause.switches] + clause.goals
            lines.append(f"{clause.head} :- {','.join(body)}.")
        return "\n".join(lines) + "\n"

    def problog(self) -> str:
        lines = []
        for switch, parameters in self.switches.items():
            lines.append("; ".join(f"{p}::{switch}({v})" for v, p in enumerate(parameters)) + ".")
        for clause in self.clauses:
            body = [f"{s}({v})" for s, v in clause.switches] + clause.goals
            lines.append(f"{clause.head} :- {','.join(body)}.")
        return "\n".join(lines) + "\n"


def random_program(seed: int, n_goals: int = 5, n_switches: int = 5) -> Propositional:
    """Goals g0, g1, ... which may depend on themselves; every clause has at least one msw. g0 is the top."""
    chance = random.Random(seed)
    program = Propositional()
    for i in range(n_switches):
        weights = [chance.randint(1, 9) for _ in range(chance.choice([2, 2, 3, 4]))]
        program.switches[f"s{i}"] = [w / sum(weights) for w in weights]
    names = [f"g{i}" for i in range(n_goals)]
    for name in names:
        for _ in range(chance.randint(1, 3)):
            used = chance.sample(list(program.switches), chance.randint(1, 2))
            if chance.random() < 0.2:
                used.append(used[0])  # the same msw again, or another outcome of it
            literals = [(s, chance.randrange(len(program.switches[s]))) for s in used]
            goals = chance.sample(names, chance.choice([0, 0, 1, 1, 2]))
            program.clauses.append(Clause(name, goals, literals))
    return program
