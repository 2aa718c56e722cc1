"""Puts PRISM together: the Prolog system, then switches, flags and the library on top of it."""

from pathlib import Path
from typing import Any

import prism_repl.predicates  # noqa: F401  (registers the predicates)
from prism_repl.model import sampling, tracing
from prism_repl.model.messages import prism_error
from prism_repl.model.msw import Msw
from prism_repl.model.state import ProbState
from prism_repl.model.translation import add_typed_program
from prism_repl.predicates import tracing as searches
from prism_repl.prolog.system import load_library, new_machine, protect

LIBRARY = Path(__file__).parent / "library"
# A program that defined these for itself would have no random choices.
PROTECTED = ["msw/2", "soft_msw/2", "b_msw/2", "sample/1"]


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
    protect(m, PROTECTED)
    tracing.attach(m)
    searches.attach(m)
    m.database.keep_terms = True  # the tracer shows clauses of all programs
    return m
