# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The strongly connected components of a graph with cycles, children first (Tarjan's algorithm)."""

import cython

from prism_repl.arrays import empty_ints, filled_ints, zero_ints

if not cython.compiled:
    from prism_repl.graph.building import POLL
    from prism_repl.graph.kernels import ints

ACYCLIC, LINEAR, NONLINEAR = 0, 1, 2


class Components:
    """Component c has the nodes nodes[starts[c]] .. nodes[starts[c + 1]], in the order in which they were
    discovered; a component comes after all that it needs.

    kinds[c] is ACYCLIC for a single node that is not below itself, LINEAR if no path of a member has two
    subgoals in the component, else NONLINEAR."""

    def __init__(self, starts, nodes, kinds):
        self.starts, self.nodes, self.kinds = starts, nodes, kinds

    def __len__(self):
        return len(self.kinds)

    def members(self, component):
        return self.nodes[self.starts[component] : self.starts[component + 1]]


def find_components(graph, poll=None):
    """The components of all nodes. The search goes from the roots, the last path of a node first, its
    subgoals from the first."""
    n_nodes: cython.Py_ssize_t = graph.n_nodes
    n_instances: cython.int = graph.n_instances
    n_roots: cython.Py_ssize_t = len(graph.roots)
    index_array = filled_ints(n_nodes, -1)  # the order of discovery
    low_array = empty_ints(n_nodes)
    found_array = filled_ints(n_nodes, -1)  # the component of a node
    open_array = empty_ints(n_nodes)  # nodes without a component yet
    frame_array = empty_ints(n_nodes)  # nodes in work,
    path_array = empty_ints(n_nodes)  # the path of each,
    place_array = empty_ints(n_nodes)  # and the next factor in it
    nodes_array = empty_ints(n_nodes)
    starts_array = zero_ints(n_nodes + 1)
    node_paths: cython.p_int = ints(graph.node_paths)
    path_factors: cython.p_int = ints(graph.path_factors)
    factors: cython.p_int = ints(graph.factors)
    roots: cython.p_int = ints(graph.roots)
    index: cython.p_int = ints(index_array)
    low: cython.p_int = ints(low_array)
    found: cython.p_int = ints(found_array)
    opened: cython.p_int = ints(open_array)
    frame: cython.p_int = ints(frame_array)
    path: cython.p_int = ints(path_array)
    place: cython.p_int = ints(place_array)
    nodes: cython.p_int = ints(nodes_array)
    starts: cython.p_int = ints(starts_array)
    counter: cython.int = 0
    n_open: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 0
    n_components: cython.int = 0
    n_placed: cython.Py_ssize_t = 0
    r: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0
    node: cython.int = 0
    child: cython.int = 0
    for r in range(n_roots):
        if index[roots[r]] >= 0:
            continue
        child = roots[r]
        while child >= 0 or depth > 0:
            if child >= 0:  # enter it
                node = child
                index[node] = counter
                low[node] = counter
                counter += 1
                if counter & POLL == POLL and poll is not None:
                    poll()
                opened[n_open] = node
                n_open += 1
                frame[depth] = node
                path[depth] = node_paths[node + 1] - 1
                if path[depth] >= node_paths[node]:
                    place[depth] = path_factors[path[depth]]
                depth += 1
                child = -1
                continue
            node = frame[depth - 1]
            if path[depth - 1] < node_paths[node] or place[depth - 1] == path_factors[path[depth - 1] + 1]:
                path[depth - 1] -= 1
                if path[depth - 1] >= node_paths[node]:
                    place[depth - 1] = path_factors[path[depth - 1]]
                    continue
                depth -= 1
                if depth > 0 and low[node] < low[frame[depth - 1]]:
                    low[frame[depth - 1]] = low[node]
                if low[node] == index[node]:
                    # the open nodes from this one on, which are in the order of discovery
                    first = n_open - 1
                    while opened[first] != node:
                        first -= 1
                    for i in range(first, n_open):
                        found[opened[i]] = n_components
                        nodes[n_placed] = opened[i]
                        n_placed += 1
                    n_open = first
                    n_components += 1
                    starts[n_components] = n_placed
                continue
            child = factors[place[depth - 1]] - n_instances
            place[depth - 1] += 1
            if child >= 0 and index[child] >= 0:
                if found[child] < 0 and index[child] < low[node]:
                    low[node] = index[child]
                child = -1
            elif child < 0:
                child = -1
    kinds_array = zero_ints(n_components)
    kinds: cython.p_int = ints(kinds_array)
    members: cython.int = 0
    for node in range(n_nodes):
        for i in range(node_paths[node], node_paths[node + 1]):
            members = 0
            for r in range(path_factors[i], path_factors[i + 1]):
                child = factors[r] - n_instances
                if child >= 0 and found[child] == found[node]:
                    members += 1
            if members > 1:
                kinds[found[node]] = 2
            elif members == 1 and kinds[found[node]] == 0:
                kinds[found[node]] = 1
    return Components(starts_array[: n_components + 1].copy(), nodes_array, kinds_array)
