"""Terms for programs that rewrite programs: Var, Struct, Atom and numbers, with substitution and unification.

A list is made of Struct(".", head, tail) and Atom("[]") here, so that all compound terms are walked alike.
Long lists are walked along their last argument, not recursed into.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prism_repl.prolog.terms import Atom, Struct, Var

Substitution = dict[Var, Any]

NIL = Atom("[]")
TRUE = Atom("true")
FAIL = Atom("fail")


def from_cell(m: Any, cell: int, variables: dict[int, Var]) -> Any:
    """The term of a cell. `variables` maps cells of variables to their Vars; it grows."""
    open_terms: list[tuple[str, list[Any]]] = []  # compound terms whose last argument is still missing
    c = m.deref(cell)
    while m.is_compound(c):
        n = m.arity_of(c)
        args = [from_cell(m, m.arg(c, i), variables) for i in range(n - 1)]
        open_terms.append((m.atom_text(m.name_of(c)), args))
        c = m.deref(m.arg(c, n - 1))
    if m.is_number(c):
        term: Any = m.number_value(c)
    elif m.is_atomic(c):
        term = NIL if c == m.nil else Atom(m.atom_text(c))
    else:
        term = variables.setdefault(c, Var())
    for name, args in reversed(open_terms):
        term = Struct(name, *args, term)
    return term


def to_cell(m: Any, term: Any, cells: dict[Var, int]) -> int:
    """The cell of a term. `cells` maps Vars to cells of variables; it grows."""
    open_terms: list[tuple[str, list[int]]] = []
    while isinstance(term, Struct):
        open_terms.append((str(term.name), [to_cell(m, a, cells) for a in term.args[:-1]]))
        term = term.args[-1]
    if isinstance(term, Var):
        if term not in cells:
            cells[term] = m.new_var()
        cell = cells[term]
    elif isinstance(term, str):
        cell = m.nil if term == NIL else m.atom(str(term))
    elif isinstance(term, int):
        cell = m.int_cell(term)
    else:
        cell = m.float_cell(term)
    for name, args in reversed(open_terms):
        cell = m.cons(args[0], cell) if (name, len(args)) == (".", 1) else m.struct(name, *args, cell)
    return int(cell)


def indicator(term: Any) -> tuple[str, int]:
    """Name and arity of an atom or compound term; ("", 0) of anything else."""
    if isinstance(term, Struct):
        return str(term.name), len(term.args)
    return (str(term), 0) if isinstance(term, str) else ("", 0)


def variables_of(*terms: Any) -> list[Var]:
    """The variables in order of their first occurrence."""
    found: dict[Var, None] = {}
    stack = list(reversed(terms))
    while stack:
        term = stack.pop()
        if isinstance(term, Var):
            found[term] = None
        elif isinstance(term, Struct):
            stack.extend(reversed(term.args))
    return list(found)


def occurrences(*terms: Any) -> dict[Var, int]:
    """How often each variable occurs."""
    counts: dict[Var, int] = {}
    stack = list(terms)
    while stack:
        term = stack.pop()
        if isinstance(term, Var):
            counts[term] = counts.get(term, 0) + 1
        elif isinstance(term, Struct):
            stack.extend(term.args)
    return counts


def mentions(term: Any, variables: Iterable[Var]) -> bool:
    """Whether one of the variables occurs in the term."""
    wanted = set(variables)
    return bool(wanted) and any(v in wanted for v in variables_of(term))


def substitute(term: Any, values: Mapping[Var, Any]) -> Any:
    """The term with its variables replaced; values are not looked into again."""
    if not values:
        return term
    open_terms: list[tuple[Struct, list[Any]]] = []
    while isinstance(term, Struct):
        open_terms.append((term, [substitute(a, values) for a in term.args[:-1]]))
        term = term.args[-1]
    new = values.get(term, term) if isinstance(term, Var) else term
    for old, args in reversed(open_terms):
        changed = new is not old.args[-1] or any(a is not b for a, b in zip(args, old.args, strict=False))
        new = Struct(str(old.name), *args, new) if changed else old
    return new


def renamed(variables: Iterable[Var]) -> Substitution:
    """Fresh variables for the given ones."""
    return {v: Var() for v in variables}


def same(a: Any, b: Any) -> bool:
    """Whether two terms are identical. 1 and 1.0 are not."""
    stack = [(a, b)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Struct):
            if not isinstance(b, Struct) or indicator(a) != indicator(b):
                return False
            stack.extend(zip(a.args, b.args, strict=True))
        elif isinstance(a, Var) or isinstance(b, Var):
            if a is not b:
                return False
        elif type(a) is not type(b) or a != b:
            return False
    return True


def variant(a: Any, b: Any) -> bool:
    """Whether two terms are the same up to the names of their variables."""
    there: Substitution = {}
    back: Substitution = {}
    stack = [(a, b)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Var) and isinstance(b, Var):
            if there.setdefault(a, b) is not b or back.setdefault(b, a) is not a:
                return False
        elif isinstance(a, Struct) and isinstance(b, Struct):
            if indicator(a) != indicator(b):
                return False
            stack.extend(zip(a.args, b.args, strict=True))
        elif isinstance(a, (Var, Struct)) or isinstance(b, (Var, Struct)) or not same(a, b):
            return False
    return True


def equations(a: Any, b: Any) -> list[tuple[Any, Any]] | None:
    """The equations (variable, term) that a = b comes down to, nothing bound yet; None if they clash."""
    found: list[tuple[Any, Any]] = []
    stack = [(a, b)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Var):
            if a is not b:
                found.append((a, b))
        elif isinstance(b, Var):
            found.append((b, a))
        elif isinstance(a, Struct) and isinstance(b, Struct):
            if indicator(a) != indicator(b):
                return None
            stack.extend(reversed(list(zip(a.args, b.args, strict=True))))
        elif isinstance(a, Struct) or isinstance(b, Struct) or not same(a, b):
            return None
    return found


def unifier(a: Any, b: Any) -> Substitution | None:
    """A most general unifier, its values fully replaced; None if there is none. With occurs check."""
    values: Substitution = {}
    pending = [(a, b)]
    while pending:
        left, right = pending.pop()
        found = equations(substitute(left, values), substitute(right, values))
        if found is None:
            return None
        if not found:
            continue
        variable, term = found[0]
        if mentions(term, [variable]):
            return None
        values = {v: substitute(t, {variable: term}) for v, t in values.items()}
        values[variable] = term
        pending.extend(found[1:])
    return values


def conjuncts(goal: Any) -> Iterator[Any]:
    """The goals of a conjunction in order; none of `true`."""
    stack = [goal]
    while stack:
        goal = stack.pop()
        if indicator(goal) == (",", 2):
            stack += [goal.args[1], goal.args[0]]
        elif goal != TRUE:
            yield goal


def alternatives(goal: Any) -> list[Any]:
    """The alternatives of a disjunction in order. An if-then-else is one alternative."""
    found = []
    stack = [goal]
    while stack:
        goal = stack.pop()
        if indicator(goal) == (";", 2) and indicator(goal.args[0]) not in (("->", 2), ("*->", 2)):
            stack += [goal.args[1], goal.args[0]]
        else:
            found.append(goal)
    return found


def conjunction(goals: Iterable[Any]) -> Any:
    """The goals as one conjunction, conjunctions among them opened, `true` dropped."""
    flat = [part for goal in goals for part in conjuncts(goal)]
    return joined(",", flat) if flat else TRUE


def disjunction(goals: Iterable[Any]) -> Any:
    """The goals as one disjunction; `fail` if there are none."""
    flat = [part for goal in goals for part in alternatives(goal)]
    return joined(";", flat) if flat else FAIL


def joined(name: str, goals: list[Any]) -> Any:
    result = goals[-1]
    for goal in reversed(goals[:-1]):
        result = Struct(name, goal, result)
    return result


def list_of(items: Iterable[Any]) -> Any:
    result: Any = NIL
    for item in reversed(list(items)):
        result = Struct(".", item, result)
    return result


def list_items(term: Any) -> list[Any] | None:
    """The elements of a proper list, None of anything else."""
    items = []
    while isinstance(term, Struct) and indicator(term) == (".", 2):
        items.append(term.args[0])
        term = term.args[1]
    return items if term == NIL else None
