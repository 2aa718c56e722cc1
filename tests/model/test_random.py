"""Random numbers: ranges, seeds and states, and distributions by chi-square at fixed seeds."""

from collections import Counter

import pytest

from prism_repl.model.chance import Random
from tests.support.world import World

pytestmark = pytest.mark.quick

# 99.9% points of the chi-square distribution, by degrees of freedom
LIMIT = {1: 10.8, 2: 13.8, 3: 16.3, 5: 20.5, 9: 27.9, 15: 37.7, 23: 49.7}


def chi_square(observed, expected):
    assert sum(observed.values()) == pytest.approx(sum(expected.values()))
    value = sum((observed[k] - e) ** 2 / e for k, e in expected.items())
    return value, LIMIT[len(expected) - 1]


def even(keys, n):
    keys = list(keys)
    return dict.fromkeys(keys, n / len(keys))


def test_integers_are_even():
    random = Random(11)
    counts = Counter(random.integer(5, 15) for _ in range(20000))
    value, limit = chi_square(counts, even(range(5, 15), 20000))
    assert value < limit


def test_big_integers_are_even():
    random = Random(12)
    step = 1 << 100
    counts = Counter(random.integer(0, 10 * step) // step for _ in range(5000))
    value, limit = chi_square(counts, even(range(10), 5000))
    assert value < limit


def test_uniform_numbers_are_even():
    m = World()
    m.ask("random_set_seed(7)")
    numbers = [float(m.value("random_uniform(2,4,X)")) for _ in range(4000)]
    assert min(numbers) >= 2
    assert max(numbers) <= 4
    value, limit = chi_square(Counter(min(int((x - 2) * 5), 9) for x in numbers), even(range(10), 4000))
    assert value < limit


def test_gaussian_numbers_have_the_right_quantiles():
    m = World()
    m.ask("random_set_seed(8)")
    bounds = [10 + 2 * q for q in (-0.6745, 0.0, 0.6745)]  # quartiles of N(10,4)
    numbers = [float(m.value("random_gaussian(10,2,X)")) for _ in range(4000)]
    counts = Counter(sum(x > b for b in bounds) for x in numbers)
    value, limit = chi_square(counts, even(range(4), 4000))
    assert value < limit


def test_select_follows_the_distribution():
    m = World()
    m.ask("random_set_seed(9)")
    counts = Counter(m.value("random_select([a,b,c,d],1:2:3:4,X)") for _ in range(4000))
    value, limit = chi_square(counts, {"a": 400, "b": 800, "c": 1200, "d": 1600})
    assert value < limit
    counts = Counter(m.value("random_select([1-3,x],X)") for _ in range(4000))
    value, limit = chi_square(counts, even(["1", "2", "3", "x"], 4000))
    assert value < limit


def test_shuffles_are_even():
    m = World()
    m.ask("random_set_seed(10)")
    counts = Counter(m.value("random_shuffle([1,2,3,4],X)") for _ in range(4800))
    assert len(counts) == 24
    value, limit = chi_square(counts, even(counts, 4800))
    assert value < limit


def test_multiselect_is_even_and_keeps_order():
    m = World()
    m.ask("random_set_seed(13)")
    counts = Counter(m.value("random_multiselect([a,b,c,d],2,X)") for _ in range(3000))
    pairs = ["[a,b]", "[a,c]", "[a,d]", "[b,c]", "[b,d]", "[c,d]"]
    value, limit = chi_square(counts, even(pairs, 3000))
    assert value < limit


def test_groups_are_even():
    m = World()
    m.ask("random_set_seed(14)")
    counts = Counter(m.value("random_group([1,2,3,4],2,X)") for _ in range(3200))
    assert len(counts) == 16
    value, limit = chi_square(counts, even(counts, 3200))
    assert value < limit


@pytest.mark.parametrize("seed", ["5", "-5", "[1,2,3]", "100000000000000000000000"])
def test_seeds_repeat(seed):
    m = World()
    runs = []
    for _ in range(2):
        m.ask(f"random_set_seed({seed})")
        runs.append([m.value("random_int(1000000,X)") for _ in range(5)])
    assert runs[0] == runs[1]
    assert m.value("random_get_seed(X)") == seed


def test_different_seeds_differ():
    draws = {tuple(Random(seed).integer(0, 10**6) for _ in range(3)) for seed in range(-5, 5)}
    assert len(draws) == 10


def test_states_repeat():
    m = World()
    for draw in ("random_int(1000000,X)", "random_uniform(X)", "random_gaussian(X)"):
        m.ask("random_int(1000000,_)")
        state = m.prob.random.state()
        first = [m.value(draw) for _ in range(700)]
        assert m.prob.random.set_state(state)
        assert [m.value(draw) for _ in range(700)] == first
    m.ask("random_get_state(X)")
    assert m.arity_of(m.deref(m.bindings["X"])) == 625


def test_bounds():
    m = World()
    assert m.value("random_int(1,X)") == "0"
    assert m.value("random_int(5,6,X)") == "5"
    assert m.value("random_int_incl(4,4,X)") == "4"
    assert m.value("random_int_excl(4,6,X)") == "5"
    assert m.value("random_select([a,b,c],[0.0,1.0,0.0],X)") == "b"
    assert m.value("random_multiselect([a,b,c],3,X)") == "[a,b,c]"
    assert m.value("random_group([1,2,3,4],1,X)") == "[[1,2,3,4]]"
    assert m.value("dice([only],X)") == "only"


@pytest.mark.parametrize(
    ("query", "formal", "message"),
    [
        (
            "random_gaussian(5,0.0,X)",
            "domain_error(greater_than_zero,0.0)",
            "invalid sigma; positive number expected -- 0.0",
        ),
        ("random_select([a,b],[0.5],X)", "domain_error(distribution,[0.5])", "invalid distribution -- [0.5]"),
        ("random_select([],X)", "type_error(list,[])", "invalid elements; list expected -- []"),
        ("random_select(_,X)", "type_error(list,_", "invalid elements; list expected -- _"),
        (
            "random_multiselect([a,b,c],0,X)",
            "prism_runtime_error(invalid_argument)",
            "number of selections out of range -- 0",
        ),
        ("random_multiselect([a,b,c],x,X)", "type_error(integer,x)", "invalid number of selections"),
        ("random_shuffle([],X)", "type_error(list,[])", "invalid elements; list expected -- []"),
        (
            "random_int(0,X)",
            "domain_error(greater_than_zero,0)",
            "invalid max value; positive integer expected -- 0",
        ),
        ("random_int(a,X)", "type_error(integer,a)", "invalid max value; positive integer expected -- a"),
        ("random_int(_,X)", "instantiation_error", "invalid max value"),
        ("random_int(5,3,X)", "domain_error(integer_range,[5,3])", "invalid min/max pair -- (5,3)"),
        ("random_int_excl(4,5,X)", "domain_error(integer_range_exclusive,[4,5])", "invalid min/max pair"),
        ("random_set_seed(a)", "domain_error(random_seed,a)", "invalid random seed -- a"),
        ("random_set_seed([])", "domain_error(random_seed,[])", "invalid random seed -- []"),
        ("random_set_state(x)", "domain_error(random_state,x)", "invalid random state -- x"),
        (
            "random_set_state('$randstate'(1))",
            "domain_error(random_state,'$randstate'(1))",
            "invalid random state",
        ),
        ("random_group([a],0,X)", "domain_error(greater_than_zero,0)", "invalid number of groups"),
    ],
)
def test_refusals(query, formal, message):
    answer, output = World().ask(query)
    assert answer.startswith(formal)
    assert output.startswith("***  PRISM ERROR: " + message)
