"""Distribution and pseudo-count forms: from what a user writes to a list of numbers.

Everything here works on plain values (term_values.py); the predicates around it turn the
exceptions into PRISM's errors. Integers stay integers where PRISM leaves them so.
"""

import contextlib
from typing import Any

from prism_repl.flags import DISABLED, Flags, is_size_free
from prism_repl.model.chance import Random, left_sum
from prism_repl.model.term_values import Plain, all_numbers, is_number

LEAST_NOISE = 1.0e-9  # the least number of noisy_u before normalisation
TOLERANCE = 1.0e-6  # how far from 1 a distribution may sum
Numbers = list[Any]


class Invalid(ValueError):
    """Not a distribution, or not pseudo counts."""


class Unmatched(ValueError):
    """The wrong number of numbers."""


class Unavailable(ValueError):
    """The form is `default`, and the flag says that there is none."""


def chain(value: Plain, operator: str, left: bool) -> Numbers | None:
    """The numbers of p1+p2+... (left) or r1:r2:... (right); None if it is not such a chain."""
    numbers = []
    while isinstance(value, tuple) and len(value) == 3 and value[0] == operator:
        numbers.append(value[2] if left else value[1])
        value = value[1] if left else value[2]
    if not numbers:
        return None
    numbers.append(value)
    if not all_numbers(numbers):
        return None
    return numbers[::-1] if left else numbers


def sums_to_one(numbers: Numbers) -> bool:
    return all(0 <= p <= 1 + TOLERANCE for p in numbers) and abs(float(sum(numbers)) - 1.0) <= TOLERANCE


def check_distribution(numbers: Numbers, flags: Flags) -> None:
    if flags["error_on_invalid_distribution"] == "on" and not sums_to_one(numbers):
        raise Invalid


def geometric(base: Any, n: int, order: str, first: Any) -> Numbers:
    try:
        powers = [first * base**i for i in range(n)]
    except OverflowError:
        raise Invalid from None
    return powers if order == "asc" else powers[::-1]


def normalised(numbers: Numbers) -> Numbers:
    total = left_sum(numbers)
    return [float(x / total) for x in numbers]


def noisy_numbers(n: int, flags: Flags, random: Random) -> Numbers:
    """Numbers around 1/n with a standard deviation of std_ratio/n."""
    mean = 1.0 / n
    deviation = mean * flags["std_ratio"]
    return [max(g * deviation + mean, LEAST_NOISE) for g in random.gaussians(n)]


def random_numbers(form: str, n: int, flags: Flags, random: Random) -> Numbers:
    """What `random` and `noisy_u` draw for n outcomes."""
    return random.uniforms(n) if form == "random" else noisy_numbers(n, flags, random)


def explicit_probabilities(form: Plain) -> tuple[Numbers, bool] | None:
    """The numbers of a form that has its own size, and whether they are a ratio."""
    if all_numbers(form):
        return form, False
    numbers = chain(form, "+", left=True)
    if numbers is not None:
        return numbers, False
    numbers = chain(form, ":", left=False)
    if numbers is not None and all(x >= 0 for x in numbers) and sum(numbers) > 0:
        return normalised(numbers), True
    return None


def check_form(form: Plain) -> None:
    """A distribution, as far as it can be told without the number of outcomes."""
    if explicit_probabilities(form) is None and form != "default" and not is_size_free(form):
        raise Invalid


def check_counts_form(form: Plain, kind: str, flags: Flags) -> None:
    """Pseudo counts, as far as it can be told without the number of outcomes."""
    with contextlib.suppress(Unavailable):
        hyperparameters(form, len(form) if isinstance(form, list) else 1, kind, flags)


def free_probabilities(form: Plain, n: int, flags: Flags, random: Random) -> Numbers:
    """The distribution over n outcomes of a form that fits any number of them."""
    if form == "default":
        form = flags["default_sw"]
        if form == "none":
            raise Unavailable
    if not is_size_free(form):
        raise Invalid
    if form == "uniform":
        return [1.0 / n] * n
    if form in ("random", "noisy_u"):
        numbers = random_numbers(form, n, flags, random)
        return normalised(numbers) if flags["error_on_invalid_distribution"] == "on" else numbers
    base, order = base_and_order(form)
    try:
        powers = [base ** float(-i) for i in range(n)]  # falling, so that no length overflows
    except OverflowError:  # the base itself is no float
        raise Invalid from None
    return normalised(powers if order == "desc" else powers[::-1])


def base_and_order(form: Plain) -> tuple[Any, str]:
    """Of f_geometric, f_geometric(Base) or f_geometric(Base,Order)."""
    if not isinstance(form, tuple):
        return 2, "desc"
    return form[1], form[2] if len(form) == 3 else "desc"


def selection_weights(form: Plain, n: int, flags: Flags, random: Random) -> Numbers:
    """random_select/3: a distribution over n elements, but as numbers that are not normalised."""
    ratio = chain(form, ":", left=False)
    if ratio is not None and len(ratio) == n:
        probabilities(form, n, flags, random)  # only for its errors
        return ratio
    if form in ("random", "noisy_u"):
        return random_numbers(form, n, flags, random)
    numbers = probabilities(form, n, flags, random)
    if form == "uniform":
        return [1] * n
    if form == "f_geometric" or (isinstance(form, tuple) and form[0] == "f_geometric"):
        base, order = base_and_order(form)
        try:
            return geometric(base, n, order, 1)
        except Invalid:  # powers that no float holds
            return numbers
    return numbers


def probabilities(form: Plain, n: int, flags: Flags, random: Random) -> Numbers:
    """expand_probs/3: floats that sum to one."""
    numbers = fixed_size_probabilities(form, flags) if explicit_probabilities(form) else None
    if numbers is None:
        return free_probabilities(form, n, flags, random)
    if len(numbers) != n:
        raise Unmatched
    return numbers


def fixed_size_probabilities(form: Plain, flags: Flags) -> Numbers:
    """expand_probs/2: only forms that say how many outcomes there are."""
    explicit = explicit_probabilities(form)
    if explicit is None:
        raise Invalid
    check_distribution(explicit[0], flags)
    return [float(x) for x in explicit[0]]


def weights(form: Plain, n: int, flags: Flags, random: Random) -> Numbers:
    """expand_fprobs/3: like probabilities, but any numbers, and left as they are written."""
    explicit = explicit_probabilities(form)
    if explicit is None:
        return free_probabilities(form, n, flags, random)
    if len(explicit[0]) != n:
        raise Unmatched
    return explicit[0]


def switch_parameters(form: Plain, n: int, flags: Flags, random: Random) -> Numbers:
    """set_sw/2: numbers left as they are written, but only if they are a distribution."""
    numbers = weights(form, n, flags, random)
    check_distribution(numbers, flags)
    return numbers


def explicit_counts(form: Plain) -> Numbers:
    if not all_numbers(form) or not all(x >= 0 for x in form):
        raise Invalid
    return form


def pseudo_counts(form: Plain, n: int, flags: Flags) -> Numbers:
    """expand_pseudo_counts/3."""
    if form == "default":
        form = flags["default_sw_a"] if flags["default_sw_d"] == DISABLED else flags["default_sw_d"]
        if form == "none":
            raise Unavailable
    if isinstance(form, list):
        if len(explicit_counts(form)) != n:
            raise Unmatched
        return form
    if is_number(form):
        return explicit_counts([form]) * n
    if form == "uniform":
        form = ("uniform", 1.0)
    elif form == "f_geometric":
        form = ("f_geometric", 2)
    if isinstance(form, tuple) and form[0] == "uniform" and len(form) == 2:
        return [x / n for x in explicit_counts([form[1]])] * n
    if isinstance(form, tuple) and form[0] == "f_geometric" and 2 <= len(form) <= 4:
        first, base = (1.0, form[1]) if len(form) == 2 else form[1:3]
        order = form[3] if len(form) == 4 else "desc"
        if not is_number(first) or not is_number(base) or first <= 0 or base <= 1:
            raise Invalid
        if order not in ("asc", "desc"):
            raise Invalid
        return geometric(base, n, order, first)
    raise Invalid


def hyperparameters(form: Plain, n: int, kind: str, flags: Flags) -> tuple[Numbers, Numbers]:
    """The alphas and deltas (alpha = delta + 1) of a pseudo-count form that is meant as alphas
    (kind "a") or as deltas ("d"). `default` means what the enabled default flag means."""
    if form == "default":
        kind = "a" if flags["default_sw_d"] == DISABLED else "d"
    counts = pseudo_counts(form, n, flags)
    if kind == "d":
        return [x + 1 for x in counts], counts
    if any(x <= 0 for x in counts):
        raise Invalid
    return counts, [x - 1 for x in counts]


class InvalidRange(ValueError):
    """A range of outcomes whose minimum is above its maximum."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__(low, high)
        self.low, self.high = low, high


def range_of(item: Plain) -> range | None:
    """The integers of Min-Max or Min-Max@Step; None for any other outcome."""
    step = 1
    if isinstance(item, tuple) and len(item) == 3 and item[0] == "@":
        item, step = item[1], item[2]
        if not isinstance(step, int) or step <= 0:
            return None
    if not (isinstance(item, tuple) and len(item) == 3 and item[0] == "-"):
        return None
    low, high = item[1], item[2]
    if not isinstance(low, int) or not isinstance(high, int):
        return None
    if low > high:
        raise InvalidRange(low, high)
    return range(low, high + 1, step)
