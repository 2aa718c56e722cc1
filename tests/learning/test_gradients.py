"""Learning by gradients: gradients against differences, steps against formulas, objectives that go where they
should, on graphs with and without cycles and where switches are thrown once."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest

from prism_repl.inference.search import search
from prism_repl.learning.gradients import GradientLearner, GradientOptions, LogLikelihood
from prism_repl.learning.methods import expecting_on
from prism_repl.learning.optimizers import OptimizerOptions, optimizer
from prism_repl.learning.problem import LearnOptions, SwitchNumbers
from prism_repl.learning.ranking import LOSSES, RankLoss
from prism_repl.prolog.reader import read_term
from tests.support.programs import Program

TAGS = """
values(first,[name,verb]).
values(then(_),[name,verb]).
values(word(_),[ann,bob,runs]).
tag(Ws) :- msw(first,T), tag(T,Ws).
tag(T,[W]) :- msw(word(T),W).
tag(T,[W|Ws]) :- Ws = [_|_], msw(word(T),W), msw(then(T),N), tag(N,Ws).
start :- set_sw(first,[0.6,0.4]), set_sw(then(name),[0.3,0.7]), set_sw(then(verb),[0.8,0.2]),
  set_sw(word(name),[0.5,0.3,0.2]), set_sw(word(verb),[0.1,0.2,0.7]).
"""
CHAIN = """
values(step(_),[back,on]).
at(0).
at(N) :- N > 0, N < 4, msw(step(N),S), move(S,N,M), at(M).
move(back,N,M) :- M is N-1.
move(on,N,M) :- M is N+1.
"""
OVERLAP = """
values(a,[t,f]).
values(b,[t,f]).
values(c,[x,y,z]).
g :- msw(a,t).
g :- msw(b,t), msw(c,x).
h :- msw(a,f).
h :- msw(c,y).
"""


def graph_of(program, *goals):
    m = program.m
    return search(m, [m.deref(read_term(m, goal + " .").cell) for goal in goals]).graph


def problem(program, goals, objective, decay=0.0, seed=1, fixed=()):
    """A learner on the graph of some goals, and random weights."""
    graph = graph_of(program, *goals)
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=graph.n_instances)
    is_fixed = np.isin(np.arange(graph.n_switches), fixed)
    numbers = SwitchNumbers(np.exp(weights), np.zeros(graph.n_instances), is_fixed, is_fixed)
    options = LearnOptions(init="none", max_iterate=10)
    expecting = expecting_on(graph, options, program.m.prob.flags)
    gradients = GradientOptions(OptimizerOptions(), decay)
    return GradientLearner(graph, numbers, objective(graph), options, gradients, expecting), weights


def assert_gradient(learner, weights, batch=0, part=None):
    """The gradient agrees with differences of the objective (of `part` of it, if given)."""

    def value(weights):
        log_theta = learner.log_parameters(weights)
        logs = learner.goal_logs(log_theta)
        at = learner.objective.evaluate(logs, weights, log_theta) if part is None else part(logs)
        return at if part is not None else (at.value if not learner.objective.minimised else -at.likelihood)

    log_theta = learner.log_parameters(weights)
    gradient = learner.gradient(log_theta, learner.goal_logs(log_theta), batch)
    for i in range(len(weights)):
        step = np.zeros(len(weights))
        step[i] = 1e-6
        slope = (value(weights + step) - value(weights - step)) / 2e-6
        assert math.isclose(slope, gradient[i], rel_tol=1e-6, abs_tol=1e-6)


def likelihood(counts, pseudo_counts=0.0, failure=None, batches=1):
    def make(graph):
        return LogLikelihood(np.array(counts), np.full(graph.n_instances, pseudo_counts), failure, batches)

    return make


GOALS = ["tag([ann,runs])", "tag([bob,runs,ann])", "tag([runs])"]


@pytest.mark.parametrize("pseudo_counts", [0.0, 0.7])
def test_the_gradient_of_the_likelihood(tmp_path, pseudo_counts):
    assert_gradient(*problem(Program(tmp_path, TAGS), GOALS, likelihood([3.0, 1.0, 2.0], pseudo_counts)))


def test_the_gradient_with_failures(tmp_path):
    """The observed goals are those that did not fail: the last goal stands for the failures."""
    objective = likelihood([3.0, 1.0, 1.0], failure=2)
    assert_gradient(*problem(Program(tmp_path, TAGS), GOALS, objective))


def test_a_batch_has_its_own_goals(tmp_path):
    counts = np.array([3.0, 1.0, 2.0])
    learner, weights = problem(Program(tmp_path, TAGS), GOALS, likelihood(counts, batches=2))
    for batch, goals in ((0, [0, 2]), (1, [1])):
        assert_gradient(learner, weights, batch, lambda logs, goals=goals: float(counts[goals] @ logs[goals]))


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_gradient_of_ranking(tmp_path, loss):
    """Better and worse goals share switches, and one goal is both."""

    def objective(graph):
        return RankLoss([[0, 1, 2], [2, 0]], 3, loss, 1.0, 0.3, 1, False)

    assert_gradient(*problem(Program(tmp_path, TAGS), GOALS, objective))


def test_gradients_on_a_cycle(tmp_path):
    program = Program(tmp_path, CHAIN)
    program.ask("set_prism_flag(error_on_cycle,off)")
    assert_gradient(*problem(program, ["at(1)", "at(2)"], likelihood([2.0, 1.0])))
    ranking = lambda graph: RankLoss([[1, 0]], 2, "log", 1.0, 0.0, 1, False)  # noqa: E731
    assert_gradient(*problem(program, ["at(1)", "at(2)"], ranking))


def test_gradients_where_switches_are_thrown_once(tmp_path):
    program = Program(tmp_path, OVERLAP)
    program.ask("set_prism_flag(trials,once)")
    assert_gradient(*problem(program, ["g", "h"], likelihood([2.0, 1.0])))


def test_fixed_switches_have_no_gradient(tmp_path):
    learner, weights = problem(Program(tmp_path, TAGS), GOALS, likelihood([1.0, 1.0, 1.0]), fixed=[0])
    log_theta = learner.log_parameters(weights)
    gradient = learner.gradient(log_theta, learner.goal_logs(log_theta), 0)
    edges = learner.graph.switch_instances
    assert (log_theta[: edges[1]] == weights[: edges[1]]).all()
    assert (gradient[: edges[1]] == 0.0).all()
    assert gradient[edges[1] :].any()


# ---- steps


def test_optimizers_follow_their_formulas():
    gradients = np.array([[0.5, -2.0], [0.1, 0.0], [-0.3, 1.0]])
    plain = optimizer(OptimizerOptions("sgd", 0.1))
    assert [plain.step(g).tolist() for g in gradients] == (0.1 * gradients).tolist()
    options = OptimizerOptions("adam", 0.1, adam_beta=0.5, adam_gamma=0.8, adam_epsilon=0.01)
    adam = optimizer(options)
    r = v = np.zeros(2)
    for t, g in enumerate(gradients):
        r, v = 0.8 * r + 0.2 * g**2, 0.5 * v + 0.5 * g
        wanted = 0.1 / np.sqrt(r / (1 - 0.8 ** (t + 1)) + 0.01) * v / (1 - 0.5 ** (t + 1))
        assert np.allclose(adam.step(g), wanted)
    options = OptimizerOptions("adadelta", 0.5, adadelta_gamma=0.9, adadelta_epsilon=0.001)
    adadelta = optimizer(options)
    r = s = np.zeros(2)
    for g in gradients:
        r = 0.9 * r + 0.1 * g**2
        u = np.sqrt(s + 0.001) / np.sqrt(r + 0.001) * g
        s = 0.9 * s + 0.1 * u**2
        assert np.allclose(adadelta.step(g), 0.5 * u)


@pytest.mark.parametrize("name", ["sgd", "adadelta", "adam"])
def test_no_gradient_no_step(name):
    options = OptimizerOptions(name, adam_epsilon=0.0, adadelta_epsilon=0.0)
    assert optimizer(options).step(np.zeros(2)).tolist() == [0.0, 0.0]


# ---- runs


def learner_on(folder, text, *flags):
    program = Program(folder, text)
    for flag in ("init,none", "learn_message,em", "verb,em", *flags):
        program.printed(f"set_prism_flag({flag})")
    return program


def values(printed, name):
    return [float(x) for x in re.findall(rf"{name} ?= ?(-?[\d.]+)", printed)]


OBSERVED = "[count(tag([ann,runs]),3),tag([bob,runs,ann]),tag([runs])]"


def test_small_steps_climb_to_where_em_stands(tmp_path):
    program = learner_on(
        tmp_path,
        TAGS,
        "sgd_optimizer,sgd",
        "sgd_learning_rate,0.5",
        "sgd_weight_decay,0.0",
        "max_iterate,2000",
    )
    reached = values(program.printed(f"start, sgd_learn({OBSERVED})"), "log_likelihood")
    assert all(a <= b + 1e-12 for a, b in pairwise(reached))
    program.printed(f"start, set_prism_flag(epsilon,1.0e-12), learn({OBSERVED})")
    assert math.isclose(program.number("learn_statistics(log_likelihood,P)"), reached[-1], abs_tol=0.01)


def test_pseudo_counts_are_part_of_the_objective(tmp_path):
    """The maximum is MAP's. (PRISM's steps do not know of pseudo counts.)"""
    program = learner_on(
        tmp_path,
        TAGS,
        "sgd_optimizer,sgd",
        "sgd_learning_rate,0.05",
        "sgd_weight_decay,0.0",
        "max_iterate,3000",
    )
    program.printed(f"start, set_sw_all_d(_,0.5), sgd_learn({OBSERVED})")
    mine = program.number("learn_statistics(log_post,P)")
    program.printed(f"start, set_prism_flag(epsilon,1.0e-12), learn({OBSERVED})")
    assert math.isclose(program.number("learn_statistics(log_post,P)"), mine, abs_tol=1e-6)


def test_the_same_numbers_with_logarithms(tmp_path):
    program = learner_on(tmp_path, TAGS, "sgd_learning_rate,0.1", "max_iterate,20")
    plain = program.printed(f"start, sgd_learn({OBSERVED})")
    assert plain == program.printed(f"set_prism_flag(log_scale,on), start, sgd_learn({OBSERVED})")


def test_goals_too_improbable_for_floats(tmp_path):
    program = learner_on(tmp_path, TAGS, "sgd_learning_rate,0.1", "max_iterate,20")
    program.printed("start, length(_Ws,900), foreach(_W in _Ws,_W=ann), sgd_learn([tag(_Ws)])")
    assert program.number("learn_statistics(log_likelihood,P)") > -900.0


def test_a_parameter_of_zero_stays_zero(tmp_path):
    program = learner_on(tmp_path, TAGS, "sgd_learning_rate,0.1", "max_iterate,5")
    program.printed(f"start, set_sw(then(name),[0.0,1.0]), sgd_learn({OBSERVED})")
    assert program.one("get_sw(then(name),[_,_,X])") == "[0.0,1.0]"
    program.printed("rank_learn([[tag([ann,runs]),tag([bob,runs])]])")
    assert program.one("get_sw(then(name),[_,_,X])") == "[0.0,1.0]"
    assert program.formal("set_sw(word(verb),[0.5,0.5,0.0]), set_sw(word(name),[0.5,0.5,0.0]), "
        "sgd_learn([tag([runs])])") == "prism_runtime_error(invalid_numeric_value)"  # fmt: skip


def test_a_step_that_makes_the_loss_larger_is_undone(tmp_path):
    program = learner_on(tmp_path, TAGS, "sgd_learning_rate,-1.0", "max_iterate,5")
    printed = program.printed("start, rank_learn([[tag([ann,runs]),tag([bob,runs])]])")
    losses = values(printed, "total loss")
    assert losses[1] > losses[0]
    assert "PRISM WARNING: loss increased" in printed
    assert program.number("learn_statistics(num_iterations,P)") == 0
    assert math.isclose(program.number("learn_statistics(log_likelihood,P)"), losses[0], abs_tol=1e-6)
    assert program.one("get_sw(first,[_,_,X])") == "[0.6,0.4]"


def test_the_run_with_the_smallest_loss_is_kept(tmp_path):
    program = learner_on(
        tmp_path, TAGS, "init,random", "restart,6", "max_iterate,2", "verb,none", "sgd_learning_rate,0.01"
    )
    printed = program.printed("set_seed(3), rank_learn([[tag([ann,runs]),tag([bob,runs])]])")
    losses = values(printed.replace("Stopped: ", "loss="), "loss")
    assert len(losses) == 6
    assert math.isclose(program.number("learn_statistics(log_likelihood,P)"), min(losses), abs_tol=1e-9)


def test_ranking_changes_the_order_of_goals(tmp_path):
    program = learner_on(tmp_path, TAGS, "sgd_learning_rate,0.05", "max_iterate,50", "rank_loss,log")
    program.printed("start")
    before = program.one("rank([tag([bob,runs]),tag([ann,runs])],X)")
    losses = values(program.printed("rank_learn([[tag([bob,runs]),tag([ann,runs])]])"), "total loss")
    assert losses == sorted(losses, reverse=True)
    assert before == "[tag([ann,runs]),tag([bob,runs])]"
    assert program.one("rank([tag([bob,runs]),tag([ann,runs])],X)") == "[tag([bob,runs]),tag([ann,runs])]"


def test_steps_without_end_are_an_error_and_store_nothing(tmp_path):
    program = learner_on(tmp_path, TAGS, "sgd_optimizer,sgd", "sgd_learning_rate,1.0e300", "max_iterate,5")
    for call in (f"sgd_learn({OBSERVED})", "rank_learn([[tag([ann,runs]),tag([bob,runs])]])"):
        assert program.formal(f"start, {call}").startswith("prism_runtime_error(invalid_")
        assert program.one("get_sw(first,[_,_,X])") == "[0.6,0.4]"


@pytest.mark.parametrize(
    ("lists", "formal"),
    [
        ("X", "instantiation_error"),
        ("[tag([ann])|_]", "instantiation_error"),
        ("[[]]", "domain_error(observed_data,[[]])"),
        ("tag([ann])", "domain_error(observed_data,tag([ann]))"),
        ("[[count(tag([ann]),2)]]", "type_error(probabilistic_atom,count(tag([ann]),2))"),
        ("[[[tag([ann])]]]", "type_error(probabilistic_atom,[tag([ann])])"),
        ("[[tag([_])]]", "instantiation_error"),
        ("[[_]]", "instantiation_error"),
    ],
)
def test_what_cannot_be_ranked(tmp_path, lists, formal):
    program = Program(tmp_path, TAGS)
    assert program.one(f"catch(rank_learn({lists}),error(E,_),X=E)", "E") == formal
