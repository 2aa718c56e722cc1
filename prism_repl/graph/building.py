# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""The loops that make the arrays of a graph (graph.py) from the raw output of the explanation search.

What they are given is described at graph.build_graph."""

import cython

from prism_repl.arrays import empty_ints, filled_ints, int_array, zero_ints
from prism_repl.graph.limits import require_room

if not cython.compiled:
    from prism_repl.graph.kernels import ints

    POLL = 65535  # how often the loops look for an interrupt: each time these bits are all set


def hashed(numbers, begin, end):
    """A hash of the numbers from begin to end, below 2**31 (a larger literal would be a Python object)."""
    code: cython.Py_ssize_t = 17
    i: cython.Py_ssize_t = 0
    for i in range(begin, end):
        code = ((code ^ numbers[i]) * 0x01000193) & 0x7FFFFFFF
        code ^= code >> 15
    return code


def find_run(table, mask, least, start, numbers, begin, end):
    """The slot of a hash table at which the run that is the same as numbers[begin] .. numbers[end] stands, or
    could stand. Run r is numbers[start[r]] .. numbers[start[r + 1]]; entries below `least` count as free."""
    slot: cython.Py_ssize_t = hashed(numbers, begin, end) & mask
    r: cython.int = table[slot]
    i: cython.Py_ssize_t = 0
    while r >= least:
        if start[r + 1] - start[r] == end - begin:
            i = 0
            while i < end - begin and numbers[start[r] + i] == numbers[begin + i]:
                i += 1
            if i == end - begin:
                return slot
        slot = (slot + 1) & mask
        r = table[slot]
    return slot


def with_stand_ins(items_array, same_array):
    """Items of paths (as of build_graph) in which each node is replaced by the one that stands for it."""
    count: cython.Py_ssize_t = len(items_array)
    i: cython.Py_ssize_t = 0
    item: cython.int = 0
    items_array, same_array = int_array(items_array), int_array(same_array)
    found_array = empty_ints(count)
    items: cython.p_int = ints(items_array)
    same: cython.p_int = ints(same_array)
    found: cython.p_int = ints(found_array)
    for i in range(count):
        item = items[i]
        found[i] = item if item & 1 else same[item >> 1] << 1
    return found_array


def post_order(
    roots_array,
    head_array,
    next_array,
    start_array,
    len_array,
    items_array,
    owner_array,
    n_switches,
    poll,
):
    """The nodes reachable from the roots, children first; a mark for each switch that occurs; and the nodes
    of the first cycle that was met, or None."""
    n_nodes: cython.Py_ssize_t = len(head_array)
    order_array = empty_ints(n_nodes)
    used_array = zero_ints(n_switches)
    state_array = zero_ints(n_nodes)  # 0 new, 1 open, 2 done
    frame_array = empty_ints(n_nodes)  # the open nodes
    place_array = empty_ints(n_nodes)  # the next item of the path in work
    base_array = empty_ints(n_nodes)  # where the node's paths begin on the stack of paths
    todo_array = empty_ints(len(next_array))
    n_roots: cython.Py_ssize_t = len(roots_array)
    roots: cython.p_int = ints(roots_array)
    head: cython.p_int = ints(head_array)
    following: cython.p_int = ints(next_array)
    start: cython.p_int = ints(start_array)
    length: cython.p_int = ints(len_array)
    items: cython.p_int = ints(items_array)
    owner: cython.p_int = ints(owner_array)
    order: cython.p_int = ints(order_array)
    used: cython.p_int = ints(used_array)
    state: cython.p_int = ints(state_array)
    frame: cython.p_int = ints(frame_array)
    place: cython.p_int = ints(place_array)
    base: cython.p_int = ints(base_array)
    todo: cython.p_int = ints(todo_array)
    n_order: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 0
    top: cython.Py_ssize_t = 0
    r: cython.Py_ssize_t = 0
    node: cython.int = 0
    path: cython.int = 0
    item: cython.int = 0
    entering: cython.bint = False
    entered: cython.Py_ssize_t = 0
    cycle = None
    for r in range(n_roots):
        if state[roots[r]] != 0:
            continue
        node = roots[r]
        entering = True
        while entering or depth > 0:
            if entering:
                state[node] = 1
                entered += 1
                if entered & POLL == POLL and poll is not None:
                    poll()
                frame[depth] = node
                place[depth] = 0
                base[depth] = top
                depth += 1
                path = head[node]
                while path >= 0:
                    todo[top] = path
                    top += 1
                    path = following[path]
                entering = False
            elif top == base[depth - 1]:
                depth -= 1
                node = frame[depth]
                state[node] = 2
                order[n_order] = node
                n_order += 1
            else:
                path = todo[top - 1]
                if place[depth - 1] == length[path]:
                    top -= 1
                    place[depth - 1] = 0
                    continue
                item = items[start[path] + place[depth - 1]]
                place[depth - 1] += 1
                if item & 1:
                    used[owner[item >> 1]] = 1
                    continue
                node = item >> 1
                if state[node] == 0:
                    entering = True
                elif state[node] == 1 and cycle is None:
                    opened = frame_array[:depth].tolist()
                    cycle = opened[opened.index(node) :]
    return order_array[:n_order].copy(), used_array, cycle


def copy_paths(
    order_array,
    number_array,
    head_array,
    next_array,
    start_array,
    len_array,
    items_array,
    owner_array,
    shift_array,
    n_instances,
    poll,
):
    """The paths of the nodes in `order` with graph numbers, each distinct path of a node once."""
    n_nodes: cython.Py_ssize_t = len(order_array)
    n: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    f: cython.Py_ssize_t = 0
    path: cython.int = 0
    item: cython.int = 0
    n_paths: cython.Py_ssize_t = 0
    n_factors: cython.Py_ssize_t = 0
    alternatives: cython.Py_ssize_t = 0
    most: cython.Py_ssize_t = 1
    order: cython.p_int = ints(order_array)
    number: cython.p_int = ints(number_array)
    head: cython.p_int = ints(head_array)
    following: cython.p_int = ints(next_array)
    start: cython.p_int = ints(start_array)
    length: cython.p_int = ints(len_array)
    items: cython.p_int = ints(items_array)
    owner: cython.p_int = ints(owner_array)
    shift: cython.p_int = ints(shift_array)
    for n in range(n_nodes):
        alternatives = 0
        path = head[order[n]]
        while path >= 0:
            alternatives += 1
            n_factors += length[path]
            path = following[path]
        n_paths += alternatives
        if alternatives > most:
            most = alternatives
    require_room(n_factors, "factors")
    require_room(n_paths, "paths")
    require_room(n_nodes + n_instances, "nodes and switch instances")

    node_paths_array = zero_ints(n_nodes + 1)
    path_factors_array = zero_ints(n_paths + 1)
    factors_array = empty_ints(n_factors)
    # A hash table for the paths of one node: what is in it of nodes before has smaller numbers.
    mask: cython.Py_ssize_t = 4
    while mask < 2 * most:
        mask *= 2
    table_array = filled_ints(mask, -1)
    mask -= 1
    first_node: cython.int = n_instances
    node_paths: cython.p_int = ints(node_paths_array)
    path_factors: cython.p_int = ints(path_factors_array)
    factors: cython.p_int = ints(factors_array)
    table: cython.p_int = ints(table_array)
    p: cython.int = 0
    f = 0
    begin: cython.Py_ssize_t = 0
    slot: cython.Py_ssize_t = 0
    for n in range(n_nodes):
        if n & POLL == POLL and poll is not None:
            poll()
        path = head[order[n]]
        while path >= 0:
            begin = f
            for i in range(start[path], start[path] + length[path]):
                item = items[i]
                if not item & 1:
                    factors[f] = first_node + number[item >> 1]
                    f += 1
            for i in range(start[path], start[path] + length[path]):
                item = items[i]
                if item & 1:
                    item = item >> 1
                    factors[f] = item + shift[owner[item]]
                    f += 1
            slot = find_run(table, mask, node_paths[n], path_factors, factors, begin, f)
            if table[slot] >= node_paths[n]:
                f = begin
            else:
                table[slot] = p
                p += 1
                path_factors[p] = f
            path = following[path]
        node_paths[n + 1] = p
    if p < n_paths:
        path_factors_array = path_factors_array[: p + 1].copy()
        factors_array = factors_array[:f].copy()
    return node_paths_array, path_factors_array, factors_array
