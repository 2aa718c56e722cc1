# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2
"""msw/2 in the machine: a draw when sampling; in explanation mode the outcomes of the switch, one by one.

What a switch is, is not known here: `sampler` draws, and `switch_hook` tells the outcomes of one that this
search has not met (it calls set_outcomes). `outside_hook`, if there is one, gives instance numbers to values
that are no outcomes.
"""

import cython

from prism_repl.core.errors import PrologError
from prism_repl.tabling.shortcuts.lookahead import Lookahead

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403


class Msw(Lookahead):
    """The random switches of this search and their outcomes."""

    def __init__(self):
        Lookahead.__init__(self)
        self.switch_hook = None
        self.sampler = None
        self.outside_hook = None
        self.odd_switches = {}
        self.names = new_area(NM_SIZE * NAMES)
        self.name_words = new_area(2)
        self.atom_switch_size = first_size(1 << 8)
        self.atom_switch = new_area(self.atom_switch_size)
        self.msw_site = 0
        self.switch_space = first_size(1 << 6)
        self.switch_base = new_area(self.switch_space)
        self.switch_first = new_area(self.switch_space)
        self.switch_size = new_area(self.switch_space)
        self.switch_doubles = new_area(self.switch_space)
        self.switch_name = new_area(self.switch_space)
        self.switch_count = 1
        self.switch_floor = 1
        self.switch_generation = 1
        self.outcomes_size = first_size(1 << 8)
        self.outcomes = new_area(self.outcomes_size)
        self.switch_call = new_area(self.switch_space)
        self.outcome_patterns = new_area(self.outcomes_size)
        self.outcome_count = 0

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.names)
            free_area(self.name_words)
            free_area(self.atom_switch)
            free_area(self.switch_name)
            free_area(self.switch_base)
            free_area(self.switch_first)
            free_area(self.switch_size)
            free_area(self.switch_doubles)
            free_area(self.outcomes)
            free_area(self.switch_call)
            free_area(self.outcome_patterns)

    def drop_everything(self):
        """Forget all tables and switches."""
        Lookahead.drop_everything(self)
        self.switch_count = 1
        self.outcome_count = 0
        return self.forget_switches()

    def clear_tables(self):
        """Forget all tables, as far as they are not in use, and what was cached of switches."""
        Lookahead.clear_tables(self)
        self.forget_switches()

    def forget_switches(self):
        """Ask for the outcomes of all switches again. Choice points may have some of them left."""
        self.odd_switches = {}
        self.switch_floor = self.switch_count
        self.switch_generation += 1
        return 0

    @cython.final
    def known_switch(self, s, name):
        """Switch s, which an old word may lead to, if it is the one with this stored name; else 0."""
        if s >= self.switch_floor and s < self.switch_count and self.switch_name[s] == name:
            return s
        return 0

    def switch_of(self, name):
        """The number of the switch with this (dereferenced) name, through the hook if it is new in
        this search. The hook calls set_outcomes."""
        s: cython.longlong
        f: cython.longlong
        a: cython.longlong
        b: cython.longlong
        at: cython.longlong = self.name_place(name)
        if at < 0:
            return self.find_switch(name)
        f = self.heap[name >> 3]
        a = self.name_words[0]
        b = self.name_words[1]
        if self.names[at] == f and self.names[at + 1] == a and self.names[at + 2] == b:
            if self.names[at + 4] == self.switch_generation:
                return self.names[at + 3]
        s = self.find_switch(name)  # may meet other switches
        self.names[at] = f
        self.names[at + 1] = a
        self.names[at + 2] = b
        self.names[at + 3] = s
        self.names[at + 4] = self.switch_generation
        return s

    @cython.final
    def name_place(self, name):
        """Where the names met last have a structure of one or two constants; -1 for other names."""
        h: cython.longlong
        i: cython.longlong
        n: cython.longlong
        c: cython.longlong
        d: cython.longlong
        p: cython.longlong = name >> 3
        if name & 7 != STR:
            return -1
        h = self.heap[p]
        n = self.functor_arity[h >> 3]
        if n > 2:
            return -1
        self.name_words[1] = 0
        for i in range(n):
            c = self.heap[p + 1 + i]
            while c & 7 == REF:
                d = self.heap[c >> 3]
                if d == c:
                    return -1
                c = d
            if c & 7 != ATM and c & 7 != INT:
                return -1
            self.name_words[i] = c
            h = (h * 31 + c) & 0x3FFFFFFF
        return ((h ^ (h >> 9)) & (NAMES - 1)) * NM_SIZE

    def find_switch(self, name):
        """The same by the stored name."""
        c: cython.longlong = self.intern(name, False)
        s: cython.longlong = 0
        if c == 0:
            return self.switch_hook(self, name)
        if c & 7 == GST:
            s = self.known_switch(self.store[(c >> 3) - 4], c)
            if s == 0:
                s = self.switch_hook(self, c)
                self.switch_name[s] = c
                self.store[(c >> 3) - 4] = s
            return s
        if c & 7 == ATM:
            i: cython.longlong = c >> 3
            if i < self.atom_switch_size:
                s = self.known_switch(self.atom_switch[i], c)
                if s != 0:
                    return s
            s = self.switch_hook(self, c)
            if i >= self.atom_switch_size:
                size: cython.longlong = larger(self.atom_switch_size, i + 1)
                self.atom_switch = grow_area(self.atom_switch, self.atom_switch_size, size)
                self.atom_switch_size = size
            self.switch_name[s] = c
            self.atom_switch[i] = s
            return s
        known = self.odd_switches.get(c)
        if known is not None:
            return known
        s = self.switch_hook(self, c)
        self.odd_switches[c] = s
        return s

    def set_outcomes(self, base, cells):
        """Note the outcomes of a switch for this search: base is the number of its first instance.
        Returns the search's number of the switch."""
        i: cython.longlong
        n: cython.longlong = len(cells)
        size: cython.longlong
        if self.switch_count == self.switch_space:
            size = larger(self.switch_space, 0)
            self.switch_base = grow_area(self.switch_base, self.switch_space, size)
            self.switch_first = grow_area(self.switch_first, self.switch_space, size)
            self.switch_size = grow_area(self.switch_size, self.switch_space, size)
            self.switch_doubles = grow_area(self.switch_doubles, self.switch_space, size)
            self.switch_call = grow_area(self.switch_call, self.switch_space, size)
            self.switch_name = grow_area(self.switch_name, self.switch_space, size)
            self.switch_space = size
        if self.outcome_count + n > self.outcomes_size:
            size = larger(self.outcomes_size, self.outcome_count + n)
            self.outcomes = grow_area(self.outcomes, self.outcomes_size, size)
            self.outcome_patterns = grow_area(self.outcome_patterns, self.outcomes_size, size)
            self.outcomes_size = size
        s: cython.longlong = self.switch_count
        self.switch_count += 1
        self.switch_base[s] = base
        self.switch_first[s] = self.outcome_count
        self.switch_size[s] = n
        self.switch_call[s] = 0
        self.switch_name[s] = 0
        for i in range(n):
            self.outcomes[self.outcome_count + i] = self.intern(cells[i], False)
        known = {self.outcomes[self.outcome_count + i] for i in range(n)}
        self.switch_doubles[s] = n - len(known)  # a value that occurs more than once is tried as often
        self.outcome_count += n
        return s

    def msw_first(self):
        """msw(Name, Value): draw when sampling, enumerate in explanation search."""
        name: cython.longlong = self.deref(self.x[0])
        s: cython.longlong
        v: cython.longlong
        n: cython.longlong
        i: cython.longlong
        first: cython.longlong
        if self.switch_hook is None:
            raise PrologError("existence_error", "procedure", self.database.indicator(self.p_msw))
        value: cython.longlong = self.x[1]  # the hooks may run goals, which use the registers
        site: cython.longlong = self.msw_site
        self.msw_site = 0
        if self.mode == 0:
            v = self.sampler(self, name)
            return 1 if self.unify(value, v) else 0
        s = self.switch_of(name)
        self.x[0] = name
        self.x[1] = value
        n = self.switch_size[s]
        first = self.switch_first[s]
        v = self.deref(self.x[1])
        t: cython.longlong = v & 7
        if t != REF:
            i = v if t == ATM or t == INT else self.intern(v, False)
            if i != 0:  # a ground value: at most one outcome
                v = i
                for i in range(n):
                    if self.outcomes[first + i] == v:
                        if self.switch_doubles[s] != 0:
                            return self.msw_try(s, i, False)
                        if site != 0 and self.shortcuts:
                            self.code[site + 2] = self.switch_generation
                            self.code[site + 3] = (self.switch_base[s] + i) << 1 | 1
                        self.push_item((self.switch_base[s] + i) << 1 | 1)
                        return 1
                if self.outside_hook is None:
                    return 0
                i = self.outside_hook(self, name, v)
                self.push_item(i << 1 | 1)
                return 1
        elif self.outcomes_are_branches():
            self.x[1] = v
            self.push_choice(BK_MSW, 2)
            self.choice[self.B + B_1] = s
            self.choice[self.B + B_3] = 2
            self.foresee_outcomes(s)
            self.begin_outcomes(n)
            return self.msw_branch(s)
        return self.msw_try(s, 0, False)

    def msw_next(self):
        b: cython.longlong = self.B
        if self.choice[b + B_3] == 2:
            return self.msw_branch(self.choice[b + B_1])
        return self.msw_try(self.choice[b + B_1], self.choice[b + B_2], True)

    def msw_branch(self, s):
        """The next outcome of switch s that is a branch to be run; the value is a variable."""
        i: cython.longlong = self.next_outcome()
        if i < 0:
            self.B = self.choice[self.B + B_PREV]
            self.HB = self.choice[self.B + B_H]
            return 0
        self.unify(self.x[1], self.outcomes[self.switch_first[s] + i])
        self.push_item((self.switch_base[s] + i) << 1 | 1)
        return 1

    def foresee_outcomes(self, s):
        """The outcomes of switch s are about to be run as branches, of the choice point on top. If all that
        follows is a tabled call, with the outcome, a list as its hub, and new variables otherwise, then that
        list is noted as B_2, and with the switch what is called; else B_2 is 0."""
        at: cython.longlong
        b: cython.longlong = self.B
        k: cython.longlong
        c: cython.longlong
        d: cython.longlong = 0
        word: cython.p_longlong = self.call_words
        value: cython.longlong = self.choice[b + B_ARGS + 1]
        outcome: cython.longlong = -1
        self.choice[b + B_2] = 0
        if not self.shortcuts:
            return 0
        q: cython.longlong = self.call_ahead()
        if q == 0:
            return 0
        hub: cython.longlong = self.preds[q + P_HUB] - 1
        n: cython.longlong = self.preds[q + P_ARITY]
        for k in range(n):
            c = self.deref(word[k]) if word[k] != -1 else -1
            if c == value:
                if outcome >= 0 or k == hub:
                    return 0
                outcome = k
            elif k == hub:
                if c & 7 != GLS and c != self.nil:
                    return 0
                d = c
            elif c != -1:
                if c & 7 != REF:
                    return 0
                for at in range(k):
                    if word[at] == c:
                        return 0
            word[k] = c
        if outcome < 0:
            return 0
        k = q << 8 | hub << 4 | outcome
        if self.switch_call[s] != k:
            # A switch that different calls follow is not foreseen: one may be tried within the other.
            self.switch_call[s] = k if self.switch_call[s] == 0 else -1
            for k in range(self.switch_first[s], self.switch_first[s] + self.switch_size[s]):
                self.outcome_patterns[k] = 0
        if self.switch_call[s] >= 0:
            self.choice[b + B_2] = d
        return 0

    def outcome_pattern(self, s, o):
        """The pattern of the call that follows outcome o, of switch s."""
        d: cython.longlong = self.switch_call[s]
        q: cython.longlong = d >> 8
        n: cython.longlong = self.preds[q + P_ARITY]
        k: cython.longlong = self.outcomes[o] & 7
        if k != ATM and k != INT and k != GLS and k != GST:
            return 0
        for k in range(n):
            self.call_words[k] = k << 3 | REF
        self.call_words[d & 15] = self.outcomes[o]
        k = self.pattern_of(q // PSIZE, n, d >> 4 & 15)
        self.outcome_patterns[o] = self.generation_of_calls << PATTERN_BITS | k
        return k

    def outcome_passed(self, i):
        """Whether outcome i of the msw whose choice point is on top, the next branch, need not be run, since
        the tabled call that follows has no answer so far."""
        b: cython.longlong = self.B
        s: cython.longlong = self.choice[b + B_1]
        o: cython.longlong = self.switch_first[s] + i
        pattern: cython.longlong = self.outcome_patterns[o]
        if self.switch_call[s] < 0:
            return False
        if pattern >> PATTERN_BITS == self.generation_of_calls:
            pattern &= PATTERN_MASK
        else:
            pattern = self.outcome_pattern(s, o)
        return self.fails_so_far(self.choice[b + B_2], pattern)

    def msw_try(self, s, i, again):
        """The outcomes of switch s from number i on."""
        n: cython.longlong = self.switch_size[s]
        tr: cython.longlong
        hb: cython.longlong
        while i < n:
            if i + 1 < n and not again:
                self.x[1] = self.deref(self.x[1])
                self.push_choice(BK_MSW, 2)
                again = True
                self.choice[self.B + B_1] = s
                self.choice[self.B + B_3] = 1 if self.x[1] & 7 == REF else 0
            elif i + 1 == n and again:
                self.B = self.choice[self.B + B_PREV]
                self.HB = self.choice[self.B + B_H]
                again = False
            if again:
                self.choice[self.B + B_2] = i + 1
            tr = self.TR
            hb = self.HB
            self.HB = self.H
            if self.unify(self.x[1], self.outcomes[self.switch_first[s] + i]):
                self.HB = hb
                self.push_item((self.switch_base[s] + i) << 1 | 1)
                return 1
            self.undo_to(tr)
            self.HB = hb
            i += 1
        return 0

    def switch_arrays(self):
        """Instance base and size of each switch met in this search."""
        sizes = {self.switch_base[i]: self.switch_size[i] for i in range(1, self.switch_count)}
        return list(sizes.keys()), list(sizes.values())
