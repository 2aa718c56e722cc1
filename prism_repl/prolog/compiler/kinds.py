"""Kinds of goals: calls, and those that are compiled to instructions of their own.

Compiled, the kinds come from kinds.pxd.
"""

from typing import Any

from prism_repl.core.cells import INT

(
    G_CALL,
    G_TRUE,
    G_FAIL,
    G_CUT,
    G_UNIFY,
    G_EQUAL,
    G_TEST,
    G_COMPARE,
    G_IS,
    G_CMP,
    G_AND,
    G_OR,
    G_THEN,
    G_SOFT,
    G_NOT,
    G_ONCE,
) = range(16)

# name, arity -> kind of goal, operation
INLINE_GOALS = {
    ("true", 0): (G_TRUE, 0),
    ("otherwise", 0): (G_TRUE, 0),
    ("fail", 0): (G_FAIL, 0),
    ("false", 0): (G_FAIL, 0),
    ("!", 0): (G_CUT, 0),
    ("=", 2): (G_UNIFY, 0),
    ("==", 2): (G_EQUAL, 0),
    ("\\==", 2): (G_EQUAL, 1),
    ("var", 1): (G_TEST, 0),
    ("nonvar", 1): (G_TEST, 1),
    ("atom", 1): (G_TEST, 2),
    ("integer", 1): (G_TEST, 3),
    ("float", 1): (G_TEST, 4),
    ("number", 1): (G_TEST, 5),
    ("atomic", 1): (G_TEST, 6),
    ("compound", 1): (G_TEST, 7),
    ("callable", 1): (G_TEST, 8),
    ("is_list", 1): (G_TEST, 9),
    ("ground", 1): (G_TEST, 10),
    ("@<", 2): (G_COMPARE, 0),
    ("@=<", 2): (G_COMPARE, 1),
    ("@>", 2): (G_COMPARE, 2),
    ("@>=", 2): (G_COMPARE, 3),
    ("is", 2): (G_IS, 0),
    ("<", 2): (G_CMP, 0),
    ("=<", 2): (G_CMP, 1),
    (">", 2): (G_CMP, 2),
    (">=", 2): (G_CMP, 3),
    ("=:=", 2): (G_CMP, 4),
    ("=\\=", 2): (G_CMP, 5),
    (",", 2): (G_AND, 0),
    (";", 2): (G_OR, 0),
    ("|", 2): (G_OR, 0),
    ("->", 2): (G_THEN, 0),
    ("*->", 2): (G_SOFT, 0),
    ("\\+", 1): (G_NOT, 0),
    ("not", 1): (G_NOT, 0),
    ("once", 1): (G_ONCE, 0),
}


def goal_kinds(symbols: Any) -> dict[int, tuple[int, int]]:
    """Kind and operation by what a goal is known by: its atom, or the first cell of its structure."""
    kinds = {}
    for (name, arity), kind in INLINE_GOALS.items():
        atom = symbols.atom(name)
        kinds[atom if arity == 0 else (symbols.functor(atom, arity) << 3 | INT)] = kind
    return kinds
