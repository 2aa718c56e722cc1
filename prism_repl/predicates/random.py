"""Random numbers, choices and permutations, from the session's one generator."""

import time
from typing import Any

from prism_repl.core.errors import PrologError, domain_error, type_error
from prism_repl.model import checks, distributions
from prism_repl.model.messages import pair_text, prism_error, prism_warning, runtime_error
from prism_repl.model.outcomes import expanded_values
from prism_repl.predicates.distributions import numbers_of
from prism_repl.predicates.lists import refuse_many
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.evaluables import number_cell


@builtin("random_set_seed is det")
def random_set_seed_now(m: Any) -> bool:
    m.prob.random.set_seed(int(time.time()))
    return True


@builtin("random_set_seed(+Seed) is det")
def random_set_seed(m: Any, seed: int) -> bool:
    value = checks.ground(m, "2000", seed)
    words = value if isinstance(value, list) and value else [value]
    if not all(isinstance(word, int) for word in words):
        raise prism_error(m, "2000", domain_error("random_seed", seed), seed)
    m.prob.random.set_seed(value)
    return True


@builtin("random_get_seed(-Seed) is det")
def random_get_seed(m: Any, seed: int) -> bool:
    value = m.prob.random.seed
    words = [m.int_cell(w) for w in value] if isinstance(value, list) else None
    return m.unify(seed, m.int_cell(value) if words is None else m.list_from(words))


@builtin("random_get_state(-State) is det")
def random_get_state(m: Any, state: int) -> bool:
    return m.unify(state, m.struct("$randstate", *[m.int_cell(w) for w in m.prob.random.state()]))


@builtin("random_set_state(+State) is det")
def random_set_state(m: Any, state: int) -> bool:
    words = checks.ground(m, "2001", state)
    if not m.is_compound(state):
        raise prism_error(m, "2001", type_error("compound", state), state)
    good = isinstance(words, tuple) and words[0] == "$randstate"
    good = good and all(isinstance(w, int) for w in words[1:])
    if not good or not m.prob.random.set_state(words[1:]):
        raise prism_error(m, "2001", domain_error("random_state", state), state)
    return True


def invalid_pair(m: Any, domain: str, low: int, high: int) -> PrologError:
    pair = m.list_from([low, high])
    return prism_error(m, "2008", domain_error(domain, pair), pair_text(m, low, high))


@builtin("random_int(+Max:positive_integer!2002, -X) is det")
def random_int(m: Any, high: int, value: int) -> bool:
    return m.unify(value, m.int_cell(m.prob.random.integer(0, high)))


def integer_between(m: Any, low: int, high: int, value: int, first: int, past: int, domain: str) -> bool:
    """An integer from low+first to high+past-1."""
    start, end = low + first, high + past
    if start >= end:
        raise invalid_pair(m, domain, m.int_cell(low), m.int_cell(high))
    return m.unify(value, m.int_cell(m.prob.random.integer(start, end)))


@builtin("random_int(+Min:integer!2003, +Max:integer!2004, -X) is det")
def random_int_from(m: Any, low: int, high: int, value: int) -> bool:
    return integer_between(m, low, high, value, 0, 0, "integer_range")


@builtin("random_int_incl(+Min:integer!2003, +Max:integer!2004, -X) is det")
def random_int_incl(m: Any, low: int, high: int, value: int) -> bool:
    return integer_between(m, low, high, value, 0, 1, "integer_range_inclusive")


@builtin("random_int_excl(+Min:integer!2003, +Max:integer!2004, -X) is det")
def random_int_excl(m: Any, low: int, high: int, value: int) -> bool:
    return integer_between(m, low, high, value, 1, 0, "integer_range_exclusive")


@builtin("random_uniform(-X) is det")
def random_uniform(m: Any, value: int) -> bool:
    return m.unify(value, m.float_cell(m.prob.random.uniform()))


@builtin("random_uniform(+Max:positive_number!2007, -X) is det")
def random_uniform_below(m: Any, high: float, value: int) -> bool:
    return m.unify(value, m.float_cell(m.prob.random.uniform() * high))


@builtin("random_uniform(+Min:number!2005, +Max:number!2006, -X) is det")
def random_uniform_between(m: Any, low: float, high: float, value: int) -> bool:
    if low >= high:
        raise invalid_pair(m, "number_range", number_cell(m, low), number_cell(m, high))
    return m.unify(value, m.float_cell(m.prob.random.uniform() * (high - low) + low))


@builtin("random_gaussian(-X) is det")
def random_gaussian(m: Any, value: int) -> bool:
    return m.unify(value, m.float_cell(m.prob.random.gaussian()))


@builtin("random_gaussian(+Mean:number!2009, +Deviation:positive_number!2010, -X) is det")
def random_gaussian_at(m: Any, mean: float, deviation: float, value: int) -> bool:
    return m.unify(value, m.float_cell(m.prob.random.gaussian() * deviation + mean))


@builtin("random_select(+Values:non_empty_list!2011, -X) is det")
def random_select(m: Any, elements: list[int], value: int) -> bool:
    return random_select_by(m, elements, m.atom("uniform"), value)


@builtin("random_select(+Values:non_empty_list!2011, +Distribution:distribution, -X) is det")
def random_select_by(m: Any, elements: list[int], form: int, value: int) -> bool:
    cells = expanded_values(m, elements)
    weights = numbers_of(m, distributions.selection_weights, form, len(cells), unmatched="0210")
    return m.unify(value, cells[m.prob.random.index(weights)])


@builtin("random_multiselect(+List:non_empty_list!2011, +N:integer!2012, -Selected) is det")
def random_multiselect(m: Any, cells: list[int], n: int, values: int) -> bool:
    if not 1 <= n <= len(cells):
        raise prism_error(m, "2013", runtime_error("invalid_argument"), m.int_cell(n))
    return m.unify(values, m.list_from([cells[i] for i in m.prob.random.sample(len(cells), n)]))


@builtin("random_group(+List:non_empty_list!2011, +N:positive_integer!2014, -Groups) is det")
def random_group(m: Any, cells: list[int], n: int, groups: int) -> bool:
    """Each element goes into one of the groups by chance; groups keep the order of the elements."""
    refuse_many(n)
    members: list[list[int]] = [[] for _ in range(n)]
    for cell in cells:
        members[m.prob.random.integer(0, n)].append(cell)
    return m.unify(groups, m.list_from([m.list_from(group) for group in members]))


@builtin("random_shuffle(+List:non_empty_list!2011, -Shuffled) is det")
def random_shuffle(m: Any, cells: list[int], values: int) -> bool:
    return m.unify(values, m.list_from([cells[i] for i in m.prob.random.permutation(len(cells))]))


# ---- old names: they work, with a warning


@builtin("dice(+Values:non_empty_list!2011, -X) is det")
def dice(m: Any, elements: list[int], value: int) -> bool:
    prism_warning(m, "3300", "dice/2", "random_select/2")
    return random_select(m, elements, value)


@builtin("dice(+Values:non_empty_list!2011, +Distribution:distribution, -X) is det")
def dice_by(m: Any, elements: list[int], form: int, value: int) -> bool:
    prism_warning(m, "3300", "dice/3", "random_select/3")
    return random_select_by(m, elements, form, value)


@builtin("set_seed(+Seed) is det")
def set_seed(m: Any, seed: int) -> bool:
    prism_warning(m, "3300", "set_seed/1", "random_set_seed/1")
    return random_set_seed(m, seed)


@builtin("set_seed_time is det")
def set_seed_time(m: Any) -> bool:
    prism_warning(m, "3300", "set_seed_time/0", "random_set_seed/0")
    return random_set_seed_now(m)


@builtin("set_seed_time(-Seed) is det")
def set_seed_time_to(m: Any, seed: int) -> bool:
    """Seed from the clock, and say with what."""
    set_seed_time(m)
    return random_get_seed(m, seed)
