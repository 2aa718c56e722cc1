"""Cross validation over goals: the folds, and learning from one of them.

    for fold in folds(goals, 8, seed=1):
        restarted(session, fold.training, "ml_vt", restarts=50)
        ... session.viterbi(goal) for goal in fold.test ...

Restarts of one learning run share its explanation graph and are computed side by side on all cores
(the flag `restart`); folds are independent, so processes may take one each.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from prism_repl.prolog.terms import Struct

if TYPE_CHECKING:
    from prism_repl.prolog.terms import Term
    from prism_repl.session import Session

Item = TypeVar("Item")


@dataclass(frozen=True)
class Fold(Generic[Item]):
    """One way to part the data."""

    number: int  # from 0
    training: list[Item]
    test: list[Item]


def folds(items: Sequence[Item], k: int, seed: int | None = None) -> Iterator[Fold[Item]]:
    """k folds: every item is tested once. Sizes differ by one at most; with a seed the items are shuffled."""
    if not 2 <= k <= len(items):
        raise ValueError(f"{len(items)} items cannot be parted into {k} folds")
    order = list(range(len(items)))
    if seed is not None:
        random.Random(seed).shuffle(order)
    for number in range(k):
        test = sorted(order[number::k])
        tested = set(test)
        yield Fold(
            number,
            [item for i, item in enumerate(items) if i not in tested],
            [items[i] for i in test],
        )


def restarted(
    session: Session, goals: Iterable[str | Term], mode: str, restarts: int = 1, **flags: Any
) -> Mapping[str, Any]:
    """Learn from goals in a mode of the flag learn_mode (ml, ml_vt, vb, ...), the best of some restarts.

    Other flags are given by name, as epsilon=1.0e-4. The result are the statistics of learn/1.
    """
    for name, value in {"learn_mode": mode, "restart": restarts, **flags}.items():
        if not session.once(Struct("set_prism_flag", name, value)):
            raise ValueError(f"the flag {name} does not take the value {value}")
    return session.learn(goals)
