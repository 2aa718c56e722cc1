"""Random small explanation graphs with cycles, and plain ways to solve them."""

import math

import numpy as np

from prism_repl.graph.graph import build_graph


def tables(nodes, sizes):
    """The arrays that build_graph wants, from nodes given as lists of paths of (subgoals, instances)."""
    head, following, start, length, items = [], [], [], [], []
    for paths in nodes:
        head.append(len(following))
        for i, (subgoals, instances) in enumerate(paths):
            following.append(len(following) + 1 if i + 1 < len(paths) else -1)
            start.append(len(items))
            path = [g << 1 for g in subgoals] + [s << 1 | 1 for s in instances]
            length.append(len(path))
            items += path
    first = np.concatenate([[0], np.cumsum(sizes)])
    return head, following, start, length, items, np.repeat(np.arange(len(sizes)), sizes), first[:-1], sizes


def random_cyclic_graph(rng, linear=False, n_nodes=None):
    """A graph whose nodes each have a switch of their own that decides between their paths, as a program that
    keeps to the exclusiveness condition has; subgoals are any nodes. The first path ends the recursion."""
    n = n_nodes or int(rng.integers(2, 10))
    sizes = rng.integers(2, 5, size=n)
    first = np.concatenate([[0], np.cumsum(sizes)])
    nodes = []
    for node in range(n):
        paths = [([], [int(first[node])])]
        for outcome in range(1, int(sizes[node])):
            most = 1 if linear else int(rng.integers(0, 4))
            subgoals = [int(g) for g in rng.integers(n, size=rng.integers(0, most + 1))]
            more = [int(first[s] + rng.integers(sizes[s])) for s in rng.integers(n, size=rng.integers(0, 2))]
            paths.append((subgoals, [int(first[node]) + outcome, *more]))
        nodes.append([paths[i] for i in rng.permutation(len(paths))])
    roots = rng.integers(n, size=rng.integers(1, 4))
    return build_graph(roots, *tables(nodes, sizes), rng.integers(1, 5, size=len(roots)))


def parameters(graph, rng, ending=0.0):
    """Random parameters; the first outcome of each switch gets `ending` at least."""
    theta = rng.random(graph.n_instances) ** 2 + 0.01
    for a, b in zip(graph.switch_instances[:-1], graph.switch_instances[1:], strict=True):
        theta[a:b] /= theta[a:b].sum()
        theta[a:b] *= 1.0 - ending
        theta[a] += ending
    return theta


def by_iteration(graph, theta, rounds=200_000):
    """The least solution of the equations, by plain iteration from zero."""
    paths = [[graph.split(p) for p in graph.paths(n)] for n in range(graph.n_nodes)]
    coefficients = [[math.prod(theta[i] for i in s) for _, s in node] for node in paths]
    x = [0.0] * graph.n_nodes
    for _ in range(rounds):
        new = [
            sum(c * math.prod(x[g] for g in goals) for c, (goals, _) in zip(cs, node, strict=True))
            for cs, node in zip(coefficients, paths, strict=True)
        ]
        if max(abs(a - b) for a, b in zip(new, x, strict=True)) < 1e-16:
            break
        x = new
    return np.array(new)


def by_solve(graph, theta):
    """The solution of a linear graph, by one dense system for all nodes."""
    a, b = np.eye(graph.n_nodes), np.zeros(graph.n_nodes)
    for n in range(graph.n_nodes):
        for p in graph.paths(n):
            goals, switches = graph.split(p)
            c = math.prod(theta[i] for i in switches)
            if goals:
                (goal,) = goals
                a[n, goal] -= c
            else:
                b[n] += c
    return np.linalg.solve(a, b)


def best_by_iteration(graph, theta):
    """The values of the best explanations, by value iteration."""
    x = np.zeros(graph.n_nodes)
    while True:
        new = x.copy()
        for n in range(graph.n_nodes):
            for p in graph.paths(n):
                goals, switches = graph.split(p)
                value = math.prod([new[g] for g in goals] + [theta[i] for i in switches])
                new[n] = max(new[n], value)
        if (new == x).all():
            return x
        x = new
