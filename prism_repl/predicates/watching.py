"""The options and the lines of write_call/1,2."""

from typing import Any

from prism_repl.core.cells import REF
from prism_repl.core.errors import domain_error, instantiation_error, type_error
from prism_repl.flags import words_in_sum
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, say, text_of
from prism_repl.model.term_values import to_plain
from prism_repl.prolog.builtins.checks import indicator
from prism_repl.prolog.builtins.registry import helper
from prism_repl.prolog.writer import write_term

EVENTS = ("call", "exit", "redo", "fail")
CONTROL = {(";", 2), ("->", 2), ("*->", 2), ("\\+", 1), ("not", 1), ("!", 0)}


def events_of(value: Any) -> list[str] | None:
    """The events of call+exit, all or none; None if it is no such thing."""
    if value == "all":
        return list(EVENTS)
    if value == "none":
        return []
    words = words_in_sum(value)
    return words if words is not None and all(w in EVENTS for w in words) else None


def check_goal(m: Any, goal: int, source: tuple[str, int]) -> None:
    """Only atomic goals and conjunctions of them can be watched."""
    if not m.is_acyclic(goal):
        raise type_error("acyclic_term", goal)
    work = [goal]
    while work:
        c = m.deref(work.pop())
        name, arity = None, 0
        if m.is_callable(c) and not m.is_list_cell(c):
            arity = m.arity_of(c) if m.is_compound(c) else 0
            name = m.atom_text(m.name_of(c) if arity else c)
        if (name, arity) == (",", 2):
            work += [m.arg(c, 0), m.arg(c, 1)]
            continue
        if c & 7 == REF:
            raise prism_error(m, "3200", instantiation_error(), goal, source=source)
        if name is None:
            raise prism_error(m, "3200", type_error("callable", goal), goal, source=source)
        if (name, arity) in CONTROL:
            raise prism_error(m, "3200", domain_error("watchable_goal", goal), goal, source=source)


@helper("$watch_lines", 4)
def watch_lines(m: Any, options: int, goal: int, lines: int, by: int) -> bool:
    """How each event that is to be printed begins its line: Event-'  [Call:marker] '."""
    source = indicator(m, by)
    events: list[str] | None = None
    indent, marker = 0, ""
    for item in checks.list_or_nil(m, "2105", options, source):
        value = to_plain(m, item)
        if not (isinstance(value, tuple) and value[0] == "marker"):  # which may be any term
            checks.ground(m, "3002", item, source)
        if isinstance(value, tuple) and len(value) == 2 and value[0] == "indent":
            if not isinstance(value[1], int) or value[1] < 0:
                raise checks.unknown_option(m, item, source)
            indent = value[1]
        elif isinstance(value, tuple) and len(value) == 2 and value[0] == "marker":
            marker = ":" + text_of(m, m.arg(item, 0))
        elif (more := events_of(value)) is not None:
            events = (events or []) + more
        else:
            raise checks.unknown_option(m, item, source)
    check_goal(m, goal, source)
    flag = m.prob.flags["write_call_events"]
    if flag == "off":
        return m.unify(lines, m.atom("off"))
    if events is None:
        events = events_of(flag) or []
    pairs = [
        m.struct("-", m.atom(e), m.atom(f"{' ' * indent}[{e.capitalize()}{marker}] "))
        for e in EVENTS
        if e in events
    ]
    return m.unify(lines, m.list_from(pairs))


@helper("$event", 3)
def event(m: Any, name: int, lines: int, goal: int) -> bool:
    for pair in m.list_items(lines)[0]:
        if m.arg(pair, 0) == name:
            say(m, m.atom_text(m.arg(pair, 1)) + write_term(m, goal, quoted=True) + "\n")
    return True
