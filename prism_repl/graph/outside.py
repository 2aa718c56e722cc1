# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""Outside values: what the rest of an explanation is worth without a node, over the arrays of a Plan."""

import cython

if not cython.compiled:
    from prism_repl.graph.kernels import INFINITY, doubles, exp, first_subgoal, ints, log, path_end


def outside_values(
    start,
    stream,
    value,
    out,
    scratch,
    first: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    logs: cython.bint,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
):
    """Outside values downwards: out[child] gets out[node] times the rest of the path, for each path, but for
    children from `low` to `high`, the members of a component, which have theirs.

    The rest of a path is multiplied out without dividing, so that zeros do no harm. `scratch` has room for
    the longest path. With `logs`, out[n] is a logarithm and sums are taken pairwise."""
    s: cython.p_int = ints(start)
    c: cython.p_int = ints(stream)
    v: cython.p_double = doubles(value)
    o: cython.p_double = doubles(out)
    suffix: cython.p_double = doubles(scratch)
    n: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    a: cython.Py_ssize_t = 0
    child: cython.int = 0
    above: cython.double = 0.0
    t: cython.double = 0.0
    x: cython.double = 0.0
    with cython.nogil:
        for n in range(end - 1, begin - 1, -1):
            above = o[first + n]
            at = s[n]
            while at < s[n + 1]:
                after = path_end(c, at)
                a = first_subgoal(c, at)
                # suffix[i]: the product of the subgoals after the i-th; t: of what comes before it
                t = 0.0 if logs else 1.0
                for i in range(after - a - 1, -1, -1):
                    suffix[i] = t
                    t = t + v[c[a + i]] if logs else t * v[c[a + i]]
                t = above + v[c[at] >> 2] if logs else above * v[c[at] >> 2]
                for i in range(after - a):
                    child = c[a + i]
                    if low <= child < high:
                        t = t + v[child] if logs else t * v[child]
                    elif logs:
                        x = t + suffix[i]
                        t += v[child]
                        if o[child] < x:
                            o[child] = x + log(1.0 + exp(o[child] - x))
                        elif x > -INFINITY:
                            o[child] += log(1.0 + exp(x - o[child]))
                    else:
                        o[child] += t * suffix[i]
                        t *= v[child]
                at = after
