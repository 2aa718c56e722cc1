"""What programs with tensors need while they run: index lists, and the ranges of indices."""

from __future__ import annotations

from typing import Any

from prism_repl.model import checks
from prism_repl.model.tensors import index_lists
from prism_repl.prolog.builtins.registry import helper


@helper("$index_lists", 3, context=("get_values", 2))
def all_index_lists(m: Any, shape: int, symbols: int, lists: int) -> bool:
    """The outcomes of a tensor whose shape or symbols a clause computes."""
    atoms = checks.proper_list(m, "2104", symbols)
    return m.unify(lists, m.list_from(index_lists(m, shape, atoms)))
