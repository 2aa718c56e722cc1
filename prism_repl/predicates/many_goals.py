"""prob_all, log_prob_all and viterbif_all: many goals that are searched together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from prism_repl.core.errors import resource_error
from prism_repl.graph.derivations import ExplanationTooLarge
from prism_repl.graph.equations import NoSolution
from prism_repl.inference.interface import (
    Impossible,
    NotOffered,
    Probability,
    TooLarge,
    expected_parameters,
)
from prism_repl.inference.search import Search, check_goal, refused, search
from prism_repl.model.messages import remark
from prism_repl.predicates.probability import in_logs, short_text, warn_exclusiveness
from prism_repl.predicates.viterbi import (
    ExplanationTerms,
    Found,
    alphas,
    label,
    one_request,
    term_graph,
    value_cell,
)
from prism_repl.prolog.builtins.registry import builtin

Result = TypeVar("Result")


def infer_many(
    m: Any, goals: list[int], compute: Callable[[Search], list[Result]], otherwise: Result
) -> list[Result]:
    """What `compute` gives for the goals that have explanations, and `otherwise` for the others."""
    for goal in goals:
        check_goal(m, goal)
    results = [otherwise] * len(goals)
    found, places = search(m, goals, may_fail=True).explained()
    if found is None:
        return results
    m.prob.statistics["graph"] = found.graph.statistics()
    try:
        values = compute(found)
    except (NotOffered, TooLarge) as error:
        raise refused(m, error, goals[0]) from None
    except NoSolution:
        raise found.not_solvable() from None
    for i, value in zip(places, values, strict=True):
        results[i] = value
    return results


def goal_probabilities(m: Any, goals: list[int]) -> list[Probability]:
    """The probability of each goal, 0 where there is no explanation."""
    nothing = Probability(0.0, -math.inf)
    found = infer_many(m, goals, lambda found: found.inference().probabilities(), nothing)
    for goal, probability in zip(goals, found, strict=True):
        warn_exclusiveness(m, goal, probability.log)
    return found


@builtin("prob_all(+Goals:list!2104, -Ps) is det")
def prob_all(m, goals, result):
    """The probabilities of a list of goals; logarithms if the flag log_scale is on."""
    if in_logs(m):
        return log_prob_all(m, goals, result)
    found = goal_probabilities(m, goals)
    for goal, probability in zip(goals, found, strict=True):
        if probability.underflow:
            remark(m, "4003", short_text(m, goal))
    return m.unify(result, m.list_from([m.float_cell(probability.value) for probability in found]))


@builtin("log_prob_all(+Goals:list!2104, -Ps) is det")
def log_prob_all(m, goals, result):
    """Their natural logarithms, -inf for a goal without explanation."""
    found = goal_probabilities(m, goals)
    return m.unify(result, m.list_from([m.float_cell(probability.log) for probability in found]))


@builtin("viterbif_all(+Goals:list!2104, -Explained) is det")
def viterbif_all(m, goals, result):
    """The most probable explanation of each goal: a list of v_expl(Goal,P,Explanation); P is 0.0 and the
    explanation [] where there is none."""
    logs, candidates = in_logs(m), one_request(m, "", True).candidates

    def compute(found: Search) -> list[Found | None]:
        terms = ExplanationTerms(found)
        alpha = None if candidates is None else alphas(m, found)
        theta = None if alpha is None else expected_parameters(found.graph, alpha)
        inference = found.inference(theta=theta)

        def best(root: int) -> Found | None:
            try:
                if candidates is None or alpha is None:
                    return terms.plain(inference.viterbi(root), logs)
                [(score, explanation)] = inference.rerank(1, candidates, alpha, root)
                return terms.found(score, label(logs), None, explanation)
            except Impossible:
                return None

        return [best(root) for root in range(len(found.goals))]

    try:
        explained: list[Found | None] = infer_many(m, goals, compute, None)
    except ExplanationTooLarge:
        raise resource_error("explanation_size") from None
    none = m.float_cell(-math.inf if in_logs(m) else 0.0)
    cells = [
        m.struct("v_expl", goal, none, m.nil)
        if one is None
        else m.struct("v_expl", goal, value_cell(m, goal, one), term_graph(m, one))
        for goal, one in zip(goals, explained, strict=True)
    ]
    return m.unify(result, m.list_from(cells))
