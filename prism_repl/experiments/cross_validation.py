"""Cross validation over goals: the folds, and learning from one of them.

    for fold in learned_folds(session, goals, 8, "ml_vt", restarts=50, seed=1):
        ... session.viterbi(goal) for goal in fold.test ...

Restarts and folds share one explanation graph and are computed side by side on all cores. With folds() and
restarted() each fold is learned by itself, so that processes may take one each.
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
    set_flags(session, {"learn_mode": mode, "restart": restarts, **flags})
    return session.learn(goals)


def learned_folds(
    session: Session,
    goals: Iterable[str | Term],
    k: int,
    mode: str,
    restarts: int = 1,
    seed: int | None = None,
    **flags: Any,
) -> Iterator[Fold[Term]]:
    """The k folds of goals, as folds() gives them; as each one comes, the session has the parameters learned
    from its training part, as restarted() learns them. All folds are learned first, side by side."""
    terms = [session.as_term(goal) for goal in goals]
    places = list(folds(range(len(terms)), k, seed))
    samples = [[1] * len(terms) for _ in places]
    for sample, fold in zip(samples, places, strict=True):
        for i in fold.test:
            sample[i] = 0
    set_flags(session, {"learn_mode": mode, "restart": restarts, **flags})
    learned = session.learn_samples(terms, samples)
    for fold, _ in zip(places, learned, strict=True):
        yield Fold(fold.number, [terms[i] for i in fold.training], [terms[i] for i in fold.test])


def set_flags(session: Session, flags: Mapping[str, Any]) -> None:
    for name, value in flags.items():
        if not session.once(Struct("set_prism_flag", name, value)):
            raise ValueError(f"the flag {name} does not take the value {value}")
