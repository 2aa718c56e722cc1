# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3
"""Sums and products over the parameters of a graph, its monomials and its goals, for each lane.

Several parameter sets ("lanes") lie side by side as in kernels.py: the value of number n in lane b is
values[n * lanes + b]. Sums have a fixed order: a lane has the same bits however many there are.
"""

import cython

if not cython.compiled:
    from prism_repl.graph.kernels import INFINITY, doubles, fabs, ints, log


def collect(totals, part, n: cython.Py_ssize_t):
    """Adds the first n numbers of `part` to `totals` and makes them zero."""
    t: cython.p_double = doubles(totals)
    p: cython.p_double = doubles(part)
    i: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(n):
            t[i] += p[i]
            p[i] = 0.0


def products(mono_start, mono_members, theta, mono, lanes: cython.Py_ssize_t, logs: cython.bint):
    """mono[m] = the product (sum, if logarithms) of the parameters of monomial m."""
    s: cython.p_int = ints(mono_start)
    c: cython.p_int = ints(mono_members)
    p: cython.p_double = doubles(theta)
    v: cython.p_double = doubles(mono)
    n: cython.Py_ssize_t = len(mono_start) - 1
    m: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    x: cython.double = 0.0
    with cython.nogil:
        for m in range(n):
            for b in range(lanes):
                x = 0.0 if logs else 1.0
                for i in range(s[m], s[m + 1]):
                    if logs:
                        x += p[c[i] * lanes + b]
                    else:
                        x *= p[c[i] * lanes + b]
                v[m * lanes + b] = x


def spread(mono_start, mono_members, count, totals, lanes: cython.Py_ssize_t):
    """totals[instance] += count[m] for each instance in monomial m."""
    s: cython.p_int = ints(mono_start)
    c: cython.p_int = ints(mono_members)
    n: cython.p_double = doubles(count)
    t: cython.p_double = doubles(totals)
    size: cython.Py_ssize_t = len(mono_start) - 1
    m: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    with cython.nogil:
        for m in range(size):
            for i in range(s[m], s[m + 1]):
                for b in range(lanes):
                    t[c[i] * lanes + b] += n[m * lanes + b]


def weighted_sums(weights, values, totals, lanes: cython.Py_ssize_t):
    """totals[lane] = the sum of weights[i] * values[i, lane] over the weights that are not zero.

    Neumaier's sum, one number after the other: a lane has the same bits however many there are, which numpy's
    sums and products do not promise."""
    w: cython.p_double = doubles(weights)
    v: cython.p_double = doubles(values)
    t: cython.p_double = doubles(totals)
    size: cython.Py_ssize_t = len(weights)
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    total: cython.double = 0.0
    lost: cython.double = 0.0
    x: cython.double = 0.0
    y: cython.double = 0.0
    with cython.nogil:
        for b in range(lanes):
            total = 0.0
            lost = 0.0
            for i in range(size):
                if w[i] == 0.0:
                    continue
                x = w[i] * v[i * lanes + b]
                y = total + x
                lost += (total - y) + x if fabs(total) >= fabs(x) else (x - y) + total
                total = y
            # An infinite sum has lost everything, or nothing.
            t[b] = total + lost if fabs(total) < INFINITY else total


def log_likelihood(
    counts,
    values,
    totals,
    weak,
    lanes: cython.Py_ssize_t,
    logs: cython.bint,
    least: cython.double,
):
    """totals[lane] = the sum of counts[g, lane] * log values[g, lane], where `values` are logarithms already
    if `logs`; weak[lane] = the first goal whose value is below `least` (or not a number), or -1. A goal with
    a count of zero does not count. Summed as by weighted_sums."""
    n: cython.p_double = doubles(counts)
    v: cython.p_double = doubles(values)
    t: cython.p_double = doubles(totals)
    w: cython.p_int = ints(weak)
    size: cython.Py_ssize_t = len(counts)
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    total: cython.double = 0.0
    lost: cython.double = 0.0
    product: cython.double = 1.0
    count: cython.double = 0.0
    x: cython.double = 0.0
    y: cython.double = 0.0
    with cython.nogil:
        for b in range(lanes):
            total = 0.0
            lost = 0.0
            product = 1.0
            w[b] = -1
            for i in range(size):
                count = n[i * lanes + b]
                if count == 0.0:
                    continue
                x = v[i * lanes + b]
                if not x >= least and w[b] < 0:
                    w[b] = i
                if logs:
                    x = count * x
                elif count == 1.0 and 1e-100 <= x <= 1.0:
                    # One logarithm for as many goals as their product holds.
                    product *= x
                    if product > 1e-200:
                        continue
                    x = log(product)
                    product = 1.0
                else:
                    x = count * log(x)
                y = total + x
                lost += (total - y) + x if fabs(total) >= fabs(x) else (x - y) + total
                total = y
            lost += log(product)
            t[b] = total + lost if fabs(total) < INFINITY else total


def segment_sums(starts, values, totals, lanes: cython.Py_ssize_t):
    """totals[s, lane] = the sum of values[i, lane] from starts[s] to starts[s + 1], in their order."""
    s: cython.p_int = ints(starts)
    v: cython.p_double = doubles(values)
    t: cython.p_double = doubles(totals)
    size: cython.Py_ssize_t = len(starts) - 1
    n: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    with cython.nogil:
        for n in range(size):
            for b in range(lanes):
                t[n * lanes + b] = 0.0
            for i in range(s[n], s[n + 1]):
                for b in range(lanes):
                    t[n * lanes + b] += v[i * lanes + b]
