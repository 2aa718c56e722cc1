# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Explanations drawn by chance: a walk down the graph from a goal, each path taken with its share of the
node's value. What is drawn is an explanation with its probability given that the goal holds.
"""

import cython

from prism_repl.arrays import double_array, empty_ints, largest_gap, np, zero_doubles

if not cython.compiled:
    from math import exp

    from prism_repl.graph.kernels import doubles, ints, path_value

    SLICE = 4096  # random numbers asked for at once; an interrupt is looked for each time


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def path_after(stream: cython.p_int, at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the path after the one at `at` begins."""
    k: cython.int = stream[at] & 3
    if k < 3:
        return at + 1 + k
    return at + 2 + stream[at + 1]


class Walks:
    """Draws explanations on a plan whose inside values are known: `values` as Workspace.inside left them
    (monomials, then nodes; one parameter set), logarithms if `logs`.

    `uniforms(n)` is to give n random numbers in [0,1), of which one is used for each node with more than one
    path, in the order of a proof."""

    def __init__(self, plan, values, logs, uniforms, poll=None):
        if plan.blocks is not None or len(values.reshape(-1)) != plan.n_mono + plan.n_nodes:
            raise ValueError("walks need one value for each node: a plan that is not cut, one parameter set")
        values = double_array(values).reshape(-1)
        self.arrays = (plan.start, plan.stream, plan.mono_start, plan.mono_members, values)
        self.start = ints(plan.start)
        self.stream = ints(plan.stream)
        self.mono_start = ints(plan.mono_start)
        self.mono_members = ints(plan.mono_members)
        self.value = doubles(values)
        self.n_mono = plan.n_mono
        self.logs = logs
        self.roots = plan.roots
        self.uniforms = uniforms
        self.poll = poll
        # The most that one step adds: the instances of a monomial, the words of a path.
        self.most_drawn = largest_gap(plan.mono_start)
        self.most_todo = 2 + largest_gap(plan.graph.path_factors)
        self.buffers = [empty_ints(2 * SLICE), empty_ints(2 * SLICE)]
        self.todo_room = 2 * SLICE
        self.drawn_room = 2 * SLICE
        self.todo = ints(self.buffers[0])
        self.drawn = ints(self.buffers[1])
        self.random_array = zero_doubles(0)
        self.random = doubles(self.random_array)
        self.random_used = 0
        self.random_end = 0

    def draw(self, root):
        """The switch instances of an explanation of observed goal `root`, in the order of a proof (an array
        that the next draw overwrites). The goal's value must not be zero."""
        number: cython.int = self.roots[root]
        self.todo[0] = number
        self.top = 1
        self.length = 0
        while self.top > 0:
            self.room()
            with cython.nogil:
                self.walk()
            if self.top > 0 and self.poll is not None:
                self.poll()
        return self.buffers[1][: self.length]

    def room(self):
        """Room for one more step at least, and a random number for it."""
        size: cython.Py_ssize_t = 0
        if self.random_used == self.random_end:
            self.random_array = double_array(self.uniforms(SLICE))
            self.random = doubles(self.random_array)
            self.random_used = 0
            self.random_end = len(self.random_array)
            if self.random_end == 0:
                raise ValueError("no random numbers")
        if self.todo_room - self.top < self.most_todo:
            size = 2 * self.todo_room + self.most_todo
            self.buffers[0] = np.resize(self.buffers[0], size)
            self.todo = ints(self.buffers[0])
            self.todo_room = size
        if self.drawn_room - self.length < self.most_drawn:
            size = 2 * self.drawn_room + self.most_drawn
            self.buffers[1] = np.resize(self.buffers[1], size)
            self.drawn = ints(self.buffers[1])
            self.drawn_room = size
        return 0

    def walk(self):
        """Some nodes of the walk: until it is done, or room or random numbers may run out."""
        number: cython.int = 0
        node: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        while (
            self.top > 0
            and self.random_used < self.random_end
            and self.top + self.most_todo <= self.todo_room
            and self.length + self.most_drawn <= self.drawn_room
        ):
            self.top -= 1
            number = self.todo[self.top]
            if number < self.n_mono:  # instances of a path whose subgoals are done
                for i in range(self.mono_start[number], self.mono_start[number + 1]):
                    self.drawn[self.length] = self.mono_members[i]
                    self.length += 1
                continue
            node = number - self.n_mono
            at = self.start[node]
            stop = self.start[node + 1]
            if path_after(self.stream, at) < stop:
                at = self.chosen(number, at, stop)
            # The node is replaced by its path: the first subgoal on top, the switches below.
            if self.stream[at] >> 2 != 0:
                self.todo[self.top] = self.stream[at] >> 2
                self.top += 1
            first = at + 2 if self.stream[at] & 3 == 3 else at + 1
            stop = path_after(self.stream, at)
            for i in range(stop - 1, first - 1, -1):
                self.todo[self.top] = self.stream[i]
                self.top += 1

    def chosen(self, number, at, stop):
        """One of the paths from `at` to `stop`, by chance."""
        total: cython.double = self.value[number]
        left: cython.double = self.random[self.random_used]
        share: cython.double = 0.0
        taken: cython.Py_ssize_t = at
        self.random_used += 1
        while at < stop:
            share = path_value(self.stream, at, self.value, 1, 0, self.logs)
            share = exp(share - total) if self.logs else share / total
            if share > 0.0:
                taken = at  # the last one that is possible, if rounding leaves a rest
                if left < share:
                    return at
                left -= share
            at = path_after(self.stream, at)
        return taken
