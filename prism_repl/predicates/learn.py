"""learn and its family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prism_repl.learning.observations import observations, observed_data
from prism_repl.predicates.checkpoints import checkpoint_of
from prism_repl.predicates.learning import Learning
from prism_repl.predicates.least_squares import LeastSquares, gives_probabilities, wanted
from prism_repl.prolog.builtins.registry import builtin


def given_probabilities(m: Any, goals: int, mode: str) -> Learning | None:
    """Learning from prob(G,P), if goals are such."""
    return LeastSquares(m, wanted(m, goals), mode) if gives_probabilities(m, goals) else None


def define(name: str, mode: Callable[[Any], str]) -> None:
    """Make name/0, which reads the data source, and name/1."""

    def learn_data(m: Any) -> bool:
        return Learning(m, observed_data(m), mode(m)).run(f"{name}/0")

    def learn_goals(m: Any, goals: int) -> bool:
        least_squares = given_probabilities(m, goals, mode(m))
        if least_squares is not None:
            return least_squares.run(f"{name}/1")
        return Learning(m, observations(m, goals), mode(m)).run(f"{name}/1")

    builtin(f"{name} is det")(learn_data)
    builtin(f"{name}(+Goals) is det")(learn_goals)


@builtin("learn(+Goals, +Options:options) is det")
def learn_with_options(m: Any, goals: int, options: int) -> bool:
    """learn(Goals,[checkpoint(File)]), or checkpoint(File,Seconds): the switches are saved now and then."""
    checkpoint = checkpoint_of(m, options)
    observed = observations(m, goals)
    return Learning(m, observed, m.prob.flags["learn_mode"], checkpoint=checkpoint).run("learn/2")


define("learn", lambda m: m.prob.flags["learn_mode"])
for letter, method in (("p", "ml"), ("h", "vb"), ("b", "both")):
    define(f"learn_{letter}", lambda m, method=method: method)  # type: ignore[misc]
    define(f"vlearn_{letter}", lambda m, method=method: method + "_vt")  # type: ignore[misc]
