"""prob and log_prob: the probability of a goal, printed or returned."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from prism_repl.core.errors import evaluation_error
from prism_repl.inference.interface import Probability
from prism_repl.inference.search import Search, infer
from prism_repl.model.messages import remark, say, text_of
from prism_repl.predicates.evidence import conditional, is_combination
from prism_repl.prolog.builtins.registry import builtin

ROUNDING = 1e-9  # a probability may exceed 1 by this much without a warning
WIDEST = 200  # characters of a goal in a warning


def short_text(m: Any, goal: int) -> str:
    """A goal for a message of one line."""
    text = text_of(m, goal)
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def warn_exclusiveness(m: Any, goal: int, log: float) -> None:
    """Explanations that exclude each other have probabilities that sum to 1 at most."""
    if log > ROUNDING and m.prob.flags["warn_exclusiveness"] == "on":
        remark(m, "4002", short_text(m, goal))


def sum_of_all(found: Search) -> Probability:
    return found.inference().probability()


def goal_probability(
    m: Any, goal: int, compute: Callable[[Search], Probability] = sum_of_all
) -> Probability | None:
    """The sum over all explanations of a goal; None if it has none. Where switches are thrown once, also the
    probability that goals hold together, or that a goal fails."""
    if compute is sum_of_all and m.prob.flags["trials"] == "once" and is_combination(m, goal):
        return conditional(m, goal, m.nil)
    probability = infer(m, goal, compute)
    if probability is not None:
        warn_exclusiveness(m, goal, probability.log)
    return probability


def log_of(m: Any, probability: Probability) -> float:
    """The logarithm: of a zero it is an error, unless all numbers are logarithms."""
    if probability.log == -math.inf and not in_logs(m):
        raise evaluation_error("undefined")
    return probability.log


def in_logs(m: Any) -> bool:
    return m.prob.flags["log_scale"] == "on"


def define_probability(
    name: str, logs: Callable[[Any], bool], compute: Callable[[Search], Probability] = sum_of_all
) -> None:
    """Make name/1 and name/2; `logs` says whether they give logarithms."""

    def show(m: Any, goal: int) -> bool:
        probability = goal_probability(m, goal, compute)
        if probability is None:
            return False
        if logs(m):
            say(m, f"Log-probability of {text_of(m, goal)} is: {log_of(m, probability):.15f}\n")
        else:
            say(m, f"Probability of {text_of(m, goal)} is: {probability.value:.15f}\n")
            if probability.underflow:  # a comment, as PRISM does not say it
                say(m, f"% log-probability: {probability.log:.15f}\n")
        return True

    def give(m: Any, goal: int, result: int) -> bool:
        probability = goal_probability(m, goal, compute)
        if probability is None:
            return False
        if logs(m):
            return m.unify(result, m.float_cell(log_of(m, probability)))
        if probability.underflow:
            remark(m, "4003", short_text(m, goal))
        return m.unify(result, m.float_cell(probability.value))

    builtin(f"{name}(+Goal) is semidet")(show)
    builtin(f"{name}(+Goal, -P) is semidet")(give)


define_probability("prob", in_logs)
define_probability("log_prob", lambda m: True)
