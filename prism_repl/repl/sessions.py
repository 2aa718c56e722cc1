"""Sessions that know the predicates of the top level, too: help, log, make, edit and their relatives."""

from prism_repl.repl import commands, reloading  # noqa: F401  (they register their predicates)
from prism_repl.session import Session

__all__ = ["Session"]
