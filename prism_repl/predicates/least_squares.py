"""learn([prob(G,P),...]): parameters under which goals have given probabilities."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, instantiation_error, type_error
from prism_repl.graph.plan import Plan
from prism_repl.inference.interface import NotOffered, TooLarge
from prism_repl.inference.search import Search, poll, refused
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.expectations import GraphExpecting
from prism_repl.learning.methods import expecting_on
from prism_repl.learning.observations import COUNTED, Observations, check_observed, goal_and_count
from prism_repl.learning.problem import LearningError, LearnOptions, LearnResult, sizes_of
from prism_repl.learning.report import ProgressText
from prism_repl.learning.segments import Segments
from prism_repl.learning.squares import Fit, Squares, fit
from prism_repl.model.messages import prism_error
from prism_repl.predicates.learning import CLOSING, Learning, statistics_text
from prism_repl.prolog.builtins.arguments import compound_items
from prism_repl.prolog.standard_order import by_first


@dataclass(frozen=True)
class Wanted:
    """Distinct goals in standard order; which of them is to have which probability; how much it counts."""

    goals: list[int]
    places: list[int]
    probabilities: list[float]
    weights: list[int]


def gives_probabilities(m: Any, data: int) -> bool:
    """Whether one of the observations is prob(G,P), or count(prob(G,P),N)."""
    items, _ = m.list_items(data)
    return any(compound_items(m, counted(m, item), "prob", 2) for item in items)


def counted(m: Any, item: int) -> int:
    """The goal of count(Goal,N) and the like, or the item itself."""
    if not m.is_compound(item) or m.arity_of(item) != 2:
        return item
    places = COUNTED.get(m.atom_text(m.name_of(item)))
    return item if places is None else int(m.deref(m.arg(item, places[0])))


def wanted(m: Any, data: int) -> Wanted:
    """The goals and probabilities of a list of observations, all of which must be such."""
    items, tail = m.list_items(data)
    if tail & 7 == REF:
        raise prism_error(m, "1302", instantiation_error(), data)
    found: dict[int, int] = {}
    entries: list[tuple[int, float, int]] = []
    for item in items:
        given, count = goal_and_count(m, item)
        pair = compound_items(m, given, "prob", 2)
        if pair is None or tail != m.nil:
            raise prism_error(m, "1302", domain_error("observed_data", data), data)
        goal = m.deref(pair[0])
        check_observed(m, goal)
        key = m.intern(goal, True)
        found.setdefault(key, goal if m.has_numbered_vars(key) else key)
        entries.append((key, probability(m, m.deref(pair[1]), item), count))
    goals = [goal for goal, _ in by_first(m, [(goal, key) for key, goal in found.items()])]
    place = {m.intern(goal, True): i for i, goal in enumerate(goals)}
    return Wanted(
        goals, [place[k] for k, _, _ in entries], [p for _, p, _ in entries], [n for _, _, n in entries]
    )


def probability(m: Any, c: int, item: int) -> float:
    if c & 7 == REF:
        raise prism_error(m, "1302", instantiation_error(), item)
    if not m.is_number(c):
        raise prism_error(m, "1302", type_error("number", c), item)
    value = m.number_value(c)
    if not 0.0 <= value <= 1.0:
        raise prism_error(m, "1302", domain_error("probability", c), item)
    return float(value)


class LeastSquares(Learning):
    """One call of learn with given probabilities."""

    def __init__(self, m: Any, asked: Wanted, mode: str) -> None:
        counts = [0] * len(asked.goals)
        for place, weight in zip(asked.places, asked.weights, strict=True):
            counts[place] += weight
        super().__init__(m, Observations(asked.goals, counts, None), mode)
        self.asked = asked
        self.routine = "least-squares"
        if mode != "ml":
            error = NotOffered("given probabilities are learned by learn_mode ml only: least squares")
            raise refused(m, error, asked.goals[0])

    def learn(self) -> bool:
        m = self.m
        started = time.perf_counter()
        found = self.search()
        numbers = self.numbers(found)
        self.say("misc", "done\n")
        found.refuse_cycle()
        if self.flags["clean_table"] == "on":
            m.tabling.clear_tables()
        options = self.options(found)
        begun = time.perf_counter()
        try:
            reached = fit(self.squares(found, options), numbers, options, m.prob.random, self.events())
        except (NotOffered, TooLarge) as error:
            raise refused(m, error, self.goal_above(found, error)) from None
        except LearningError as error:
            raise self.error(found, error) from None
        result = result_of(found, reached, time.perf_counter() - begun)
        self.take(found, result)
        seconds = time.perf_counter() - started
        self.note(found, result, seconds)
        if "stats" in self.messages:
            self.say("stats", statistics_text(found, result, False, seconds))
        self.say("misc", f"Type {CLOSING['ml']} to show the probability distributions.\n")
        return True

    def squares(self, found: Search, options: LearnOptions) -> Squares:
        check, graph, asked = poll(self.m), found.graph, self.asked
        expecting = expecting_on(graph, options, self.flags, check) or GraphExpecting(Plan(graph, poll=check))
        return Squares(
            expecting.expectations(1, None, check),
            Segments(graph.switch_instances),
            np.array(asked.places),
            np.array(asked.probabilities),
            np.array(asked.weights, dtype=float),
        )

    def report(self) -> LearnEvents:
        text = super().report()
        assert isinstance(text, ProgressText)
        text.label, text.measure = "#ls-iters", "squared_error"
        return text


def result_of(found: Search, reached: Fit, seconds: float) -> LearnResult:
    graph = found.graph
    statistics: dict[str, float | int] = {
        "squared_error": reached.error,
        **sizes_of(graph),
        "num_iterations": reached.iterations,
    }
    return LearnResult(
        theta=reached.theta,
        alpha=None,
        counts=reached.counts,
        objective=reached.error,
        iterations=reached.iterations,
        converged=reached.converged,
        best_run=reached.run,
        log_scale=False,
        em_time=seconds,
        statistics=statistics,
    )
