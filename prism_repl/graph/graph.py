"""The explanation graph: flat arrays, children first.

A node has paths (alternatives), a path has factors (a conjunction). A factor below `n_instances` is a
switch instance, any other is `n_instances` plus the number of a node. Children come before their parents,
so that a fold over the graph is one forward loop; a graph with cycles keeps its strongly connected components
(components.py), which are solved one after the other. The arrays are made once from the tables of the
explanation search; afterwards only numbers move.
"""

from prism_repl.arrays import int_array, np
from prism_repl.graph.building import copy_paths, post_order
from prism_repl.graph.components import find_components
from prism_repl.graph.discovery import order_of_discovery


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
        poll=None,
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
        self.components = None if cycle is None else find_components(self, poll)

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

    order, used, cycle = post_order(
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
    node_paths, path_factors, factors = copy_paths(
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
        poll=poll,
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
    order, _, cycle = post_order(
        graph.roots, head, following, starts, lengths, items, owners, graph.n_switches, poll
    )
    number = np.empty(graph.n_nodes, dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    shift = np.zeros(graph.n_switches, dtype=np.int32)
    node_paths, path_factors, factors = copy_paths(
        order, number, head, following, starts, lengths, items, owners, shift, graph.n_instances, poll
    )
    return Graph(
        node_paths,
        path_factors,
        factors,
        graph.switch_instances,
        number[graph.roots],
        graph.counts,
        node_ids=graph.node_ids[order],
        instance_ids=graph.instance_ids,
        switch_ids=graph.switch_ids,
        cycle=graph.node_ids[cycle].tolist(),
        poll=poll,
    )
