"""How large what tests work on is: a twentieth where the core is not compiled, or checked at each step (see
tests/checked_build.sh). There the areas move and are collected so often that more shows nothing more."""

import os

from prism_repl.core import loop

SLOW = str(loop.__file__).endswith(".py") or "PRISM_CHECKED" in os.environ


def sized(n: int) -> int:
    return max(n // 20, 1) if SLOW else n
