"""Hints at the prompt: what someone may have meant whose query met an unknown predicate.

They are for a person at a terminal; transcripts, pipes and logs show what PRISM prints and no more.
"""

from __future__ import annotations

import difflib

from prism_repl.answers import Answer
from prism_repl.prolog.terms import Struct, Term
from prism_repl.repl.names import SessionNames

CLAUSES = "Clauses stand in a file, for prism(File) or consult(File), or are typed in after [user]."


def hint(names: SessionNames, answer: Answer) -> str:
    """A line to show below an answer; '' if there is nothing to say."""
    missing = missing_predicate(answer.error)
    if missing is None:
        return ""
    name, arity = missing
    if (name, arity) in ((":-", 2), (":-", 1), ("-->", 2)):
        return CLAUSES
    if (name, arity) == ("prob", 3):
        return "prob/3 needs set_prism_flag(trials,once)."
    arities = names.arities()
    if name in arities:
        return f"There is {name}/{','.join(map(str, arities[name]))}."
    near = difflib.get_close_matches(name, arities, n=2, cutoff=0.75)
    if near:
        return f"Perhaps {' or '.join(near)}?"
    return CLAUSES if not names.has_program() else ""


def missing_predicate(ball: Term | None) -> tuple[str, int] | None:
    """Name and arity, if the ball says that there is no such procedure."""
    match ball:
        case Struct("error", (Struct("existence_error", ("procedure", Struct("/", (name, int(arity))))), _)):
            return str(name), arity
    return None
