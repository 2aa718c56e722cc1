"""mcmc and its family: samples of explanations with the parameters integrated out."""

from __future__ import annotations

import statistics
import time
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.errors import domain_error
from prism_repl.inference import exact_marginal
from prism_repl.inference.mcmc import Samples, SwitchUse
from prism_repl.inference.search import NoExplanation, Search, infer, poll, search
from prism_repl.inference.sums import Sums
from prism_repl.learning.observations import observations
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, runtime_error, say
from prism_repl.predicates.mcmc_run import (
    Sampling,
    Source,
    goal_list,
    messages_of,
    options_of,
    refuse_failure,
)
from prism_repl.predicates.viterbi import ExplanationTerms
from prism_repl.prolog.builtins.registry import builtin


def sampled(m: Any, goals: int, options: int, source: Source, silent: bool) -> Samples | None:
    """Run the chain; None if the goals are no list."""
    items = goal_list(m, goals, source)
    if items is None:
        return None
    chosen = options_of(m, options, source)
    return Sampling(m, goals, items, chosen, set() if silent else messages_of(m)).run(source)


@builtin("mcmc(+Goals) is det")
def mcmc_1(m: Any, goals: int) -> bool:
    return mcmc(m, goals, m.nil)


@builtin("mcmc(+Goals, +Options:options) is det")
def mcmc(m: Any, goals: int, options: int) -> bool:
    return sampled(m, goals, options, ("mcmc", 2), False) is not None


def kept_samples(m: Any, source: Source) -> Samples:
    samples: Samples | None = m.prob.statistics.get("mcmc_samples")
    if samples is None:
        raise prism_error(m, "1501", runtime_error("mcmc_unfinished"), source=source)
    return samples


def note_time(m: Any, key: str, started: float) -> None:
    m.prob.statistics.setdefault("mcmc", {})[key] = time.perf_counter() - started


def estimates(m: Any, samples: Samples) -> tuple[float, float]:
    started = time.perf_counter()
    result = samples.free_energy, samples.log_marginal()
    note_time(m, "mcmc_marg_time", started)
    return result


def say_estimates(m: Any, energy: float, marginal: float) -> bool:
    say(m, f"\nFree energy = {energy:.12f}\nEstimated log-marginal-likelihood = {marginal:.12f}\n\n")
    return True


def float_list(m: Any, *values: float) -> int:
    cells = [m.int_cell(v) if isinstance(v, int) else m.float_cell(v) for v in values]
    return int(m.list_from(cells))


@builtin("marg_mcmc is det")
def marg_mcmc_0(m: Any) -> bool:
    return say_estimates(m, *estimates(m, kept_samples(m, ("marg_mcmc", 1))))


@builtin("marg_mcmc(-Pair) is det")
def marg_mcmc(m: Any, result: int) -> bool:
    return bool(m.unify(result, float_list(m, *estimates(m, kept_samples(m, ("marg_mcmc", 1))))))


FULL = ("marg_mcmc_full", 3)


@builtin("marg_mcmc_full(+Goals) is det")
def marg_mcmc_full_1(m: Any, goals: int) -> bool:
    return marg_mcmc_full_2(m, goals, m.nil)


@builtin("marg_mcmc_full(+Goals, +Options:options) is det")
def marg_mcmc_full_2(m: Any, goals: int, options: int) -> bool:
    samples = sampled(m, goals, options, FULL, True)
    return samples is not None and say_estimates(m, *estimates(m, samples))


@builtin("marg_mcmc_full(+Goals, +Options:options, -Pair) is det")
def marg_mcmc_full(m: Any, goals: int, options: int, result: int) -> bool:
    samples = sampled(m, goals, options, FULL, True)
    return samples is not None and m.unify(result, float_list(m, *estimates(m, samples)))


AVERAGE = ("ave_marg_mcmc", 5)


def averages(m: Any, number: int, goals: int, options: int) -> tuple[int, list[float], list[float]] | None:
    """How many runs; mean and standard deviation of free energies and of estimates."""
    runs = checks.positive_integer(m, "1506", number, AVERAGE)
    found = []
    for k in range(runs):
        samples = sampled(m, goals, options, AVERAGE, True)
        if samples is None:
            return None
        found.append(estimates(m, samples))
        say(m, f"[{k + 1}] VFE = {found[-1][0]:.12f}, EML = {found[-1][1]:.12f}\n")

    def summary(values: list[float]) -> list[float]:
        return [statistics.fmean(values), statistics.stdev(values) if runs > 1 else 0]

    return runs, summary([energy for energy, _ in found]), summary([marginal for _, marginal in found])


def show_averages(m: Any, number: int, goals: int, options: int) -> bool:
    found = averages(m, number, goals, options)
    if found is None:
        return False
    runs, energy, marginal = found
    say(
        m,
        f"\nIteration: {runs}\nVFE: ave = {energy[0]:.12f}, std = {energy[1]:.12f}\n"
        f"Estimated ML: ave = {marginal[0]:.12f}, std = {marginal[1]:.12f}\n\n",
    )
    return True


@builtin("ave_marg_mcmc(+N, +Goals) is det")
def ave_marg_mcmc_2(m: Any, number: int, goals: int) -> bool:
    return show_averages(m, number, goals, m.nil)


@builtin("ave_marg_mcmc(+N, +Goals, +Options:options) is det")
def ave_marg_mcmc_3(m: Any, number: int, goals: int, options: int) -> bool:
    return show_averages(m, number, goals, options)


@builtin("ave_marg_mcmc(+N, +Goals, +Options:options, -Estimate) is det")
def ave_marg_mcmc_4(m: Any, number: int, goals: int, options: int, marginal: int) -> bool:
    found = averages(m, number, goals, options)
    return found is not None and m.unify(marginal, float_list(m, *found[2]))


@builtin("ave_marg_mcmc(+N, +Goals, +Options:options, -FreeEnergy, -Estimate) is det")
def ave_marg_mcmc(m: Any, number: int, goals: int, options: int, energy: int, marginal: int) -> bool:
    found = averages(m, number, goals, options)
    if found is None:
        return False
    return m.unify(energy, float_list(m, *found[1])) and m.unify(marginal, float_list(m, *found[2]))


# ---- prediction

PREDICT = ("predict_mcmc", 3)
PREDICT_FULL = ("predict_mcmc_full", 5)


def predict(m: Any, candidates: int, goals: int, answers: int, source: Source = PREDICT) -> bool:
    """[[Goal,Explanation,LogP],...]: of the likeliest explanations of each goal the most probable one by the
    samples."""
    items = goal_list(m, goals, source)
    if items is None:
        return False
    samples = kept_samples(m, source)
    started = time.perf_counter()
    cells = []
    for goal in items:
        found = infer(m, goal, lambda found: best_prediction(m, samples, found, candidates))
        if found is None:
            raise prism_error(m, "1306", runtime_error("explanation_not_found"), goal, source=source)
        score, instance, graph = found
        if not m.unify(goal, instance):
            return False
        cells.append(m.list_from([instance, graph, m.float_cell(score)]))
    note_time(m, "mcmc_pred_time", started)
    return bool(m.unify(answers, m.list_from(cells)))


def best_prediction(m: Any, samples: Samples, found: Search, candidates: int) -> tuple[float, int, int]:
    """(score, instance, explanation) of the best candidate; among equal ones the last."""
    found.refuse_cycle(always=True)
    switches, graph = m.prob.switches, found.graph
    parameters = switches.parameters()
    parameters[samples.instance_ids] = samples.theta
    inference = Sums(graph, parameters[graph.instance_ids], False, poll(m))
    alphas, _ = switches.hyperparameters(m, graph.switch_ids.tolist())
    owner = graph.switch_of_instance()
    best: tuple[float, list[int]] | None = None
    for explanation in inference.n_viterbi(candidates):
        counts = np.zeros(graph.n_instances)
        for instance, times in inference.switch_counts(explanation).items():
            counts[instance] += times
        uses = []
        for s in np.unique(owner[counts > 0]).tolist():
            begin, end = graph.switch_instances[s : s + 2]
            alpha = alphas[graph.instance_ids[begin:end]]
            uses.append(SwitchUse(int(graph.switch_ids[s]), counts[begin:end], alpha))
        score = samples.log_predictive(uses)
        if best is None or score >= best[0]:
            best = (score, explanation.paths)
    assert best is not None
    score, paths = best
    terms = ExplanationTerms(found)
    instance = terms.instance(paths[0])
    nodes = terms.graph(paths)
    if instance != found.node_cell(terms.node_of[paths[0]]):
        # the node of the goal that was asked stands for the instance
        above = m.struct("node", instance, m.list_from([m.struct("path", m.list_from([instance]), m.nil)]))
        nodes = m.cons(above, terms.graph(paths[1:]))
    return score, instance, int(nodes)


@builtin("predict_mcmc(+Goals, -Answers) is det")
def predict_mcmc_2(m: Any, goals: int, answers: int) -> bool:
    return predict(m, m.prob.flags["rerank"], goals, answers)


@builtin("predict_mcmc(+K, +Goals, -Answers) is det")
def predict_mcmc_3(m: Any, candidates: int, goals: int, answers: int) -> bool:
    return predict(m, checks.positive_integer(m, "1400", candidates, PREDICT), goals, answers)


def predict_after(m: Any, observed: int, options: int, candidates: int, goals: int, answers: int) -> bool:
    if goal_list(m, goals, PREDICT_FULL) is None:
        return False
    if sampled(m, observed, options, PREDICT_FULL, True) is None:
        return False
    return predict(m, candidates, goals, answers, PREDICT_FULL)


@builtin("predict_mcmc_full(+Observed, +Goals, -Answers) is det")
def predict_mcmc_full_3(m: Any, observed: int, goals: int, answers: int) -> bool:
    return predict_after(m, observed, m.nil, m.prob.flags["rerank"], goals, answers)


@builtin("predict_mcmc_full(+Observed, +Options:options, +Goals, -Answers) is det")
def predict_mcmc_full_4(m: Any, observed: int, options: int, goals: int, answers: int) -> bool:
    return predict_after(m, observed, options, m.prob.flags["rerank"], goals, answers)


@builtin("predict_mcmc_full(+Observed, +Options:options, +K, +Goals, -Answers) is det")
def predict_mcmc_full(m: Any, observed: int, options: int, candidates: int, goals: int, answers: int) -> bool:
    number = checks.positive_integer(m, "1400", candidates, PREDICT_FULL)
    return predict_after(m, observed, options, number, goals, answers)


# ---- the exact value

EXACT = ("marg_exact", 2)


def exact(m: Any, goals: int) -> float | None:
    items = goal_list(m, goals, EXACT)
    if items is None:
        return None
    refuse_failure(m, items, goals, EXACT)
    if not items:
        raise prism_error(m, "1302", domain_error("observed_data", goals), goals, source=EXACT)
    started = time.perf_counter()
    observed = observations(m, goals)
    try:
        found = search(m, observed.goals)
    except NoExplanation as missing:
        raise prism_error(
            m, "1306", runtime_error("explanation_not_found"), missing.goal, source=EXACT
        ) from None
    found.refuse_cycle(always=True)
    alphas, _ = m.prob.switches.hyperparameters(m, found.graph.switch_ids.tolist())
    place = {m.intern(goal, True): i for i, goal in enumerate(observed.goals)}
    roots = [place[m.intern(item, True)] for item in items]
    value = exact_marginal.log_marginal(found.graph, roots, alphas[found.graph.instance_ids], poll(m))
    note_time(m, "mcmc_exact_time", started)
    return value


@builtin("marg_exact(+Goals) is det")
def marg_exact_1(m: Any, goals: int) -> bool:
    value = exact(m, goals)
    if value is None:
        return False
    say(m, f"Exact log-marginal-likelihood = {value:.6f}\n")
    return True


@builtin("marg_exact(+Goals, -L) is det")
def marg_exact(m: Any, goals: int, result: int) -> bool:
    value = exact(m, goals)
    return value is not None and m.unify(result, m.float_cell(value))
