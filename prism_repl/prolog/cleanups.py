"""The cleanups of setup_call_cleanup/3 that wait for their goal's last choice point to go.

'$call_cleanup'/2 has a choice point below those of its goal. When that goes, because the goal has no more
solutions, or by a cut or an exception further on, the cleanup is due. The machine looks for this at calls,
while there are cleanups, and when queries end.
"""

from dataclasses import dataclass
from typing import Any

from prism_repl.core.queries import solve_once


@dataclass
class Cleanup:
    """A goal, as it was when it was given, and the choice point that it waits for."""

    number: int
    goal: Any
    choice: int


def cleanups(m: Any) -> list[Cleanup]:
    waiting: list[Cleanup] = m.state.setdefault("cleanups", [])
    return waiting


def add_cleanup(m: Any, goal: int, choice: int) -> int:
    """Let a goal wait; its number."""
    waiting = cleanups(m)
    m.state["cleanup_number"] = number = m.state.get("cleanup_number", 0) + 1
    waiting.append(Cleanup(number, m.freeze(goal), choice))
    # the goal itself, with what will be bound in it, until backtracking takes it away
    globals_ = m.state["b_globals"]
    m.set_arg(globals_, 1, m.cons(m.struct("-", m.int_cell(number), goal), m.arg(globals_, 1)))
    m.cleaner = run_due
    m.await_cut(choice)
    return number


def take_cleanup(m: Any, number: int) -> None:
    """A cleanup that is being run by other means."""
    waiting = cleanups(m)
    if waiting and waiting[-1].number == number:  # as a rule
        waiting.pop()
    else:
        waiting[:] = [one for one in waiting if one.number != number]
    await_newest(m)


def await_newest(m: Any) -> None:
    waiting = cleanups(m)
    m.await_cut(waiting[-1].choice if waiting else 0)


def run_due(m: Any) -> None:
    """Run the cleanups whose choice points have gone, the newest first."""
    while m.cleanup_b and m.cleanup_is_due():
        one = cleanups(m).pop()
        m.await_cut(0)  # the older ones wait until this is done
        try:
            solve_once(m, m.struct("ignore", live_goal(m, one)))
        finally:
            await_newest(m)


def live_goal(m: Any, one: Cleanup) -> int:
    """The goal of the newest cleanup with its bindings; as it was at first, if backtracking undid them."""
    globals_ = m.state["b_globals"]
    pairs = m.deref(m.arg(globals_, 1))
    while pairs != m.nil:  # newest first
        pair = m.deref(m.arg(pairs, 0))
        number = m.int_value(m.arg(pair, 0))
        if number < one.number:
            break
        pairs = m.deref(m.arg(pairs, 1))
        if number == one.number:
            m.set_arg(globals_, 1, pairs)  # this one and those after it are done
            return int(m.arg(pair, 1))
    return int(m.thaw(one.goal))
