"""What is suspicious about a program and its switches, with file, line and column: for a person at the
prompt. PRISM says nothing of it, so it is no part of what a load prints."""

import re
from collections.abc import Iterator
from typing import Any

from prism_repl.model import distributions
from prism_repl.model.messages import text_of
from prism_repl.model.outcomes import expanded_values
from prism_repl.model.switches import key_of
from prism_repl.model.term_values import to_plain
from prism_repl.prolog.goals import calls_in, indicator
from prism_repl.prolog.source import Clause, head_of

MSW = {("msw", 2), ("soft_msw", 2), ("b_msw", 2)}
COMMITTING = {("->", 2), ("once", 1)}
SETTINGS = {"set", "fix"}  # words before @ that a distribution follows


class Places:
    """Where something stands in the lines of a source text."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()

    def of(self, clause: Clause, pattern: str) -> str:
        """file, line-column of the first match in a clause; the beginning of the clause if there is none."""
        for number in range(clause.line, min(clause.last_line, len(self.lines)) + 1):
            found = re.search(pattern, self.lines[number - 1])
            if found:
                return f"{clause.file}, {number}-{found.start() + 1}"
        return f"{clause.file}, {clause.line}-1"


def suspicions(m: Any, program: Any, text: str) -> list[str]:
    """One line for each thing that is likely to be wrong."""
    places = Places(text)
    found = [*undeclared(m, program, places), *committed(m, program, places)]
    for clause, cell in program.declarations:
        found += doubles(m, clause, cell, places)
        found += bad_settings(m, clause, cell, places)
    return found


def undeclared(m: Any, program: Any, places: Places) -> Iterator[str]:
    """Switches in the clauses that no declaration is about."""
    declared: dict[int, list[int]] = {}
    patterns: dict[int, list[int]] = {}  # those of them with variables
    same = set()
    for _, cell in program.declarations:
        name = m.arg(head_of(m, cell), 0)
        if not m.is_callable(name):
            return  # any name may be meant
        functor = m.functor(m.name_of(name), m.arity_of(name))
        declared.setdefault(functor, []).append(name)
        if not m.is_ground(name):
            patterns.setdefault(functor, []).append(name)
        same.add(key_of(m, name))
    seen = set()
    for clause, cell in program.clauses:
        for name in switch_names(m, cell):
            key = key_of(m, name)
            if key in seen:
                continue
            seen.add(key)
            if key in same:
                continue
            # A program may declare thousands of switches by name: these are not tried one by one.
            those = patterns if m.is_ground(name) else declared
            known = those.get(m.functor(m.name_of(name), m.arity_of(name)), [])
            if not any(m.unify(m.copy(name), m.copy(other)) for other in known):
                shown = text_of(m, name)
                word = re.escape(shown.split("(")[0])
                place = places.of(clause, rf"msw\(\s*{word}")
                yield f"{place}: no values/2 for the switch {shown}"


def switch_names(m: Any, cell: int) -> Iterator[int]:
    """The names in the calls of msw in a clause that say what switch it is."""
    work = [cell]
    while work:
        c = m.deref(work.pop())
        if not m.is_compound(c):
            continue
        arguments = [m.arg(c, i) for i in range(m.arity_of(c))]
        if (m.atom_text(m.name_of(c)), len(arguments)) in MSW and m.is_callable(arguments[0]):
            yield arguments[0]
        work += reversed(arguments)


def committed(m: Any, program: Any, places: Places) -> Iterator[str]:
    """Conditions and once/1 whose goals are probabilistic: a search keeps the first explanation only."""
    for clause, cell in program.clauses:
        head = head_of(m, cell)
        if head == cell or not m.is_callable(head) or indicator(m, head) not in program.explained:
            continue
        for call in calls_in(m, cell):
            if indicator(m, call.goal) not in COMMITTING:
                continue
            for inner in calls_in(m, call.goal, 0):
                key = indicator(m, inner.goal)
                if key in MSW or key in program.probabilistic:
                    name, arity = key
                    place = places.of(clause, rf"(?<!\w){re.escape(name)}(?!\w)")
                    what = "once/1" if m.atom_text(m.name_of(call.goal)) == "once" else "a condition"
                    yield f"{place}: a search keeps only the first explanation of {name}/{arity} in {what}"
                    break


def doubles(m: Any, clause: Clause, cell: int, places: Places) -> Iterator[str]:
    """Outcomes that are declared more than once."""
    head = head_of(m, cell)
    items, tail = m.list_items(m.arg(head, 1))
    if tail != m.nil or not m.is_ground(m.arg(head, 1)):
        return
    seen = set()
    for value in expanded_values(m, items):
        key = key_of(m, value)
        if key in seen:
            shown = text_of(m, value)
            place = places.of(clause, r"values")
            yield f"{place}: {shown} is an outcome of {text_of(m, m.arg(head, 0))} more than once"
        seen.add(key)


def bad_settings(m: Any, clause: Clause, cell: int, places: Places) -> Iterator[str]:
    """Distributions in a declaration that its outcomes cannot have."""
    head = head_of(m, cell)
    items, tail = m.list_items(m.arg(head, 1))
    if m.arity_of(head) < 3 or tail != m.nil or not items or not m.is_ground(head):
        return
    size = len(expanded_values(m, items))
    for i in range(2, m.arity_of(head)):
        form = to_plain(m, m.arg(head, i))
        if isinstance(form, tuple) and form[0] == "@" and form[1] in SETTINGS:
            form = form[2]
        elif form == "true" or (isinstance(form, tuple) and form[0] in ("@", ",")):
            continue
        mark = m.prob.random.mark()
        try:
            distributions.switch_parameters(form, size, m.prob.flags, m.prob.random)
        except (distributions.Invalid, distributions.Unmatched):
            shown, name = text_of(m, m.arg(head, i)), text_of(m, m.arg(head, 0))
            place = places.of(clause, r"values")
            yield f"{place}: {shown} is no distribution of the {size} outcomes of {name}"
        except distributions.Unavailable:
            pass
        finally:
            m.prob.random.go_back(mark)
