# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Tabling, and the explanations that it finds.

A new tabled call runs its clauses to exhaustion; each success stores an answer and, for a probabilistic
predicate in explanation mode, a path: what was pushed on the explanation stack since the call began. Then
the answers are returned. A variant that is still running is served the answers that it has; the leader of
its component runs those again that missed some, and only paths of a table's last evaluation count.
table_space.py keeps the table space of a search small.
"""

import cython

from prism_repl.prolog.natives import Natives

if not cython.compiled:
    from prism_repl.prolog.cells import *  # noqa: F403
    from prism_repl.prolog.instructions import *  # noqa: F403
    from prism_repl.prolog.memory import free_area, grow_area, new_area


class Tabling(Natives):
    """Tables, answers, nodes, paths, and the components that are being evaluated."""

    def __init__(self):
        Natives.__init__(self)
        self.mode = 0
        self.expl_size = 1 << 10
        self.expl = new_area(self.expl_size)
        self.tables_size = 1 << 6
        self.tables = new_items(self.tables_size * TB_SIZE)
        self.table_count = 1
        self.answers_size = 1 << 6
        self.answers = new_items(self.answers_size * AN_SIZE)
        self.answer_count = 1
        self.nodes_size = 1 << 6
        self.nodes = new_items(self.nodes_size * ND_SIZE)
        self.node_count = 1
        self.paths_size = 1 << 6
        self.paths = new_items(self.paths_size * 3)
        self.path_count = 1
        self.items_size = 1 << 8
        self.items = new_items(self.items_size)
        self.item_count = 0
        self.running_size = 1 << 8
        self.running = new_area(self.running_size)
        self.running_top = 0
        self.reads_size = 1 << 8
        self.reads = new_area(self.reads_size * 4)
        self.reads_top = 0
        self.component_size = 1 << 8
        self.component = new_area(self.component_size)
        self.component_top = 0
        self.round_number = 0
        self.epoch = 1
        self.shared_size = 1 << 8
        self.shared = new_area(self.shared_size)
        self.shared_count = 0
        self.goal_number = 1
        self.young_epoch = 0
        self.watch = 0
        self.calls = new_area(CALL_CACHE * CALL_SIZE)
        self.call_words = new_area(CALL_ARGUMENTS)
        self.calls_number = 1
        self.call_slot = -1

    def clear_tables(self):
        """Forget all tables, nodes and paths."""
        big: cython.longlong = 1 << 12
        self.epoch += 1
        self.calls_number += 1
        self.table_count = 1
        self.answer_count = 1
        self.node_count = 1
        self.path_count = 1
        self.item_count = 0
        self.running_top = 0
        self.component_top = 0
        self.reads_top = 0
        self.forget_shared()
        if self.tables_size > big:
            self.tables = grow_items(self.tables, self.tables_size * TB_SIZE, big * TB_SIZE)
            self.tables_size = big
        if self.answers_size > big:
            self.answers = grow_items(self.answers, self.answers_size * AN_SIZE, big * AN_SIZE)
            self.answers_size = big
        if self.nodes_size > big:
            self.nodes = grow_items(self.nodes, self.nodes_size * ND_SIZE, big * ND_SIZE)
            self.nodes_size = big
        if self.paths_size > big:
            self.paths = grow_items(self.paths, self.paths_size * 3, big * 3)
            self.paths_size = big
        if self.items_size > big:
            self.items = grow_items(self.items, self.items_size, big)
            self.items_size = big

    # ---- keys

    def call_key(self, p, n):
        """The variant key of a call of p with arguments in x: a store cell. Ground arguments become
        store cells in x, too."""
        f: cython.longlong = self.preds[p * PSIZE + P_FUNCTOR]
        x: cython.p_longlong = self.x
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        d: cython.longlong
        t: cython.longlong
        at: cython.longlong
        variables: cython.longlong = 0
        if n == 0:
            return self.functor_name[f]
        if f == self.list_functor:
            return self.args_key(f, n)
        for i in range(n):
            c = x[i]
            while c & 7 == REF:
                d = self.heap[c >> 3]
                if d == c:
                    break
                c = d
            t = c & 7
            if t == REF:
                variables += 1
            elif t == LST or t == STR or t == BOX:
                c = self.intern(c, False)
                if c == 0:
                    return self.args_key(f, n)
            x[i] = c
        if variables > 8:
            return self.args_key(f, n)
        # the words are written where they will stay; variables are numbered as intern does it
        self.store_room(n + 8)
        at = self.store_top + 4
        self.store[at - 4] = 0
        self.store[at - 3] = 0
        self.store[at - 2] = 0
        self.store[at - 1] = 1 if variables > 0 else 0
        self.store[at] = f << 3 | INT
        variables = 0
        for i in range(n):
            c = x[i]
            if c & 7 == REF:
                j = 0
                while x[j] != c:
                    j += 1
                if j < i:
                    c = self.store[at + 1 + j]
                else:
                    variables += 1
                    c = -variables << 3 | ATM
            self.store[at + 1 + i] = c
        return self.store_find(at << 3 | GST, n + 1, at)

    def args_key(self, f, n):
        """The variant key of a goal with arguments in x that are not all ground."""
        i: cython.longlong
        h: cython.longlong = self.H
        self.room(n + 2)
        self.heap[h] = f << 3 | INT
        for i in range(n):
            self.heap[h + 1 + i] = self.x[i]
        self.H = h + n + 1
        key: cython.longlong = self.intern(h << 3 | STR, True)
        self.H = h
        return key

    def key_word(self, key):
        """A call or answer key in 32 bits: the index of a structure, or the complement of an atom's."""
        if key & 7 == GST:
            return key >> 3
        return ~(key >> 3)

    def word_key(self, word):
        if word >= 0:
            return word << 3 | GST
        return ~word << 3 | ATM

    def tagged(self, number):
        """A table, node or switch number with the epoch in which it is valid."""
        return self.epoch << 40 | number

    def untagged(self, word):
        if word >> 40 != self.epoch:
            return 0
        e: cython.longlong = self.epoch
        return word - (e << 40)

    # ---- tables, answers, nodes, paths

    def table_of(self, key, p):
        """The table of a call key, made if it is new."""
        t: cython.longlong
        word: cython.longlong
        if key & 7 == GST:
            t = self.untagged(self.store[(key >> 3) - 2])
        else:
            t = self.untagged(self.preds[p * PSIZE + P_TABLE])
        if t == 0:
            t = self.new_table(key, p)
            word = self.tagged(t)
            if key & 7 == GST:
                self.store[(key >> 3) - 2] = word
            else:
                self.preds[p * PSIZE + P_TABLE] = word
        return t

    def new_table(self, key, p):
        if self.table_count == self.tables_size:
            self.tables = grow_items(self.tables, self.tables_size * TB_SIZE, 2 * self.tables_size * TB_SIZE)
            self.tables_size *= 2
        t: cython.longlong = self.table_count
        self.table_count += 1
        q: cython.longlong = t * TB_SIZE
        self.tables[q + TB_KEY] = self.key_word(key)
        self.tables[q + TB_STATUS] = TS_NEW
        self.tables[q + TB_FIRST] = 0
        self.tables[q + TB_LAST] = 0
        self.tables[q + TB_COUNT] = 0
        self.tables[q + TB_ROUND] = 0
        self.tables[q + TB_AT] = 0
        self.tables[q + TB_PRED] = p
        self.tables[q + TB_GOAL] = self.goal_number
        return t

    def node_of(self, key, t):
        """The node of a goal instance; table t becomes its owner if it is new."""
        n: cython.longlong
        if key & 7 == GST:
            n = self.untagged(self.store[(key >> 3) - 3])
        else:  # a goal without arguments has one table and one answer
            n = self.tables[t * TB_SIZE + TB_FIRST]
            if n != 0:
                n = self.answers[n * AN_SIZE + AN_NODE]
        if n == 0:
            if self.node_count == self.nodes_size:
                self.nodes = grow_items(self.nodes, self.nodes_size * ND_SIZE, 2 * self.nodes_size * ND_SIZE)
                self.nodes_size *= 2
            n = self.node_count
            self.node_count += 1
            self.nodes[n * ND_SIZE + ND_TERM] = self.key_word(key)
            self.nodes[n * ND_SIZE + ND_FIRST] = 0
            self.nodes[n * ND_SIZE + ND_LAST] = 0
            self.nodes[n * ND_SIZE + ND_OWNER] = t
            if key & 7 == GST:
                self.store[(key >> 3) - 3] = self.tagged(n)
        return n

    def record_answer(self, t, node):
        if self.answer_count == self.answers_size:
            size: cython.longlong = self.answers_size * AN_SIZE
            self.answers = grow_items(self.answers, size, 2 * size)
            self.answers_size *= 2
        a: cython.longlong = self.answer_count
        q: cython.longlong = t * TB_SIZE
        self.answer_count += 1
        self.answers[a * AN_SIZE + AN_NODE] = node
        self.answers[a * AN_SIZE + AN_NEXT] = 0
        if self.tables[q + TB_COUNT] == 0:
            self.tables[q + TB_FIRST] = a
        else:
            self.answers[self.tables[q + TB_LAST] * AN_SIZE + AN_NEXT] = a
        self.tables[q + TB_LAST] = a
        self.tables[q + TB_COUNT] += 1
        return 0

    def record_path(self, node, mark):
        """What lies on the explanation stack above the mark is a path of the node."""
        k: cython.longlong = self.XT - mark
        i: cython.longlong
        if self.path_count == self.paths_size:
            self.paths = grow_items(self.paths, self.paths_size * 3, 2 * self.paths_size * 3)
            self.paths_size *= 2
        if self.item_count + k > self.items_size:
            size: cython.longlong = 2 * self.items_size
            while size < self.item_count + k:
                size *= 2
            self.items = grow_items(self.items, self.items_size, size)
            self.items_size = size
        p: cython.longlong = self.path_count
        self.path_count += 1
        self.paths[3 * p] = 0
        self.paths[3 * p + 1] = self.item_count
        self.paths[3 * p + 2] = k
        for i in range(k):
            self.items[self.item_count + i] = self.expl[mark + i]
        self.item_count += k
        if self.nodes[node * ND_SIZE + ND_FIRST] == 0:
            self.nodes[node * ND_SIZE + ND_FIRST] = p
        else:
            self.paths[3 * self.nodes[node * ND_SIZE + ND_LAST]] = p
        self.nodes[node * ND_SIZE + ND_LAST] = p
        return 0

    def push_item(self, item):
        if self.XT + 8 > self.expl_size:
            self.expl = grow_area(self.expl, self.expl_size, 2 * self.expl_size)
            self.expl_size *= 2
        self.expl[self.XT] = item
        self.XT += 1

    def drop_table(self, t):
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables[q + TB_FIRST]
        node: cython.longlong
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE]
            if self.nodes[node * ND_SIZE + ND_OWNER] == t:
                self.nodes[node * ND_SIZE + ND_FIRST] = 0
                self.nodes[node * ND_SIZE + ND_LAST] = 0
                self.nodes[node * ND_SIZE + ND_OWNER] = 0
            a = self.answers[a * AN_SIZE + AN_NEXT]
        self.tables[q + TB_STATUS] = TS_NEW
        self.tables[q + TB_FIRST] = 0
        self.tables[q + TB_LAST] = 0
        self.tables[q + TB_COUNT] = 0
        self.tables[q + TB_AT] = 0
        # the number is not used again
        word: cython.longlong = self.tables[q + TB_KEY]
        if word >= 0:
            self.store[word - 2] = 0
        else:
            self.preds[self.tables[q + TB_PRED] * PSIZE + P_TABLE] = 0

    def forget_shared(self):
        """No table is running: who has which node of another as its answer needs not be known."""
        i: cython.longlong
        if self.shared_count > 0:
            if self.shared_size > (1 << 12):
                free_area(self.shared)
                self.shared_size = 1 << 8
                self.shared = new_area(self.shared_size)
            else:
                for i in range(self.shared_size):
                    self.shared[i] = 0
            self.shared_count = 0
        return 0

    def shares(self, t, node):
        """Whether table t has this node of another table as its answer already; it has it from now on."""
        key: cython.longlong = t
        key = key << 32 | node
        mask: cython.longlong = self.shared_size - 1
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        j = self.pair_hash(t, node) & mask
        while self.shared[j] != 0:
            if self.shared[j] == key:
                return True
            j = (j + 1) & mask
        self.shared[j] = key
        self.shared_count += 1
        if 2 * self.shared_count > self.shared_size:
            old: cython.p_longlong = self.shared
            self.shared = new_area(2 * self.shared_size)
            mask = 2 * self.shared_size - 1
            for i in range(self.shared_size):
                k = old[i]
                if k != 0:
                    j = self.pair_hash(k >> 32, k & 0x7FFFFFFF) & mask
                    while self.shared[j] != 0:
                        j = (j + 1) & mask
                    self.shared[j] = k
            free_area(old)
            self.shared_size *= 2
        return False

    def pair_hash(self, a, b):
        h: cython.longlong = ((a ^ 16777619) * 40503 + b) & 0x3FFFFFFF
        h = (h ^ (h >> 15)) * 16777619 & 0x3FFFFFFF
        return h ^ (h >> 15)

    # ---- evaluation

    def known_table(self, p, n):
        """The table of the call of p with arguments in x, if the cache of calls has it; else 0. What is
        cached has constants, stored terms and variables as arguments; or a list's first element in its
        place, if calls with that fail whatever its rest is (lookahead.py)."""
        x: cython.p_longlong = self.x
        word: cython.p_longlong = self.call_words
        calls: cython.p_longlong = self.calls
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        d: cython.longlong
        k: cython.longlong = self.preds[p * PSIZE + P_LOOK] - 1
        tag: cython.longlong = self.calls_number << 24 | p
        first: cython.longlong = 0
        g: cython.longlong = p
        h: cython.longlong = p
        self.call_slot = -1
        if n > CALL_ARGUMENTS:
            return 0
        for i in range(n):
            c = x[i]
            while c & 7 == REF:
                d = self.heap[c >> 3]
                if d == c:
                    break
                c = d
            x[i] = c
            d = c & 7
            if d == REF:
                j = 0
                while x[j] != c:
                    j += 1
                c = j << 3 | REF
            elif d == LST or d == STR or d == BOX:
                return 0
            word[i] = c
            h = ((h ^ c) * 16777619) & 0x3FFFFFFF
            if i == k and d == GLS:
                first = self.head_word(c)
                c = first
            g = ((g ^ c) * 16777619) & 0x3FFFFFFF
        if first != 0:
            c = ((g ^ (g >> 15)) & (CALL_CACHE - 1)) * CALL_SIZE
            if calls[c] == tag and calls[c + 2 + k] == first:
                i = 0
                while i < n and (i == k or calls[c + 2 + i] == word[i]):
                    i += 1
                if i == n:
                    self.preds[p * PSIZE + P_LOOKS] = 0
                    return calls[c + 1]
        c = ((h ^ (h >> 15)) & (CALL_CACHE - 1)) * CALL_SIZE
        self.call_slot = c
        if calls[c] != tag:
            return 0
        for i in range(n):
            if calls[c + 2 + i] != word[i]:
                return 0
        c = calls[c + 1]
        return c if self.tables[c * TB_SIZE + TB_STATUS] != TS_NEW else 0

    def head_word(self, c):
        """What stands for a stored list in a call that its first element decides; no argument has its tag.
        0 for a list that does not begin with an atom or a small integer."""
        c = self.store[c >> 3]
        if c & 7 == ATM:
            return c - ATM + LST
        return c - INT + STR if c & 7 == INT else 0

    def cache_call(self, p, n, t):
        """The call that known_table did not know has table t."""
        c: cython.longlong = self.call_slot
        i: cython.longlong
        if c >= 0:
            self.calls[c] = self.calls_number << 24 | p
            self.calls[c + 1] = t
            for i in range(n):
                self.calls[c + 2 + i] = self.call_words[i]
        return 0

    def fails_at_once(self, t):
        """Whether a call of table t has no answer (so far), and is dealt with. Most calls of a search."""
        q: cython.longlong = t * TB_SIZE
        if self.tables[q + TB_FIRST] != 0:
            return False
        if self.tables[q + TB_STATUS] == TS_COMPLETE:
            if self.tables[q + TB_GOAL] != self.goal_number:
                self.tables[q + TB_GOAL] = 0  # of use to more than one goal
            return True
        if self.running_top == 0 or self.reads_top == self.reads_size:
            return False
        self.depend_on(t)
        self.note_read(t)
        return True

    def depend_on(self, t):
        """The table that is being filled needs an incomplete one, t."""
        q: cython.longlong = t * TB_SIZE
        low: cython.longlong
        top: cython.longlong
        if self.tables[q + TB_STATUS] == TS_RUNNING:
            low = self.tables[q + TB_DFN]
        else:
            low = self.runner_of(self.tables[q + TB_AT] - 1)
        if self.running_top > 0:
            top = self.running[3 * self.running_top - 3] * TB_SIZE
            if low < self.tables[top + TB_LOW]:
                self.tables[top + TB_LOW] = low
        return 0

    def table_call(self, p, t):
        """A call of a tabled predicate, whose table is t (0: not known).
        0: no answer, 1: an answer was returned, 2: run the clauses."""
        n: cython.longlong = self.preds[p * PSIZE + P_ARITY]
        if t == 0:
            t = self.table_of(self.call_key(p, n), p)
            self.cache_call(p, n, t)
        q: cython.longlong = t * TB_SIZE
        status: cython.longlong = self.tables[q + TB_STATUS]
        if status == TS_NEW:
            return self.start_evaluation(t, n, False)
        if status != TS_COMPLETE:
            self.depend_on(t)
        elif self.tables[q + TB_GOAL] != self.goal_number:
            self.tables[q + TB_GOAL] = 0  # of use to more than one goal
        return self.return_answers(t, n)

    def runner_of(self, at):
        """The innermost table that is still running and under which the table at this place of the
        component stack was filled: it waits for nothing below that one."""
        low: cython.longlong = 0
        high: cython.longlong = self.running_top
        middle: cython.longlong
        while high - low > 1:
            middle = (low + high) // 2
            if self.running[3 * middle + 1] <= at:
                low = middle
            else:
                high = middle
        return low

    def start_evaluation(self, t, n, again):
        """Run the clauses of table t (again: it leads its component, and is on the stacks)."""
        q: cython.longlong = t * TB_SIZE
        i: cython.longlong
        a: cython.longlong
        node: cython.longlong
        if not again:
            if 3 * self.running_top + 8 > self.running_size:
                self.running = grow_area(self.running, self.running_size, 2 * self.running_size)
                self.running_size *= 2
            self.running[3 * self.running_top] = t
            self.running[3 * self.running_top + 1] = self.component_top
            self.running[3 * self.running_top + 2] = self.reads_top
            self.tables[q + TB_DFN] = self.running_top
            self.running_top += 1
            self.push_choice(BK_GENERATOR, n)
            self.choice[self.B + B_1] = t
            self.choice[self.B + B_CUT] = self.watch
        else:
            self.watch = self.choice[self.B + B_CUT]
        self.tables[q + TB_LOW] = self.tables[q + TB_DFN]
        self.tables[q + TB_STATUS] = TS_RUNNING
        self.round_number += 1
        self.tables[q + TB_ROUND] = self.round_number
        # only the paths of the last evaluation count
        a = self.tables[q + TB_FIRST]
        while a != 0:
            node = self.answers[a * AN_SIZE + AN_NODE] * ND_SIZE
            if self.nodes[node + ND_OWNER] == t:
                self.nodes[node + ND_FIRST] = 0
                self.nodes[node + ND_LAST] = 0
            a = self.answers[a * AN_SIZE + AN_NEXT]
        # the frame that ANSWER looks at
        etop: cython.longlong = self.choice[self.B + B_ETOP]
        self.grow_env(etop + n + 16)
        self.env[etop + E_PREV] = self.E
        self.env[etop + E_CP] = self.CP
        self.env[etop + E_N] = n + 2
        self.env[etop + E_SLOTS] = t << 3 | INT
        self.env[etop + E_SLOTS + 1] = self.XT << 3 | INT
        for i in range(n):
            self.env[etop + E_SLOTS + 2 + i] = self.x[i]
        self.E = etop
        self.CP = self.answer_code
        return 2

    def answer(self):
        """A clause of the table in the current frame succeeded: note the answer and its path."""
        e: cython.longlong = self.E + E_SLOTS
        t: cython.longlong = self.env[e] >> 3
        mark: cython.longlong = self.env[e + 1] >> 3
        n: cython.longlong = self.env[self.E + E_N] - 2
        q: cython.longlong = t * TB_SIZE
        p: cython.longlong = self.tables[q + TB_PRED]
        key: cython.longlong = self.word_key(self.tables[q + TB_KEY])
        i: cython.longlong
        node: cython.longlong
        new: cython.bint
        count: cython.longlong = self.node_count
        owner: cython.longlong
        if key & 7 == GST and self.store[(key >> 3) - 1] & 1:
            for i in range(n):
                self.x[i] = self.env[e + 2 + i]
            node = self.node_of(self.call_key(p, n), t)
            owner = self.nodes[node * ND_SIZE + ND_OWNER]
            if owner == 0:  # its table was dropped
                self.nodes[node * ND_SIZE + ND_OWNER] = t
                new = True
            elif owner == t:  # a table has its own nodes as answers from the start
                new = node >= count
            else:
                new = not self.shares(t, node)
        else:
            node = self.node_of(key, t)
            new = self.tables[q + TB_COUNT] == 0
            if self.nodes[node * ND_SIZE + ND_OWNER] == 0:
                self.nodes[node * ND_SIZE + ND_OWNER] = t
        if new:
            self.record_answer(t, node)
        if self.mode != 0 and self.preds[p * PSIZE + P_FLAGS] & F_PROB:
            if self.nodes[node * ND_SIZE + ND_OWNER] == t:
                self.record_path(node, mark)

    def generator_done(self):
        """The clauses of a table are exhausted: another evaluation (2), or return its answers."""
        b: cython.longlong = self.B
        t: cython.longlong = self.choice[b + B_1]
        n: cython.longlong = self.choice[b + B_N]
        q: cython.longlong = t * TB_SIZE
        d: cython.longlong = self.tables[q + TB_DFN]
        low: cython.longlong = self.tables[q + TB_LOW]
        parent: cython.longlong
        again: cython.longlong
        i: cython.longlong
        if low >= d:  # it leads its component
            if self.reads_top > self.running[3 * d + 2]:
                again = self.outdated(b, d)
                if again == t:
                    return self.start_evaluation(t, n, True)
                if again != 0:
                    return self.evaluate_again(again)
                self.reads_top = self.running[3 * d + 2]
            for i in range(self.running[3 * d + 1], self.component_top):
                self.tables[self.component[i] * TB_SIZE + TB_STATUS] = TS_COMPLETE
                self.tables[self.component[i] * TB_SIZE + TB_AT] = 0
            self.component_top = self.running[3 * d + 1]
            self.tables[q + TB_STATUS] = TS_COMPLETE
        else:
            if self.tables[q + TB_AT] == 0:
                if self.component_top + 8 > self.component_size:
                    self.component = grow_area(self.component, self.component_size, 2 * self.component_size)
                    self.component_size *= 2
                self.component[self.component_top] = t
                self.component_top += 1
                self.tables[q + TB_AT] = self.component_top
            self.tables[q + TB_STATUS] = TS_INCOMPLETE
            parent = self.running[3 * d - 3] * TB_SIZE
            if low < self.tables[parent + TB_LOW]:
                self.tables[parent + TB_LOW] = low
        self.running_top = d
        self.B = self.choice[b + B_PREV]
        self.HB = self.choice[self.B + B_H]
        if self.choice[b + B_3] & 2:
            return 0  # back to the leader that asked for it
        return self.return_answers(t, n)

    def note_read(self, t):
        """The table that is being filled has read all answers that the incomplete table t has so far."""
        if self.running_top == 0:
            return 0
        if self.reads_top == self.reads_size:
            self.reads = grow_area(self.reads, 4 * self.reads_size, 8 * self.reads_size)
            self.reads_size *= 2
        reader: cython.longlong = self.running[3 * self.running_top - 3]
        i: cython.longlong = 4 * self.reads_top
        self.reads[i] = reader
        self.reads[i + 1] = self.tables[reader * TB_SIZE + TB_ROUND]
        self.reads[i + 2] = t
        self.reads[i + 3] = self.tables[t * TB_SIZE + TB_COUNT]
        self.reads_top += 1
        return 0

    def outdated(self, b, d):
        """A table of the component that began at depth d and that missed answers, which came after it had
        read all there were; 0 if none did. The leader's choice point b holds how far the look got (B_2),
        and whether something was evaluated since it began (1 in B_3)."""
        first: cython.longlong = self.running[3 * d + 2]
        i: cython.longlong = self.choice[b + B_2]
        t: cython.longlong
        if i < first:
            i = first
        while True:
            while i < self.reads_top:
                t = self.reads[4 * i] * TB_SIZE
                # reads of an earlier evaluation do not count
                if (
                    self.tables[t + TB_ROUND] == self.reads[4 * i + 1]
                    and self.tables[self.reads[4 * i + 2] * TB_SIZE + TB_COUNT] > self.reads[4 * i + 3]
                    and (
                        self.tables[t + TB_STATUS] == TS_INCOMPLETE
                        or self.tables[t + TB_STATUS] == TS_RUNNING
                    )
                    and (self.mode != 2 or self.tables[t + TB_COUNT] == 0)
                ):
                    self.choice[b + B_2] = i + 1
                    self.choice[b + B_3] |= 1
                    return self.reads[4 * i]
                i += 1
            if self.choice[b + B_3] & 1 == 0:
                return 0
            self.choice[b + B_3] &= 2
            i = first

    def evaluate_again(self, t):
        """Run the clauses of a table of the component whose leader is on top; then fail back to that."""
        n: cython.longlong = self.preds[self.tables[t * TB_SIZE + TB_PRED] * PSIZE + P_ARITY]
        self.load_arguments(t, n)
        self.start_evaluation(t, n, False)
        self.choice[self.B + B_3] = 2
        return 2

    def load_arguments(self, t, n):
        """The arguments of a table's call, into x."""
        i: cython.longlong
        term: cython.longlong
        if n > 0:
            self.x_room(n)
            term = self.instantiate(self.word_key(self.tables[t * TB_SIZE + TB_KEY]), [])
            for i in range(n):
                self.x[i] = self.arg(term, i)
        return 0

    def drop_generators(self, down_to):
        """Tables that were being filled above a choice point are forgotten."""
        b: cython.longlong = self.B
        while b > down_to:
            if self.choice[b + B_KIND] == BK_GENERATOR:
                self.drop_generator(b)
            b = self.choice[b + B_PREV]
        return 0

    def drop_generator(self, b):
        """A table was being filled when the search was left: forget it and its component."""
        t: cython.longlong = self.choice[b + B_1]
        q: cython.longlong = t * TB_SIZE
        d: cython.longlong = self.tables[q + TB_DFN]
        i: cython.longlong
        for i in range(self.running[3 * d + 1], self.component_top):
            self.drop_table(self.component[i])
        self.component_top = self.running[3 * d + 1]
        self.reads_top = self.running[3 * d + 2]
        self.running_top = d
        self.drop_table(t)

    # ---- answers returned

    def return_answers(self, t, n):
        """Give the caller the first answer of a table; the others wait behind a choice point."""
        q: cython.longlong = t * TB_SIZE
        a: cython.longlong = self.tables[q + TB_FIRST]
        if a == 0:
            if self.tables[q + TB_STATUS] != TS_COMPLETE:
                self.note_read(t)
            return 0
        if self.tables[q + TB_STATUS] != TS_COMPLETE or self.answers[a * AN_SIZE + AN_NEXT] != 0:
            self.push_choice(BK_ANSWERS, n)
            self.choice[self.B + B_1] = a
            self.choice[self.B + B_2] = t
        return 1 if self.use_answer(t, a, n) else 0

    def answers_next(self):
        b: cython.longlong = self.B
        t: cython.longlong = self.choice[b + B_2]
        a: cython.longlong = self.answers[self.choice[b + B_1] * AN_SIZE + AN_NEXT]
        q: cython.longlong = t * TB_SIZE
        n: cython.longlong = self.choice[b + B_N]
        if a == 0:
            if self.tables[q + TB_STATUS] != TS_COMPLETE:
                self.note_read(t)
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]
            return 0
        if self.tables[q + TB_STATUS] == TS_COMPLETE and self.answers[a * AN_SIZE + AN_NEXT] == 0:
            self.B = self.choice[b + B_PREV]
            self.HB = self.choice[self.B + B_H]
        else:
            self.choice[b + B_1] = a
        return 1 if self.use_answer(t, a, n) else 0

    def use_answer(self, t, a, n):
        """Unify the call in x with an answer; in explanation mode note the node."""
        node: cython.longlong = self.answers[a * AN_SIZE + AN_NODE]
        word: cython.longlong = self.nodes[node * ND_SIZE + ND_TERM]
        q: cython.longlong = t * TB_SIZE
        i: cython.longlong
        term: cython.longlong
        if word >= 0:
            if self.store[word - 1] & 1:
                term = self.instantiate(self.word_key(word), [])
                for i in range(n):
                    if not self.unify(self.x[i], self.arg(term, i)):
                        return False
            elif word != self.tables[q + TB_KEY]:
                for i in range(n):
                    if self.x[i] != self.store[word + 1 + i]:
                        if not self.unify(self.x[i], self.store[word + 1 + i]):
                            return False
        if self.mode != 0 and self.preds[self.tables[q + TB_PRED] * PSIZE + P_FLAGS] & F_PROB:
            self.push_item(node << 1)
        return True

    # ---- what was found

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
            paths = numpy.frombuffer(words_view(self.paths, p * 3), numpy.int32).reshape(p, 3)
            items = numpy.frombuffer(words_view(self.items, self.item_count), numpy.int32)
        else:
            nodes = numpy.array(self.nodes[: n * ND_SIZE], numpy.int32).reshape(n, ND_SIZE)
            paths = numpy.array(self.paths[: p * 3], numpy.int32).reshape(p, 3)
            items = numpy.array(self.items[: self.item_count], numpy.int32)
        return nodes[:, ND_FIRST], paths[:, 0], paths[:, 1], paths[:, 2], items


def new_items(n):
    if cython.compiled:
        area = cython.cast(cython.p_int, malloc(n * 4))  # noqa: F821
        if area == cython.NULL:
            raise MemoryError
        return area
    else:
        return [0] * n


def grow_items(area, old, new):
    if cython.compiled:
        bigger = cython.cast(cython.p_int, realloc(area, new * 4))  # noqa: F821
        if bigger == cython.NULL:
            raise MemoryError
        return bigger
    else:
        if new > old:
            area.extend([0] * (new - old))
        else:
            del area[new:]
        return area


def words_view(area, n):
    """The bytes of n 32-bit words where they are."""
    if cython.compiled:
        return PyMemoryView_FromMemory(cython.cast(cython.p_char, area), 4 * n, PyBUF_READ)  # noqa: F821
    else:
        return b""
