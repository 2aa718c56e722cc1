"""viterbi and its family: the most probable explanations, printed or returned, by parameters (ml) or
re-ranked by hyperparameters (vb).

viterbi gives the probability, viterbif the explanation, viterbit its tree, viterbig binds the goal to the
explained instance; n_ versions give the N best. Plain names go by the flag viterbi_mode, names that end
in _p or _h by themselves. All of them accept graphs with cycles where the flag error_on_cycle is off;
lin_, nonlin_ and cyc_ before a name are PRISM's for such graphs, and do the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prism_repl.core.errors import resource_error
from prism_repl.graph.derivations import ExplanationTooLarge
from prism_repl.inference.interface import Explanation, Probability, expected_parameters
from prism_repl.inference.search import Search, infer, poll
from prism_repl.model import checks
from prism_repl.model.messages import remark, say, text_of
from prism_repl.predicates.cycle_details import VITERBI, flag_level, show_details
from prism_repl.predicates.graphs import GraphTerms, write_graph
from prism_repl.predicates.probability import in_logs, short_text
from prism_repl.predicates.trees import write_tree
from prism_repl.prolog.builtins.registry import builtin, helper

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
        terms = ExplanationTerms(found)
        if request.candidates is not None:
            alpha = alphas(m, found)
            inference = found.inference(theta=expected_parameters(found.graph, alpha))
            scored = inference.rerank(request.number, request.candidates, alpha)
            # a logarithm, but it is PRISM's label
            return [terms.found(score, label(logs), None, e) for score, e in scored]
        inference = found.inference()
        begun = time.process_time()
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
        level = flag_level(m)
        if level and found.graph.components is not None:
            seconds = time.process_time() - begun
            values = found.inference(log_scale=False).viterbi_values().nodes
            show_details(found, level, inference.theta, values, seconds, VITERBI)
        return [terms.plain(e, logs) for e in best]

    try:
        return infer(m, goal, compute)
    except ExplanationTooLarge:
        raise resource_error("explanation_size") from None


def label(logs: bool) -> str:
    return "log(Viterbi_P)" if logs else "Viterbi_P"


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
            return self.found(probability.log, label(logs), None, explanation)
        small = probability.log if probability.underflow else None
        return self.found(probability.value, label(logs), small, explanation)

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
    # the logarithm as a comment, as PRISM does not say it
    small = "" if one.underflow is None else f"% log(Viterbi_P) = {one.underflow:.15f}\n"
    return f"{one.label} = {one.value:.15f}\n{small}"


def value_cell(m: Any, goal: int, one: Found) -> int:
    if one.underflow is not None:
        remark(m, "4004", short_text(m, goal))
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


EXPLAINED = {"f": "Explanation", "t": "Tree"}  # what a letter in a predicate's name stands for


def define_values(prefix: str, suffix: str) -> None:
    """viterbi/1,2: only the probability."""

    def show(m: Any, goal: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, False))
        if best is None:
            return False
        say(m, ("#0: " if hyper(m, suffix) else "\n") + value_line(best[0]))
        return True

    def give(m: Any, goal: int, result: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, False))
        return best is not None and m.unify(result, value_cell(m, goal, best[0]))

    builtin(f"{prefix}viterbi{suffix}(+Goal) is semidet")(show)
    builtin(f"{prefix}viterbi{suffix}(+Goal, -P) is semidet")(give)


def define_explained(prefix: str, letter: str, suffix: str, show_one: Show, term_one: Term) -> None:
    """viterbif/1,3 and viterbit/1,3: the explanation as a graph or as a tree."""

    def show(m: Any, goal: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        say(m, "\n#0\n" if hyper(m, suffix) else "\n")
        show_one(m, best[0])
        say(m, "\n" + value_line(best[0]))
        return True

    def give(m: Any, goal: int, result: int, explanation: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        value = value_cell(m, goal, best[0])
        return m.unify(result, value) and m.unify(explanation, term_one(m, best[0]))

    name = f"{prefix}viterbi{letter}{suffix}"
    builtin(f"{name}(+Goal) is semidet")(show)
    builtin(f"{name}(+Goal, -P, -{EXPLAINED[letter]}) is semidet")(give)


def bind_goal(m: Any, goal: int, one: Found) -> bool:
    return m.unify(goal, one.terms.instance(one.paths[0]))


def define_instances(prefix: str, suffix: str) -> None:
    """viterbig/1,2,3: the goal becomes its best instance. A ground goal's probability is printed. With a
    prefix the explanation has a node for the goal, and one for the instance, as PRISM has it."""

    def show(m: Any, goal: int) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        if m.is_ground(goal):
            say(m, ("#0: " if hyper(m, suffix) else "\n") + value_line(best[0]))
            return True
        return bind_goal(m, goal, best[0])

    def give(m: Any, goal: int, result: int, explanation: int | None = None) -> bool:
        best = explanations(m, goal, one_request(m, suffix, True))
        if best is None:
            return False
        value = value_cell(m, goal, best[0])
        if not bind_goal(m, goal, best[0]) or not m.unify(result, value):
            return False
        terms, paths = best[0].terms, best[0].paths
        graph = terms.graph if prefix else terms.instance_graph
        return explanation is None or m.unify(explanation, graph(paths))

    name = f"{prefix}viterbig{suffix}"
    builtin(f"{name}(?Goal) is semidet")(show)
    builtin(f"{name}(?Goal, -P) is semidet")(give)
    builtin(f"{name}(?Goal, -P, -Explanation) is semidet")(give)


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


def define_many_values(prefix: str, suffix: str) -> None:
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

    name = "n_" + prefix + "viterbi"
    builtin(f"{name}{suffix}(+N, +Goal) is semidet")(show)
    helper(f"${name}g{suffix}", 2, context=(name + "g" + suffix, 2))(show)  # of a ground goal
    builtin(f"{name}{suffix}(+N, +Goal, -Ps) is semidet")(give)


def define_many_explained(
    prefix: str, letter: str, suffix: str, name: str, show_one: Show, term_one: Term
) -> None:
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

    predicate = f"n_{prefix}viterbi{letter}{suffix}"
    builtin(f"{predicate}(+N, +Goal) is semidet")(show)
    builtin(f"{predicate}(+N, +Goal, -{EXPLAINED[letter]}s) is semidet")(give)


def define_many_instances(prefix: str, suffix: str) -> None:
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
        context = (f"n_{prefix}viterbig{suffix}", arity)
        helper(f"$n_{prefix}viterbig{suffix}_{arity}", 3, context=context)(instances)


def define_family(prefix: str, suffix: str) -> None:
    define_values(prefix, suffix)
    define_explained(prefix, "f", suffix, show_graph, term_graph)
    define_explained(prefix, "t", suffix, show_tree, term_tree)
    define_instances(prefix, suffix)
    define_many_values(prefix, suffix)
    define_many_explained(prefix, "f", suffix, "v_expl", show_graph, term_graph)
    define_many_explained(prefix, "t", suffix, "v_tree", show_tree, term_tree)
    define_many_instances(prefix, suffix)


for ending in ("", "_p", "_h"):
    define_family("", ending)
    define_family("cyc_", ending)
define_family("lin_", "")
define_family("nonlin_", "")
