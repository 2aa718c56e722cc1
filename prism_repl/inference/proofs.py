"""Explanations where every switch is thrown once: least sets of msw that prove a goal, best first, and their
proofs.

The sets are found on a partial diagram (diagrams.py): a way from its root to true chooses outcomes of some
switches and leaves the others open. Values of the best way from each node on are known, so that a search
from the root meets the ways best first. A way with an outcome that it does not need is dropped as soon as
that shows: when the same way without it has come to the same node.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

from prism_repl.arrays import Array
from prism_repl.graph.derivations import ExplanationTooLarge
from prism_repl.graph.graph import Graph
from prism_repl.inference.diagrams import FALSE, TRUE, Diagram

SLICE = 256  # steps between two looks for an interrupt


def best_sets(diagram: Diagram, root: int, log_theta: Array) -> Iterator[list[int]]:
    """The least sets of switch instances that prove a root of a partial diagram, the most probable first."""
    weights = diagram.weights(log_theta[:, None])
    weights[diagram.instance_of_slot < 0] = 0.0
    best = diagram.values(weights, logs=True, best=True)[:, 0].tolist()
    cost = weights[:, 0].tolist()
    instances = diagram.instance_of_slot.tolist()
    first, start, child = diagram.first.tolist(), diagram.start.tolist(), diagram.child.tolist()
    bottom = len(diagram.branches)
    level = [bottom if place < 0 else place for place in diagram.level.tolist()]

    def left_open(node: int, until: int) -> int:
        """Where a node leads if all switches above a level are left open."""
        while level[node] < until:
            node = child[start[node + 1] - 1]
        return node

    order = itertools.count()  # equals come out as they went in
    top = diagram.roots[root]
    # negated bound, order, log probability so far, node, chosen instances, and where the way leads without
    # each
    heap: list[tuple[float, int, float, int, tuple[int, ...], tuple[int, ...]]] = []
    if top != FALSE:
        heap.append((-best[top], next(order), 0.0, top, (), ()))
    steps = 0
    while heap:
        steps += 1
        if not steps % SLICE and diagram.poll is not None:
            diagram.poll()
        _, _, log, node, chosen, without = heapq.heappop(heap)
        if node == TRUE:
            yield list(chosen)
            continue
        # Leaving the switch open is tried first, so that of equals the smaller set comes first.
        for branch in range(start[node + 1] - start[node] - 1, -1, -1):
            below = child[start[node] + branch]
            if below == FALSE:
                continue
            slot = first[node] + branch
            picked = instances[slot] >= 0
            others = tuple(
                left_open(
                    child[start[other] + branch] if level[other] == level[node] else other, level[below]
                )
                for other in (left_open(other, level[node]) for other in without)
            )
            if picked:
                others = (*others, left_open(child[start[node + 1] - 1], level[below]))
            if below in others:
                continue
            after = log + cost[slot]
            sets = (*chosen, instances[slot]) if picked else chosen
            heapq.heappush(heap, (-(after + best[below]), next(order), after, below, sets, others))


def proof(graph: Graph, root: int, instances: list[int], limit: int) -> list[int]:
    """The paths of a proof of a node from these switch instances, in the order of a proof. Goals on cycles
    are proved before they are used."""
    available = set(instances)
    bounds, factors = graph.path_factors.tolist(), graph.factors.tolist()
    node_of = graph.node_of_path().tolist()
    chosen: dict[int, int] = {}  # node -> the path that proves it
    missing: dict[int, int] = {}  # path -> subgoals that are not proved yet
    users: dict[int, list[int]] = {}
    ready: list[int] = []
    for path in reachable_paths(graph, root):
        members = factors[bounds[path] : bounds[path + 1]]
        if all(factor in available for factor in members if factor < graph.n_instances):
            subgoals = {factor - graph.n_instances for factor in members if factor >= graph.n_instances}
            missing[path] = len(subgoals)
            for subgoal in subgoals:
                users.setdefault(subgoal, []).append(path)
            if not subgoals:
                ready.append(path)
    while ready and root not in chosen:
        path = ready.pop()
        node = node_of[path]
        if node in chosen:
            continue
        chosen[node] = path
        for user in users.get(node, ()):
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    paths: list[int] = []
    todo = [root]
    while todo:
        path = chosen[todo.pop()]
        paths.append(path)
        if len(paths) > limit:
            raise ExplanationTooLarge
        todo += reversed(graph.split(path)[0])
    return paths


def reachable_paths(graph: Graph, root: int) -> Iterator[int]:
    """All paths below a node."""
    seen = {root}
    todo = [root]
    while todo:
        for path in graph.paths(todo.pop()):
            yield path
            for subgoal in graph.split(path)[0]:
                if subgoal not in seen:
                    seen.add(subgoal)
                    todo.append(subgoal)
