# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O3 -flto
"""Which table a call has, and what looking ahead has found for it: a call is found by two numbers.

Most calls of a search have one argument that is a list, and which differs from call to call: the list
argument of the predicate. The predicate with its other arguments is the pattern of the call, of which there
are few; they are numbered. Each list has a row: for each pattern that it was called with, the table. Each
first element has a row, too: for each pattern the result of the look ahead (lookahead.py), if calls may
succeed; and bits that tell with which patterns calls fail. So what is asked about one place of
a sequence lies close together.

Rows of lists are a cache: they are forgotten with each goal, and when there are too many. A list leads to
its row by the word before it in the store; the row leads back by the negative cell of the list before it. The
table of the call with [] in the place of the list is noted with the pattern. Calls whose list argument is no
list have a pattern of all arguments, with which their table is noted.

A row is a word (mask << 32 | entries) and mask + 1 entries (pattern << 32 | value, or 0), found by linear
probing from a hash of the pattern.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class CallIndex:
    """Patterns of calls, and rows of lists and of their first elements."""

    def __init__(self, m, tables):
        self.symbols = m.symbols
        self.heap = m.heap
        self.store = m.store
        self.program = m.program
        self.stacks = m.stacks
        self.tables = tables
        self.call_words = new_area(CALL_ARGUMENTS)
        self.call_pattern = 0
        self.call_list = 0
        self.found = -2
        self.unnumbered = False
        self.on = True
        self.generation = 1
        self.patterns_size = first_size(1 << 6)
        self.patterns = new_area(self.patterns_size * PN_SIZE)
        self.pattern_hash = new_area(2 * self.patterns_size)
        self.pattern_count = 1
        self.young_pattern = 1
        self.rows_size = first_size(1 << 10)
        self.rows = new_area(self.rows_size)
        self.rows_top = 0
        self.looks_size = first_size(1 << 10)
        self.looks = new_area(self.looks_size)
        self.looks_top = 0
        self.firsts_mask = first_size(1 << 6) - 1
        self.firsts = new_area(FS_SIZE * (self.firsts_mask + 1))
        self.firsts_count = 0
        self.fails_size = first_size(1 << 10)
        self.fails = new_area(self.fails_size)
        self.fails_top = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.call_words)
            free_area(self.patterns)
            free_area(self.pattern_hash)
            free_area(self.rows)
            free_area(self.looks)
            free_area(self.firsts)
            free_area(self.fails)

    def use(self, following):
        """Whether calls that fail for certain are passed over from now on. What was noted stays valid."""
        # beside a pattern there is room for so many bits of the generation only
        self.on = following and self.generation >> GENERATION_BITS == 0
        return 0

    # ---- patterns

    @cython.final
    def pattern_place(self, e, n):
        """Where the hash table has the pattern that is described at e of the patterns, or room for it."""
        mask: cython.longlong = 2 * self.patterns_size - 1
        patterns: cython.p_longlong = self.patterns
        hashed: cython.p_longlong = self.pattern_hash
        h: cython.longlong = 0
        i: cython.longlong
        k: cython.longlong
        for i in range(e, e + n + 1):
            h = (h * 31 + (patterns[i] >> 3)) & 0x3FFFFFFF
        h = (h ^ (h >> 11)) & mask
        while hashed[h] != 0:
            k = hashed[h] * PN_SIZE
            i = n
            while i >= 0 and patterns[k + i] == patterns[e + i]:
                i -= 1
            if i < 0:
                break
            h = (h + 1) & mask
        return h

    @cython.final
    def found_pattern(self, p, n, list_arg):
        """The number of the pattern of a call of p with the n words in call_words, apart from argument
        `list_arg` (-1: of all arguments). 0 if it has none so far."""
        i: cython.longlong
        e: cython.longlong = self.pattern_count * PN_SIZE
        patterns: cython.p_longlong = self.patterns
        word: cython.p_longlong = self.call_words
        patterns[e + PN_CALL] = p << 4 | (list_arg + 1)
        for i in range(n):
            patterns[e + PN_WORDS + i] = word[i]
        if list_arg >= 0:
            patterns[e + PN_WORDS + list_arg] = 0
        return self.pattern_hash[self.pattern_place(e, n)]

    @cython.final
    def pattern_of(self, p, n, list_arg):
        """The same; it gets a number if it has none. 0 if there is no room for one."""
        j: cython.longlong = self.found_pattern(p, n, list_arg)
        k: cython.longlong = self.pattern_count
        e: cython.longlong = k * PN_SIZE
        if j != 0:
            return j
        if k + 1 == self.patterns_size:
            if k + 1 < PATTERNS:
                self.grow_patterns()
            elif self.stacks.mode == 2:  # the looks that are running know their patterns by number
                return 0
            else:
                self.forget_patterns()
            return self.pattern_of(p, n, list_arg)
        self.patterns[e + PN_TABLE] = 0
        self.pattern_hash[self.pattern_place(e, n)] = k
        self.pattern_count = k + 1
        return k

    @cython.final
    def known_pattern(self, q, n, list_arg, plain):
        """The pattern of a call with n words in call_words and this list argument, 0 if it has none so far; q
        is the predicate's place. plain: the other arguments are distinct variables."""
        pattern: cython.longlong
        if not plain:
            return self.found_pattern(q // PSIZE, n, list_arg)
        pattern = self.program.preds[q + P_PATTERN]
        if pattern >> PATTERN_BITS == self.generation:
            return pattern & PATTERN_MASK
        pattern = self.found_pattern(q // PSIZE, n, list_arg)
        if pattern != 0:
            self.program.preds[q + P_PATTERN] = self.generation << PATTERN_BITS | pattern
        return pattern

    @cython.final
    def list_pattern(self, q, n, list_arg, plain):
        """The same; it gets a number if it has none. 0 if there is no room for one."""
        pattern: cython.longlong = self.known_pattern(q, n, list_arg, plain)
        return pattern if pattern != 0 else self.pattern_of(q // PSIZE, n, list_arg)

    @cython.final
    def grow_patterns(self):
        size: cython.longlong = self.patterns_size
        self.patterns = grow_area(self.patterns, size * PN_SIZE, 2 * size * PN_SIZE)
        self.pattern_hash = renew_area(self.pattern_hash, 4 * size)
        self.patterns_size = 2 * size
        self.hash_patterns()
        return 0

    @cython.final
    def hash_patterns(self):
        """Fill the hash table of the patterns anew. One without a predicate is of no use any more."""
        k: cython.longlong
        e: cython.longlong
        for k in range(2 * self.patterns_size):
            self.pattern_hash[k] = 0
        for k in range(1, self.pattern_count):
            e = k * PN_SIZE
            if self.patterns[e + PN_CALL] >= 0:
                self.pattern_hash[self.pattern_place(e, self.pattern_arity(e))] = k
        return 0

    @cython.final
    def pattern_arity(self, e):
        return self.program.preds[(self.patterns[e + PN_CALL] >> 4) * PSIZE + P_ARITY]

    @cython.final
    def forget_patterns(self):
        """Forget all that is known of calls and of looks."""
        i: cython.longlong
        if self.pattern_count > 1:
            for i in range(2 * self.patterns_size):
                self.pattern_hash[i] = 0
        self.pattern_count = 1
        self.young_pattern = 1
        self.generation += 1
        self.use(self.on)
        self.forget_calls()
        return self.forget_looks()

    @cython.final
    def shrink_patterns(self):
        """Forget all, and give back what is large."""
        self.forget_patterns()
        if self.patterns_size > 1 << 10:
            self.pattern_hash = renew_area(self.pattern_hash, 2 << 6)
            self.patterns_size = 1 << 6
            self.patterns = renew_area(self.patterns, PN_SIZE << 6)
        if self.looks_size > 1 << 14:
            self.looks = renew_area(self.looks, 1 << 10)
            self.looks_size = 1 << 10
        if self.firsts_mask >= 1 << 12:
            self.firsts = renew_area(self.firsts, FS_SIZE << 6)
            self.firsts_mask = (1 << 6) - 1
        if self.fails_size > 1 << 14:
            self.fails = renew_area(self.fails, 1 << 10)
            self.fails_size = 1 << 10
        return 0

    @cython.final
    def forget_calls(self):
        """Tables have other numbers now, or stored terms other addresses."""
        i: cython.longlong
        for i in range(1, self.pattern_count):
            self.patterns[i * PN_SIZE + PN_TABLE] = 0
        return self.forget_rows()

    # ---- stored terms that a sweep moves (table_space.py)

    @cython.final
    def tenure(self):
        """The terms in all patterns of now stay where they are."""
        self.young_pattern = self.pattern_count
        return 0

    @cython.final
    def mark_terms(self, moved):
        """Mark the young lists that list_with has made: they stay."""
        y: cython.longlong = self.store.young
        i: cython.longlong
        for i in range(FS_LIST, (self.firsts_mask + 1) * FS_SIZE, FS_SIZE):
            if self.firsts[i] >> 3 >= y:
                moved[(self.firsts[i] >> 3) - y] = 1
        return 0

    @cython.final
    def terms_moved(self, moved):
        """Those lists, and patterns of calls, follow the terms in them."""
        y: cython.longlong = self.store.young
        i: cython.longlong
        for i in range(FS_LIST, (self.firsts_mask + 1) * FS_SIZE, FS_SIZE):
            if self.firsts[i] >> 3 >= y:
                self.firsts[i] = self.moved_cell(moved, self.firsts[i])
        return self.move_patterns(moved)

    @cython.final
    def moved_cell(self, moved, c):
        """The new cell of a young list or structure, which stays."""
        y: cython.longlong = self.store.young
        return (y + moved[(c >> 3) - y]) << 3 | (c & 7)

    @cython.final
    def move_patterns(self, moved):
        """Patterns with a term that goes are of no use any more."""
        y: cython.longlong = self.store.young
        k: cython.longlong
        e: cython.longlong
        i: cython.longlong
        c: cython.longlong
        changed: cython.bint = False
        for k in range(self.young_pattern, self.pattern_count):
            e = k * PN_SIZE
            for i in range(e + PN_WORDS, e + PN_WORDS + self.pattern_arity(e)):
                c = self.patterns[i]
                if c & 7 > BOX and c >> 3 >= y:
                    changed = True
                    if moved[(c >> 3) - y] == 0:
                        self.patterns[e + PN_CALL] = -1
                        break
                    self.patterns[i] = self.moved_cell(moved, c)
        if changed:
            self.hash_patterns()
        return 0

    # ---- rows

    @cython.final
    def forget_rows(self):
        """No list has a row."""
        self.rows_top = 0
        return 0

    @cython.final
    def row_entry(self, rows, base, pattern):
        """The entry for a pattern in the row at base, or 0."""
        mask: cython.longlong = rows[base] >> 32
        i: cython.longlong = (pattern * 40503 >> 8) & mask
        entry: cython.longlong = rows[base + 1 + i]
        while entry != 0 and entry >> 32 != pattern:
            i = (i + 1) & mask
            entry = rows[base + 1 + i]
        return entry

    @cython.final
    def put_in_row(self, rows, base, entry):
        mask: cython.longlong = rows[base] >> 32
        i: cython.longlong = ((entry >> 32) * 40503 >> 8) & mask
        while rows[base + 1 + i] != 0 and rows[base + 1 + i] >> 32 != entry >> 32:
            i = (i + 1) & mask
        if rows[base + 1 + i] == 0:
            rows[base] += 1
        rows[base + 1 + i] = entry
        return 0

    @cython.final
    def row_full(self, rows, base):
        return 2 * (rows[base] & 0x7FFFFFFF) > rows[base] >> 32

    @cython.final
    def copy_row(self, rows, base, top):
        """The row at base, with twice its size at top; a new one if base is negative."""
        size: cython.longlong = ROW_SIZE if base < 0 else 2 * ((rows[base] >> 32) + 1)
        i: cython.longlong
        rows[top] = (size - 1) << 32
        for i in range(size):
            rows[top + 1 + i] = 0
        if base >= 0:
            for i in range(size // 2):
                if rows[base + 1 + i] != 0:
                    self.put_in_row(rows, top, rows[base + 1 + i])
        return top + 1 + size

    @cython.final
    def row_of(self, c):
        """Where the row of a stored list is; -1 if it has none. The word before the list may be an old one:
        the row must lead back."""
        base: cython.longlong = self.store.cells[(c >> 3) - 1] >> ROW_SHIFT
        if base == 0 or base >= self.rows_top or self.rows[base - 1] != -c:
            return -1
        return base

    @cython.final
    def cache_call(self, t):
        """The call that known_table did not know has table t."""
        if self.call_pattern == 0:
            return 0
        if self.call_list == 0:
            self.patterns[self.call_pattern * PN_SIZE + PN_TABLE] = t
            return 0
        return self.note_table(self.call_list, self.call_pattern, t)

    @cython.final
    def note_table(self, c, pattern, t):
        """The call with a pattern and stored list c as list argument has table t."""
        rows: cython.p_longlong = self.rows
        at: cython.longlong = (c >> 3) - 1
        base: cython.longlong = self.row_of(c)
        if base < 0 or self.row_full(rows, base):
            if self.rows_top + (ROW_SIZE if base < 0 else 2 * ((rows[base] >> 32) + 1)) + 2 > self.rows_size:
                if self.rows_size < ROWS:
                    size: cython.longlong = larger(self.rows_size, 0)
                    self.rows = grow_area(rows, self.rows_size, size)
                    self.rows_size = size
                else:
                    self.forget_rows()
                return self.note_table(c, pattern, t)
            rows[self.rows_top] = -c
            self.store.cells[at] = (self.rows_top + 1) << ROW_SHIFT | (self.store.cells[at] & 255)
            at = self.rows_top + 1
            self.rows_top = self.copy_row(rows, base, at)
            base = at
        self.put_in_row(rows, base, pattern << 32 | t)
        return 0

    # ---- looks

    @cython.final
    def forget_looks(self):
        """Forget what looks have found."""
        i: cython.longlong
        self.looks_top = 0
        if self.firsts_count > 0:
            for i in range(FS_SIZE * (self.firsts_mask + 1)):
                self.firsts[i] = 0
        self.firsts_count = 0
        self.fails_top = 0
        return 0

    @cython.final
    def is_first(self, c):
        """Whether looks go by this first element of a list."""
        return c & 7 == ATM or c & 7 == INT

    @cython.final
    def first_place(self, word):
        """Where a first element is in their hash table, or could be."""
        i: cython.longlong = (word >> 3) & self.firsts_mask
        while self.firsts[i * FS_SIZE + FS_ROW] != 0 and self.firsts[i * FS_SIZE + FS_WORD] != word:
            i = (i + 1) & self.firsts_mask
        return i * FS_SIZE

    @cython.final
    def look_entry(self, word, pattern):
        """What a look at calls with this first element and pattern has found, as an entry of a row; 0 if
        there was none."""
        i: cython.longlong = self.first_place(word)
        if self.failed_at(i, pattern):
            return LK_KNOWN
        if self.firsts[i + FS_ROW] == 0:
            return 0
        return self.row_entry(self.looks, self.firsts[i + FS_ROW] - 1, pattern)

    @cython.final
    def look_failed(self, word, pattern):
        """Whether a look has found that calls with this first element and pattern fail."""
        return self.failed_at(self.first_place(word), pattern)

    @cython.final
    def failed_at(self, i, pattern):
        """The same for the first element at this place."""
        return (
            pattern >> 5 < self.firsts[i + FS_FAIL_WORDS]
            and self.fails[self.firsts[i + FS_FAILS] + (pattern >> 5)] >> (pattern & 31) & 1 != 0
        )

    @cython.final
    def note_result(self, word, pattern, value):
        """A look at calls with this first element and pattern has found this."""
        i: cython.longlong = self.noted_first(word)
        base: cython.longlong = self.firsts[i + FS_ROW] - 1
        need: cython.longlong = self.looks_top + 2 * ((self.looks[base] >> 32) + 1) + 1
        if need > self.looks_size or self.fails_top + 2 * (pattern >> 5) + 2 > self.fails_size:
            self.look_room(need, self.fails_top + 2 * (pattern >> 5) + 2)
            return self.note_result(word, pattern, value)
        if value & LK_BRANCHES == 0:
            return self.note_failure(i, pattern)
        if self.row_full(self.looks, base):
            self.firsts[i + FS_ROW] = self.looks_top + 1
            self.looks_top = self.copy_row(self.looks, base, self.looks_top)
            base = self.firsts[i + FS_ROW] - 1
        self.put_in_row(self.looks, base, pattern << 32 | value)
        return 0

    def noted_first(self, word):
        """Where a first element is among those that have a row; it gets one if it has none."""
        i: cython.longlong = self.first_place(word)
        if self.firsts[i + FS_ROW] != 0:
            return i
        if self.looks_top + ROW_SIZE + 1 > self.looks_size:
            self.look_room(self.looks_top + ROW_SIZE + 1, 0)
            return self.noted_first(word)
        self.firsts[i + FS_WORD] = word
        self.firsts[i + FS_ROW] = self.looks_top + 1
        self.firsts[i + FS_FAIL_WORDS] = 0
        self.firsts[i + FS_LIST] = 0
        self.looks_top = self.copy_row(self.looks, -1, self.looks_top)
        self.firsts_count += 1
        if 2 * self.firsts_count > self.firsts_mask:
            self.grow_firsts()
        return self.first_place(word)

    def list_with(self, word, rest):
        """The stored list of a first element and `rest`, which is always the same atom."""
        i: cython.longlong = self.noted_first(word)
        if self.firsts[i + FS_LIST] == 0:
            self.firsts[i + FS_LIST] = self.store.list_cell(word, rest)
        return self.firsts[i + FS_LIST]

    @cython.final
    def table_of_look(self, word, pattern):
        """The table of the look at calls with this first element and pattern; 0 if it is not known."""
        i: cython.longlong = self.first_place(word)
        if self.firsts[i + FS_ROW] == 0 or self.firsts[i + FS_LIST] == 0:
            return 0
        return self.list_table(self.firsts[i + FS_LIST], pattern)

    @cython.final
    def look_room(self, looks, fails):
        """Make room for so many words of rows, and of bits; or forget all looks."""
        if looks > LOOK_WORDS or fails > LOOK_WORDS:
            return self.forget_looks()
        size: cython.longlong
        if looks > self.looks_size:
            size = larger(self.looks_size, looks)
            self.looks = grow_area(self.looks, self.looks_size, size)
            self.looks_size = size
        if fails > self.fails_size:
            size = larger(self.fails_size, fails)
            self.fails = grow_area(self.fails, self.fails_size, size)
            self.fails_size = size
        return 0

    @cython.final
    def note_failure(self, i, pattern):
        """Calls with the first element at i of these, and with the pattern, fail."""
        n: cython.longlong = self.firsts[i + FS_FAIL_WORDS]
        k: cython.longlong = pattern >> 5
        at: cython.longlong = self.firsts[i + FS_FAILS]
        top: cython.longlong = self.fails_top
        j: cython.longlong
        if k >= n:
            for j in range(2 * k + 2):
                self.fails[top + j] = self.fails[at + j] if j < n else 0
            self.firsts[i + FS_FAILS] = top
            self.firsts[i + FS_FAIL_WORDS] = 2 * k + 2
            self.fails_top = top + 2 * k + 2
            at = top
        self.fails[at + k] |= 1 << (pattern & 31)
        return 0

    @cython.final
    def grow_firsts(self):
        old: cython.p_longlong = self.firsts
        size: cython.longlong = self.firsts_mask + 1
        i: cython.longlong
        j: cython.longlong
        at: cython.longlong
        self.firsts = new_area(2 * size * FS_SIZE)
        self.firsts_mask = 2 * size - 1
        for i in range(0, size * FS_SIZE, FS_SIZE):
            if old[i + FS_ROW] != 0:
                at = self.first_place(old[i + FS_WORD])
                for j in range(FS_SIZE):
                    self.firsts[at + j] = old[i + j]
        free_area(old)
        return 0

    # ---- calls

    @cython.final
    def pattern_table(self, pattern):
        """The table of the call with a pattern and the list argument [], or of one with a pattern of all
        arguments; 0 if it is not known."""
        t: cython.longlong = self.patterns[pattern * PN_SIZE + PN_TABLE]
        if pattern == 0 or t == 0:
            return 0
        return t if self.tables.records[t * TB_SIZE + TB_STATUS] != TS_NEW else 0

    @cython.final
    def list_table(self, c, pattern):
        """The table of the call with a pattern and stored list c as list argument; 0 if it is not known."""
        t: cython.longlong = self.row_of(c)
        if t < 0:
            return 0
        t = self.row_entry(self.rows, t, pattern) & 0x7FFFFFFF
        return t if t != 0 and self.tables.records[t * TB_SIZE + TB_STATUS] != TS_NEW else 0

    @cython.final
    def found_call(self, p, n):
        """The table of the call of p with arguments in x, if it is known; else 0. -1: a look has found that
        it fails. If it has found that the call may succeed, look_found is its entry. Calls with arguments
        that are constants, stored terms and variables can be known."""
        x: cython.p_longlong = self.stacks.x
        word: cython.p_longlong = self.call_words
        heap: cython.p_longlong = self.heap.cells
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        d: cython.longlong
        q: cython.longlong = p * PSIZE
        list_arg: cython.longlong = self.program.preds[q + P_LIST_ARG] - 1
        plain: cython.bint = True
        self.unnumbered = False
        self.call_pattern = 0
        self.call_list = 0
        self.look_found = 0
        if n > CALL_ARGUMENTS or not self.on:
            return 0
        for i in range(n):
            c = deref(heap, x[i])
            x[i] = c
            d = c & 7
            if d == REF:
                j = 0
                while x[j] != c:
                    j += 1
                c = j << 3 | REF
                if j != i:
                    plain = False
            elif d == LST or d == STR or d == BOX:
                return 0
            elif i != list_arg:
                plain = False
            word[i] = c
        if list_arg < 0 or (word[list_arg] & 7 != GLS and word[list_arg] != self.symbols.nil):
            self.call_pattern = self.found_pattern(p, n, -1)
            self.unnumbered = self.call_pattern == 0
            return self.pattern_table(self.call_pattern)
        c = word[list_arg]
        if c & 7 == GLS:
            self.call_list = c
        self.call_pattern = self.known_pattern(q, n, list_arg, plain)
        if self.call_pattern == 0:
            self.unnumbered = True
            return 0
        if self.call_list == 0:
            return self.pattern_table(self.call_pattern)
        i = self.list_table(c, self.call_pattern)
        if i != 0:
            return i
        c = self.store.cells[c >> 3]
        if self.is_first(c) and self.program.preds[q + P_LOOKS] < LOOKS:
            i = self.look_entry(c, self.call_pattern)
            if i != 0:
                if i & LK_BRANCHES == 0:
                    self.program.preds[q + P_LOOKS] = 0
                    return -1
                self.look_found = i
        return 0

    @cython.final
    def known_table(self, p, n):
        """As found_call, whose answer may be kept in `found`; the pattern of the call gets a number."""
        t: cython.longlong = self.found
        list_arg: cython.longlong = self.program.preds[p * PSIZE + P_LIST_ARG] - 1
        self.found = -2
        if t == -2:
            t = self.found_call(p, n)
        if self.unnumbered:
            self.unnumbered = False
            if list_arg >= 0 and self.call_list == 0 and self.call_words[list_arg] != self.symbols.nil:
                list_arg = -1
            self.call_pattern = self.pattern_of(p, n, list_arg)
        return t
