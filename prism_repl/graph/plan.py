"""A graph made ready for the kernels, and the passes over it.

The switch instances of each path are replaced by one monomial (a distinct product of instances, computed
once a pass), nodes that must have the same value are merged, and large graphs of many goals are cut into
blocks of goals: first the nodes that several blocks share, then each block's own. A pass goes up and down in
one block before it turns to the next. The cut depends on the graph only, and what the blocks produce is added
up in an order of its own, so results are the same bits for any number of threads.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prism_repl.arrays import Array, int_array, np
from prism_repl.graph import kernels, lane_sums
from prism_repl.graph.best import BestPaths
from prism_repl.graph.components import Components
from prism_repl.graph.equations import Equations
from prism_repl.graph.graph import Graph
from prism_repl.graph.limits import require_room
from prism_repl.graph.outside import outside_values
from prism_repl.graph.stream import monomials, reordered, sharing_order, stream_owners, write_stream

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Poll = Callable[[], None] | None  # called every few milliseconds of work; may raise to break off

# Below this many stream words a graph is not worth cutting.
CUT_FROM = 100_000
# A block is about this many stream words: the numbers of its nodes stay in the cache on the way up and down.
BLOCK = 8_000
# Blocks are worked on in groups of about this many stream words, side by side if there are threads.
GROUP = 200_000
# A kernel call does about this many stream words, at most some 50 ms (eight lanes of logarithms). Interrupts
# are seen between calls.
SLICE = 500_000
# Parameter sets side by side in one pass.
LANES = 8
# Below this a plain product may have lost what matters to underflow: take logarithms.
SMALLEST = 1e-290


@dataclass(frozen=True)
class Blocks:
    """How a plan is cut. Block 0 has the nodes that several others share, block b the nodes from nodes[b] to
    nodes[b + 1] and the goals goals[i] in row rows[i], for i from goal_starts[b] to goal_starts[b + 1]. All
    other blocks have the same numbers for their own nodes, from n_common on."""

    n_common: int  # monomials and shared nodes
    most: int  # own nodes of the largest block
    nodes: Array
    goal_starts: Array
    goals: Array
    rows: Array
    groups: list[list[tuple[int, int]]]  # blocks of each group, in runs of about SLICE words


class Plan:
    """One graph, ready for passes over it. A Plan holds no numbers: those are in a Workspace.

    With `merge` (what learning needs) nodes of the same value are one and the plan may be cut; without, every
    node of the graph is there, in row place[node] - n_mono, so that values and weights of single nodes can be
    had. That row is the node's number, unless the graph has cycles: then nodes are in the order of its
    components, nothing is merged, and `edges`, `kinds` are runs of nodes without cycles and components."""

    def __init__(self, graph: Graph, merge: bool = True, poll: Poll = None) -> None:
        graph.require_paths()
        self.graph = graph
        self.mono_start, self.mono_members, path_mono = monomials(graph, poll)
        self.n_mono = len(self.mono_start) - 1
        self.cyclic = graph.components is not None
        merge = merge and not self.cyclic
        self.start, self.stream, self.place = write_stream(graph, path_mono, self.n_mono, merge, poll)
        self.roots = self.place[graph.roots].astype(np.int64)  # the number of each goal's node
        ordered = np.sort(self.roots)  # np.unique would import half of numpy
        self.distinct = not (ordered[1:] == ordered[:-1]).any()
        self.blocks = self._cut(poll) if merge else None
        if self.cyclic:
            self._schedule(graph.components)

    @property
    def n_nodes(self) -> int:
        return len(self.start) - 1

    def slices(self) -> list[tuple[int, int]]:
        """All nodes in runs of about SLICE words."""
        edges = np.searchsorted(self.start, range(0, int(self.start[-1]), SLICE))
        return runs([*edges.tolist(), self.n_nodes])

    def _schedule(self, components: Components) -> None:
        """Runs of nodes that are not on a cycle, and the components between them."""
        self.order = components.nodes
        cyclic = components.kinds > 0
        begins = cyclic.copy()  # whether a run begins with this component
        begins[1:] |= cyclic[:-1]
        begins[:1] = True
        firsts = np.flatnonzero(begins)
        self.kinds = int_array(components.kinds[firsts])
        self.edges = int_array(np.append(components.starts[firsts], len(self.order)))
        edges = np.searchsorted(self.start[self.edges], range(0, int(self.start[-1]), SLICE))
        self.run_slices = runs([*edges.tolist(), len(self.kinds)])

    def _parted(self, wanted: Array, n_blocks: int) -> tuple[Array, Array, Array] | None:
        """The block of each node when goals are in the blocks `wanted` (0: shared), the nodes in the order of
        their blocks, and where each block begins there. None if too much is shared, or a block is too large
        for numbers that stay in the cache."""
        owners = stream_owners(self.start, self.stream, self.n_mono, self.roots, wanted)
        owners[owners < 0] = 0
        order = np.argsort(owners, kind="stable").astype(np.int32)
        nodes = np.searchsorted(owners[order], range(n_blocks + 2)).astype(np.int32)
        offsets = np.zeros(self.n_nodes + 1, dtype=np.int64)
        np.cumsum(np.diff(self.start)[order], out=offsets[1:])
        if nodes[1] > 0.2 * self.n_nodes or np.diff(offsets[nodes]).max() > SLICE:
            return None
        return owners, order, nodes

    def _cut(self, poll: Poll) -> Blocks | None:
        """The blocks, and the nodes put into their order: if the plan is worth cutting and can be cut."""
        words = int(self.start[-1])
        if words < CUT_FROM or len(self.roots) < 32:
            return None
        n_blocks = -(-words // BLOCK)
        # Goals in the order of the graph, in blocks of about the same size; a goal that is a monomial is with
        # what is shared.
        ends = self.start[np.maximum(self.roots - self.n_mono + 1, 0)]
        reach = np.maximum.accumulate(ends.astype(np.int64))
        wanted = 1 + reach * n_blocks // (int(reach[-1]) + 1)
        parted = self._parted(wanted, n_blocks)
        if parted is None:
            # Too much is shared by goals that are far apart: put those together that share.
            place = sharing_order(self.start, self.stream, self.n_mono)
            near = np.argsort(place[np.maximum(self.roots - self.n_mono, 0)], kind="stable")
            wanted[near] = 1 + np.arange(len(near)) * n_blocks // len(near)
            parted = self._parted(wanted, n_blocks)
        if parted is None:
            return None
        owners, order, nodes = parted
        n_common = self.n_mono + int(nodes[1])
        firsts = np.full(n_blocks + 1, n_common)
        firsts[0] = self.n_mono
        local = np.empty(self.n_nodes, dtype=np.int32)
        local[order] = np.arange(self.n_nodes) - np.repeat(nodes[:-1] - firsts, np.diff(nodes))
        self.start, self.stream = reordered(self.start, self.stream, self.n_mono, order, local, poll)

        simple = self.roots < self.n_mono
        own = np.where(simple, 0, self.roots - self.n_mono)
        block_of = np.where(simple, 0, owners[own])
        goals = np.argsort(block_of, kind="stable").astype(np.int32)
        goal_starts = np.searchsorted(block_of[goals], range(n_blocks + 2)).astype(np.int32)
        rows = np.where(simple, self.roots, local[own])[goals].astype(np.int32)
        n_groups = max(2, min(words // GROUP, 32))
        edges = [1 + n_blocks * g // n_groups for g in range(n_groups + 1)]
        per_slice = max(1, SLICE // BLOCK)
        groups = [runs([*range(a, b, per_slice), b]) for a, b in itertools.pairwise(edges)]
        most = int(np.diff(nodes)[1:].max())
        return Blocks(n_common, most, nodes, goal_starts, goals, rows, groups)


def runs(edges: list[int]) -> list[tuple[int, int]]:
    """From edge to edge, without empty runs."""
    return [(a, b) for a, b in itertools.pairwise(edges) if a < b]


def rows(n: int, lanes: int) -> Array:
    """An array of n rows of zeros. Rows of LANES numbers are whole cache lines."""
    spare = np.zeros(n * lanes + 8)
    skip = -spare.ctypes.data % 64 // 8
    return spare[skip : skip + n * lanes].reshape(n, lanes)


class Workspace:
    """The numbers of one computation on a plan: `lanes` parameter sets side by side (1 or LANES).

    Arrays with an entry for each switch instance or goal have the shape (n, lanes). `pool` has the threads
    for the groups of a plan that is cut."""

    def __init__(
        self,
        plan: Plan,
        lanes: int = 1,
        pool: ThreadPoolExecutor | None = None,
        poll: Poll = None,
    ) -> None:
        if plan.cyclic and lanes != 1:
            raise ValueError("graphs with cycles have one parameter set in a workspace")
        self.plan, self.lanes, self.pool, self.poll = plan, lanes, pool, poll
        self.equations = Equations(plan) if plan.cyclic else None
        self.best_paths: BestPaths | None = None  # of a graph with cycles
        blocks = plan.blocks
        self.size = plan.n_mono + plan.n_nodes if blocks is None else blocks.n_common + blocks.most
        require_room(self.size * lanes, "values")
        # Each thread needs numbers of its own; without threads one set serves all groups.
        sets = 1 if pool is None or blocks is None else len(blocks.groups)
        self.values = [rows(self.size, lanes) for _ in range(sets)]
        self.weights: list[Array] = []
        self.logs = False
        self.best = False
        self.stopped = False

    def pause(self) -> None:
        """Between two slices: the place where a long pass can be left."""
        if self.stopped:
            raise InterruptedError
        if self.poll is not None:
            self.poll()

    def expect(
        self, theta: Array, goal_weights: Array, logs: bool = False, best: bool = False
    ) -> tuple[Array, Array]:
        """Under the parameters `theta`: the values of the observed goals, sums over explanations or the best
        explanation's; and how often each switch instance is expected (or used by the best explanations) when
        goal g is observed goal_weights[g] times. With `logs`, theta and the values are logarithms."""
        if self.plan.blocks is None:
            return self.inside(theta, logs, best), self.flow(goal_weights)
        return self._sweep(self.plan.blocks, theta, goal_weights, logs, best)

    def inside(self, theta: Array, logs: bool = False, best: bool = False) -> Array:
        """The values of the observed goals only."""
        plan = self.plan
        if plan.blocks is not None:
            return self._sweep(plan.blocks, theta, None, logs, best)[0]
        if self.equations is not None and best:
            return self._best_on_cycles(theta[:, 0], logs)[:, None]
        self._products(theta, logs, best)
        if self.equations is not None:
            self.equations.inside(self.values[0], logs, self.pause)
            return self.values[0][plan.roots]
        for begin, end in plan.slices():
            self.pause()
            kernels.inside(
                plan.start, plan.stream, self.values[0], plan.n_mono, begin, end, self.lanes, logs, best
            )
        return self.values[0][plan.roots]

    def flow(self, goal_weights: Array, keep: bool = False) -> Array:
        """After inside() on a plan that is not cut: how often each switch instance is expected or used. With
        `keep` (one lane only) node_weights() has the same for the nodes."""
        plan, lanes = self.plan, self.lanes
        if self.equations is not None and self.best:
            assert self.best_paths is not None
            counts, nodes = self.best_paths.uses(plan.graph.roots, goal_weights[:, 0])
            if keep:
                self.kept = nodes[self.plan.order][:, None]
            return counts[:, None]
        weights = self._weights()
        if plan.distinct:
            weights[0][plan.roots] = goal_weights
        else:
            np.add.at(weights[0], plan.roots, goal_weights)
        self.weights = []  # taken back when all nodes are at zero again
        if self.equations is not None:
            self.equations.flow(self.values[0], weights[0], self.logs, keep, self.pause)
        for begin, end in [] if self.equations is not None else reversed(plan.slices()):
            self.pause()
            kernels.flow(
                plan.start,
                plan.stream,
                self.values[0],
                weights[0],
                plan.n_mono,
                begin,
                end,
                lanes,
                self.logs,
                self.best,
                keep,
            )
        totals = self._spread(weights[0])
        if keep:
            self.kept = weights[0][plan.n_mono :]
        else:
            weights[0][: plan.n_mono] = 0.0
            self.weights = weights
        return totals

    def _best_on_cycles(self, theta: Array, logs: bool) -> Array:
        """The values of the best explanations of the goals."""
        self.logs, self.best = logs, True
        graph = self.plan.graph
        self.best_paths = BestPaths(graph, np.exp(theta) if logs else theta, self.pause)
        return self.best_paths.logs(graph.roots) if logs else self.best_paths.plain(graph.roots)

    def outside(self, root: int) -> Array:
        """After inside() with sums on a plan that is not merged: the outside value of each node, in the order
        of the graph."""
        plan, logs = self.plan, self.logs
        out = np.full(plan.n_mono + plan.n_nodes, -math.inf if logs else 0.0)
        out[plan.roots[root]] = 0.0 if logs else 1.0
        scratch = np.empty(int(np.diff(plan.graph.path_factors).max(initial=0)) + 1)
        if self.equations is not None:
            self.equations.outside(self.values[0], out, scratch, logs, self.pause)
        else:
            for begin, end in reversed(plan.slices()):
                self.pause()
                outside_values(
                    plan.start, plan.stream, self.values[0], out, scratch, plan.n_mono, begin, end, logs, 0, 0
                )
        return out[plan.place]

    def _weights(self) -> list[Array]:
        """Zeros. A pass leaves its weights at zero, unless it was broken off or asked to keep them."""
        return self.weights or [rows(self.size, self.lanes) for _ in self.values]

    def _products(self, theta: Array, logs: bool, best: bool) -> None:
        self.logs, self.best = logs, best
        theta = np.ascontiguousarray(theta, dtype=np.float64)
        lane_sums.products(
            self.plan.mono_start, self.plan.mono_members, theta, self.values[0], self.lanes, logs
        )

    def _spread(self, weights: Array) -> Array:
        """Counts of switch instances from those of monomials."""
        totals = np.zeros((self.plan.graph.n_instances, self.lanes))
        lane_sums.spread(self.plan.mono_start, self.plan.mono_members, weights, totals, self.lanes)
        return totals

    def _sweep(
        self, blocks: Blocks, theta: Array, goal_weights: Array | None, logs: bool, best: bool
    ) -> tuple[Array, Array]:
        """What expect() does, block by block; without weights only the values."""
        plan, lanes, n_common = self.plan, self.lanes, blocks.n_common
        down = goal_weights is not None
        goal_values = np.empty((len(plan.roots), lanes))
        if goal_weights is None:
            goal_weights = goal_values
        goal_weights = np.ascontiguousarray(goal_weights)
        values, weights = self.values, self._weights()
        self.weights = []  # taken back when all nodes are at zero again
        common = np.zeros((n_common, lanes))

        def sweep(which: int, weights: Array, first: int, run: tuple[int, int], up: bool, down: bool) -> None:
            self.pause()
            kernels.sweep(
                plan.start,
                plan.stream,
                values[which],
                weights,
                first,
                blocks.nodes,
                blocks.goal_starts,
                blocks.goals,
                blocks.rows,
                goal_values,
                goal_weights,
                *run,
                lanes,
                logs,
                best,
                up,
                down,
            )

        def work(group: int, which: int) -> None:
            if which:
                values[which][:n_common] = values[0][:n_common]
            for run in blocks.groups[group]:
                sweep(which, weights[which], n_common, run, True, down)

        self._products(theta, logs, best)
        sweep(0, common, plan.n_mono, (0, 1), True, False)
        # The sums are the same bits for any number of threads: each group begins at zero, and what the groups
        # have is added in their order.
        if len(values) == 1:
            for group in range(len(blocks.groups)):
                work(group, 0)
                if down:
                    lane_sums.collect(common, weights[0], n_common * lanes)
        else:
            self._on_threads(work, len(values))
            if down:
                for part in weights:
                    lane_sums.collect(common, part, n_common * lanes)
        if down:
            sweep(0, common, plan.n_mono, (0, 1), False, True)
        self.weights = weights
        return goal_values, self._spread(common)

    def _on_threads(self, work: Callable[[int, int], None], n: int) -> None:
        """work(i, i) for each i, in the pool. An interrupt stops the other threads, too."""
        assert self.pool is not None
        futures = [self.pool.submit(work, i, i) for i in range(n)]
        try:
            for future in futures:
                future.result()
        except BaseException:
            from concurrent.futures import wait

            self.stopped = True
            wait(futures)
            self.stopped = False
            raise

    def node_values(self) -> Array:
        """After inside(): the values of all nodes in the order of the graph, shape (n_nodes, lanes). The plan
        must not be merged."""
        return self.values[0][self.plan.place]

    def node_weights(self) -> Array:
        """After flow(keep=True): how often each node is expected (or used), in the order of the graph."""
        return self.kept[self.plan.place - self.plan.n_mono]
