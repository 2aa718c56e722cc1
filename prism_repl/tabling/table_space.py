# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -flto
"""The table space of one search of many goals, kept small.

Most tables of a search are of no more use when its goal is done: calls that failed, and answers that are
part of no explanation. Between two goals, when enough has gathered, a sweep drops what was made since the
last one except the nodes below the goals, the tables that are complete with those nodes, tables that more
than one goal called, and the stored terms of all these; what remains moves together and is never looked at
again. So the memory is that of the explanation graph, and the tables of the running goal stay in the cache
of the processor.

A node may stay while its table goes: it is settled, and its owner is then the key of the call. If the goal is
called again, the new table finds the node by its term and by that key; the node keeps the paths that it has.
"""

import cython

from prism_repl.core.errors import PrologError

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *
    from prism_repl.core.instructions import *

YOUNG_WORDS = 1 << 15  # words of tables and stored terms after which a sweep is tried
YOUNG_LIMIT = 1 << 18  # and at most, where sweeps are in vain
WORTH = 2  # things are moved if less than one of so many stays


def begin(tabling):
    """A search of several goals begins: what is there stays."""
    tabling.tables.young_epoch = tabling.tables.epoch
    tabling.tables.young_limit = YOUNG_WORDS
    tabling.store.begin_log(1 << 10)
    tenure(tabling)
    return 0


def end(tabling):
    """The search is over, in whatever way."""
    tabling.store.begin_log(0)
    tabling.tables.young_epoch = 0
    tabling.tables.young_node = 0
    return 0


def tenure(tabling):
    """Everything that is there now stays for the rest of the search."""
    tabling.tables.young_table = tabling.tables.table_count
    tabling.tables.young_answer = tabling.tables.answer_count
    tabling.tables.young_node = tabling.tables.node_count
    tabling.tables.young_path = tabling.tables.path_count
    tabling.tables.young_item = tabling.tables.item_count
    tabling.shortcuts.tenure()
    tabling.program.notes_top = 0
    tabling.store.age_young()
    return 0


def full(tabling):
    """Whether a sweep is due."""
    return (
        tabling.tables.young_epoch == tabling.tables.epoch
        and young_words(tabling) > tabling.tables.young_limit
    )


def young_words(tabling):
    """How much was made since the last sweep; terms may have been there already."""
    return (
        8 * (tabling.tables.table_count - tabling.tables.young_table)
        + tabling.store.top
        - tabling.store.young
    )


class Scratch:
    """What a sweep needs, all of it before anything moves: a sweep that has begun is not broken off."""

    def __init__(self, tabling):
        tables = tabling.tables
        self.alive = new_items(tables.node_count - tables.young_node + 1)
        self.stack = new_area(tables.node_count - tables.young_node + 1)  # each node is pushed once
        self.kept = new_items(tables.table_count - tables.young_table + 1)
        self.keys = new_items(tables.table_count - tables.young_table + 1)
        self.moved = new_items(tabling.store.top - tabling.store.young + 1)
        self.answers = new_items((tables.answer_count - tables.young_answer + 1) * AN_SIZE)
        self.paths = new_items(PT_SIZE * (tables.path_count - tables.young_path + 1))
        self.items = new_items(tables.item_count - tables.young_item + 1)

    def __dealloc__(self):
        if cython.compiled:
            free_items(self.alive)
            free_area(self.stack)
            free_items(self.kept)
            free_items(self.keys)
            free_items(self.moved)
            free_items(self.answers)
            free_items(self.paths)
            free_items(self.items)


def sweep(tabling, items):
    """Drop what is young and of no use to a goal whose graph begins with one of the items (node << 1, or
    a switch instance << 1 | 1). Returns the items with the nodes' new numbers."""
    if tabling.tables.young_epoch != tabling.tables.epoch or tabling.branches.running_top != 0:
        return items
    n_nodes: cython.longlong = tabling.tables.node_count - tabling.tables.young_node
    n_tables: cython.longlong = tabling.tables.table_count - tabling.tables.young_table
    i: cython.longlong
    stay: cython.longlong = 0
    try:
        scratch = Scratch(tabling)
    except PrologError:  # without memory nothing is swept
        return items
    alive: cython.p_int = scratch.alive
    kept: cython.p_int = scratch.kept
    mark_nodes(tabling, scratch, items)
    mark_tables(tabling, alive, kept)
    for i in range(n_nodes):
        if alive[i] != 0:
            stay += 1
    for i in range(n_tables):
        if kept[i] != 0:
            stay += 1
    if WORTH * stay > n_nodes + n_tables:
        # most of it is needed: not worth moving, and the next sweep may wait longer
        tabling.tables.young_limit = 2 * young_words(tabling)
        if tabling.tables.young_limit > YOUNG_LIMIT:
            tabling.tables.young_limit = YOUNG_LIMIT
        tenure(tabling)
        return items
    tabling.tables.young_limit = YOUNG_WORDS
    tabling.shortcuts.forget_calls()
    # new numbers, from 1 up relative to where the young begin
    stay = 0
    for i in range(n_nodes):
        if alive[i] != 0:
            stay += 1
            alive[i] = stay
    stay = 0
    for i in range(n_tables):
        if kept[i] != 0:
            stay += 1
            kept[i] = stay
    moved: cython.p_int = scratch.moved
    set_words(tabling, alive, kept)
    mark_terms(tabling, alive, kept, moved)
    move_terms(tabling, moved)
    for i in range(n_tables):
        scratch.keys[i] = tabling.tables.records[(tabling.tables.young_table + i) * TB_SIZE + TB_KEY]
    move_tables(tabling, scratch)
    move_nodes(tabling, scratch)
    tabling.shortcuts.terms_moved(moved)
    renumbered = []
    for item in items:
        i = item
        if i & 1 == 0 and i >> 1 >= tabling.tables.young_node:
            i = (tabling.tables.young_node + alive[(i >> 1) - tabling.tables.young_node] - 1) << 1
        renumbered.append(i)
    tenure(tabling)
    return renumbered


def drop_young(tabling):
    """Between two goals: drop all that was made since the last sweep, whoever may call it again."""
    i: cython.longlong
    for i in range(tabling.tables.young_table, tabling.tables.table_count):
        tabling.tables.records[i * TB_SIZE + TB_GOAL] = 1
    sweep(tabling, [])
    return 0


# ---- what stays


def mark_nodes(tabling, scratch, items):
    """Nodes below the items, and below the answers of tables that several goals called."""
    y: cython.longlong = tabling.tables.young_node
    n: cython.longlong = tabling.tables.node_count - y
    i: cython.longlong
    k: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    path: cython.longlong
    top: cython.longlong = 0
    alive: cython.p_int = scratch.alive
    stack: cython.p_longlong = scratch.stack
    for i in range(n):
        alive[i] = 0
    for item in items:
        i = item
        if i & 1 == 0 and i >> 1 >= y and alive[(i >> 1) - y] == 0:
            alive[(i >> 1) - y] = 1
            stack[top] = i >> 1
            top += 1
    for i in range(tabling.tables.young_table, tabling.tables.table_count):
        q = i * TB_SIZE
        if tabling.tables.records[q + TB_GOAL] == 0 and tabling.tables.records[q + TB_STATUS] == TS_COMPLETE:
            a = tabling.tables.records[q + TB_FIRST]
            while a != 0:
                node = tabling.tables.answers[a * AN_SIZE + AN_NODE]
                if node >= y and alive[node - y] == 0:
                    alive[node - y] = 1
                    stack[top] = node
                    top += 1
                a = tabling.tables.answers[a * AN_SIZE + AN_NEXT]
    while top > 0:
        top -= 1
        path = tabling.tables.nodes[stack[top] * ND_SIZE + ND_FIRST]
        while path != 0:
            k = tabling.tables.paths[path * PT_SIZE + PT_START]
            for i in range(k, tabling.tables.path_end(path)):
                node = tabling.tables.items[i]
                if node & 1 == 0:
                    node >>= 1
                    if node >= y and alive[node - y] == 0:
                        alive[node - y] = 1
                        stack[top] = node
                        top += 1
            path = tabling.tables.paths[path * PT_SIZE + PT_NEXT]
    return 0


def mark_tables(tabling, alive, kept):
    """Tables all of whose answers stay. A table without answers stays if several goals called it."""
    y: cython.longlong = tabling.tables.young_table
    i: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    keep: cython.bint
    for i in range(y, tabling.tables.table_count):
        q = i * TB_SIZE
        keep = tabling.tables.records[q + TB_STATUS] == TS_COMPLETE
        keep = keep and (
            tabling.tables.records[q + TB_GOAL] == 0 or tabling.tables.records[q + TB_FIRST] != 0
        )
        a = tabling.tables.records[q + TB_FIRST]
        while keep and a != 0:
            node = tabling.tables.answers[a * AN_SIZE + AN_NODE]
            keep = node < tabling.tables.young_node or alive[node - tabling.tables.young_node] != 0
            a = tabling.tables.answers[a * AN_SIZE + AN_NEXT]
        kept[i - y] = 1 if keep else 0
    return 0


def set_words(tabling, alive, kept):
    """Terms lead to the new numbers of their nodes and tables, or to none."""
    i: cython.longlong
    n: cython.longlong
    word: cython.longlong
    pred: cython.longlong
    for i in range(
        tabling.tables.young_node, tabling.tables.node_count
    ):  # the young nodes leave the chains of their terms
        word = tabling.tables.nodes[i * ND_SIZE + ND_TERM]
        if word >= 0:
            n = tabling.store.cells[word - 3]
            while n >= tabling.tables.young_node:
                n = tabling.tables.nodes[n * ND_SIZE + ND_SAME]
            tabling.store.cells[word - 3] = n
    for i in range(
        tabling.tables.young_node, tabling.tables.node_count
    ):  # and come back, as far as they stay
        word = tabling.tables.nodes[i * ND_SIZE + ND_TERM]
        n = alive[i - tabling.tables.young_node]
        if word >= 0 and n != 0:
            tabling.tables.nodes[i * ND_SIZE + ND_SAME] = tabling.store.cells[word - 3]
            tabling.store.cells[word - 3] = tabling.tables.young_node + n - 1
    for i in range(tabling.tables.young_table, tabling.tables.table_count):
        word = tabling.tables.records[i * TB_SIZE + TB_KEY]
        pred = tabling.tables.records[i * TB_SIZE + TB_PRED] * PSIZE + P_TABLE
        if (tabling.store.cells[word - 2] if word >= 0 else tabling.program.preds[pred]) != i:
            continue  # another one is in its place
        n = kept[i - tabling.tables.young_table]
        if n != 0:
            n = tabling.tables.young_table + n - 1
        if word >= 0:
            tabling.store.cells[word - 2] = n
        else:
            tabling.program.preds[pred] = n
    return 0


def mark_terms(tabling, alive, kept, moved):
    """moved[address - store.young] = 1 for the young terms that stay: of nodes, tables and switches."""
    y: cython.longlong = tabling.store.young
    i: cython.longlong
    k: cython.longlong
    c: cython.longlong
    n: cython.longlong
    word: cython.longlong
    for i in range(tabling.store.top - y):
        moved[i] = 0
    for i in range(tabling.tables.young_node, tabling.tables.node_count):
        word = tabling.tables.nodes[i * ND_SIZE + ND_TERM]
        if alive[i - tabling.tables.young_node] == 0:
            continue
        if word >= y:
            moved[word - y] = 1
        n = tabling.tables.nodes[i * ND_SIZE + ND_OWNER]
        if n >= tabling.tables.young_table and kept[n - tabling.tables.young_table] == 0:
            word = tabling.tables.records[n * TB_SIZE + TB_KEY]
            if word >= y:
                moved[word - y] = 1
    for i in range(tabling.tables.young_table, tabling.tables.table_count):
        word = tabling.tables.records[i * TB_SIZE + TB_KEY]
        if kept[i - tabling.tables.young_table] != 0 and word >= y:
            moved[word - y] = 1
    for i in range(tabling.outcomes.top):
        c = tabling.outcomes.cells[i]
        if c & 7 >= BOX and address(c) >= y:
            moved[address(c) - y] = 1
    for name in tabling.outcomes.odd:
        c = name
        if c & 7 >= BOX and address(c) >= y:
            moved[address(c) - y] = 1
    for i in range(tabling.program.notes_top):
        c = tabling.program.code[tabling.program.notes[i]]
        if address(c) >= y:
            moved[address(c) - y] = 1
    tabling.shortcuts.mark_terms(moved)
    # subterms have lower addresses than the terms that contain them
    for k in range(tabling.store.log_top - 1, -1, -1):
        c = tabling.store.log[k]
        if c & 7 == BOX:
            continue
        i = c >> 3
        if moved[i - y] == 0:
            if c & 7 == GLS or tabling.outcomes.known(tabling.store.cells[i - 4], c) == 0:
                continue
            moved[i - y] = 1  # the name of a switch
        n = tabling.store.words_of(c)
        for i in range(c >> 3, (c >> 3) + n):
            word = tabling.store.cells[i]
            if word & 7 >= BOX and address(word) >= y:
                moved[address(word) - y] = 1
    return 0


# ---- moving together


def address(c):
    """Where the words of a stored term are."""
    return c >> 4 if c & 7 == BOX else c >> 3


def aux_words(c):
    """How many words a stored term has before its address."""
    if c & 7 == GST:
        return 4
    return 1 if c & 7 == GLS else 0


def forward(tabling, moved, c):
    """The new cell of a stored term, which stays."""
    y: cython.longlong = tabling.store.young
    if c & 7 < BOX or address(c) < y:
        return c
    if c & 7 == BOX:
        c = y + moved[(c >> 4) - y]
        return (c << 1 | 1) << 3 | BOX
    return (y + moved[(c >> 3) - y]) << 3 | (c & 7)


def forward_word(tabling, moved, word):
    """The same for an address in 32 bits, of a call or an answer."""
    if word < tabling.store.young:
        return word
    return tabling.store.young + moved[word - tabling.store.young]


def move_terms(tabling, moved):
    """The terms that stay, in the order of their addresses, so that subterms have moved before."""
    y: cython.longlong = tabling.store.young
    top: cython.longlong = y
    k: cython.longlong
    i: cython.longlong
    c: cython.longlong
    n: cython.longlong
    at: cython.longlong
    aux: cython.longlong
    for k in range(tabling.store.log_top):
        c = tabling.store.log[k]
        at = address(c)
        if moved[at - y] == 0:
            continue
        aux = aux_words(c)
        n = tabling.store.words_of(c)
        for i in range(aux):
            tabling.store.cells[top + i] = tabling.store.cells[at - aux + i]
        top += aux
        for i in range(n):
            tabling.store.cells[top + i] = (
                tabling.store.cells[at + i]
                if c & 7 == BOX
                else forward(tabling, moved, tabling.store.cells[at + i])
            )
        moved[at - y] = top - y
        c = forward(tabling, moved, c)
        tabling.store.insert(c, tabling.store.hash_words(c & 7, top, n))
        top += n
    tabling.store.top = top
    tabling.store.log_top = 0
    for i in range(tabling.outcomes.top):
        tabling.outcomes.cells[i] = forward(tabling, moved, tabling.outcomes.cells[i])
    for i in range(tabling.outcomes.floor, tabling.outcomes.count):
        tabling.outcomes.names[i] = forward(tabling, moved, tabling.outcomes.names[i])
    for i in range(tabling.program.notes_top):
        tabling.program.code[tabling.program.notes[i]] = forward(
            tabling, moved, tabling.program.code[tabling.program.notes[i]]
        )
    switches = tabling.outcomes.odd
    tabling.outcomes.odd = {forward(tabling, moved, name): number for name, number in switches.items()}
    return 0


def move_tables(tabling, scratch):
    """Tables that stay, and their answers."""
    y: cython.longlong = tabling.tables.young_table
    to: cython.longlong = y
    top: cython.longlong = 0
    i: cython.longlong
    j: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    alive: cython.p_int = scratch.alive
    kept: cython.p_int = scratch.kept
    moved: cython.p_int = scratch.moved
    answers: cython.p_int = scratch.answers
    for i in range(y, tabling.tables.table_count):
        if kept[i - y] == 0:
            settle_answers(tabling, i, ~tabling.tables.records[i * TB_SIZE + TB_KEY])
            continue
        settle_answers(tabling, i, to)
        q = to * TB_SIZE
        for j in range(TB_SIZE):
            tabling.tables.records[q + j] = tabling.tables.records[i * TB_SIZE + j]
        tabling.tables.records[q + TB_KEY] = forward_word(tabling, moved, tabling.tables.records[q + TB_KEY])
        a = tabling.tables.records[q + TB_FIRST]
        if a != 0:
            tabling.tables.records[q + TB_FIRST] = tabling.tables.young_answer + top
        while a != 0:
            node = tabling.tables.answers[a * AN_SIZE + AN_NODE]
            if node >= tabling.tables.young_node:
                node = tabling.tables.young_node + alive[node - tabling.tables.young_node] - 1
            answers[top * AN_SIZE + AN_NODE] = node
            a = tabling.tables.answers[a * AN_SIZE + AN_NEXT]
            answers[top * AN_SIZE + AN_NEXT] = tabling.tables.young_answer + top + 1 if a != 0 else 0
            tabling.tables.records[q + TB_LAST] = tabling.tables.young_answer + top
            top += 1
        to += 1
    tabling.tables.table_count = to
    for i in range(top * AN_SIZE):
        tabling.tables.answers[tabling.tables.young_answer * AN_SIZE + i] = answers[i]
    tabling.tables.answer_count = tabling.tables.young_answer + top
    return 0


def settle_answers(tabling, t, owner):
    """The answers of a young table that are old nodes have this owner now."""
    a: cython.longlong = tabling.tables.records[t * TB_SIZE + TB_FIRST]
    node: cython.longlong
    while a != 0:
        node = tabling.tables.answers[a * AN_SIZE + AN_NODE]
        if node < tabling.tables.young_node:
            tabling.tables.nodes[node * ND_SIZE + ND_OWNER] = owner
        a = tabling.tables.answers[a * AN_SIZE + AN_NEXT]
    return 0


def move_nodes(tabling, scratch):
    """Nodes that stay, their paths and what these consist of."""
    y: cython.longlong = tabling.tables.young_node
    to: cython.longlong = y
    n_paths: cython.longlong = 0
    n_items: cython.longlong = 0
    i: cython.longlong
    k: cython.longlong
    q: cython.longlong
    path: cython.longlong
    first: cython.longlong
    item: cython.longlong
    alive: cython.p_int = scratch.alive
    kept: cython.p_int = scratch.kept
    moved: cython.p_int = scratch.moved
    keys: cython.p_int = scratch.keys
    paths: cython.p_int = scratch.paths
    items: cython.p_int = scratch.items
    settled: cython.bint
    for i in range(y, tabling.tables.node_count):
        if alive[i - y] == 0:
            continue
        q = to * ND_SIZE
        tabling.tables.nodes[q + ND_TERM] = forward_word(
            tabling, moved, tabling.tables.nodes[i * ND_SIZE + ND_TERM]
        )
        tabling.tables.nodes[q + ND_SAME] = tabling.tables.nodes[i * ND_SIZE + ND_SAME]
        settled = False
        k = tabling.tables.nodes[i * ND_SIZE + ND_OWNER]
        if k >= tabling.tables.young_table:
            settled = kept[k - tabling.tables.young_table] == 0
            if settled:
                k = ~forward_word(tabling, moved, keys[k - tabling.tables.young_table])
            else:
                k = tabling.tables.young_table + kept[k - tabling.tables.young_table] - 1
        tabling.tables.nodes[q + ND_OWNER] = k
        path = tabling.tables.nodes[i * ND_SIZE + ND_FIRST]
        tabling.tables.nodes[q + ND_FIRST] = tabling.tables.young_path + n_paths if path != 0 else 0
        tabling.tables.nodes[q + ND_LAST] = 0
        while path != 0:
            tabling.tables.nodes[q + ND_LAST] = tabling.tables.young_path + n_paths
            paths[n_paths * PT_SIZE + PT_START] = tabling.tables.young_item + n_items
            paths[n_paths * PT_SIZE + PT_BRANCH] = tabling.tables.paths[path * PT_SIZE + PT_BRANCH]
            first = tabling.tables.paths[path * PT_SIZE + PT_START]
            for k in range(first, tabling.tables.path_end(path)):
                item = tabling.tables.items[k]
                if item & 1 == 0 and item >> 1 >= y:
                    item = (y + alive[(item >> 1) - y] - 1) << 1
                items[n_items] = item
                n_items += 1
            path = tabling.tables.paths[path * PT_SIZE + PT_NEXT]
            paths[n_paths * PT_SIZE + PT_NEXT] = tabling.tables.young_path + n_paths + 1 if path != 0 else 0
            n_paths += 1
        if settled:
            tabling.tables.nodes[q + ND_LAST] = SETTLED
        to += 1
    tabling.tables.node_count = to
    for i in range(n_paths * PT_SIZE):
        tabling.tables.paths[tabling.tables.young_path * PT_SIZE + i] = paths[i]
    tabling.tables.path_count = tabling.tables.young_path + n_paths
    for i in range(n_items):
        tabling.tables.items[tabling.tables.young_item + i] = items[i]
    tabling.tables.item_count = tabling.tables.young_item + n_items
    return 0
