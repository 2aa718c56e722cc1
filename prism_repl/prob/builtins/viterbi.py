"""viterbi and its family: the most probable explanations, printed or returned, by parameters (ml) or
re-ranked by hyperparameters (vb).

viterbi gives the probability, viterbif the explanation, viterbit its tree, viterbig binds the goal to the
explained instance; n_ versions give the N best. Plain names go by the flag viterbi_mode, names that end
in _p or _h by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prism_repl.prob import checks
from prism_repl.prob.builtins.graphs import GraphTerms, write_graph
from prism_repl.prob.builtins.probability import in_logs, short_text
from prism_repl.prob.builtins.trees import explanation_tree, write_tree
from prism_repl.prob.errors import message, say
from prism_repl.prob.inference import Explanation, ExplanationTooLarge, Probability
from prism_repl.prob.search import Search, infer
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.errors import resource_error


@dataclass(frozen=True)
class Request:
    """What is asked for: how many explanations, of how many candidates if they are re-ranked, and whether
    only their probabilities are needed."""

    number: int = 1
    candidates: int | None = None
    steps: bool = True


@dataclass(frozen=True)
class Found:
    """One explanation: its probability or (re-ranked) its log score, its term, its instance of the goal."""

    value: float
    label: str
    underflow: float | None  # the logarithm of a probability that is too small for a float
    graph: int | None  # cell of the list of nodes
    instance: int | None  # cell of the explained instance of the goal
    above: bool = False  # whether the first node is that of a goal that is not ground


def hyper(m: Any, suffix: str) -> bool:
    """Whether a predicate with this suffix goes by hyperparameters."""
    return suffix == "_h" or (suffix == "" and m.prob.flags["viterbi_mode"] == "vb")


def explanations(m: Any, goal: int, request: Request) -> list[Found] | None:
    """The best explanations of a goal, best first; None if it has none."""
    logs = in_logs(m)

    def compute(found: Search) -> list[Found]:
        inference = found.inference()
        terms = ExplanationTerms(found)
        if request.candidates is not None:
            scored = inference.rerank(request.number, request.candidates, alphas(m, found))
            return [terms.found(score, "log(Viterbi_P)", None, e) for score, e in scored]
        best: list[Explanation]
        if request.number == 1:
            if request.steps:
                best = [inference.viterbi()]
            else:
                best = [Explanation(inference.viterbi_probability(), [])]
        elif request.steps:
            best = inference.n_viterbi(request.number)
        else:
            best = [Explanation(p, []) for p in inference.n_viterbi_probabilities(request.number)]
        return [terms.plain(e, logs) for e in best]

    try:
        return infer(m, goal, compute)
    except ExplanationTooLarge:
        raise resource_error("explanation_size") from None


def alphas(m: Any, found: Search) -> Any:
    """Hyperparameters of the graph's switch instances."""
    values, _ = m.prob.switches.hyperparameters(m, found.graph.switch_ids.tolist())
    return values[found.graph.instance_ids]


class ExplanationTerms:
    """Makes terms of the explanations of one search."""

    def __init__(self, found: Search) -> None:
        self.search = found
        self.terms = GraphTerms(found)
        self.nodes: dict[tuple[int, int], int] = {}  # cells of the nodes with their paths

    def plain(self, explanation: Explanation, logs: bool) -> Found:
        probability: Probability = explanation.probability
        if logs:
            return self.found(probability.log, "log(Viterbi_P)", None, explanation)
        small = probability.log if probability.underflow else None
        return self.found(probability.value, "Viterbi_P", small, explanation)

    def found(self, value: float, label: str, underflow: float | None, explanation: Explanation) -> Found:
        steps = explanation.steps
        if not steps:
            return Found(value, label, underflow, None, None)
        for node, path in steps:
            if (node, path) not in self.nodes:
                self.nodes[node, path] = self.terms.node(node, [path])
        graph = self.search.m.list_from([self.nodes[step] for step in steps])
        instance = self.instance(*steps[0])
        return Found(value, label, underflow, graph, instance, instance != self.search.node_cell(steps[0][0]))

    def instance(self, node: int, path: int) -> int:
        """The explained instance of the goal: what the path leads to, if the goal has a node of its own."""
        found = self.search
        if int(found.graph.node_ids[node]) not in found.own_nodes:
            return found.node_cell(node)
        goals, switches = found.graph.split(path)
        return found.node_cell(goals[0]) if goals else found.switch_cell(switches[0])


# ---- results as text and as terms


def value_line(one: Found) -> str:
    small = "" if one.underflow is None else f" (log(Viterbi_P) = {one.underflow:.15f})"
    return f"{one.label} = {one.value:.15f}{small}\n"


def value_cell(m: Any, goal: int, one: Found) -> int:
    if one.underflow is not None:
        message(m, "WARNING", "4004", short_text(m, goal))
    return m.float_cell(one.value)


def graph_of(one: Found) -> int:
    assert one.graph is not None
    return one.graph


def show_graph(m: Any, one: Found) -> None:
    write_graph(m, lambda text: say(m, text), m.list_items(graph_of(one))[0], lr="<=")


def show_tree(m: Any, one: Found) -> None:
    write_tree(m, lambda text: say(m, text), explanation_tree(m, graph_of(one)), 3)


def term_graph(m: Any, one: Found) -> int:
    return graph_of(one)


def term_tree(m: Any, one: Found) -> int:
    return explanation_tree(m, graph_of(one))


Show = Callable[[Any, Found], None]
Term = Callable[[Any, Found], int]


# ---- the best one


def one_request(m: Any, suffix: str, steps: bool) -> Request:
    return Request(1, m.prob.flags["rerank"] if hyper(m, suffix) else None, steps)


def define_values(suffix: str) -> None:
    """viterbi/1,2: only the probability."""

    def show(m: Any, goal: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, False))
        if best is None:
            return False
        say(m, "\n" + value_line(best[0]))
        return True

    def give(m: Any, goal: int, result: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, False))
        return best is not None and m.unify(result, value_cell(m, goal, best[0]))

    builtin("viterbi" + suffix, 1)(show)
    builtin("viterbi" + suffix, 2)(give)


def define_explained(letter: str, suffix: str, show_one: Show, term_one: Term) -> None:
    """viterbif/1,3 and viterbit/1,3: the explanation as a graph or as a tree."""

    def show(m: Any, goal: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        say(m, "\n")
        show_one(m, best[0])
        say(m, "\n" + value_line(best[0]))
        return True

    def give(m: Any, goal: int, result: int, explanation: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        value = value_cell(m, goal, best[0])
        return m.unify(result, value) and m.unify(explanation, term_one(m, best[0]))

    builtin("viterbi" + letter + suffix, 1)(show)
    builtin("viterbi" + letter + suffix, 3)(give)


def bind_goal(m: Any, goal: int, one: Found) -> bool:
    assert one.instance is not None
    return m.unify(goal, one.instance)


def define_instances(suffix: str) -> None:
    """viterbig/1,2,3: the goal becomes its best instance. A ground goal's probability is printed."""

    def show(m: Any, goal: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        if m.is_ground(goal):
            say(m, "\n" + value_line(best[0]))
            return True
        return bind_goal(m, goal, best[0])

    def give(m: Any, goal: int, result: int, explanation: int | None = None) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        value = value_cell(m, goal, best[0])
        if not bind_goal(m, goal, best[0]) or not m.unify(result, value):
            return False
        return explanation is None or m.unify(explanation, instance_graph(m, best[0]))

    builtin("viterbig" + suffix, 1)(show)
    builtin("viterbig" + suffix, 2)(give)
    builtin("viterbig" + suffix, 3)(give)


def instance_graph(m: Any, one: Found) -> int:
    """The explanation of the instance: without the node of the goal that is not ground."""
    nodes = m.list_items(graph_of(one))[0]
    return m.list_from(nodes[1:]) if one.above and len(nodes) > 1 else graph_of(one)


# ---- the N best


def many_request(m: Any, number: int, suffix: str, steps: bool) -> Request:
    """N, or [N,K] where K candidates are re-ranked."""
    if not hyper(m, suffix):
        return Request(checks.positive_integer(m, "1400", number), None, steps)
    candidates = m.prob.flags["rerank"]
    if m.is_list_cell(number):
        items, tail = m.list_items(number)
        if len(items) == 2 and tail == m.nil:
            number = items[0]
            candidates = checks.positive_integer(m, "1401", items[1])
    n = checks.positive_integer(m, "1400", number)
    return Request(n, max(n, candidates), steps)


def define_many_values(suffix: str) -> None:
    """n_viterbi/2,3: the probabilities."""

    def show(m: Any, number: int, goal: int) -> bool:
        best = explanations(m, goal, many_request(m, number, suffix, False))
        if best is None:
            return False
        for k, one in enumerate(best):
            say(m, f"#{k}: {value_line(one)}")
        return True

    def give(m: Any, number: int, goal: int, results: int) -> bool:
        best = explanations(m, goal, many_request(m, number, suffix, False))
        return best is not None and m.unify(results, m.list_from([m.float_cell(one.value) for one in best]))

    builtin("n_viterbi" + suffix, 2)(show)
    builtin("n_viterbi" + suffix, 3)(give)


def define_many_explained(letter: str, suffix: str, name: str, show_one: Show, term_one: Term) -> None:
    """n_viterbif/2,3 and n_viterbit/2,3: a list of v_expl(K,P,Graph) or v_tree(K,P,Tree)."""

    def show(m: Any, number: int, goal: int) -> bool:
        best = explanations(m, goal, many_request(m, number, suffix, True))
        if best is None:
            return False
        for k, one in enumerate(best):
            say(m, f"\n#{k}\n")
            show_one(m, one)
            say(m, "\n" + value_line(one))
        return True

    def give(m: Any, number: int, goal: int, results: int) -> bool:
        best = explanations(m, goal, many_request(m, number, suffix, True))
        if best is None:
            return False
        terms = [
            m.struct(name, m.int_cell(k), m.float_cell(one.value), term_one(m, one))
            for k, one in enumerate(best)
        ]
        return m.unify(results, m.list_from(terms))

    builtin("n_viterbi" + letter + suffix, 2)(show)
    builtin("n_viterbi" + letter + suffix, 3)(give)


def define_many_instances(suffix: str) -> None:
    """Helpers of n_viterbig/2,3,4 (library/viterbi.pl): all instances at once."""

    def instances(m: Any, number: int, goal: int, results: int) -> bool:
        """A list of v_expl(Instance,P,Graph), best first."""
        best = explanations(m, goal, many_request(m, number, suffix, True))
        if best is None:
            return False
        terms = [
            m.struct("v_expl", one.instance, m.float_cell(one.value), instance_graph(m, one)) for one in best
        ]
        return m.unify(results, m.list_from(terms))

    for arity in (2, 3, 4):
        context = ("n_viterbig" + suffix, arity)
        builtin(f"$n_viterbig{suffix}_{arity}", 3, context=context)(instances)


for ending in ("", "_p", "_h"):
    define_values(ending)
    define_explained("f", ending, show_graph, term_graph)
    define_explained("t", ending, show_tree, term_tree)
    define_instances(ending)
    define_many_values(ending)
    define_many_explained("f", ending, "v_expl", show_graph, term_graph)
    define_many_explained("t", ending, "v_tree", show_tree, term_tree)
    define_many_instances(ending)
