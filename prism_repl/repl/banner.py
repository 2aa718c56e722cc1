"""What is printed at the start."""

from __future__ import annotations

import sys


def version_line() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("prism-repl")
    except PackageNotFoundError:
        number = "(not installed)"
    return f"prism-repl {number}"


def is_compiled() -> bool:
    from prism_repl.core import memory

    return not memory.__file__.endswith(".py")


def source() -> str:
    """What to give pip to install this package again: the clone, or where the package came from."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path

    clone = Path(__file__).parents[2]
    if (clone / "pyproject.toml").exists():
        return f"-e {clone}"
    try:
        origin = json.loads(distribution("prism-repl").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    return str(origin.get("url", "prism-repl")).removeprefix("file://")


def banner() -> str:
    """The lines above the first prompt."""
    lines = [f"{version_line()}: PRISM 2.4.2a's top level in Python"]
    if not is_compiled():
        lines.append(
            "The native core is not compiled: all is slow. With a C compiler, run "
            f"`{sys.executable} -m pip install --force-reinstall --no-deps {source()}`"
        )
    return "\n".join(lines) + "\n"


HELP_HINT = "Type 'prism_help' for usage, help(Name) for one predicate or flag.\n"
