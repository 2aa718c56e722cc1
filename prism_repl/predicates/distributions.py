"""expand_values, expand_probs, expand_pseudo_counts and what other predicates share with them."""

from collections.abc import Callable
from typing import Any

from prism_repl.core.errors import PrologError, domain_error
from prism_repl.model import checks, distributions
from prism_repl.model.messages import pair_text, prism_error, runtime_error
from prism_repl.model.outcomes import expanded_values
from prism_repl.model.term_values import all_numbers, to_cell, to_plain
from prism_repl.prolog.builtins.registry import builtin


def numbers_of(
    m: Any, expand: Callable[..., list[Any]], form: int, n: int, unmatched: str = "0211"
) -> list[Any]:
    """Expand a distribution form over n outcomes, or raise PRISM's error about it."""
    value = checks.ground(m, "0200", form)
    try:
        return expand(value, n, m.prob.flags, m.prob.random)
    except distributions.Invalid:
        raise invalid_distribution(m, form) from None
    except distributions.Unmatched:
        raise unmatched_error(m, unmatched, "unmatched_distribution", form, n) from None
    except distributions.Unavailable:
        raise prism_error(m, "0202", runtime_error("default_distribution_unavailable")) from None


def invalid_distribution(m: Any, form: int) -> PrologError:
    return prism_error(m, "0200", domain_error("distribution", form), form)


def unmatched_error(m: Any, ident: str, reason: str, form: int, n: int) -> PrologError:
    return prism_error(m, ident, runtime_error(reason), pair_text(m, form, m.int_cell(n)))


COUNTS = {"a": "0208", "d": "0209", "": "0201"}  # the messages of bad alphas, deltas, pseudo counts


def counts_of(m: Any, form: int, n: int, kind: str) -> tuple[list[Any], list[Any]]:
    """The alphas and deltas of a form that is meant as alphas ("a") or deltas ("d")."""
    value = checks.ground(m, COUNTS[kind], form)
    try:
        return distributions.hyperparameters(value, n, kind or "d", m.prob.flags)
    except distributions.Invalid:
        raise invalid_counts(m, form, kind) from None
    except distributions.Unmatched:
        raise unmatched_counts(m, form, n) from None
    except distributions.Unavailable:
        raise prism_error(m, "0203", runtime_error("default_hyperparameters_unavailable")) from None


def invalid_counts(m: Any, form: int, kind: str) -> PrologError:
    items, tail = m.list_items(form)
    counts = tail == m.nil and all(m.is_number(c) and m.number_value(c) >= 0 for c in items)
    named = "alphas" if kind == "a" and counts and items else "hyperparameters"
    return prism_error(m, COUNTS[kind], domain_error(named, form), form)


def unmatched_counts(m: Any, form: int, n: int) -> PrologError:
    """The error of pseudo counts that are not one for each of n outcomes."""
    return unmatched_error(m, "0211", "unmatched_pseudo_counts", form, n)


def check_form(m: Any, kind: str, form: int) -> None:
    """The form of parameters ("p"), alphas or deltas must be right, whatever switch it is for."""
    value = checks.ground(m, "0200" if kind == "p" else COUNTS[kind], form)
    try:
        if kind == "p":
            distributions.check_form(value)
        else:
            distributions.check_counts_form(value, kind, m.prob.flags)
    except distributions.Invalid:
        raise (invalid_distribution(m, form) if kind == "p" else invalid_counts(m, form, kind)) from None


def number_list(m: Any, numbers: list[Any]) -> int:
    return m.list_from([to_cell(m, x) for x in numbers])


@builtin("expand_probs(+Distribution:distribution, -Probabilities) is det")
def expand_fixed_probs(m: Any, form: int, probs: int) -> bool:
    value = checks.ground(m, "0200", form)
    try:
        numbers = distributions.fixed_size_probabilities(value, m.prob.flags)
    except distributions.Invalid:
        raise prism_error(m, "0200", domain_error("fixed_size_distribution", form), form) from None
    return m.unify(probs, number_list(m, numbers))


@builtin("expand_probs(+Distribution:distribution, +Size:positive_integer!0204, -Probabilities) is det")
def expand_probs(m: Any, form: int, n: int, probs: int) -> bool:
    return m.unify(probs, number_list(m, numbers_of(m, distributions.probabilities, form, n)))


@builtin("expand_fprobs(+Distribution:distribution, +Size:positive_integer!0204, -Probabilities) is det")
def expand_fprobs(m: Any, form: int, n: int, probs: int) -> bool:
    return m.unify(probs, number_list(m, numbers_of(m, distributions.weights, form, n)))


@builtin("expand_pseudo_counts(+Form, -Counts) is det")
def expand_fixed_counts(m: Any, form: int, counts: int) -> bool:
    value = checks.ground(m, "0201", form)
    try:
        numbers = distributions.explicit_counts(value)
    except distributions.Invalid:
        raise prism_error(m, "0201", domain_error("fixed_size_hyperparameters", form), form) from None
    return m.unify(counts, number_list(m, numbers))


@builtin("expand_pseudo_counts(+Form, +Size:positive_integer!0204, -Counts) is det")
def expand_pseudo_counts(m: Any, form: int, n: int, counts: int) -> bool:
    alphas, deltas = counts_of(m, form, n, "")
    as_alphas = to_plain(m, form) == "default" and m.prob.flags["default_sw_d"] == "$disabled"
    return m.unify(counts, number_list(m, alphas if as_alphas else deltas))


def shifted(m: Any, given: int, result: int, least: int, step: int, ident: str, domain: str) -> bool:
    """Add `step` to each number of a list; the numbers must be above (alphas) or at least 0."""
    numbers = checks.ground(m, ident, given)
    if not all_numbers(numbers) or any(x < 0 or (x == 0 and least) for x in numbers):
        raise prism_error(m, ident, domain_error(domain, given), given)
    return m.unify(result, number_list(m, [x + step for x in numbers]))


@builtin("alpha_to_delta(+Alphas, -Deltas) is det")
def alpha_to_delta(m: Any, alphas: int, deltas: int) -> bool:
    return shifted(m, alphas, deltas, 1, -1, "0208", "alphas")


@builtin("delta_to_alpha(+Deltas, -Alphas) is det")
def delta_to_alpha(m: Any, deltas: int, alphas: int) -> bool:
    return shifted(m, deltas, alphas, 0, 1, "0209", "deltas")


@builtin("expand_values(+Outcomes, -List) is det")
def expand_values(m: Any, given: int, values: int) -> bool:
    items = checks.list_or_nil(m, "2105", given)
    checks.ground(m, "1105", given)
    return m.unify(values, m.list_from(expanded_values(m, items)))


@builtin("expand_values1(+Outcomes, -List) is det")
def expand_values1(m: Any, given: int, values: int) -> bool:
    """The same; fails for what cannot be an outcome space: no list, or one that is not ground."""
    items, tail = m.list_items(given)
    return tail == m.nil and m.is_ground(given) and m.unify(values, m.list_from(expanded_values(m, items)))
