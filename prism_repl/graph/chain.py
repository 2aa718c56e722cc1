# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The Markov chain of MCMC: one explanation for each goal, changed goal by goal.

A step takes a goal by chance, draws a new explanation of it under the mean of the Dirichlet posterior given
the counts of all other goals, and accepts or rejects it (Metropolis-Hastings). Only counts of switch
instances are kept. Random numbers are made of 32-bit words in the order in which PRISM uses them.
"""

import cython

from prism_repl.arrays import double_array, empty_ints, filled_ints, int_array, np, zero_doubles, zero_ints

if not cython.compiled:
    from math import exp, inf, lgamma, log

    from prism_repl.graph.kernels import doubles, ints

    INFINITY = inf
    BLOCK = 4096  # random words asked for at once
    WORK = 1 << 18  # factors looked at between two looks for an interrupt

WEAK = 1e-250  # a goal whose probability is below this is computed with logarithms


class Chain:
    """A chain over `roots` (a node of the graph for each goal, repetitions included) with the prior `alpha`.

    `words(n)` gives n random words as an array of doubles, all below 2**32; `poll` may raise to break off."""

    def __init__(self, graph, roots, alpha, log_scale, words, poll):
        self.words, self.poll, self.log_scale = words, poll, log_scale
        n_instances: cython.Py_ssize_t = graph.n_instances
        self.n_instances = n_instances
        self.n_goals = len(roots)
        self.roots = int_array(roots)
        switch_of = graph.switch_of_instance()
        self.alpha_array = double_array(alpha)
        self.counts = zero_ints(n_instances)
        self.last_kept = zero_ints(n_instances)
        self.work_arrays = [
            self.roots, graph.node_paths, graph.path_factors, graph.factors, graph.switch_instances,
            switch_of, zero_doubles(n_instances), zero_doubles(graph.n_nodes), zero_ints(n_instances),
            zero_ints(n_instances), zero_ints(n_instances), zero_ints(n_instances),
            filled_ints(graph.n_nodes, -1), filled_ints(graph.n_switches, -1), zero_ints(graph.n_nodes + 1),
        ]  # fmt: skip
        (
            roots_, node_paths, path_factors, factors, switch_instances, switch_of, theta, value,
            old, new, flagged, flags, node_mark, switch_mark, todo,
        ) = self.work_arrays  # fmt: skip
        self.root = ints(roots_)
        self.node_paths = ints(node_paths)
        self.path_factors = ints(path_factors)
        self.factors = ints(factors)
        self.switch_start = ints(switch_instances)
        self.switch_of = ints(switch_of)
        self.theta = doubles(theta)
        self.value = doubles(value)
        self.old = ints(old)
        self.new = ints(new)
        self.flagged = ints(flagged)
        self.flag = ints(flags)
        self.n_flagged = 0
        self.node_mark = ints(node_mark)
        self.todo = ints(todo)
        self.switch_mark = ints(switch_mark)
        self.alpha = doubles(self.alpha_array)
        self.count = ints(self.counts)
        self.kept_count = ints(self.last_kept)
        self.stamp = 0
        self.places = {}  # root -> nodes below it, children first; switches that occur; whether in logs
        self.states = [empty_ints(0)] * self.n_goals
        self.lengths = zero_ints(self.n_goals)
        self.stack_array = empty_ints(1024)
        self.stack = ints(self.stack_array)
        self.stack_room = 1024
        self.drawn_array = empty_ints(1024)
        self.drawn = ints(self.drawn_array)
        self.drawn_room = 1024
        self.n_drawn = 0
        self.word_array = zero_doubles(0)
        self.word_used = 0
        self.word_end = 0
        self.changes_array = empty_ints((1024, 2))
        self.changes = ints(self.changes_array)
        self.change_room = 1024
        self.n_changes = 0
        self.ends = []  # where the changes of each kept state end
        self.steps = 0
        self.accepted = 0
        self.work = 0
        self.goal = 0
        self.outcome = 0  # of the last step: 0 the same counts, 1 accepted, 2 rejected
        self.ratio = 1.0

    # ---- random numbers

    def word(self):
        if self.word_used == self.word_end:
            self.word_array = double_array(self.words(BLOCK))
            self.random = doubles(self.word_array)
            self.word_used = 0
            self.word_end = len(self.word_array)
        self.word_used += 1
        return self.random[self.word_used - 1]

    def uniform(self):
        """A number in [0,1) with 53 bits."""
        high: cython.longlong = cython.cast(cython.longlong, self.word())
        low: cython.longlong = cython.cast(cython.longlong, self.word())
        return ((high >> 5) * 67108864.0 + (low >> 6)) / 9007199254740992.0

    def below(self, n):
        """An integer in [0, n)."""
        one: cython.longlong = 1
        size: cython.longlong = 0
        x: cython.longlong = 0
        if n == 1:
            return 0
        size = (one << 32) // n
        while True:
            x = cython.cast(cython.longlong, self.word())
            if x < size * n:
                return x // size

    def used_words(self):
        """How many words of the last block were used; they are given up: the next one is asked for anew."""
        used = self.word_used
        self.word_used = 0
        self.word_end = 0
        return used

    # ---- states

    def set_state(self, goal, instances):
        """Give a goal its explanation, as the switch instances in it."""
        k: cython.Py_ssize_t
        i: cython.int
        new = int_array(instances).copy()
        old: cython.p_int = ints(self.states[goal])
        for k in range(self.lengths[goal]):
            self.count[old[k]] -= 1
            self.note(old[k])
        self.states[goal] = new
        self.lengths[goal] = len(new)
        taken: cython.p_int = ints(new)
        for k in range(len(new)):
            i = taken[k]
            self.count[i] += 1
            self.note(i)
        return 0

    def scatter(self):
        """A start far from the best one: goal after goal drawn given those before it alone."""
        goal: cython.Py_ssize_t
        for goal in range(self.n_goals):
            self.set_state(goal, ())
        for goal in range(self.n_goals):
            self.draw(goal)
            self.set_state(goal, self.drawn_array[: self.n_drawn])
            if self.poll is not None:
                self.poll()
        return 0

    def note(self, i):
        """The count of instance i may have changed since the last state that was kept."""
        if self.flag[i] == 0:
            self.flag[i] = 1
            self.flagged[self.n_flagged] = i
            self.n_flagged += 1
        return 0

    def keep(self):
        """Keep the state: what its counts differ from those of the last one kept."""
        k: cython.Py_ssize_t
        i: cython.int
        if self.n_changes + self.n_flagged > self.change_room:
            self.change_room = 2 * (self.n_changes + self.n_flagged)
            grown = empty_ints((self.change_room, 2))
            grown[: self.n_changes] = self.changes_array[: self.n_changes]
            self.changes_array = grown
            self.changes = ints(self.changes_array)
        for k in range(self.n_flagged):
            i = self.flagged[k]
            self.flag[i] = 0
            if self.count[i] != self.kept_count[i]:
                self.changes[2 * self.n_changes] = i
                self.changes[2 * self.n_changes + 1] = self.count[i] - self.kept_count[i]
                self.n_changes += 1
                self.kept_count[i] = self.count[i]
        self.n_flagged = 0
        self.ends.append(self.n_changes)
        return 0

    def kept(self):
        """(changes, ends): (instance, difference) pairs, and where those of each kept state end."""
        return self.changes_array[: self.n_changes].copy(), np.array(self.ends, dtype=np.int64)

    # ---- the graph below a goal

    def place(self, root):
        """The nodes below a root, children first, and the switches that occur there."""
        top: cython.Py_ssize_t = 1
        p: cython.Py_ssize_t
        f: cython.Py_ssize_t
        node: cython.int
        factor: cython.int
        found = []
        switches = []
        stack: cython.p_int = self.todo
        self.stamp += 1
        stack[0] = root
        self.node_mark[root] = self.stamp
        while top > 0:
            top -= 1
            node = stack[top]
            found.append(node)
            for p in range(self.node_paths[node], self.node_paths[node + 1]):
                for f in range(self.path_factors[p], self.path_factors[p + 1]):
                    factor = self.factors[f]
                    if factor >= self.n_instances:
                        factor -= cython.cast(cython.int, self.n_instances)
                        if self.node_mark[factor] != self.stamp:
                            self.node_mark[factor] = self.stamp
                            stack[top] = factor
                            top += 1
                    elif self.switch_mark[self.switch_of[factor]] != self.stamp:
                        self.switch_mark[self.switch_of[factor]] = self.stamp
                        switches.append(self.switch_of[factor])
        return [np.sort(int_array(found)), int_array(switches), self.log_scale]

    # ---- steps

    def run(self, steps, burn_in, skip):
        """Some steps; states are kept after burn_in steps and then after every `skip`."""
        last: cython.longlong = self.steps + steps
        first_kept: cython.longlong = burn_in
        every: cython.longlong = skip
        while self.steps < last:
            self.step()
            self.steps += 1
            if self.steps >= first_kept and (self.steps - first_kept) % every == 0:
                self.keep()
            if self.work > WORK:
                self.work = 0
                if self.poll is not None:
                    self.poll()
        return 0

    def draw(self, goal):
        """A new explanation of a goal given the counts of all others: left in `drawn`."""
        root: cython.int = self.root[goal]
        place = self.places.get(root)
        if place is None:
            place = self.places[root] = self.place(root)
        nodes: cython.p_int = ints(place[0])
        n_nodes: cython.Py_ssize_t = len(place[0])
        switches: cython.p_int = ints(place[1])
        n_switches: cython.Py_ssize_t = len(place[1])
        logs: cython.bint = place[2]
        self.parameters(switches, n_switches, logs)
        if logs:
            self.inside_logs(nodes, n_nodes)
        else:
            self.inside(nodes, n_nodes)
            if self.value[root] < WEAK:
                place[2] = True
                logs = True
                self.parameters(switches, n_switches, True)
                self.inside_logs(nodes, n_nodes)
        self.walk(root, logs)
        return logs

    def parameters(self, switches, n, logs):
        """The means of the posterior, for the switches that occur."""
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        total: cython.double
        for k in range(n):
            begin = self.switch_start[switches[k]]
            end = self.switch_start[switches[k] + 1]
            total = 0.0
            for i in range(begin, end):
                total += self.alpha[i] + self.count[i]
            for i in range(begin, end):
                self.theta[i] = (self.alpha[i] + self.count[i]) / total
                if logs:
                    self.theta[i] = log(self.theta[i])

    def path(self, p):
        """The value of a path."""
        x: cython.double = 1.0
        f: cython.Py_ssize_t
        for f in range(self.path_factors[p], self.path_factors[p + 1]):
            if self.factors[f] < self.n_instances:
                x *= self.theta[self.factors[f]]
            else:
                x *= self.value[self.factors[f] - self.n_instances]
        return x

    def path_log(self, p):
        x: cython.double = 0.0
        f: cython.Py_ssize_t
        for f in range(self.path_factors[p], self.path_factors[p + 1]):
            if self.factors[f] < self.n_instances:
                x += self.theta[self.factors[f]]
            else:
                x += self.value[self.factors[f] - self.n_instances]
        return x

    def inside(self, nodes, n):
        k: cython.Py_ssize_t
        p: cython.Py_ssize_t
        node: cython.int
        total: cython.double
        for k in range(n):
            node = nodes[k]
            total = 0.0
            for p in range(self.node_paths[node], self.node_paths[node + 1]):
                total += self.path(p)
            self.value[node] = total
            self.work += 4 * (self.node_paths[node + 1] - self.node_paths[node])

    def inside_logs(self, nodes, n):
        k: cython.Py_ssize_t
        p: cython.Py_ssize_t
        node: cython.int
        greatest: cython.double
        total: cython.double
        x: cython.double
        for k in range(n):
            node = nodes[k]
            greatest = -INFINITY
            for p in range(self.node_paths[node], self.node_paths[node + 1]):
                x = self.path_log(p)
                if x > greatest:
                    greatest = x
            total = 0.0
            for p in range(self.node_paths[node], self.node_paths[node + 1]):
                total += exp(self.path_log(p) - greatest)
            self.value[node] = greatest + log(total)
            self.work += 16 * (self.node_paths[node + 1] - self.node_paths[node])

    def walk(self, root, logs):
        """Draw an explanation from the root downwards: subgoals from the left, each before the next."""
        top: cython.Py_ssize_t = 1
        node: cython.int
        p: cython.Py_ssize_t
        f: cython.Py_ssize_t
        size: cython.Py_ssize_t
        self.n_drawn = 0
        self.stack[0] = root
        while top > 0:
            top -= 1
            node = self.stack[top]
            p = self.node_paths[node]
            if self.node_paths[node + 1] - p > 1:
                p = self.chosen(node, logs)
            size = self.path_factors[p + 1] - self.path_factors[p]
            if self.n_drawn + size > self.drawn_room:
                self.drawn_room = 2 * self.drawn_room + size
                self.drawn_array = np.resize(self.drawn_array, self.drawn_room)
                self.drawn = ints(self.drawn_array)
            if top + size > self.stack_room:
                self.stack_room = 2 * self.stack_room + size
                self.stack_array = np.resize(self.stack_array, self.stack_room)
                self.stack = ints(self.stack_array)
            for f in range(self.path_factors[p + 1] - 1, self.path_factors[p] - 1, -1):
                if self.factors[f] < self.n_instances:
                    self.drawn[self.n_drawn] = self.factors[f]
                    self.n_drawn += 1
                else:
                    self.stack[top] = self.factors[f] - cython.cast(cython.int, self.n_instances)
                    top += 1
            self.work += 4
            if self.work > 64 * WORK:  # an explanation that does not end soon
                self.work = 0
                if self.poll is not None:
                    self.poll()
        return 0

    def chosen(self, node, logs):
        """A path of a node, with its share of the node's value as probability."""
        rest: cython.double = self.uniform()
        share: cython.double
        p: cython.Py_ssize_t
        taken: cython.Py_ssize_t = self.node_paths[node]
        for p in range(self.node_paths[node], self.node_paths[node + 1]):
            if logs:
                share = exp(self.path_log(p) - self.value[node])
            else:
                share = self.path(p) / self.value[node]
            if share > 0.0:
                taken = p  # the last one that is possible, if rounding leaves a rest
            if share > rest:
                return p
            rest -= share
        return taken

    def step(self):
        goal: cython.Py_ssize_t = self.below(self.n_goals)
        k: cython.Py_ssize_t
        i: cython.int
        j: cython.Py_ssize_t
        s: cython.int
        state = self.states[goal]
        old: cython.p_int = ints(state)
        n_old: cython.Py_ssize_t = self.lengths[goal]
        changed: cython.bint = False
        logs: cython.bint
        u: cython.double
        score: cython.double = 0.0
        before: cython.double
        after: cython.double
        self.goal = goal
        for k in range(n_old):
            i = old[k]
            self.count[i] -= 1
            self.old[i] += 1
        logs = self.draw(goal)
        for k in range(self.n_drawn):
            self.new[self.drawn[k]] += 1
        for k in range(n_old):
            changed = changed or self.old[old[k]] != self.new[old[k]]
        changed = changed or n_old != self.n_drawn
        self.ratio = 1.0
        if changed:
            self.stamp += 1
            for k in range(n_old + self.n_drawn):
                i = old[k] if k < n_old else self.drawn[k - n_old]
                if self.old[i] == self.new[i]:
                    continue
                s = self.switch_of[i]
                if self.switch_mark[s] == self.stamp:
                    continue
                self.switch_mark[s] = self.stamp
                before = 0.0
                after = 0.0
                for j in range(self.switch_start[s], self.switch_start[s + 1]):
                    before += self.alpha[j] + self.count[j] + self.old[j]
                    after += self.alpha[j] + self.count[j] + self.new[j]
                    if self.old[j] != self.new[j]:
                        score += lgamma(self.alpha[j] + self.count[j] + self.new[j])
                        score -= lgamma(self.alpha[j] + self.count[j] + self.old[j])
                        score += (self.old[j] - self.new[j]) * (self.theta[j] if logs else log(self.theta[j]))
                if before != after:
                    score += lgamma(before) - lgamma(after)
            self.ratio = exp(score) if score < 700.0 else INFINITY
        u = self.uniform()
        self.outcome = 0 if not changed else 1 if self.ratio >= u else 2
        for k in range(n_old):
            self.old[old[k]] = 0
        for k in range(self.n_drawn):
            self.new[self.drawn[k]] = 0
        if self.outcome == 1:
            self.accepted += 1
            for k in range(n_old):
                self.note(old[k])
            for k in range(self.n_drawn):
                i = self.drawn[k]
                self.count[i] += 1
                self.note(i)
            if self.n_drawn > len(state):
                self.states[goal] = self.drawn_array[: self.n_drawn].copy()
            else:
                for k in range(self.n_drawn):
                    old[k] = self.drawn[k]
            self.lengths[goal] = self.n_drawn
        else:
            for k in range(n_old):
                self.count[old[k]] += 1
        return 0
