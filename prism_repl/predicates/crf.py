"""Inference for generative conditional random fields: crf_prob, crf_probf*, crf_viterbi*, crf_hindsight.

A switch's parameters are its lambdas, its alphas the values of its features (set_sw_w, show_sw_w).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prism_repl.core.errors import PrologError, resource_error
from prism_repl.graph.derivations import ExplanationTooLarge
from prism_repl.inference.interface import Explanation
from prism_repl.inference.search import Search, check_goal, infer, poll
from prism_repl.inference.weights import WeightOverflow, Weights
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, prism_warning, runtime_error, say, text_of
from prism_repl.model.switches import Switch
from prism_repl.predicates import hindsight
from prism_repl.predicates.distributions import unmatched_counts
from prism_repl.predicates.graphs import Numbers, define_graphs, no_numbers
from prism_repl.predicates.probability import in_logs
from prism_repl.predicates.switches import set_sw, set_sw_all, show_sw
from prism_repl.predicates.viterbi import EXPLAINED, ExplanationTerms, alphas
from prism_repl.prolog.builtins.registry import builtin, helper

LABEL = "CRF-Viterbi weight"


def overflow(m: Any) -> PrologError:
    return prism_error(m, "1600", runtime_error("overflow"))


def lambdas_and_features(found: Search) -> tuple[Any, Any]:
    """Of the graph's switch instances."""
    m = found.m
    return m.prob.switches.parameters()[found.graph.instance_ids], alphas(m, found)


def weights(found: Search, log_scale: bool | None = None) -> Weights:
    """Weights of explanations; by the flag log_scale, if not told."""
    m = found.m
    if m.prob.flags["trials"] == "once":
        raise prism_error(m, "1601", runtime_error("throws_once_in_crf"))
    found.refuse_cycle(always=True)
    lambdas, features = lambdas_and_features(found)
    logs = in_logs(m) if log_scale is None else log_scale
    return Weights(found.graph, lambdas * features, logs, poll(m))


# ---- weights of goals


def log_weight(m: Any, goal: int) -> float | None:
    return infer(m, goal, lambda found: weights(found).log_weight())


def weight(m: Any, goal: int) -> float | None:
    try:
        return infer(m, goal, lambda found: weights(found).weight())
    except WeightOverflow:
        raise overflow(m) from None


def define_weight(name: str, logs: Callable[[Any], bool]) -> None:
    """Make name/1 and name/2; `logs` says whether they give logarithms."""

    def show(m: Any, goal: int) -> bool:
        value = log_weight(m, goal) if logs(m) else weight(m, goal)
        if value is None:
            return False
        say(m, f"{'Log-weight' if logs(m) else 'Weight'} of {text_of(m, goal)} is: {value:.15f}\n")
        return True

    def give(m: Any, goal: int, result: int) -> bool:
        value = log_weight(m, goal) if logs(m) else weight(m, goal)
        return value is not None and m.unify(result, m.float_cell(value))

    builtin(f"{name}(+Goal) is semidet")(show)
    builtin(f"{name}(+Goal, -{'LogWeight' if name.startswith('log') else 'Weight'}) is semidet")(give)


define_weight("crf_prob", in_logs)
define_weight("log_crf_prob", lambda m: True)


# ---- graphs


def columns(*parts: Any) -> list[list[float]]:
    return [list(row) for row in zip(*(part.tolist() for part in parts), strict=True)]


def guarded(compute: Callable[[Search], Numbers]) -> Callable[[Search], Numbers]:
    def numbers(found: Search) -> Numbers:
        try:
            return compute(found)
        except WeightOverflow:
            raise overflow(found.m) from None

    return numbers


@guarded
def inside(found: Search) -> Numbers:
    values = weights(found).inside()
    return Numbers(columns(values.nodes), columns(values.paths), columns(*lambdas_and_features(found)))


@guarded
def outside(found: Search) -> Numbers:
    inference = weights(found)
    values = inference.outside()
    return Numbers(columns(values.nodes), columns(values.paths), columns(inference.expectations()))


@guarded
def inside_outside(found: Search) -> Numbers:
    inference = weights(found)
    up, down = inference.inside(), inference.outside()
    return Numbers(
        columns(up.nodes, down.nodes),
        columns(up.paths, down.paths),
        columns(up.instances, inference.expectations()),
    )


for letters, numbers_of in (("", no_numbers), ("i", inside), ("o", outside), ("io", inside_outside)):
    define_graphs("crf_probf" + letters, numbers_of, False)
    define_graphs("crf_probef" + letters, numbers_of, True)


# ---- hindsight


def weighed(m: Any, goal: int, pattern: int) -> hindsight.Weighed | None:
    """The matching subgoals with their hindsight weights, in order."""
    check_goal(m, goal)
    matches = hindsight.matcher(m, pattern)

    def compute(found: Search) -> hindsight.Weighed:
        values = weights(found).hindsight().tolist()
        root = int(found.graph.roots[0])
        nodes = [n for n in range(found.graph.n_nodes) if n != root and matches(found.node_cell(n))]
        return [(found.node_cell(n), values[n]) for n in nodes]

    try:
        found = infer(m, goal, compute)
    except WeightOverflow:
        raise overflow(m) from None
    return None if found is None else hindsight.in_order(m, found)


@builtin("crf_hindsight(+Goal) is semidet")
def crf_hindsight_1(m: Any, goal: int) -> bool:
    return crf_hindsight_2(m, goal, m.new_var())


@builtin("crf_hindsight(+Goal, +Pattern) is semidet")
def crf_hindsight_2(m: Any, goal: int, pattern: int) -> bool:
    found = weighed(m, goal, pattern)
    if found is None:
        return False
    if not found:
        prism_warning(m, "1404")
        return True
    say(m, "hindsight weights:\n")
    for subgoal, value in found:
        say(m, f"  {text_of(m, subgoal)}: {value:.15f}\n")
    return True


@builtin("crf_hindsight(+Goal, +Pattern, -Weights) is semidet")
def crf_hindsight(m: Any, goal: int, pattern: int, result: int) -> bool:
    found = weighed(m, goal, pattern)
    return found is not None and m.unify(result, hindsight.pairs_cell(m, found))


# ---- best explanations


Best = list[tuple[float, Explanation, ExplanationTerms]]


def best(m: Any, goal: int, number: int | None) -> Best | None:
    """The best explanations with their log weights: of `number` the last found first among equals, but the
    first found if just the best one is asked for."""

    def compute(found: Search) -> Best:
        inference, terms = weights(found), ExplanationTerms(found)
        chosen = [inference.viterbi()] if number is None else inference.n_viterbi(number)
        return [(inference.score(e), e, terms) for e in chosen]

    try:
        return infer(m, goal, compute)
    except ExplanationTooLarge:
        raise resource_error("explanation_size") from None


def count(m: Any, number: int) -> int:
    return checks.positive_integer(m, "1400", number)


def graph_text(m: Any, explanation: Explanation, terms: ExplanationTerms) -> None:
    terms.write_graph(m.streams.current_output.write, explanation.paths)


def tree_text(m: Any, explanation: Explanation, terms: ExplanationTerms) -> None:
    terms.write_tree(m.streams.current_output.write, explanation.paths)


def define_values(suffix: str) -> None:
    def show(m: Any, goal: int) -> bool:
        found = best(m, goal, None)
        if found is None:
            return False
        say(m, f"\n{LABEL} = {found[0][0]:.15f}\n")
        return True

    def give(m: Any, goal: int, result: int) -> bool:
        found = best(m, goal, None)
        return found is not None and m.unify(result, m.float_cell(found[0][0]))

    def show_many(m: Any, number: int, goal: int) -> bool:
        found = best(m, goal, count(m, number))
        for k, (score, _, _) in enumerate(found or []):
            say(m, f"#{k}: {LABEL} = {score:.15f}\n")
        return found is not None

    def give_many(m: Any, number: int, goal: int, result: int) -> bool:
        found = best(m, goal, count(m, number))
        return found is not None and m.unify(result, m.list_from([m.float_cell(s) for s, _, _ in found]))

    name = "crf_viterbi" + suffix
    builtin(f"{name}(+Goal) is semidet")(show)
    builtin(f"{name}(+Goal, -LogWeight) is semidet")(give)
    builtin(f"n_{name}(+N, +Goal) is semidet")(show_many)
    helper(f"$n_crf_viterbig{suffix}", 2, context=("n_crf_viterbig" + suffix, 2))(show_many)
    builtin(f"n_{name}(+N, +Goal, -LogWeights) is semidet")(give_many)


def define_explained(letter: str, suffix: str, name: str) -> None:
    text = graph_text if letter == "f" else tree_text

    def term(explanation: Explanation, terms: ExplanationTerms) -> int:
        return terms.graph(explanation.paths) if letter == "f" else terms.tree(explanation.paths)

    def show(m: Any, goal: int) -> bool:
        found = best(m, goal, None)
        if found is None:
            return False
        score, explanation, terms = found[0]
        say(m, "\n")
        text(m, explanation, terms)
        say(m, f"\n{LABEL} = {score:.15f}\n")
        return True

    def give(m: Any, goal: int, result: int, explained: int) -> bool:
        found = best(m, goal, None)
        if found is None:
            return False
        score, explanation, terms = found[0]
        return m.unify(result, m.float_cell(score)) and m.unify(explained, term(explanation, terms))

    def show_many(m: Any, number: int, goal: int) -> bool:
        found = best(m, goal, count(m, number))
        for k, (score, explanation, terms) in enumerate(found or []):
            say(m, f"\n#{k}\n")
            text(m, explanation, terms)
            say(m, f"\n{LABEL} = {score:.15f}\n")
        return found is not None

    def give_many(m: Any, number: int, goal: int, result: int) -> bool:
        found = best(m, goal, count(m, number))
        if found is None:
            return False
        cells = [
            m.struct(name, m.int_cell(k), m.float_cell(s), term(e, t)) for k, (s, e, t) in enumerate(found)
        ]
        return m.unify(result, m.list_from(cells))

    predicate = f"crf_viterbi{letter}{suffix}"
    builtin(f"{predicate}(+Goal) is semidet")(show)
    builtin(f"{predicate}(+Goal, -LogWeight, -{EXPLAINED[letter]}) is semidet")(give)
    builtin(f"n_{predicate}(+N, +Goal) is semidet")(show_many)
    builtin(f"n_{predicate}(+N, +Goal, -{EXPLAINED[letter]}s) is semidet")(give_many)


def define_instances(suffix: str) -> None:
    def show(m: Any, goal: int) -> bool:
        found = best(m, goal, None)
        if found is None:
            return False
        score, explanation, terms = found[0]
        if m.is_ground(goal):
            say(m, f"\n{LABEL} = {score:.15f}\n")
            return True
        return m.unify(goal, terms.instance(explanation.paths[0]))

    def give(m: Any, goal: int, result: int, explained: int | None = None) -> bool:
        found = best(m, goal, None)
        if found is None:
            return False
        score, explanation, terms = found[0]
        if not m.unify(goal, terms.instance(explanation.paths[0])) or not m.unify(
            result, m.float_cell(score)
        ):
            return False
        return explained is None or m.unify(explained, terms.instance_graph(explanation.paths))

    def instances(m: Any, number: int, goal: int, results: int) -> bool:
        """A list of v_expl(Instance,W,Graph), best first."""
        found = best(m, goal, count(m, number))
        if found is None:
            return False
        cells = [
            m.struct("v_expl", t.instance(e.paths[0]), m.float_cell(s), t.instance_graph(e.paths))
            for s, e, t in found
        ]
        return m.unify(results, m.list_from(cells))

    builtin(f"crf_viterbig{suffix}(?Goal) is semidet")(show)
    builtin(f"crf_viterbig{suffix}(?Goal, -LogWeight) is semidet")(give)
    builtin(f"crf_viterbig{suffix}(?Goal, -LogWeight, -Explanation) is semidet")(give)
    for arity in (2, 3, 4):
        helper(f"$n_crf_viterbig{suffix}_{arity}", 3, context=("n_crf_viterbig" + suffix, arity))(instances)


for ending in ("", "_p"):
    define_values(ending)
    define_explained("f", ending, "v_expl")
    define_explained("t", ending, "v_tree")
    define_instances(ending)


# ---- feature values


def features(m: Any, form: int) -> list[float] | None:
    """The numbers of a list of numbers; None if it is something else, then a form of hyperparameters."""
    items, tail = m.list_items(form)
    if not items or tail != m.nil or not all(m.is_number(item) for item in items):
        return None
    return [m.number_value(item) for item in items]


def set_features(m: Any, name: int, form: int) -> bool:
    """Set the feature values of a switch: any numbers, or a form of hyperparameters."""
    values = features(m, form)
    if values is None:
        return set_sw(m, "a", name, form)
    checks.ground(m, "0101", name)
    store_features(m, [m.prob.switches.declared(m, name)], values, form)
    return True


def set_all_features(m: Any, pattern: int, form: int) -> bool:
    """Set the feature values of all registered switches that match, or, after an error, of none."""
    values = features(m, form)
    if values is None:
        return set_sw_all(m, "a", pattern, form)
    store_features(m, m.prob.switches.to_set(m, pattern), values, form)
    return True


def store_features(m: Any, switches: list[Switch], values: list[float], form: int) -> None:
    unmatched = next((switch for switch in switches if len(values) != switch.size), None)
    if unmatched is not None:
        raise unmatched_counts(m, form, unmatched.size)
    for switch in switches:
        m.prob.switches.set_hyperparameters_of(m, switch, values, [value - 1 for value in values])


def define_features() -> None:
    """set_sw_w and its relatives: feature values are kept as alphas."""
    default = "default"
    builtin("set_sw_w(+Switch:switch) is det")(lambda m, s: set_sw(m, "a", s, m.atom(default)))
    builtin("set_sw_w(+Switch:switch, +Features) is det")(set_features)
    for name in ("set_sw_all_w", "set_sw_w_all"):
        builtin(f"{name} is det")(lambda m: set_sw_all(m, "a", m.new_var(), m.atom(default)))
        builtin(f"{name}(@Pattern:switch) is det")(lambda m, p: set_sw_all(m, "a", p, m.atom(default)))
        builtin(f"{name}(@Pattern:switch, +Features) is det")(set_all_features)
    builtin("show_sw_w is det")(lambda m: show_sw(m, "a", m.new_var()))
    builtin("show_sw_w(@Pattern:switch) is det")(lambda m, p: show_sw(m, "a", p))


define_features()
