"""Files named on the command line."""

from __future__ import annotations

import re
from pathlib import Path


def quoted(text: str) -> str:
    """An atom as it is typed."""
    if re.fullmatch(r"[a-z]\w*", text, re.ASCII):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def load_goal(name: str) -> str:
    """The query that loads a file: prism/1 for a .psm (which may be left out), consult/1 for others. The
    name of byte code, as PRISM's command takes it, stands for its source."""
    if name.endswith(".psm.out"):
        return f"prism([load],{quoted(name)})."
    is_prism = name.endswith(".psm") or (not Path(name).suffix and Path(name + ".psm").exists())
    return f"{'prism' if is_prism else 'consult'}({quoted(name)})."
