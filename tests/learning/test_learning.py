"""Learning against numbers recorded from PRISM 2.4.2a (same start, nine digits), and against its own
theory."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_repl.graph import lane_sums
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.loop import learn
from prism_repl.learning.problem import LearningError, LearnOptions, SwitchNumbers
from prism_repl.learning.report import ProgressText, mark
from prism_repl.model.chance import Random
from tests.graph.random_graphs import graphs, random_parameters
from tests.support.search import EDGES, WEATHER_PARAMS, Search, Switch, edge_paths, pcfg, swim, weather

pytestmark = pytest.mark.quick

A, B, C, D = ["sun", "sun", "rain"], ["rain", "wind", "wind"], ["sun"] * 3, ["wind", "rain", "wind"]
SHORT = (["sun", "rain"], ["wind", "wind"])
EDGE_PARAMS = {edge: [p, 1 - p] for edge, p in EDGES.items()}
FIVE_PATHS = [("path", a, b) for a, b in [(1, 3), (1, 4), (2, 4), (2, 5), (3, 6)]]
SWIM_PARAMS = {"shape": [0.6, 0.4], "place(fit)": [0.6, 0.3, 0.1], "place(tired)": [0.1, 0.3, 0.6]}
SWIM_DELTA = {"shape": [0.2, 0.0], "place(fit)": [2.0, 1.0, 0.0], "place(tired)": [0.0, 1.0, 2.0]}


class Session:
    """Runs a learn and keeps what PRISM would print."""

    def __init__(
        self,
        model,
        theta,
        delta=0.0,
        fixed=(),
        fixed_h=(),
        verbose=False,
        every=10,
        show_itemp=False,
        seed=0,
        **options,
    ):
        self.graph, self.search = model
        options.setdefault("init", "none")
        names = [self.search.names[s] for s in self.graph.switch_ids]
        self.names = names
        numbers = SwitchNumbers(
            self.search.vector(self.graph, theta),
            self.search.vector(self.graph, delta),
            np.array([n in fixed for n in names]),
            np.array([n in fixed_h for n in names]),
        )
        written = []
        self.options = LearnOptions(**options)
        report = ProgressText(written.append, self.options.mode, every, verbose, show_itemp)
        try:
            self.result = learn(self.graph, numbers, self.options, Random(seed), report)
        finally:
            self.text = "".join(written)

    def values(self, name, array):
        s = self.names.index(name)
        return [
            round(x, 9)
            for x in array[self.graph.switch_instances[s] : self.graph.switch_instances[s + 1]].tolist()
        ]

    def theta(self, name):
        return self.values(name, self.result.theta)

    def alpha(self, name):
        return self.values(name, self.result.alpha)


def test_em():
    s = Session(weather(A, B, C, D), WEATHER_PARAMS)
    assert s.text == "#em-iters: 0..(26) (Converged: -9.295284783)\n"
    assert s.theta("report(calm)") == [0.833378502, 0.166621498, 0.0]
    assert s.theta("next(calm)") == [0.999837483, 0.000162517]


def test_em_with_counts():
    s = Session(weather(*SHORT, counts=[3, 2]), WEATHER_PARAMS)
    assert s.text == "#em-iters: 0.(17) (Converged: -7.524001664)\n"
    assert s.theta("next(storm)") == [0.000006397, 0.999993603]
    assert s.values("first", s.result.counts) == [3.0, 2.0]


def test_em_on_goals_with_variables():
    assert (
        Session(weather(["sun", None, "rain"]), WEATHER_PARAMS).text
        == "#em-iters: 0..(22) (Converged: -0.000741449)\n"
    )
    assert Session(weather([None, None]), WEATHER_PARAMS).text == "#em-iters: 0(1) (Converged: 0.000000000)\n"
    assert (
        Session(weather(["sun", "rain", "wind"] * 2), WEATHER_PARAMS).text
        == "#em-iters: 0.(16) (Converged: -4.682186312)\n"
    )


def test_map():
    s = Session(weather(A, B, C), WEATHER_PARAMS, 1.0)
    assert s.text == "#em-iters: 0..(21) (Converged: -20.068035746)\n"
    assert s.theta("report(storm)") == [0.464176753, 0.266589751, 0.269233496]
    expected = {
        "log_post": -20.068,
        "log_prior": -10.9704,
        "log_likelihood": -9.09762,
        "lambda": -20.068,
        "bic": -12.9428,
        "cs": -11.7514,
    }
    assert {k: float(f"{s.result.statistics[k]:.6g}") for k in expected} == expected
    assert [round(x, 5) for x in s.values("first", s.result.counts)] == [1.52763, 1.47237]


def test_map_with_unequal_pseudo_counts():
    uniform = {k: [1 / len(v)] * len(v) for k, v in WEATHER_PARAMS.items()}
    assert (
        Session(weather(*SHORT), WEATHER_PARAMS, uniform).text
        == "#em-iters: 0.(16) (Converged: -8.511776257)\n"
    )
    delta = {k: [1.0] * len(v) for k, v in WEATHER_PARAMS.items()}
    delta["report(calm)"] = [5.0, 1.0, 0.5]
    s = Session(weather(*SHORT), WEATHER_PARAMS, delta)
    assert s.text == "#em-iters: 0(8) (Converged: -16.669627682)\n"
    assert s.theta("report(calm)") == [0.738644138, 0.164944650, 0.096411212]


def test_vb():
    delta = {k: [0.0] * len(v) for k, v in WEATHER_PARAMS.items()}
    delta["report(calm)"], delta["report(storm)"] = [3.0, 0.0, 0.0], [0.0, 1.0, 2.0]
    s = Session(weather(A, B, C), WEATHER_PARAMS, delta, mode="both", std_ratio=1e-12)
    assert s.text == "#vbem-iters: 0.(11) (Converged: -11.345450214)\n"
    assert s.alpha("first") == [3.161312177, 1.838687823]
    assert s.theta("report(calm)") == [0.761737838, 0.145685699, 0.092576463]
    assert [round(x, 5) for x in s.values("first", s.result.counts)] == [2.16131, 0.83869]
    assert s.result.statistics["free_energy"] == s.result.objective
    starts = s.graph.switch_instances
    again = {name: s.result.alpha[starts[i] : starts[i + 1]] - 1.0 for i, name in enumerate(s.names)}
    s = Session(
        weather(["sun", "wind"]),
        WEATHER_PARAMS,
        again,
        mode="both",
        std_ratio=1e-12,
        fixed_h=("next(calm)", "next(storm)"),
    )
    assert s.text == "#vbem-iters: 0(3) (Converged: -2.546859973)\n"
    assert s.alpha("next(calm)") == [5.494777945, 2.122496860]
    assert s.alpha("report(storm)") == [1.240886942, 3.307529197, 5.650516753]


def test_vb_of_the_swimmer():
    model = swim(("two", "first", "second"), ("two", "last", "last"), ("race", "first"), counts=[3, 1, 1])
    s = Session(model, SWIM_PARAMS, SWIM_DELTA, mode="vb", std_ratio=1e-12)
    assert s.text == "#vbem-iters: 0(6) (Converged: -10.513796479)\n"
    assert s.result.theta is None
    assert s.alpha("place(fit)") == [6.820793460, 4.884433749, 1.037872053]


def test_viterbi_training():
    s = Session(weather(A, B, C), WEATHER_PARAMS, 1.0, mode="ml_vt")
    assert s.text == "#vt-iters: 0(2) (Converged: -22.587827351)\n"
    assert s.theta("next(calm)") == [0.875, 0.125]
    assert f"{s.result.statistics['log_likelihood']:.6g}" == "-9.42487"
    for log_scale in (False, True):
        s = Session(weather(*SHORT, counts=[4, 6]), WEATHER_PARAMS, 1.0, mode="ml_vt", log_scale=log_scale)
        assert s.text == "#vt-iters: 0(2) (Converged: -32.562490139)\n"
        assert s.theta("report(storm)") == [0.066666667, 0.066666667, 0.866666667]
    s = Session(
        weather(*SHORT, counts=[4, 6]), WEATHER_PARAMS, 1.0, mode="ml_vt", fixed=("next(calm)", "next(storm)")
    )
    assert s.text == "#vt-iters: 0(2) (Converged: -35.167676388)\n"


def test_viterbi_training_stops_at_small_gains():
    for mode in ("ml_vt", "vb_vt"):
        s = Session(weather(A, B, C), WEATHER_PARAMS, 1.0, mode=mode, std_ratio=1e-12, epsilon=100.0)
        assert "-iters: 0(1) (Converged: " in s.text


def test_viterbi_training_of_paths():
    s = Session(edge_paths(*FIVE_PATHS), EDGE_PARAMS, 1.0, mode="ml_vt")
    assert s.text == "#vt-iters: 0(2) (Converged: -15.600135017)\n"
    assert s.theta((2, 3)) == [0.857142857, 0.142857143]
    s = Session(edge_paths(("path", 1, 4), ("path", 5, 2), counts=[10, 3]), EDGE_PARAMS, 0.1, mode="ml_vt")
    assert s.text == "#vt-iters: 0(2) (Converged: -2.711423695)\n"
    # Zero pseudo counts: PRISM 2.4.2a does not learn here at all.
    s = Session(edge_paths(*FIVE_PATHS), EDGE_PARAMS, 0.0, mode="ml_vt")
    assert s.result.objective == 0.0
    assert s.theta((1, 2)) == [1.0, 0.0]
    assert s.theta((5, 4)) == [0.2, 0.8]  # not used: kept


def test_viterbi_training_of_the_grammar():
    start = {"S": [0.4, 0.3, 0.3]}
    assert Session(pcfg("a", "ab", "b", "bab"), start).text == "#em-iters: 0(2) (Converged: -10.195852573)\n"
    s = Session(pcfg("a", "ab", "b", "bab"), start, 1.0, mode="ml_vt")
    assert s.text == "#vt-iters: 0(2) (Converged: -14.206797196)\n"
    assert s.theta("S") == [0.307692308, 0.307692308, 0.384615385]


def test_variational_viterbi_training():
    delta = {
        "first": [1.0, 0.0],
        "next(calm)": [2.0, 0.0],
        "next(storm)": [0.0, 2.5],
        "report(calm)": [3.0, 0.0, 0.0],
        "report(storm)": [0.0, 1.0, 2.0],
    }
    s = Session(weather(A, B, C), WEATHER_PARAMS, delta, mode="both_vt", std_ratio=1e-12)
    assert s.text == "#vbvt-iters: 0(2) (Converged: -10.561266589)\n"
    assert s.theta("report(storm)") == [0.111111111, 0.333333333, 0.555555556]


def test_annealing():
    s = Session(weather(A, B, C), WEATHER_PARAMS, daem=True)
    assert s.text == "#em-iters: *0******(9) (Converged: -8.955242910)\n"
    s = Session(weather(A, B, C), WEATHER_PARAMS, daem=True, itemp_init=0.3, itemp_rate=2.0, show_itemp=True)
    assert s.text == "#em-iters: <0.300>0<0.600><1.000>(8) (Converged: -8.955233402)\n"
    s = Session(weather(A, B, C), WEATHER_PARAMS, daem=True, itemp_init=1.0, show_itemp=True)
    assert s.text == "#em-iters: <1.000>0...(33) (Converged: -6.522912655)\n"
    s = Session(
        swim(("two", "first", "second"), ("two", "last", "last"), counts=[3, 1]),
        SWIM_PARAMS,
        SWIM_DELTA,
        mode="vb",
        std_ratio=1e-12,
        daem=True,
    )
    assert s.text == "#vbem-iters: *0***.**.*(28) (Converged: -9.464566740)\n"
    assert s.alpha("shape") == [4.081525740, 2.118474260]


def test_annealing_ends_at_temperature_one_where_updates_run_out():
    # What is left of the temperatures is passed through without updates: the objective is the real one.
    s = Session(
        weather(A, B, C),
        WEATHER_PARAMS,
        daem=True,
        itemp_init=0.3,
        itemp_rate=2.0,
        show_itemp=True,
        max_iterate=2,
    )
    assert s.text == "#em-iters: <0.300>0<0.600><1.000>(2) (Stopped: -8.943538753)\n"
    after = {name: s.theta(name) for name in WEATHER_PARAMS}
    assert Session(weather(A, B, C), after, max_iterate=1, verbose=True).text.startswith(
        "Iteration #0:\tlog_likelihood=-8.94353"
    )


def test_restarts_without_initialisation_go_on_where_the_last_ended():
    s = Session(weather(A, B, C), WEATHER_PARAMS, restart=3)
    assert s.text == (
        "[0] #em-iters: 0...(33) (Converged: -6.522912655)\n"
        "[1] #em-iters: 0(1) (Converged: -6.522835872)\n"
        "[2] #em-iters: 0(1) (Converged: -6.522771901)\n"
    )
    assert s.result.iterations == 1
    assert s.theta("next(calm)") == [0.999680470, 0.000319530]


def test_limits_and_marks():
    assert (
        Session(weather(A, B, C), WEATHER_PARAMS, max_iterate=5).text
        == "#em-iters: 0(5) (Stopped: -6.620971248)\n"
    )
    assert (
        Session(weather(A, B, C), WEATHER_PARAMS, epsilon=0.01).text
        == "#em-iters: 0(9) (Converged: -6.561703373)\n"
    )
    assert (
        Session(weather(A, B, C), WEATHER_PARAMS, epsilon=1e-8, max_iterate=None).text
        == "#em-iters: 0........(84) (Converged: -6.522452305)\n"
    )
    assert (
        Session(weather(A, B, C), WEATHER_PARAMS, every=2).text
        == "#em-iters: 0.........20......(33) (Converged: -6.522912655)\n"
    )
    assert (
        Session(weather(A, B, C), WEATHER_PARAMS, epsilon=1e-14, max_iterate=125).text
        == "#em-iters: 0.........100..(125) (Stopped: -6.522452263)\n"
    )


def test_verbose():
    assert Session(weather(["sun"], ["rain"]), WEATHER_PARAMS, verbose=True, max_iterate=3).text == (
        "Iteration #0:\tlog_likelihood=-2.049494465\n"
        "Iteration #1:\tlog_likelihood=-1.386294361\n"
        "Iteration #2:\tlog_likelihood=-1.386294361\n"
        "* Converged (-1.386294361)\n"
    )


def test_marks_of_goals():
    assert "".join(mark(n, 1) for n in range(3)) == "0.."
    assert "".join(mark(n, 10) for n in range(27)) == "0.."


def test_noise_is_bounded_by_std_ratio():
    s = Session(weather(A, B), WEATHER_PARAMS, init="noisy_u", std_ratio=1e-12, max_iterate=1, epsilon=1e-30)
    assert s.theta("first") == [0.5, 0.5]
    assert s.theta("report(calm)")[0] == pytest.approx(1 / 3)


def test_a_change_within_rounding_is_convergence():
    s = Session(weather(A, B), WEATHER_PARAMS, init="none", max_iterate=None, epsilon=1e-300)
    assert s.result.converged


def test_an_error_of_a_run_has_drawn_its_start_only():
    """The starts of the other restarts, though drawn, are as if they were not."""
    graph, search = weather(A)
    fixed = np.array([True, False, False, False, False])
    theta = search.vector(graph, WEATHER_PARAMS)
    theta[graph.switch_instances[0]] = 0.0
    numbers = SwitchNumbers(theta, search.vector(graph, 0.0), fixed, fixed)
    states = []
    for restart in (1, 7):
        random = Random(4)
        with pytest.raises(LearningError, match="zero"):
            learn(graph, numbers, LearnOptions(restart=restart, log_scale=True, refuse_zero=True), random)
        states.append(random.uniform())
    assert states[0] == states[1]


def test_runs_that_have_ended_keep_little():
    """The state of the generator, which each run needs in case it fails, takes 25,000 bytes."""
    graph, search = weather(A)
    fixed = np.zeros(5, dtype=bool)
    numbers = SwitchNumbers(search.vector(graph, WEATHER_PARAMS), search.vector(graph, 0.0), fixed, fixed)
    tracemalloc.start()
    try:
        learn(graph, numbers, LearnOptions(restart=400, max_iterate=2), Random(0))
        assert tracemalloc.get_traced_memory()[1] < 400 * 5_000
    finally:
        tracemalloc.stop()


def test_initial_values_follow_the_order_of_switches():
    """Each switch takes its numbers from the generator when its turn comes; fixed ones take none."""
    graph, search = weather(A)
    fixed = np.array([False, True, False, False, False])
    numbers = SwitchNumbers(search.vector(graph, WEATHER_PARAMS), search.vector(graph, 0.0), fixed, fixed)
    order = [4, 1, 0, 3, 2]
    options = LearnOptions(init_order=order, max_iterate=0)
    theta = learn(graph, numbers, options, Random(9)).theta
    random = Random(9)
    for switch in order:
        a, b = graph.switch_instances[switch : switch + 2].tolist()
        if fixed[switch]:
            assert theta[a:b].tolist() == numbers.theta[a:b].tolist()
        else:
            drawn = 1.0 / (b - a) + np.array(random.uniforms(b - a))
            assert np.allclose(theta[a:b], drawn / drawn.sum())


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_leaves_the_numbers_alone(threads):
    graph, search = weather(A, B, C, D)
    numbers = SwitchNumbers(
        search.vector(graph, WEATHER_PARAMS), search.vector(graph, 0.0), np.zeros(5, bool), np.zeros(5, bool)
    )
    before = numbers.theta.copy()
    polls = []

    def poll():
        polls.append(1)
        if len(polls) == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(graph, numbers, LearnOptions(restart=20, threads=threads), Random(0), poll=poll)
    assert numbers.theta.tolist() == before.tolist()
    assert len(polls) < 60


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="no such mode"):
        LearnOptions(mode="mcmc")
    with pytest.raises(ValueError, match="no such initialisation"):
        LearnOptions(init="zero")


def hats(*goals, counts):
    colours = ["red", "blue", "green"]

    def clauses(goal):
        if goal == "failure":
            return [[Switch(1, c), Switch(2, c)] for c in colours]
        return [[Switch(1, goal[0]), Switch(2, goal[1])]]

    search = Search({1: colours, 2: colours}, clauses)
    return search.graph(goals, counts), search


def test_failure():
    start = {1: [0.5, 0.3, 0.2], 2: [0.2, 0.2, 0.6]}
    s = Session(
        hats(
            "failure",
            ("blue", "green"),
            ("green", "red"),
            ("red", "blue"),
            ("red", "green"),
            counts=[1, 4, 2, 6, 3],
        ),
        start,
        failure=0,
    )
    assert s.text == "#em-iters: 0.(11) (Converged: -23.966261147)\n"
    assert s.theta(1) == [0.527423041, 0.318929376, 0.153647583]
    s = Session(hats("failure", ("green", "red"), ("red", "blue"), counts=[1, 2, 6]), start, 0.1, failure=0)
    assert s.text == "#em-iters: 0.....(53) (Converged: -6.719112485)\n"
    assert s.theta(2) == [0.827756893, 0.169306026, 0.002937082]
    with pytest.raises(LearningError, match="DAEM not applicable") as error:
        Session(hats("failure", ("red", "blue"), counts=[1, 6]), start, failure=0, daem=True)
    assert error.value.reason == "daem_with_failure"


def chain(length, *more, counts=None):
    """Transcripts 19 and 46: two states, four symbols, seq(length) and other sequences."""
    switches = {"start": "pq", "go(p)": "pq", "go(q)": "pq", "say(p)": "xyzw", "say(q)": "xyzw"}
    sequences = ["".join("xyzw"[n % 4] for n in range(length, 0, -1)), *more]

    def clauses(goal):
        match goal:
            case (text,):
                return [[Switch("start", s), (s, text, 0)] for s in "pq"]
            case (_, text, at) if at == len(text):
                return [[]]
            case (s, text, at):
                return [
                    [Switch(f"say({s})", text[at]), Switch(f"go({s})", t), (t, text, at + 1)] for t in "pq"
                ]

    search = Search(switches, clauses)
    for text in sequences:  # bottom up, so that the toy search does not recurse deeply
        for at in range(len(text), -1, -1):
            for s in "pq":
                search.add((s, text, at))
    return search.graph([(text,) for text in sequences], counts), search


CHAIN_PARAMS = {
    "start": [0.5, 0.5],
    "go(p)": [0.9, 0.1],
    "go(q)": [0.2, 0.8],
    "say(p)": [0.4, 0.3, 0.2, 0.1],
    "say(q)": [0.1, 0.2, 0.3, 0.4],
}


@pytest.mark.parametrize("log_scale", [False, True])
def test_long_sequences_learn_with_and_without_the_flag(log_scale):
    s = Session(chain(600), CHAIN_PARAMS, log_scale=log_scale)
    assert s.text == "#em-iters: 0(9) (Converged: -831.776618563)\n"
    assert s.theta("start") == [0.680400946, 0.319599054]
    assert s.result.log_scale
    s = Session(chain(600, "xxx"), CHAIN_PARAMS, 0.5, max_iterate=30, log_scale=log_scale)
    assert s.text == "#em-iters: 0..(30) (Stopped: -843.940874484)\n"
    assert s.theta("say(q)") == [0.256169299, 0.247867164, 0.247495678, 0.248467860]


def test_underflow_is_told_once_a_run():
    class Notes(LearnEvents):
        def __init__(self):
            self.goals = []

        def log_scale_needed(self, run, goal):
            self.goals.append((run, goal))

    graph, search = chain(600, "xxx")
    notes = Notes()
    numbers = SwitchNumbers(
        search.vector(graph, CHAIN_PARAMS), search.vector(graph, 0.0), np.zeros(5, bool), np.zeros(5, bool)
    )
    result = learn(graph, numbers, LearnOptions(restart=6, max_iterate=4), Random(3), notes)
    assert notes.goals == [(run, 0) for run in range(6)]
    assert result.log_scale


def test_errors():
    with pytest.raises(LearningError, match="mixture of zero and non-zero pseudo counts"):
        Session(swim(("two", "first", "second")), SWIM_PARAMS, SWIM_DELTA)
    with pytest.raises(LearningError, match="negative delta values in MAP estimation"):
        Session(weather(A), WEATHER_PARAMS, -0.5)
    with pytest.raises(LearningError, match="parameters fixed to zero in MAP estimation"):
        Session(weather(A), {**WEATHER_PARAMS, "first": [1.0, 0.0]}, 1.0, fixed=("first",))
    with pytest.raises(LearningError) as error:
        Session(edge_paths(*FIVE_PATHS), EDGE_PARAMS, 1.0)
    assert error.value.message == "log likelihood greater than zero [value: 0.519444958] (at iteration #0)"
    assert error.value.reason == "invalid_likelihood"


def test_a_goal_of_probability_zero_is_named():
    start = {**WEATHER_PARAMS, "report(calm)": [1.0, 0.0, 0.0], "report(storm)": [1.0, 0.0, 0.0]}
    for mode in ("ml", "ml_vt"):
        with pytest.raises(LearningError) as error:
            Session(weather(C, B), start, mode=mode)
        assert error.value.goal == 1
        assert error.value.reason == "invalid_numeric_value"


@pytest.mark.parametrize("mode", ["ml", "vb", "ml_vt", "vb_vt"])
def test_threads_and_lanes_do_not_change_a_bit(mode):
    delta = 0.5 if mode != "ml" else 0.0

    def outcome(**options):
        s = Session(weather(A, B, C, D), WEATHER_PARAMS, delta, mode=mode, init="random", seed=5, **options)
        return (
            s.text,
            s.result.objective,
            s.result.best_run,
            (s.result.alpha if s.result.theta is None else s.result.theta).tolist(),
        )

    one = outcome(restart=11, threads=1)
    assert one == outcome(restart=11, threads=3)
    # Three runs go one after the other, eleven side by side: the first three are the same.
    alone = outcome(restart=3, threads=1)[0].splitlines()
    assert alone[0] == one[0].splitlines()[0]


def test_the_log_likelihood_of_many_goals_is_exact():
    rng = np.random.default_rng(1)
    counts = np.where(rng.random((5000, 3)) < 0.8, 1.0, rng.integers(0, 5, (5000, 3)).astype(float))
    values = 10.0 ** rng.uniform(-280.0, 0.0, (5000, 3))
    values[::7] = 10.0 ** rng.uniform(-20.0, 0.0, (715, 3))
    totals, weak = np.empty(3), np.empty(3, dtype=np.int32)
    for logs in (False, True):
        given = np.log(values) if logs else values
        lane_sums.log_likelihood(counts, given, totals, weak, 3, logs, -1e300 if logs else 1e-290)
        for lane in range(3):
            exact = math.fsum(n * math.log(x) for n, x in zip(counts[:, lane], values[:, lane], strict=True))
            assert math.isclose(totals[lane], exact, rel_tol=1e-14)
        assert weak.tolist() == [-1, -1, -1]
    counts[40], values[40, 1], values[90, 1], values[60, 2] = 0.0, 0.0, 1e-300, math.nan
    counts[60:100] = 2.0
    lane_sums.log_likelihood(counts, values, totals, weak, 3, False, 1e-290)
    assert weak.tolist() == [-1, 90, 60]


class Objectives(LearnEvents):
    def __init__(self):
        self.values = []

    def run_started(self, run, n_runs):
        self.values.append([])

    def evaluated(self, iteration, objective, likelihood, prior):
        self.values[-1].append(objective)


@settings(max_examples=100, deadline=None)
@given(
    graphs(exclusive=True),
    st.sampled_from(["ml", "map", "vb", "ml_vt", "map_vt", "vb_vt"]),
    st.booleans(),
    st.integers(0, 2**30),
)
def test_a_run_is_the_same_bits_alone_and_beside_others(graph, method, log_scale, seed):
    rng = np.random.default_rng(seed)
    pseudo = rng.uniform(0.1, 2.0, graph.n_instances)
    numbers = SwitchNumbers(
        random_parameters(graph, rng),
        pseudo * (not method.startswith("ml")),
        rng.random(graph.n_switches) < 0.2,
        rng.random(graph.n_switches) < 0.2,
    )
    outcomes = []
    # Five runs: on one thread side by side, on two threads one after the other.
    for threads in (1, 2):
        seen = Objectives()
        options = LearnOptions(
            mode=method.replace("map", "ml"), restart=5, log_scale=log_scale, threads=threads
        )
        result = learn(graph, numbers, options, Random(seed), seen)
        learned = result.alpha if result.theta is None else result.theta
        outcomes.append((seen.values, learned.tolist(), result.counts.tolist(), result.statistics))
    assert outcomes[0] == outcomes[1]


@settings(max_examples=1000, deadline=None)
@given(
    graphs(exclusive=True),
    st.sampled_from(["ml", "map", "vb", "ml_vt", "map_vt", "vb_vt"]),
    st.booleans(),
    st.integers(0, 2**30),
)
def test_objectives_never_fall(graph, method, log_scale, seed):
    rng = np.random.default_rng(seed)
    delta = (
        np.zeros(graph.n_instances) if method.startswith("ml") else rng.uniform(0.1, 2.0, graph.n_instances)
    )
    mode = method.replace("map", "ml")
    numbers = SwitchNumbers(
        random_parameters(graph, rng),
        delta,
        rng.random(graph.n_switches) < 0.2,
        rng.random(graph.n_switches) < 0.2,
    )
    seen = Objectives()
    result = learn(
        graph,
        numbers,
        LearnOptions(mode=mode, restart=5, log_scale=log_scale, epsilon=1e-6),
        Random(seed),
        seen,
    )
    for values in seen.values:
        for old, new in itertools.pairwise(values):
            assert new >= old - 1e-9 * (1.0 + abs(old))
    assert result.objective == max(values[-1] for values in seen.values)
    if mode == "ml_vt" and result.theta is not None:
        # The counts of the best explanations under the learned parameters reproduce those parameters.
        once_more = learn(
            graph,
            SwitchNumbers(result.theta, delta, numbers.fixed, numbers.fixed_h),
            LearnOptions(mode=mode, init="none"),
            Random(seed),
        )
        assert once_more.iterations == 1
        assert math.isclose(once_more.objective, result.objective, rel_tol=1e-9, abs_tol=1e-9)
