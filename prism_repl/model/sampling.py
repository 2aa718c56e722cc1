"""What msw does: a draw when the program is sampled, an instance number in a search."""

import bisect
import itertools
from typing import Any

from prism_repl.core.errors import instantiation_error
from prism_repl.model.chance import Random
from prism_repl.model.messages import prism_error
from prism_repl.model.switches import Switch, fetch


def draw(switch: Switch, random: Random) -> int:
    """The index of an outcome, drawn by the parameters (in proportion to them)."""
    if switch.cumulated is None:
        switch.cumulated = list(itertools.accumulate(switch.parameters or []))
    sums = switch.cumulated
    index = bisect.bisect_right(sums, random.uniform() * sums[-1])
    return min(index, bisect.bisect_left(sums, sums[-1]))  # rounding never reaches an impossible outcome


def switch_for_msw(m: Any, name: int) -> Switch:
    """The switch that msw(Name,_) means."""
    if not m.is_ground(name):
        raise prism_error(m, "0101", instantiation_error(), name, source=("msw", 2))
    return m.prob.switches.with_parameters(m, name)


def switch_in_search(m: Any, name: int) -> int:
    """The machine's hook for a switch that is new in an explanation search: the machine learns its
    first instance number and its outcomes, and tells its own number of the switch."""
    switch = switch_for_msw(m, name)
    return m.set_outcomes(switch.base, switch.outcome_cells(m))


def outside_in_search(m: Any, name: int, value: int) -> int:
    """The machine's hook for a ground value that is no outcome of the switch, if msw is to take it."""
    return m.prob.switches.outside_instance(m, name, value)


def sample_outcome(m: Any, name: int) -> int:
    """Draw an outcome of the switch of this name: its cell."""
    switch = switch_for_msw(m, name)
    return fetch(m, switch.outcomes[draw(switch, m.prob.random)])


def sample_order(m: Any, name: int) -> list[int]:
    """All possible outcomes, in the order in which drawing without replacement gives them."""
    switch = switch_for_msw(m, name)
    weights = [float(p) for p in switch.parameters or []]
    cells = []
    while sum(weights) > 0:
        i = m.prob.random.index(weights)
        cells.append(fetch(m, switch.outcomes[i]))
        weights[i] = 0.0
    return cells
