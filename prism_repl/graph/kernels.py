# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 --param max-completely-peel-times=4
"""Loops over the arrays of a Plan (plan.py), and nothing else.

All of them go over the nodes begin .. end of a part of the graph, upwards (children first) or downwards.
`start` and `stream` hold the paths as stream.write_stream made them; `value` has the values of the monomials,
then those of the nodes, where the own nodes of the part begin at `first`. Several parameter sets ("lanes")
lie side by side: the value of number n in lane b is value[n * lanes + b].

The GIL is released. A call does one slice of the work, so that interrupts are seen between calls.
"""

import math

import cython

if not cython.compiled:
    INFINITY = math.inf
    fabs = math.fabs

    def exp(x):
        """Like C's: infinite where it is too large."""
        return math.exp(x) if x < 709.0 else math.inf

    def log(x):
        """Like C's: minus infinity at zero."""
        return math.log(x) if x > 0.0 else -math.inf


def ints(array):
    if cython.compiled:
        address: cython.size_t = array.__array_interface__["data"][0]
        return cython.cast(cython.p_int, address)
    else:
        return memoryview(array.reshape(-1))  # flat, as the pointer is


def doubles(array):
    if cython.compiled:
        address: cython.size_t = array.__array_interface__["data"][0]
        return cython.cast(cython.p_double, address)
    else:
        return memoryview(array.reshape(-1))  # flat, as the pointer is


# -- the loops --------------------------------------------------------------------------------------


def path_end(stream, at):
    """Where the path after the one at `at` begins."""
    k: cython.int = stream[at] & 3
    if k < 3:
        return at + 1 + k
    return at + 2 + stream[at + 1]


def first_subgoal(stream, at):
    """Where the subgoals of the path at `at` begin."""
    return at + 2 if stream[at] & 3 == 3 else at + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def joined(total: cython.double, v: cython.double, best: cython.bint) -> cython.double:
    """What a node has with one path more: the sum, or the maximum if `best`."""
    if best:
        return v if v > total else total
    return total + v


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def row(values: cython.p_double, n: cython.Py_ssize_t, lanes: cython.Py_ssize_t) -> cython.p_double:
    """Where the numbers of all lanes of number n begin."""
    return values + n * lanes if cython.compiled else values[n * lanes :]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def inside_plain(
    start: cython.p_int,
    stream: cython.p_int,
    value: cython.p_double,
    first: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    lanes: cython.Py_ssize_t,
    best: cython.bint,
) -> cython.void:
    """Node values upwards: sums over paths, or maxima if `best`. Called with constants for `lanes` and
    `best`: the C compiler makes a loop of its own for each."""
    n: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    header: cython.int = 0
    k: cython.int = 0
    if cython.compiled:
        total: cython.double[8]
        v: cython.double[8]
        m: cython.p_double
        x: cython.p_double
        y: cython.p_double
    else:
        total, v = [0.0] * 8, [0.0] * 8
    for n in range(begin, end):
        for b in range(lanes):
            total[b] = 0.0
        at = start[n]
        stop = start[n + 1]
        while at < stop:
            header = stream[at]
            k = header & 3
            m = row(value, header >> 2, lanes)
            if k == 1:
                x = row(value, stream[at + 1], lanes)
                for b in range(lanes):
                    total[b] = joined(total[b], m[b] * x[b], best)
                at += 2
            elif k == 2:
                x = row(value, stream[at + 1], lanes)
                y = row(value, stream[at + 2], lanes)
                for b in range(lanes):
                    total[b] = joined(total[b], m[b] * (x[b] * y[b]), best)
                at += 3
            elif k == 0:
                for b in range(lanes):
                    total[b] = joined(total[b], m[b], best)
                at += 1
            else:
                for b in range(lanes):
                    v[b] = m[b]
                last = at + 2 + stream[at + 1]
                at += 2
                while at < last:
                    x = row(value, stream[at], lanes)
                    for b in range(lanes):
                        v[b] *= x[b]
                    at += 1
                for b in range(lanes):
                    total[b] = joined(total[b], v[b], best)
        x = row(value, first + n, lanes)
        for b in range(lanes):
            x[b] = total[b]


def path_value(stream, at, value, lanes, lane, logs):
    """The value of the path at `at` in a lane, multiplied in the same order as the loops above do."""
    header: cython.int = stream[at]
    k: cython.int = header & 3
    v: cython.double = value[(header >> 2) * lanes + lane]
    i: cython.Py_ssize_t = 0
    if k == 1:
        if logs:
            return v + value[stream[at + 1] * lanes + lane]
        return v * value[stream[at + 1] * lanes + lane]
    if k == 2:
        if logs:
            return v + (value[stream[at + 1] * lanes + lane] + value[stream[at + 2] * lanes + lane])
        return v * (value[stream[at + 1] * lanes + lane] * value[stream[at + 2] * lanes + lane])
    if k == 3:
        for i in range(at + 2, at + 2 + stream[at + 1]):
            if logs:
                v += value[stream[i] * lanes + lane]
            else:
                v *= value[stream[i] * lanes + lane]
    return v


def tie_bound(best, logs):
    """Path values from here up count as best: exact ties often differ in the last bits."""
    # Values that differ by less than this (relative) differ by rounding only.
    bound: cython.double = 1e-12
    if logs:
        if best == -INFINITY:
            return best
        return best - bound * (1.0 - best if best < 0.0 else 1.0 + best)
    return best * (1.0 - bound)


def greatest_log(stream, begin, end, value, lanes, lane):
    """The greatest of the logarithms of the paths from begin to end."""
    at: cython.Py_ssize_t = begin
    top: cython.double = -INFINITY
    v: cython.double = 0.0
    while at < end:
        v = path_value(stream, at, value, lanes, lane, True)
        if v > top:
            top = v
        at = path_end(stream, at)
    return top


def sum_of_shares(stream, begin, end, value, lanes, lane, whole):
    """The sum of the paths from begin to end, relative to a number whose logarithm is `whole`; 1 for a single
    path, which is the whole."""
    at: cython.Py_ssize_t = begin
    total: cython.double = 0.0
    if path_end(stream, begin) >= end:
        return 1.0
    while at < end:
        total += exp(path_value(stream, at, value, lanes, lane, True) - whole)
        at = path_end(stream, at)
    return total


def inside_logs(start, stream, value, first, begin, end, lanes, best):
    """Logarithms of the node values upwards, for any number of lanes."""
    n: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    v: cython.double = 0.0
    for n in range(begin, end):
        for b in range(lanes):
            v = greatest_log(stream, start[n], start[n + 1], value, lanes, b)
            if not best and v > -INFINITY:
                v += log(sum_of_shares(stream, start[n], start[n + 1], value, lanes, b, v))
            value[(first + n) * lanes + b] = v


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_to_path(
    stream: cython.p_int,
    at: cython.Py_ssize_t,
    after: cython.Py_ssize_t,
    weight: cython.p_double,
    t: cython.p_double,
    lanes: cython.Py_ssize_t,
) -> cython.void:
    """Adds a number for each lane to the weights of the monomial and the subgoals of the path from `at` to
    `after`."""
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    x: cython.p_double = row(weight, stream[at] >> 2, lanes)
    for b in range(lanes):
        x[b] += t[b]
    for i in range(first_subgoal(stream, at), after):
        x = row(weight, stream[i], lanes)
        for b in range(lanes):
            x[b] += t[b]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def flow_plain(
    start: cython.p_int,
    stream: cython.p_int,
    value: cython.p_double,
    weight: cython.p_double,
    first: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    lanes: cython.Py_ssize_t,
    keep: cython.bint,
) -> cython.void:
    """Expected uses downwards: the weight of a node is shared out among its paths by their values, and goes
    on to the path's monomial and subgoals. Called with a constant for `lanes`, as inside_plain."""
    n: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    header: cython.int = 0
    k: cython.int = 0
    if cython.compiled:
        share: cython.double[8]
        t: cython.double[8]
        m: cython.p_double
        x: cython.p_double
        y: cython.p_double
    else:
        share, t = [0.0] * 8, [0.0] * 8
    for n in range(end - 1, begin - 1, -1):
        x = row(weight, first + n, lanes)
        if lanes == 1 and x[0] == 0.0:
            continue
        at = start[n]
        stop = start[n + 1]
        if path_end(stream, at) == stop:  # the only path gets all
            for b in range(lanes):
                t[b] = x[b]
            if not keep:
                for b in range(lanes):
                    x[b] = 0.0
            add_to_path(stream, at, stop, weight, t, lanes)
            continue
        # An idle lane or an unused node has weight 0, and perhaps value 0. Below a goal that is impossible
        # nothing is used, which its caller will see.
        y = row(value, first + n, lanes)
        for b in range(lanes):
            t[b] = y[b] if y[b] != 0.0 else 1.0
        for b in range(lanes):
            share[b] = x[b] / t[b]
        if not keep:
            for b in range(lanes):
                x[b] = 0.0
        while at < stop:
            header = stream[at]
            k = header & 3
            m = row(value, header >> 2, lanes)
            if k == 1:
                x = row(value, stream[at + 1], lanes)
                y = row(weight, stream[at + 1], lanes)
                for b in range(lanes):
                    t[b] = share[b] * m[b] * x[b]
                for b in range(lanes):
                    y[b] += t[b]
                at += 2
            elif k == 2:
                x = row(value, stream[at + 1], lanes)
                y = row(value, stream[at + 2], lanes)
                for b in range(lanes):
                    t[b] = share[b] * m[b] * (x[b] * y[b])
                x = row(weight, stream[at + 1], lanes)
                for b in range(lanes):
                    x[b] += t[b]
                y = row(weight, stream[at + 2], lanes)
                for b in range(lanes):
                    y[b] += t[b]
                at += 3
            elif k == 0:
                for b in range(lanes):
                    t[b] = share[b] * m[b]
                at += 1
            else:
                for b in range(lanes):
                    t[b] = share[b] * m[b]
                last = at + 2 + stream[at + 1]
                for i in range(at + 2, last):
                    x = row(value, stream[i], lanes)
                    for b in range(lanes):
                        t[b] *= x[b]
                for i in range(at + 2, last):
                    x = row(weight, stream[i], lanes)
                    for b in range(lanes):
                        x[b] += t[b]
                at = last
            x = row(weight, header >> 2, lanes)
            for b in range(lanes):
                x[b] += t[b]


def flow_logs(start, stream, value, weight, first, begin, end, lanes, keep):
    """Expected uses downwards where `value` has logarithms; weights are plain numbers."""
    n: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    w: cython.double = 0.0
    t: cython.double = 0.0
    here: cython.double = 0.0
    total: cython.double = 0.0
    for n in range(end - 1, begin - 1, -1):
        for b in range(lanes):
            w = weight[(first + n) * lanes + b]
            if w == 0.0:
                continue
            if not keep:
                weight[(first + n) * lanes + b] = 0.0
            here = value[(first + n) * lanes + b]
            # The shares are made to add up to 1: rounding in large logarithms would grow with depth.
            total = sum_of_shares(stream, start[n], start[n + 1], value, lanes, b, here)
            at = start[n]
            while at < start[n + 1]:
                after = path_end(stream, at)
                t = w
                if after < start[n + 1] or at > start[n]:
                    t = w * exp(path_value(stream, at, value, lanes, b, True) - here) / total
                weight[(stream[at] >> 2) * lanes + b] += t
                for i in range(first_subgoal(stream, at), after):
                    weight[stream[i] * lanes + b] += t
                at = after


def walk_one(start, stream, value, weight, first, begin, end, lanes, lane, keep, logs):
    """Uses in the best explanations downwards: the whole weight of a node goes to its best path, the first
    in the stream among equals."""
    n: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    w: cython.double = 0.0
    bound: cython.double = 0.0
    for n in range(end - 1, begin - 1, -1):
        w = weight[(first + n) * lanes + lane]
        if w == 0.0:
            continue
        if not keep:
            weight[(first + n) * lanes + lane] = 0.0
        bound = tie_bound(value[(first + n) * lanes + lane], logs)
        at = start[n]
        after = path_end(stream, at)
        # If it was none of the others, it is the last.
        while after < start[n + 1] and path_value(stream, at, value, lanes, lane, logs) < bound:
            at = after
            after = path_end(stream, at)
        weight[(stream[at] >> 2) * lanes + lane] += w
        for i in range(first_subgoal(stream, at), after):
            weight[stream[i] * lanes + lane] += w


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def any_of_eight(x: cython.p_double) -> cython.bint:
    """Whether one of eight weights is not zero; none is negative, so the bits tell."""
    if cython.compiled:
        bits: cython.p_longlong = cython.cast(cython.p_longlong, x)
        return ((bits[0] | bits[1]) | (bits[2] | bits[3]) | ((bits[4] | bits[5]) | (bits[6] | bits[7]))) != 0
    else:
        return any(x)


def walk_eight(start, stream, value, weight, first, begin, end):
    """Uses in the best explanations downwards, for eight parameter sets."""
    n: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    o: cython.Py_ssize_t = 0
    header: cython.int = 0
    k: cython.int = 0
    if cython.compiled:
        left: cython.double[8]
        bound: cython.double[8]
        t: cython.double[8]
        m: cython.p_double
        x: cython.p_double
        y: cython.p_double
    else:
        left, bound, t = [0.0] * 8, [0.0] * 8, [0.0] * 8
    for n in range(end - 1, begin - 1, -1):
        o = 8 * (first + n)
        for b in range(8):
            left[b] = weight[o + b]
        if not any_of_eight(left):
            continue
        for b in range(8):
            weight[o + b] = 0.0
        at = start[n]
        stop = start[n + 1]
        after = path_end(stream, at)
        if after < stop:
            for b in range(8):
                bound[b] = tie_bound(value[o + b], False)
        while True:
            if after == stop:  # in whatever lanes are left, it is the last
                add_to_path(stream, at, after, weight, left, 8)
                break
            header = stream[at]
            k = header & 3
            m = row(value, header >> 2, 8)
            if k == 1:
                x = row(value, stream[at + 1], 8)
                for b in range(8):
                    t[b] = left[b] if m[b] * x[b] >= bound[b] else 0.0
            elif k == 2:
                x = row(value, stream[at + 1], 8)
                y = row(value, stream[at + 2], 8)
                for b in range(8):
                    t[b] = left[b] if m[b] * (x[b] * y[b]) >= bound[b] else 0.0
            else:
                for b in range(8):
                    t[b] = m[b]
                for i in range(at + 2, after):  # nothing, if the monomial is all
                    x = row(value, stream[i], 8)
                    for b in range(8):
                        t[b] *= x[b]
                for b in range(8):
                    t[b] = left[b] if t[b] >= bound[b] else 0.0
            if any_of_eight(t):  # the best path in some lane
                add_to_path(stream, at, after, weight, t, 8)
                for b in range(8):
                    left[b] -= t[b]
                if not any_of_eight(left):
                    break
            at = after
            after = path_end(stream, at)


def upwards(start, stream, value, first, begin, end, lanes, logs, best):
    """Values of the nodes begin .. end; `best` takes maxima instead of sums."""
    if logs:
        inside_logs(start, stream, value, first, begin, end, lanes, best)
    elif lanes == 1:
        if best:
            inside_plain(start, stream, value, first, begin, end, 1, True)
        else:
            inside_plain(start, stream, value, first, begin, end, 1, False)
    elif best:
        inside_plain(start, stream, value, first, begin, end, 8, True)
    else:
        inside_plain(start, stream, value, first, begin, end, 8, False)


def downwards(start, stream, value, weight, first, begin, end, lanes, logs, best, keep):
    """Weights of monomials and nodes, how often they are used: expected, or in the best explanations.

    The weights come in as zero but for the roots; those of the nodes begin .. end are zero again afterwards,
    unless `keep` (which needs one lane or logarithms)."""
    lane: cython.Py_ssize_t = 0
    if best and (logs or lanes == 1):
        for lane in range(lanes):
            walk_one(start, stream, value, weight, first, begin, end, lanes, lane, keep, logs)
    elif best:
        walk_eight(start, stream, value, weight, first, begin, end)
    elif logs:
        flow_logs(start, stream, value, weight, first, begin, end, lanes, keep)
    elif lanes == 1:
        flow_plain(start, stream, value, weight, first, begin, end, 1, keep)
    else:
        flow_plain(start, stream, value, weight, first, begin, end, 8, False)


# -- what Python calls: arrays in, arrays filled ----------------------------------------------------


def inside(
    start,
    stream,
    value,
    first: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    lanes: cython.Py_ssize_t,
    logs: cython.bint,
    best: cython.bint,
):
    """One slice upwards."""
    s: cython.p_int = ints(start)
    c: cython.p_int = ints(stream)
    v: cython.p_double = doubles(value)
    with cython.nogil:
        upwards(s, c, v, first, begin, end, lanes, logs, best)


def flow(
    start,
    stream,
    value,
    weight,
    first: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    lanes: cython.Py_ssize_t,
    logs: cython.bint,
    best: cython.bint,
    keep: cython.bint,
):
    """One slice downwards."""
    s: cython.p_int = ints(start)
    c: cython.p_int = ints(stream)
    v: cython.p_double = doubles(value)
    w: cython.p_double = doubles(weight)
    with cython.nogil:
        downwards(s, c, v, w, first, begin, end, lanes, logs, best, keep)


def sweep(
    start,
    stream,
    value,
    weight,
    first: cython.Py_ssize_t,
    block_nodes,
    block_goals,
    goals,
    goal_rows,
    goal_values,
    goal_weights,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    lanes: cython.Py_ssize_t,
    logs: cython.bint,
    best: cython.bint,
    up: cython.bint,
    down: cython.bint,
):
    """The blocks begin .. end one after the other: upwards, downwards, or both while the numbers are at hand.
    The nodes of a block have the numbers from `first` on, the next block takes the same.

    Values of the goals are stored in goal_values, and weights are taken from goal_weights: of goals[i] in
    row goal_rows[i], for i from block_goals[b] to block_goals[b + 1]."""
    s: cython.p_int = ints(start)
    c: cython.p_int = ints(stream)
    v: cython.p_double = doubles(value)
    w: cython.p_double = doubles(weight)
    nodes: cython.p_int = ints(block_nodes)
    owned: cython.p_int = ints(block_goals)
    number: cython.p_int = ints(goals)
    row: cython.p_int = ints(goal_rows)
    result: cython.p_double = doubles(goal_values)
    given: cython.p_double = doubles(goal_weights)
    block: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    with cython.nogil:
        for block in range(begin, end):
            at = first - nodes[block]
            if up:
                upwards(s, c, v, at, nodes[block], nodes[block + 1], lanes, logs, best)
                for i in range(owned[block], owned[block + 1]):
                    for b in range(lanes):
                        result[number[i] * lanes + b] = v[row[i] * lanes + b]
            if down:
                for i in range(owned[block], owned[block + 1]):
                    for b in range(lanes):
                        w[row[i] * lanes + b] += given[number[i] * lanes + b]
                downwards(s, c, v, w, at, nodes[block], nodes[block + 1], lanes, logs, best, False)
