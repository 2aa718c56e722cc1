# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The derivations of the nodes of a graph from the best downwards, found only as far as they are asked for.

(Huang and Chiang's lazy algorithm.) A derivation of a node is a path and a rank for each of its subgoals: 0
for the subgoal's best derivation, 1 for the next. The order is by probability; among equals later paths come
first, and on the same path the ranks decide, smaller ones first, the first subgoal before the others.

The best derivation of each node is known beforehand (best.BestPaths) and has no number. Any other one is
kept as what it changes: the last position whose rank is not 0, and its base, which has rank 0 there as well.
So each is reached in one way only, and takes the same little memory however long its path is:

    path, base, position, child   the child is the derivation of the subgoal at the position. Base NONE is the
                                  node's best derivation; position NONE has rank 0 everywhere, on another path
    mantissa, exponent            the probability: mantissa * 2**(256 * exponent), as in best.BestPaths
    rank                          among those of its node, once it is found
    following                     the next best of its node once it is found; before, the next in the heap
    below                         its first child in the heap

Candidates of a node are in a pairing heap. When one is found, those that differ from it by one rank become
candidates, which may first need another derivation of a subgoal: a stack of nodes, as deep as the graph.
"""

from math import log

import cython

from prism_repl.arrays import (
    double_array,
    empty_ints,
    filled_ints,
    int_array,
    largest_gap,
    logarithms,
    np,
    zero_doubles,
    zero_ints,
)

if not cython.compiled:
    from prism_repl.graph.kernels import doubles, ints

    SLICE = 16384  # steps between two looks for an interrupt: about a millisecond
    LARGEST = 0x7FFFFF00  # how many derivations may have numbers
    NONE = -1
    EXHAUSTED = -1  # the place of a node that has no more derivations


LOG_SCALE = 256 * log(2.0)  # of an exponent


class ExplanationTooLarge(Exception):
    """An explanation, with shared subgoals repeated, has too many nodes to write out."""


def larger(array, size, used):
    """A copy with room for `size` numbers, of which the first `used` are set."""
    new = np.empty(size, dtype=array.dtype)
    new[:used] = array[:used]
    return new


class Derivations:
    """The derivations of all nodes of a graph. `mantissas` and `exponents` have the parameters of the switch
    instances, then the best values of the nodes; `chosen` is the best path of each node.

    A reference to a derivation is its number, or -1 - node for the best one of a node."""

    def __init__(self, graph, mantissas, exponents, chosen, poll=None):
        n_nodes: cython.Py_ssize_t = graph.n_nodes
        i: cython.int = 0
        self.poll = poll
        self.graph_arrays = (
            graph.node_paths,
            graph.path_factors,
            graph.factors,
            mantissas,
            exponents,
            chosen,
        )
        self.node_paths = ints(graph.node_paths)
        self.path_factors = ints(graph.path_factors)
        self.factors = ints(graph.factors)
        self.n_instances = graph.n_instances
        self.longest = largest_gap(graph.path_factors)
        self.best_mantissa = doubles(mantissas)
        self.best_exponent = ints(exponents)
        self.chosen = ints(chosen)
        self.node_arrays = {
            "second": filled_ints(n_nodes, NONE),  # the derivation of rank 1
            "last": filled_ints(n_nodes, NONE),  # the last one found, NONE: the best
            "place": zero_ints(n_nodes),  # the next position at which to vary it
            "next_path": graph.node_paths[:n_nodes].copy(),  # the next path to become a candidate
            "heap": filled_ints(n_nodes, NONE),  # the best candidate
            "stack": empty_ints(n_nodes + 1),  # nodes whose next derivation is needed
            "changed": filled_ints(self.longest + 1, NONE),  # see add
        }
        self.second = ints(self.node_arrays["second"])
        self.last = ints(self.node_arrays["last"])
        self.place = ints(self.node_arrays["place"])
        self.next_path = ints(self.node_arrays["next_path"])
        self.heap = ints(self.node_arrays["heap"])
        self.stack = ints(self.node_arrays["stack"])
        self.changed = ints(self.node_arrays["changed"])
        self.depth = 0
        self.records = {
            name: zero_doubles(0) if name == "mantissa" else empty_ints(0)
            for name in (
                "mantissa",
                "exponent",
                "path",
                "base",
                "position",
                "child",
                "rank",
                "following",
                "below",
            )
        }
        self.count = 0
        self.capacity = 0
        self.point()
        self.scale = 2.0
        for i in range(8):
            self.scale *= self.scale
        self.least = 1.0 / self.scale
        self.buffers = [empty_ints(0), empty_ints(0)]
        self.todo_room = 0
        self.written_room = 0

    # -- room ----------------------------------------------------------------------------------

    def point(self):
        """Sets the pointers to the derivations, after their arrays were made."""
        self.mantissa = doubles(self.records["mantissa"])
        self.exponent = ints(self.records["exponent"])
        self.path = ints(self.records["path"])
        self.base = ints(self.records["base"])
        self.position = ints(self.records["position"])
        self.child = ints(self.records["child"])
        self.rank = ints(self.records["rank"])
        self.following = ints(self.records["following"])
        self.below = ints(self.records["below"])
        return 0

    def room(self):
        """Room for the derivations of one slice: a step adds one at most."""
        size: cython.Py_ssize_t = self.count + SLICE
        if size <= self.capacity:
            return 0
        if size > LARGEST:
            raise MemoryError("more than two thousand million derivations")
        size = min(max(size, 2 * self.capacity), LARGEST)
        for name in self.records:
            self.records[name] = larger(self.records[name], size, self.count)
            self.point()  # each time: there may be no memory for the next one
        self.capacity = size
        return 0

    def buffer_room(self):
        """Room for one slice of an explanation that is being written."""
        size: cython.Py_ssize_t = 0
        if self.todo_room < self.top + self.longest + 1:
            size = 2 * (self.top + self.longest + SLICE)
            self.buffers[0] = larger(self.buffers[0], size, self.top)
            self.todo = ints(self.buffers[0])
            self.todo_room = size
        if self.written_room < self.length + SLICE:
            size = 2 * (self.length + SLICE)
            self.buffers[1] = larger(self.buffers[1], size, self.length)
            self.written = ints(self.buffers[1])
            self.written_room = size
        return 0

    # -- what is asked for ---------------------------------------------------------------------

    def find(self, node, n):
        """References to the n best derivations of a node, best first; fewer if there are no more."""
        root: cython.Py_ssize_t = node
        wanted: cython.Py_ssize_t = min(n, LARGEST)
        d: cython.int = 0
        found: cython.bint = False
        self.depth = 0  # a search that was broken off may have left some
        while not found:
            self.room()
            if self.poll is not None:
                self.poll()
            with cython.nogil:
                found = self.advance(root, wanted, SLICE)
        references = [-1 - node]
        d = self.second[root]
        while d != NONE and len(references) < wanted:
            references.append(d)
            d = self.following[d]
        return references

    def value(self, reference):
        """The probability of a derivation as (exponent, mantissa)."""
        d: cython.Py_ssize_t = reference
        if d < 0:
            d = self.n_instances - 1 - d
            return (self.best_exponent[d], self.best_mantissa[d])
        return (self.exponent[d], self.mantissa[d])

    def explanation(self, reference, limit):
        """The paths of a derivation in the order of a proof: the path of its node, then those of the subgoals
        one after the other, each with what is below it."""
        most: cython.Py_ssize_t = limit
        self.top = 0
        self.length = 0
        self.buffer_room()
        self.todo[0] = reference
        self.top = 1
        while self.top > 0:
            self.buffer_room()
            if self.poll is not None:
                self.poll()
            with cython.nogil:
                self.unfold(SLICE)
            if self.length > most:
                raise ExplanationTooLarge(f"more than {limit} nodes in one explanation")
        return self.buffers[1][: self.length].tolist()

    def expect(self, roots, n, weights, counts):
        """Adds to `counts` how often the n best derivations of each root use each switch instance, weighted
        by their shares of their sum times the root's weight. Returns the logarithms of the sums."""
        wanted: cython.Py_ssize_t = min(n, LARGEST)
        roots_array = int_array(roots)
        weights_array = double_array(weights)
        totals_array = zero_doubles(len(roots_array))
        goals: cython.p_int = ints(roots_array)
        weight: cython.p_double = doubles(weights_array)
        total: cython.p_double = doubles(totals_array)
        out: cython.p_double = doubles(counts)
        end: cython.Py_ssize_t = len(roots_array)
        i: cython.Py_ssize_t = 0
        self.depth = 0  # a search that was broken off may have left some
        self.top = 0
        self.length = 0
        while i < end:
            self.room()
            self.buffer_room()
            if self.poll is not None:
                self.poll()
            with cython.nogil:
                i = self.expect_some(goals, i, end, wanted, SLICE, weight, total, out)
        exponents = self.graph_arrays[4][self.n_instances + roots_array]
        return logarithms(totals_array, exponents * LOG_SCALE)

    def expect_some(self, roots, i, end, n, steps, weights, totals, counts):
        """Some steps of expect, from root number i on, as long as there is room. The number of the root that
        is next: the search for its derivations may have begun."""
        root: cython.Py_ssize_t = 0
        d: cython.int = 0
        least: cython.int = 0
        reference: cython.int = 0
        total: cython.double = 0.0
        share: cython.double = 0.0
        most: cython.Py_ssize_t = self.count + steps // 2
        stop: cython.Py_ssize_t = min(end, i + steps // 16)
        while i < stop:
            root = roots[i]
            if self.count >= most or not self.advance(root, n, steps // 2):
                return i
            # All relative to the best one: what underflows there counts for nothing.
            least = self.best_exponent[self.n_instances + root]
            total = self.best_mantissa[self.n_instances + root]
            if total == 0.0:
                i += 1
                continue
            d = self.second[root]
            while d != NONE and self.rank[d] < n:
                total += self.relative(d, least)
                d = self.following[d]
            totals[i] = total
            reference = -1 - cython.cast(cython.int, root)
            share = self.best_mantissa[self.n_instances + root]
            while weights[i] != 0.0:
                if share > 0.0:
                    self.add_counts(reference, weights[i] * share / total, counts)
                reference = self.second[root] if reference < 0 else self.following[reference]
                if reference == NONE or self.rank[reference] >= n:
                    break
                share = self.relative(reference, least)
            i += 1
        return i

    def relative(self, d, exponent):
        """The probability of a derivation without the scale of a better one."""
        m: cython.double = self.mantissa[d]
        e: cython.int = self.exponent[d]
        if m == 0.0 or e < exponent - 8:
            return 0.0
        while e < exponent:
            m *= self.least
            e += 1
        return m

    def add_counts(self, reference, weight, counts):
        """Add a weight to the counts of all switch instances of a derivation."""
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t = 0
        self.todo[0] = reference
        self.top = 1
        while self.top > 0:
            self.length = 0  # only the switches are wanted, not the paths
            self.unfold(SLICE)
            for i in range(self.length):
                for j in range(self.path_factors[self.written[i]], self.path_factors[self.written[i] + 1]):
                    if self.factors[j] < self.n_instances:
                        counts[self.factors[j]] += weight
            if self.top > 0:
                with cython.gil:
                    self.length = 0
                    self.buffer_room()
                    if self.poll is not None:
                        self.poll()
        return 0

    # -- the search ----------------------------------------------------------------------------

    def advance(self, root, n, steps):
        """Some steps towards n derivations of a node. True if they are found, or all there are."""
        node: cython.int = 0
        goal: cython.int = 0
        path: cython.int = 0
        d: cython.int = 0
        base: cython.int = 0
        position: cython.int = 0
        child: cython.int = 0
        at: cython.int = 0
        while steps > 0:
            steps -= 1
            if self.depth == 0:
                d = self.last[root]
                if self.place[root] == EXHAUSTED or (1 if d == NONE else self.rank[d] + 1) >= n:
                    return True
                self.stack[0] = root
                self.depth = 1
            node = self.stack[self.depth - 1]
            # All paths with the best derivations of their subgoals are candidates from the start.
            path = self.next_path[node]
            if path < self.node_paths[node + 1]:
                self.next_path[node] = path + 1
                if path != self.chosen[node]:
                    self.add(node, path, NONE, NONE, NONE)
                continue
            # The last one found is varied, from the position on at which it differs from its base.
            d = self.last[node]
            path = self.chosen[node] if d == NONE else self.path[d]
            position = self.place[node]
            at = self.path_factors[path] + position
            if at < self.path_factors[path + 1] and self.factors[at] >= self.n_instances:
                goal = self.factors[at] - self.n_instances
                if d != NONE and self.position[d] == position:
                    base = self.base[d]
                    child = self.following[self.child[d]]
                else:
                    base = d
                    child = self.second[goal]
                if child == NONE and self.place[goal] != EXHAUSTED:
                    self.stack[self.depth] = goal
                    self.depth += 1
                    continue
                self.place[node] = position + 1
                if child != NONE:
                    self.add(node, path, base, position, child)
                continue
            # The best candidate is the next derivation.
            self.depth -= 1
            child = self.heap[node]
            if child == NONE:
                self.place[node] = EXHAUSTED
                continue
            self.heap[node] = self.without_top(child)
            self.following[child] = NONE
            if d == NONE:
                self.second[node] = child
                self.rank[child] = 1
            else:
                self.following[d] = child
                self.rank[child] = self.rank[d] + 1
            self.last[node] = child
            self.place[node] = max(self.position[child], 0)
        return False

    def add(self, node, path, base, position, child):
        """A new candidate of a node. The factors are multiplied in their order, as for the best ones."""
        new: cython.int = self.count
        first: cython.int = self.path_factors[path]
        i: cython.int = 0
        d: cython.int = 0
        e: cython.int = 0
        m: cython.double = 1.0
        self.count += 1
        self.path[new] = path
        self.base[new] = base
        self.position[new] = position
        self.child[new] = child
        self.below[new] = NONE
        self.following[new] = NONE
        # `changed` has the derivations of the subgoals whose rank is not 0.
        d = new
        while d != NONE and self.position[d] != NONE:
            self.changed[self.position[d]] = self.child[d]
            d = self.base[d]
        for i in range(first, self.path_factors[path + 1]):
            d = self.changed[i - first]
            if d == NONE:
                m *= self.best_mantissa[self.factors[i]]
                e += self.best_exponent[self.factors[i]]
            else:
                m *= self.mantissa[d]
                e += self.exponent[d]
            if m < self.least:
                if m == 0.0:
                    e = -(1 << 30)
                    break
                m *= self.scale
                e -= 1
        d = new
        while d != NONE and self.position[d] != NONE:
            self.changed[self.position[d]] = NONE
            d = self.base[d]
        self.mantissa[new] = m
        self.exponent[new] = e
        d = self.heap[node]
        self.heap[node] = new if d == NONE else self.joined(d, new)

    def before(self, a, b):
        """Whether candidate a of a node comes before candidate b."""
        first: cython.bint = True
        if self.exponent[a] != self.exponent[b]:
            return self.exponent[a] > self.exponent[b]
        if self.mantissa[a] != self.mantissa[b]:
            return self.mantissa[a] > self.mantissa[b]
        if self.path[a] != self.path[b]:
            return self.path[a] > self.path[b]
        # From the last position to the first: the last difference seen decides. What only one of them has
        # changed has rank 0 in the other.
        while a != b:
            if b == NONE or (a != NONE and self.position[a] > self.position[b]):
                first = False
                a = self.base[a]
            elif a == NONE or self.position[a] < self.position[b]:
                first = True
                b = self.base[b]
            else:
                if self.child[a] != self.child[b]:
                    first = self.rank[self.child[a]] < self.rank[self.child[b]]
                a = self.base[a]
                b = self.base[b]
        return first

    # -- pairing heaps -------------------------------------------------------------------------

    def joined(self, a, b):
        """One heap of two."""
        top: cython.int = a
        other: cython.int = b
        if self.before(b, a):
            top = b
            other = a
        self.following[other] = self.below[top]
        self.below[top] = other
        return top

    def without_top(self, top):
        """The heap of what is below its top: neighbours are joined in pairs, then the pairs from the last."""
        a: cython.int = self.below[top]
        b: cython.int = NONE
        rest: cython.int = NONE
        pairs: cython.int = NONE
        while a != NONE:
            b = self.following[a]
            if b == NONE:
                rest = NONE
            else:
                rest = self.following[b]
                a = self.joined(a, b)
            self.following[a] = pairs
            pairs = a
            a = rest
        if pairs == NONE:
            return NONE
        a = pairs
        rest = self.following[a]
        while rest != NONE:
            b = rest
            rest = self.following[b]
            a = self.joined(a, b)
        return a

    # -- explanations --------------------------------------------------------------------------

    def unfold(self, steps):
        """Writes some paths of an explanation; `todo` has references to what is still to be written."""
        reference: cython.int = 0
        path: cython.int = 0
        i: cython.int = 0
        n: cython.int = 0
        while steps > 0 and self.top > 0 and self.top + self.longest < self.todo_room:
            steps -= 1
            reference = self.todo[self.top - 1]
            self.top -= 1
            path = self.chosen[-1 - reference] if reference < 0 else self.path[reference]
            self.written[self.length] = path
            self.length += 1
            n = 0
            for i in range(self.path_factors[path], self.path_factors[path + 1]):
                if self.factors[i] < self.n_instances:
                    break  # subgoals come before switches
                n += 1
            # The first subgoal is on top.
            for i in range(n):
                self.todo[self.top + n - 1 - i] = (
                    self.n_instances - 1 - self.factors[self.path_factors[path] + i]
                )
            while reference >= 0 and self.position[reference] != NONE:
                self.todo[self.top + n - 1 - self.position[reference]] = self.child[reference]
                reference = self.base[reference]
            self.top += n
