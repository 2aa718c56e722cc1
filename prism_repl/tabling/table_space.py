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
    from prism_repl.core.store import Store
    from prism_repl.tabling.tables import Tables

YOUNG_WORDS = 1 << 15  # words of tables and stored terms after which a sweep is tried
YOUNG_LIMIT = 1 << 18  # and at most, where sweeps are in vain
WORTH = 2  # things are moved if less than one of so many stays


def begin(tabling):
    """A search of several goals begins: what is there stays."""
    tables: Tables = tabling.tables
    tables.young_epoch = tables.epoch
    tables.young_limit = YOUNG_WORDS
    tabling.store.begin_log(1 << 10)
    tenure(tabling)
    return 0


def end(tabling):
    """The search is over, in whatever way."""
    tables: Tables = tabling.tables
    tables.young_epoch = 0
    tables.young_node = 0
    tabling.store.begin_log(0)
    return 0


def tenure(tabling):
    """Everything that is there now stays for the rest of the search."""
    tables: Tables = tabling.tables
    tables.young_table = tables.table_count
    tables.young_answer = tables.answer_count
    tables.young_node = tables.node_count
    tables.young_path = tables.path_count
    tables.young_item = tables.item_count
    tabling.shortcuts.tenure()
    tabling.program.notes_top = 0
    tabling.store.age_young()
    return 0


def full(tabling):
    """Whether a sweep is due."""
    tables: Tables = tabling.tables
    return tables.young_epoch == tables.epoch and young_words(tabling) > tables.young_limit


def young_words(tabling):
    """How much was made since the last sweep; terms may have been there already."""
    store: Store = tabling.store
    tables: Tables = tabling.tables
    return 8 * (tables.table_count - tables.young_table) + store.top - store.young


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
    tables: Tables = tabling.tables
    if tables.young_epoch != tables.epoch or tabling.branches.running_top != 0:
        return items
    n_nodes: cython.longlong = tables.node_count - tables.young_node
    n_tables: cython.longlong = tables.table_count - tables.young_table
    i: cython.longlong
    stay: cython.longlong = 0
    try:
        scratch = Scratch(tabling)
        tabling.store.hash_room(tabling.store.log_top)
    except PrologError:  # without memory nothing is swept: all of it stays
        tenure(tabling)
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
        tables.young_limit = 2 * young_words(tabling)
        if tables.young_limit > YOUNG_LIMIT:
            tables.young_limit = YOUNG_LIMIT
        tenure(tabling)
        return items
    tables.young_limit = YOUNG_WORDS
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
        scratch.keys[i] = tables.records[(tables.young_table + i) * TB_SIZE + TB_KEY]
    move_tables(tabling, scratch)
    move_nodes(tabling, scratch)
    tabling.shortcuts.terms_moved(moved)
    renumbered = []
    for item in items:
        i = item
        if i & 1 == 0 and i >> 1 >= tables.young_node:
            i = (tables.young_node + alive[(i >> 1) - tables.young_node] - 1) << 1
        renumbered.append(i)
    tenure(tabling)
    return renumbered


def drop_young(tabling):
    """Between two goals: drop all that was made since the last sweep, whoever may call it again."""
    tables: Tables = tabling.tables
    i: cython.longlong
    for i in range(tables.young_table, tables.table_count):
        tables.records[i * TB_SIZE + TB_GOAL] = 1
    sweep(tabling, [])
    return 0


# ---- what stays


def mark_nodes(tabling, scratch, items):
    """Nodes below the items, and below the answers of tables that several goals called."""
    tables: Tables = tabling.tables
    y: cython.longlong = tables.young_node
    n: cython.longlong = tables.node_count - y
    i: cython.longlong
    k: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    path: cython.longlong
    top: cython.longlong = 0
    alive: cython.p_int = scratch.alive
    stack: cython.p_longlong = scratch.stack
    nodes: cython.p_int = tables.nodes
    paths: cython.p_int = tables.paths
    path_items: cython.p_int = tables.items
    for i in range(n):
        alive[i] = 0
    for item in items:
        i = item
        if i & 1 == 0 and i >> 1 >= y and alive[(i >> 1) - y] == 0:
            alive[(i >> 1) - y] = 1
            stack[top] = i >> 1
            top += 1
    for i in range(tables.young_table, tables.table_count):
        q = i * TB_SIZE
        if tables.records[q + TB_GOAL] == 0 and tables.records[q + TB_STATUS] == TS_COMPLETE:
            a = tables.records[q + TB_FIRST]
            while a != 0:
                node = tables.answers[a * AN_SIZE + AN_NODE]
                if node >= y and alive[node - y] == 0:
                    alive[node - y] = 1
                    stack[top] = node
                    top += 1
                a = tables.answers[a * AN_SIZE + AN_NEXT]
    while top > 0:
        top -= 1
        path = nodes[stack[top] * ND_SIZE + ND_FIRST]
        while path != 0:
            k = paths[path * PT_SIZE + PT_START]
            for i in range(k, tables.path_end(path)):
                node = path_items[i]
                if node & 1 == 0:
                    node >>= 1
                    if node >= y and alive[node - y] == 0:
                        alive[node - y] = 1
                        stack[top] = node
                        top += 1
            path = paths[path * PT_SIZE + PT_NEXT]
    return 0


def mark_tables(tabling, alive, kept):
    """Tables all of whose answers stay. A table without answers stays if several goals called it."""
    tables: Tables = tabling.tables
    y: cython.longlong = tables.young_table
    i: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    keep: cython.bint
    for i in range(y, tables.table_count):
        q = i * TB_SIZE
        keep = tables.records[q + TB_STATUS] == TS_COMPLETE
        keep = keep and (tables.records[q + TB_GOAL] == 0 or tables.records[q + TB_FIRST] != 0)
        a = tables.records[q + TB_FIRST]
        while keep and a != 0:
            node = tables.answers[a * AN_SIZE + AN_NODE]
            keep = node < tables.young_node or alive[node - tables.young_node] != 0
            a = tables.answers[a * AN_SIZE + AN_NEXT]
        kept[i - y] = 1 if keep else 0
    return 0


def set_words(tabling, alive, kept):
    """Terms lead to the new numbers of their nodes and tables, or to none."""
    store: Store = tabling.store
    tables: Tables = tabling.tables
    i: cython.longlong
    n: cython.longlong
    word: cython.longlong
    pred: cython.longlong
    for i in range(tables.young_node, tables.node_count):  # the young nodes leave the chains of their terms
        word = tables.nodes[i * ND_SIZE + ND_TERM]
        if word >= 0:
            n = store.cells[word - 3]
            while n >= tables.young_node:
                n = tables.nodes[n * ND_SIZE + ND_SAME]
            store.cells[word - 3] = n
    for i in range(tables.young_node, tables.node_count):  # and come back, as far as they stay
        word = tables.nodes[i * ND_SIZE + ND_TERM]
        n = alive[i - tables.young_node]
        if word >= 0 and n != 0:
            tables.nodes[i * ND_SIZE + ND_SAME] = store.cells[word - 3]
            store.cells[word - 3] = tables.young_node + n - 1
    for i in range(tables.young_table, tables.table_count):
        word = tables.records[i * TB_SIZE + TB_KEY]
        pred = tables.records[i * TB_SIZE + TB_PRED] * PSIZE + P_TABLE
        if (store.cells[word - 2] if word >= 0 else tabling.program.preds[pred]) != i:
            continue  # another one is in its place
        n = kept[i - tables.young_table]
        if n != 0:
            n = tables.young_table + n - 1
        if word >= 0:
            store.cells[word - 2] = n
        else:
            tabling.program.preds[pred] = n
    return 0


def mark_terms(tabling, alive, kept, moved):
    """moved[address - store.young] = 1 for the young terms that stay: of nodes, tables and switches."""
    store: Store = tabling.store
    tables: Tables = tabling.tables
    y: cython.longlong = store.young
    i: cython.longlong
    k: cython.longlong
    c: cython.longlong
    n: cython.longlong
    word: cython.longlong
    for i in range(store.top - y):
        moved[i] = 0
    for i in range(tables.young_node, tables.node_count):
        word = tables.nodes[i * ND_SIZE + ND_TERM]
        if alive[i - tables.young_node] == 0:
            continue
        if word >= y:
            moved[word - y] = 1
        n = tables.nodes[i * ND_SIZE + ND_OWNER]
        if n >= tables.young_table and kept[n - tables.young_table] == 0:
            word = tables.records[n * TB_SIZE + TB_KEY]
            if word >= y:
                moved[word - y] = 1
    for i in range(tables.young_table, tables.table_count):
        word = tables.records[i * TB_SIZE + TB_KEY]
        if kept[i - tables.young_table] != 0 and word >= y:
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
    for k in range(store.log_top - 1, -1, -1):
        c = store.log[k]
        if c & 7 == BOX:
            continue
        i = c >> 3
        if moved[i - y] == 0:
            if c & 7 == GLS or tabling.outcomes.known(store.cells[i - 4], c) == 0:
                continue
            moved[i - y] = 1  # the name of a switch
        n = store.words_of(c)
        for i in range(c >> 3, (c >> 3) + n):
            word = store.cells[i]
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
    store: Store = tabling.store
    if word < store.young:
        return word
    return store.young + moved[word - store.young]


def move_terms(tabling, moved):
    """The terms that stay, in the order of their addresses, so that subterms have moved before."""
    store: Store = tabling.store
    y: cython.longlong = store.young
    top: cython.longlong = y
    k: cython.longlong
    i: cython.longlong
    c: cython.longlong
    n: cython.longlong
    at: cython.longlong
    aux: cython.longlong
    for k in range(store.log_top):
        c = store.log[k]
        at = address(c)
        if moved[at - y] == 0:
            continue
        aux = aux_words(c)
        n = store.words_of(c)
        for i in range(aux):
            store.cells[top + i] = store.cells[at - aux + i]
        top += aux
        for i in range(n):
            store.cells[top + i] = (
                store.cells[at + i] if c & 7 == BOX else forward(tabling, moved, store.cells[at + i])
            )
        moved[at - y] = top - y
        c = forward(tabling, moved, c)
        store.insert(c, store.hash_words(c & 7, top, n))
        top += n
    store.top = top
    store.log_top = 0
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
    tables: Tables = tabling.tables
    y: cython.longlong = tables.young_table
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
    for i in range(y, tables.table_count):
        if kept[i - y] == 0:
            settle_answers(tabling, i, ~tables.records[i * TB_SIZE + TB_KEY])
            continue
        settle_answers(tabling, i, to)
        q = to * TB_SIZE
        for j in range(TB_SIZE):
            tables.records[q + j] = tables.records[i * TB_SIZE + j]
        tables.records[q + TB_KEY] = forward_word(tabling, moved, tables.records[q + TB_KEY])
        a = tables.records[q + TB_FIRST]
        if a != 0:
            tables.records[q + TB_FIRST] = tables.young_answer + top
        while a != 0:
            node = tables.answers[a * AN_SIZE + AN_NODE]
            if node >= tables.young_node:
                node = tables.young_node + alive[node - tables.young_node] - 1
            answers[top * AN_SIZE + AN_NODE] = node
            a = tables.answers[a * AN_SIZE + AN_NEXT]
            answers[top * AN_SIZE + AN_NEXT] = tables.young_answer + top + 1 if a != 0 else 0
            tables.records[q + TB_LAST] = tables.young_answer + top
            top += 1
        to += 1
    tables.table_count = to
    for i in range(top * AN_SIZE):
        tables.answers[tables.young_answer * AN_SIZE + i] = answers[i]
    tables.answer_count = tables.young_answer + top
    return 0


def settle_answers(tabling, t, owner):
    """The answers of a young table that are old nodes have this owner now."""
    tables: Tables = tabling.tables
    a: cython.longlong = tables.records[t * TB_SIZE + TB_FIRST]
    node: cython.longlong
    while a != 0:
        node = tables.answers[a * AN_SIZE + AN_NODE]
        if node < tables.young_node:
            tables.nodes[node * ND_SIZE + ND_OWNER] = owner
        a = tables.answers[a * AN_SIZE + AN_NEXT]
    return 0


def move_nodes(tabling, scratch):
    """Nodes that stay, their paths and what these consist of."""
    tables: Tables = tabling.tables
    y: cython.longlong = tables.young_node
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
    for i in range(y, tables.node_count):
        if alive[i - y] == 0:
            continue
        q = to * ND_SIZE
        tables.nodes[q + ND_TERM] = forward_word(tabling, moved, tables.nodes[i * ND_SIZE + ND_TERM])
        tables.nodes[q + ND_SAME] = tables.nodes[i * ND_SIZE + ND_SAME]
        settled = False
        k = tables.nodes[i * ND_SIZE + ND_OWNER]
        if k >= tables.young_table:
            settled = kept[k - tables.young_table] == 0
            if settled:
                k = ~forward_word(tabling, moved, keys[k - tables.young_table])
            else:
                k = tables.young_table + kept[k - tables.young_table] - 1
        tables.nodes[q + ND_OWNER] = k
        path = tables.nodes[i * ND_SIZE + ND_FIRST]
        tables.nodes[q + ND_FIRST] = tables.young_path + n_paths if path != 0 else 0
        tables.nodes[q + ND_LAST] = 0
        while path != 0:
            tables.nodes[q + ND_LAST] = tables.young_path + n_paths
            paths[n_paths * PT_SIZE + PT_START] = tables.young_item + n_items
            paths[n_paths * PT_SIZE + PT_BRANCH] = tables.paths[path * PT_SIZE + PT_BRANCH]
            first = tables.paths[path * PT_SIZE + PT_START]
            for k in range(first, tables.path_end(path)):
                item = tables.items[k]
                if item & 1 == 0 and item >> 1 >= y:
                    item = (y + alive[(item >> 1) - y] - 1) << 1
                items[n_items] = item
                n_items += 1
            path = tables.paths[path * PT_SIZE + PT_NEXT]
            paths[n_paths * PT_SIZE + PT_NEXT] = tables.young_path + n_paths + 1 if path != 0 else 0
            n_paths += 1
        if settled:
            tables.nodes[q + ND_LAST] = SETTLED
        to += 1
    tables.node_count = to
    for i in range(n_paths * PT_SIZE):
        tables.paths[tables.young_path * PT_SIZE + i] = paths[i]
    tables.path_count = tables.young_path + n_paths
    for i in range(n_items):
        tables.items[tables.young_item + i] = items[i]
    tables.item_count = tables.young_item + n_items
    return 0
