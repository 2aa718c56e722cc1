"""What the tracer shows of switches, msw(coin,head):0.5, and how it enters explanation search."""

from typing import Any

from prism_repl.model.sampling import switch_for_msw
from prism_repl.model.switches import key_of
from prism_repl.prolog.tracing import tracing

CHOICES = (("msw", 2), ("soft_msw", 2), ("b_msw", 2))


def attach(m: Any) -> None:
    """Tell the tracer of a machine about switches and sampling."""
    state = tracing(m)
    for indicator in CHOICES:
        state.shown_as[indicator] = with_probability
    state.rewritten["sample", 1] = traced_sample


def with_probability(m: Any, goal: int, succeeded: bool) -> int:
    """msw(Switch,Outcome):Probability, the probability unbound until the outcome is drawn."""
    probability = chance(m, m.arg(goal, 0), m.arg(goal, 1)) if succeeded else None
    return m.struct(":", goal, m.new_var() if probability is None else m.float_cell(probability))


def chance(m: Any, name: int, outcome: int) -> float | None:
    switch = switch_for_msw(m, name)
    index = switch.index.get(key_of(m, outcome))
    return None if index is None or switch.parameters is None else float(switch.parameters[index])


def traced_sample(m: Any, goal: int, depth: int) -> int:
    """sample(Goal) checks its goal, then calls it."""
    sampled = m.arg(goal, 0)
    by = m.struct("/", m.atom("sample"), m.int_cell(1))
    return m.struct(",", m.struct("$check_sample", sampled, by), m.struct("$trace_goal", sampled, depth))
