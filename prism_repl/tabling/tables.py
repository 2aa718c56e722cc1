# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""Tables, their answers, and the explanations that belong to these.

A table belongs to a call, up to the names of its variables. An answer is a node of the explanation graph in
the making: an instance of the goal, with its paths; a path consists of switch instances and nodes.
evaluation.py fills the tables, table_space.py keeps the table space of a search small.
"""

import cython

from prism_repl.core.errors import resource_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.interning import instantiate, intern


class Tables:
    """Tables, answers, nodes, paths."""

    def __init__(self, m):
        self.symbols = m.symbols
        self.heap = m.heap
        self.store = m.store
        self.terms = m.terms
        self.program = m.program
        self.stacks = m.stacks
        self.tables_size = first_size(1 << 6)
        self.records = new_items(self.tables_size * TB_SIZE)
        self.table_count = 1
        self.answers_size = first_size(1 << 6)
        self.answers = new_items(self.answers_size * AN_SIZE)
        self.answer_count = 1
        self.nodes_size = first_size(1 << 6)
        self.nodes = new_items(self.nodes_size * ND_SIZE)
        self.node_count = 1
        self.paths_size = first_size(1 << 6)
        self.paths = new_items(self.paths_size * PT_SIZE)
        self.path_count = 1
        self.items_size = first_size(1 << 8)
        self.items = new_items(self.items_size)
        self.item_count = 0
        self.recent = new_items(RECENT)
        i: cython.longlong
        for i in range(RECENT):
            self.recent[i] = 0
        self.items_limit = 1 << 30
        self.epoch = 1
        self.held = 0
        self.moded = None
        self.complete_floor = 1
        self.running_floor = 1
        self.same_count = 0
        self.goal_number = 1
        self.young_epoch = 0
        self.young_table = 0
        self.young_node = 0

    def __dealloc__(self):
        if cython.compiled:
            free_items(self.records)
            free_items(self.answers)
            free_items(self.nodes)
            free_items(self.paths)
            free_items(self.items)
            free_items(self.recent)

    @cython.final
    def reset(self):
        """Forget all tables, nodes and paths, which nobody uses."""
        big: cython.longlong = 1 << 12
        if self.moded is not None:
            self.moded.clear()
        self.complete_floor = 1
        self.running_floor = 1
        self.table_count = 1
        self.answer_count = 1
        self.node_count = 1
        self.same_count = 0
        self.path_count = 1
        self.item_count = 0
        if self.tables_size > big:
            self.records = grow_items(self.records, self.tables_size * TB_SIZE, big * TB_SIZE)
            self.tables_size = big
        if self.answers_size > big:
            self.answers = grow_items(self.answers, self.answers_size * AN_SIZE, big * AN_SIZE)
            self.answers_size = big
        if self.nodes_size > big:
            self.nodes = grow_items(self.nodes, self.nodes_size * ND_SIZE, big * ND_SIZE)
            self.nodes_size = big
        if self.paths_size > big:
            self.paths = grow_items(self.paths, self.paths_size * PT_SIZE, big * PT_SIZE)
            self.paths_size = big
        if self.items_size > big:
            self.items = grow_items(self.items, self.items_size, big)
            self.items_size = big

    # ---- keys

    def call_key(self, p, n):
        """The variant key of a call of p with arguments in x: a store cell. Ground arguments become
        store cells in x, too."""
        f: cython.longlong = self.program.preds[p * PSIZE + P_FUNCTOR]
        x: cython.p_longlong = self.stacks.x
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        t: cython.longlong
        at: cython.longlong
        variables: cython.longlong = 0
        heap: cython.p_longlong = self.heap.cells
        store: cython.p_longlong
        if n == 0:
            return self.symbols.functor_name[f]
        if f == self.symbols.list_functor:
            return self.args_key(f, n)
        for i in range(n):
            c = deref(heap, x[i])
            t = c & 7
            if t == REF:
                variables += 1
            elif t == LST or t == STR or t == BOX:
                c = intern(self.terms, c, False)
                if c == 0:
                    return self.args_key(f, n)
                heap = self.heap.cells
            x[i] = c
        if variables > 8:
            return self.args_key(f, n)
        # the words are written where they will stay; variables are numbered as intern does it
        self.store.room(n + 8)
        at = self.store.top + 4
        store = self.store.cells
        store[at - 4] = 0
        store[at - 3] = 0
        store[at - 2] = 0
        store[at - 1] = 1 if variables > 0 else 0
        store[at] = f << 3 | INT
        variables = 0
        for i in range(n):
            c = x[i]
            if c & 7 == REF:
                j = 0
                while x[j] != c:
                    j += 1
                if j < i:
                    c = store[at + 1 + j]
                else:
                    variables += 1
                    c = -variables << 3 | ATM
            store[at + 1 + i] = c
        return self.store.find(at << 3 | GST, n + 1, at)

    def args_key(self, f, n):
        """The variant key of a goal with arguments in x that are not all ground."""
        i: cython.longlong
        h: cython.longlong = self.heap.H
        self.heap.room(n + 2)
        self.heap.cells[h] = f << 3 | INT
        for i in range(n):
            self.heap.cells[h + 1 + i] = self.stacks.x[i]
        self.heap.H = h + n + 1
        key: cython.longlong = intern(self.terms, h << 3 | STR, True)
        self.heap.H = h
        return key

    @cython.final
    def key_word(self, key):
        """A call or answer key in 32 bits: the index of a structure, or the complement of an atom's."""
        if key & 7 == GST:
            return key >> 3
        return ~(key >> 3)

    @cython.final
    def word_key(self, word):
        if word >= 0:
            return word << 3 | GST
        return ~word << 3 | ATM

    @cython.final
    def load_arguments(self, t, n):
        """The arguments of a table's call, into x."""
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        key: cython.longlong = self.records[t * TB_SIZE + TB_KEY] + 1
        flat: cython.bint = True
        if n == 0:
            return 0
        self.stacks.x_room(n)
        self.heap.room(n + 8)
        for i in range(n):
            c = self.store.cells[key + i]
            if c & 7 == ATM and c < 0:  # a numbered variable
                j = 0
                while self.store.cells[key + j] != c:
                    j += 1
                if j == i:
                    self.heap.cells[self.heap.H] = self.heap.H << 3 | REF
                    self.stacks.x[i] = self.heap.H << 3 | REF
                    self.heap.H += 1
                else:
                    self.stacks.x[i] = self.stacks.x[j]
            else:
                flat = flat and not ((c & 7 == GST or c & 7 == GLS) and self.store.has_numbered_vars(c))
                self.stacks.x[i] = c
        if not flat:
            c = instantiate(self.terms, (key - 1) << 3 | GST, [])
            for i in range(n):
                self.stacks.x[i] = self.terms.arg(c, i)
        if self.program.preds[self.records[t * TB_SIZE + TB_PRED] * PSIZE + P_FLAGS] & F_MODED:
            self.moded.load_untabled(self, t)
        return 0

    # ---- tables, answers, nodes, paths

    @cython.final
    def last_table(self, key, p):
        """The table that was made last for a call key; 0 if there is none. The word that leads to it
        may be an old one: the table must lead back."""
        t: cython.longlong
        if key & 7 == GST:
            t = self.store.cells[(key >> 3) - 2]
            if t < self.table_count and self.records[t * TB_SIZE + TB_KEY] == key >> 3:
                return t
            return 0
        t = self.program.preds[p * PSIZE + P_TABLE]
        if t < self.table_count and self.records[t * TB_SIZE + TB_PRED] == p:
            return t
        return 0

    @cython.final
    def found_table(self, key, p):
        """The table of a call key that a call may use; 0 if there is none."""
        t: cython.longlong = self.last_table(key, p)
        if self.records[t * TB_SIZE + TB_STATUS] == TS_COMPLETE:
            return t if t >= self.complete_floor else 0
        return t if t >= self.running_floor else 0

    def table_of(self, key, p):
        """The table of a call key, made if it is new."""
        t: cython.longlong = self.found_table(key, p)
        if t == 0:
            t = self.new_table(key, p)
            self.link_table(t)
        return t

    @cython.final
    def link_table(self, t):
        """Calls with the key of table t find it from now on."""
        key: cython.longlong = self.records[t * TB_SIZE + TB_KEY]
        if key >= 0:
            self.store.cells[key - 2] = t
        else:
            self.program.preds[self.records[t * TB_SIZE + TB_PRED] * PSIZE + P_TABLE] = t
        return 0

    def new_table(self, key, p):
        if self.table_count == self.tables_size:
            size: cython.longlong = self.more_items(self.tables_size)
            self.records = grow_items(self.records, self.tables_size * TB_SIZE, size * TB_SIZE)
            self.tables_size = size
        t: cython.longlong = self.table_count
        self.table_count += 1
        q: cython.longlong = t * TB_SIZE
        self.records[q + TB_KEY] = self.key_word(key)
        self.records[q + TB_STATUS] = TS_NEW
        self.records[q + TB_FIRST] = 0
        self.records[q + TB_LAST] = 0
        self.records[q + TB_COUNT] = 0
        self.records[q + TB_READS] = 0
        self.records[q + TB_STATE] = 0
        self.records[q + TB_AT] = 0
        self.records[q + TB_PRED] = p
        self.records[q + TB_GOAL] = self.goal_number
        return t

    @cython.final
    def first_node(self, key):
        """The node that was made last for an answer key (others follow by ND_SAME); 0 if there is none."""
        n: cython.longlong = self.store.cells[(key >> 3) - 3]
        if n < self.node_count and self.nodes[n * ND_SIZE + ND_TERM] == key >> 3:
            return n
        return 0

    def answer_node(self, key, t):
        """The node of an answer of table t, which is noted as such if it is new. Answers of other calls may
        have the same term: each has a node of its own."""
        first: cython.longlong
        n: cython.longlong
        owner: cython.longlong
        if key & 7 == GST:
            first = self.first_node(key)
            n = first
            while n != 0:
                owner = self.nodes[n * ND_SIZE + ND_OWNER]
                if owner == t:
                    return n
                # it is settled, or was dropped; an old node (table_space.py) must not get young paths
                if owner == ~self.records[t * TB_SIZE + TB_KEY] or (owner == 0 and n >= self.young_node):
                    self.nodes[n * ND_SIZE + ND_OWNER] = t
                    self.record_answer(t, n)
                    return n
                n = self.nodes[n * ND_SIZE + ND_SAME]
        else:  # a goal without arguments has one table and one answer
            first = 0
            n = self.records[t * TB_SIZE + TB_FIRST]
            if n != 0:
                return self.answers[n * AN_SIZE + AN_NODE]
        if self.node_count == self.nodes_size:
            size: cython.longlong = self.more_items(self.nodes_size)
            self.nodes = grow_items(self.nodes, self.nodes_size * ND_SIZE, size * ND_SIZE)
            self.nodes_size = size
        n = self.node_count
        self.node_count += 1
        self.nodes[n * ND_SIZE + ND_TERM] = self.key_word(key)
        self.nodes[n * ND_SIZE + ND_FIRST] = 0
        self.nodes[n * ND_SIZE + ND_LAST] = 0
        self.nodes[n * ND_SIZE + ND_OWNER] = t
        self.nodes[n * ND_SIZE + ND_SAME] = first
        if first != 0:
            self.same_count += 1
        if key & 7 == GST:
            self.store.cells[(key >> 3) - 3] = n
        self.record_answer(t, n)
        return n

    # Most answers were found before, by another path. For a call with one variable the value of this tells
    # which one an answer is; a small table of nodes by such values spares the search for the whole term in
    # the store. What is found there is compared with the node itself: nothing has to be forgotten.

    @cython.final
    def open_argument(self, t, n):
        """The argument (from 1) that is the variable of the call of table t, if it has only one, and this
        not in a term; else 0."""
        store: cython.p_longlong = self.store.cells
        word: cython.longlong = self.records[t * TB_SIZE + TB_KEY]
        i: cython.longlong
        c: cython.longlong
        found: cython.longlong = 0
        if word < 0 or store[word - 1] & 1 == 0:
            return 0
        for i in range(1, n + 1):
            c = store[word + i]
            if c & 7 == ATM:
                if c < 0:  # a numbered variable
                    if c >> 3 != -1:
                        return 0
                    found = i
            elif (c & 7 == GLS or c & 7 == GST) and store[(c >> 3) - 1] & 1:
                return 0
        return found

    @cython.final
    def recent_place(self, t, c):
        return (((c >> 3) * 40503 + t * 2057) >> 4) & (RECENT - 1)

    @cython.final
    def recent_answer(self, t, i, c):
        """The node of the answer of table t whose only variable, argument i, is c, if it was found lately;
        else 0."""
        n: cython.longlong = self.recent[self.recent_place(t, c)]
        word: cython.longlong
        if n == 0 or n >= self.node_count or self.nodes[n * ND_SIZE + ND_OWNER] != t:
            return 0
        word = self.nodes[n * ND_SIZE + ND_TERM]
        return n if word >= 0 and self.store.cells[word + i] == c else 0

    @cython.final
    def note_recent(self, t, c, node):
        """The answer of table t whose only variable is c has this node."""
        self.recent[self.recent_place(t, c)] = node
        return 0

    @cython.final
    def record_answer(self, t, node):
        if self.answer_count == self.answers_size:
            size: cython.longlong = self.more_items(self.answers_size)
            self.answers = grow_items(self.answers, self.answers_size * AN_SIZE, size * AN_SIZE)
            self.answers_size = size
        a: cython.longlong = self.answer_count
        q: cython.longlong = t * TB_SIZE
        self.answer_count += 1
        self.answers[a * AN_SIZE + AN_NODE] = node
        self.answers[a * AN_SIZE + AN_NEXT] = 0
        if self.records[q + TB_COUNT] == 0:
            self.records[q + TB_FIRST] = a
        else:
            self.answers[self.records[q + TB_LAST] * AN_SIZE + AN_NEXT] = a
        self.records[q + TB_LAST] = a
        self.records[q + TB_COUNT] += 1
        return 0

    def more_items(self, size):
        """More of tables, answers, nodes, paths or items than this. Their numbers must fit 31 bits, and those
        of nodes 30, as items have one bit beside them."""
        if size >= self.items_limit:
            raise resource_error("memory")
        size = larger(size, 0)
        return size if size < self.items_limit else self.items_limit

    @cython.final
    def record_path(self, t, node, mark, branch):
        """What lies on the explanation stack above the mark is a path of the node, an answer of table t."""
        k: cython.longlong = self.stacks.XT - mark
        p: cython.longlong = self.path_count
        at: cython.longlong = self.item_count
        q: cython.longlong = node * ND_SIZE
        last: cython.longlong = self.nodes[q + ND_LAST]
        i: cython.longlong
        size: cython.longlong
        if p == self.paths_size:
            size = self.more_items(self.paths_size)
            self.paths = grow_items(self.paths, self.paths_size * PT_SIZE, size * PT_SIZE)
            self.paths_size = size
        if at + k > self.items_size:
            size = self.more_items(self.items_size)
            while size < at + k:
                size = self.more_items(size)
            self.items = grow_items(self.items, self.items_size, size)
            self.items_size = size
        paths: cython.p_int = self.paths
        items: cython.p_int = self.items
        item: cython.p_longlong = self.stacks.expl
        paths[p * PT_SIZE + PT_NEXT] = 0
        paths[p * PT_SIZE + PT_START] = at
        paths[p * PT_SIZE + PT_BRANCH] = branch
        for i in range(k):
            items[at + i] = item[mark + i]
        self.path_count = p + 1
        self.item_count = at + k
        if last == 0:
            self.nodes[q + ND_FIRST] = p
        else:
            paths[last * PT_SIZE + PT_NEXT] = p
            if paths[last * PT_SIZE + PT_BRANCH] > branch:
                self.records[t * TB_SIZE + TB_STATE] |= ST_MIXED
        self.nodes[q + ND_LAST] = p
        return 0

    @cython.final
    def link_path(self, node, before, path):
        """A path follows another one of the node at this place, or is its first (before: 0)."""
        if before == 0:
            self.nodes[node + ND_FIRST] = path
        else:
            self.paths[before * PT_SIZE + PT_NEXT] = path
        return 0

    @cython.final
    def path_end(self, p):
        """Where the items of a path end."""
        p += 1
        return self.paths[p * PT_SIZE + PT_START] if p < self.path_count else self.item_count

    @cython.final
    def note_use(self, t):
        """A goal calls complete table t: it stays if another one has made it."""
        if self.records[t * TB_SIZE + TB_GOAL] != self.goal_number:
            self.records[t * TB_SIZE + TB_GOAL] = 0
        return 0

    @cython.final
    def drop_table(self, t):
        """Forget a table that is not complete. Its number is not used again."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.records[q + TB_FIRST]
        node: cython.longlong
        key: cython.longlong = self.records[q + TB_KEY]
        if self.moded is not None:
            self.moded.drop(t)
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            if self.nodes[node + ND_LAST] == SETTLED:
                self.nodes[node + ND_OWNER] = ~key
            else:
                self.nodes[node + ND_FIRST] = 0
                self.nodes[node + ND_LAST] = 0
                self.nodes[node + ND_OWNER] = 0
            a = self.answers[a * AN_SIZE + AN_NEXT]
        self.records[q + TB_STATUS] = TS_NEW
        self.records[q + TB_FIRST] = 0
        self.records[q + TB_LAST] = 0
        self.records[q + TB_COUNT] = 0
        self.records[q + TB_READS] = 0
        self.records[q + TB_STATE] = 0
        self.records[q + TB_AT] = 0
        if key >= 0:
            if self.store.cells[key - 2] == t:
                self.store.cells[key - 2] = 0
        elif self.program.preds[self.records[q + TB_PRED] * PSIZE + P_TABLE] == t:
            self.program.preds[self.records[q + TB_PRED] * PSIZE + P_TABLE] = 0
        return 0

    # ---- what was found

    def table_bytes(self):
        """The memory that tables, answers, nodes and paths use."""
        return 4 * (
            self.table_count * TB_SIZE
            + self.answer_count * AN_SIZE
            + self.node_count * ND_SIZE
            + self.path_count * PT_SIZE
            + self.item_count
        )

    def node_term(self, node):
        """The goal of a node: a store cell."""
        return self.word_key(self.nodes[node * ND_SIZE + ND_TERM])

    def search_arrays(self):
        """What the search found, as numpy arrays: node_head, path_next, path_start, path_len, items.
        Index 0 of nodes and paths is not used; 0 ends a chain. They are views, good until the next search."""
        import numpy

        n: cython.longlong = self.node_count
        p: cython.longlong = self.path_count
        if cython.compiled:
            nodes = numpy.frombuffer(words_view(self.nodes, n * ND_SIZE), numpy.int32).reshape(n, ND_SIZE)
            paths = numpy.frombuffer(words_view(self.paths, p * PT_SIZE), numpy.int32).reshape(p, PT_SIZE)
            items = numpy.frombuffer(words_view(self.items, self.item_count), numpy.int32)
        else:
            nodes = numpy.array(self.nodes[: n * ND_SIZE], numpy.int32).reshape(n, ND_SIZE)
            paths = numpy.array(self.paths[: p * PT_SIZE], numpy.int32).reshape(p, PT_SIZE)
            items = numpy.array(self.items[: self.item_count], numpy.int32)
        start = paths[:, PT_START]
        length = numpy.diff(start, append=numpy.int32(self.item_count))
        return nodes[:, ND_FIRST], paths[:, PT_NEXT], start, length, items


def words_view(area, n):
    """The bytes of n 32-bit words where they are."""
    if cython.compiled:
        return PyMemoryView_FromMemory(cython.cast(cython.p_char, area), 4 * n, PyBUF_READ)  # noqa: F821
    else:
        return b""
