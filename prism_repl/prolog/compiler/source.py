# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""The clause that is compiled, a flat image in which a variable is its index, and what can be read off it."""

import cython

from prism_repl.core.errors import PrologError

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.copying import flatten
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.prolog.compiler.kinds import *  # noqa: F403


class Source:
    """A clause: its cells and boxes, its head and its body."""

    def __init__(self, m, goal_kinds):
        self.terms = m.terms
        self.heap = m.heap
        self.symbols = m.symbols
        self.goal_kinds = goal_kinds
        self.n = 0
        self.size = first_size(1 << 10)
        self.cells = new_area(self.size)
        self.boxes_size = first_size(64)
        self.boxes = new_area(self.boxes_size)

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.cells)
            free_area(self.boxes)

    def load(self, clause, loaded):
        """Copy the clause out of the heap."""
        heap = self.heap
        i: cython.longlong
        flatten(self.terms, clause, False)
        self.n = heap.image_top
        self.room(0)
        for i in range(self.n):
            self.cells[i] = heap.image[i]
        self.nboxes = heap.boxes_top
        if self.nboxes > self.boxes_size:
            i = larger(self.boxes_size, self.nboxes)
            self.boxes = grow_area(self.boxes, self.boxes_size, i)
            self.boxes_size = i
        for i in range(self.nboxes):
            self.boxes[i] = heap.boxes[i]
        self.kept = self.n
        self.loaded = loaded
        i = self.cells[0]
        if heap.image_shared:
            i = self.share(i)
        self.set_clause(i)
        return 0

    def room(self, more):
        n: cython.longlong = self.n + more
        size: cython.longlong
        if n > self.size:
            size = larger(self.size, n)
            self.cells = grow_area(self.cells, self.size, size)
            self.size = size
        return 0

    def set_clause(self, c):
        """Head and body of a clause."""
        self.head = c
        self.body = self.symbols.a_true
        if c & 7 == STR and self.cells[c >> 3] == self.symbols.f_neck << 3 | INT:
            self.head = self.cells[(c >> 3) + 1]
            self.body = self.cells[(c >> 3) + 2]
        return 0

    # ---- shared parts

    def share(self, clause):
        """A clause that is larger as a tree than the heap: each part T that occurs more than once becomes a
        variable V, and the body begins with V = T, so that the code has every part once. Returns the cell
        of the new clause."""
        symbols = self.symbols
        i: cython.longlong
        n: cython.longlong
        p: cython.longlong
        c: cython.longlong
        uses: dict = {}
        for i in range(self.n):
            c = self.cells[i]
            if c & 7 == LST or c & 7 == STR:
                uses[c] = uses.get(c, 0) + 1
        fixed = self.goal_cells(clause, uses)
        shared: list = [c for c, count in uses.items() if count > 1 and c not in fixed]
        self.set_clause(clause)
        head: cython.longlong = self.head
        body: cython.longlong = self.body
        # a new variable, =(V,T) and (=,Body) for each, then :-(Head,Body)
        self.room(7 * len(shared) + 3)
        names: dict = {}
        n = self.n
        for c in shared:
            names[c] = n << 3
            self.cells[n] = n << 3
            n += 1
        for i in range(self.n):
            c = self.cells[i]
            if c & 7 == LST or c & 7 == STR:
                self.cells[i] = names.get(c, c)
        if names.get(body, body) != body:
            body = names[body]
        equals: cython.longlong = symbols.functor(symbols.atom("="), 2)
        for c in reversed(shared):
            p = n
            self.cells[p] = equals << 3 | INT
            self.cells[p + 1] = names[c]
            self.cells[p + 2] = c
            self.cells[p + 3] = symbols.comma_functor << 3 | INT
            self.cells[p + 4] = p << 3 | STR
            self.cells[p + 5] = body
            body = (p + 3) << 3 | STR
            n += 6
        self.cells[n] = symbols.f_neck << 3 | INT
        self.cells[n + 1] = head
        self.cells[n + 2] = body
        self.n = n + 3
        return n << 3 | STR

    def goal_cells(self, clause, uses):
        """The cells of the head and of the goals of a clause, and of what is made of them by control
        constructs: these have to stay where they are. Shared ones are refused."""
        c: cython.longlong
        fixed = {clause}
        stack = [clause]
        if clause & 7 == STR and self.cells[clause >> 3] == self.symbols.f_neck << 3 | INT:
            fixed.add(self.cells[(clause >> 3) + 1])
            stack = [self.cells[(clause >> 3) + 2]]
        while stack:
            c = stack.pop()
            fixed.add(c)
            if self.goal_kind(c) >= G_AND:
                if uses.get(c, 0) > 1:
                    raise PrologError("resource_error", "program_space")
                stack.append(self.cells[(c >> 3) + 1])
                if self.goal_kind(c) < G_NOT:
                    stack.append(self.cells[(c >> 3) + 2])
        return fixed

    # ---- cells

    def heap_cell(self, c):
        """A cell of the source as one of the heap, for an error term."""
        if c & 7 == BOX:
            n: cython.longlong = (self.boxes[c >> 4] >> 11) + 1
            i: cython.longlong
            self.heap.room(n)
            at: cython.longlong = self.heap.H
            for i in range(n):
                self.heap.cells[at + i] = self.boxes[(c >> 4) + i]
            self.heap.H += n
            return at << 4 | BOX
        return c

    def arity(self, c):
        """The number of arguments of a compound term."""
        if c & 7 == LST:
            return 2
        return self.symbols.functor_arity[self.cells[c >> 3] >> 3]

    def arguments(self, c):
        """Where the arguments of a compound term are."""
        if c & 7 == LST:
            return c >> 3
        return (c >> 3) + 1

    def first_key(self):
        """What the first argument of the head is indexed by, as C_KEY; 0 if it is a variable or a box."""
        c: cython.longlong = self.head
        if c & 7 != STR and c & 7 != LST:
            return 0
        c = self.cells[self.arguments(c)]
        if c & 7 == ATM or c & 7 == INT:
            return c
        if c & 7 == LST:
            return LST
        if c & 7 == STR:
            return (self.cells[c >> 3] >> 3) << 3 | STR
        return 0

    # ---- goals

    def goal_kind(self, c):
        t: cython.longlong = c & 7
        key: cython.longlong
        if t == ATM:
            key = c
        elif t == STR:
            key = self.cells[c >> 3]
        else:
            return G_CALL
        kind = self.goal_kinds.get(key)
        if kind is None:
            return G_CALL
        return kind[0]

    def goal_op(self, c):
        """The operation among those of the goal's kind."""
        if c & 7 == ATM:
            return 0
        return self.goal_kinds[self.cells[c >> 3]][1]

    def is_simple_test(self, c):
        """A condition made of tests only: it needs no choice point."""
        kind: cython.int
        stack = [c]
        while stack:
            c = stack.pop()
            kind = self.goal_kind(c)
            if kind == G_AND:
                stack.append(self.cells[(c >> 3) + 1])
                stack.append(self.cells[(c >> 3) + 2])
            elif not (
                kind == G_TEST
                or kind == G_EQUAL
                or kind == G_COMPARE
                or kind == G_CMP
                or kind == G_TRUE
                or kind == G_FAIL
            ):
                return False
        return True

    def is_plain_or(self, c):
        if self.goal_kind(c) != G_OR:
            return False
        kind: cython.int = self.goal_kind(self.cells[(c >> 3) + 1])
        return kind != G_THEN and kind != G_SOFT

    def has_cut(self, c):
        """True if a condition has a cut of its own: not within the conditions in it."""
        kind: cython.int
        stack = [c]
        while stack:
            c = stack.pop()
            kind = self.goal_kind(c)
            if kind == G_CUT:
                return True
            if kind == G_AND or kind == G_OR:
                stack.append(self.cells[(c >> 3) + 1])
            if kind == G_AND or kind == G_OR or kind == G_THEN or kind == G_SOFT:
                stack.append(self.cells[(c >> 3) + 2])
        return False

    def neck_cuts(self):
        """Whether the body begins with tests and a cut: until then the clause needs no choice point."""
        c: cython.longlong = self.body
        goal: cython.longlong
        while self.goal_kind(c) == G_AND:
            goal = self.cells[(c >> 3) + 1]
            if self.goal_kind(goal) == G_CUT:
                return True
            if self.goal_kind(goal) == G_AND or not self.is_simple_test(goal):
                return False
            c = self.cells[(c >> 3) + 2]
        return self.goal_kind(c) == G_CUT

    # ---- terms

    def occurs(self, v, c):
        """Whether variable v occurs in a term."""
        stack = [c]
        i: cython.longlong
        n: cython.longlong
        p: cython.longlong
        t: cython.longlong
        while stack:
            c = stack.pop()
            while True:
                t = c & 7
                if t == REF:
                    if c >> 3 == v:
                        return True
                elif t == LST or t == STR:
                    p = self.arguments(c)
                    n = self.arity(c)
                    for i in range(n - 1):
                        t = self.cells[p + i] & 7
                        if t == REF or t == LST or t == STR:
                            stack.append(self.cells[p + i])
                    c = self.cells[p + n - 1]
                    continue
                break
        return False

    def ground_size(self, c):
        """The number of words of a term, or 0 if it has variables."""
        stack = [c]
        i: cython.longlong
        p: cython.longlong
        t: cython.longlong
        size: cython.longlong = 0
        while stack:
            c = stack.pop()
            t = c & 7
            if t == REF:
                return 0
            size += 1
            if t == LST or t == STR:
                p = self.arguments(c)
                for i in range(self.arity(c)):
                    stack.append(self.cells[p + i])
        return size

    def worth_noting(self, c):
        """A term without variables, in a program that was loaded: built and stored when it is met first in a
        query, and noted in the code."""
        return self.loaded and self.ground_size(c) >= WORTH_NOTING
