"""crf_learn: the lambdas of a generative conditional random field."""

from __future__ import annotations

import time
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.errors import PrologError, instantiation_error
from prism_repl.inference.search import Search, poll
from prism_repl.learning.crf import CrfOptions, CrfProblem, CrfResult, crf_learn
from prism_repl.learning.observations import FAILURE, Observations, observations
from prism_repl.learning.problem import DEFAULT_MAX_ITERATE, LearningError, LearnResult, sizes_of
from prism_repl.model.messages import prism_error, say
from prism_repl.predicates.learning import Learning, statistics_text
from prism_repl.predicates.viterbi import alphas
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.standard_order import by_first

RATES = {"annealing": "annealing", "backtrack": "backtrack", "golden": "golden section"}


class CrfLearning(Learning):
    """One call of crf_learn. `pairs` are the goals g(x,y) with their normalisers g(x) and counts."""

    def __init__(self, m: Any, observed: Observations, pairs: list[tuple[int, int, int]]) -> None:
        super().__init__(m, observed, "ml_crf")
        self.pairs = pairs
        self.routine = "CRF-learn"

    def learn(self) -> bool:
        m, flags = self.m, self.flags
        started = time.perf_counter()
        found = self.search()
        numbers = self.numbers(found)
        self.say("misc", "done\n")
        if flags["trials"] == "once":
            raise prism_error(m, "1601", PrologError("prism_runtime_error", "throws_once_in_crf"))
        found.refuse_cycle(always=True)
        self.write_graphs(found)
        options = self.crf_options(found)
        if options.mode == "lbfgs":
            say(m, "L-BFGS mode\n")
        if options.rate in RATES:
            say(m, f"learning rate:{RATES[options.rate]}\n")
        place = {m.intern(goal, True): i for i, goal in enumerate(self.observed.goals)}
        above, below = ([place[m.intern(pair[i], True)] for pair in self.pairs] for i in (0, 1))
        counts = [count for _, _, count in self.pairs]
        problem = CrfProblem(found.graph, above, below, counts, alphas(m, found), options.penalty, poll(m))
        fixed = np.repeat(numbers.fixed, np.diff(found.graph.switch_instances))
        begun = time.perf_counter()
        try:
            result = crf_learn(problem, numbers.theta, fixed, options, m.prob.random, self.events())
        except LearningError as error:
            raise self.error(found, error) from None
        told = self.result_of(found, result, time.perf_counter() - begun)
        self.store_lambdas(found, result)
        seconds = time.perf_counter() - started
        self.note(found, told, seconds)
        if "stats" in self.messages:
            self.say("stats", statistics_text(found, told, False, seconds))
        self.say("misc", "Type show_sw to show the lambdas.\n")
        return True

    def crf_options(self, found: Search) -> CrfOptions:
        flags = self.flags
        limit = flags["max_iterate"]
        return CrfOptions(
            mode=flags["crf_learn_mode"],
            rate=flags["crf_learning_rate"],
            init=flags["crf_init"],
            step=float(flags["crf_epsilon"]),
            annealing_weight=float(flags["crf_annealing_weight"]),
            golden_b=float(flags["crf_golden_b"]),
            rho=float(flags["crf_ls_rho"]),
            c1=float(flags["crf_ls_c1"]),
            penalty=float(flags["crf_penalty"]),
            epsilon=float(flags["epsilon"]),
            max_iterate=DEFAULT_MAX_ITERATE if limit == "default" else None if limit == "inf" else limit,
            restart=flags["restart"],
            std_ratio=float(flags["std_ratio"]),
            init_order=self.init_order(found),
        )

    def store_lambdas(self, found: Search, result: CrfResult) -> None:
        switches, graph = self.m.prob.switches, found.graph
        ids = graph.switch_ids.tolist()
        order = [ids[i] for i in reversed(self.init_order(found))]
        lambdas, expected = np.zeros(switches.instances), np.zeros(switches.instances)
        lambdas[graph.instance_ids], expected[graph.instance_ids] = result.lambdas, result.expectations
        switches.set_parameters(order, lambdas)
        switches.set_expectations("ml", order, expected)

    def result_of(self, found: Search, result: CrfResult, seconds: float) -> LearnResult:
        """What the report of learning looks at."""
        graph = found.graph
        statistics: dict[str, float | int] = {
            "log_likelihood": result.objective,
            "lambda": result.objective,
            **sizes_of(graph),
            "num_iterations": result.iterations,
        }
        return LearnResult(
            theta=result.lambdas,
            alpha=None,
            counts=result.expectations,
            objective=result.objective,
            iterations=result.iterations,
            converged=True,
            best_run=0,
            log_scale=True,
            em_time=seconds,
            statistics=statistics,
        )


def pairs_of(m: Any, data: int) -> tuple[Observations, list[tuple[int, int, int]]]:
    """The goals to search, and (goal, normaliser, count) of each observed goal."""
    observed = observations(m, data)
    pairs = []
    for goal, count in zip(observed.goals, observed.counts, strict=True):
        if not m.is_ground(goal):
            raise prism_error(m, "1602", instantiation_error(), goal)
        if m.atom(FAILURE) == goal or not m.is_compound(goal) or m.arity_of(goal) != 2:
            raise prism_error(m, "1603", PrologError("prism_runtime_error", "invalid_goal_argument"), goal)
        normaliser = m.struct(m.atom_text(m.name_of(goal)), m.arg(goal, 0))
        if (m.atom_text(m.name_of(goal)), 1) not in m.prob.tabled:
            raise prism_error(
                m, "1604", PrologError("type_error", "probabilistic_atom", normaliser), normaliser
            )
        pairs.append((goal, normaliser, count))
    counts: dict[int, tuple[int, int]] = {}
    for goal, normaliser, count in pairs:
        for one in (goal, normaliser):
            key = m.intern(one, True)
            counts[key] = (key, counts[key][1] + count) if key in counts else (key, count)
    ordered = by_first(m, counts.values())
    goals = Observations([goal for goal, _ in ordered], [count for _, count in ordered], None)
    return goals, pairs


@builtin("crf_learn(+Goals) is det")
def crf_learn_1(m: Any, goals: int) -> bool:
    observed, pairs = pairs_of(m, goals)
    return CrfLearning(m, observed, pairs).run("crf_learn/1")
