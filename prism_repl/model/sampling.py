"""What msw does: a draw when the program is sampled, an instance number in a search."""

import bisect
import itertools
from typing import Any

from prism_repl.core.errors import domain_error, instantiation_error
from prism_repl.model.chance import Random, left_sum
from prism_repl.model.messages import prism_error
from prism_repl.model.switches import Switch, fetch

MSW = ("msw", 2)


def draw(switch: Switch, random: Random) -> int:
    """The index of an outcome, drawn by the parameters (in proportion to them): the first one at which
    their running sum exceeds a random part of their sum."""
    if switch.cumulated is None:
        sums = list(itertools.accumulate(switch.parameters or []))
        switch.total = sums[-1]
        switch.cumulated = list(itertools.accumulate(sums, max))  # the same place, also if some are negative
    sums = switch.cumulated
    index = bisect.bisect_right(sums, random.uniform() * switch.total)
    return min(index, bisect.bisect_left(sums, sums[-1]))  # rounding never reaches an impossible outcome


def switch_for_msw(m: Any, name: int) -> Switch:
    """The switch that msw(Name,_) means, with its parameters."""
    check_name(m, name)
    return m.prob.switches.with_parameters(m, name, MSW)


def check_name(m: Any, name: int) -> None:
    if not m.is_ground(name):
        raise prism_error(m, "0101", instantiation_error(), name, source=MSW)


def switch_in_search(m: Any, name: int) -> int:
    """The machine's hook for a switch that is new in an explanation search: the machine learns its
    first instance number and its outcomes, and tells its own number of the switch. Parameters are of no
    interest yet: they are drawn, if the default is a random one, after the search."""
    check_name(m, name)
    switch = m.prob.switches.declared(m, name, MSW)
    m.prob.switches.admit(switch)
    return m.outcomes.add(switch.base, switch.outcome_cells(m))


def outside_in_search(m: Any, name: int, value: int) -> int:
    """The machine's hook for a ground value that is no outcome of the switch, if msw is to take it."""
    return m.prob.switches.outside_instance(m, name, value)


def thrown(m: Any, switch: Switch) -> int:
    """The index of the outcome that a switch has in this sample: where switches are thrown once (flag
    trials), it is drawn when it is first asked for."""
    if m.prob.flags["trials"] != "once":
        return draw(switch, m.prob.random)
    index = m.prob.thrown.get(switch.number)
    if index is None:
        index = m.prob.thrown[switch.number] = draw(switch, m.prob.random)
    return index


def drawn_in_search(m: Any, name: int) -> int:
    """The hook of a search in one world: the switch has only the outcome that was drawn."""
    switch = switch_for_sample(m, name)
    index = thrown(m, switch)
    return m.outcomes.add(switch.base + index, [fetch(m, switch.outcomes[index])])


def switch_for_sample(m: Any, name: int) -> Switch:
    """The switch of this name, from which an outcome can be drawn."""
    switch = switch_for_msw(m, name)
    if switch.cumulated is None and not left_sum(switch.parameters or []) > 0:
        total = m.float_cell(float(left_sum(switch.parameters or [])))
        raise prism_error(m, "2007", domain_error("greater_than_zero", total), total, source=MSW)
    return switch


def sample_outcome(m: Any, name: int) -> int:
    """Draw an outcome of the switch of this name: its cell."""
    switch = switch_for_sample(m, name)
    return fetch(m, switch.outcomes[thrown(m, switch)])
