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

from prism_repl.core.errors import resource_error
from prism_repl.graph.derivations import ExplanationTooLarge
from prism_repl.inference.interface import Explanation, Probability
from prism_repl.inference.search import Search, infer, poll
from prism_repl.model import checks
from prism_repl.model.messages import message, say, text_of
from prism_repl.predicates.graphs import GraphTerms, write_graph
from prism_repl.predicates.probability import in_logs, short_text
from prism_repl.predicates.trees import write_tree
from prism_repl.prolog.builtins.registry import builtin

# How many characters of printed explanations are kept to be printed again: explanations have much in common.
TEXT_KEPT = 1 << 25


@dataclass(frozen=True)
class Request:
    """What is asked for: how many explanations, of how many candidates if they are re-ranked, and whether
    only their probabilities are needed."""

    number: int = 1
    candidates: int | None = None
    steps: bool = True


@dataclass(frozen=True)
class Found:
    """One explanation: its probability or (re-ranked) its log score, and its paths, none if only the number
    was asked for."""

    value: float
    label: str
    underflow: float | None  # the logarithm of a probability that is too small for a float
    paths: list[int]
    terms: ExplanationTerms


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


class NodeCells(dict[int, int]):
    """path -> cell of node(Goal,[path(Goals,Switches)]), made when first asked for."""

    def __init__(self, terms: GraphTerms, node_of: list[int]) -> None:
        self.terms, self.node_of = terms, node_of

    def __missing__(self, path: int) -> int:
        cell = self[path] = self.terms.node(self.node_of[path], [path])
        return cell


class ExplanationTerms:
    """Makes terms and texts of the explanations of one search, each given by its paths in proof order."""

    def __init__(self, found: Search) -> None:
        self.search, self.m = found, found.m
        self.node_of: list[int] = found.graph.node_of_path().tolist()
        self.nodes = NodeCells(GraphTerms(found), self.node_of)
        self.heads: dict[int, tuple[int, int, list[int]]] = {}  # path -> see head
        self.poll = poll(found.m)
        self.texts: dict[tuple[str, int], str] = {}
        self.text_room = TEXT_KEPT

    def plain(self, explanation: Explanation, logs: bool) -> Found:
        probability: Probability = explanation.probability
        if logs:
            return self.found(probability.log, "log(Viterbi_P)", None, explanation)
        small = probability.log if probability.underflow else None
        return self.found(probability.value, "Viterbi_P", small, explanation)

    def found(self, value: float, label: str, underflow: float | None, explanation: Explanation) -> Found:
        return Found(value, label, underflow, explanation.paths, self)

    def graph(self, paths: list[int]) -> int:
        """The list of the nodes."""
        self.poll()
        return self.m.list_from(list(map(self.nodes.__getitem__, paths)))

    def head(self, path: int) -> tuple[int, int, list[int]]:
        """The goal of a path, how many subgoals it has, its switches."""
        head = self.heads.get(path)
        if head is None:
            goals, switches = self.search.graph.split(path)
            goal = self.search.node_cell(self.node_of[path])
            head = self.heads[path] = (goal, len(goals), [self.search.switch_cell(i) for i in switches])
        return head

    def tree(self, paths: list[int]) -> int:
        """[Goal,Child,...]: the trees of the subgoals, then the switches."""
        self.poll()
        list_from = self.m.list_from
        trees: list[int] = []  # from the last path on: the first subgoal's is on top
        for path in reversed(paths):
            goal, n_goals, switches = self.head(path)
            children = [trees.pop() for _ in range(n_goals)]
            trees.append(list_from([goal, *children, *switches]))
        return trees[0]

    def instance(self, path: int) -> int:
        """The explained instance of the goal: what its path leads to, if the goal has a node of its own."""
        found = self.search
        node = self.node_of[path]
        if int(found.graph.node_ids[node]) not in found.own_nodes:
            return found.node_cell(node)
        goals, switches = found.graph.split(path)
        return found.node_cell(goals[0]) if goals else found.switch_cell(switches[0])

    def instance_graph(self, paths: list[int]) -> int:
        """The explanation of the instance: without the node of a goal that is not ground."""
        above = self.instance(paths[0]) != self.search.node_cell(self.node_of[paths[0]])
        return self.graph(paths[1:] if above and len(paths) > 1 else paths)

    def node_text(self, path: int) -> str:
        """The printed node."""
        lines: list[str] = []
        write_graph(self.m, lines.append, [self.nodes[path]], lr="<=")
        return "".join(lines)

    def term_text(self, cell: int) -> str:
        return text_of(self.m, cell)

    def kept_text(self, kind: str, number: int, make: Callable[[int], str]) -> str:
        """make(number), made only once while there is room."""
        text = self.texts.get((kind, number))
        if text is None:
            text = make(number)
            if len(text) <= self.text_room:
                self.text_room -= len(text)
                self.texts[kind, number] = text
        return text

    def write_graph(self, write: Callable[[str], object], paths: list[int]) -> None:
        self.poll()
        for path in paths:
            write(self.kept_text("node", path, self.node_text))

    def write_tree(self, write: Callable[[str], object], paths: list[int]) -> None:
        write_tree(
            self.m, write, self.tree(paths), 3, lambda cell: self.kept_text("term", cell, self.term_text)
        )


# ---- results as text and as terms


def value_line(one: Found) -> str:
    small = "" if one.underflow is None else f" (log(Viterbi_P) = {one.underflow:.15f})"
    return f"{one.label} = {one.value:.15f}{small}\n"


def value_cell(m: Any, goal: int, one: Found) -> int:
    if one.underflow is not None:
        message(m, "WARNING", "4004", short_text(m, goal))
    return m.float_cell(one.value)


def show_graph(m: Any, one: Found) -> None:
    one.terms.write_graph(m.streams.current_output.write, one.paths)


def show_tree(m: Any, one: Found) -> None:
    one.terms.write_tree(m.streams.current_output.write, one.paths)


def term_graph(m: Any, one: Found) -> int:
    return one.terms.graph(one.paths)


def term_tree(m: Any, one: Found) -> int:
    return one.terms.tree(one.paths)


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
    return m.unify(goal, one.terms.instance(one.paths[0]))


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
        return explanation is None or m.unify(explanation, best[0].terms.instance_graph(best[0].paths))

    builtin("viterbig" + suffix, 1)(show)
    builtin("viterbig" + suffix, 2)(give)
    builtin("viterbig" + suffix, 3)(give)


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
    builtin(f"$n_viterbig{suffix}", 2, context=("n_viterbig" + suffix, 2))(show)  # of a ground goal
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
            m.struct(
                "v_expl",
                one.terms.instance(one.paths[0]),
                m.float_cell(one.value),
                one.terms.instance_graph(one.paths),
            )
            for one in best
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
