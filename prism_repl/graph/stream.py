# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -flto
"""How a graph is written for the kernels: monomials, and one stream of integers for the paths of nodes."""

import cython

from prism_repl.arrays import counted_ints, empty_ints, filled_ints, int_array, largest_gap, np, zero_ints

if not cython.compiled:
    from prism_repl.graph.building import POLL, find_run, hashed
    from prism_repl.graph.kernels import first_subgoal, ints, path_end

from prism_repl.graph.limits import require_room


def monomials(graph, poll=None):
    """The distinct products of switch instances in the paths of a graph.

    Returns (mono_start, mono_instances, path_mono): monomial m is the product of the instances
    mono_instances[mono_start[m] : mono_start[m+1]], path p has monomial path_mono[p]; number 0 is the empty
    product. Paths of an HMM or a grammar share few of them, so a fold multiplies them once for all paths.
    """
    n_paths: cython.Py_ssize_t = graph.n_paths
    n_instances: cython.int = graph.n_instances
    path_mono_array = empty_ints(n_paths)
    # At most one monomial a path, and no more instances than switch factors.
    start_array = zero_ints(n_paths + 2)
    n_members = int(np.count_nonzero(graph.factors < graph.n_instances)) + 1
    members_array = empty_ints(n_members + largest_gap(graph.path_factors) + 1)
    mask: cython.Py_ssize_t = 1024
    table_array = filled_ints(mask, -1)
    mask -= 1
    path_factors: cython.p_int = ints(graph.path_factors)
    factors: cython.p_int = ints(graph.factors)
    path_mono: cython.p_int = ints(path_mono_array)
    start: cython.p_int = ints(start_array)
    members: cython.p_int = ints(members_array)
    table: cython.p_int = ints(table_array)
    n_mono: cython.Py_ssize_t = 1
    p: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0
    slot: cython.Py_ssize_t = 0
    m: cython.int = 0
    value: cython.int = 0
    for p in range(n_paths):
        if p & POLL == POLL and poll is not None:
            poll()
        begin = start[n_mono]
        end = begin
        for i in range(path_factors[p], path_factors[p + 1]):
            value = factors[i]
            if value < n_instances:
                j = end
                while j > begin and members[j - 1] > value:
                    members[j] = members[j - 1]
                    j -= 1
                members[j] = value
                end += 1
        if end == begin:
            path_mono[p] = 0
            continue
        slot = find_run(table, mask, 0, start, members, begin, end)
        if table[slot] >= 0:
            path_mono[p] = table[slot]
            continue
        table[slot] = n_mono
        path_mono[p] = n_mono
        n_mono += 1
        start[n_mono] = end
        if 2 * n_mono > mask:
            # Twice the table; all monomials enter it again.
            mask = 4 * mask + 3
            table_array = filled_ints(mask + 1, -1)
            table = ints(table_array)
            for m in range(1, n_mono):
                slot = hashed(members, start[m], start[m + 1]) & mask
                while table[slot] >= 0:
                    slot = (slot + 1) & mask
                table[slot] = m
    return start_array[: n_mono + 1].copy(), members_array[: start_array[n_mono]].copy(), path_mono_array


def write_stream(graph, path_mono_array, n_mono, merge, poll=None):
    """The paths of all nodes as one stream of integers, read in one go by the kernels.

    Numbers below `n_mono` stand for monomials, the others for nodes. A path is `monomial << 2 | k` with
    k = min(3, number of subgoals), the number itself if it is 3 or more, and the numbers of the subgoals. The
    paths of a node come last to first, so that the first best one in the stream is the one to choose.

    With `merge`, nodes that must have the same value are one: a node whose paths are those of an earlier one,
    as the same phrase in two sentences, and a node with one path of one factor only. Without, all nodes are
    written, in the order of the components if the graph has cycles.

    Returns (offset of each node written and the end, stream, number of each node of the graph).
    """
    n_nodes: cython.Py_ssize_t = graph.n_nodes
    n_instances: cython.int = graph.n_instances
    first: cython.int = n_mono
    merging: cython.bint = merge
    start_array = zero_ints(n_nodes + 1)
    place_array = empty_ints(n_nodes)
    # A path has a header, its subgoals, and perhaps their number.
    require_room(2 * graph.n_paths + graph.size + 1, "words")
    require_room(4 * n_mono, "products of switch instances")  # which are written with two bits beside them
    stream_array = empty_ints(2 * graph.n_paths + graph.size + 1)
    mask: cython.Py_ssize_t = 1024
    while mask < 2 * n_nodes and merging:
        mask *= 2
    table_array = filled_ints(mask, -1)
    mask -= 1
    order_array = counted_ints(n_nodes)
    if graph.components is not None:
        if merge:
            raise ValueError("nodes on a cycle cannot be merged")
        order_array = graph.components.nodes
    if not merge:
        place_array[order_array] = np.arange(n_mono, n_mono + n_nodes)
    order: cython.p_int = ints(order_array)
    node_paths: cython.p_int = ints(graph.node_paths)
    path_factors: cython.p_int = ints(graph.path_factors)
    factors: cython.p_int = ints(graph.factors)
    path_mono: cython.p_int = ints(path_mono_array)
    start: cython.p_int = ints(start_array)
    place: cython.p_int = ints(place_array)
    stream: cython.p_int = ints(stream_array)
    table: cython.p_int = ints(table_array)
    turn: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = 0
    p: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0
    header: cython.Py_ssize_t = 0
    written: cython.Py_ssize_t = 0
    slot: cython.Py_ssize_t = 0
    k: cython.int = 0
    for turn in range(n_nodes):
        if turn & POLL == POLL and poll is not None:
            poll()
        n = order[turn]
        begin = start[written]
        at = begin
        for p in range(node_paths[n + 1] - 1, node_paths[n] - 1, -1):
            header = at
            at += 1
            for i in range(path_factors[p], path_factors[p + 1]):
                if factors[i] < n_instances:
                    break  # subgoals come before switches
                stream[at] = place[factors[i] - n_instances]
                at += 1
            k = at - header - 1
            if k >= 3:
                for i in range(at, header + 1, -1):
                    stream[i] = stream[i - 1]
                stream[header + 1] = k
                at += 1
                k = 3
            stream[header] = path_mono[p] << 2 | k
        if merging:
            if at == begin + 1:
                place[n] = stream[begin] >> 2
                continue
            if at == begin + 2 and stream[begin] == 1:
                place[n] = stream[begin + 1]  # after the empty monomial
                continue
            slot = find_run(table, mask, 0, start, stream, begin, at)
            if table[slot] >= 0:
                place[n] = first + table[slot]
                continue
            table[slot] = written
        place[n] = first + written
        written += 1
        start[written] = at
    return start_array[: written + 1].copy(), stream_array[: start_array[written] + 1].copy(), place_array


def stream_owners(start_array, stream_array, n_mono, roots_array, groups_array):
    """To which group of roots each node of a stream belongs: the group if only it reaches the node, else -2
    (shared). `roots` are node numbers, `groups` their groups."""
    n_nodes: cython.Py_ssize_t = len(start_array) - 1
    owners_array = filled_ints(n_nodes, -1)
    roots_array, groups_array = int_array(roots_array), int_array(groups_array)
    n_roots: cython.Py_ssize_t = len(roots_array)
    first: cython.int = n_mono
    start: cython.p_int = ints(start_array)
    stream: cython.p_int = ints(stream_array)
    owners: cython.p_int = ints(owners_array)
    roots: cython.p_int = ints(roots_array)
    groups: cython.p_int = ints(groups_array)
    n: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = 0
    child: cython.int = 0
    owner: cython.int = 0
    for n in range(n_roots):
        child = roots[n] - first
        if child >= 0 and owners[child] != groups[n]:
            owners[child] = groups[n] if owners[child] == -1 else -2
    for n in range(n_nodes - 1, -1, -1):
        owner = owners[n]
        at = start[n]
        while at < start[n + 1]:
            after = path_end(stream, at)
            for i in range(first_subgoal(stream, at), after):
                child = stream[i] - first
                if child >= 0 and owners[child] != owner:
                    owners[child] = owner if owners[child] == -1 else -2
            at = after
    return owners_array


def sharing_order(start_array, stream_array, n_mono):
    """A place for each node of a stream such that nodes above the same node are near each other: those above
    n, by the first node on their first path that has one, come right after n. Examples that are lists share
    their ends in this way, while goals are in the order of the beginnings of lists."""
    n_nodes: cython.Py_ssize_t = len(start_array) - 1
    below_array = filled_ints(n_nodes, -1)
    size_array = filled_ints(n_nodes, 1)
    place_array = empty_ints(n_nodes)
    next_array = empty_ints(n_nodes)
    first: cython.int = n_mono
    if cython.compiled:
        start: cython.p_int = ints(start_array)
        stream: cython.p_int = ints(stream_array)
        below: cython.p_int = ints(below_array)
        size: cython.p_int = ints(size_array)
        place: cython.p_int = ints(place_array)
        following: cython.p_int = ints(next_array)
    else:
        start, stream, below = ints(start_array), ints(stream_array), ints(below_array)
        size, place, following = ints(size_array), ints(place_array), ints(next_array)
    n: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = 0
    top: cython.int = 0
    for n in range(n_nodes):
        at = start[n]
        while at < start[n + 1] and below[n] < 0:
            after = path_end(stream, at)
            for i in range(first_subgoal(stream, at), after):
                if stream[i] >= first:
                    below[n] = stream[i] - first
                    break
            at = after
    # Children come first, so one pass finds how many are above a node, and another one where they go.
    for n in range(n_nodes - 1, -1, -1):
        if below[n] >= 0:
            size[below[n]] += size[n]
    for n in range(n_nodes):
        if below[n] < 0:
            place[n] = top
            top += size[n]
        else:
            place[n] = following[below[n]]
            following[below[n]] += size[n]
        following[n] = place[n] + 1
    return place_array


def reordered(start_array, stream_array, n_mono, nodes_array, local_array, poll=None):
    """A stream with its nodes in another order and with other numbers: local[i] for node n_mono + i."""
    n_nodes: cython.Py_ssize_t = len(nodes_array)
    first: cython.int = n_mono
    new_start_array = zero_ints(n_nodes + 1)
    np.cumsum(np.diff(start_array)[nodes_array], out=new_start_array[1:])
    new_array = np.empty_like(stream_array)
    start: cython.p_int = ints(start_array)
    stream: cython.p_int = ints(stream_array)
    nodes: cython.p_int = ints(nodes_array)
    local: cython.p_int = ints(local_array)
    new: cython.p_int = ints(new_array)
    n: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = 0
    to: cython.Py_ssize_t = 0
    subgoals: cython.Py_ssize_t = 0
    for n in range(n_nodes):
        if n & POLL == POLL and poll is not None:
            poll()
        at = start[nodes[n]]
        while at < start[nodes[n] + 1]:
            after = path_end(stream, at)
            subgoals = first_subgoal(stream, at)
            for i in range(at, after):
                new[to] = stream[i] if i < subgoals or stream[i] < first else local[stream[i] - first]
                to += 1
            at = after
    return new_start_array, new_array
