"""The predicates that PRISM adds: importing this package registers them all."""

from prism_repl.predicates import (  # noqa: F401
    clauses,
    csv,
    distributions,
    first_order,
    flags,
    graphs,
    hindsight,
    learning,
    lists,
    loading,
    probability,
    random,
    run_statistics,
    sampling,
    saving,
    statistics,
    switches,
    trees,
    viterbi,
    watching,
)
