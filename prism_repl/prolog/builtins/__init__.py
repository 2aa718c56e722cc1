"""The built-in predicates written in Python; importing this package registers them all."""

from prism_repl.prolog.builtins import sorting  # noqa: F401
