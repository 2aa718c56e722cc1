"""Goals inside terms: control constructs, and the built-in predicates that call what they are given."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from prism_repl.prolog.declarations import DECLARATIONS
from prism_repl.prolog.evaluables import CONSTANTS, FUNCTORS

# Built-in predicates whose goals the tracer goes into.
TRACED = {
    *(("call", n) for n in range(1, 9)), ("once", 1), ("ignore", 1), ("forall", 2), ("findall", 3),
    ("findall", 4), ("bagof", 3), ("setof", 3), ("catch", 3), ("time", 1), ("with_output_to", 2),
    ("setup_call_cleanup", 3), ("call_cleanup", 2), ("maplist", 2), ("maplist", 3), ("maplist", 4),
    ("foldl", 4),
}  # fmt: skip
EVALUABLE = {*FUNCTORS, *((name, 0) for name in CONSTANTS)}
# Goals that evaluate arguments, by the first of these.
EVALUATING = {
    ("is", 2): 1,
    **{(name, 2): 0 for name in ("=:=", "=\\=", "<", "=<", ">", ">=")},
}


class Call(NamedTuple):
    """A goal as it stands in a body: argument `place` of `parent`, called with `extra` arguments more."""

    goal: int
    parent: int
    place: int
    extra: int


def indicator(m: Any, goal: int) -> tuple[str, int]:
    return m.atom_text(m.name_of(goal)), m.arity_of(goal)


def called_arguments(key: tuple[str, int]) -> str:
    """What a built-in predicate calls: for each argument the number of arguments that are added to the goal,
    * for other arguments, ^ for a goal behind variables; "" if it calls none."""
    if key == ("{}", 1):  # in grammar rules
        return "0"
    declaration = DECLARATIONS.get(key)
    return declaration.called if declaration is not None else ""


def goal_arguments(m: Any, goal: int) -> str:
    """How the arguments of a goal are called, as called_arguments tells it."""
    name, arity = indicator(m, goal)
    if name == "maplist" and arity in (3, 5, 7):
        # PRISM's maplist(X,Body,Xs): library/apply.pl tells the two readings apart in the same way
        place = arity // 2
        body = m.deref(m.arg(goal, place))
        if m.is_callable(body) and body != m.nil and not m.is_list_cell(body):
            return "*" * place + "0" + "*" * (arity - place - 1)
        if not m.is_callable(m.arg(goal, 0)):
            return ""
    return called_arguments((name, arity))


def calls_in(m: Any, clause: int, body: int = 1) -> Iterator[Call]:
    """The goals in argument `body` of a clause, as far as the text shows them."""
    pending = [(clause, body, 0)]
    while pending:
        parent, index, extra = pending.pop()
        goal = m.arg(parent, index)
        if not m.is_callable(goal):
            continue
        yield Call(goal, parent, index, extra)
        if extra or not m.is_compound(goal):
            continue
        shape = goal_arguments(m, goal)
        for i in range(len(shape) - 1, -1, -1):
            if shape[i] == "^":
                pending.append(behind_variables(m, goal, i))
            elif shape[i] != "*":
                pending.append((goal, i, int(shape[i])))


def behind_variables(m: Any, parent: int, index: int) -> tuple[int, int, int]:
    """Where the goal of X^Y^Goal stands."""
    while True:
        goal = m.arg(parent, index)
        if not m.is_compound(goal) or indicator(m, goal) != ("^", 2):
            return parent, index, 0
        parent, index = goal, 1


def unknown_functions(m: Any, goal: int) -> Iterator[Call]:
    """Parts of the expressions in a goal that arithmetic has no function for."""
    first = EVALUATING.get(indicator(m, goal)) if m.is_compound(goal) else None
    pending = [] if first is None else [(goal, i) for i in range(1, first - 1, -1)]
    while pending:
        parent, place = pending.pop()
        part = m.arg(parent, place)
        if not m.is_callable(part) or m.is_list_cell(part) or part == m.nil:
            continue
        key = indicator(m, part)
        if key not in EVALUABLE:
            yield Call(part, parent, place, 0)
        pending += [(part, i) for i in range(key[1] - 1, -1, -1)]
