# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Sums over the explanations of a graph with cycles: its components as systems of equations.

Each node of a component has the unknown x = the sum over its paths of the products of their factors; the
probabilities are the least solution that is not negative. It is found by Newton's iteration from zero, which
rises to it; a component in which no path has two members is linear, and the first step is the solution.
Members that no explanation of positive probability reaches are zero and stay out of the system, which is then
regular if the solution is finite.

With logarithms, the unknowns are scaled where doubles cannot hold them.
"""

import math

import cython

from prism_repl.arrays import logarithms, np, zero_doubles, zero_ints
from prism_repl.graph.linear_system import LinearSystem
from prism_repl.graph.outside import outside_values

if not cython.compiled:
    from math import inf as INFINITY

    from prism_repl.graph.kernels import (
        doubles,
        downwards,
        exp,
        fabs,
        first_subgoal,
        greatest_log,
        ints,
        log,
        path_end,
        path_value,
        sum_of_shares,
        upwards,
    )
    from prism_repl.graph.linear_system import DENSE

    ACYCLIC, LINEAR, NONLINEAR = 0, 1, 2
    # Sweeps that look for a scale, at most, once all members have one.
    SWEEPS = 100
    # Steps of Newton's iteration: it doubles the digits at each, but at a double root only halves the error.
    MOST_STEPS = 500


class NoSolution(Exception):
    """The sums over a cycle do not converge to a finite number; `nodes` are the graph's, of its component."""

    def __init__(self, nodes):
        super().__init__("the explanations through a cycle have no finite sum")
        self.nodes = nodes


class Equations:
    """The passes over a plan whose graph has cycles, for one parameter set.

    The plan has its nodes in the order of the components; `edges` are where runs of nodes begin and `kinds`
    what they are: a run of nodes without cycles, or one component."""

    def __init__(self, plan):
        self.plan = plan
        self.n_mono = plan.n_mono
        self.start = ints(plan.start)
        self.stream = ints(plan.stream)
        self.edges = ints(plan.edges)
        self.kinds = ints(plan.kinds)
        self.n_runs = len(plan.kinds)
        solved = plan.kinds > 0
        sizes = np.diff(plan.edges)[solved]
        most = int(sizes.max(initial=0))
        words = int(np.diff(plan.start[plan.edges])[solved].max(initial=0))
        self.arrays = {name: zero_doubles(most) for name in ("z", "scale", "sums")}
        self.arrays["dead"] = zero_ints(most)
        self.system = LinearSystem(most, words)
        self.z = doubles(self.arrays["z"])
        self.scale = doubles(self.arrays["scale"])
        self.sums = doubles(self.arrays["sums"])
        self.right = self.system.right
        self.dead = ints(self.arrays["dead"])

    # -- upwards -------------------------------------------------------------------------------

    def inside(self, value_array, logs, pause):
        """All node values, after those of the monomials. Raises NoSolution."""
        value: cython.p_double = doubles(value_array)
        in_logs: cython.bint = logs
        run: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = 0
        plan = self.plan
        for begin, end in plan.run_slices:
            pause()
            run = begin
            last = end
            while run < last:
                with cython.nogil:
                    run = self.solve_runs(value, run, last, in_logs)
                if run < last:
                    self.solve_large(value_array, run, in_logs, pause)
                    run += 1

    def solve_runs(self, value, run, last, logs):
        """Runs and small components up to the first that is not for here: its number, else `last`."""
        while run < last:
            if self.kinds[run] == ACYCLIC:
                upwards(
                    self.start, self.stream, value, self.n_mono, self.edges[run], self.edges[run + 1],
                    1, logs, False,
                )  # fmt: skip
            elif self.edges[run + 1] - self.edges[run] > DENSE:
                return run
            elif not self.solve_small(value, run, logs):
                return run
            run += 1
        return last

    def solve_small(self, value, run, logs):
        """A small component; False if it has no solution."""
        begin: cython.Py_ssize_t = self.edges[run]
        end: cython.Py_ssize_t = self.edges[run + 1]
        self.prepare(value, begin, end, logs)
        if not self.newton_small(value, run, logs):
            if not logs:
                return False
            self.rescale(value, begin, end)
            if not self.newton_small(value, run, True):
                return False
        self.store(value, begin, end, logs)
        return True

    def newton_small(self, value, run, logs):
        """Newton's iteration by elimination; False if it does not end, or z cannot hold the result."""
        begin: cython.Py_ssize_t = self.edges[run]
        end: cython.Py_ssize_t = self.edges[run + 1]
        state: cython.int = 0
        steps: cython.int = 0
        while state == 0:
            self.linearise(value, begin, end, logs)
            if self.settled(end - begin):
                break
            steps += 1
            if steps > MOST_STEPS or not self.system.eliminate(end - begin, False):
                return False
            state = self.advance(end - begin, self.kinds[run] == LINEAR)
        return state >= 0 and self.held(end - begin, logs)

    def solve_large(self, value_array, run, logs, pause):
        """A large component, or one that has no solution."""
        value: cython.p_double = doubles(value_array)
        begin: cython.Py_ssize_t = self.edges[run]
        end: cython.Py_ssize_t = self.edges[run + 1]
        if end - begin <= DENSE:
            raise self.no_solution(run)
        self.prepare(value, begin, end, logs)
        if not self.newton_large(value_array, run, logs, pause):
            if logs:
                self.rescale(value, begin, end)
            if not logs or not self.newton_large(value_array, run, logs, pause):
                raise self.no_solution(run)
        self.store(value, begin, end, logs)

    def newton_large(self, value_array, run, logs, pause):
        """The same by sparse systems."""
        value: cython.p_double = doubles(value_array)
        begin: cython.Py_ssize_t = self.edges[run]
        end: cython.Py_ssize_t = self.edges[run + 1]
        state: cython.int = 0
        for _ in range(MOST_STEPS):
            pause()
            self.linearise(value, begin, end, logs)
            if self.settled(end - begin):
                return self.held(end - begin, logs)
            if not self.system.solve(end - begin, False):
                return False
            state = self.advance(end - begin, self.kinds[run] == LINEAR)
            if state != 0:
                return state > 0 and self.held(end - begin, logs)
        return False

    def held(self, n, logs):
        """Whether z holds the result. Without logarithms what is too small for it is zero."""
        i: cython.Py_ssize_t = 0
        if logs:
            for i in range(n):
                if not self.dead[i] and self.z[i] < 1e-280:
                    return False
        return True

    def no_solution(self, run):
        plan = self.plan
        return NoSolution(plan.order[plan.edges[run] : plan.edges[run + 1]].tolist())

    def prepare(self, value, begin, end, logs):
        """Which members have an explanation of positive probability. Starts at zero, not scaled."""
        n: cython.Py_ssize_t = end - begin
        low: cython.int = self.n_mono + begin
        high: cython.int = self.n_mono + end
        i: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = 0
        f: cython.Py_ssize_t = 0
        after: cython.Py_ssize_t = 0
        x: cython.int = 0
        sweep: cython.int = 0
        nothing: cython.double = -INFINITY if logs else 0.0
        possible: cython.bint = False
        new: cython.bint = True
        for i in range(n):
            self.z[i] = 0.0
            self.scale[i] = 0.0
            self.dead[i] = 1
        while new:
            new = False
            for k in range(n):
                i = k if sweep & 1 == 0 else n - 1 - k
                at = self.start[begin + i]
                while self.dead[i] and at < self.start[begin + i + 1]:
                    after = path_end(self.stream, at)
                    possible = value[self.stream[at] >> 2] > nothing
                    for f in range(first_subgoal(self.stream, at), after):
                        x = self.stream[f]
                        if low <= x < high:
                            possible = possible and not self.dead[x - low]
                        else:
                            possible = possible and value[x] > nothing
                    at = after
                    if possible:
                        self.dead[i] = 0
                        new = True
            sweep += 1
        self.last_step = INFINITY
        self.last_most = 0.0

    def rescale(self, value, begin, end):
        """Starts again at zero, scaled: by what plain iteration from zero finds in some sweeps. Then neither
        the coefficients nor the solution, which is not much more, are beyond the range of doubles."""
        n: cython.Py_ssize_t = end - begin
        i: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = 0
        after: cython.Py_ssize_t = 0
        sweep: cython.int = 0
        v: cython.double = 0.0
        changed: cython.bint = True
        new: cython.bint = True
        for i in range(n):
            self.z[i] = 0.0
            self.scale[i] = -INFINITY
            value[self.n_mono + begin + i] = -INFINITY
        while changed and (new or sweep < SWEEPS):
            changed = False
            new = False
            for k in range(n):
                i = k if sweep & 1 == 0 else n - 1 - k
                if self.dead[i]:
                    continue
                at = self.start[begin + i]
                after = self.start[begin + i + 1]
                v = greatest_log(self.stream, at, after, value, 1, 0)
                if v == -INFINITY:
                    continue
                v += log(sum_of_shares(self.stream, at, after, value, 1, 0, v))
                if v > self.scale[i] + 1e-3:
                    new = new or self.scale[i] == -INFINITY
                    changed = True
                    self.scale[i] = v
                    value[self.n_mono + begin + i] = v
            sweep += 1
        self.last_step = INFINITY
        self.last_most = 0.0

    def linearise(self, value, begin, end, logs):
        """At z: the sums of the paths, and their derivatives by the members as entries (row, column, value).
        Scaled if `logs`. Members that are dead are left out."""
        low: cython.int = self.n_mono + begin
        high: cython.int = self.n_mono + end
        i: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = 0
        f: cython.Py_ssize_t = 0
        after: cython.Py_ssize_t = 0
        x: cython.int = 0
        members: cython.int = 0
        zeros: cython.int = 0
        c: cython.double = 0.0
        others: cython.double = 0.0
        self.system.clear()
        for i in range(end - begin):
            self.sums[i] = 0.0
            if self.dead[i]:
                continue
            at = self.start[begin + i]
            while at < self.start[begin + i + 1]:
                after = path_end(self.stream, at)
                c = value[self.stream[at] >> 2]
                members = 0
                zeros = 0
                others = 1.0
                for f in range(first_subgoal(self.stream, at), after):
                    x = self.stream[f]
                    if low <= x < high:
                        members += 1
                        if self.dead[x - low]:
                            c = -INFINITY if logs else 0.0
                            break
                        if logs:
                            c += self.scale[x - low]
                        if self.z[x - low] == 0.0:
                            zeros += 1
                        else:
                            others *= self.z[x - low]
                    elif logs:
                        c += value[x]
                    else:
                        c *= value[x]
                if logs:
                    c = exp(c - self.scale[i])
                if c != 0.0:
                    if zeros == 0:
                        self.sums[i] += c * others
                    if members > 0 and zeros < 2:
                        for f in range(first_subgoal(self.stream, at), after):
                            x = self.stream[f]
                            if not low <= x < high:
                                continue
                            if zeros == 0:
                                self.system.add(i, x - low, c * (others / self.z[x - low]))
                            elif self.z[x - low] == 0.0:
                                self.system.add(i, x - low, c * others)
                at = after

    def settled(self, n):
        """Whether z solves the equations as well as rounding allows; else `right` is what is left."""
        i: cython.Py_ssize_t = 0
        done: cython.bint = True
        self.most_left = 0.0
        for i in range(n):
            self.right[i] = self.sums[i] - self.z[i]
            if fabs(self.right[i]) > self.most_left:
                self.most_left = fabs(self.right[i])
            if not fabs(self.right[i]) <= 4e-16 * self.sums[i]:
                done = False
        return done

    def advance(self, n, linear):
        """z plus the step in `right`: 0 to go on, 1 if that was the last step, -1 if there is no solution."""
        i: cython.Py_ssize_t = 0
        most: cython.double = 0.0
        step: cython.double = 0.0
        largest: cython.double = 0.0
        for i in range(n):
            step = fabs(self.right[i])
            if self.z[i] + step > most:
                most = self.z[i] + step
            if step > largest * (self.z[i] + step):
                largest = step / (self.z[i] + step)
        # A step out of all proportion: the matrix is singular but for rounding.
        if not most < 1e300 or not largest >= 0.0 or most > 1e14 * self.most_left + 1e14 * self.last_most:
            return -1
        # Once it is near, each step is smaller than the last, until nothing is left but rounding.
        if self.last_step < 1e-4 and largest > 0.75 * self.last_step:
            return 1
        for i in range(n):
            # The iteration rises; what falls is rounding, or beyond the last solution.
            if self.right[i] < -1e-6 * self.z[i] - 1e-13 * most:
                return -1
            self.z[i] += self.right[i]
            if self.z[i] < 0.0:
                self.z[i] = 0.0
        self.last_step = largest
        self.last_most = most
        return 1 if linear or largest <= 1e-13 else 0

    def store(self, value, begin, end, logs):
        i: cython.Py_ssize_t = 0
        for i in range(end - begin):
            if logs:
                value[self.n_mono + begin + i] = (
                    log(self.z[i]) + self.scale[i] if self.z[i] > 0.0 else -INFINITY
                )
            else:
                value[self.n_mono + begin + i] = self.z[i]

    # -- downwards -----------------------------------------------------------------------------

    def flow(self, value_array, weight_array, logs, keep, pause):
        """Expected uses downwards, as the kernels do it. Raises NoSolution if they are not finite."""
        value: cython.p_double = doubles(value_array)
        weight: cython.p_double = doubles(weight_array)
        in_logs: cython.bint = logs
        keeping: cython.bint = keep
        run: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        for begin, end in reversed(self.plan.run_slices):
            pause()
            first = begin
            run = end
            while run > first:
                with cython.nogil:
                    run = self.flow_runs(value, weight, first, run, in_logs, keeping)
                if run > first:
                    run -= 1
                    self.flow_large(value_array, weight_array, run, in_logs, keeping)

    def flow_runs(self, value, weight, first, run, logs, keep):
        """Runs and small components from `run` down to `first`, or to the one before which it stops: its
        number plus 1."""
        n: cython.Py_ssize_t = 0
        while run > first:
            run -= 1
            if self.kinds[run] == ACYCLIC:
                downwards(
                    self.start, self.stream, value, weight, self.n_mono, self.edges[run],
                    self.edges[run + 1], 1, logs, False, keep,
                )  # fmt: skip
                continue
            n = self.edges[run + 1] - self.edges[run]
            if not self.gather(value, weight, self.edges[run], self.edges[run + 1], logs):
                continue  # not used
            if n > DENSE or not self.system.eliminate(n, True) or not self.system.positive(n):
                return run + 1
            self.scatter(value, weight, self.edges[run], self.edges[run + 1], logs, keep)
        return first

    def flow_large(self, value_array, weight_array, run, logs, keep):
        """A large component, or one whose expected uses are not finite."""
        value: cython.p_double = doubles(value_array)
        weight: cython.p_double = doubles(weight_array)
        begin: cython.Py_ssize_t = self.edges[run]
        end: cython.Py_ssize_t = self.edges[run + 1]
        if end - begin <= DENSE:
            raise self.no_solution(run)
        self.gather(value, weight, begin, end, logs)
        if not self.solve_transposed(end - begin):
            raise self.no_solution(run)
        self.scatter(value, weight, begin, end, logs, keep)

    def gather(self, value, weight, begin, end, logs):
        """The weights that members get from outside, and as entries the shares that they pass on to each
        other. False if none is used."""
        low: cython.int = self.n_mono + begin
        high: cython.int = self.n_mono + end
        i: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = 0
        f: cython.Py_ssize_t = 0
        after: cython.Py_ssize_t = 0
        x: cython.int = 0
        used: cython.bint = False
        share: cython.double = 0.0
        total: cython.double = 0.0
        for i in range(end - begin):
            self.right[i] = weight[low + i]
            used = used or weight[low + i] != 0.0
        if not used:
            return False
        self.system.clear()
        for i in range(end - begin):
            total = self.share_total(value, begin + i, logs)
            if total == 0.0:
                continue
            at = self.start[begin + i]
            while at < self.start[begin + i + 1]:
                after = path_end(self.stream, at)
                share = 0.0
                for f in range(first_subgoal(self.stream, at), after):
                    x = self.stream[f]
                    if low <= x < high:
                        if share == 0.0:
                            share = self.share_of(value, at, begin + i, logs) / total
                            if share == 0.0:
                                break
                        self.system.add(i, x - low, share)
                at = after
        return True

    def share_of(self, value, at, node, logs):
        """The share of the path at `at` in the value of its node."""
        v: cython.double = path_value(self.stream, at, value, 1, 0, logs)
        if logs:
            return exp(v - value[self.n_mono + node]) if v > -INFINITY else 0.0
        return v / value[self.n_mono + node] if value[self.n_mono + node] > 0.0 else 0.0

    def share_total(self, value, node, logs):
        """The sum of the shares of all paths: 1 up to rounding, 0 for a node of value zero."""
        at: cython.Py_ssize_t = self.start[node]
        total: cython.double = 0.0
        while at < self.start[node + 1]:
            total += self.share_of(value, at, node, logs)
            at = path_end(self.stream, at)
        return total

    def scatter(self, value, weight, begin, end, logs, keep):
        """The weights of the members, which are in `right` now, go on to what is outside the component."""
        low: cython.int = self.n_mono + begin
        high: cython.int = self.n_mono + end
        i: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = 0
        f: cython.Py_ssize_t = 0
        after: cython.Py_ssize_t = 0
        x: cython.int = 0
        t: cython.double = 0.0
        total: cython.double = 0.0
        for i in range(end - begin):
            weight[low + i] = self.right[i] if keep else 0.0
            total = self.share_total(value, begin + i, logs)
            if self.right[i] == 0.0 or total == 0.0:
                continue
            at = self.start[begin + i]
            while at < self.start[begin + i + 1]:
                after = path_end(self.stream, at)
                t = self.right[i] * (self.share_of(value, at, begin + i, logs) / total)
                weight[self.stream[at] >> 2] += t
                for f in range(first_subgoal(self.stream, at), after):
                    x = self.stream[f]
                    if not low <= x < high:
                        weight[x] += t
                at = after

    # -- outside -------------------------------------------------------------------------------

    def outside(self, value_array, out, scratch, logs, pause):
        """Outside values downwards, as outside_values: the derivatives of a root by each node."""
        plan = self.plan
        for run in range(self.n_runs - 1, -1, -1):
            begin, end = int(plan.edges[run]), int(plan.edges[run + 1])
            pause()
            if plan.kinds[run] != ACYCLIC:
                self.outside_component(value_array, out, run, logs)
            outside_values(
                plan.start, plan.stream, value_array, out, scratch, plan.n_mono, begin, end, logs,
                plan.n_mono + begin if plan.kinds[run] != ACYCLIC else 0,
                plan.n_mono + end if plan.kinds[run] != ACYCLIC else 0,
            )  # fmt: skip

    def outside_component(self, value_array, out, run, logs):
        """The outside values of the members: what comes from above, passed on among them."""
        value: cython.p_double = doubles(value_array)
        begin: cython.Py_ssize_t = self.edges[run]
        end: cython.Py_ssize_t = self.edges[run + 1]
        n: cython.Py_ssize_t = end - begin
        i: cython.Py_ssize_t = 0
        in_logs: cython.bint = logs
        first: cython.Py_ssize_t = self.n_mono + begin
        # Scaled by its own value each member is 1, or 0 if it is impossible.
        for i in range(n):
            self.dead[i] = 0
            self.scale[i] = value[first + i] if in_logs and value[first + i] > -INFINITY else 0.0
            self.z[i] = value[first + i]
            if in_logs:
                self.z[i] = 1.0 if value[first + i] > -INFINITY else 0.0
        above = out[first : first + n]
        scale = self.arrays["scale"][:n]
        most = 0.0
        if logs:
            most = float((above + scale).max())
            if most == -math.inf:
                return
            above[:] = np.exp(above + scale - most)
        if not above.any():
            return
        self.linearise(value, begin, end, in_logs)
        self.system.right_array[:n] = above
        if not self.solve_transposed(n):
            # A loop of impossible goals: they pass nothing on.
            for i in range(n):
                self.dead[i] = self.z[i] == 0.0
            self.linearise(value, begin, end, in_logs)
            self.system.right_array[:n] = above
            if not self.solve_transposed(n):
                raise self.no_solution(run)
        solved = np.maximum(self.system.right_array[:n], 0.0)
        if logs:
            solved = logarithms(solved, most) - scale
        out[first : first + n] = solved

    def solve_transposed(self, n):
        """What members pass on to each other; False if it is not finite."""
        return self.system.solve(n, True) and self.system.positive(n)
