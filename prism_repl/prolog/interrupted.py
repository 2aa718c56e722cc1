"""Where a program was when the user interrupted it, or when memory ran out."""

from bisect import bisect_left
from typing import Any

from prism_repl.core.instructions import CONSTANTS
from prism_repl.prolog.writer import write_term

C_NEXT = CONSTANTS["C_NEXT"]
C_SIZE = CONSTANTS["C_SIZE"]
P_FIRST = CONSTANTS["P_FIRST"]
P_LIVE = CONSTANTS["P_LIVE"]

# Predicates with more clauses are tables of facts: nothing runs in them for long.
CLAUSES_LOOKED_AT = 10_000


def innermost(m: Any, p: int, addresses: list[int]) -> tuple[int, str]:
    """Predicate p or, if p is none or a helper of the library ('$...'), the first predicate whose clauses
    one of the addresses lies in, and its indicator. (0, "") if there is none to name."""
    for found in [p, *predicates_at(m, addresses)]:
        if found > 0:
            text = write_term(m, m.database.indicator(found), quoted=True)
            if not text.startswith(("'$", "call/")):
                return found, text
    return 0, ""


def predicates_at(m: Any, addresses: list[int]) -> list[int]:
    """The predicates whose clauses contain these code addresses, 0 for each that is in none."""
    found = dict.fromkeys(addresses, 0)
    ordered = sorted(found)
    for p in m.database.predicates():
        if m.program.pred_field(p, P_LIVE) > CLAUSES_LOOKED_AT:
            continue
        c = m.program.pred_field(p, P_FIRST)
        while c:
            end = c + m.program.code_word(c + C_SIZE)
            i = bisect_left(ordered, c)
            while i < len(ordered) and ordered[i] < end:
                found[ordered[i]] = p
                i += 1
            c = m.program.code_word(c + C_NEXT)
    return [found[a] for a in addresses]
