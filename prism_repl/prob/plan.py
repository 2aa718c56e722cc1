"""A graph made ready for the kernels, and the passes over it.

The switch instances of each path are replaced by one monomial (a distinct product of instances, computed
once a pass), and large graphs of many goals are cut into parts that can be worked on side by side: first
the nodes that several groups of goals share, then one part for each group. The cut depends on the graph
only, and what the parts produce is added up in their order, so results are the same bits for any number of
threads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from prism_repl.prob import kernels
from prism_repl.prob.graph import Graph, monomials, node_owners, write_stream

Array = np.ndarray[Any, Any]
Poll = Callable[[], None] | None  # called every few milliseconds of work; may raise to break off

# Below this many factors a graph is not worth cutting.
CUT_FROM = 200_000
GROUPS = 8
# A kernel call does about this many stream words, at most some 50 ms (eight lanes of logarithms). Interrupts
# are seen between calls.
SLICE = 500_000
# Parameter sets side by side in one pass.
LANES = 8
# Below this a plain product may have lost what matters to underflow: take logarithms.
SMALLEST = 1e-290


class Part:
    """Some nodes of the graph with a local numbering: the shared nodes first, then the part's own."""

    def __init__(
        self, path_mono: Array, graph: Graph, nodes: Array, n_shared: int, local: Array, poll: Poll
    ) -> None:
        self.nodes = nodes
        self.first = n_shared
        self.size = n_shared + len(nodes)
        self.start, self.stream = write_stream(graph, path_mono, nodes, local, poll)
        self.slices = self._slices()
        self.set_roots(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))

    def set_roots(self, roots: Array, root_nodes: Array) -> None:
        """Which observed goals are here, and their local node numbers."""
        self.roots, self.root_nodes = roots, root_nodes.astype(np.int64)
        self.distinct = len(np.unique(root_nodes)) == len(root_nodes)

    def add_roots(self, weights: Array, root_weights: Array) -> None:
        if self.distinct:
            weights[self.root_nodes] += root_weights[self.roots]
        else:
            np.add.at(weights, self.root_nodes, root_weights[self.roots])

    def _slices(self) -> list[tuple[int, int]]:
        words = int(self.start[-1])
        if words <= SLICE:
            return [(0, len(self.nodes))]
        cuts = np.unique(np.searchsorted(self.start, range(0, words, SLICE)))
        edges = [*cuts.tolist(), len(self.nodes)]
        return [(a, b) for a, b in itertools.pairwise(edges) if a < b]


class Plan:
    """One graph, ready for passes over it. A Plan holds no numbers: those are in a Workspace."""

    def __init__(self, graph: Graph, cut: bool = True, poll: Poll = None) -> None:
        self.graph = graph
        self.mono_start, self.mono_members, path_mono = monomials(graph, poll)
        self.n_mono = len(self.mono_start) - 1
        owners = self._owners() if cut else None
        every = np.arange(graph.n_nodes, dtype=np.int32)
        self.shared: Part | None = None
        self.parts: list[Part] = []
        if owners is None:
            self.parts.append(Part(path_mono, graph, every, 0, every, poll))
            self.parts[0].set_roots(np.arange(len(graph.roots)), graph.roots)
            return
        common = every[owners == -2]
        local = np.empty(graph.n_nodes, dtype=np.int32)
        local[common] = np.arange(len(common), dtype=np.int32)
        root_owner = owners[graph.roots]
        for group in [-2, *range(GROUPS)]:
            nodes = every[owners == group]
            first = 0 if group == -2 else len(common)
            local[nodes] = np.arange(first, first + len(nodes), dtype=np.int32)
            part = Part(path_mono, graph, nodes, first, local, poll)
            roots = np.flatnonzero(root_owner == group)
            part.set_roots(roots, local[graph.roots[roots]])
            if group == -2:
                self.shared = part
            else:
                self.parts.append(part)

    def _owners(self) -> Array | None:
        """The group of each node if the graph is worth cutting and can be cut, else None."""
        graph = self.graph
        if graph.size < CUT_FROM or len(graph.roots) < 4 * GROUPS:
            return None
        # Goals in the order of the graph, in groups of about the same number of factors.
        reach = np.maximum.accumulate(graph.path_factors[graph.node_paths[graph.roots + 1]].astype(np.int64))
        groups = np.minimum(reach * GROUPS // (int(reach[-1]) + 1), GROUPS - 1)
        owners = node_owners(graph, groups)
        if np.count_nonzero(owners == -2) > 0.1 * graph.n_nodes:
            return None
        return owners


class Workspace:
    """The numbers of one computation on a plan: `lanes` parameter sets side by side (1 or LANES).

    Arrays with an entry for each switch instance or goal have the shape (n, lanes)."""

    def __init__(
        self,
        plan: Plan,
        lanes: int = 1,
        pool: ThreadPoolExecutor | None = None,
        poll: Poll = None,
    ) -> None:
        self.plan, self.lanes, self.pool, self.poll = plan, lanes, pool, poll
        self.logs = False
        self.best = False
        self.mono = np.empty((plan.n_mono, lanes))
        self.n_shared = plan.shared.size if plan.shared else 0
        self.shared_values = np.empty((self.n_shared, lanes))
        self.values = [np.empty((part.size, lanes)) for part in plan.parts]
        self.weights: list[Array] = []
        self.counts: list[Array] = []
        self.dirty = False
        self.stopped = False

    def _run(self, job: Callable[[int], None], indices: Iterable[int]) -> None:
        """Runs job(i) for each part: in the pool if there is one. An interrupt stops the other threads,
        too."""
        todo = list(indices)
        if self.pool is None or len(todo) == 1:
            for i in todo:
                job(i)
            return
        futures = [self.pool.submit(job, i) for i in todo]
        try:
            for future in futures:
                future.result()
        except BaseException:
            self.stopped = True
            wait(futures)
            self.stopped = False
            raise

    def pause(self) -> None:
        """Between two slices: the place where a long pass can be left."""
        if self.stopped:
            raise InterruptedError
        if self.poll is not None:
            self.poll()

    def inside(self, theta: Array, logs: bool = False, best: bool = False) -> Array:
        """The values of the observed goals under the parameters `theta` (n_instances, lanes): sums over
        explanations, or the best explanation's. With `logs`, theta and the result are logarithms."""
        plan, lanes = self.plan, self.lanes
        self.logs, self.best = logs, best
        theta = np.ascontiguousarray(theta, dtype=np.float64)
        kernels.products(plan.mono_start, plan.mono_members, theta, self.mono, lanes, logs)
        if plan.shared is not None:
            self._inside_part(plan.shared, self.shared_values)

        def job(i: int) -> None:
            self.values[i][: self.n_shared] = self.shared_values
            self._inside_part(plan.parts[i], self.values[i])

        self._run(job, range(len(plan.parts)))
        result = np.empty((len(plan.graph.roots), lanes))
        for part, values in self._with_shared(self.values, self.shared_values):
            result[part.roots] = values[part.root_nodes]
        return result

    def _inside_part(self, part: Part, values: Array) -> None:
        for begin, end in part.slices:
            self.pause()
            kernels.inside(
                part.start,
                part.stream,
                self.mono,
                values,
                part.first,
                begin,
                end,
                self.lanes,
                self.logs,
                self.best,
            )

    def _with_shared(self, arrays: list[Array], shared: Array) -> list[tuple[Part, Array]]:
        pairs = list(zip(self.plan.parts, arrays, strict=True))
        if self.plan.shared is not None:
            pairs.insert(0, (self.plan.shared, shared))
        return pairs

    def flow(self, root_weights: Array, keep: bool = False) -> Array:
        """After inside(): how often each switch instance is expected (or used by the best explanations) when
        goal g is observed root_weights[g] times. Shape (n_instances, lanes). With `keep` (one lane only)
        node_weights() has the same for the nodes."""
        plan, lanes = self.plan, self.lanes
        if not self.weights:
            self.weights = [np.zeros((part.size, lanes)) for part in plan.parts]
            self.shared_weights = np.zeros((self.n_shared, lanes))
            self.counts = [np.empty((plan.n_mono, lanes)) for _ in plan.parts]

        def job(i: int) -> None:
            part, weights = plan.parts[i], self.weights[i]
            # A pass leaves its own nodes at zero, unless it was broken off or asked to keep the weights.
            weights[: None if dirty else self.n_shared] = 0.0
            self.counts[i][:] = 0.0
            part.add_roots(weights, root_weights)
            self._flow_part(part, self.values[i], weights, self.counts[i], keep)

        dirty, self.dirty = self.dirty, True
        self._run(job, range(len(plan.parts)))
        counts = self.counts[0]
        for more in self.counts[1:]:
            counts += more
        if plan.shared is not None:
            part = plan.shared
            self.shared_weights[:] = 0.0
            part.add_roots(self.shared_weights, root_weights)
            for weights in self.weights:
                self.shared_weights += weights[: self.n_shared]
            self._flow_part(part, self.shared_values, self.shared_weights, counts, keep)
        self.dirty = keep
        totals = np.zeros((plan.graph.n_instances, lanes))
        kernels.spread(plan.mono_start, plan.mono_members, counts, totals, lanes)
        return totals

    def _flow_part(self, part: Part, values: Array, weights: Array, counts: Array, keep: bool) -> None:
        for begin, end in reversed(part.slices):
            self.pause()
            kernels.flow(
                part.start,
                part.stream,
                self.mono,
                values,
                weights,
                counts,
                part.first,
                begin,
                end,
                self.lanes,
                self.logs,
                self.best,
                keep,
            )

    def node_values(self) -> Array:
        """After inside(): the values of all nodes in the order of the graph, shape (n_nodes, lanes)."""
        return self._gather(self.values, self.shared_values)

    def node_weights(self) -> Array:
        """After flow(keep=True): how often each node is expected (or used), in the order of the graph."""
        return self._gather(self.weights, self.shared_weights)

    def _gather(self, arrays: list[Array], shared: Array) -> Array:
        result = np.empty((self.plan.graph.n_nodes, self.lanes))
        for part, values in self._with_shared(arrays, shared):
            result[part.nodes] = values[part.first :]
        return result
