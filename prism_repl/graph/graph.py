# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The explanation graph: flat arrays, children first.

A node has paths (alternatives), a path has factors (a conjunction). A factor below `n_instances` is a
switch instance, any other is `n_instances` plus the number of a node. Children come before their parents,
so that a fold over the graph is one forward loop; a graph with cycles keeps its strongly connected components
(components.py), which are solved one after the other. The arrays are made once from the tables of the
explanation search; afterwards only numbers move.
"""

import cython

from prism_repl.arrays import np
from prism_repl.graph.components import find_components
from prism_repl.graph.discovery import order_of_discovery

if not cython.compiled:
    from prism_repl.graph.kernels import ints

    POLL = 65535  # how often the loops look for an interrupt: each time these bits are all set

# Numbers of factors, paths, nodes and of what is written of them have 31 bits.
LARGEST = 0x7FFFFF00


def require_room(count, what):
    """What the arrays of a graph number must fit their integers."""
    if count > LARGEST:
        raise MemoryError(f"the explanation graph has more than {LARGEST} {what}")


def int_array(values):
    """`values` as a contiguous int32 array, copied only if it is not one already."""
    return np.ascontiguousarray(values, dtype=np.int32)


def hashed(numbers, begin, end):
    """A hash of the numbers from begin to end, below 2**31 (a larger literal would be a Python object)."""
    code: cython.Py_ssize_t = 17
    i: cython.Py_ssize_t = 0
    for i in range(begin, end):
        code = ((code ^ numbers[i]) * 0x01000193) & 0x7FFFFFFF
        code ^= code >> 15
    return code


def with_stand_ins(items_array, same_array):
    """Items of paths (as of build_graph) in which each node is replaced by the one that stands for it."""
    count: cython.Py_ssize_t = len(items_array)
    i: cython.Py_ssize_t = 0
    item: cython.int = 0
    items_array, same_array = int_array(items_array), int_array(same_array)
    found_array = np.empty(count, dtype=np.int32)
    items: cython.p_int = ints(items_array)
    same: cython.p_int = ints(same_array)
    found: cython.p_int = ints(found_array)
    for i in range(count):
        item = items[i]
        found[i] = item if item & 1 else same[item >> 1] << 1
    return found_array


class Graph:
    """An explanation graph (see above), and where its parts come from.

    node_paths[n] .. node_paths[n+1]      paths of node n
    path_factors[p] .. path_factors[p+1]  factors of path p: subgoals, then switch instances, in call order
    switch_instances[s] .. [s+1]          instances of switch s: all its outcomes, also those not in a path
    roots, counts                         node of each observed goal, and how often it was observed
    node_ids, instance_ids, switch_ids    the search's numbers for nodes, switch instances, switches
    cycle                                 None, or the search's numbers of the nodes on a cycle
    components                            a Components if there is a cycle, else None

    The arrays are checked here, once: kernels trust them.
    """

    def __init__(
        self,
        node_paths,
        path_factors,
        factors,
        switch_instances,
        roots,
        counts,
        node_ids=None,
        instance_ids=None,
        switch_ids=None,
        cycle=None,
    ):
        self.node_paths = int_array(node_paths)
        self.path_factors = int_array(path_factors)
        self.factors = int_array(factors)
        self.switch_instances = int_array(switch_instances)
        self.roots = int_array(roots)
        self.counts = np.ascontiguousarray(counts, dtype=np.float64)
        self._lists = None
        self.n_nodes = len(self.node_paths) - 1
        self.n_paths = len(self.path_factors) - 1
        self.n_switches = len(self.switch_instances) - 1
        self.n_instances = int(self.switch_instances[self.n_switches])
        self.node_ids = np.arange(self.n_nodes, dtype=np.int32) if node_ids is None else int_array(node_ids)
        self.instance_ids = (
            np.arange(self.n_instances, dtype=np.int32) if instance_ids is None else int_array(instance_ids)
        )
        self.switch_ids = (
            np.arange(self.n_switches, dtype=np.int32) if switch_ids is None else int_array(switch_ids)
        )
        self.cycle = cycle
        self.check()
        self.components = None if cycle is None else find_components(self)

    def check(self):
        """Refuses arrays that do not fit each other."""
        edges = ((self.node_paths, self.n_paths), (self.path_factors, len(self.factors)))
        for starts, end in (*edges, (self.switch_instances, self.n_instances)):
            if starts[0] != 0 or starts[len(starts) - 1] != end or np.diff(starts).min(initial=0) < 0:
                raise ValueError("a graph whose parts do not fit")
        most = self.n_instances + self.n_nodes
        if self.factors.min(initial=0) < 0 or self.factors.max(initial=0) >= max(most, 1):
            raise ValueError("a factor that is neither a switch instance nor a node")
        if self.roots.min(initial=0) < 0 or self.roots.max(initial=0) >= max(self.n_nodes, 1):
            raise ValueError("a root that is no node")
        if len(self.counts) != len(self.roots) or len(self.node_ids) != self.n_nodes:
            raise ValueError("a graph whose parts do not fit")

    def require_paths(self):
        """Refuses nodes without paths, on which the kernels for sums and maxima do not count. (A goal that is
        false has such a node where negation has a meaning: decision diagrams.)"""
        if np.diff(self.node_paths).min(initial=1) < 1:
            raise ValueError("a node of the explanation graph has no path")

    @property
    def size(self):
        """PRISM's "Graph size": the factors of all paths."""
        return len(self.factors)

    @property
    def n_occurring(self):
        """How many switch instances occur in a path."""
        return len(np.unique(self.factors[self.factors < self.n_instances]))

    def statistics(self):
        """The keys and values of graph_statistics/2, in PRISM's order."""
        goals = int(np.count_nonzero(self.factors >= self.n_instances))
        return {
            "num_subgraphs": self.n_nodes,
            "num_nodes": len(self.factors),
            "num_goal_nodes": goals,
            "num_switch_nodes": len(self.factors) - goals,
            "avg_shared": goals / self.n_nodes if self.n_nodes else 0.0,
        }

    def paths(self, node):
        """The paths of a node, as a range."""
        return range(int(self.node_paths[node]), int(self.node_paths[node + 1]))

    def split(self, path):
        """The subgoals (node numbers) and the switch instances of a path, in call order."""
        if self._lists is None:
            # Python lists: one path at a time is much quicker from these than from arrays.
            self._lists = (self.path_factors.tolist(), self.factors.tolist())
        bounds, factors = self._lists
        n_instances = self.n_instances
        subgoals, switches = [], []
        for factor in factors[bounds[path] : bounds[path + 1]]:
            if factor < n_instances:
                switches.append(factor)
            else:
                subgoals.append(factor - n_instances)
        return subgoals, switches

    def print_order(self):
        """Node numbers in the order in which PRISM prints a graph: the top goal first."""
        return range(self.n_nodes - 1, -1, -1)

    def node_of_path(self):
        """The node of each path."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.node_paths))

    def switch_of_instance(self):
        """The switch of each instance."""
        return np.repeat(np.arange(self.n_switches, dtype=np.int32), np.diff(self.switch_instances))


def build_graph(
    roots,
    node_head,
    path_next,
    path_start,
    path_len,
    items,
    switch_of_instance,
    first_instance_of_switch,
    size_of_switch,
    counts=None,
    poll=None,
):
    """The Graph reachable from `roots`, from the raw output of the explanation search.

    node_head[node] is the first path of a node or -1, path_next[path] the next one or -1; a path is the slice
    items[path_start : path_start+path_len] of `id << 1 | is_switch` in call order. `poll` is called every few
    milliseconds and may raise to break off.

    The order is PRISM's: a node comes after all that its paths need, paths being visited last to first and
    the subgoals of a path first to last; a node that is still being visited is not visited again. Identical
    paths of a node are kept once. Around cycles, paths are in the order of discovery.
    """
    roots = int_array(roots)
    if counts is None:
        counts = np.ones(len(roots))
    node_head, path_next = int_array(node_head), int_array(path_next)
    path_start, path_len, items = int_array(path_start), int_array(path_len), int_array(items)
    switch_of_instance = int_array(switch_of_instance)
    first_instance_of_switch, size_of_switch = int_array(first_instance_of_switch), int_array(size_of_switch)

    order, used, cycle = _post_order(
        roots,
        node_head,
        path_next,
        path_start,
        path_len,
        items,
        switch_of_instance,
        len(size_of_switch),
        poll,
    )

    # Whole switches are numbered, in the order of their ids.
    switch_ids = np.flatnonzero(used).astype(np.int32)
    sizes = size_of_switch[switch_ids]
    switch_instances = np.zeros(len(switch_ids) + 1, dtype=np.int32)
    np.cumsum(sizes, out=switch_instances[1:])
    n_instances = int(switch_instances[len(switch_ids)])
    instance_ids = (
        np.repeat(first_instance_of_switch[switch_ids] - switch_instances[: len(switch_ids)], sizes)
        + np.arange(n_instances, dtype=np.int32)
    ).astype(np.int32)
    shift_of_switch = np.zeros(len(size_of_switch), dtype=np.int32)
    shift_of_switch[switch_ids] = switch_instances[: len(switch_ids)] - first_instance_of_switch[switch_ids]

    number = np.empty(len(node_head), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    node_paths, path_factors, factors = _copy_paths(
        order,
        number,
        node_head,
        path_next,
        path_start,
        path_len,
        items,
        switch_of_instance,
        shift_of_switch,
        n_instances,
        poll,
    )
    graph = Graph(
        node_paths,
        path_factors,
        factors,
        switch_instances,
        number[roots],
        counts,
        node_ids=order,
        instance_ids=instance_ids,
        switch_ids=switch_ids,
        cycle=cycle,
    )
    return graph if cycle is None else _as_discovered(graph, poll)


def _as_discovered(graph, poll):
    """A graph with cycles whose paths are in the order of their discovery, and its nodes accordingly."""
    paths = order_of_discovery(graph, poll)
    firsts = graph.node_paths[: graph.n_nodes]
    head = np.full(graph.n_nodes, -1, dtype=np.int32)
    filled = firsts < graph.node_paths[1:]
    head[filled] = paths[firsts[filled]]
    following = np.full(graph.n_paths, -1, dtype=np.int32)
    following[paths[: len(paths) - 1]] = paths[1:]
    following[paths[graph.node_paths[1:] - 1]] = -1  # the last one of a node
    starts, lengths = graph.path_factors[: graph.n_paths], np.diff(graph.path_factors)
    nodes = graph.factors - graph.n_instances
    items = int_array(np.where(nodes < 0, graph.factors << 1 | 1, nodes << 1))
    owners = graph.switch_of_instance()
    order, _, cycle = _post_order(
        graph.roots, head, following, starts, lengths, items, owners, graph.n_switches, poll
    )
    number = np.empty(graph.n_nodes, dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    shift = np.zeros(graph.n_switches, dtype=np.int32)
    arrays = _copy_paths(
        order, number, head, following, starts, lengths, items, owners, shift, graph.n_instances, poll
    )
    return Graph(
        *arrays,
        graph.switch_instances,
        number[graph.roots],
        graph.counts,
        node_ids=graph.node_ids[order],
        instance_ids=graph.instance_ids,
        switch_ids=graph.switch_ids,
        cycle=graph.node_ids[cycle].tolist(),
    )


def _post_order(
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
    order_array = np.empty(n_nodes, dtype=np.int32)
    used_array = np.zeros(n_switches, dtype=np.int32)
    state_array = np.zeros(n_nodes, dtype=np.int32)  # 0 new, 1 open, 2 done
    frame_array = np.empty(n_nodes, dtype=np.int32)  # the open nodes
    place_array = np.empty(n_nodes, dtype=np.int32)  # the next item of the path in work
    base_array = np.empty(n_nodes, dtype=np.int32)  # where the node's paths begin on the stack of paths
    todo_array = np.empty(len(next_array), dtype=np.int32)
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


def _copy_paths(
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

    node_paths_array = np.zeros(n_nodes + 1, dtype=np.int32)
    path_factors_array = np.zeros(n_paths + 1, dtype=np.int32)
    factors_array = np.empty(n_factors, dtype=np.int32)
    # A hash table for the paths of one node; a stamp says which entries are of this node.
    mask: cython.Py_ssize_t = 4
    while mask < 2 * most:
        mask *= 2
    table_array = np.empty(mask, dtype=np.int32)
    stamp_array = np.full(mask, -1, dtype=np.int32)
    mask -= 1
    first_node: cython.int = n_instances
    node_paths: cython.p_int = ints(node_paths_array)
    path_factors: cython.p_int = ints(path_factors_array)
    factors: cython.p_int = ints(factors_array)
    table: cython.p_int = ints(table_array)
    stamp: cython.p_int = ints(stamp_array)
    p: cython.Py_ssize_t = 0
    f = 0
    begin: cython.Py_ssize_t = 0
    other: cython.Py_ssize_t = 0
    slot: cython.Py_ssize_t = 0
    code: cython.Py_ssize_t = 0
    same: cython.bint = False
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
            code = hashed(factors, begin, f)
            slot = code & mask
            same = False
            while stamp[slot] == n and not same:
                other = table[slot]
                same = path_factors[other + 1] - path_factors[other] == f - begin
                if same:
                    for i in range(f - begin):
                        if factors[path_factors[other] + i] != factors[begin + i]:
                            same = False
                            break
                if not same:
                    slot = (slot + 1) & mask
            if same:
                f = begin
            else:
                table[slot] = p
                stamp[slot] = n
                p += 1
                path_factors[p] = f
            path = following[path]
        node_paths[n + 1] = p
    if p < n_paths:
        path_factors_array = path_factors_array[: p + 1].copy()
        factors_array = factors_array[:f].copy()
    return node_paths_array, path_factors_array, factors_array
