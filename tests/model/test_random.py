"""Random numbers: ranges, seeds and states, and distributions by chi-square at fixed seeds."""

from collections import Counter

import numpy as np
import pytest

from prism_repl.learning.problem import LearnOptions, SwitchNumbers
from prism_repl.learning.segments import Segments
from prism_repl.learning.updates import Estimate, Variational
from prism_repl.model.chance import Random, words_from
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


# What PRISM draws right after seeding: words, uniform numbers, ten integers below 6, Gaussians.
VECTORS = {
    1: (
        [1791095845, 4282876139, 3093770124, 4005303368],
        [0.417022004702574, 0.7203244934421581, 0.00011437481734488664],
        [2, 5, 4, 5, 0, 0, 1, 5, 0, 1],
        [-0.24517851535942076, -1.2996615230957085, -1.3758166332833228],
    ),
    2: (
        [1872583848, 794921487, 111352301, 4000937544],
        [0.43599490214200376, 0.025926231827891333, 0.54966247787870914],
        [2, 1, 0, 5, 3, 5, 2, 2, 2, 1],
        [1.2714484208580321, 0.20896978051919624, -1.0049291998355077],
    ),
    42: (
        [1608637542, 3421126067, 4083286876, 787846414],
        [0.37454011884736249, 0.95071430640991617, 0.73199394181140509],
        [2, 4, 5, 1, 4, 4, 3, 3, 0, 2],
        [1.334805599237729, -0.42709100073892459, -0.64294568894907544],
    ),
    777: (
        [655685735, 2776480559, 1298611771, 862112678],
        [0.15266373490132201, 0.30235660970752121, 0.062036414714562005],
        [0, 3, 1, 1, 0, 3, 2, 1, 5, 3],
        [-0.62636573027463982, 1.8348572551522064, -2.2833838172177923],
    ),
    (1, 2, 3): (
        [2619334238, 1552691353, 3808334787, 2540200029],
        [0.60986127228672893, 0.88669704341468514, 0.47633673750662764],
        [3, 2, 5, 3, 2, 4, 5, 2, 0, 3],
        [0.7529621784439029, -0.64968877022228455, 0.97465634021794478],
    ),
}


@pytest.mark.parametrize("seed", VECTORS, ids=str)
def test_the_numbers_are_prisms(seed):
    words, uniforms, integers, gaussians = VECTORS[seed]

    def fresh():
        return Random(list(seed) if isinstance(seed, tuple) else seed)

    random = fresh()
    assert [random.word() for _ in words] == words
    assert fresh().uniforms(3) == uniforms
    random = fresh()
    assert [random.below(6) for _ in integers] == integers
    assert fresh().gaussians(3) == pytest.approx(gaussians, rel=4e-16, abs=0)


def test_seeds_are_taken_modulo_two_to_the_32():
    assert Random(-1).uniform() == Random(4294967295).uniform()
    assert Random([5]).uniform() != Random(5).uniform()
    assert Random([5 + (1 << 40)]).uniform() == Random([5]).uniform()


def test_half_a_pair_of_gaussians_outlives_a_new_seed():
    random = Random(1)
    first = random.gaussian()
    random.set_seed(1)
    second = random.gaussian()
    assert random.uniform() == VECTORS[1][1][0]
    assert [first, second] == pytest.approx(VECTORS[1][3][:2], rel=4e-16)


def test_a_session_without_a_seed_goes_on_after_the_first_word():
    random = Random()
    seeded = Random(random.seed)
    seeded.word()
    assert random.uniforms(3) == seeded.uniforms(3)


# Starts of learning: a switch with three outcomes and one with two.
STARTS = {
    (1, "random"): [
        0.3510498589834164,
        0.49294835760681804,
        0.15600178340976548,
        0.5536808779239196,
        0.4463191220760805,
    ],
    (42, "random"): [
        0.2315393998752581,
        0.4200010877671694,
        0.34845951235757255,
        0.6261314225674276,
        0.3738685774325725,
    ],
    (1, "noisy_u"): [
        0.3936324480086527,
        0.3063360628426514,
        0.300031489148696,
        0.5763769361872179,
        0.42362306381278214,
    ],
    (42, "noisy_u"): [
        0.41499518510723327,
        0.29957276303084,
        0.2854320518619267,
        0.4278174776121292,
        0.5721825223878708,
    ],
    (1, "vb"): [
        1.0163452343572947,
        1.086644101539714,
        1.091721108885555,
        1.403226832617695,
        1.1638498075279307,
    ],
    (42, "vb"): [
        1.088987039949182,
        1.028472733382595,
        1.0428630459299384,
        1.0458897508818474,
        1.1073476689939754,
    ],
}


@pytest.mark.parametrize(("seed", "init"), STARTS)
def test_learning_starts_where_prism_starts(seed, init):
    segments = Segments(np.array([0, 3, 5], dtype=np.int32))
    free = np.zeros(2, dtype=bool)
    numbers = SwitchNumbers(np.full(5, 0.5), np.zeros(5), free, free)
    options = LearnOptions(mode="vb" if init == "vb" else "ml", init="none" if init == "vb" else init)
    strategy = (Variational if init == "vb" else Estimate)(segments, numbers, options)
    assert strategy.initial(Random(seed)).tolist() == pytest.approx(STARTS[seed, init], rel=4e-16)


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
    assert m.arity_of(m.deref(m.bindings["X"])) == 833


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
        ("random_select(_,X)", "instantiation_error", "invalid elements; list expected -- _"),
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
        ("random_set_state(x)", "type_error(compound,x)", "invalid random state -- x"),
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


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32 - 1])
def test_seeding_is_numpy_s(seed):
    assert words_from(seed) == np.random.RandomState(seed).get_state()[1].tolist()
