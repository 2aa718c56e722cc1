# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O2 -flto
"""msw/2 in the machine: a draw when sampling; in explanation mode the outcomes of the switch, one by one.

What a switch is, is not known here: `sampler` draws, and `switch_hook` tells the outcomes of one that this
search has not met (it calls outcomes.add). `outside_hook`, if there is one, gives instance numbers to values
that are no outcomes.
"""

import cython

from prism_repl.core.machine import Switches

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.core.interning import intern
    from prism_repl.core.out_of_line import check_signals
    from prism_repl.core.unification import unify
    from prism_repl.tabling.evaluation import Evaluation


class Msw(Switches):
    """The random switches of this search and their outcomes."""

    def __init__(self, m):
        tabling: Evaluation = m.tabling
        self.symbols = m.symbols
        self.heap = m.heap
        self.store = m.store
        self.terms = m.terms
        self.program = m.program
        self.stacks = m.stacks
        self.outcomes = m.outcomes
        self.tabling = tabling
        self.branches = tabling.branches
        self.shortcuts = tabling.shortcuts
        self.switch_hook = None
        self.sampler = None
        self.outside_hook = None
        self.names = new_area(NM_SIZE * NAMES)
        self.name_words = new_area(2)
        self.atom_switch_size = first_size(1 << 8)
        self.atom_switch = new_area(self.atom_switch_size)

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.names)
            free_area(self.name_words)
            free_area(self.atom_switch)

    def switch_of(self, m, name):
        """The number of the switch with this (dereferenced) name, through the hook if it is new in
        this search. The hook calls outcomes.add."""
        s: cython.longlong
        f: cython.longlong
        a: cython.longlong
        b: cython.longlong
        at: cython.longlong
        if name & 7 == ATM and name >> 3 < self.atom_switch_size:
            s = self.outcomes.known(self.atom_switch[name >> 3], name)
            return s if s != 0 else self.find_switch(m, name)
        at = self.name_place(name)
        if at < 0:
            return self.find_switch(m, name)
        f = self.heap.cells[name >> 3]
        a = self.name_words[0]
        b = self.name_words[1]
        if self.names[at] == f and self.names[at + 1] == a and self.names[at + 2] == b:
            if self.names[at + 4] == self.outcomes.generation:
                return self.names[at + 3]
        s = self.find_switch(m, name)  # may meet other switches
        self.names[at] = f
        self.names[at + 1] = a
        self.names[at + 2] = b
        self.names[at + 3] = s
        self.names[at + 4] = self.outcomes.generation
        return s

    @cython.final
    def name_place(self, name):
        """Where the names met last have a structure of one or two constants; -1 for other names."""
        h: cython.longlong
        i: cython.longlong
        n: cython.longlong
        c: cython.longlong
        p: cython.longlong = name >> 3
        if name & 7 != STR:
            return -1
        h = self.heap.cells[p]
        n = self.symbols.functor_arity[h >> 3]
        if n > 2:
            return -1
        self.name_words[1] = 0
        for i in range(n):
            c = deref(self.heap.cells, self.heap.cells[p + 1 + i])
            if c & 7 != ATM and c & 7 != INT:
                return -1
            self.name_words[i] = c
            h = (h * 31 + c) & 0x3FFFFFFF
        return ((h ^ (h >> 9)) & (NAMES - 1)) * NM_SIZE

    def find_switch(self, m, name):
        """The same by the stored name."""
        c: cython.longlong = intern(self.terms, name, False)
        s: cython.longlong = 0
        if c == 0:
            return self.switch_hook(m, name)
        if c & 7 == GST:
            s = self.outcomes.known(self.store.cells[(c >> 3) - 4], c)
            if s == 0:
                s = self.switch_hook(m, c)
                self.outcomes.names[s] = c
                self.store.cells[(c >> 3) - 4] = s
            return s
        if c & 7 == ATM:
            i: cython.longlong = c >> 3
            s = self.switch_hook(m, c)
            if i >= self.atom_switch_size:
                size: cython.longlong = larger(self.atom_switch_size, i + 1)
                self.atom_switch = grow_area(self.atom_switch, self.atom_switch_size, size)
                self.atom_switch_size = size
            self.outcomes.names[s] = c
            self.atom_switch[i] = s
            return s
        known = self.outcomes.odd.get(c)
        if known is not None:
            return known
        s = self.switch_hook(m, c)
        self.outcomes.odd[c] = s
        return s

    def first(self, m):
        """msw(Name, Value): draw when sampling, enumerate in explanation search."""
        name: cython.longlong = self.terms.deref(self.stacks.x[0])
        s: cython.longlong
        v: cython.longlong
        n: cython.longlong
        i: cython.longlong
        first: cython.longlong
        if self.switch_hook is None:
            return Switches.first(self, m)
        value: cython.longlong = self.stacks.x[1]  # the hooks may run goals, which use the registers
        site: cython.longlong = self.outcomes.site
        self.outcomes.site = 0
        if self.stacks.mode == 0:
            v = self.sampler(m, name)
            return 1 if unify(self.terms, value, v) else 0
        s = self.switch_of(m, name)
        self.stacks.x[0] = name
        self.stacks.x[1] = value
        n = self.outcomes.sizes[s]
        first = self.outcomes.first[s]
        v = self.terms.deref(self.stacks.x[1])
        t: cython.longlong = v & 7
        if t != REF:
            i = v if t == ATM or t == INT else intern(self.terms, v, False)
            if i != 0:  # a ground value: at most one outcome
                v = i
                for i in range(n):
                    if self.outcomes.cells[first + i] == v:
                        if self.outcomes.doubles[s] != 0:
                            return self.msw_try(s, i, False)
                        if site != 0 and self.shortcuts.on():
                            self.program.code[site + 2] = self.outcomes.generation
                            self.program.code[site + 3] = (self.outcomes.base[s] + i) << 1 | 1
                        self.stacks.push_item((self.outcomes.base[s] + i) << 1 | 1)
                        return 1
                if self.outside_hook is None:
                    return 0
                i = self.outside_hook(m, name, v)
                self.stacks.push_item(i << 1 | 1)
                return 1
        elif self.branches.outcomes_are_branches():
            self.stacks.x[1] = v
            self.stacks.push_choice(BK_MSW, 2)
            self.stacks.choice[self.stacks.B + B_1] = s
            self.stacks.choice[self.stacks.B + B_3] = 2
            self.shortcuts.foresee_outcomes(s)
            self.branches.begin_outcomes(n)
            return self.msw_branch(s)
        return self.msw_try(s, 0, False)

    @cython.final
    def next(self):
        b: cython.longlong = self.stacks.B
        if self.stacks.choice[b + B_3] == 2:
            return self.msw_branch(self.stacks.choice[b + B_1])
        return self.msw_try(self.stacks.choice[b + B_1], self.stacks.choice[b + B_2], True)

    @cython.final
    def msw_branch(self, s):
        """The next outcome of switch s that is a branch to be run; the value is a variable."""
        i: cython.longlong = self.tabling.next_outcome()
        if i < 0:
            self.stacks.pop_choice(self.stacks.B)
            return 0
        unify(self.terms, self.stacks.x[1], self.outcomes.cells[self.outcomes.first[s] + i])
        self.stacks.push_item((self.outcomes.base[s] + i) << 1 | 1)
        return 1

    @cython.final
    def msw_try(self, s, i, again):
        """The outcomes of switch s from number i on."""
        n: cython.longlong = self.outcomes.sizes[s]
        tr: cython.longlong
        hb: cython.longlong
        v: cython.longlong
        if not again and self.heap.attr_floor == 0 and i < n and self.heap.TR + 8 < self.heap.trail_size:
            v = self.terms.deref(self.stacks.x[1])
            if v & 7 == REF:  # as mostly: it takes the outcome
                self.stacks.x[1] = v
                if i + 1 < n:
                    self.stacks.push_choice(BK_MSW, 2)
                    self.stacks.choice[self.stacks.B + B_1] = s
                    self.stacks.choice[self.stacks.B + B_2] = i + 1
                    self.stacks.choice[self.stacks.B + B_3] = 1
                self.heap.cells[v >> 3] = self.outcomes.cells[self.outcomes.first[s] + i]
                if (v >> 3) < self.heap.HB:
                    self.heap.trail[self.heap.TR] = v >> 3
                    self.heap.TR += 1
                self.stacks.push_item((self.outcomes.base[s] + i) << 1 | 1)
                return 1
        while i < n:
            if i + 1 < n and not again:
                self.stacks.x[1] = self.terms.deref(self.stacks.x[1])
                self.stacks.push_choice(BK_MSW, 2)
                again = True
                self.stacks.choice[self.stacks.B + B_1] = s
                self.stacks.choice[self.stacks.B + B_3] = 1 if self.stacks.x[1] & 7 == REF else 0
            elif i + 1 == n and again:
                self.stacks.pop_choice(self.stacks.B)
                again = False
            if again:
                self.stacks.choice[self.stacks.B + B_2] = i + 1
            tr = self.heap.TR
            hb = self.heap.HB
            self.heap.HB = self.heap.H
            if unify(self.terms, self.stacks.x[1], self.outcomes.cells[self.outcomes.first[s] + i]):
                self.heap.HB = hb
                self.stacks.push_item((self.outcomes.base[s] + i) << 1 | 1)
                return 1
            self.heap.undo_to(tr)
            self.heap.HB = hb
            i += 1
        return 0

    # ---- backtracking

    def retry(self, m):
        """The next outcome of the choice point on top."""
        b: cython.longlong = self.stacks.B
        i: cython.longlong
        if self.stacks.choice[b + B_3] == 2 and self.stacks.XT + 8 < self.stacks.expl_size:
            return self.retry_branch()
        x: cython.p_longlong = self.stacks.x
        choice: cython.p_longlong = self.stacks.choice
        for i in range(choice[b + B_N]):
            x[i] = choice[b + B_ARGS + i]
        self.heap.HB = self.heap.H
        if m.ticks <= 0:
            check_signals(m)
        i = self.next()
        self.stacks.P = self.stacks.CP
        return R_FAIL if i == 0 else R_GO

    @cython.final
    def retry_branch(self):
        """The next outcome that has to be tried as a branch of a table."""
        b: cython.longlong = self.stacks.B
        i: cython.longlong = self.tabling.next_outcome()
        s: cython.longlong = self.stacks.choice[b + B_1]
        a: cython.longlong
        if i < 0:
            self.stacks.B = self.stacks.choice[b + B_PREV]
            return R_FAIL
        a = self.stacks.choice[b + B_ARGS + 1] >> 3
        self.heap.cells[a] = self.outcomes.cells[self.outcomes.first[s] + i]
        self.stacks.expl[self.stacks.XT] = (self.outcomes.base[s] + i) << 1 | 1
        self.stacks.XT += 1
        if a < self.stacks.choice[self.stacks.B + B_H] or a < self.heap.attr_floor:
            self.heap.trail_room(1)
            self.heap.trail[self.heap.TR] = a
            self.heap.TR += 1
        self.stacks.P = self.stacks.CP
        return R_GO
