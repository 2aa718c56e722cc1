"""trace, spy and their relatives, and the helpers of the interpreter in library/tracing.pl."""

from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import instantiation_error, type_error
from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.builtins.registry import builtin, helper
from prism_repl.prolog.goals import TRACED, called_arguments
from prism_repl.prolog.tracing import chain, inside, tracing, without_variables
from prism_repl.prolog.writer import write_term

C_TERM = CONSTANTS["C_TERM"]
F_EXPLAINED = CONSTANTS["F_EXPLAINED"]
F_SYSTEM = CONSTANTS["F_SYSTEM"]
F_TABLED = CONSTANTS["F_TABLED"]
K_CLAUSES = CONSTANTS["K_CLAUSES"]
K_UNDEFINED = CONSTANTS["K_UNDEFINED"]
P_FIRST = CONSTANTS["P_FIRST"]
P_FLAGS = CONSTANTS["P_FLAGS"]
P_FUNCTOR = CONSTANTS["P_FUNCTOR"]
P_KIND = CONSTANTS["P_KIND"]

# Constructs that the interpreter takes apart.
CONSTRUCTS = {
    (",", 2): "and",
    (";", 2): "or",
    ("|", 2): "or",
    ("->", 2): "ifthen",
    ("*->", 2): "softthen",
    ("\\+", 1): "not",
    ("not", 1): "not",
    ("!", 0): "cut",
    ("true", 0): "silent",
    ("trace", 0): "silent",
    ("notrace", 0): "silent",
    ("spy", 1): "silent",
    ("nospy", 0): "silent",
    ("nospy", 1): "silent",
    ("debugging", 0): "silent",
}


@builtin("trace is det")
def trace(m):
    tracing(m).set_mode("creep")
    return True


@builtin("notrace is det")
def notrace(m):
    tracing(m).set_mode("off")
    return True


@builtin("spy(+Predicates:indicators) is det")
def spy(m, spec):
    """spy(Name), spy(Name/Arity), or several with commas or in a list: stop at calls of these."""
    state = tracing(m)
    for name, arity in specified(m, spec):
        if not is_known(m, name, arity):
            what = write_term(m, m.atom(name), quoted=True) + ("" if arity is None else f"/{arity}")
            m.streams.user_output.write(f"** Warning: there is no predicate {what} yet\n")
        state.spied.add((name, arity))
    if state.mode == "off":
        state.set_mode("leap")
    return True


@builtin("nospy(+Predicates:indicators) is det")
def nospy(m, spec):
    state = tracing(m)
    for name, arity in specified(m, spec):
        state.spied = {s for s in state.spied if s[0] != name or arity not in (None, s[1])}
    return none_left(state)


@builtin("nospy is det")
def nospy_all(m):
    state = tracing(m)
    state.spied.clear()
    return none_left(state)


def none_left(state: Any) -> bool:
    """Without spy points there is nothing to leap to."""
    if state.mode == "leap" and not state.spied:
        state.set_mode("off")
    return True


@builtin("debugging is det")
def debugging(m):
    state = tracing(m)
    modes = {
        "off": "Tracing is off.",
        "creep": "Tracing is on: every goal is shown.",
        "leap": "Spy mode: goals with spy points are shown.",
    }
    lines = [modes[state.mode], "Spy points:" if state.spied else "No spy points."]
    for name, arity in sorted(state.spied, key=lambda s: (s[0], -1 if s[1] is None else s[1])):
        lines.append("  " + write_term(m, m.atom(name), quoted=True) + ("" if arity is None else f"/{arity}"))
    m.streams.current_output.write("\n".join(lines) + "\n")
    return True


def specified(m: Any, spec: int) -> list[tuple[str, int | None]]:
    """The predicates that an argument of spy and nospy means; no arity is any arity."""
    found: list[tuple[str, int | None]] = []
    pending = [spec]
    while pending:
        c = m.deref(pending.pop())
        if c & 7 == REF:
            raise instantiation_error()
        if m.is_list_cell(c):
            pending += reversed(m.proper_list(c))
        elif m.is_compound(c) and m.arity_of(c) == 2 and m.atom_text(m.name_of(c)) == ",":
            pending += [m.arg(c, 1), m.arg(c, 0)]
        elif c & 7 == ATM:
            found.append((m.atom_text(c), None))
        elif m.is_compound(c) and m.arity_of(c) == 2 and m.atom_text(m.name_of(c)) == "/":
            name, arity = m.arg(c, 0), m.arg(c, 1)
            if name & 7 == REF or arity & 7 == REF:
                raise instantiation_error()
            if name & 7 != ATM or not m.is_integer(arity):
                raise type_error("predicate_indicator", c)
            found.append((m.atom_text(name), m.int_value(arity)))
        else:
            raise type_error("predicate_indicator", c)
    return found


def is_known(m: Any, name: str, arity: int | None) -> bool:
    """Is there such a predicate?"""
    database = m.database
    for p in database.predicates():
        f = m.program.pred_field(p, P_FUNCTOR)
        if m.atom_text(m.functor_name_of(f)) == name and arity in (None, m.functor_arity_of(f)):
            if m.program.pred_field(p, P_KIND) != K_UNDEFINED:
                return True
    return False


# ---- helpers of the interpreter


@helper("$trace_construct", 2, ("call", 1))
def construct(m, goal, kind):
    """How a goal is taken apart."""
    if goal & 7 == REF:
        raise instantiation_error()
    if not m.is_callable(goal):
        raise type_error("callable", goal)
    found = CONSTRUCTS.get((m.atom_text(m.name_of(goal)), m.arity_of(goal)), "goal")
    if found == "or":
        left = m.arg(goal, 0)
        if m.is_compound(left) and m.arity_of(left) == 2:
            found = {"->": "ite", "*->": "soft"}.get(m.atom_text(m.name_of(left)), "or")
    return m.unify(kind, m.atom(found))


@helper("$port", 5)
def port(m, name, number, above, goal, action):
    """Show a port; a call gets its number here."""
    state = tracing(m)
    if number & 7 == REF:
        state.number += 1
        m.unify(number, m.int_cell(state.number))
        number = m.deref(number)
    reply = state.port(m, m.atom_text(name), m.int_value(number), goal, chain(m, above))
    return m.unify(action, m.atom(reply))


@helper("$port_exception", 5)
def port_exception(m, number, above, goal, ball, reply):
    text = ": " + write_term(m, ball, quoted=True, float_format="short", max_length=300)
    found = tracing(m).port(m, "exception", m.int_value(number), goal, chain(m, above), text)
    return m.unify(reply, m.atom(found))


@helper("$trace_retrying", 1)
def retrying(m, number):
    """Is this the goal that is to be called again? It is asked once."""
    state = tracing(m)
    if state.retrying != m.int_value(number):
        return False
    state.retrying = 0
    return True


@helper("$trace_inside", 4)
def trace_inside(m, number, goal, above, result):
    return m.unify(result, inside(m, number, goal, chain(m, above)))


@helper("$trace_way", 4)
def way(m, goal, depth, how, changed):
    """How a goal runs: by the clauses of its predicate, or natively, the goals among its arguments
    replaced by traced ones."""
    indicator = (m.atom_text(m.name_of(goal)), m.arity_of(goal))
    search = tracing(m).search
    if search is not None:
        found, goal = search.way(m, goal, indicator)
        if found:
            return m.unify(how, m.atom(found)) and m.unify(changed, goal)
    if has_clauses(m, m.program.find_pred(m.functor(m.name_of(goal), m.arity_of(goal)))):
        return m.unify(how, m.atom("clauses")) and m.unify(changed, goal)
    depth = without_variables(m, depth)
    rewrite = tracing(m).rewritten.get(indicator)
    if rewrite is not None:
        goal = rewrite(m, goal, depth)
    elif indicator in TRACED:
        goal = with_traced_goals(m, goal, depth, called_arguments(indicator))
    return m.unify(how, m.atom("native")) and m.unify(changed, goal)


@helper("$trace_skipped", 3)
def skipped(m, goal, how, changed):
    """How a goal runs of which nothing is shown."""
    search = tracing(m).search
    found = "native"
    if search is not None:
        found, goal = search.way(m, goal, (m.atom_text(m.name_of(goal)), m.arity_of(goal)), enter=False)
    return m.unify(how, m.atom(found or "native")) and m.unify(changed, goal)


def has_clauses(m: Any, p: int) -> bool:
    """Is this a user's predicate whose clauses are at hand? One that is tabled runs natively: only its
    tables keep it from running forever."""
    if not p or m.program.pred_field(p, P_KIND) != K_CLAUSES:
        return False
    flags = m.program.pred_field(p, P_FLAGS)
    if flags & F_SYSTEM or (flags & F_TABLED and not flags & F_EXPLAINED):
        return False
    first = m.program.pred_field(p, P_FIRST)
    return first == 0 or m.program.code_word(first + C_TERM) != 0


def with_traced_goals(m: Any, goal: int, depth: int, kinds: str) -> int:
    args = [m.arg(goal, i) for i in range(len(kinds))]
    # PRISM's maplist(X,Body,Xs) has its goal elsewhere
    if m.atom_text(m.name_of(goal)) == "maplist" and len(args) > 2:
        if not all(a & 7 == REF or a == m.nil or m.is_list_cell(a) for a in args[1:]):
            return goal
    new = [
        traced_argument(m, a, depth, kind) if kind != "*" else a for a, kind in zip(args, kinds, strict=True)
    ]
    return m.struct(m.atom_text(m.name_of(goal)), *new)


def traced_argument(m: Any, c: int, depth: int, kind: str) -> int:
    if c & 7 == REF or not m.is_callable(c):
        return c  # the predicate itself knows the right error
    if kind == "0":
        return m.struct("$trace_goal", c, depth)
    if kind == "^":
        if m.is_compound(c) and m.arity_of(c) == 2 and m.atom_text(m.name_of(c)) == "^":
            return m.struct("^", m.arg(c, 0), traced_argument(m, m.arg(c, 1), depth, kind))
        return m.struct("$trace_goal", c, depth)
    return m.struct("$trace_call", depth, c)
