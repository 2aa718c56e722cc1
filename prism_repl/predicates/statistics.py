"""Statistical measures of lists: avglist/2 and its relatives, agglist/2, lngamma/2."""

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.core.errors import (
    PrologError,
    domain_error,
    evaluation_error,
)
from prism_repl.model import checks
from prism_repl.model.messages import prism_error
from prism_repl.model.switches import key_of
from prism_repl.model.term_values import to_cell
from prism_repl.prolog.builtins.registry import builtin

Numbers = list[Any]


# ---- measures of numbers


def mean(xs: Numbers) -> float:
    return float(total(xs)) / len(xs)


def total(xs: Numbers) -> Any:
    return math.fsum(xs) if any(isinstance(x, float) for x in xs) else sum(xs)


def moment(xs: Numbers, k: int) -> float:
    """The mean of the k-th powers of the distances from the mean."""
    centre = mean(xs)
    return math.fsum((x - centre) ** k for x in xs) / len(xs)


def gmean(xs: Numbers) -> float:
    if any(x <= 0 for x in xs):
        raise evaluation_error("undefined")
    return math.exp(math.fsum(math.log(x) for x in xs) / len(xs))


def hmean(xs: Numbers) -> float:
    inverses = 0.0 if 0 in xs else math.fsum(1 / x for x in xs)
    if inverses == 0:
        raise evaluation_error("zero_divisor")
    return len(xs) / inverses


def varp(xs: Numbers) -> float:
    return moment(xs, 2)


def var(xs: Numbers) -> float:
    return moment(xs, 2) * len(xs) / (len(xs) - 1)


def stdp(xs: Numbers) -> float:
    return math.sqrt(varp(xs))


def std(xs: Numbers) -> float:
    return math.sqrt(var(xs))


def semp(xs: Numbers) -> float:
    return stdp(xs) / math.sqrt(len(xs))


def sem(xs: Numbers) -> float:
    return std(xs) / math.sqrt(len(xs))


def spread(xs: Numbers) -> float:
    """The variance to divide by, which must not be 0."""
    variance = varp(xs)
    if variance == 0:
        raise evaluation_error("zero_divisor")
    return variance


def skewp(xs: Numbers) -> float:
    return moment(xs, 3) / spread(xs) ** 1.5


def skew(xs: Numbers) -> float:
    n = len(xs)
    return skewp(xs) * math.sqrt(n * (n - 1)) / (n - 2)


def kurtp(xs: Numbers) -> float:
    return moment(xs, 4) / spread(xs) ** 2 - 3


def kurt(xs: Numbers) -> float:
    n = len(xs)
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * kurtp(xs) + 6)


def median(xs: Numbers) -> Any:
    xs = sorted(xs)
    half = len(xs) // 2
    return xs[half] if len(xs) % 2 else float(Fraction(xs[half - 1]) + Fraction(xs[half])) / 2


# name -> measure, least length
OF_NUMBERS: dict[str, tuple[Callable[[Numbers], Any], int]] = {
    "avg": (mean, 1),
    "mean": (mean, 1),
    "gmean": (gmean, 1),
    "hmean": (hmean, 1),
    "varp": (varp, 1),
    "var": (var, 2),
    "stdp": (stdp, 1),
    "std": (std, 2),
    "semp": (semp, 1),
    "sem": (sem, 2),
    "skewp": (skewp, 1),
    "skew": (skew, 3),
    "kurtp": (kurtp, 1),
    "kurt": (kurt, 4),
    "median": (median, 1),
    "min": (min, 1),
    "max": (max, 1),
}


# ---- measures of any terms


def most_frequent(m: Any, cells: list[int]) -> list[int]:
    """The elements that occur most often, in the order of their first occurrences."""
    counts: dict[Any, int] = {}
    first: dict[Any, int] = {}
    for cell in cells:
        key = key_of(m, cell)
        counts[key] = counts.get(key, 0) + 1
        first.setdefault(key, cell)
    most = max(counts.values())
    return [first[key] for key, n in counts.items() if n == most]


def pick(m: Any, cells: list[int], which: str) -> int:
    """amode: all modes in standard order; mode: the first of these; rmode: one of them by chance;
    pmode: any element by chance, so in proportion to how often it occurs."""
    if which == "pmode":
        return cells[m.prob.random.below(len(cells))]
    modes = most_frequent(m, cells)
    modes.sort(key=functools.cmp_to_key(m.compare))
    if which == "rmode":
        return modes[m.prob.random.below(len(modes))]
    return m.list_from(modes) if which == "amode" else modes[0]


MODES = ("mode", "amode", "rmode", "pmode")


# ---- predicates


def elements(m: Any, given: int, least: int) -> list[int]:
    """The elements of a list of at least this length."""
    items = checks.proper_list(m, "2103", given, None, "list", str(least))
    if len(items) < least:
        formal = PrologError("type_error", ("list_not_shorter_than", m.int_cell(least)), given)
        raise prism_error(m, "2103", formal, given, str(least))
    return items


def measured(m: Any, name: str, given: int) -> int:
    """The cell of one measure of a list."""
    if name in MODES:
        cells = elements(m, given, 1)
        checks.ground(m, "2109", given)
        return pick(m, cells, name)
    measure, least = OF_NUMBERS[name]
    cells = elements(m, given, least)
    checks.ground(m, "2108", given)
    if not all(m.is_number(c) for c in cells):
        raise prism_error(m, "2108", domain_error("numbers", given), given)
    if name in ("min", "max"):  # the element as it is
        numbers = [m.number_value(c) for c in cells]
        return cells[numbers.index(measure(numbers))]
    try:
        return to_cell(m, measure([m.number_value(c) for c in cells]))
    except OverflowError:
        raise evaluation_error("float_overflow") from None


def define(name: str, predicate: str) -> None:
    result = "-Xs" if name == "amode" else "-X"
    builtin(f"{predicate}(+List, {result}) is det")(
        lambda m, given, value: m.unify(value, measured(m, name, given))
    )


for each in (*OF_NUMBERS, *MODES):
    # the population forms carry their p after the word: varlistp
    define(each, each[:-1] + "listp" if each in ("varp", "stdp", "semp", "skewp", "kurtp") else each + "list")


@builtin("agglist(+List, ?Measures) is semidet")
def agglist(m: Any, given: int, operations: int) -> bool:
    """Several measures at once: [mean=M,var=V,...]."""
    elements(m, given, 1)
    equals = m.functor(m.atom("="), 2)
    for operation in elements(m, operations, 1):
        checks.bound(m, "2110", operation)
        if not m.is_compound(operation) or m.functor_of(operation) != equals:
            raise prism_error(m, "2110", domain_error("agglist_argument", operation), operation)
        name_cell = m.arg(operation, 0)
        checks.bound(m, "2107", name_cell)
        name = m.atom_text(name_cell) if name_cell & 7 == ATM else ""
        if name == "len":
            value = m.int_cell(len(m.list_items(given)[0]))
        elif name == "sum":
            checks.ground(m, "2108", given)
            numbers = [m.number_value(c) for c in m.list_items(given)[0] if m.is_number(c)]
            if len(numbers) < len(m.list_items(given)[0]):
                raise prism_error(m, "2108", domain_error("numbers", given), given)
            value = to_cell(m, sum(numbers))
        elif name in OF_NUMBERS or name in MODES:
            value = measured(m, name, given)
        else:
            raise prism_error(m, "2107", domain_error("agglist_operation", name_cell), name_cell)
        if not m.unify(m.arg(operation, 1), value):
            return False
    return True


@builtin("lngamma(+X:positive_number!3400, -Y) is det")
def lngamma(m: Any, x: float, value: int) -> bool:
    try:
        return m.unify(value, m.float_cell(math.lgamma(x)))
    except OverflowError:
        raise evaluation_error("float_overflow") from None
