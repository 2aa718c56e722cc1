"""Random small explanation graphs, and brute force on them."""

import itertools
import math

import numpy as np
from hypothesis import strategies as st

from prism_repl.graph.graph import build_graph


@st.composite
def graphs(draw, exclusive=False):
    """A graph of a few nodes and switches. `exclusive` makes the explanations of a node exclude each other
    (its paths begin with different outcomes of one switch), as learning with sums needs."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, size=rng.integers(1, 5))
    first = np.concatenate([[0], np.cumsum(sizes)])
    n_nodes = int(rng.integers(1, 8))
    head, following, start, length, items = [], [], [], [], []

    def instance():
        s = rng.integers(len(sizes))
        return int(first[s] + rng.integers(sizes[s]))

    for node in range(n_nodes):
        if exclusive:
            s = rng.integers(len(sizes))
            heads = [
                [int(first[s] + v) << 1 | 1]
                for v in rng.permutation(sizes[s])[: rng.integers(1, sizes[s] + 1)]
            ]
        else:
            heads = [[] for _ in range(rng.integers(1, 4))]
        head.append(len(following))
        for i, path in enumerate(heads):
            for _ in range(rng.integers(0, 4)):
                if node and rng.random() < 0.5:
                    path.append(int(rng.integers(node)) << 1)
                else:
                    path.append(instance() << 1 | 1)
            following.append(len(following) + 1 if i + 1 < len(heads) else -1)
            start.append(len(items))
            length.append(len(path))
            items += path
    roots = rng.integers(n_nodes, size=rng.integers(1, 4))
    return build_graph(
        roots,
        head,
        following,
        start,
        length,
        items,
        np.repeat(np.arange(len(sizes)), sizes),
        first[:-1],
        sizes,
        rng.integers(1, 5, size=len(roots)),
    )


def random_parameters(graph, rng, zeros=False):
    theta = rng.random(graph.n_instances) + 0.05
    if zeros:
        theta[rng.random(graph.n_instances) < 0.2] = 0.0
    for a, b in itertools.pairwise(graph.switch_instances.tolist()):
        if theta[a:b].sum() == 0.0:
            theta[a] = 1.0
        theta[a:b] /= theta[a:b].sum()
    return theta


def explanations(graph, node, limit=3000):
    """All explanations of a node: sorted tuples of switch instances, with repetitions. None if too many."""
    found = []
    for path in graph.paths(node):
        subgoals, switches = graph.split(path)
        parts = [explanations(graph, child, limit) for child in subgoals]
        if any(part is None for part in parts) or np.prod([len(part) for part in parts], dtype=float) > limit:
            return None
        found += [tuple(sorted(sum(choice, tuple(switches)))) for choice in itertools.product(*parts)]
    return found if len(found) <= limit else None


def ranked_derivations(graph, node, theta, limit=3000):
    """All derivations of a node, best first: ((exponent, mantissa), paths in proof order). None if too many.
    The value is mantissa * 2**exponent with a mantissa from 0.5 to 1. Among equals later paths come first;
    then the ranks of the subgoals decide, smaller ones first, the first subgoal before the others."""
    keyed = []
    for path in graph.paths(node):
        subgoals, switches = graph.split(path)
        parts = [ranked_derivations(graph, child, theta, limit) for child in subgoals]
        if any(part is None for part in parts) or math.prod(len(part) for part in parts) > limit:
            return None
        for ranks in itertools.product(*(range(len(part)) for part in parts)):
            chosen = [part[rank] for part, rank in zip(parts, ranks, strict=True)]
            values = [value for value, _ in chosen] + [math.frexp(theta[i])[::-1] for i in switches]
            exponent, mantissa = 1, 0.5
            for e, m in values:
                mantissa, shift = math.frexp(mantissa * m)
                exponent += e + shift
            if mantissa == 0.0:
                exponent = -(10**9)
            paths = [path, *itertools.chain.from_iterable(below for _, below in chosen)]
            keyed.append(((-exponent, -mantissa, -path, ranks), ((exponent, mantissa), paths)))
    keyed.sort(key=lambda pair: pair[0])
    return [derivation for _, derivation in keyed] if len(keyed) <= limit else None
