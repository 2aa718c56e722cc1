"""What someone may have meant who wrote a switch, a flag or a flag's value that is not there, and what the
last query noted for a person at the prompt."""

from __future__ import annotations

import difflib
import re

from prism_repl.answers import Answer
from prism_repl.flags import TABLE as FLAGS
from prism_repl.prolog.terms import Struct, Term
from prism_repl.repl.names import SessionNames


def near_misses(names: SessionNames, answer: Answer) -> str:
    """Lines to show below an answer; '' if there is nothing to say."""
    lines = []
    for notice in taken_notices(names):
        unknown = re.match(r"No switch ([a-z]\w*)", notice)
        lines.append(notice + (perhaps(unknown[1], declared_switches(names)) if unknown else ""))
    match answer.error:
        case Struct("error", (Struct("existence_error", ("outcome", switch)), _)):
            lines.append(perhaps(name_of(switch), declared_switches(names)))
        case Struct("error", (Struct("domain_error", ("prism_flag", flag)), _)):
            lines.append(perhaps(name_of(flag), [known.name for known in FLAGS]))
        case Struct("error", (Struct("domain_error", (Struct("prism_flag_value", (flag,)), value)), _)):
            lines.append(perhaps(name_of(value), names.flag_values(str(flag))) or wanted(str(flag)))
    return "\n".join(line.strip() for line in lines if line)


def taken_notices(names: SessionNames) -> list[str]:
    state = names.session.machine.prob
    notices: list[str] = state.notices
    state.notices = []
    return notices


def declared_switches(names: SessionNames) -> list[str]:
    """The names of the switches that the program declares, and of those that are registered."""
    known = names.column("clause('$values'(_,X,_),_)") + names.switches()
    return sorted({re.split(r"\(", name)[0] for name in known})


def perhaps(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f" Perhaps {near[0]}?" if near else ""


def wanted(flag: str) -> str:
    return next((f"{flag} takes {known.kind.text}." for known in FLAGS if known.name == flag), "")


def name_of(term: Term) -> str:
    return str(term.name) if isinstance(term, Struct) else str(term)
