"""The standard order of terms, for Python lists."""

import functools
from collections.abc import Iterable
from typing import Any, TypeVar

Item = TypeVar("Item", bound=tuple[Any, ...])


def by_first(m: Any, items: Iterable[Item]) -> list[Item]:
    """Tuples that begin with a cell, sorted by the standard order of these."""
    key = functools.cmp_to_key(m.compare)
    return sorted(items, key=lambda item: key(item[0]))
