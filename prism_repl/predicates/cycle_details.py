"""What the flag scc_debug_level shows of graphs with cycles, and of how they were solved."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from prism_repl.graph.components import Components, find_components
from prism_repl.inference.search import Search
from prism_repl.model.messages import say

Array = np.ndarray[Any, Any]


def flag_level(m: Any) -> int:
    level: int = m.prob.flags["scc_debug_level"]
    return level


def components_of(found: Search) -> Components:
    """The components of a graph, also of one without cycles."""
    return found.graph.components or find_components(found.graph)


def show_details(
    found: Search, level: int, theta: Array, values: Array, seconds: float, heading: str = ""
) -> None:
    """From level 3 on the equations, from 2 on the components and the values of the nodes, from 1 on the
    times: of finding the components, and of solving, which took so many seconds."""
    m = found.m
    begun = time.process_time()
    components = components_of(found)
    sorting = time.process_time() - begun
    if level >= 3:
        show_equations(found, theta.tolist())
    if level >= 2:
        say(m, heading)
        show_solution(m, components, values.tolist())
    say(m, f"CPU time (scc,solution,all)\n# {sorting:f},{seconds:f},{sorting + seconds:f}\n")


def show_orders(found: Search) -> None:
    """The size of the largest component, and how many of its goals a path of one of them has at most."""
    components, graph = components_of(found), found.graph
    component_of = np.empty(graph.n_nodes, dtype=np.int32)
    for c in range(len(components)):
        component_of[components.members(c)] = c
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


def show_solution(m: Any, components: Components, values: list[float]) -> None:
    say(m, f"{len(components)} components, the largest of {np.diff(components.starts).max()} goals\n")
    for component in range(len(components)):
        for node in components.members(component).tolist():
            say(m, f"{node}:{values[node]:f}\n")
