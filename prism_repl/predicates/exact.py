"""What switches that are thrown once make possible: probabilities under evidence, and whether explanations
overlap."""

from __future__ import annotations

from typing import Any

from prism_repl.inference.methods import exact
from prism_repl.inference.search import Search, infer, poll
from prism_repl.model.messages import say, text_of
from prism_repl.predicates.evidence import conditional, parameters
from prism_repl.predicates.probability import in_logs
from prism_repl.prolog.builtins.registry import builtin


@builtin("prob(+Goal, +Evidence, -P) is semidet")
def prob_given(m: Any, goal: int, given: int, result: int) -> bool:
    probability = conditional(m, goal, given)
    return m.unify(result, m.float_cell(probability.log if in_logs(m) else probability.value))


# ---- overlaps


def overlapping(m: Any, goal: int) -> list[list[int]] | None:
    """Two overlapping explanations as lists of msw; an empty list if there are none, None if there is no
    explanation at all."""

    def compute(found: Search) -> list[list[int]]:
        pair = exact(found.graph, parameters(found), m.prob.flags, poll=poll(m)).overlap()
        return [[found.switch_cell(instance) for instance in part] for part in pair or ()]

    return infer(m, goal, compute)


@builtin("check_exclusive(+Goal) is det")
def check_exclusive(m: Any, goal: int) -> bool:
    pair = overlapping(m, goal)
    if pair is None:
        return False
    if not pair:
        say(m, f"The explanations of {text_of(m, goal)} exclude each other.\n")
        return True
    say(m, f"These explanations of {text_of(m, goal)} can hold together:\n")
    for cells in pair:
        say(m, "  " + (" & ".join(text_of(m, cell) for cell in cells) or "true") + "\n")
    return True


@builtin("check_exclusive(+Goal, -Explanations) is det")
def check_exclusive_giving(m: Any, goal: int, result: int) -> bool:
    pair = overlapping(m, goal)
    return pair is not None and m.unify(result, m.list_from([m.list_from(cells) for cells in pair]))
