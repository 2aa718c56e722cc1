# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""The program: predicates, their clauses, and the area where instructions are.

A predicate is PSIZE words in `preds` (kind, flags, chains of clauses, hash table of first arguments); a
clause is a header and instructions in `code`. Both are indices: the areas move when they grow.
database.py adds clauses and erases them, the compiler writes their instructions.
"""

import cython

from prism_repl.core.errors import resource_error
from prism_repl.core.instructions import COMMON_MODES, CONSTANTS

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.copying import thaw_words
    from prism_repl.core.instructions import *  # noqa: F403


class Program:
    """Predicates and code; stubs.py adds those that no clause defines."""

    def __init__(self, terms):
        self.terms = terms
        self.symbols = terms.symbols
        self.heap = terms.heap
        self.store = terms.store
        self.code_size = first_size(1 << 15)
        self.code = new_area(self.code_size)
        self.code_top = 16  # address 0 means "none"
        self.free_code = new_area(128)
        self.notes_size = first_size(1 << 6)
        self.notes = new_area(self.notes_size)
        self.notes_top = 0
        self.preds_size = first_size(1 << 8)
        self.preds = new_area(self.preds_size * PSIZE)
        self.pred_count = 1  # predicate 0 means "none"
        self.functor_pred_size = first_size(1 << 10)
        self.functor_pred = new_area(self.functor_pred_size)
        self.generation = 1
        self.releases = 0
        self.hosts = []
        self.host_names = []
        self.overridden = []

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.code)
            free_area(self.free_code)
            free_area(self.notes)
            free_area(self.preds)
            free_area(self.functor_pred)

    def stub(self, words):
        n: cython.longlong = len(words)
        at: cython.longlong = self.alloc_code(n)
        i: cython.longlong
        for i in range(n):
            self.code[at + i] = words[i]
        return at

    def define_code(self, name, arity, words, flags):
        p: cython.longlong = self.pred(self.symbols.functor(self.symbols.atom(name), arity))
        self.preds[p * PSIZE + P_KIND] = K_CODE
        self.preds[p * PSIZE + P_FLAGS] = F_SYSTEM | F_DEFINED | flags
        self.preds[p * PSIZE + P_ENTRY] = self.stub(words)

    def define_host(self, name, arity, function):
        """Make a Python function the predicate name/arity."""
        p: cython.longlong = self.pred(self.symbols.functor(self.symbols.atom(name), arity))
        self.preds[p * PSIZE + P_KIND] = K_HOST
        self.preds[p * PSIZE + P_FLAGS] = F_SYSTEM | F_DEFINED
        self.preds[p * PSIZE + P_ENTRY] = len(self.hosts)
        if (name, arity) in COMMON_MODES:
            self.preds[p * PSIZE + P_COMMON] = CONSTANTS[COMMON_MODES[name, arity]]
        self.hosts.append(function)
        self.host_names.append((name, arity))

    # ---- predicates

    def pred(self, functor_number):
        """The number of the predicate with this functor; made if it is not there."""
        f: cython.longlong = functor_number
        if f >= self.functor_pred_size:
            size: cython.longlong = larger(self.functor_pred_size, f + 1)
            self.functor_pred = grow_area(self.functor_pred, self.functor_pred_size, size)
            self.functor_pred_size = size
        p: cython.longlong = self.functor_pred[f]
        if p == 0:
            if self.pred_count == self.preds_size:
                n: cython.longlong = larger(self.preds_size, 0)
                self.preds = grow_area(self.preds, self.preds_size * PSIZE, n * PSIZE)
                self.preds_size = n
            p = self.pred_count
            self.pred_count += 1
            self.functor_pred[f] = p
            self.preds[p * PSIZE + P_FUNCTOR] = f
            self.preds[p * PSIZE + P_ARITY] = self.symbols.functor_arity[f]
        return p

    def find_pred(self, functor_number):
        """The number of the predicate with this functor, or 0."""
        if functor_number >= self.functor_pred_size:
            return 0
        return self.functor_pred[functor_number]

    def pred_field(self, p, field):
        return self.preds[p * PSIZE + field]

    def set_pred_field(self, p, field, value):
        self.preds[p * PSIZE + field] = value
        # the database sets these again when it knows better
        self.preds[p * PSIZE + P_FAST] = 0
        self.preds[p * PSIZE + P_HEAD_TAIL] = 0
        return 0

    def override(self, functor_number):
        """A new, empty predicate for this functor; code compiled so far keeps calling the old one."""
        old: cython.longlong = self.pred(functor_number)
        f: cython.longlong = functor_number
        self.overridden.append((functor_number, old))
        self.functor_pred[f] = 0
        return self.pred(functor_number)

    def hide(self, indicators):
        """Predicates, as (name, arity), that only code compiled so far may call."""
        f: cython.longlong
        for name, arity in indicators:
            f = self.symbols.functor(self.symbols.atom(name), arity)
            if f < self.functor_pred_size:
                self.functor_pred[f] = 0

    def restore_overridden(self):
        """Library predicates that a program had replaced come back."""
        f: cython.longlong
        while self.overridden:
            f, old = self.overridden.pop()
            self.functor_pred[f] = old

    # ---- code

    def code_word(self, at):
        return self.code[at]

    def alloc_code(self, n):
        """n words of code: from the free list of that size, or at the end. Sizes are rounded:
        multiples of 4 below 256 words, powers of two above."""
        k: cython.longlong
        size: cython.longlong
        if n <= 256:
            k = (n + 3) // 4
            size = 4 * k
        else:
            k = 65
            size = 512
            while size < n:
                size *= 2
                k += 1
        at: cython.longlong = self.free_code[k]
        if at != 0:
            self.free_code[k] = self.code[at]
            return at
        if self.code_top + size + 64 > self.code_size:
            if self.code_top + size + 64 > self.heap.limit:
                raise resource_error("program_space")
            new: cython.longlong = next_size(self.code_size, self.code_top + size + 64, self.heap.limit)
            self.code = extend_area(self.code, self.code_size, new)
            self.code_size = new
        at = self.code_top
        self.code_top += size
        return at

    def note_place(self, at):
        """A word of code holds a stored term, which may move while a search notes new ones."""
        if self.notes_top == self.notes_size:
            size: cython.longlong = larger(self.notes_size, 0)
            self.notes = grow_area(self.notes, self.notes_size, size)
            self.notes_size = size
        self.notes[self.notes_top] = at
        self.notes_top += 1
        return 0

    def release_code(self, at, n):
        k: cython.longlong
        size: cython.longlong
        if self.notes_top > 0:  # one of them may be here
            self.notes_top = 0
            self.store.generation += 1
        if n <= 256:
            k = (n + 3) // 4
        else:
            k = 65
            size = 512
            while size < n:
                size *= 2
                k += 1
        self.code[at] = self.free_code[k]
        self.free_code[k] = at
        self.releases += 1
        return 0

    def code_box(self, at, n):
        """The store cell of a box written in the code."""
        i: cython.longlong
        self.store.room(n + 2)
        top: cython.longlong = self.store.top
        for i in range(n):
            self.store.cells[top + i] = self.code[at + i]
        return self.store.find((top << 1 | 1) << 3 | BOX, n, top)

    # ---- clauses

    def first_key(self, c):
        """The index key of a first argument; 0 if it does not select."""
        t: cython.longlong
        c = deref(self.heap.cells, c)
        t = c & 7
        if t == ATM or t == INT:
            return c
        if t == LST or t == GLS:
            return LST
        if t == STR:
            return (self.heap.cells[c >> 3] >> 3) << 3 | STR
        if t == GST:
            return (self.store.cells[c >> 3] >> 3) << 3 | STR
        return 0

    def bucket(self, p, key):
        """The first clause of predicate p whose key is exactly this one, or 0."""
        q: cython.longlong = p * PSIZE
        table: cython.longlong = self.preds[q + P_HASH]
        mask: cython.longlong = self.preds[q + P_HMASK]
        if table == 0:
            return 0
        h: cython.longlong = key_place(key, mask)
        k: cython.longlong
        while True:
            k = self.code[table + 3 * h]
            if k == key:
                return self.code[table + 3 * h + 1]
            if k == 0:
                return 0
            h = (h + 1) & mask

    def next_clause(self, c, c2, generation):
        """The next clause alive at a generation: c2 == -1 follows the chain of all clauses; otherwise
        c is in the chain of a key and c2 in that of clauses without key, merged by their order.
        What follows is left in alt1, alt2 (already moved on to a living clause)."""
        a: cython.longlong = 0
        found: cython.longlong = 0
        if c2 == -1:
            while c != 0:
                if self.code[c + C_BIRTH] <= generation < self.code[c + C_DEATH]:
                    if found != 0:
                        break
                    found = c
                c = self.code[c + C_NEXT]
            self.alt1 = c
            self.alt2 = -1
            return found
        while True:
            while c != 0 and not (self.code[c + C_BIRTH] <= generation < self.code[c + C_DEATH]):
                c = self.code[c + C_NEXT_KEY]
            while c2 != 0 and not (self.code[c2 + C_BIRTH] <= generation < self.code[c2 + C_DEATH]):
                c2 = self.code[c2 + C_NEXT_KEY]
            if found != 0 or (c == 0 and c2 == 0):
                break
            if c2 == 0 or (c != 0 and self.code[c + C_SEQ] < self.code[c2 + C_SEQ]):
                a = c
                c = self.code[c + C_NEXT_KEY]
            else:
                a = c2
                c2 = self.code[c2 + C_NEXT_KEY]
            found = a
        self.alt1 = c
        self.alt2 = c2
        return found

    def clause_term(self, at):
        """The term of a dynamic clause, fresh on the heap: Head :- Body or a fact."""
        t: cython.longlong = self.code[at + C_TERM]
        n: cython.longlong = self.code[t]
        b: cython.longlong = self.code[t + 1]
        if cython.compiled:
            return thaw_words(self.terms, self.code + t + 2, n, self.code + t + 2 + n, b)
        else:
            t += 2
            return thaw_words(self.terms, self.code[t : t + n], n, self.code[t + n : t + n + b], b)
