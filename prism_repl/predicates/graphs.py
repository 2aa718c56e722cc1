"""probf and its family: explanation graphs as terms and as text, plain, with numbers, encoded."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.inference.interface import POLL
from prism_repl.inference.search import Search, infer, node_goal, poll
from prism_repl.model import checks
from prism_repl.model.messages import say, text_of
from prism_repl.model.switches import fetch
from prism_repl.model.tensors import factor_word
from prism_repl.predicates.probability import warn_exclusiveness
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.stores import hashtable, hashtable_put, new_hashtable2
from prism_repl.prolog.builtins.streams import output_stream

Write = Callable[[str], object]


@dataclass(frozen=True)
class Numbers:
    """The numbers of a graph: for each node, path and switch instance a list (one number, or two)."""

    nodes: list[list[float]]
    paths: list[list[float]]
    instances: list[list[float]]


def no_numbers(found: Search) -> None:
    found.refuse_cycle()


def inside(found: Search) -> Numbers:
    inference = found.inference()
    warn_exclusiveness(found.m, found.goals[0], inference.probability().log)
    values = inference.inside()
    return Numbers(*([[x] for x in part.tolist()] for part in (values.nodes, values.paths, values.instances)))


def outside(found: Search) -> Numbers:
    inference = found.inference()
    values = inference.outside()
    parts = (values.nodes, values.paths, inference.expectations())
    return Numbers(*([[x] for x in part.tolist()] for part in parts))


def best(found: Search) -> Numbers:
    values = found.inference().viterbi_values()
    return Numbers(*([[x] for x in part.tolist()] for part in (values.nodes, values.paths, values.instances)))


def inside_outside(found: Search) -> Numbers:
    first, second = inside(found), outside(found)
    return Numbers(
        *(
            [a + b for a, b in zip(x, y, strict=True)]
            for x, y in (
                (first.nodes, second.nodes),
                (first.paths, second.paths),
                (first.instances, second.instances),
            )
        )
    )


# Letters after probf (or probef, the encoded version), and the numbers they stand for.
FAMILY: dict[str, Callable[[Search], Numbers | None]] = {
    "": no_numbers,
    "i": inside,
    "o": outside,
    "v": best,
    "io": inside_outside,
}


class GraphTerms:
    """Builds the terms of a graph: nodes and switch instances as goals, or encoded as integers."""

    def __init__(self, found: Search, encoded: bool = False, numbers: Numbers | None = None) -> None:
        m = found.m
        self.m, self.found, self.numbers = m, found, numbers
        self.goal: Callable[[int], int] = found.node_cell
        self.switch: Callable[[int], int] = found.switch_cell
        if encoded:
            self.goal = lambda node: m.int_cell(found.node_number(node))
            self.switch = lambda instance: m.int_cell(found.instance_number(instance))
        self.explicit = m.prob.flags["explicit_empty_expls"] == "on"

    def value(self, numbers: list[float]) -> int:
        cells = [self.m.float_cell(x) for x in numbers]
        return cells[0] if len(cells) == 1 else self.m.list_from(cells)

    def path(self, path: int) -> int:
        m = self.m
        goals, switches = self.found.graph.split(path)
        if self.numbers is None:
            return m.struct(
                "path",
                m.list_from([self.goal(g) for g in goals]),
                m.list_from([self.switch(s) for s in switches]),
            )
        return m.struct(
            "path",
            m.list_from([m.struct("gnode", self.goal(g), self.value(self.numbers.nodes[g])) for g in goals]),
            m.list_from(
                [m.struct("snode", self.switch(s), self.value(self.numbers.instances[s])) for s in switches]
            ),
            self.value(self.numbers.paths[path]),
        )

    def node(self, node: int, paths: list[int]) -> int:
        m, graph = self.m, self.found.graph
        if (
            len(paths) == 1
            and not self.explicit
            and graph.path_factors[paths[0]] == graph.path_factors[paths[0] + 1]
        ):
            paths = []
        arguments = [self.goal(node), m.list_from([self.path(p) for p in paths])]
        if self.numbers is not None:
            arguments.append(self.value(self.numbers.nodes[node]))
        return m.struct("node", *arguments)

    def graph(self) -> int:
        graph = self.found.graph
        check = poll(self.m)
        cells = []
        for n in graph.print_order():
            if n & POLL == POLL:
                check()
            cells.append(self.node(n, list(graph.paths(n))))
        return self.m.list_from(cells)


def hash_table(m: Any, pairs: Iterable[tuple[int, int]]) -> int:
    """A hash table that decodes the integers of an encoded graph."""
    table = m.new_var()
    new_hashtable2(m, table, 64)
    inner = hashtable(m, m.deref(table))
    for number, cell in pairs:
        hashtable_put(m, inner, m.int_cell(number), cell)
    return m.deref(table)


def subgoal_table(m: Any) -> int:
    """Number -> goal for all that is in the tables now, and the goals that have nodes above them."""
    tabled = [(n - 1, node_goal(m, n)) for n in range(1, m.tabling.tables.node_count)]
    return hash_table(m, tabled + [(n - 1, fetch(m, goal)) for n, goal in m.prob.goals_above.items()])


def switch_table(m: Any) -> int:
    """Number -> msw(Name,Value) for all switches that the last search met."""
    switches = {switch.base: switch for switch in m.prob.switches.all}
    met = [switches[base] for base in m.outcomes.arrays()[0] if base in switches]
    cells = [
        m.struct("msw", fetch(m, switch.name), outcome)
        for switch in met
        for outcome in switch.outcome_cells(m)
    ]
    return hash_table(m, enumerate(cells))


@builtin("get_subgoal_hashtable(-Table) is det")
def get_subgoal_hashtable(m: Any, table: int) -> bool:
    return m.unify(table, subgoal_table(m))


@builtin("get_switch_hashtable(-Table) is det")
def get_switch_hashtable(m: Any, table: int) -> bool:
    return m.unify(table, switch_table(m))


def define_graphs(name: str, numbers: Callable[[Search], Numbers | None], encoded: bool) -> None:
    """Make name/1, which prints, and name/2, which returns the graph; probef etc. have name/4, too."""

    def graph_of(found: Search) -> int:
        return GraphTerms(found, encoded, numbers(found)).graph()

    def show(m: Any, goal: int) -> bool:
        graph = infer(m, goal, graph_of)
        if graph is None:
            return False
        write_graph(m, lambda text: say(m, text), m.list_items(graph)[0], lr="<=>", empty="true")
        return True

    def give(m: Any, goal: int, result: int) -> bool:
        graph = infer(m, goal, graph_of)
        return graph is not None and m.unify(result, graph)

    def give_tables(m: Any, goal: int, result: int, goals: int, switches: int) -> bool:
        found = give(m, goal, result)
        return found and m.unify(goals, subgoal_table(m)) and m.unify(switches, switch_table(m))

    builtin(f"{name}(+Goal) is semidet")(show)
    builtin(f"{name}(+Goal, -Graph) is semidet")(give)
    if encoded and name.startswith(("probef", "crf_probef")):
        builtin(f"{name}(+Goal, -Graph, -Goals, -Switches) is semidet")(give_tables)


for letters, numbers_of in FAMILY.items():
    define_graphs("probf" + letters, numbers_of, False)
    define_graphs("probef" + letters, numbers_of, True)


# ---- printed graphs


class NotAGraph(Exception):
    """Some element of a list is no node of a graph. What reads graphs that the user gives fails then."""


def reads_graphs(predicate: Callable[..., bool]) -> Callable[..., bool]:
    """The predicate, failing on what is not a graph."""

    @functools.wraps(predicate)
    def guarded(*arguments: Any) -> bool:
        try:
            return predicate(*arguments)
        except NotAGraph:
            return False

    return guarded


def write_graph(
    m: Any,
    write: Write,
    nodes: list[int],
    lr: str | None = None,
    conj: str = "&",
    disj: str = "v",
    empty: str = "",
) -> None:
    """Print the nodes of a graph. With `lr` it stands before the first path, else a colon ends the node. A
    path that needs nothing is shown as `empty`, if that is given and there are others."""
    width = max(len(lr or ""), len(disj))
    first = "   " + (lr or "").rjust(width) + " "
    others = "   " + disj.rjust(width) + " "
    for node in nodes:
        arity = node_arity(m, node)
        paths = elements_of(m, m.arg(node, 1))
        label = text_of(m, m.arg(node, 0)) + (value_text(m, m.arg(node, 2), " [{}]") if arity == 3 else "")
        write(label + (":\n" if lr is None and paths else "\n"))
        begin = first
        for path in paths:
            elements = path_texts(m, path)
            if not elements and len(paths) > 1 and empty:
                elements = [empty]
            if elements:
                weight = value_text(m, m.arg(path, 2), "  {{{}}}") if m.arity_of(path) == 3 else ""
                write(begin + f" {conj} ".join(elements) + weight + "\n")
                begin = others


def node_arity(m: Any, node: int) -> int:
    """2 or 3, for node(Goal,Paths) and node(Goal,Paths,Value)."""
    if m.is_compound(node) and m.atom_text(m.name_of(node)) == "node" and m.arity_of(node) in (2, 3):
        return m.arity_of(node)
    raise NotAGraph


def elements_of(m: Any, c: int) -> list[int]:
    """The elements of a list in a graph."""
    items, tail = m.list_items(c)
    if tail != m.nil:
        raise NotAGraph
    return items


def path_parts(m: Any, path: int) -> tuple[int, int]:
    """The lists of the subgoals and of the switches of path(Goals,Switches) or path(Goals,Switches,Value)."""
    if m.is_compound(path) and m.arity_of(path) in (2, 3) and m.atom_text(m.name_of(path)) == "path":
        return m.arg(path, 0), m.arg(path, 1)
    raise NotAGraph


def path_texts(m: Any, path: int) -> list[str]:
    """The operators, subgoals and switches of a path as text."""
    operators: list[str] = []
    texts: list[str] = []
    for part in path_parts(m, path):
        for element in elements_of(m, part):
            value = ""
            if m.arity_of(path) == 3:
                if not m.is_compound(element) or m.arity_of(element) != 2:
                    raise NotAGraph
                value = value_text(m, m.arg(element, 1), " [{}]")
                element = m.arg(element, 0)
            word, goal = factor_word(m, element) or ("", element)
            (operators if word == "operator" else texts).append(text_of(m, goal) + value)
    return operators + texts


def value_text(m: Any, value: int, form: str) -> str:
    """A number, or a pair of them, in brackets."""
    numbers = m.list_items(value)[0] if m.is_list_cell(value) else [value]
    if not all(m.is_number(x) for x in numbers):
        raise NotAGraph
    return form.format(",".join(f"{m.number_value(x):g}" for x in numbers))


@reads_graphs
def print_graph(m: Any, write: Write, graph: int, options: int) -> bool:
    nodes = checks.non_empty_list(m, "2104", graph)
    given = checks.option_list(m, options, {"lr": {1}, "and": {1}, "or": {1}})
    texts = {name: connective(m, name, arguments[0]) for name, arguments in given.items()}
    lines: list[str] = []
    write_graph(m, lines.append, nodes, texts.get("lr"), texts.get("and", "&"), texts.get("or", "v"))
    write("".join(lines))
    return True


def connective(m: Any, option: str, c: int) -> str:
    """An atom, or the codes of a text."""
    if c & 7 == ATM:
        return m.atom_text(c)
    codes, tail = m.list_items(c)
    if tail != m.nil or not all(m.is_integer(x) and 0 <= m.int_value(x) <= 0x10FFFF for x in codes):
        raise checks.unknown_option(m, m.struct(option, c))
    return "".join(chr(m.int_value(x)) for x in codes)


@builtin("print_graph(+Graph) is det")
def print_graph_plain(m: Any, graph: int) -> bool:
    return print_graph(m, lambda text: say(m, text), graph, m.nil)


@builtin("print_graph(+Graph, +Options:options) is det")
def print_graph_with(m: Any, graph: int, options: int) -> bool:
    return print_graph(m, lambda text: say(m, text), graph, options)


@builtin("print_graph(+Stream:stream, +Graph, +Options:options) is det")
def print_graph_to(m: Any, stream: int, graph: int, options: int) -> bool:
    return print_graph(m, output_stream(m, stream).write, graph, options)


@builtin("strip_switches(+Graph:non_empty_list!2104, -Graph2) is semidet")
@reads_graphs
def strip_switches(m: Any, graph: list[int], result: int) -> bool:
    """node(Goal,Paths) with only the subgoals of each path."""
    nodes = []
    for node in graph:
        if node_arity(m, node) != 2:
            raise NotAGraph
        paths = [path_parts(m, path)[0] for path in elements_of(m, m.arg(node, 1))]
        nodes.append(m.struct("node", m.arg(node, 0), m.list_from(paths)))
    return m.unify(result, m.list_from(nodes))
