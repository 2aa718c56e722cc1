"""The built-in predicates written in Python; importing this package registers them all."""

from prism_repl.prolog.builtins import (  # noqa: F401
    arithmetic,
    atoms,
    characters,
    checks,
    database,
    files,
    flags,
    format,
    lists,
    loading,
    loops,
    solutions,
    sorting,
    stores,
    streams,
    term_input,
    term_output,
    terms,
    tracing,
    type_checking,
)
