"""Puts PRISM together: the Prolog system, then switches, flags and the library on top of it."""

from functools import cache
from pathlib import Path
from typing import Any

import prism_repl.predicates
import prism_repl.prolog.builtins  # noqa: F401
from prism_repl.model import sampling, tracing
from prism_repl.model.messages import prism_error
from prism_repl.model.msw import Msw
from prism_repl.model.state import ProbState
from prism_repl.model.translation import add_typed_program
from prism_repl.predicates import tracing as searches
from prism_repl.prolog.declarations import DECLARATIONS, Declaration, declared_in
from prism_repl.prolog.system import LIBRARY as PROLOG_LIBRARY
from prism_repl.prolog.system import load_library, new_machine

LIBRARY = Path(__file__).parent / "library"


@cache
def declared() -> dict[tuple[str, int], Declaration]:
    """What is declared of all predicates, also where no machine was made yet."""
    for folder in (LIBRARY, PROLOG_LIBRARY):
        for path in folder.glob("*.pl"):
            for found in declared_in(path.read_text(encoding="utf-8")):
                DECLARATIONS.setdefault((found.name, found.arity), found)
    return DECLARATIONS


def new_prism(seed: int | None = None) -> Any:
    """A machine that knows all of PRISM, and has no program loaded."""
    m = new_machine()
    m.prob = ProbState(m, seed)
    m.switches = Msw(m)
    m.switches.sampler = sampling.sample_outcome
    m.switches.switch_hook = sampling.switch_in_search
    m.state["typed_program"] = add_typed_program
    m.state["announce"] = prism_error
    for path in sorted(LIBRARY.glob("*.pl")):
        load_library(m, path)
    tracing.attach(m)
    searches.attach(m)
    m.database.keep_terms = True  # the tracer shows clauses of all programs
    return m
