"""Decision diagrams as flat arrays, and the passes over them: sums, expectations, maxima.

A node decides a whole switch: the chain of Boolean variables that stands for it in compiling.py becomes one
node with a branch for each outcome that occurs, and one for the rest where there is a rest. So parameters may
change, zeros included, without compiling again. Node 0 is false, node 1 true; children come before their
parents. Each switch has a row of `slots`, one for each branch: the weights of branches, and how often they
are taken, are arrays over slots.

In a diagram of complete worlds the rest are the outcomes that do not occur, all together; their weights are
added. In a partial one it means that the switch is left open, at no cost.
"""

from __future__ import annotations

from oxidd.bcdd import BCDDFunction as Function

from prism_repl.arrays import Array, np
from prism_repl.inference import diagram_kernels
from prism_repl.inference.compiling import Functions

SLICE = 1 << 15  # nodes between two looks for an interrupt: about a millisecond
FALSE, TRUE = 0, 1


class Diagram:
    """The diagram of some functions, its `roots`.

    first, start, child      see diagram_kernels.py
    level                    of each node the place of its switch in functions.branches
    slot_of_instance         the slot of each instance of the graph; -1 if its switch is not in the functions
    """

    def __init__(self, functions: Functions, roots: list[Function]) -> None:
        graph = functions.graph
        self.graph, self.partial, self.poll = graph, functions.partial, functions.poll
        self.branches = functions.branches
        sizes = [len(branches.variables) + 1 for branches in self.branches]
        self.first_slots = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        self.n_slots = int(self.first_slots[-1])
        self.instance_of_slot = np.full(self.n_slots, -1, dtype=np.int32)  # -1: the rest
        self.slot_of_instance = np.full(graph.n_instances, -1, dtype=np.int32)
        self.is_own = np.zeros(graph.n_instances, dtype=bool)  # has a branch of its own
        for branches, slot, size in zip(self.branches, self.first_slots.tolist(), sizes, strict=False):
            begin, end = graph.switch_instances[branches.switch : branches.switch + 2]
            self.slot_of_instance[begin:end] = slot + size - 1
            own = np.arange(slot, slot + len(branches.instances))
            self.slot_of_instance[branches.instances] = own
            self.instance_of_slot[own] = branches.instances
            self.is_own[branches.instances] = True
        self._flatten(functions, roots)

    def _flatten(self, functions: Functions, roots: list[Function]) -> None:
        manager = functions.manager
        level_of = [i for i, branches in enumerate(self.branches) for _ in branches.variables]
        number: dict[Function, int] = {manager.false(): FALSE, manager.true(): TRUE}
        levels, start, child = [-1, -1], [0, 0, 0], []
        expanded: dict[Function, tuple[int, list[Function]]] = {}
        todo = list(roots)
        steps = 0
        while todo:
            steps += 1
            if not steps % SLICE and self.poll is not None:
                self.poll()
            function = todo[-1]
            if function in number:
                todo.pop()
                continue
            if function in expanded:
                level, children = expanded.pop(function)
                number[function] = len(levels)
                levels.append(level)
                child += [number[below] for below in children]
                start.append(len(child))
                todo.pop()
                continue
            variable = function.node_var()
            assert variable is not None  # else it were false or true
            level = level_of[variable]
            children = []
            rest = function
            for variable in self.branches[level].variables:
                cofactors = rest.cofactors() if rest.node_var() == variable else None
                taken, rest = cofactors or (rest, rest)
                children.append(taken)
            children.append(rest)
            expanded[function] = (level, children)
            todo += [below for below in children if below not in number]
        self.level = np.array(levels, dtype=np.int32)
        self.first = np.append(self.first_slots, 0)[self.level].astype(np.int32)
        self.start = np.array(start, dtype=np.int32)
        self.child = np.array(child, dtype=np.int32)
        self.roots = [number[root] for root in roots]
        self.n_nodes = len(levels)

    def supports(self) -> Array:
        """For each root and each switch of the graph, whether the root's function depends on it."""
        above: list[int] = [0, 0]  # sets of levels, as bits
        child, start, level = self.child.tolist(), self.start.tolist(), self.level.tolist()
        for node in range(2, self.n_nodes):
            levels = 1 << level[node]
            for below in child[start[node] : start[node + 1]]:
                levels |= above[below]
            above.append(levels)
        depends = np.zeros((len(self.roots), self.graph.n_switches), dtype=bool)
        for i, root in enumerate(self.roots):
            for place, branches in enumerate(self.branches):
                depends[i, branches.switch] = above[root] >> place & 1
        return depends

    # -- passes --------------------------------------------------------------------------------

    def weights(self, theta: Array) -> Array:
        """The weights of all slots for parameters of shape (instances, lanes)."""
        lanes = theta.shape[1]
        weights = np.zeros((self.n_slots, lanes))
        if self.partial:
            weights[self.instance_of_slot < 0] = 1.0
            weights[self.slot_of_instance[self.is_own]] = theta[self.is_own]
        else:
            known = self.slot_of_instance >= 0
            np.add.at(weights, self.slot_of_instance[known], theta[known])
        return weights

    def values(self, weights: Array, logs: bool = False, best: bool = False) -> Array:
        """The values of all nodes: sums over branches, or maxima."""
        lanes = weights.shape[1]
        values = np.zeros((self.n_nodes, lanes))
        values[FALSE] = -np.inf if logs else 0.0
        values[TRUE] = 0.0 if logs else 1.0
        weights = np.ascontiguousarray(weights)
        for begin in range(2, self.n_nodes, SLICE):
            self._pause()
            end = min(begin + SLICE, self.n_nodes)
            diagram_kernels.up(
                self.first, self.start, self.child, weights, values, begin, end, lanes, logs, best
            )
        return values

    def taken(
        self, weights: Array, values: Array, flow: Array, logs: bool = False, best: bool = False
    ) -> Array:
        """How often each branch is taken (expected, or on the best ways) if root r is observed flow[r]
        times."""
        lanes = weights.shape[1]
        through = np.zeros((self.n_nodes, lanes))
        np.add.at(through, self.roots, flow)
        counts = np.zeros((self.n_slots, lanes))
        weights = np.ascontiguousarray(weights)
        for end in range(self.n_nodes, 2, -SLICE):
            self._pause()
            begin = max(end - SLICE, 2)
            diagram_kernels.down(
                self.first,
                self.start,
                self.child,
                weights,
                values,
                through,
                counts,
                begin,
                end,
                lanes,
                logs,
                best,
            )
        return counts

    def _pause(self) -> None:
        if self.poll is not None:
            self.poll()


class Expectation:
    """Probabilities of the roots of a diagram, and how often each switch instance is expected given that
    they hold.

    A root depends on some switches; each of them has exactly one value in a world. Parameters need not sum
    to 1 (variational Bayes, annealing): a world has the product of its parameters."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.depends = diagram.supports().astype(np.float64)
        sizes = np.diff(diagram.graph.switch_instances)
        self.switch_of = np.repeat(np.arange(len(sizes)), sizes)

    def _normalised(self, theta: Array) -> tuple[Array, Array]:
        totals = np.zeros((self.diagram.graph.n_switches, theta.shape[1]))
        np.add.at(totals, self.switch_of, theta)
        totals[totals <= 0.0] = 1.0
        return theta / totals[self.switch_of], np.log(totals)

    def values(self, theta: Array, logs: bool) -> Array:
        return self.expect(theta, None, logs)[0]

    def expect(self, theta: Array, flow: Array | None, logs: bool) -> tuple[Array, Array]:
        """Values of the roots (logarithms if `logs`, as theta is then), and expected counts of the
        instances."""
        diagram = self.diagram
        shares, scales = self._normalised(np.exp(theta) if logs else theta)
        weights = diagram.weights(shares)
        if logs:
            with np.errstate(divide="ignore"):
                weights = np.log(weights)
        values = diagram.values(weights, logs)
        roots = values[diagram.roots]
        extra = np.zeros_like(roots)
        for switch in np.flatnonzero(self.depends.any(axis=0)):
            extra += self.depends[:, switch, None] * scales[switch]
        roots = roots + extra if logs else roots * np.exp(extra)
        if flow is None:
            return roots, shares
        taken = diagram.taken(weights, values, flow, logs)
        return roots, self._counts(shares, np.exp(weights) if logs else weights, taken, values, flow, logs)

    def _counts(
        self, shares: Array, weights: Array, taken: Array, values: Array, flow: Array, logs: bool
    ) -> Array:
        """Counts of instances: of their own branches, their part of the rest, and their part of the times
        when the switch was not looked at, where its value is as likely as ever."""
        diagram = self.diagram
        possible = values[diagram.roots] > (-np.inf if logs else 0.0)
        counts = np.zeros_like(shares)
        known = diagram.slot_of_instance >= 0
        slots = diagram.slot_of_instance[known]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(weights[slots] > 0.0, shares[known] / weights[slots], 0.0)
        own = diagram.is_own[known][:, None]
        counts[known] = taken[slots] * np.where(own, 1.0, parts)
        seen = np.zeros((diagram.graph.n_switches, shares.shape[1]))
        np.add.at(seen, self.switch_of, counts)
        observed = np.zeros_like(seen)
        flow = np.where(possible, flow, 0.0)
        for root in range(len(diagram.roots)):
            observed += self.depends[root][:, None] * flow[root]
        missed = np.maximum(observed - seen, 0.0)
        return counts + missed[self.switch_of] * shares


class BestExpectation:
    """The same with the best explanation of each root in place of all: its msw count once each."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram

    def values(self, theta: Array, logs: bool) -> Array:
        return self._best(theta, logs)[1][self.diagram.roots]

    def _best(self, theta: Array, logs: bool) -> tuple[Array, Array]:
        weights = self.diagram.weights(theta)
        if logs:
            weights[self.diagram.instance_of_slot < 0] = 0.0
        return weights, self.diagram.values(weights, logs, best=True)

    def expect(self, theta: Array, flow: Array, logs: bool) -> tuple[Array, Array]:
        diagram = self.diagram
        weights, values = self._best(theta, logs)
        taken = diagram.taken(weights, values, flow, logs, best=True)
        counts = np.zeros_like(theta)
        counts[diagram.is_own] = taken[diagram.slot_of_instance[diagram.is_own]]
        return values[diagram.roots], counts
