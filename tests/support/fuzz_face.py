"""Random uses of the Python face: every public method of a session, with arguments of any type.

    python -m tests.support.fuzz_face FIRST COUNT

What may come is a result, PrismError, or TypeError, ValueError, KeyError, AttributeError with a text; the
session goes on. The number and the text of each use are printed before it.
"""

import math
import random
import sys
from collections import Counter
from typing import Any

import numpy as np

from prism_repl import Session, Struct, Var
from prism_repl.core.errors import PrologHalt
from prism_repl.session import PUBLIC, PrismError
from tests.support.fuzz import PROGRAM

METHODS = [name for name in PUBLIC if name not in ("output", "consult", "prism", "flags")]
ALLOWED = (PrismError, PrologHalt, TypeError, ValueError, KeyError, AttributeError, OverflowError)


def nested(depth: int) -> Any:
    term: Any = "z"
    for _ in range(depth):
        term = Struct("s", term)
    return term


def endless() -> Any:
    items: list[Any] = []
    items.append(items)
    return items


def raising(*arguments: Any) -> Any:
    raise ValueError("of the caller")


def generated() -> Any:
    return (goal for goal in ["p(h)", "p(t)"])


# Values as they are, and functions that make those which cannot be used twice.
VALUES: list[Any] = [
    *("p(h)", "p(X)", "hmm([x,y])", "loop(X)", "s([x,y],R)", "c", "e", "d(1)", "_", "X", "", " ", "p(", "'"),
    *("p(h). p(t).", "a\0b", "\ud800", "% comment", "p({a})", "X = f(X)", "uniform", "halt", "f(" * 3000),
    *(
        "f(" * 3000 + "a" + ")" * 3000,
        None,
        True,
        0,
        -1,
        3,
        10**40,
        -(2**63),
        1.5,
        math.nan,
        math.inf,
        1j,
        b"b",
    ),
    *([], ["p(h)", "p(t)"], [0.5, 0.5], [0.2, 0.3, 0.5], ("p(h)",), {}, {"p(h)": 2, "p(t)": 1}, {"p(h)": -1}),
    *({"a": ["h", "t"]}, [{"a": "h"}], Counter(["p(h)"]), {1, 2}, range(3), object(), int, endless, raising),
    *(Struct("p", "h"), Struct("p", Var("X")), Struct("p", object()), Var("X"), Struct("hmm", ["x"] * 2000)),
    *(nested(100_000), [nested(50_000)], generated, {}.get, np.array([0.5, 0.5]), np.float64(2), np.int64(3)),
]


def use(session: Session, seed: int) -> None:
    chance = random.Random(seed)
    name = chance.choice(METHODS)
    values = [chance.choice(VALUES) for _ in range(chance.choice([0, 1, 1, 2, 2, 3]))]
    values = [value() if callable(value) and value in (endless, generated) else value for value in values]
    print(seed, name, *(shown(value) for value in values), flush=True)
    complaint = "none"
    try:
        if chance.random() < 0.1:
            setattr(session.flags, chance.choice(["log_scale", "restart", "none", "learn_mode"]), values[:1])
        result = getattr(session, name)(*values)
        if hasattr(result, "__next__"):
            result = [item for item, _ in zip(result, range(3), strict=False)]
        shown(result)
    except ALLOWED as error:
        complaint = str(error)
    assert complaint, "an error without a text"


def shown(value: Any) -> str:
    try:
        return repr(value)[:100]
    except (RecursionError, UnicodeError) as error:  # of lists and terms that are too deep for repr
        return type(error).__name__


def main() -> None:
    first, count = map(int, sys.argv[1:3])
    session = None
    for seed in range(first, first + count):
        if session is None or seed % 50 == 0:
            session = Session(output=lambda text: None)
            session.program(PROGRAM)
        use(session, seed)
        assert session.once("X = f(Y), atom_length(abc,3)"), "the session is not usable"
    print("done")


if __name__ == "__main__":
    main()
