"""Explanation graphs as Boolean functions of their switches, by a package of decision diagrams (oxidd).

Here every ground switch is thrown once: msw(s,v) means "s has the value v" wherever it stands. A goal is then
a Boolean function: the disjunction of its paths, each the conjunction of its factors. Goals may depend on
each other in cycles; what is meant is the least fixpoint, so all goals begin as false, and paths are added
until nothing changes.

A switch with the outcomes v1 .. vk that occur in the graph is a chain of Boolean variables that are
neighbours in the order: v1 is b1, v2 is not b1 and b2, and so on. If only complete worlds matter and all
outcomes occur, the last one needs no variable. With `partial`, a switch may also have no value: the function
of a goal is then true for those sets of msw that prove it."""

from __future__ import annotations

import functools
import itertools
import math
import mmap
import operator
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from oxidd.bcdd import BCDDFunction as Function
from oxidd.bcdd import BCDDManager
from oxidd.util import DDMemoryError

from prism_repl.arrays import np
from prism_repl.graph.components import find_components
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll
from prism_repl.inference.interface import SizeLimits, TooLarge
from prism_repl.inference.orders import orders

# One order of the switches after the other is tried, first with little work, then with more. Work is counted
# in nodes of the functions that are found on the way; the stores are large enough for much more, as what is
# in them also depends on when garbage is collected, and the choice must not.
STAGES = ((1 << 13, 1 << 15), (1 << 17, 1 << 19), (1 << 25, 1 << 23))  # work, store
CACHE_SHARE = 4  # nodes of a store for each entry of its cache of operations
# Address space that a store takes: for the package's thread with its stack of a gigabyte, and for each node.
STORE, NODE = 5 << 28, 64
PATIENCE = 0.02  # seconds between two looks for an interrupt


Result = TypeVar("Result")
Note = Callable[[Function], Function]


class Stopped(Exception):
    """Whoever waited has given up."""


class TooMuchWork(Exception):
    """Another order of the switches may do better."""


@dataclass(frozen=True)
class Branches:
    """A switch in the functions: the instances that occur, and its variables: one for each of them, but
    perhaps the last."""

    switch: int
    instances: list[int]
    variables: range


def watched(work: Callable[[Callable[[], None]], Any], poll: Poll, end: float) -> Any:
    """work(check) in a thread of its own, so that an interrupt (or the end of the time) is seen in the
    middle of an operation of the package, too. That cannot be broken off; its result is dropped when it
    comes."""
    stop = threading.Event()
    results: list[Any] = []
    errors: list[BaseException] = []

    def check() -> None:
        if stop.is_set():
            raise Stopped
        if time.monotonic() > end:
            raise TooLarge("time")

    def run() -> None:
        try:
            results.append(work(check))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(PATIENCE)
            if poll is not None:
                poll()
            if time.monotonic() > end + 1.0:
                raise TooLarge("time")
    finally:
        stop.set()
    if errors:
        raise errors.pop()  # kept here, it would keep itself, and all functions on its way, alive
    return results[0]


def check_room(size: int) -> None:
    """The package ends the process if it cannot have the memory of a store: so it is asked for before."""
    if hasattr(mmap, "MAP_PRIVATE"):  # not on Windows
        try:
            # Never touched, and given back at once.
            mmap.mmap(-1, STORE + NODE * size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0).close()
        except OSError:
            raise DDMemoryError from None


def attempts(graph: Graph, limit: int) -> Iterator[tuple[list[int], float, int]]:
    """What is tried in turn: an order of the switches, the most work, the size of the store. An order is
    made when it is first needed."""
    tried: list[list[int]] = []
    fresh = orders(graph)
    for work, size in (*STAGES, (math.inf, limit)):
        for order in tuple(tried):
            yield order, work, min(size, limit)
        for order in fresh:
            tried.append(order)
            yield order, work, min(size, limit)


def in_pairs(
    operation: Callable[[Function, Function], Function], functions: list[Function], check: Callable[[], None]
) -> Function:
    """The functions joined in pairs of neighbours, the results in pairs again: many small steps rather than
    a large function that meets each of them."""
    while len(functions) > 1:
        check()
        odd = functions[len(functions) // 2 * 2 :]
        functions = [operation(a, b) for a, b in zip(functions[::2], functions[1::2], strict=False)] + odd
    return functions[0]


class Functions:
    """The functions of all nodes of a graph, and of its paths."""

    def __init__(
        self, graph: Graph, partial: bool = False, limits: SizeLimits | None = None, poll: Poll = None
    ) -> None:
        self.graph, self.partial, self.poll = graph, partial, poll
        self.limits = limits or SizeLimits()
        self.branches: list[Branches] = []  # in the order of their variables
        self._manager: BCDDManager | None = None
        self.nodes: list[Function] = []
        self._bounds, self._factors = graph.path_factors.tolist(), graph.factors.tolist()
        self._literals: dict[int, Function] = {}
        self._products: dict[int, Function] = {}  # of the switches of a path
        self._node = 0  # in work
        self._left = 0.0  # work that may still be done in this attempt
        self._end = time.monotonic() + self.limits.seconds
        self._attempts = attempts(graph, self.limits.nodes)
        self._next_attempt()

    @property
    def manager(self) -> BCDDManager:
        assert self._manager is not None
        return self._manager

    def path(self, path: int) -> Function:
        """The conjunction of the factors of a path."""
        n_instances = self.graph.n_instances
        members = self._factors[self._bounds[path] : self._bounds[path + 1]]
        product = self._products.get(path)
        if product is None:
            product = self.manager.true()
            for factor in members:
                if factor < n_instances:
                    product = product & self._literals[factor]
            self._products[path] = product
        for factor in members:
            if factor >= n_instances:
                product = product & self.nodes[factor - n_instances]
        return product

    def guarded(self, work: Callable[[Note], Result]) -> Result:
        """The result of work on functions, which may prove too much: they are then compiled again, with
        another order of the switches or in a larger store, and the work begins again. So it must get all its
        functions from here, and is to pass what it makes to `note`, which gives it back."""
        self._end = time.monotonic() + self.limits.seconds
        while True:
            try:
                return watched(lambda check: work(functools.partial(self._note, check)), self.poll, self._end)
            except (DDMemoryError, TooMuchWork):
                self._next_attempt()

    def _note(self, check: Callable[[], None], function: Function) -> Function:
        """Counts a new function."""
        check()
        size = function.node_count()
        self._left -= size
        if self._left < 0:
            raise TooMuchWork
        if size > self.limits.nodes:  # a store is never very small
            raise DDMemoryError
        return function

    # -- compiling -----------------------------------------------------------------------------

    def _next_attempt(self) -> None:
        for order, work, size in self._attempts:
            self._left = work
            try:
                self._reset(order, size)
                watched(self._fixpoint, self.poll, self._end)
                return
            except (DDMemoryError, TooMuchWork):
                pass
            except TooLarge as error:
                raise TooLarge(error.resource, self._node) from None
        raise TooLarge("memory", self._node)

    def _reset(self, order: list[int], size: int) -> None:
        """A store for `size` nodes of diagrams, in which all goals are false."""
        graph = self.graph
        used = np.unique(graph.factors[graph.factors < graph.n_instances])
        owner = graph.switch_of_instance()
        members: dict[int, list[int]] = {}
        for instance in used.tolist():
            members.setdefault(int(owner[instance]), []).append(instance)
        self.branches = []
        n_variables = 0
        for switch in order:
            instances = members[switch]
            whole = len(instances) == int(graph.switch_instances[switch + 1] - graph.switch_instances[switch])
            end = n_variables + len(instances) - (whole and not self.partial)
            self.branches.append(Branches(switch, instances, range(n_variables, end)))
            n_variables = end
        self._products.clear()
        self._literals.clear()
        self.nodes = []
        self._manager = None  # the old store is to go before there is a new one
        check_room(size)
        self._manager = manager = BCDDManager(size, max(1024, size // CACHE_SHARE), 1)
        manager.add_vars(n_variables)
        self.nodes = [manager.false()] * graph.n_nodes
        for branches in self.branches:
            above = manager.true()
            for i, instance in enumerate(branches.instances):
                if i < len(branches.variables):
                    variable = manager.var(branches.variables[i])
                    self._literals[instance] = above & variable
                    above = above & ~variable
                else:
                    self._literals[instance] = above

    def _fixpoint(self, check: Callable[[], None]) -> None:
        """Component after component; in each, paths are added until nothing changes."""
        graph, nodes = self.graph, self.nodes
        node_of, node_paths = graph.node_of_path().tolist(), graph.node_paths.tolist()
        users: list[list[int]] = [[] for _ in range(graph.n_nodes)]  # paths that have the node as a subgoal
        for path in range(graph.n_paths):
            for factor in set(self._factors[self._bounds[path] : self._bounds[path + 1]]):
                if factor >= graph.n_instances:
                    users[factor - graph.n_instances].append(path)
        for component in components(graph):
            members = set(component)
            # A node waits with the paths in which something has changed. The one that is nearest to the roots
            # goes first: measured, this makes the fewest diagrams.
            waiting = {node: set(range(node_paths[node], node_paths[node + 1])) for node in component}
            while waiting:
                self._node = node = max(waiting)
                added = [nodes[node]]
                for path in sorted(waiting.pop(node)):
                    check()
                    added.append(self.path(path))
                function = in_pairs(operator.or_, added, check)
                if function != nodes[node]:
                    nodes[node] = function
                    self._note(check, function)
                    for path in users[node]:
                        if node_of[path] in members:
                            waiting.setdefault(node_of[path], set()).add(path)


def components(graph: Graph) -> list[list[int]]:
    """The strongly connected components of the nodes, those below first."""
    found = graph.components or find_components(graph)
    nodes, starts = found.nodes.tolist(), found.starts.tolist()
    return [nodes[begin:end] for begin, end in itertools.pairwise(starts)]
