"""What learn prints beside its progress: the statistics, and the explanation graphs if the flag verb asks."""

from __future__ import annotations

from prism_repl.inference.search import Search
from prism_repl.inference.slices import Survey
from prism_repl.learning.problem import LearnResult
from prism_repl.model.messages import say, text_of


def statistics_text(found: Search | Survey, result: LearnResult, variational: bool, seconds: float) -> str:
    graph = found.graph
    if variational:
        objective = "Final variational free energy"
    elif "squared_error" in result.statistics:
        objective = "Final squared error"
    elif "log_post" in result.statistics:
        objective = "Final log of a posteriori prob"
    else:
        objective = "Final log likelihood"
    lines = [
        f"Graph size: {graph.size}",
        f"Number of switches: {graph.n_switches}",
        f"Number of switch instances: {graph.n_instances}",
        f"Number of iterations: {result.iterations}",
        f"{objective}: {result.objective:.9f}",
        f"Total learning time: {seconds:.3f} seconds",
        f"Explanation search time: {found.seconds:.3f} seconds",
        f"Total table space used: {found.table_bytes} bytes",
    ]
    return "Statistics on learning:\n" + "".join(f"        {line}\n" for line in lines)


def write_graphs(found: Search, counts: list[int], first: int = 0) -> None:
    """The explanation graphs as the flag verb asks for them: paths last to first, nodes by number. The first
    goal has this number."""
    m, graph = found.m, found.graph
    for i, root in enumerate(graph.roots.tolist()):
        say(m, f"  <<Goal[{first + i}]: (count={counts[first + i]})>>\n")
        for node in below(found, root):
            say(m, f"  g[{found.node_number(node)}]:{text_of(m, found.node_cell(node))}\n")
            filled = [
                p for p in reversed(graph.paths(node)) if graph.path_factors[p] < graph.path_factors[p + 1]
            ]
            for k, path in enumerate(filled):
                goals, switches = graph.split(path)
                say(m, f"    path[{k}]:\n")
                for goal in goals:
                    say(m, f"      g[{found.node_number(goal)}]:{text_of(m, found.node_cell(goal))}\n")
                for switch in switches:
                    number = found.instance_number(switch)
                    say(m, f"      sw[{number}]:{text_of(m, found.switch_cell(switch))}\n")


def below(found: Search, *roots: int) -> list[int]:
    """Nodes and all that they depend on, in the order in which graphs are printed."""
    seen = set(roots)
    todo = list(seen)
    while todo:
        for path in found.graph.paths(todo.pop()):
            fresh = set(found.graph.split(path)[0]) - seen
            seen |= fresh
            todo += fresh
    return sorted(seen, reverse=True)
