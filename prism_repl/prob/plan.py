"""A graph made ready for the kernels, and the passes over it.

The switch instances of each path are replaced by one monomial (a distinct product of instances, computed
once a pass), nodes that must have the same value are merged, and large graphs of many goals are cut into
parts that can be worked on side by side: first the nodes that several groups of goals share, then one part
for each group. The cut depends on the graph only, and what the parts produce is added up in their order, so
results are the same bits for any number of threads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from prism_repl.prob import kernels
from prism_repl.prob.graph import Graph, monomials, part_stream, stream_owners, write_stream

Array = np.ndarray[Any, Any]
Poll = Callable[[], None] | None  # called every few milliseconds of work; may raise to break off

# Below this many stream words a graph is not worth cutting.
CUT_FROM = 100_000
GROUPS = 8
# A kernel call does about this many stream words, at most some 50 ms (eight lanes of logarithms). Interrupts
# are seen between calls.
SLICE = 500_000
# Parameter sets side by side in one pass.
LANES = 8
# Below this a plain product may have lost what matters to underflow: take logarithms.
SMALLEST = 1e-290


class Part:
    """Some nodes in their order, with the numbering of the kernels: monomials, shared nodes, own nodes."""

    def __init__(self, start: Array, stream: Array, first: int, roots: Array, root_nodes: Array) -> None:
        self.start, self.stream = start, stream
        self.first = first  # the number of the first own node
        self.size = first + len(start) - 1
        self.slices = self._slices()
        # Which observed goals are here, and their numbers; several may be one node.
        self.roots, self.root_nodes = roots, root_nodes.astype(np.int64)
        self.distinct = len(np.unique(root_nodes)) == len(root_nodes)

    def add_roots(self, weights: Array, root_weights: Array) -> None:
        if self.distinct:
            weights[self.root_nodes] += root_weights[self.roots]
        else:
            np.add.at(weights, self.root_nodes, root_weights[self.roots])

    def _slices(self) -> list[tuple[int, int]]:
        words, n_nodes = int(self.start[-1]), len(self.start) - 1
        if words <= SLICE:
            return [(0, n_nodes)]
        cuts = np.unique(np.searchsorted(self.start, range(0, words, SLICE)))
        edges = [*cuts.tolist(), n_nodes]
        return [(a, b) for a, b in itertools.pairwise(edges) if a < b]


class Plan:
    """One graph, ready for passes over it. A Plan holds no numbers: those are in a Workspace.

    With `merge` (what learning needs) nodes of the same value are one and the plan may be cut; without, every
    node of the graph is there, in its order, so that values and weights of single nodes can be had."""

    def __init__(self, graph: Graph, merge: bool = True, poll: Poll = None) -> None:
        self.graph = graph
        self.mono_start, self.mono_members, path_mono = monomials(graph, poll)
        self.n_mono = len(self.mono_start) - 1
        start, stream, place = write_stream(graph, path_mono, self.n_mono, merge, poll)
        root_nodes = place[graph.roots]
        self.shared: Part | None = None
        self.parts: list[Part] = []
        owners = self._owners(start, stream, root_nodes) if merge else None
        if owners is None:
            self.parts.append(Part(start, stream, self.n_mono, np.arange(len(root_nodes)), root_nodes))
            return
        # A goal that is a monomial belongs to what is shared.
        root_owners = np.append(owners, -2)[np.maximum(root_nodes - self.n_mono, -1)]
        n_common = self.n_mono + int(np.count_nonzero(owners == -2))
        local = np.empty(len(owners), dtype=np.int32)
        for group in [-2, *range(GROUPS)]:
            nodes = np.flatnonzero(owners == group).astype(np.int32)
            first = self.n_mono if group == -2 else n_common
            local[nodes] = np.arange(first, first + len(nodes), dtype=np.int32)
            roots = np.flatnonzero(root_owners == group)
            numbers = root_nodes[roots]
            numbers = np.where(numbers < self.n_mono, numbers, local[numbers - self.n_mono])
            part_start, words = part_stream(start, stream, self.n_mono, nodes, local, poll)
            part = Part(part_start, words, first, roots, numbers)
            if group == -2:
                self.shared = part
            else:
                self.parts.append(part)

    def _owners(self, start: Array, stream: Array, root_nodes: Array) -> Array | None:
        """The group of each node if the graph is worth cutting and can be cut, else None."""
        if int(start[-1]) < CUT_FROM or len(root_nodes) < 4 * GROUPS:
            return None
        # Goals in the order of the graph, in groups of about the same size.
        reach = np.maximum.accumulate(start[np.maximum(root_nodes - self.n_mono + 1, 0)].astype(np.int64))
        groups = np.minimum(reach * GROUPS // (int(reach[-1]) + 1), GROUPS - 1)
        owners: Array = stream_owners(start, stream, self.n_mono, root_nodes, groups)
        if np.count_nonzero(owners == -2) > 0.1 * len(owners):
            return None
        return owners


def rows(n: int, lanes: int) -> Array:
    """An array of n rows, unset. Rows of LANES numbers are whole cache lines."""
    spare = np.empty(n * lanes + 8)
    skip = -spare.ctypes.data % 64 // 8
    return spare[skip : skip + n * lanes].reshape(n, lanes)


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
        self.n_common = plan.parts[0].first  # monomials and shared nodes
        self.values = [rows(part.size, lanes) for part in plan.parts]
        self.common_values = rows(self.n_common, lanes) if plan.shared else self.values[0][: self.n_common]
        self.weights: list[Array] = []
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
        kernels.products(plan.mono_start, plan.mono_members, theta, self.common_values, lanes, logs)
        if plan.shared is not None:
            self._inside_part(plan.shared, self.common_values)

        def job(i: int) -> None:
            if plan.shared is not None:
                self.values[i][: self.n_common] = self.common_values
            self._inside_part(plan.parts[i], self.values[i])

        self._run(job, range(len(plan.parts)))
        result = np.empty((len(plan.graph.roots), lanes))
        if plan.shared is not None:
            result[plan.shared.roots] = self.common_values[plan.shared.root_nodes]
        for part, values in zip(plan.parts, self.values, strict=True):
            result[part.roots] = values[part.root_nodes]
        return result

    def _inside_part(self, part: Part, values: Array) -> None:
        for begin, end in part.slices:
            self.pause()
            kernels.inside(
                part.start, part.stream, values, part.first, begin, end, self.lanes, self.logs, self.best
            )

    def flow(self, root_weights: Array, keep: bool = False) -> Array:
        """After inside(): how often each switch instance is expected (or used by the best explanations) when
        goal g is observed root_weights[g] times. Shape (n_instances, lanes). With `keep` (one lane only)
        node_weights() has the same for the nodes."""
        plan, lanes = self.plan, self.lanes
        if not self.weights:
            self.weights = [rows(part.size, lanes) for part in plan.parts]
            self.dirty = True

        def job(i: int) -> None:
            part, weights = plan.parts[i], self.weights[i]
            # A pass leaves its own nodes at zero, unless it was broken off or asked to keep the weights.
            weights[: None if dirty else self.n_common] = 0.0
            part.add_roots(weights, root_weights)
            self._flow_part(part, self.values[i], weights, keep)

        dirty, self.dirty = self.dirty, True
        self._run(job, range(len(plan.parts)))
        common = self.weights[0][: self.n_common]
        for more in self.weights[1:]:
            common += more[: self.n_common]
        if plan.shared is not None:
            plan.shared.add_roots(common, root_weights)
            self._flow_part(plan.shared, self.common_values, common, keep)
        self.dirty = keep
        totals = np.zeros((plan.graph.n_instances, lanes))
        kernels.spread(plan.mono_start, plan.mono_members, common, totals, lanes)
        return totals

    def _flow_part(self, part: Part, values: Array, weights: Array, keep: bool) -> None:
        for begin, end in reversed(part.slices):
            self.pause()
            kernels.flow(
                part.start,
                part.stream,
                values,
                weights,
                part.first,
                begin,
                end,
                self.lanes,
                self.logs,
                self.best,
                keep,
            )

    def node_values(self) -> Array:
        """After inside(): the values of all nodes in the order of the graph, shape (n_nodes, lanes). The plan
        must not be merged."""
        return self.values[0][self.n_common :].copy()

    def node_weights(self) -> Array:
        """After flow(keep=True): how often each node is expected (or used), in the order of the graph."""
        return self.weights[0][self.n_common :].copy()
