"""Whether two explanations of a goal can hold at the same time, each switch having one value.

Two explanations differ somewhere: at some node they take different paths. So for each node its paths are
compared, in those worlds in which the node takes part in a proof of the goal.
"""

from __future__ import annotations

from collections import deque

from oxidd.bcdd import BCDDFunction as Function

from prism_repl.graph.graph import Graph
from prism_repl.inference.compiling import Functions, Note, components
from prism_repl.inference.proofs import proof
from prism_repl.inference.sums import LARGEST_EXPLANATION

Overlap = tuple[list[int], list[int]]  # the switch instances of two explanations


def overlap(functions: Functions, root: int) -> Overlap | None:
    """Two explanations of a node that hold together in some world; None if there are none."""
    graph = functions.graph

    def find(note: Note) -> tuple[int, int, int, Function] | None:
        used = use_of_nodes(functions, root, note)
        for node in range(graph.n_nodes - 1, -1, -1):
            seen: list[tuple[int, Function]] = []
            any_seen = functions.manager.false()
            for path in graph.paths(node):
                holds = functions.path(path) & used[node]
                if (holds & any_seen).satisfiable():
                    other, both = next((p, f & holds) for p, f in seen if (f & holds).satisfiable())
                    return node, other, path, both
                any_seen = note(any_seen | holds)
                seen.append((path, holds))
        return None

    found = functions.guarded(find)
    if found is None:
        return None
    node, first, second, both = found
    world = true_instances(functions, both)
    return explanation(graph, root, node, first, world), explanation(graph, root, node, second, world)


def use_of_nodes(functions: Functions, root: int, note: Note) -> list[Function]:
    """For each node the worlds in which it is part of a proof of the root (not always a proof without
    loops)."""
    graph = functions.graph
    used = [functions.manager.false()] * graph.n_nodes
    used[root] = functions.manager.true()
    for component in reversed(components(graph)):
        members = set(component)
        waiting = deque(component)
        while waiting:
            node = waiting.popleft()
            for path in graph.paths(node):
                here = used[node] & functions.path(path)
                for subgoal in graph.split(path)[0]:
                    wider = note(used[subgoal] | here)
                    if wider != used[subgoal]:
                        used[subgoal] = wider
                        if subgoal in members:
                            waiting.append(subgoal)
    return used


def true_instances(functions: Functions, function: Function) -> set[int]:
    """The switch instances of a world in which a function is true."""
    cube = function.pick_cube()
    assert cube is not None
    world = set()
    for branches in functions.branches:
        values = [cube[variable] for variable in branches.variables]
        if True in values:
            world.add(branches.instances[values.index(True)])
        elif len(branches.instances) > len(values):
            world.add(branches.instances[-1])
    return world


def explanation(graph: Graph, root: int, node: int, path: int, world: set[int]) -> list[int]:
    """The switch instances of a proof of the root in a world, which proves the node by this path."""
    taken = [path]
    # the way from the root down to the node, and what else its paths need
    came_from: dict[int, tuple[int, int]] = {}
    todo = deque([root])
    while todo and node not in came_from and node != root:
        above = todo.popleft()
        for candidate in graph.paths(above):
            subgoals, switches = graph.split(candidate)
            if not world.issuperset(switches) or not all(holds(graph, goal, world) for goal in subgoals):
                continue
            for subgoal in subgoals:
                if subgoal not in came_from and subgoal != root:
                    came_from[subgoal] = (above, candidate)
                    todo.append(subgoal)
    on_the_way: list[tuple[int, int]] = [(path, -1)]
    at = node
    while at != root:
        above, candidate = came_from[at]
        on_the_way.append((candidate, at))
        at = above
    taken = []
    for candidate, without in reversed(on_the_way):
        subgoals, switches = graph.split(candidate)
        taken += switches
        for goal in subgoals:
            if goal != without:
                for step in proof(graph, goal, sorted(world), LARGEST_EXPLANATION):
                    taken += graph.split(step)[1]
    return list(dict.fromkeys(taken))


def holds(graph: Graph, node: int, world: set[int]) -> bool:
    """Whether a node has a proof in a world."""
    try:
        proof(graph, node, sorted(world), LARGEST_EXPLANATION)
    except KeyError:
        return False
    return True
