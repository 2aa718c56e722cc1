"""expand_values, expand_probs, expand_pseudo_counts and what other predicates share with them."""

from collections.abc import Callable
from typing import Any

from prism_repl.core.errors import domain_error
from prism_repl.model import checks, distributions
from prism_repl.model.messages import pair_text, prism_error, runtime_error
from prism_repl.model.outcomes import expanded_values
from prism_repl.model.term_values import all_numbers, to_cell, to_plain
from prism_repl.prolog.builtins.registry import builtin

Source = tuple[str, int] | None
EXPANDING = ("expand_pseudo_counts", 3)


def numbers_of(
    m: Any,
    expand: Callable[..., list[Any]],
    form: int,
    n: int,
    source: Source,
    unmatched: str = "0211",
    unmatched_source: Source = None,
) -> list[Any]:
    """Expand a distribution form over n outcomes, or raise PRISM's error about it."""
    checks.bound(m, "0200", form, source)
    try:
        return expand(to_plain(m, form), n, m.prob.flags, m.prob.random)
    except distributions.Invalid:
        raise prism_error(m, "0200", domain_error("distribution", form), form, source=source) from None
    except distributions.Unmatched:
        error = runtime_error("unmatched_distribution")
        raise unmatched_error(m, unmatched, error, form, n, unmatched_source or source) from None
    except distributions.Unavailable:
        error = runtime_error("default_distribution_unavailable")
        raise prism_error(m, "0202", error, source=source) from None


def unmatched_error(m: Any, ident: str, error: Any, form: int, n: int, source: Source) -> Any:
    return prism_error(m, ident, error, pair_text(m, form, m.int_cell(n)), source=source)


def counts_of(m: Any, form: int, n: int, kind: str, source: Source = None) -> tuple[list[Any], list[Any]]:
    """The alphas and deltas of a form that is meant as alphas ("a") or deltas ("d")."""
    ident = {"a": "0208", "d": "0209", "": "0201"}[kind]
    checks.bound(m, ident, form, source)
    try:
        return distributions.hyperparameters(to_plain(m, form), n, kind or "d", m.prob.flags)
    except distributions.Invalid:
        raise prism_error(m, ident, domain_error("hyperparameters", form), form, source=source) from None
    except distributions.Unmatched:
        raise unmatched_counts(m, form, n) from None
    except distributions.Unavailable:
        error = runtime_error("default_hyperparameters_unavailable")
        raise prism_error(m, "0203", error, source=EXPANDING) from None


def unmatched_counts(m: Any, form: int, n: int) -> Any:
    """The error of pseudo counts that are not one for each of n outcomes."""
    return unmatched_error(m, "0211", runtime_error("unmatched_pseudo_counts"), form, n, EXPANDING)


def number_list(m: Any, numbers: list[Any]) -> int:
    return m.list_from([to_cell(m, x) for x in numbers])


@builtin("expand_probs", 2)
def expand_fixed_probs(m: Any, form: int, probs: int) -> bool:
    checks.bound(m, "0200", form)
    try:
        numbers = distributions.fixed_size_probabilities(to_plain(m, form), m.prob.flags)
    except distributions.Invalid:
        raise prism_error(m, "0200", domain_error("fixed_size_distribution", form), form) from None
    return m.unify(probs, number_list(m, numbers))


@builtin("expand_probs", 3)
def expand_probs(m: Any, form: int, size: int, probs: int) -> bool:
    n = checks.positive_integer(m, "0204", size)
    return m.unify(probs, number_list(m, numbers_of(m, distributions.probabilities, form, n, None)))


@builtin("expand_fprobs", 3)
def expand_fprobs(m: Any, form: int, size: int, probs: int) -> bool:
    n = checks.positive_integer(m, "0204", size)
    return m.unify(probs, number_list(m, numbers_of(m, distributions.weights, form, n, None)))


@builtin("expand_pseudo_counts", 2)
def expand_fixed_counts(m: Any, form: int, counts: int) -> bool:
    checks.bound(m, "0201", form)
    try:
        numbers = distributions.explicit_counts(to_plain(m, form))
    except distributions.Invalid:
        raise prism_error(m, "0201", domain_error("fixed_size_hyperparameters", form), form) from None
    return m.unify(counts, number_list(m, numbers))


@builtin("expand_pseudo_counts", 3)
def expand_pseudo_counts(m: Any, form: int, size: int, counts: int) -> bool:
    n = checks.positive_integer(m, "0204", size)
    alphas, deltas = counts_of(m, form, n, "")
    as_alphas = to_plain(m, form) == "default" and m.prob.flags["default_sw_d"] == "$disabled"
    return m.unify(counts, number_list(m, alphas if as_alphas else deltas))


def shifted(m: Any, given: int, result: int, least: int, step: int, ident: str, domain: str) -> bool:
    """Add `step` to each number of a list; the numbers must be above (alphas) or at least 0."""
    checks.bound(m, ident, given)
    numbers = to_plain(m, given)
    if not all_numbers(numbers) or any(x < 0 or (x == 0 and least) for x in numbers):
        raise prism_error(m, ident, domain_error(domain, given), given)
    return m.unify(result, number_list(m, [x + step for x in numbers]))


@builtin("alpha_to_delta", 2)
def alpha_to_delta(m: Any, alphas: int, deltas: int) -> bool:
    return shifted(m, alphas, deltas, 1, -1, "0208", "alphas")


@builtin("delta_to_alpha", 2)
def delta_to_alpha(m: Any, deltas: int, alphas: int) -> bool:
    return shifted(m, deltas, alphas, 0, 1, "0209", "deltas")


@builtin("expand_values", 2)
def expand_values(m: Any, given: int, values: int) -> bool:
    return m.unify(values, m.list_from(expanded_values(m, checks.list_or_nil(m, "2105", given))))


@builtin("expand_values1", 2)
def expand_values1(m: Any, given: int, values: int) -> bool:
    """The same; fails for what cannot be an outcome space: no list, or one that is not ground."""
    items, tail = m.list_items(given)
    return tail == m.nil and m.is_ground(given) and m.unify(values, m.list_from(expanded_values(m, items)))
