# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Answers of different calls that are the same goal with the same explanations.

The answers of the calls p(_) and p(1) may have the same term, p(1), and different explanations; so each has a
node of its own. Mostly they have the same explanations: then one node is enough, and the graph shows it once.

Nodes with the same term are taken for the same until a path tells them apart, and this is repeated until
nothing changes, since paths consist of nodes: what is left are the nodes that nobody can tell apart.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


def merged(tables):
    """For each node the oldest one that it is the same as, as an array; None if there is none but itself."""
    n: cython.longlong
    older: cython.p_longlong
    changed: cython.bint = True
    found: cython.bint = False
    if tables.same_count == 0:
        return None
    older = new_area(tables.node_count)  # what each node is taken for, or 0
    for n in range(1, tables.node_count):
        older[n] = tables.nodes[n * ND_SIZE + ND_SAME]
    try:
        while changed:
            changed = False
            for n in range(1, tables.node_count):
                while older[n] != 0 and not same_paths(tables, older, n, older[n]):
                    older[n] = tables.nodes[older[n] * ND_SIZE + ND_SAME]
                    changed = True
        import numpy

        same = numpy.arange(tables.node_count, dtype=numpy.int32)
        for n in range(1, tables.node_count):
            if older[n] != 0:
                same[n] = top(older, n)
                found = True
        return same if found else None
    finally:
        free_area(older)


def top(older, n):
    """The oldest node that n is taken for."""
    while older[n] != 0:
        n = older[n]
    return n


def same_paths(tables, older, a, b):
    """Whether two nodes have the same paths, in whatever order, as far as is known."""
    p: cython.longlong = tables.nodes[a * ND_SIZE + ND_FIRST]
    q: cython.longlong = tables.nodes[b * ND_SIZE + ND_FIRST]
    used: set
    if (p == 0) != (q == 0):
        return False
    while p != 0 and q != 0 and same_path(tables, older, p, q):
        p = tables.paths[p * PT_SIZE + PT_NEXT]
        q = tables.paths[q * PT_SIZE + PT_NEXT]
    if p == 0 or q == 0:
        return p == q
    # from here on the order differs, or they do
    first: cython.longlong = q
    used = set()
    while p != 0:
        q = first
        while q != 0 and (q in used or not same_path(tables, older, p, q)):
            q = tables.paths[q * PT_SIZE + PT_NEXT]
        if q == 0:
            return False
        used.add(q)
        p = tables.paths[p * PT_SIZE + PT_NEXT]
    q = first
    while q != 0:
        if q not in used:
            return False
        q = tables.paths[q * PT_SIZE + PT_NEXT]
    return True


def same_path(tables, older, p, q):
    """Whether two paths have the same items, where nodes count as what they are taken for."""
    i: cython.longlong = tables.paths[p * PT_SIZE + PT_START]
    j: cython.longlong = tables.paths[q * PT_SIZE + PT_START]
    end: cython.longlong = tables.path_end(p)
    if end - i != tables.path_end(q) - j:
        return False
    while i < end:
        if tables.items[i] != tables.items[j]:
            if tables.items[i] & 1 or tables.items[j] & 1:
                return False
            if top(older, tables.items[i] >> 1) != top(older, tables.items[j] >> 1):
                return False
        i += 1
        j += 1
    return True
