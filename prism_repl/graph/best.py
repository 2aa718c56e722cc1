# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The best path of each node of a graph, the last among equals, straight on the arrays of the Graph.

A value is mantissa * 2**(256 * exponent). The factors are multiplied in their order, and scaling by powers of
two is exact, so the mantissas are what plain products would be if they did not underflow: the choice is the
same in every mode.

In a component with cycles, nodes are settled best first (Knuth's generalisation of Dijkstra's algorithm): a
path counts once all its subgoals in the component are settled, and since no factor exceeds 1 nothing better
can come for the best node that waits. Its best path then leads to nodes that were settled before it.
"""

import math

import cython

from prism_repl.arrays import counted_ints, empty_ints, filled_ints, logarithms, np, zero_doubles, zero_ints

if not cython.compiled:
    from prism_repl.graph.kernels import doubles, ints

SCALE_BITS = 256
LOG_SCALE = SCALE_BITS * math.log(2.0)
_LEAST = 2.0**-SCALE_BITS


def scaled_numbers(x):
    """Numbers as mantissas and exponents; zero has the least exponent."""
    mantissas = np.array(x, dtype=np.float64)
    exponents = zero_ints(len(mantissas))
    while (small := (mantissas < _LEAST) & (mantissas > 0.0)).any():
        mantissas[small] *= 2.0**SCALE_BITS
        exponents[small] -= 1
    exponents[mantissas == 0.0] = -(1 << 30)
    return mantissas, exponents


class BestPaths:
    """The best path of each node: `chosen`. `mantissas` and `exponents` have the parameters of the switch
    instances, then the values of the nodes. `order` are the nodes so that a node comes after those on its
    best path. `scaled` are mantissas and exponents of the parameters, if plain numbers do not hold them."""

    def __init__(self, graph, theta, pause, scaled=None):
        graph.require_paths()
        self.graph = graph
        n_nodes: cython.Py_ssize_t = graph.n_nodes
        mantissas, exponents = scaled_numbers(theta) if scaled is None else scaled
        self.mantissas = np.concatenate([mantissas, zero_doubles(n_nodes)])
        self.exponents = np.concatenate([exponents, zero_ints(n_nodes)])
        self.chosen = empty_ints(n_nodes)
        self.order = counted_ints(n_nodes)
        self.n_instances = graph.n_instances
        self.node_paths = ints(graph.node_paths)
        self.path_factors = ints(graph.path_factors)
        self.factors = ints(graph.factors)
        self.mantissa = doubles(self.mantissas)
        self.exponent = ints(self.exponents)
        self.best = ints(self.chosen)
        self.nodes = ints(self.order)
        self.scale = 2.0**SCALE_BITS
        self.least = _LEAST
        begin: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = 0
        if graph.components is None:
            for begin in range(0, n_nodes, 65536):
                end = min(begin + 65536, n_nodes)
                pause()
                with cython.nogil:
                    self.fold(begin, end)
        else:
            self.on_cycles(graph.components, pause)

    def on_cycles(self, components, pause):
        """All components, children first."""
        c: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = len(components)
        self.order[:] = components.nodes
        starts: cython.p_int = ints(components.starts)
        kinds: cython.p_int = ints(components.kinds)
        self.component_arrays = [
            filled_ints(self.graph.n_nodes, -1),  # the place of a member in its component
            zero_ints(self.graph.n_paths),  # subgoals of a path that are not settled
        ]
        self.place = ints(self.component_arrays[0])
        self.missing = ints(self.component_arrays[1])
        for c in range(n):
            if c & 1023 == 0:
                pause()
            if kinds[c] == 0:
                self.fold(starts[c], starts[c + 1])
            else:
                self.settle(starts[c], starts[c + 1])

    def fold(self, begin, end):
        """The nodes order[begin] .. order[end], whose children have their values."""
        k: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = 0
        p: cython.Py_ssize_t = 0
        best_m: cython.double = 0.0
        best_e: cython.int = 0
        for k in range(begin, end):
            n = self.nodes[k]
            best_m = -1.0
            best_e = 0
            for p in range(self.node_paths[n], self.node_paths[n + 1]):
                self.multiply(p)
                if best_m < 0.0 or self.e > best_e or (self.e == best_e and self.m >= best_m):
                    best_m = self.m
                    best_e = self.e
                    self.best[n] = p
            self.mantissa[self.n_instances + n] = best_m
            self.exponent[self.n_instances + n] = best_e

    def multiply(self, p):
        """The value of a path, as `m` and `e`."""
        m: cython.double = 1.0
        e: cython.int = 0
        i: cython.Py_ssize_t = 0
        for i in range(self.path_factors[p], self.path_factors[p + 1]):
            m *= self.mantissa[self.factors[i]]
            e += self.exponent[self.factors[i]]
            if m < self.least and m > 0.0:
                m *= self.scale
                e -= 1
        if m == 0.0:
            e = -(1 << 30)
        self.m = m
        self.e = e

    def settle(self, begin, end):
        """A component: its nodes best first; order[begin] .. order[end] are in that order afterwards."""
        n: cython.Py_ssize_t = end - begin
        members = self.order[begin:end].copy()
        n_instances: cython.Py_ssize_t = self.n_instances
        k: cython.Py_ssize_t = 0
        p: cython.Py_ssize_t = 0
        f: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t = 0
        node: cython.Py_ssize_t = 0
        child: cython.Py_ssize_t = 0
        member: cython.p_int = ints(members)
        for k in range(n):
            self.place[member[k]] = k
        # Where each member occurs: the paths that wait for it.
        counts_array = zero_ints(n + 1)
        counts: cython.p_int = ints(counts_array)
        for k in range(n):
            for p in range(self.node_paths[member[k]], self.node_paths[member[k] + 1]):
                self.missing[p] = 0
                for f in range(self.path_factors[p], self.path_factors[p + 1]):
                    child = self.factors[f] - n_instances
                    if child >= 0 and self.place[child] >= 0:
                        counts[self.place[child] + 1] += 1
                        self.missing[p] += 1
        np.cumsum(counts_array, out=counts_array)
        filled_array = counts_array[:n].copy()
        filled: cython.p_int = ints(filled_array)
        waiting_array = empty_ints(int(counts_array[n]))
        owner_array = empty_ints(int(counts_array[n]))
        waiting: cython.p_int = ints(waiting_array)
        owner: cython.p_int = ints(owner_array)
        for k in range(n):
            for p in range(self.node_paths[member[k]], self.node_paths[member[k] + 1]):
                for f in range(self.path_factors[p], self.path_factors[p + 1]):
                    child = self.factors[f] - n_instances
                    if child >= 0 and self.place[child] >= 0:
                        i = self.place[child]
                        waiting[filled[i]] = p
                        owner[filled[i]] = k
                        filled[i] += 1
        # A heap of the members that have a path, by value, then by number: deeper ones first.
        heap_array = empty_ints(n)
        at_array = filled_ints(n, -1)  # place in the heap; -2: settled
        self.heap_arrays = [heap_array, at_array, members]
        self.heap = ints(heap_array)
        self.at = ints(at_array)
        self.member = member
        self.heap_size = 0
        for k in range(n):
            self.best[member[k]] = -1
        for k in range(n):
            for p in range(self.node_paths[member[k]], self.node_paths[member[k] + 1]):
                if self.missing[p] == 0:
                    self.offer(k, p)
        settled: cython.Py_ssize_t = 0
        while self.heap_size > 0:
            k = self.pop()
            node = member[k]
            self.nodes[begin + settled] = node
            settled += 1
            self.at[k] = -2
            for i in range(counts[k], counts[k + 1]):
                p = waiting[i]
                self.missing[p] -= 1
                if self.missing[p] == 0 and self.at[owner[i]] != -2:
                    self.offer(owner[i], p)
        for k in range(n):
            self.place[member[k]] = -1
        if settled < n:
            raise ValueError("a node of the explanation graph has no finite explanation")
        # Among equals the last path whose subgoals were settled before.
        for k in range(n):
            self.place[self.nodes[begin + k]] = k
        for k in range(n):
            node = self.nodes[begin + k]
            for p in range(self.node_paths[node + 1] - 1, self.best[node], -1):
                for f in range(self.path_factors[p], self.path_factors[p + 1]):
                    child = self.factors[f] - n_instances
                    if child >= 0 and self.place[child] >= k:
                        break
                else:
                    self.multiply(p)
                    if (
                        self.e == self.exponent[n_instances + node]
                        and self.m == self.mantissa[n_instances + node]
                    ):
                        self.best[node] = p
                        break
        for k in range(n):
            self.place[member[k]] = -1

    def offer(self, k, p):
        """Path p of member k, all of whose subgoals are settled."""
        node: cython.Py_ssize_t = self.member[k]
        at: cython.Py_ssize_t = self.n_instances + node
        self.multiply(p)
        if self.best[node] >= 0 and (
            self.e < self.exponent[at] or (self.e == self.exponent[at] and self.m <= self.mantissa[at])
        ):
            return
        self.best[node] = p
        self.mantissa[at] = self.m
        self.exponent[at] = self.e
        if self.at[k] == -1:
            self.at[k] = self.heap_size
            self.heap[self.heap_size] = k
            self.heap_size += 1
        self.rise(self.at[k])

    def before(self, a, b):
        """Whether member a comes before member b."""
        x: cython.Py_ssize_t = self.n_instances + self.member[a]
        y: cython.Py_ssize_t = self.n_instances + self.member[b]
        if self.exponent[x] != self.exponent[y]:
            return self.exponent[x] > self.exponent[y]
        if self.mantissa[x] != self.mantissa[y]:
            return self.mantissa[x] > self.mantissa[y]
        return x < y

    def rise(self, place):
        i: cython.Py_ssize_t = place
        k: cython.int = self.heap[place]
        while i > 0 and self.before(k, self.heap[(i - 1) >> 1]):
            self.heap[i] = self.heap[(i - 1) >> 1]
            self.at[self.heap[i]] = i
            i = (i - 1) >> 1
        self.heap[i] = k
        self.at[k] = i

    def pop(self):
        """Takes the best member out of the heap."""
        top: cython.int = self.heap[0]
        k: cython.int = 0
        i: cython.Py_ssize_t = 0
        child: cython.Py_ssize_t = 1
        self.heap_size -= 1
        if self.heap_size > 0:
            k = self.heap[self.heap_size]
            while child < self.heap_size:
                if child + 1 < self.heap_size and self.before(self.heap[child + 1], self.heap[child]):
                    child += 1
                if not self.before(self.heap[child], k):
                    break
                self.heap[i] = self.heap[child]
                self.at[self.heap[i]] = i
                i = child
                child = 2 * i + 1
            self.heap[i] = k
            self.at[k] = i
        return top

    # -- what is asked for ---------------------------------------------------------------------

    def plain(self, nodes):
        """The values of some nodes; zero where they are too small."""
        at = self.graph.n_instances + nodes
        return np.ldexp(self.mantissas[at], SCALE_BITS * np.maximum(self.exponents[at], -8))

    def logs(self, nodes):
        """The logarithms of the values of some nodes."""
        at = self.graph.n_instances + nodes
        return logarithms(self.mantissas[at], self.exponents[at] * LOG_SCALE)

    def uses(self, roots, weights):
        """How often each switch instance and each node is used by the best explanations of these nodes, if
        node roots[i] is asked for weights[i] times."""
        weight_array = zero_doubles(self.graph.n_instances + self.graph.n_nodes)
        np.add.at(weight_array, self.graph.n_instances + roots, weights)
        weight: cython.p_double = doubles(weight_array)
        k: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = self.graph.n_nodes
        p: cython.Py_ssize_t = 0
        w: cython.double = 0.0
        for k in range(n - 1, -1, -1):
            w = weight[self.n_instances + self.nodes[k]]
            if w != 0.0:
                p = self.best[self.nodes[k]]
                for i in range(self.path_factors[p], self.path_factors[p + 1]):
                    weight[self.factors[i]] += w
        return weight_array[: self.graph.n_instances], weight_array[self.graph.n_instances :]
