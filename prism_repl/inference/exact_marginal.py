"""The exact log marginal likelihood of goals: all combinations of their explanations, grouped by counts.

The counts of an explanation are the digits of one large integer, so that the counts of a conjunction are a
sum; a node is a table from such integers to how many explanations have these counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from prism_repl.arrays import Array, np
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll
from prism_repl.inference.mcmc import log_normalizers

Table = dict[int, int]

ROWS = 1 << 14  # count vectors that are scored at once


def log_marginal(graph: Graph, goals: Iterable[int], alpha: Array, poll: Poll = None) -> float:
    """ln P of the goals (indices of roots, as often as they are observed), parameters integrated out."""
    goals = list(goals)
    digit = np.dtype(np.uint32 if longest(graph) * len(goals) >= 1 << 16 else np.uint16)
    tables = node_tables(graph, 8 * digit.itemsize, poll)
    total: Table = {0: 1}
    for goal in goals:
        total = products(total, tables[int(graph.roots[goal])], poll)
    prior = float(log_normalizers(alpha[None, :], graph.switch_instances)[0])
    greatest, mass = -math.inf, 0.0
    keys = list(total)
    for first in range(0, len(keys), ROWS):
        if poll is not None:
            poll()
        some = keys[first : first + ROWS]
        size = graph.n_instances * digit.itemsize
        data = b"".join(key.to_bytes(size, "little") for key in some)
        counts = np.frombuffer(data, dtype=digit).reshape(len(some), graph.n_instances)
        logs = log_normalizers(alpha + counts, graph.switch_instances) - prior
        logs += np.array([math.log(total[key]) for key in some])
        top = max(greatest, float(logs.max()))
        mass = mass * math.exp(greatest - top) + float(np.exp(logs - top).sum())
        greatest = top
    return greatest + math.log(mass)


def longest(graph: Graph) -> int:
    """The most switch instances that an explanation of a root has."""
    lengths = [0] * graph.n_nodes
    for node in range(graph.n_nodes):
        for path in graph.paths(node):
            subgoals, switches = graph.split(path)
            lengths[node] = max(lengths[node], len(switches) + sum(lengths[n] for n in subgoals))
    return max((lengths[root] for root in graph.roots.tolist()), default=0)


def node_tables(graph: Graph, bits: int, poll: Poll) -> list[Table]:
    """For each node: the counts of its explanations, and how many have them."""
    tables: list[Table] = []
    for node in range(graph.n_nodes):
        table: Table = {}
        for path in graph.paths(node):
            subgoals, switches = graph.split(path)
            part: Table = {sum(1 << bits * i for i in switches): 1}
            for subgoal in subgoals:
                part = products(part, tables[subgoal], poll)
            for key, number in part.items():
                table[key] = table.get(key, 0) + number
        tables.append(table)
    return tables


def products(first: Table, second: Table, poll: Poll) -> Table:
    if len(first) < len(second):
        first, second = second, first
    result: Table = {}
    for other, times in second.items():
        if poll is not None:
            poll()
        for key, number in first.items():
            result[key + other] = result.get(key + other, 0) + number * times
    return result
