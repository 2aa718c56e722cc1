# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The order in which linear tabling finds the paths of a graph with cycles, as PRISM prints them.

A call that is met again while it is being evaluated has only the answers that it has so far; the first call
of a component is evaluated again until nothing new comes. So a path around a cycle is found after those that
its subgoals need.
"""

import cython

from prism_repl.arrays import counted_ints, empty_ints, filled_ints, np, zero_ints

if not cython.compiled:
    from prism_repl.graph.kernels import ints

PATIENCE = 100  # evaluations of all paths, at most: what is not found then keeps its place


def order_of_discovery(graph, poll=None):
    """The paths of all nodes, those of a node one after the other, in the order in which they are found."""
    n_nodes: cython.Py_ssize_t = graph.n_nodes
    n_paths: cython.Py_ssize_t = graph.n_paths
    n_instances: cython.int = graph.n_instances
    n_roots: cython.Py_ssize_t = len(graph.roots)
    component_array = empty_ints(n_nodes)
    components = graph.components
    component_array[components.nodes] = np.repeat(counted_ints(len(components)), np.diff(components.starts))
    n_components: cython.Py_ssize_t = len(components)
    found_array = zero_ints(n_paths)
    filled_array = graph.node_paths[:n_nodes].copy()  # where the next path of a node goes
    order_array = empty_ints(n_paths)
    stamp_array = filled_ints(n_nodes, -1)  # the round in which a node was evaluated last
    leader_array = filled_ints(n_components, -1)  # the node of a component that was called first
    round_array = zero_ints(n_components)
    changed_array = zero_ints(n_components)
    done_array = zero_ints(n_components)
    frame_array = empty_ints(n_nodes + 1)  # the nodes in work,
    path_array = empty_ints(n_nodes + 1)  # the path of each,
    place_array = empty_ints(n_nodes + 1)  # and the factor in it
    node_paths: cython.p_int = ints(graph.node_paths)
    path_factors: cython.p_int = ints(graph.path_factors)
    factors: cython.p_int = ints(graph.factors)
    roots: cython.p_int = ints(graph.roots)
    component: cython.p_int = ints(component_array)
    found: cython.p_int = ints(found_array)
    filled: cython.p_int = ints(filled_array)
    order: cython.p_int = ints(order_array)
    stamp: cython.p_int = ints(stamp_array)
    leader: cython.p_int = ints(leader_array)
    turn: cython.p_int = ints(round_array)
    changed: cython.p_int = ints(changed_array)
    done: cython.p_int = ints(done_array)
    frame: cython.p_int = ints(frame_array)
    path: cython.p_int = ints(path_array)
    place: cython.p_int = ints(place_array)
    depth: cython.Py_ssize_t = 0
    r: cython.Py_ssize_t = 0
    steps: cython.Py_ssize_t = 0
    most: cython.Py_ssize_t = PATIENCE * (n_paths + len(graph.factors) + 1)
    node: cython.int = 0
    child: cython.int = 0
    c: cython.int = 0
    p: cython.int = 0
    for r in range(n_roots):
        child = roots[r]
        while (child >= 0 or depth > 0) and steps < most:
            steps += 1
            if steps & 0xFFFF == 0 and poll is not None:
                poll()
            if child >= 0:  # a call
                c = component[child]
                if done[c] or (leader[c] >= 0 and stamp[child] == turn[c]):
                    child = -1  # has what it has
                else:
                    if leader[c] < 0:
                        leader[c] = child
                    stamp[child] = turn[c]
                    frame[depth] = child
                    path[depth] = node_paths[child]
                    place[depth] = path_factors[path[depth]]
                    depth += 1
                    child = -1
                continue
            node = frame[depth - 1]
            c = component[node]
            p = path[depth - 1]
            if p == node_paths[node + 1]:  # all paths were tried
                if leader[c] == node:
                    if changed[c]:
                        changed[c] = 0
                        turn[c] += 1
                        stamp[node] = turn[c]
                        path[depth - 1] = node_paths[node]
                        place[depth - 1] = path_factors[path[depth - 1]]
                        continue
                    done[c] = 1
                depth -= 1
                continue
            if place[depth - 1] == path_factors[p + 1] or factors[place[depth - 1]] < n_instances:
                # all subgoals of the path have answers
                if not found[p]:
                    found[p] = 1
                    order[filled[node]] = p
                    filled[node] += 1
                    changed[c] = 1
                path[depth - 1] += 1
                place[depth - 1] = path_factors[p + 1]
                continue
            child = factors[place[depth - 1]] - n_instances
            if done[component[child]] or stamp[child] == turn[component[child]]:
                if filled[child] == node_paths[child]:  # no answer yet
                    path[depth - 1] += 1
                    place[depth - 1] = path_factors[p + 1]
                else:
                    place[depth - 1] += 1
                child = -1
    for node in range(n_nodes):
        for p in range(node_paths[node], node_paths[node + 1]):
            if not found[p]:
                order[filled[node]] = p
                filled[node] += 1
    return order_array
