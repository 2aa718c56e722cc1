"""Orders of the switches of a graph, for decision diagrams: a good one makes them thousands of times smaller.

Measured on grids, random graphs, smokers and friends, sums of dice, HMMs and independent groups: the order
of first use (depth first) is best where parts of the graph have nothing in common, breadth first where they
are woven together; drawing together what occurs in the same paths, from there on, is the best single choice.
None is good everywhere, so compiling tries them in turn (see compiling.py).

Moving variables while diagrams are made (sifting, by CUDD, from the order of first use) finds diagrams of
about the same size and takes longer: corner to corner of an undirected 4 x 4 grid 265 nodes in 0.04 s,
where first use has 1228 in 0.08 s (0.03 s by oxidd) and drawing together 248 in 0.01 s; of a 5 x 5 grid
1128 nodes in 0.5 s, where first use did not end in 150 s (of a busy machine) and drawing together has 1148
in 0.25 s. oxidd can only set an order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph

MOST_ROUNDS = 200
MOST_WORK = 20_000_000  # factors looked at, in all rounds
STALE_ROUNDS = 8  # rounds without gain after which an order stays as it is


def orders(graph: Graph) -> Iterator[list[int]]:
    """The orders to try, best guess first. Switches that no path has are not among them."""
    yield switches_of(graph, drawn_together(graph, first_use(graph, depth_first=False)))
    deep = first_use(graph, depth_first=True)
    yield switches_of(graph, deep)
    yield switches_of(graph, drawn_together(graph, deep))


def switches_of(graph: Graph, order: list[int]) -> list[int]:
    return [element for element in order if element < graph.n_switches]


def first_use(graph: Graph, depth_first: bool) -> list[int]:
    """The switches and the nodes (numbered after the switches) as they are met from the roots downwards."""
    owner = graph.switch_of_instance().tolist()
    bounds, factors = graph.path_factors.tolist(), graph.factors.tolist()
    node_paths = graph.node_paths.tolist()
    n_instances, n_switches = graph.n_instances, graph.n_switches
    met: dict[int, None] = {}
    seen = [False] * graph.n_nodes
    todo = deque(graph.roots.tolist())
    while todo:
        node = todo.popleft()
        if seen[node]:
            continue
        seen[node] = True
        met[n_switches + node] = None
        below = []
        for factor in factors[bounds[node_paths[node]] : bounds[node_paths[node + 1]]]:
            if factor < n_instances:
                met[owner[factor]] = None
            else:
                below.append(factor - n_instances)
        if depth_first:
            todo.extendleft(reversed(below))
        else:
            todo.extend(below)
    return list(met)


def drawn_together(graph: Graph, order: list[int]) -> list[int]:
    """An order in which the elements of each path (with its node) stand closer together: the heuristic
    FORCE. Every element goes to the middle of the middles of its paths, again and again; the order of the
    least total distance is kept."""
    n_switches, n_paths = graph.n_switches, graph.n_paths
    n = n_switches + graph.n_nodes
    if not n_paths:
        return order
    switches = np.append(graph.switch_of_instance(), 0)[np.minimum(graph.factors, graph.n_instances)]
    goals = graph.factors - graph.n_instances + n_switches
    elements = np.where(graph.factors < graph.n_instances, switches, goals)
    # Each path is one group: its node, then its factors.
    groups = np.concatenate([np.arange(n_paths), np.repeat(np.arange(n_paths), np.diff(graph.path_factors))])
    elements = np.concatenate([graph.node_of_path() + n_switches, elements])
    sorting = np.argsort(groups, kind="stable")
    groups, elements = groups[sorting], elements[sorting]
    sizes = np.bincount(groups, minlength=n_paths)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    uses = np.maximum(np.bincount(elements, minlength=n), 1)

    def distance(position: Array) -> float:
        at = position[elements]
        return float((np.maximum.reduceat(at, starts) - np.minimum.reduceat(at, starts)).sum())

    position = np.zeros(n)
    position[order] = np.arange(len(order))
    best, least, stale = position, distance(position), 0
    for _ in range(min(MOST_ROUNDS, 1 + MOST_WORK // len(elements))):
        middles = np.add.reduceat(position[elements], starts) / sizes
        drawn = np.bincount(elements, weights=middles[groups], minlength=n) / uses
        last, position = position, np.empty(n)
        position[np.argsort(drawn, kind="stable")] = np.arange(n)
        length = distance(position)
        if length < least:
            best, least, stale = position, length, 0
        else:
            stale += 1
        if stale > STALE_ROUNDS or np.array_equal(position, last):
            break
    return sorted(order, key=best.tolist().__getitem__)
