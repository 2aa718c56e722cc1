"""The predicates that PRISM adds: importing this package registers them all."""

from prism_repl.prob.builtins import (  # noqa: F401
    clauses,
    csv,
    distributions,
    flags,
    lists,
    loading,
    random,
    sampling,
    saving,
    statistics,
    switches,
    watching,
)
