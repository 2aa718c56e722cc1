# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3
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

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *
    from prism_repl.core.instructions import *

YOUNG_WORDS = 1 << 14  # words of tables and stored terms after which a sweep is tried
YOUNG_LIMIT = 1 << 18  # and at most, where sweeps are in vain
WORTH = 2  # things are moved if less than one of so many stays


def begin(m):
    """A search of several goals begins: what is there stays."""
    m.young_epoch = m.epoch
    m.young_limit = YOUNG_WORDS
    m.store_log(1 << 10)
    tenure(m)
    return 0


def end(m):
    """The search is over, in whatever way."""
    m.store_log(0)
    m.young_epoch = 0
    m.young_node = 0
    return 0


def tenure(m):
    """Everything that is there now stays for the rest of the search."""
    m.young_table = m.table_count
    m.young_answer = m.answer_count
    m.young_node = m.node_count
    m.young_path = m.path_count
    m.young_item = m.item_count
    m.young_pattern = m.pattern_count
    m.notes_top = 0
    m.age_young()
    return 0


def full(m):
    """Whether a sweep is due."""
    return m.young_epoch == m.epoch and young_words(m) > m.young_limit


def young_words(m):
    """How much was made since the last sweep; terms may have been there already."""
    return 8 * (m.table_count - m.young_table) + m.store_top - m.young_store


def sweep(m, items):
    """Drop what is young and of no use to a goal whose graph begins with one of the items (node << 1, or
    a switch instance << 1 | 1). Returns the items with the nodes' new numbers."""
    if m.young_epoch != m.epoch or m.running_top != 0:
        return items
    n_nodes: cython.longlong = m.node_count - m.young_node
    n_tables: cython.longlong = m.table_count - m.young_table
    i: cython.longlong
    stay: cython.longlong = 0
    alive: cython.p_int = new_items(n_nodes + 1)
    kept: cython.p_int = new_items(n_tables + 1)
    mark_nodes(m, alive, items)
    mark_tables(m, alive, kept)
    for i in range(n_nodes):
        if alive[i] != 0:
            stay += 1
    for i in range(n_tables):
        if kept[i] != 0:
            stay += 1
    if WORTH * stay > n_nodes + n_tables:
        # most of it is needed: not worth moving, and the next sweep may wait longer
        free_items(alive)
        free_items(kept)
        m.young_limit = 2 * young_words(m)
        if m.young_limit > YOUNG_LIMIT:
            m.young_limit = YOUNG_LIMIT
        tenure(m)
        return items
    m.young_limit = YOUNG_WORDS
    m.forget_calls()
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
    moved: cython.p_int = new_items(m.store_top - m.young_store + 1)
    set_words(m, alive, kept)
    mark_terms(m, alive, kept, moved)
    move_terms(m, moved)
    keys: cython.p_int = new_items(n_tables + 1)
    for i in range(n_tables):
        keys[i] = m.tables[(m.young_table + i) * TB_SIZE + TB_KEY]
    move_tables(m, alive, kept, moved)
    move_nodes(m, alive, kept, moved, keys)
    free_items(keys)
    move_patterns(m, moved)
    renumbered = []
    for item in items:
        i = item
        if i & 1 == 0 and i >> 1 >= m.young_node:
            i = (m.young_node + alive[(i >> 1) - m.young_node] - 1) << 1
        renumbered.append(i)
    free_items(alive)
    free_items(kept)
    free_items(moved)
    tenure(m)
    return renumbered


def drop_young(m):
    """Between two goals: drop all that was made since the last sweep, whoever may call it again."""
    i: cython.longlong
    for i in range(m.young_table, m.table_count):
        m.tables[i * TB_SIZE + TB_GOAL] = 1
    sweep(m, [])
    return 0


# ---- what stays


def mark_nodes(m, alive, items):
    """Nodes below the items, and below the answers of tables that several goals called."""
    y: cython.longlong = m.young_node
    n: cython.longlong = m.node_count - y
    i: cython.longlong
    k: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    path: cython.longlong
    top: cython.longlong = 0
    for i in range(n):
        alive[i] = 0
    stack: cython.p_longlong = new_area(n + 1)  # each node is pushed once
    for item in items:
        i = item
        if i & 1 == 0 and i >> 1 >= y and alive[(i >> 1) - y] == 0:
            alive[(i >> 1) - y] = 1
            stack[top] = i >> 1
            top += 1
    for i in range(m.young_table, m.table_count):
        q = i * TB_SIZE
        if m.tables[q + TB_GOAL] == 0 and m.tables[q + TB_STATUS] == TS_COMPLETE:
            a = m.tables[q + TB_FIRST]
            while a != 0:
                node = m.answers[a * AN_SIZE + AN_NODE]
                if node >= y and alive[node - y] == 0:
                    alive[node - y] = 1
                    stack[top] = node
                    top += 1
                a = m.answers[a * AN_SIZE + AN_NEXT]
    while top > 0:
        top -= 1
        path = m.nodes[stack[top] * ND_SIZE + ND_FIRST]
        while path != 0:
            k = m.paths[path * PT_SIZE + PT_START]
            for i in range(k, m.path_end(path)):
                node = m.items[i]
                if node & 1 == 0:
                    node >>= 1
                    if node >= y and alive[node - y] == 0:
                        alive[node - y] = 1
                        stack[top] = node
                        top += 1
            path = m.paths[path * PT_SIZE + PT_NEXT]
    free_area(stack)
    return 0


def mark_tables(m, alive, kept):
    """Tables all of whose answers stay. A table without answers stays if several goals called it."""
    y: cython.longlong = m.young_table
    i: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    keep: cython.bint
    for i in range(y, m.table_count):
        q = i * TB_SIZE
        keep = m.tables[q + TB_STATUS] == TS_COMPLETE
        keep = keep and (m.tables[q + TB_GOAL] == 0 or m.tables[q + TB_FIRST] != 0)
        a = m.tables[q + TB_FIRST]
        while keep and a != 0:
            node = m.answers[a * AN_SIZE + AN_NODE]
            keep = node < m.young_node or alive[node - m.young_node] != 0
            a = m.answers[a * AN_SIZE + AN_NEXT]
        kept[i - y] = 1 if keep else 0
    return 0


def set_words(m, alive, kept):
    """Terms lead to the new numbers of their nodes and tables, or to none."""
    i: cython.longlong
    n: cython.longlong
    word: cython.longlong
    pred: cython.longlong
    for i in range(m.young_node, m.node_count):  # the young nodes leave the chains of their terms
        word = m.nodes[i * ND_SIZE + ND_TERM]
        if word >= 0:
            n = m.store[word - 3]
            while n >= m.young_node:
                n = m.nodes[n * ND_SIZE + ND_SAME]
            m.store[word - 3] = n
    for i in range(m.young_node, m.node_count):  # and come back, as far as they stay
        word = m.nodes[i * ND_SIZE + ND_TERM]
        n = alive[i - m.young_node]
        if word >= 0 and n != 0:
            m.nodes[i * ND_SIZE + ND_SAME] = m.store[word - 3]
            m.store[word - 3] = m.young_node + n - 1
    for i in range(m.young_table, m.table_count):
        word = m.tables[i * TB_SIZE + TB_KEY]
        pred = m.tables[i * TB_SIZE + TB_PRED] * PSIZE + P_TABLE
        if (m.store[word - 2] if word >= 0 else m.preds[pred]) != i:
            continue  # another one is in its place
        n = kept[i - m.young_table]
        if n != 0:
            n = m.young_table + n - 1
        if word >= 0:
            m.store[word - 2] = n
        else:
            m.preds[pred] = n
    return 0


def mark_terms(m, alive, kept, moved):
    """moved[address - young_store] = 1 for the young terms that stay: of nodes, tables and switches."""
    y: cython.longlong = m.young_store
    i: cython.longlong
    k: cython.longlong
    c: cython.longlong
    n: cython.longlong
    word: cython.longlong
    for i in range(m.store_top - y):
        moved[i] = 0
    for i in range(m.young_node, m.node_count):
        word = m.nodes[i * ND_SIZE + ND_TERM]
        if alive[i - m.young_node] == 0:
            continue
        if word >= y:
            moved[word - y] = 1
        n = m.nodes[i * ND_SIZE + ND_OWNER]
        if n >= m.young_table and kept[n - m.young_table] == 0:
            word = m.tables[n * TB_SIZE + TB_KEY]
            if word >= y:
                moved[word - y] = 1
    for i in range(m.young_table, m.table_count):
        word = m.tables[i * TB_SIZE + TB_KEY]
        if kept[i - m.young_table] != 0 and word >= y:
            moved[word - y] = 1
    for i in range(m.outcome_count):
        c = m.outcomes[i]
        if c & 7 >= BOX and address(c) >= y:
            moved[address(c) - y] = 1
    for name in m.odd_switches:
        c = name
        if c & 7 >= BOX and address(c) >= y:
            moved[address(c) - y] = 1
    for i in range(m.notes_top):
        c = m.code[m.notes[i]]
        if address(c) >= y:
            moved[address(c) - y] = 1
    for i in range(FS_LIST, (m.firsts_mask + 1) * FS_SIZE, FS_SIZE):
        if m.firsts[i] >> 3 >= y:
            moved[(m.firsts[i] >> 3) - y] = 1
    # subterms have lower addresses than the terms that contain them
    for k in range(m.log_top - 1, -1, -1):
        c = m.log[k]
        if c & 7 == BOX:
            continue
        i = c >> 3
        if moved[i - y] == 0:
            if c & 7 == GLS or m.known_switch(m.store[i - 4], c) == 0:
                continue
            moved[i - y] = 1  # the name of a switch
        n = m.words_of(c)
        for i in range(c >> 3, (c >> 3) + n):
            word = m.store[i]
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


def forward(m, moved, c):
    """The new cell of a stored term, which stays."""
    y: cython.longlong = m.young_store
    if c & 7 < BOX or address(c) < y:
        return c
    if c & 7 == BOX:
        c = y + moved[(c >> 4) - y]
        return (c << 1 | 1) << 3 | BOX
    return (y + moved[(c >> 3) - y]) << 3 | (c & 7)


def forward_word(m, moved, word):
    """The same for an address in 32 bits, of a call or an answer."""
    if word < m.young_store:
        return word
    return m.young_store + moved[word - m.young_store]


def move_terms(m, moved):
    """The terms that stay, in the order of their addresses, so that subterms have moved before."""
    y: cython.longlong = m.young_store
    top: cython.longlong = y
    k: cython.longlong
    i: cython.longlong
    c: cython.longlong
    n: cython.longlong
    at: cython.longlong
    aux: cython.longlong
    for k in range(m.log_top):
        c = m.log[k]
        at = address(c)
        if moved[at - y] == 0:
            continue
        aux = aux_words(c)
        n = m.words_of(c)
        for i in range(aux):
            m.store[top + i] = m.store[at - aux + i]
        top += aux
        for i in range(n):
            m.store[top + i] = m.store[at + i] if c & 7 == BOX else forward(m, moved, m.store[at + i])
        moved[at - y] = top - y
        c = forward(m, moved, c)
        m.store_insert(c, m.hash_words(c & 7, top, n))
        top += n
    m.store_top = top
    m.log_top = 0
    for i in range(m.outcome_count):
        m.outcomes[i] = forward(m, moved, m.outcomes[i])
    for i in range(m.switch_floor, m.switch_count):
        m.switch_name[i] = forward(m, moved, m.switch_name[i])
    for i in range(m.notes_top):
        m.code[m.notes[i]] = forward(m, moved, m.code[m.notes[i]])
    for i in range(FS_LIST, (m.firsts_mask + 1) * FS_SIZE, FS_SIZE):
        if m.firsts[i] != 0:
            m.firsts[i] = forward(m, moved, m.firsts[i])
    switches = m.odd_switches
    m.odd_switches = {forward(m, moved, name): number for name, number in switches.items()}
    return 0


def move_tables(m, alive, kept, moved):
    """Tables that stay, and their answers."""
    y: cython.longlong = m.young_table
    to: cython.longlong = y
    top: cython.longlong = 0
    i: cython.longlong
    j: cython.longlong
    a: cython.longlong
    q: cython.longlong
    node: cython.longlong
    answers: cython.p_int = new_items((m.answer_count - m.young_answer + 1) * AN_SIZE)
    for i in range(y, m.table_count):
        if kept[i - y] == 0:
            settle_answers(m, i, ~m.tables[i * TB_SIZE + TB_KEY])
            continue
        settle_answers(m, i, to)
        q = to * TB_SIZE
        for j in range(TB_SIZE):
            m.tables[q + j] = m.tables[i * TB_SIZE + j]
        m.tables[q + TB_KEY] = forward_word(m, moved, m.tables[q + TB_KEY])
        a = m.tables[q + TB_FIRST]
        if a != 0:
            m.tables[q + TB_FIRST] = m.young_answer + top
        while a != 0:
            node = m.answers[a * AN_SIZE + AN_NODE]
            if node >= m.young_node:
                node = m.young_node + alive[node - m.young_node] - 1
            answers[top * AN_SIZE + AN_NODE] = node
            a = m.answers[a * AN_SIZE + AN_NEXT]
            answers[top * AN_SIZE + AN_NEXT] = m.young_answer + top + 1 if a != 0 else 0
            m.tables[q + TB_LAST] = m.young_answer + top
            top += 1
        to += 1
    m.table_count = to
    for i in range(top * AN_SIZE):
        m.answers[m.young_answer * AN_SIZE + i] = answers[i]
    m.answer_count = m.young_answer + top
    free_items(answers)
    return 0


def settle_answers(m, t, owner):
    """The answers of a young table that are old nodes have this owner now."""
    a: cython.longlong = m.tables[t * TB_SIZE + TB_FIRST]
    node: cython.longlong
    while a != 0:
        node = m.answers[a * AN_SIZE + AN_NODE]
        if node < m.young_node:
            m.nodes[node * ND_SIZE + ND_OWNER] = owner
        a = m.answers[a * AN_SIZE + AN_NEXT]
    return 0


def move_nodes(m, alive, kept, moved, keys):
    """Nodes that stay, their paths and what these consist of."""
    y: cython.longlong = m.young_node
    to: cython.longlong = y
    n_paths: cython.longlong = 0
    n_items: cython.longlong = 0
    i: cython.longlong
    k: cython.longlong
    q: cython.longlong
    path: cython.longlong
    first: cython.longlong
    item: cython.longlong
    paths: cython.p_int = new_items(PT_SIZE * (m.path_count - m.young_path + 1))
    items: cython.p_int = new_items(m.item_count - m.young_item + 1)
    settled: cython.bint
    for i in range(y, m.node_count):
        if alive[i - y] == 0:
            continue
        q = to * ND_SIZE
        m.nodes[q + ND_TERM] = forward_word(m, moved, m.nodes[i * ND_SIZE + ND_TERM])
        m.nodes[q + ND_SAME] = m.nodes[i * ND_SIZE + ND_SAME]
        settled = False
        k = m.nodes[i * ND_SIZE + ND_OWNER]
        if k >= m.young_table:
            settled = kept[k - m.young_table] == 0
            if settled:
                k = ~forward_word(m, moved, keys[k - m.young_table])
            else:
                k = m.young_table + kept[k - m.young_table] - 1
        m.nodes[q + ND_OWNER] = k
        path = m.nodes[i * ND_SIZE + ND_FIRST]
        m.nodes[q + ND_FIRST] = m.young_path + n_paths if path != 0 else 0
        m.nodes[q + ND_LAST] = 0
        while path != 0:
            m.nodes[q + ND_LAST] = m.young_path + n_paths
            paths[n_paths * PT_SIZE + PT_START] = m.young_item + n_items
            paths[n_paths * PT_SIZE + PT_BRANCH] = m.paths[path * PT_SIZE + PT_BRANCH]
            first = m.paths[path * PT_SIZE + PT_START]
            for k in range(first, m.path_end(path)):
                item = m.items[k]
                if item & 1 == 0 and item >> 1 >= y:
                    item = (y + alive[(item >> 1) - y] - 1) << 1
                items[n_items] = item
                n_items += 1
            path = m.paths[path * PT_SIZE + PT_NEXT]
            paths[n_paths * PT_SIZE + PT_NEXT] = m.young_path + n_paths + 1 if path != 0 else 0
            n_paths += 1
        if settled:
            m.nodes[q + ND_LAST] = SETTLED
        to += 1
    m.node_count = to
    for i in range(n_paths * PT_SIZE):
        m.paths[m.young_path * PT_SIZE + i] = paths[i]
    m.path_count = m.young_path + n_paths
    for i in range(n_items):
        m.items[m.young_item + i] = items[i]
    m.item_count = m.young_item + n_items
    free_items(paths)
    free_items(items)
    return 0


def move_patterns(m, moved):
    """Patterns of calls follow the terms in them. Those with a term that goes are of no use any more."""
    y: cython.longlong = m.young_store
    k: cython.longlong
    e: cython.longlong
    i: cython.longlong
    c: cython.longlong
    changed: cython.bint = False
    for k in range(m.young_pattern, m.pattern_count):
        e = k * PN_SIZE
        for i in range(e + PN_WORDS, e + PN_WORDS + m.pattern_arity(e)):
            c = m.patterns[i]
            if c & 7 > BOX and c >> 3 >= y:
                changed = True
                if moved[(c >> 3) - y] == 0:
                    m.patterns[e + PN_CALL] = -1
                    break
                m.patterns[i] = forward(m, moved, c)
    if changed:
        m.hash_patterns()
    return 0
