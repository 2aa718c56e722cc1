"""Clauses as text, laid out as listing/1 and portray_clause/1 print them.

double(A, B) :-
        B is A*2.
"""

from collections.abc import Callable

from prism_repl.core.cells import REF
from prism_repl.prolog.notation import SYMBOL_CHARS, numbered_name
from prism_repl.prolog.writer import write_term

INDENT = 8
STEP = 4  # of what stands inside ( -> ; )


def clause_text(m, clause: int) -> str:  # type: ignore[no-untyped-def]
    """The text of a clause, directive or grammar rule, with its final period and newline."""
    names = clause_names(m, clause)

    def text(c: int, priority: int = 999) -> str:
        written: str = write_term(
            m,
            c,
            quoted=True,
            variable_names=names,
            float_format="full",
            priority=priority,
            spacing="next_argument",
        )
        return written

    clause = m.deref(clause)
    name, left, right = control(m, clause)
    if name == "-->" or (name == ":-" and right != m.atom("true")):
        written = text(left, 1199) + f" {name}\n" + " " * INDENT + body_text(m, right, text)
    elif name == ":-":
        written = text(left, 1199)
    elif m.is_compound(clause) and m.arity_of(clause) == 1 and m.atom_text(m.name_of(clause)) in (":-", "?-"):
        goal = m.arg(clause, 0)
        written = m.atom_text(m.name_of(clause)) + " "
        written += text(goal, 1199) if control(m, goal)[0] is None else body_text(m, goal, text)
    else:
        written = text(clause, 1199)
    return written + (" .\n" if written[-1] in SYMBOL_CHARS else ".\n")


def control(m, c: int) -> tuple:  # type: ignore[no-untyped-def]
    """(name, left, right) of a clause neck or control construct, (None, 0, 0) of other terms."""
    if m.is_compound(c) and m.arity_of(c) == 2:
        name = m.atom_text(m.name_of(c))
        if name in (":-", "-->", ",", ";", "->", "*->"):
            return name, m.arg(c, 0), m.arg(c, 1)
    return None, 0, 0


def body_text(m, body: int, text: Callable[[int], str], indent: int = INDENT) -> str:  # type: ignore[no-untyped-def]
    """The goals of a body, one to a line. What is left to write waits on a stack.

    A goal stands alone, or is all that is left in open parentheses, or is one alternative there.
    """
    out: list[str] = []
    todo: list[str | tuple[str, int, int]] = [("goal", body, indent)]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        place, goal, indent = item
        name, left, right = control(m, m.deref(goal))
        line = "\n" + " " * indent
        if place == "rest" and name == ";":
            todo += [("rest", right, indent), line + ";   ", ("alternative", left, indent)]
        elif place != "goal" and name in ("->", "*->"):
            inner = indent + STEP
            todo += [("goal", right, inner), line + name.ljust(STEP), ("goal", left, inner)]
        elif place != "goal":
            todo.append(("goal", goal, indent + STEP))
        elif name == ",":
            todo += [("goal", right, indent), "," + line]
            todo.append(text(left) if control(m, left)[0] == "," else ("goal", left, indent))
        elif name in (";", "->", "*->"):
            todo += [line + ")", ("rest", goal, indent), "(   "]
        else:
            out.append(text(goal))
    return "".join(out)


def clause_names(m, clause: int) -> dict[int, str]:  # type: ignore[no-untyped-def]
    """Names A, B, ... of the variables in order of appearance; `_` for those that occur once."""
    variables = m.term_vars(clause)
    if not variables:
        return {}
    once = single_variables(m, clause)
    names = {}
    n = 0
    for v in variables:
        if v in once:
            names[v] = "_"
        else:
            names[v] = numbered_name(n)
            n += 1
    return names


def single_variables(m, clause: int) -> set[int]:  # type: ignore[no-untyped-def]
    """The variables that occur once; none in a cyclic term, where all may come again."""
    if not m.is_acyclic(clause):
        return set()
    visits: dict[int, int] = {}  # of variables and compound terms; twice is enough, whatever is shared
    stack = [clause]
    while stack:
        c = m.deref(stack.pop())
        if c & 7 == REF or m.is_compound(c):
            visits[c] = visits.get(c, 0) + 1
            if c & 7 != REF and visits[c] <= 2:
                stack.extend(m.arg(c, i) for i in range(m.arity_of(c)))
    return {c for c, n in visits.items() if n == 1 and c & 7 == REF}
