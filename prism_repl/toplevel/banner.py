"""What is printed at the start."""

from __future__ import annotations


def version_line() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("prism-repl")
    except PackageNotFoundError:
        number = "(not installed)"
    return f"prism-repl {number}"


def is_compiled() -> bool:
    from prism_repl.prolog import memory

    return not memory.__file__.endswith(".py")


def banner() -> str:
    """The lines above the first prompt."""
    lines = [f"{version_line()}: PRISM 2.4.2a's top level in Python"]
    if not is_compiled():
        lines.append(
            "The native core is not compiled, so everything is slow: install a C compiler, then "
            "pip install --force-reinstall prism-repl"
        )
    return "\n".join(lines) + "\n"


HELP_HINT = "Type 'prism_help' for usage, help(Name) for one predicate or flag.\n"
