# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Loops over the arrays of a Diagram (diagrams.py), and nothing else.

Node n decides one switch. Its branches lead to child[start[n]] .. child[start[n + 1] - 1]; the first of them
has the weight of number first[n], the others follow. Children have smaller numbers than their parents; node
0 is false, node 1 true. Several parameter sets ("lanes") lie side by side: number n in lane b is at n *
lanes + b.

The GIL is released. A call does the nodes begin .. end, so that interrupts are seen between calls.
"""

import math

import cython

if not cython.compiled:
    from prism_repl.graph.kernels import doubles, ints

    INFINITY = math.inf
    exp = math.exp

    def log(x):
        """Like C's: minus infinity at zero."""
        return math.log(x) if x > 0.0 else -math.inf


def sums_up(first, start, child, weight, value, begin, end, lanes, logs):
    """Probabilities of the nodes: sums over their branches."""
    n: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    w: cython.Py_ssize_t = 0
    total: cython.double = 0.0
    top: cython.double = 0.0
    v: cython.double = 0.0
    for n in range(begin, end):
        for b in range(lanes):
            w = first[n] * lanes + b
            if not logs:
                total = 0.0
                for i in range(start[n], start[n + 1]):
                    total += weight[w] * value[child[i] * lanes + b]
                    w += lanes
                value[n * lanes + b] = total
                continue
            top = -INFINITY
            for i in range(start[n], start[n + 1]):
                v = weight[w] + value[child[i] * lanes + b]
                w += lanes
                if v > top:
                    top = v
            if top > -INFINITY:
                w = first[n] * lanes + b
                total = 0.0
                for i in range(start[n], start[n + 1]):
                    total += exp(weight[w] + value[child[i] * lanes + b] - top)
                    w += lanes
                top += log(total)
            value[n * lanes + b] = top


def maxima_up(first, start, child, weight, value, begin, end, lanes, logs):
    """The value of the best way from each node to true."""
    n: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    w: cython.Py_ssize_t = 0
    top: cython.double = 0.0
    v: cython.double = 0.0
    for n in range(begin, end):
        for b in range(lanes):
            w = first[n] * lanes + b
            top = -INFINITY if logs else 0.0
            for i in range(start[n], start[n + 1]):
                if logs:
                    v = weight[w] + value[child[i] * lanes + b]
                else:
                    v = weight[w] * value[child[i] * lanes + b]
                if v > top:
                    top = v
                w += lanes
            value[n * lanes + b] = top


def sums_down(first, start, child, weight, value, flow, counts, begin, end, lanes, logs):
    """How often each branch is expected to be taken: what comes to a node is shared out among its branches by
    their part in its value. A node of value zero passes nothing on."""
    n: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    w: cython.Py_ssize_t = 0
    c: cython.Py_ssize_t = 0
    share: cython.double = 0.0
    v: cython.double = 0.0
    t: cython.double = 0.0
    for n in range(end - 1, begin - 1, -1):
        for b in range(lanes):
            share = flow[n * lanes + b]
            v = value[n * lanes + b]
            if share == 0.0 or v == (-INFINITY if logs else 0.0):
                continue
            w = first[n] * lanes + b
            if not logs:
                share /= v
            for i in range(start[n], start[n + 1]):
                c = child[i] * lanes + b
                if logs:
                    t = share * exp(weight[w] + value[c] - v)
                else:
                    t = share * weight[w] * value[c]
                counts[w] += t
                flow[c] += t
                w += lanes


def maxima_down(first, start, child, weight, value, flow, counts, begin, end, lanes, logs):
    """How often each branch is taken on the best ways. Among equals the last branch is taken: the one that
    leaves the switch open."""
    n: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    w: cython.Py_ssize_t = 0
    best: cython.Py_ssize_t = 0
    best_child: cython.Py_ssize_t = 0
    v: cython.double = 0.0
    top: cython.double = 0.0
    for n in range(end - 1, begin - 1, -1):
        for b in range(lanes):
            if flow[n * lanes + b] == 0.0:
                continue
            top = value[n * lanes + b]
            if top == (-INFINITY if logs else 0.0):
                continue
            w = first[n] * lanes + b
            best = -1
            for i in range(start[n], start[n + 1]):
                if logs:
                    v = weight[w] + value[child[i] * lanes + b]
                else:
                    v = weight[w] * value[child[i] * lanes + b]
                if v == top:
                    best = w
                    best_child = child[i] * lanes + b
                w += lanes
            if best >= 0:
                counts[best] += flow[n * lanes + b]
                flow[best_child] += flow[n * lanes + b]


# -- what Python calls ------------------------------------------------------------------------------


def up(
    first,
    start,
    child,
    weight,
    value,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    lanes: cython.Py_ssize_t,
    logs: cython.bint,
    best: cython.bint,
):
    """Values of the nodes begin .. end, children first."""
    f: cython.p_int = ints(first)
    s: cython.p_int = ints(start)
    c: cython.p_int = ints(child)
    w: cython.p_double = doubles(weight)
    v: cython.p_double = doubles(value)
    with cython.nogil:
        if best:
            maxima_up(f, s, c, w, v, begin, end, lanes, logs)
        else:
            sums_up(f, s, c, w, v, begin, end, lanes, logs)


def down(
    first,
    start,
    child,
    weight,
    value,
    flow,
    counts,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    lanes: cython.Py_ssize_t,
    logs: cython.bint,
    best: cython.bint,
):
    """Counts of the branches of the nodes begin .. end, parents first; `flow` comes in as zero but for
    roots."""
    f: cython.p_int = ints(first)
    s: cython.p_int = ints(start)
    c: cython.p_int = ints(child)
    w: cython.p_double = doubles(weight)
    v: cython.p_double = doubles(value)
    o: cython.p_double = doubles(flow)
    n: cython.p_double = doubles(counts)
    with cython.nogil:
        if best:
            maxima_down(f, s, c, w, v, o, n, begin, end, lanes, logs)
        else:
            sums_down(f, s, c, w, v, o, n, begin, end, lanes, logs)
