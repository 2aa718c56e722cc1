"""Hints at the prompt: what someone may have meant whose query met a predicate that is unknown, that has no
probability, or that does not end, or whose query was no term.

They are for a person at a terminal; transcripts, pipes and logs show what PRISM prints and no more.
"""

from __future__ import annotations

import difflib
import re

from prism_repl.answers import Answer
from prism_repl.prolog.declarations import DECLARATIONS
from prism_repl.prolog.terms import Struct, Term
from prism_repl.repl.names import SessionNames
from prism_repl.repl.near_misses import near_misses

NO_SWITCHES = "No predicate of the program reaches msw/2."
NO_ATOM = "Negations and conjunctions have a probability where set_prism_flag(trials,once)."
IN_A_LIST = "Observed goals stand in a list, as in learn([Goal1,Goal2])."
LEAVE = "halt. leaves the session; so does Ctrl-D."
LEAVING = {"quit", "exit", "bye", "q"}
CLAUSES = "Clauses stand in a file, for prism(File) or consult(File), or are typed in after [user]."


def hint(names: SessionNames, answer: Answer) -> str:
    """A line to show below an answer; '' if there is nothing to say."""
    said = near_misses(names, answer)
    if said:
        return said
    if answer.place is not None:
        return brackets_hint(names, answer.message)
    goal = wrong_goal(answer.error)
    if goal is not None:
        return goal_hint(names, *goal)
    missing = missing_predicate(answer.error)
    if missing is None:
        return list_hint(answer.error) or endless_hint(answer.error)
    name, arity = missing
    if (name, arity) in ((":-", 2), (":-", 1), ("-->", 2)):
        return CLAUSES
    if (name, arity) == ("prob", 3):
        return "prob/3 needs set_prism_flag(trials,once)."
    if name in LEAVING and arity == 0:
        return LEAVE
    arities = names.arities()
    if name in arities:
        return f"There is {indicator(name, arities[name])}."
    near = difflib.get_close_matches(name, arities, n=2, cutoff=0.75)
    if near:
        return f"Perhaps {' or '.join(near)}?"
    return CLAUSES if not names.has_program() else ""


def indicator(name: str, arities: list[int]) -> str:
    return f"{name}/{','.join(map(str, arities))}"


def goal_hint(names: SessionNames, name: str, arity: int) -> str:
    """What to say of a goal that prob and its relatives do not take."""
    if (name, arity) in (("not", 1), ("\\+", 1), (",", 2)):
        return NO_ATOM
    known = names.probabilistic()
    if not known:
        return "No program is loaded; prism(File) loads one." if not names.has_program() else NO_SWITCHES
    if arity in known.get(name, []):
        return ""
    if name in known:
        return f"Perhaps {indicator(name, known[name])}?"
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.6)
    if near:
        return f"Perhaps {' or '.join(indicator(n, known[n]) for n in near)}?"
    if arity in names.arities().get(name, []):
        return f"{name}/{arity} does not reach msw/2: it has no probability."
    return ""


def brackets_hint(names: SessionNames, report: str) -> str:
    """What to say to a predicate with an argument behind it, as a shell has it."""
    found = re.search(r"^([a-z]\w*) <<HERE>>([\w/']+)\.$", report, re.MULTILINE)
    if found and found[1] in names.arities():
        return f"Arguments stand in brackets: {found[1]}({found[2]})."
    return ""


def list_hint(ball: Term | None) -> str:
    """What to say of a goal that was given to learn where a list of goals is expected."""
    match ball:
        case Struct("error", (Struct("domain_error", ("observed_data", Struct() | str())), _)):
            return IN_A_LIST
    return ""


def endless_hint(ball: Term | None) -> str:
    """What to say when memory ran out in a predicate of the user's."""
    match ball:
        case Struct("error", (Struct("resource_error", ("memory",)), Struct("/", (str(name), int(arity))))):
            called = f"{name}/{arity}"
            if (name, arity) not in DECLARATIONS:
                return f"Perhaps {called} calls itself without end; after spy({called}) its calls are shown."
    return ""


def wrong_goal(ball: Term | None) -> tuple[str, int] | None:
    """Name and arity of a goal that should be probabilistic and is not."""
    match ball:
        case Struct("error", (Struct("type_error", ("probabilistic_atom", Struct() as goal)), _)):
            return str(goal.name), goal.arity
        case Struct("error", (Struct("type_error", ("probabilistic_atom", str() as goal)), _)):
            return str(goal), 0
    return None


def missing_predicate(ball: Term | None) -> tuple[str, int] | None:
    """Name and arity, if the ball says that there is no such procedure."""
    match ball:
        case Struct("error", (Struct("existence_error", ("procedure", Struct("/", (name, int(arity))))), _)):
            return str(name), arity
    return None
