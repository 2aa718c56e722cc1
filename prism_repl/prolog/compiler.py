# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Clauses to instructions.

The clause is first copied to a flat image (copying.flatten), in which a variable is its index.
A chunk is the head with the goals up to and including the first call, then each further call with
the inline goals before it. Variables of one chunk live in registers, others in the environment,
which is allocated only after the head and the inline goals of the neck have succeeded.
"""

import cython

from prism_repl.core.errors import PrologError, instantiation_error, type_error

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.copying import flatten
    from prism_repl.core.instructions import *  # noqa: F403

    V_COUNT, V_CHUNK, V_PERM, V_REG, V_Y, V_IN_Y, V_WANT, V_SEEN, VSIZE = range(9)
    (
        G_CALL,
        G_TRUE,
        G_FAIL,
        G_CUT,
        G_UNIFY,
        G_EQUAL,
        G_TEST,
        G_COMPARE,
        G_IS,
        G_CMP,
        G_AND,
        G_OR,
        G_THEN,
        G_SOFT,
        G_NOT,
        G_ONCE,
    ) = range(16)
# Code of more words asks for room at every chunk; other code finds it: calls and returns leave MARGIN cells.
ROOM_WORDS = MARGIN // 2
# Goals nested deeper than this within control constructs are refused, not crashed on.
MAX_DEPTH = 4000

# name, arity -> kind of goal, operation
INLINE_GOALS = {
    ("true", 0): (1, 0),
    ("otherwise", 0): (1, 0),
    ("fail", 0): (2, 0),
    ("false", 0): (2, 0),
    ("!", 0): (3, 0),
    ("=", 2): (4, 0),
    ("==", 2): (5, 0),
    ("\\==", 2): (5, 1),
    ("var", 1): (6, 0),
    ("nonvar", 1): (6, 1),
    ("atom", 1): (6, 2),
    ("integer", 1): (6, 3),
    ("float", 1): (6, 4),
    ("number", 1): (6, 5),
    ("atomic", 1): (6, 6),
    ("compound", 1): (6, 7),
    ("callable", 1): (6, 8),
    ("is_list", 1): (6, 9),
    ("ground", 1): (6, 10),
    ("@<", 2): (7, 0),
    ("@=<", 2): (7, 1),
    ("@>", 2): (7, 2),
    ("@>=", 2): (7, 3),
    ("is", 2): (8, 0),
    ("<", 2): (9, 0),
    ("=<", 2): (9, 1),
    (">", 2): (9, 2),
    (">=", 2): (9, 3),
    ("=:=", 2): (9, 4),
    ("=\\=", 2): (9, 5),
    (",", 2): (10, 0),
    (";", 2): (11, 0),
    ("|", 2): (11, 0),
    ("->", 2): (12, 0),
    ("*->", 2): (13, 0),
    ("\\+", 1): (14, 0),
    ("not", 1): (14, 0),
    ("once", 1): (15, 0),
}


class Compiler:
    """Compiles one clause at a time into the code area of a machine."""

    def __init__(self, m):
        self.m = m
        self.src_size = first_size(1 << 10)
        self.src = new_area(self.src_size)
        self.boxes_size = first_size(64)
        self.boxes = new_area(self.boxes_size)
        self.v_size = first_size(VSIZE << 10)
        self.v = new_area(self.v_size)
        self.out_size = first_size(1 << 12)
        self.out = new_area(self.out_size)
        self.regvar_size = first_size(1 << 10)
        self.regvar = new_area(self.regvar_size)
        self.labels = []
        self.variables = []
        self.goal_kinds = {}
        for (name, arity), kind in INLINE_GOALS.items():
            atom = m.symbols.atom(name)
            self.goal_kinds[atom if arity == 0 else (m.symbols.functor(atom, arity) << 3 | INT)] = kind

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.src)
            free_area(self.boxes)
            free_area(self.v)
            free_area(self.out)
            free_area(self.regvar)

    # ---- input and output

    def load(self, clause):
        """Copy the clause out of the heap."""
        m = self.m
        i: cython.longlong
        flatten(m.terms, clause, False)
        self.n = m.heap.image_top
        self.source_room(0)
        for i in range(self.n):
            self.src[i] = m.heap.image[i]
        self.nboxes = m.heap.boxes_top
        if self.nboxes > self.boxes_size:
            i = larger(self.boxes_size, self.nboxes)
            self.boxes = grow_area(self.boxes, self.boxes_size, i)
            self.boxes_size = i
        for i in range(self.nboxes):
            self.boxes[i] = m.heap.boxes[i]
        self.kept = self.n
        return 0

    def source_room(self, more):
        """Room for more cells of source, and for what is known of each."""
        n: cython.longlong = self.n + more
        size: cython.longlong
        if n > self.src_size:
            size = larger(self.src_size, n)
            self.src = grow_area(self.src, self.src_size, size)
            self.src_size = size
        if VSIZE * n > self.v_size:
            size = larger(self.v_size, VSIZE * n)
            self.v = grow_area(self.v, self.v_size, size)
            self.v_size = size
        return 0

    # ---- shared parts

    def name_shared_parts(self, clause):
        """A clause that is larger as a tree than the heap: each part T that occurs more than once becomes a
        variable V, and the body begins with V = T, so that the code has every part once. Returns the cell
        of the new clause."""
        m = self.m
        i: cython.longlong
        n: cython.longlong
        p: cython.longlong
        c: cython.longlong
        uses: dict = {}
        for i in range(self.n):
            c = self.src[i]
            if c & 7 == LST or c & 7 == STR:
                uses[c] = uses.get(c, 0) + 1
        fixed = self.goal_cells(clause, uses)
        shared: list = [c for c, count in uses.items() if count > 1 and c not in fixed]
        head: cython.longlong = clause
        body: cython.longlong = m.symbols.a_true
        if clause & 7 == STR and self.src[clause >> 3] == m.symbols.f_neck << 3 | INT:
            head = self.src[(clause >> 3) + 1]
            body = self.src[(clause >> 3) + 2]
        # a new variable, =(V,T) and (=,Body) for each, then :-(Head,Body)
        self.source_room(7 * len(shared) + 3)
        names: dict = {}
        n = self.n
        for c in shared:
            names[c] = n << 3
            self.src[n] = n << 3
            n += 1
        for i in range(self.n):
            c = self.src[i]
            if c & 7 == LST or c & 7 == STR:
                self.src[i] = names.get(c, c)
        if names.get(body, body) != body:
            body = names[body]
        equals: cython.longlong = m.symbols.functor(m.symbols.atom("="), 2)
        for c in reversed(shared):
            p = n
            self.src[p] = equals << 3 | INT
            self.src[p + 1] = names[c]
            self.src[p + 2] = c
            self.src[p + 3] = m.symbols.comma_functor << 3 | INT
            self.src[p + 4] = p << 3 | STR
            self.src[p + 5] = body
            body = (p + 3) << 3 | STR
            n += 6
        self.src[n] = m.symbols.f_neck << 3 | INT
        self.src[n + 1] = head
        self.src[n + 2] = body
        self.n = n + 3
        return n << 3 | STR

    def goal_cells(self, clause, uses):
        """The cells of the head and of the goals of a clause, and of what is made of them by control
        constructs: these have to stay where they are. Shared ones are refused."""
        m = self.m
        c: cython.longlong
        fixed = {clause}
        stack = [clause]
        if clause & 7 == STR and self.src[clause >> 3] == m.symbols.f_neck << 3 | INT:
            fixed.add(self.src[(clause >> 3) + 1])
            stack = [self.src[(clause >> 3) + 2]]
        while stack:
            c = stack.pop()
            fixed.add(c)
            if self.goal_kind(c) >= G_AND:
                if uses.get(c, 0) > 1:
                    raise PrologError("resource_error", "program_space")
                stack.append(self.src[(c >> 3) + 1])
                if self.goal_kind(c) < G_NOT:
                    stack.append(self.src[(c >> 3) + 2])
        return fixed

    def ask_room(self):
        """In a clause whose code is long: an instruction that asks for the room of those up to the next
        one like it. An instruction makes at most as many cells as it has words."""
        if self.rooms:
            self.close_room()
            self.emit2(ROOM, 0)
            self.room_at = self.o - 1
        return 0

    def close_room(self):
        if self.room_at >= 0:
            self.out[self.room_at] = self.o - self.room_at + 64
        return 0

    def emit(self, w):
        if self.o + 8 > self.out_size:
            size: cython.longlong = larger(self.out_size, 0)
            self.out = grow_area(self.out, self.out_size, size)
            self.out_size = size
        self.out[self.o] = w
        self.o += 1
        if self.o & 65535 == 0:
            self.m.interrupts.check()
        return 0

    def emit2(self, a, b):
        self.emit(a)
        self.emit(b)
        return 0

    def emit3(self, a, b, c):
        self.emit(a)
        self.emit(b)
        self.emit(c)
        return 0

    def label(self):
        """A new label: [address or -1, positions to patch]."""
        self.labels.append([-1])
        return len(self.labels) - 1

    def place(self, label):
        self.labels[label][0] = self.o
        return 0

    def emit_label(self, label):
        """Emit an operand that becomes the label's address; label -1 means plain failure (0)."""
        if label >= 0:
            self.labels[label].append(self.o)
        self.emit(0)
        return 0

    # ---- the clause

    def compile(self, clause, keep_term, line):
        """Compile a clause; returns its address. The predicate is not touched."""
        m = self.m
        head: cython.longlong
        body: cython.longlong
        c: cython.longlong
        i: cython.longlong
        i = self.constant_fact(clause, keep_term, line)
        if i != 0:
            return i
        self.load(clause)
        self.loaded = line > 0
        c = self.src[0]
        if m.heap.image_shared:
            c = self.name_shared_parts(c)
        body = m.symbols.a_true
        head = c
        if c & 7 == STR and self.src[c >> 3] == m.symbols.f_neck << 3 | INT:
            head = self.src[(c >> 3) + 1]
            body = self.src[(c >> 3) + 2]
        if head & 7 == REF:
            raise instantiation_error()
        if head & 7 == STR:
            i = self.src[head >> 3] >> 3
        elif head & 7 == ATM:
            i = m.symbols.functor(head, 0)
        elif head & 7 == LST:
            i = m.symbols.list_functor
        else:
            raise type_error("callable", self.source_cell(head))
        pred: cython.longlong = m.program.pred(i)
        self.arity = m.symbols.functor_arity[i]
        self.rooms = False
        self.write_code(head, body)
        if self.o > ROOM_WORDS:
            self.rooms = True
            self.write_code(head, body)
        m.stacks.x_room(self.max_x + 8)
        return self.link(pred, keep_term, line, head)

    def write_code(self, head, body):
        """The instructions of head and body, in `out`."""
        i: cython.longlong
        self.o = 0
        self.labels = []
        self.variables = []
        self.depth = 0
        self.room_at = -1
        # pass 1: chunks, occurrences, largest arity
        self.chunk = 0
        self.base = self.arity
        self.has_env = False
        self.needs_level = False
        self.cuts = False
        self.slots = 0
        self.level_y = -1
        for i in range(self.n):
            self.v[i * VSIZE] = 0
        self.scan_term(head)
        self.scan_body(body, True)
        self.needs_env(body)
        for i in range(self.base + 1):
            if i >= self.regvar_size:
                size: cython.longlong = larger(self.regvar_size, self.base + 1)
                self.regvar = grow_area(self.regvar, self.regvar_size, size)
                self.regvar_size = size
            self.regvar[i] = -2 if i < self.arity else -1  # busy: a head argument; free
        self.temp = self.base
        self.max_x = self.base
        self.env_done = False
        self.ask_room()
        self.enter_chunk(body)
        i = self.o
        self.binds = False
        self.head_args(head)
        self.shallow = 0
        if self.neck_cuts(body):
            self.shallow = SH_TESTS if self.o == i else SH_HEAD
        else:
            body = self.tried_neck(head, body, i)
        self.body(body, True, -1, -1)
        self.close_room()
        return 0

    def neck_cuts(self, c):
        """Whether a body begins with tests and a cut: until then the clause needs no choice point."""
        goal: cython.longlong
        while self.goal_kind(c) == G_AND:
            goal = self.src[(c >> 3) + 1]
            if self.goal_kind(goal) == G_CUT:
                return True
            if self.goal_kind(goal) == G_AND or not self.is_simple_test(goal):
                return False
            c = self.src[(c >> 3) + 2]
        return self.goal_kind(c) == G_CUT

    def tried_neck(self, head, body, start):
        """If the neck of a clause may fail where indexing does not foresee it, it is run before there is a
        choice point. The instructions of the head begin at `start`. Returns what is left of the body."""
        unifies: cython.bint = self.o > start
        keyed: cython.bint = head & 7 == LST or (head & 7 == STR and self.src[(head >> 3) + 1] & 7 != REF)
        tests: cython.bint = False
        while self.goal_kind(body) == G_AND and self.is_simple_test(self.src[(body >> 3) + 1]):
            self.body(self.src[(body >> 3) + 1], False, -1, -1)
            body = self.src[(body >> 3) + 2]
            tests = True
        if tests or (unifies and not keyed):
            self.shallow = SH_HEAD if unifies else SH_TESTS
            self.emit(NECK_TRY)
        return body

    def constant_fact(self, clause, keep_term, line):
        """A fact whose arguments are all constants, as most asserted clauses are: its record is written
        at once. Returns its address, or 0 if it is something else."""
        m = self.m
        i: cython.longlong
        c: cython.longlong = m.terms.deref(clause)
        if c & 7 != STR:
            return 0
        a: cython.longlong = c >> 3
        f: cython.longlong = m.heap.cells[a] >> 3
        n: cython.longlong = m.symbols.functor_arity[f]
        if f == m.symbols.f_neck or n > 200:
            return 0
        for i in range(1, n + 1):
            c = m.terms.deref(m.heap.cells[a + i])
            if c & 7 != ATM and c & 7 != INT:
                return 0
        size: cython.longlong = C_CODE + 3 * n + 1
        if keep_term:
            size += 4 + n
        pred: cython.longlong = m.program.pred(f)
        at: cython.longlong = m.program.alloc_code(size)
        code: cython.p_longlong = m.program.code
        to: cython.longlong = at + C_CODE
        for i in range(C_CODE):
            code[at + i] = 0
        code[at + C_PRED] = pred
        code[at + C_SIZE] = size
        code[at + C_LINE] = line
        code[at + C_KEY] = m.terms.deref(m.heap.cells[a + 1])
        for i in range(1, n + 1):
            code[to] = GET_CONST
            code[to + 1] = m.terms.deref(m.heap.cells[a + i])
            code[to + 2] = i - 1
            to += 3
        code[to] = PROCEED
        if keep_term:  # as flatten() leaves it: the root, then the structure
            code[at + C_TERM] = to + 1
            code[to + 1] = n + 2
            code[to + 2] = 0
            code[to + 3] = 1 << 3 | STR
            code[to + 4] = m.heap.cells[a]
            for i in range(1, n + 1):
                code[to + 4 + i] = code[at + C_CODE + 3 * i - 2]
        m.stacks.x_room(n + 8)
        return at

    def source_cell(self, c):
        """A source cell as a heap cell, for an error term."""
        if c & 7 == BOX:
            n: cython.longlong = (self.boxes[c >> 4] >> 11) + 1
            i: cython.longlong
            self.m.heap.room(n)
            at: cython.longlong = self.m.heap.H
            for i in range(n):
                self.m.heap.cells[at + i] = self.boxes[(c >> 4) + i]
            self.m.heap.H += n
            return at << 4 | BOX
        return c

    # ---- pass 1

    def scan_var(self, v):
        p: cython.longlong = v * VSIZE
        if self.v[p] == 0:
            self.v[p + V_CHUNK] = self.chunk
            self.v[p + V_PERM] = 0
            self.v[p + V_REG] = -1
            self.v[p + V_Y] = -1
            self.v[p + V_IN_Y] = 0
            self.v[p + V_WANT] = -1
            self.v[p + V_SEEN] = 0
            self.variables.append(v)
        elif self.v[p + V_CHUNK] != self.chunk:
            self.v[p + V_PERM] = 1
        self.v[p] += 1
        return 0

    def scan_term(self, c):
        """Count the variables of a term; iterative."""
        stack = [c]
        t: cython.longlong
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        while stack:
            c = stack.pop()
            while True:
                t = c & 7
                if t == REF:
                    self.scan_var(c >> 3)
                elif t == LST or t == STR:
                    p = c >> 3
                    n = 2
                    if t == STR:
                        n = self.m.symbols.functor_arity[self.src[p] >> 3]
                        p += 1
                    for i in range(n - 1):
                        t = self.src[p + i] & 7
                        if t == REF or t == LST or t == STR:
                            stack.append(self.src[p + i])
                    c = self.src[p + n - 1]
                    continue
                break
        return 0

    def goal_kind(self, c):
        t: cython.longlong = c & 7
        key: cython.longlong
        if t == ATM:
            key = c
        elif t == STR:
            key = self.src[c >> 3]
        else:
            return G_CALL
        kind = self.goal_kinds.get(key)
        if kind is None:
            return G_CALL
        return kind[0]

    def goal_op(self, c):
        if c & 7 == ATM:
            return 0
        return self.goal_kinds[self.src[c >> 3]][1]

    def scan_body(self, c, last):
        """Number the chunks; find out whether an environment is needed."""
        kind: cython.int
        p: cython.longlong
        n: cython.longlong
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PrologError("resource_error", "clause_depth")
        while True:
            kind = self.goal_kind(c)
            p = c >> 3
            if kind == G_AND:
                self.scan_body(self.src[p + 1], False)
                c = self.src[p + 2]
                continue
            break
        if kind == G_CALL:
            n = 0
            if c & 7 == STR:
                n = self.m.symbols.functor_arity[self.src[p] >> 3]
            elif c & 7 == LST:
                n = 2
            elif c & 7 == REF:
                n = 1
            elif c & 7 != ATM:
                raise type_error("callable", self.source_cell(c))
            if n > self.base:
                self.base = n
            self.scan_term(c)
            self.chunk += 1
            if not last:
                self.has_env = True
        elif kind == G_CUT:
            if self.chunk > 0:
                self.has_env = True
                self.needs_level = True
        elif kind == G_OR or kind == G_THEN or kind == G_SOFT or kind == G_NOT or kind == G_ONCE:
            self.has_env = True
            self.chunk += 1
            if kind == G_OR or kind == G_THEN or kind == G_SOFT:
                self.scan_body(self.src[p + 1], last and kind == G_OR)
                self.chunk += 1
                self.scan_body(self.src[p + 2], last)
            else:
                self.scan_body(self.src[p + 1], False)
            self.chunk += 1
        else:
            self.scan_term(c)
        self.depth -= 1
        return 0

    def needs_env(self, body):
        """Give the variables that live across chunks their slots."""
        if not self.has_env:
            for v in self.variables:
                self.v[v * VSIZE + V_PERM] = 0
            return 0
        for v in self.variables:
            if self.v[v * VSIZE + V_PERM]:
                self.v[v * VSIZE + V_Y] = self.slots
                self.slots += 1
        return 0

    def new_slot(self):
        self.slots += 1
        return self.slots - 1

    def enter_chunk(self, c):
        """Note for the variables of the call that ends this chunk which register they want."""
        i: cython.longlong
        p: cython.longlong
        a: cython.longlong
        kind: cython.int
        while True:
            kind = self.goal_kind(c)
            p = c >> 3
            if kind == G_AND:
                if self.goal_kind(self.src[p + 1]) == G_CALL:
                    c = self.src[p + 1]
                    break
                if self.goal_kind(self.src[p + 1]) >= G_AND:
                    return 0
                c = self.src[p + 2]
                continue
            break
        if kind != G_CALL and kind != G_AND:
            return 0
        if c & 7 != STR:
            return 0
        p = c >> 3
        for i in range(self.m.symbols.functor_arity[self.src[p] >> 3] - 1, -1, -1):
            a = self.src[p + 1 + i]
            if a & 7 == REF:
                self.v[(a >> 3) * VSIZE + V_WANT] = i
        return 0

    def new_temp(self):
        self.temp += 1
        if self.temp > self.max_x:
            self.max_x = self.temp
        return self.temp - 1

    # ---- the head

    def head_args(self, head):
        i: cython.longlong
        c: cython.longlong
        p: cython.longlong
        t: cython.longlong
        a: cython.longlong = head >> 3
        if head & 7 == STR:
            a += 1
        # variables first: they only claim their register
        for i in range(self.arity):
            c = self.src[a + i]
            if c & 7 == REF:
                p = (c >> 3) * VSIZE
                if self.v[p + V_SEEN] == 0:
                    self.v[p + V_SEEN] = 1
                    if self.v[p] > 1:
                        self.v[p + V_REG] = i
                        self.regvar[i] = c >> 3
                    else:
                        self.regvar[i] = -1
        for i in range(self.arity):
            c = self.src[a + i]
            t = c & 7
            if t == REF:
                p = (c >> 3) * VSIZE
                if self.v[p + V_REG] != i and self.v[p] > 1:
                    self.binds = True
                    self.emit3(GET_VAL, self.v[p + V_REG], i)
                    self.regvar[i] = -1
                continue
            self.binds = True
            if t == ATM or t == INT:
                self.emit3(GET_CONST, c, i)
                self.regvar[i] = -1
            elif t == BOX:
                self.emit_box(GET_BOX, i, c)
                self.regvar[i] = -1
            else:
                self.unify_struct(i, c)
        return 0

    def emit_box(self, op, reg, c):
        """op [reg] n word...: a float or big integer as a constant."""
        n: cython.longlong = (self.boxes[c >> 4] >> 11) + 1
        i: cython.longlong
        self.emit(op)
        if reg >= 0:
            self.emit(reg)
        self.emit(n)
        for i in range(n):
            self.emit(self.boxes[(c >> 4) + i])
        return 0

    def unify_struct(self, reg, c):
        """Unify register reg with a compound source term; breadth first."""
        queue = [(reg, c)]
        k: cython.longlong = 0
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        h: cython.longlong
        t: cython.longlong
        ph: cython.longlong
        pt: cython.longlong
        while k < len(queue):
            reg, c = queue[k]
            k += 1
            if reg < self.base and reg < self.regvar_size and self.regvar[reg] == -2:
                self.regvar[reg] = -1
            p = c >> 3
            if c & 7 == LST:
                h = self.src[p]
                t = self.src[p + 1]
                if h & 7 == REF and t & 7 == REF and h != t:
                    ph = (h >> 3) * VSIZE
                    pt = (t >> 3) * VSIZE
                    if self.new_in_registers(h, t):
                        self.emit2(GET_LIST_VV, reg)
                        self.emit2(self.v[ph + V_REG], self.v[pt + V_REG])
                        continue
                    if (
                        self.v[ph + V_SEEN]
                        and not self.v[ph + V_IN_Y]
                        and self.v[pt + V_SEEN] == 0
                        and not (self.env_done and self.v[pt + V_PERM])
                    ):
                        self.v[pt + V_SEEN] = 1
                        self.choose_reg(t >> 3)
                        self.emit2(GET_LIST_LV, reg)
                        self.emit2(self.v[ph + V_REG], self.v[pt + V_REG])
                        continue
                self.emit2(GET_LIST, reg)
            else:
                if self.m.symbols.functor_arity[self.src[p] >> 3] == 2:
                    h = self.src[p + 1]
                    t = self.src[p + 2]
                    if self.new_in_registers(h, t):
                        self.emit3(GET_STRUCT_VV, self.src[p], reg)
                        self.emit2(self.v[(h >> 3) * VSIZE + V_REG], self.v[(t >> 3) * VSIZE + V_REG])
                        continue
                self.emit3(GET_STRUCT, self.src[p], reg)
            # walk down the right spine: the last argument needs no register
            while True:
                p = c >> 3
                n = 2
                if c & 7 == STR:
                    n = self.m.symbols.functor_arity[self.src[p] >> 3]
                    p += 1
                for i in range(n - 1):
                    self.unify_arg(self.src[p + i], False, queue)
                c = self.src[p + n - 1]
                t = c & 7
                if t == LST:
                    self.emit(U_LIST)
                elif t == STR:
                    self.emit2(U_STRUCT, self.src[c >> 3])
                else:
                    self.unify_arg(c, True, queue)
                    break
        return 0

    def new_in_registers(self, a, b):
        """Two different variables that occur for the first time get registers, if both may have one."""
        pa: cython.longlong = (a >> 3) * VSIZE
        pb: cython.longlong = (b >> 3) * VSIZE
        if a & 7 != REF or b & 7 != REF or a == b or self.v[pa + V_SEEN] or self.v[pb + V_SEEN]:
            return False
        if self.env_done and (self.v[pa + V_PERM] or self.v[pb + V_PERM]):
            return False
        self.v[pa + V_SEEN] = 1
        self.v[pb + V_SEEN] = 1
        self.choose_reg(a >> 3)
        self.choose_reg(b >> 3)
        return True

    def choose_reg(self, v):
        """A register for a variable that first occurs inside a structure."""
        p: cython.longlong = v * VSIZE
        w: cython.longlong = self.v[p + V_WANT]
        if w >= 0 and self.v[p + V_PERM] == 0 and self.regvar[w] == -1:
            self.regvar[w] = v
            self.v[p + V_REG] = w
        else:
            self.v[p + V_REG] = self.new_temp()

    def unify_arg(self, c, last, queue):
        t: cython.longlong = c & 7
        p: cython.longlong
        r: cython.longlong
        if t == REF:
            p = (c >> 3) * VSIZE
            if self.v[p + V_SEEN] == 0:
                self.v[p + V_SEEN] = 1
                if self.v[p] == 1:
                    self.emit2(U_VOID, 1)
                elif self.v[p + V_PERM] and self.env_done:
                    self.v[p + V_IN_Y] = 1
                    self.emit2(U_VAR_Y, self.v[p + V_Y])
                else:
                    self.choose_reg(c >> 3)
                    self.emit2(U_VAR, self.v[p + V_REG])
            elif self.v[p + V_IN_Y]:
                self.emit2(U_VAL_Y, self.v[p + V_Y])
            else:
                self.emit2(U_VAL, self.v[p + V_REG])
        elif t == ATM or t == INT:
            self.emit2(U_CONST, c)
        elif t == BOX:
            self.emit_box(U_BOX, -1, c)
        else:
            r = self.new_temp()
            self.emit2(U_VAR, r)
            queue.append((r, c))
        return 0

    # ---- the body

    def allocate(self):
        """The environment: allocated once, after the neck; the variables seen so far move in."""
        p: cython.longlong
        if self.env_done or not self.has_env:
            return 0
        moves = []
        for v in self.variables:
            p = v * VSIZE
            if self.v[p + V_PERM] and self.v[p + V_SEEN] and not self.v[p + V_IN_Y]:
                moves.append((self.v[p + V_REG], self.v[p + V_Y]))
                self.v[p + V_IN_Y] = 1
        self.emit3(ALLOC, 0, len(moves))  # the number of slots is patched at the end
        self.alloc_at = self.o - 2
        for r, y in moves:
            self.emit2(r, y)
        self.env_done = True
        if self.needs_level:
            self.level_y = self.new_slot()
            self.emit2(GET_LEVEL, self.level_y)
        # registers of moved variables are free again, unless the chunk still uses them as temporaries
        for i in range(self.base + 1):
            v = self.regvar[i]
            if v >= 0 and self.v[v * VSIZE + V_PERM]:
                self.regvar[i] = -1
        return 0

    def body(self, c, last, fail_label, cut_y):
        """Compile a body (a conjunction); fail_label: where failing tests jump, or -1."""
        p: cython.longlong
        while self.goal_kind(c) == G_AND:
            p = c >> 3
            self.body(self.src[p + 1], False, fail_label, cut_y)
            c = self.src[p + 2]
        self.goal(c, last, fail_label, cut_y)
        return 0

    def end(self):
        """The end of a clause whose last goal was inline."""
        if self.env_done:
            self.emit(DPROCEED)
        else:
            self.emit(PROCEED)
        return 0

    def goal(self, c, last, fail_label, cut_y):
        kind: cython.int = self.goal_kind(c)
        p: cython.longlong = c >> 3
        r: cython.longlong
        s: cython.longlong
        if kind == G_CALL:
            self.allocate_if_needed(last)
            self.call_goal(c, last)
            self.binds = False
            return 0
        if kind != G_TRUE and kind != G_FAIL and kind != G_UNIFY:
            self.emit_wake()
        if kind == G_OR or kind == G_THEN or kind == G_SOFT or kind == G_NOT or kind == G_ONCE:
            self.allocate()
            self.disjunction(c, last, cut_y)
            return 0
        if kind == G_FAIL:
            if fail_label >= 0:
                self.emit(JUMP)
                self.emit_label(fail_label)
            else:
                self.emit(FAIL)
        elif kind == G_CUT:
            self.cuts = self.cuts or cut_y < 0
            if cut_y >= 0:
                self.emit2(CUT_Y, cut_y)
            elif self.env_done:
                self.emit2(CUT_Y, self.level_y)
            else:
                self.emit(NECK_CUT)
        elif kind == G_UNIFY:
            self.unify_goal(self.src[p + 1], self.src[p + 2])
        elif kind == G_EQUAL:
            r = self.reg_of(self.src[p + 1])
            s = self.reg_of(self.src[p + 2])
            self.emit3(EQUAL, self.goal_op(c), r)
            self.emit(s)
            self.emit_label(fail_label)
        elif kind == G_TEST:
            r = self.reg_of(self.src[p + 1])
            self.emit3(TEST, self.goal_op(c), r)
            self.emit_label(fail_label)
        elif kind == G_COMPARE:
            r = self.reg_of(self.src[p + 1])
            s = self.reg_of(self.src[p + 2])
            self.emit3(COMPARE, self.goal_op(c), r)
            self.emit(s)
            self.emit_label(fail_label)
        elif kind == G_IS:
            self.arith_goal(c)
        elif kind == G_CMP:
            a: list = []
            b: list = []
            self.operand(self.src[p + 1], a)
            self.operand(self.src[p + 2], b)
            self.emit2(CMP, self.goal_op(c))
            self.emit2(a[0], a[1])
            self.emit2(b[0], b[1])
            self.emit_label(fail_label)
        if last:
            self.end()
        return 0

    def allocate_if_needed(self, last):
        """A call that is not last, or any call once the environment exists, needs it allocated."""
        if self.has_env and not self.env_done:
            if not last:
                self.allocate()

    # ---- calls

    def call_goal(self, c, last):
        m = self.m
        f: cython.longlong
        n: cython.longlong
        p: cython.longlong
        found: cython.longlong = -1
        t: cython.longlong = c & 7
        if t == REF:
            f = m.symbols.functor(m.symbols.atom("call"), 1)
            self.load_arg(c, 0, c, 1)
            n = 1
        elif t == ATM:
            f = m.symbols.functor(c, 0)
            n = 0
        else:
            f = m.symbols.list_functor if t == LST else self.src[c >> 3] >> 3
            n = m.symbols.functor_arity[f]
            if m.program.pred(f) == m.program.p_msw and self.ground_size(c) > 0:
                # what a search found here once is noted in the code, and the call is left out
                found = self.label()
                self.emit(KNOWN_MSW)
                self.emit_label(found)
                self.emit2(-1, 0)
            self.load_args(c, n)
        p = m.program.pred(f)
        if last:
            self.emit2(DEXEC if self.env_done else EXEC, p)
        else:
            self.emit2(CALL, p)
        if found >= 0:
            self.place(found)
            if last:
                self.end()
        if not last:
            self.new_chunk()  # temporaries are dead
        return 0

    def load_args(self, c, n):
        k: cython.longlong
        p: cython.longlong = c >> 3
        if c & 7 == STR:
            p += 1
        for k in range(n):
            self.load_arg(self.src[p + k], k, c, n)
        return 0

    def load_arg(self, c, k, goal, n):
        """Put a source term into argument register k of a goal with n arguments."""
        t: cython.longlong = c & 7
        p: cython.longlong
        v: cython.longlong = self.regvar[k]
        if v >= 0 and not (t == REF and (c >> 3) == v):
            self.evict(k, v, goal, n)
        if t == REF:
            v = c >> 3
            p = v * VSIZE
            if self.v[p + V_SEEN] == 0:
                self.v[p + V_SEEN] = 1
                if self.v[p + V_PERM] and self.env_done:
                    self.v[p + V_IN_Y] = 1
                    self.emit3(PUT_VAR_Y, self.v[p + V_Y], k)
                    self.regvar[k] = -1
                else:
                    self.emit2(PUT_VAR, k)
                    self.v[p + V_REG] = k
                    self.regvar[k] = v
            elif self.v[p + V_IN_Y]:
                self.emit3(PUT_Y, self.v[p + V_Y], k)
                self.regvar[k] = -1
            elif self.v[p + V_REG] != k:
                self.emit3(MOVE, self.v[p + V_REG], k)
                self.regvar[k] = -1
        elif t == ATM or t == INT:
            self.emit3(PUT_CONST, c, k)
            self.regvar[k] = -1
        elif t == BOX:
            self.emit_box(PUT_BOX, k, c)
            self.regvar[k] = -1
        else:
            self.build(k, c)
            self.regvar[k] = -1
        return 0

    def evict(self, k, v, goal, n):
        """Variable v is in register k, which is about to be overwritten: save it if this goal
        still needs it (arguments from k on, or inside the structure that goes to k)."""
        i: cython.longlong
        r: cython.longlong
        p: cython.longlong = goal >> 3
        if goal & 7 == STR:
            p += 1
        elif goal & 7 != LST:
            return 0
        for i in range(k, n):
            if self.occurs(v, self.src[p + i]):
                r = self.new_temp()
                self.emit3(MOVE, k, r)
                self.v[v * VSIZE + V_REG] = r
                break
        self.regvar[k] = -1
        return 0

    def occurs(self, v, c):
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
                    p = c >> 3
                    n = 2
                    if t == STR:
                        n = self.m.symbols.functor_arity[self.src[p] >> 3]
                        p += 1
                    for i in range(n - 1):
                        t = self.src[p + i] & 7
                        if t == REF or t == LST or t == STR:
                            stack.append(self.src[p + i])
                    c = self.src[p + n - 1]
                    continue
                break
        return False

    def ground_size(self, c):
        """The number of words of a source term, or 0 if it has variables."""
        stack = [c]
        i: cython.longlong
        n: cython.longlong
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
                p = c >> 3
                n = 2
                if t == STR:
                    n = self.m.symbols.functor_arity[self.src[p] >> 3]
                    p += 1
                for i in range(n):
                    stack.append(self.src[p + i])
        return size

    def build(self, reg, c):
        """Leave a compound source term in register reg. One without variables, in a program that was
        loaded, is built and stored when it is met first in a query, and the code notes where."""
        if not self.loaded or self.ground_size(c) < WORTH_NOTING:
            self.build_spines(reg, c)
            return 0
        site = self.label()
        known = self.label()
        self.place(site)
        self.emit2(KNOWN_TERM, reg)
        self.emit_label(known)
        self.emit2(-1, 0)
        self.build_spines(reg, c)
        self.emit2(NOTE_TERM, reg)
        self.emit_label(site)
        self.place(known)
        return 0

    def build_spines(self, reg, c):
        """Build a compound source term on the heap and leave it in register reg. Compound arguments that
        are not last are built first, in registers of their own (an explicit stack of spines)."""
        # todo: list of [reg, spine cell, stage]; a spine is emitted when its parts are ready
        parts: dict = {}
        stack = [(reg, c, 0)]
        cell: cython.longlong
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        t: cython.longlong
        while stack:
            reg, cell, stage = stack.pop()
            if stage == 1:
                self.emit_spine(reg, cell, parts)
                continue
            stack.append((reg, cell, 1))
            while True:
                p = cell >> 3
                n = 2
                if cell & 7 == STR:
                    n = self.m.symbols.functor_arity[self.src[p] >> 3]
                    p += 1
                for i in range(n - 1):
                    t = self.src[p + i] & 7
                    if t == LST or t == STR:
                        r = self.new_temp()
                        parts[p + i] = r
                        stack.append((r, self.src[p + i], 0))
                cell = self.src[p + n - 1]
                t = cell & 7
                if t != LST and t != STR:
                    break
        return 0

    def emit_spine(self, reg, c, parts):
        """PUT_LIST/PUT_STRUCT and the words of a term along its last arguments."""
        p: cython.longlong
        i: cython.longlong
        n: cython.longlong
        t: cython.longlong
        if c & 7 == LST:
            self.emit2(PUT_LIST, reg)
        else:
            self.emit3(PUT_STRUCT, self.src[c >> 3], reg)
        while True:
            p = c >> 3
            n = 2
            if c & 7 == STR:
                n = self.m.symbols.functor_arity[self.src[p] >> 3]
                p += 1
            for i in range(n - 1):
                t = self.src[p + i] & 7
                if t == LST or t == STR:
                    self.emit2(B_VAL, parts[p + i])
                else:
                    self.build_arg(self.src[p + i])
            c = self.src[p + n - 1]
            t = c & 7
            if t == LST:
                self.emit(B_LIST)
            elif t == STR:
                self.emit2(B_STRUCT, self.src[c >> 3])
            else:
                self.build_arg(c)
                return 0

    def build_arg(self, c):
        t: cython.longlong = c & 7
        p: cython.longlong
        if t == REF:
            p = (c >> 3) * VSIZE
            if self.v[p + V_SEEN] == 0:
                self.v[p + V_SEEN] = 1
                if self.v[p] == 1:
                    self.emit2(B_VOID, 1)
                elif self.v[p + V_PERM] and self.env_done:
                    self.v[p + V_IN_Y] = 1
                    self.emit2(B_VAR_Y, self.v[p + V_Y])
                else:
                    self.v[p + V_REG] = self.new_temp()
                    self.emit2(B_VAR, self.v[p + V_REG])
            elif self.v[p + V_IN_Y]:
                self.emit2(B_VAL_Y, self.v[p + V_Y])
            else:
                self.emit2(B_VAL, self.v[p + V_REG])
        elif t == BOX:
            self.emit_box(B_BOX, -1, c)
        else:
            self.emit2(B_CONST, c)

    def reg_of(self, c):
        """A register that holds the source term."""
        t: cython.longlong = c & 7
        p: cython.longlong
        r: cython.longlong
        if t == REF:
            p = (c >> 3) * VSIZE
            if self.v[p + V_SEEN] and not self.v[p + V_IN_Y]:
                return self.v[p + V_REG]
            r = self.new_temp()
            if self.v[p + V_SEEN] == 0:
                self.v[p + V_SEEN] = 1
                if self.v[p + V_PERM] and self.env_done:
                    self.v[p + V_IN_Y] = 1
                    self.emit3(PUT_VAR_Y, self.v[p + V_Y], r)
                else:
                    self.emit2(PUT_VAR, r)
                    self.v[p + V_REG] = r
            else:
                self.emit3(PUT_Y, self.v[p + V_Y], r)
            return r
        r = self.new_temp()
        if t == ATM or t == INT:
            self.emit3(PUT_CONST, c, r)
        elif t == BOX:
            self.emit_box(PUT_BOX, r, c)
        else:
            self.build(r, c)
        return r

    # ---- inline goals

    def unify_goal(self, a, b):
        p: cython.longlong
        r: cython.longlong
        t: cython.longlong
        if b & 7 == REF and (
            a & 7 != REF or (self.v[(b >> 3) * VSIZE + V_SEEN] == 0 and self.v[(a >> 3) * VSIZE + V_SEEN])
        ):
            a, b = b, a
        if a & 7 == REF:
            p = (a >> 3) * VSIZE
            t = b & 7
            if self.v[p + V_SEEN] == 0 and not self.occurs(a >> 3, b):
                if self.v[p] == 1:  # a void variable: only the variables of b matter
                    self.reg_of(b)
                    return 0
                r = self.reg_of(b)
                self.v[p + V_SEEN] = 1
                if self.v[p + V_PERM] and self.env_done:
                    self.v[p + V_IN_Y] = 1
                    self.emit3(SET_Y, r, self.v[p + V_Y])
                elif t == REF:  # a register of its own: the other one may be overwritten
                    self.v[p + V_REG] = self.new_temp()
                    self.emit3(MOVE, r, self.v[p + V_REG])
                else:
                    self.v[p + V_REG] = r
                return 0
            self.binds = True
            r = self.reg_of(a)
            if t == ATM or t == INT:
                self.emit3(GET_CONST, b, r)
            elif t == BOX:
                self.emit_box(GET_BOX, r, b)
            elif t == REF or (self.loaded and self.ground_size(b) >= WORTH_NOTING):
                self.emit3(GET_VAL, self.reg_of(b), r)
            else:
                self.unify_struct(r, b)
            return 0
        self.binds = True
        r = self.reg_of(a)
        self.emit3(GET_VAL, self.reg_of(b), r)
        return 0

    def arith_goal(self, c):
        """X is Expression."""
        p: cython.longlong = c >> 3
        x: cython.longlong = self.src[p + 1]
        q: cython.longlong
        r: cython.longlong
        value: list = []
        self.operand(self.src[p + 2], value)
        kind, v = value
        # the value must be a number: constants that are numbers and results of operations are
        t: cython.longlong = self.src[p + 2] & 7
        if t == STR:
            r = v
        else:
            r = self.new_temp()
            self.emit2(EVAL, r)
            self.emit2(kind, v)
        if x & 7 == REF:
            q = (x >> 3) * VSIZE
            if self.v[q + V_SEEN] == 0:
                if self.v[q] == 1:
                    return 0
                self.v[q + V_SEEN] = 1
                if self.v[q + V_PERM] and self.env_done:
                    self.v[q + V_IN_Y] = 1
                    self.emit3(SET_Y, r, self.v[q + V_Y])
                else:
                    self.v[q + V_REG] = r
                return 0
        self.binds = True
        if x & 7 == INT or x & 7 == ATM:
            self.emit3(GET_CONST, x, r)
        else:
            self.emit3(GET_VAL, self.reg_of(x), r)
        return 0

    def operand(self, c, result):
        """Compile an expression; result becomes [kind, value]."""
        m = self.m
        t: cython.longlong = c & 7
        p: cython.longlong
        r: cython.longlong
        f: cython.longlong
        n: cython.longlong
        if t == INT or t == ATM:
            result.append(OC)
            result.append(c)
            return 0
        if t == REF:
            p = (c >> 3) * VSIZE
            if self.v[p + V_IN_Y]:
                result.append(OY)
                result.append(self.v[p + V_Y])
                return 0
            result.append(OX)
            result.append(self.reg_of(c))
            return 0
        if t == STR and self.depth < 500:
            f = self.src[c >> 3] >> 3
            n = m.symbols.functor_arity[f]
            p = c >> 3
            if n == 1 or n == 2:
                self.depth += 1
                a: list = []
                b: list = []
                self.operand(self.src[p + 1], a)
                if n == 2:
                    self.operand(self.src[p + 2], b)
                self.depth -= 1
                r = self.new_temp()
                if n == 1:
                    self.emit3(ARITH1, f, r)
                    self.emit2(a[0], a[1])
                else:
                    if f == m.symbols.f_plus:
                        self.emit(ADD)
                    elif f == m.symbols.f_minus:
                        self.emit(SUB)
                    elif f == m.symbols.f_times:
                        self.emit(MUL)
                    else:
                        self.emit2(ARITH2, f)
                    self.emit(r)
                    self.emit2(a[0], a[1])
                    self.emit2(b[0], b[1])
                self.ask_room()  # numbers may be of any size
                result.append(OX)
                result.append(r)
                return 0
        r = self.reg_of(c)
        if t == STR:
            n = self.new_temp()
            self.emit2(EVAL, n)
            self.emit2(OX, r)
            r = n
        result.append(OX)
        result.append(r)
        return 0

    # ---- control

    def emit_wake(self):
        """What follows must see what the hooks of attributed variables do that were just bound. Calls and the
        end of a clause look for them anyway."""
        if self.binds:
            self.emit2(WAKE, 1 if self.env_done else 0)
            self.binds = False
        return 0

    def init_branch_vars(self, c):
        """Permanent variables that first occur inside a disjunction get their value before it."""
        stack = [c]
        i: cython.longlong
        n: cython.longlong
        p: cython.longlong
        t: cython.longlong
        while stack:
            c = stack.pop()
            t = c & 7
            if t == REF:
                p = (c >> 3) * VSIZE
                if self.v[p + V_PERM] and self.v[p + V_SEEN] == 0:
                    self.v[p + V_SEEN] = 1
                    self.v[p + V_IN_Y] = 1
                    self.emit3(PUT_VAR_Y, self.v[p + V_Y], self.base)
                    if self.base + 1 > self.max_x:
                        self.max_x = self.base + 1
            elif t == LST or t == STR:
                p = c >> 3
                n = 2
                if t == STR:
                    n = self.m.symbols.functor_arity[self.src[p] >> 3]
                    p += 1
                for i in range(n):
                    stack.append(self.src[p + i])
        return 0

    def is_simple_test(self, c):
        """A condition made of tests only: it needs no choice point."""
        kind: cython.int
        stack = [c]
        while stack:
            c = stack.pop()
            kind = self.goal_kind(c)
            if kind == G_AND:
                stack.append(self.src[(c >> 3) + 1])
                stack.append(self.src[(c >> 3) + 2])
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
                stack.append(self.src[(c >> 3) + 1])
            if kind == G_AND or kind == G_OR or kind == G_THEN or kind == G_SOFT:
                stack.append(self.src[(c >> 3) + 2])
        return False

    def disjunction(self, c, last, cut_y):
        """(A;B), (C->A;B), (C*->A;B), (C->A), \\+ C, once(C)."""
        kind: cython.int = self.goal_kind(c)
        p: cython.longlong = c >> 3
        cond: cython.longlong = 0
        then: cython.longlong = self.m.symbols.a_true
        other: cython.longlong = self.m.symbols.a_fail
        soft: cython.bint = False
        first: cython.longlong
        kind1: cython.int
        y: cython.longlong
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PrologError("resource_error", "clause_depth")
        self.init_branch_vars(c)
        if kind == G_OR:
            first = self.src[p + 1]
            other = self.src[p + 2]
            kind1 = self.goal_kind(first)
            if kind1 == G_THEN or kind1 == G_SOFT:
                cond = self.src[(first >> 3) + 1]
                then = self.src[(first >> 3) + 2]
                soft = kind1 == G_SOFT
            else:
                self.plain_or(first, other, last, cut_y)
                self.depth -= 1
                return 0
        elif kind == G_THEN or kind == G_SOFT:
            cond = self.src[p + 1]
            then = self.src[p + 2]
            soft = kind == G_SOFT
        elif kind == G_ONCE:
            cond = self.src[p + 1]
        else:  # \+
            cond = self.src[p + 1]
            then = self.m.symbols.a_fail
            other = self.m.symbols.a_true
        otherwise = self.label()
        end = self.label()
        if self.is_simple_test(cond):
            self.new_chunk()
            self.body(cond, False, otherwise, -1)
            self.branch(then, last, cut_y, end)
            binds: cython.bint = self.binds
            self.place(otherwise)
            self.branch(other, last, cut_y, -1)
        else:
            y = self.new_slot()
            self.emit2(GET_B, y)
            self.emit(TRY_ELSE)
            self.emit_label(otherwise)
            self.new_chunk()
            local: cython.longlong = y
            if self.has_cut(cond):  # it is local to the condition: the way to the other branch stays open
                local = self.new_slot()
                self.emit2(GET_B, local)
            self.body(cond, False, -1, local)
            self.emit_wake()
            self.emit2(SOFT_CUT if soft else CUT_Y, y)
            self.branch(then, last, cut_y, end)
            binds = self.binds
            self.place(otherwise)
            self.emit(TRUST)
            self.branch(other, last, cut_y, -1)
        self.binds = self.binds or binds
        self.place(end)
        self.new_chunk()
        self.depth -= 1
        return 0

    def new_chunk(self):
        i: cython.longlong
        self.temp = self.base
        for i in range(self.base + 1):
            self.regvar[i] = -1
        self.ask_room()
        return 0

    def branch(self, c, last, cut_y, end):
        """One branch; afterwards jump to the label end (-1: fall through)."""
        self.new_chunk()
        self.binds = False
        self.body(c, last, -1, cut_y)
        if not last and end >= 0:
            self.emit(JUMP)
            self.emit_label(end)

    def plain_or(self, first, other, last, cut_y):
        """A;B;C: a chain of alternatives shares one choice point."""
        end = self.label()
        alternative = self.label()
        self.emit(TRY_ELSE)
        self.emit_label(alternative)
        self.branch(first, last, cut_y, end)
        binds: cython.bint = self.binds
        while self.is_plain_or(other):
            self.place(alternative)
            alternative = self.label()
            self.emit(RETRY_ELSE)
            self.emit_label(alternative)
            self.branch(self.src[(other >> 3) + 1], last, cut_y, end)
            binds = binds or self.binds
            other = self.src[(other >> 3) + 2]
        self.place(alternative)
        self.emit(TRUST)
        self.branch(other, last, cut_y, -1)
        self.binds = self.binds or binds
        self.place(end)
        self.new_chunk()

    def is_plain_or(self, c):
        if self.goal_kind(c) != G_OR:
            return False
        k: cython.int = self.goal_kind(self.src[(c >> 3) + 1])
        return k != G_THEN and k != G_SOFT

    # ---- into the code area

    def link(self, pred, keep_term, line, head):
        """Write the clause record; returns its address."""
        m = self.m
        i: cython.longlong
        at: cython.longlong
        size: cython.longlong
        if self.env_done:
            self.out[self.alloc_at] = self.slots
        size = C_CODE + self.o
        if keep_term:
            size += 2 + self.kept + self.nboxes
        at = m.program.alloc_code(size)
        m.program.code[at + C_NEXT] = 0
        m.program.code[at + C_NEXT_KEY] = 0
        m.program.code[at + C_SEQ] = 0
        m.program.code[at + C_BIRTH] = 0
        m.program.code[at + C_DEATH] = 0
        m.program.code[at + C_PRED] = pred
        m.program.code[at + C_SIZE] = size
        m.program.code[at + C_LINE] = line
        m.program.code[at + C_COMING] = 0
        m.program.code[at + C_SHALLOW] = self.shallow
        m.program.code[at + C_KEY] = 0
        if head & 7 == STR:
            i = self.src[(head >> 3) + 1]
            if i & 7 == ATM or i & 7 == INT:
                m.program.code[at + C_KEY] = i
            elif i & 7 == LST:
                m.program.code[at + C_KEY] = LST
            elif i & 7 == STR:
                m.program.code[at + C_KEY] = (self.src[i >> 3] >> 3) << 3 | STR
        elif head & 7 == LST:
            i = self.src[head >> 3]
            if i & 7 == ATM or i & 7 == INT:
                m.program.code[at + C_KEY] = i
            elif i & 7 == LST:
                m.program.code[at + C_KEY] = LST
            elif i & 7 == STR:
                m.program.code[at + C_KEY] = (self.src[i >> 3] >> 3) << 3 | STR
        start: cython.longlong = at + C_CODE
        for entry in self.labels:
            target: cython.longlong = entry[0]
            for position in entry[1:]:
                self.out[position] = start + target
        for i in range(self.o):
            m.program.code[start + i] = self.out[i]
        if keep_term:
            i = start + self.o
            m.program.code[at + C_TERM] = i
            m.program.code[i] = self.kept
            m.program.code[i + 1] = self.nboxes
            i += 2
            k: cython.longlong
            for k in range(self.kept):
                m.program.code[i + k] = m.heap.image[k]
            i += self.kept
            for k in range(self.nboxes):
                m.program.code[i + k] = self.boxes[k]
        else:
            m.program.code[at + C_TERM] = 0
        return at
