"""What the flag scc_debug_level shows of graphs with cycles, and of how they were solved."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prism_repl.arrays import Array, np
from prism_repl.graph.components import LINEAR, Components, find_components
from prism_repl.graph.plan import Poll
from prism_repl.inference.interface import expected_parameters
from prism_repl.inference.search import Search, poll
from prism_repl.inference.slices import Survey
from prism_repl.learning.expectations import Expectations, Expecting
from prism_repl.learning.loop import expecting_of
from prism_repl.learning.problem import LearnOptions, LearnResult, SwitchNumbers
from prism_repl.model.messages import say, text_of
from prism_repl.predicates.learning import Learning

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


def flag_level(m: Any) -> int:
    level: int = m.prob.flags["scc_debug_level"]
    return level


def components_of(found: Search) -> Components:
    """The components of a graph, also of one without cycles."""
    return found.graph.components or find_components(found.graph)


NEWTON = "non-linear solver: Newton's method\n"
VITERBI = "non-linear viterbi: \n"


def show_details(
    found: Search,
    level: int,
    theta: Array,
    values: Array,
    seconds: float,
    heading: str = NEWTON,
    systems: bool = False,
) -> None:
    """From level 3 on the equations and who depends on whom, from 2 on whether the components are right and
    the values of the nodes (with `systems`, the linear systems, too), from 1 on the times: of finding the
    components, and of solving, which took so many seconds."""
    m = found.m
    begun = time.process_time()
    components = components_of(found)
    sorting = time.process_time() - begun
    if level >= 3:
        show_equations(found, theta.tolist())
    if level >= 2:
        show_check(found, components)
        if level >= 3:
            show_components(found, components)
        if systems:
            show_systems(found, components, theta, values)
        say(m, heading)
        show_values(m, components, values)
    say(m, f"CPU time (scc,solution,all)\n# {sorting:f},{seconds:f},{sorting + seconds:f}\n")


def places(found: Search, components: Components) -> Array:
    """The component of each node."""
    component_of = np.full(found.graph.n_nodes, -1, dtype=np.int32)
    for c in range(len(components)):
        component_of[components.members(c)] = c
    return component_of


def show_check(found: Search, components: Components) -> None:
    """Whether each node is in one component, and each component comes after those that it needs."""
    graph, component_of = found.graph, places(found, components)
    once = len(components.nodes) == graph.n_nodes and bool((component_of >= 0).all())
    ordered = all(
        component_of[subgoal] <= component_of[node]
        for node in range(graph.n_nodes)
        for path in graph.paths(node)
        for subgoal in graph.split(path)[0]
    )
    say(found.m, f"check SCCs\n{'[OK] SCCs' if once else 'SCC error'}\n")
    say(found.m, f"{'[OK] SCC order' if ordered else 'SCC order error'}\n")


def show_components(found: Search, components: Components) -> None:
    """For each node, for each path with subgoals in its own component, these subgoals."""
    graph, component_of = found.graph, places(found, components)
    for node in components.nodes.tolist():
        line = f"{node}:"
        for path in graph.paths(node):
            members = [g for g in graph.split(path)[0] if component_of[g] == component_of[node]]
            if members:
                line += f"({','.join(map(str, members))})"
        say(found.m, line + "\n")


def show_systems(found: Search, components: Components, theta: Array, values: Array) -> None:
    """The systems A X + B = 0 of the linear components."""
    graph = found.graph
    for c in np.flatnonzero(components.kinds == LINEAR):
        members = components.members(c).tolist()
        row_of = {node: row for row, node in enumerate(members)}
        matrix, constants = np.diag(np.full(len(members), -1.0)), np.zeros(len(members))
        for node, row in row_of.items():
            for goals, switches in (graph.split(path) for path in graph.paths(node)):
                inner = [g for g in goals if g in row_of]
                weight = theta[switches].prod() * values[[g for g in goals if g not in row_of]].prod()
                if inner:
                    matrix[row, row_of[inner[0]]] += weight
                else:
                    constants[row] += weight
        say(found.m, system_text(matrix, constants, values[members]))


def system_text(matrix: Array, constants: Array, solution: Array) -> str:
    rows = "".join(
        "".join(f"{x:2.3f} " for x in row) + f"  {constant:2.3f} \n"
        for row, constant in zip(matrix, constants, strict=True)
    )
    return f"# linear equation \n{rows}# linear equation solve\n" + "".join(
        f"  {x:2.3f} \n" for x in solution
    )


def show_orders(found: Search) -> None:
    """The size of the largest component, and how many of its goals a path of one of them has at most."""
    components, graph = components_of(found), found.graph
    component_of = places(found, components)
    order = 0
    for node in range(graph.n_nodes):
        for path in graph.paths(node):
            inside = [g for g in graph.split(path)[0] if component_of[g] == component_of[node]]
            order = max(order, len(inside))
    largest = int(np.diff(components.starts).max(initial=0))
    say(found.m, f"max SCC size : {largest}\nmax order : {order}\n")


def show_equations(found: Search, theta: list[float]) -> None:
    """A line for each node: its paths, with the parameters and the numbers of the switch instances."""
    m, graph = found.m, found.graph
    say(m, f"graph_size:{graph.n_nodes}\nequations\n")
    for node in range(graph.n_nodes):
        summands = []
        for path in graph.paths(node):
            goals, switches = graph.split(path)
            factors = [f"{theta[s]:.3f}({found.instance_number(s)})" for s in switches]
            summands.append("*".join([*factors, *(f"x[{g}]" for g in goals)]))
        say(m, f"# x[{node}] : {'+'.join(summands)}\n")


def show_values(m: Any, components: Components, values: Array) -> None:
    say(m, "".join(f"{node}:{values[node]:f}\n" for node in components.nodes.tolist()))


class ShownExpecting:
    """Shows, for each iteration, the values of the nodes and the counts (one run at a time)."""

    splits = side_by_side = False

    def __init__(self, expecting: Expecting, found: Search, write: Callable[[str], None]) -> None:
        self.expecting, self.found, self.write = expecting, found, write

    def expectations(self, lanes: int, pool: ThreadPoolExecutor | None, poll: Poll) -> ShownExpectations:
        return ShownExpectations(self.expecting.expectations(lanes, pool, poll), self)


class ShownExpectations:
    def __init__(self, expectations: Expectations, shown: ShownExpecting) -> None:
        self.expectations, self.shown, self.lanes = expectations, shown, expectations.lanes

    def values(self, theta: Array, logs: bool) -> Array:
        return self.expectations.values(theta, logs)

    def expect(self, theta: Array, weights: Array, logs: bool) -> tuple[Array, Array]:
        roots, counts = self.expectations.expect(theta, weights, logs)
        found = self.shown.found
        text = "### compute inside\n"
        for goal, value in zip(found.graph.roots.tolist(), roots[:, 0], strict=True):
            text += f"{goal}:{np.exp(value) if logs else value:f}\n"
        text += "### compute expectation\n"
        for instance, count in enumerate(counts[:, 0]):
            text += f"{text_of(found.m, found.switch_cell(instance))}:{count:f}\n"
        self.shown.write(text)
        return roots, counts


class DetailedLearning(Learning):
    """Learning that shows what it has solved in the end, if the flag scc_debug_level asks for it, and at
    level 4 each iteration."""

    def numbers(self, found: Search | Survey) -> SwitchNumbers:
        if flag_level(self.m) >= 3 and isinstance(found, Search):
            found.instance_number(0)  # as long as the search's numbers are known
        return super().numbers(found)

    def expecting(self, found: Search | Survey, options: LearnOptions) -> Expecting | None:
        chosen = super().expecting(found, options)
        if flag_level(self.m) < 4 or not isinstance(found, Search):
            return chosen
        return ShownExpecting(
            chosen or expecting_of(found.graph, options, poll(self.m)), found, self.interject
        )

    def threads(self, found: Search | Survey) -> int:
        return 1 if flag_level(self.m) >= 4 else super().threads(found)

    def interject(self, text: str) -> None:
        """Write lines between those of the report."""
        self.line.write(("\n" if self.within_line else "") + text)
        self.within_line = False

    def note(self, found: Search | Survey, result: LearnResult, seconds: float) -> None:
        super().note(found, result, seconds)
        level = flag_level(self.m)
        if not level or not isinstance(found, Search):
            return
        theta = result.theta
        if theta is None:  # hyperparameters were learned
            assert result.alpha is not None
            theta = expected_parameters(found.graph, result.alpha)
        show_orders(found)
        inference = found.inference(log_scale=False, theta=theta)
        viterbi = self.mode.endswith("_vt")
        values = (inference.viterbi_values() if viterbi else inference.inside()).nodes
        heading = VITERBI if viterbi else NEWTON
        show_details(found, level, theta, values, result.em_time, heading, systems=not viterbi)
