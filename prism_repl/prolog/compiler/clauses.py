# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""A clause to a record in the code area: its instructions, what it is indexed by, its term if it is kept."""

import cython

from prism_repl.core.errors import instantiation_error, type_error
from prism_repl.prolog.compiler.body import Body
from prism_repl.prolog.compiler.code import Code
from prism_repl.prolog.compiler.expressions import Expressions
from prism_repl.prolog.compiler.kinds import goal_kinds
from prism_repl.prolog.compiler.source import Source
from prism_repl.prolog.compiler.terms import TermCode
from prism_repl.prolog.compiler.variables import Variables

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.prolog.compiler.kinds import *  # noqa: F403

# Code of more words asks for room at every chunk; other code finds it: calls and returns leave MARGIN cells.
ROOM_WORDS = MARGIN // 2


class Compiler:
    """Compiles one clause at a time into the code area of a machine."""

    def __init__(self, m):
        self.m = m
        self.goal_kinds = goal_kinds(m.symbols)
        self.source = Source(m, self.goal_kinds)
        self.variables = Variables(self.source)
        self.code = Code(m.interrupts)
        self.terms = TermCode(self.source, self.variables, self.code)
        expressions = Expressions(m.symbols, self.source, self.variables, self.code, self.terms)
        self.body = Body(m, self.source, self.variables, self.code, self.terms, expressions)

    def compile(self, clause, keep_term, line):
        """Compile a clause; returns its address. The predicate is not touched."""
        m = self.m
        at: cython.longlong = constant_fact(m, clause, keep_term, line)
        if at != 0:
            self.body.begin()
            return at
        self.source.load(clause, line > 0)
        f: cython.longlong = self.head_functor()
        pred: cython.longlong = m.program.pred(f)
        arity: cython.longlong = m.symbols.functor_arity[f]
        self.write_code(arity, False)
        if self.code.top > ROOM_WORDS:
            self.write_code(arity, True)
        m.stacks.x_room(self.variables.max_x + 8)
        return self.record(pred, keep_term, line)

    def cuts(self):
        """Whether the clause that was compiled has a cut, outside conditions."""
        return self.body.cuts

    def head_functor(self):
        head: cython.longlong = self.source.head
        if head & 7 == REF:
            raise instantiation_error()
        if head & 7 == STR:
            return self.source.cells[head >> 3] >> 3
        if head & 7 == ATM:
            return self.m.symbols.functor(head, 0)
        if head & 7 == LST:
            return self.m.symbols.list_functor
        raise type_error("callable", self.source.heap_cell(head))

    def write_code(self, arity, rooms):
        """The instructions of head and body."""
        code = self.code
        start: cython.longlong
        rest: cython.longlong = self.source.body
        code.begin(rooms)
        self.body.begin()
        self.variables.scan(arity)
        code.ask_room()
        start = code.top
        self.terms.match_head()
        self.shallow = 0
        if self.source.neck_cuts():
            self.shallow = SH_TESTS if code.top == start else SH_HEAD
        else:
            rest = self.tried_neck(code.top > start)
        self.body.goals(rest, True, -1, -1)
        self.body.end()
        if self.shallow != 0:
            if arity > SH_ARGUMENTS:
                self.shallow = 0
            else:
                self.shallow = note_overwritten(self.shallow, code.overwritten(start, arity))
        code.close_room()
        return 0

    def tried_neck(self, unifies):
        """If the neck of a clause may fail where indexing does not foresee it, it is run before there is a
        choice point. `unifies`: the head has instructions. Returns what is left of the body."""
        source = self.source
        c: cython.longlong = source.body
        head: cython.longlong = source.head
        keyed: cython.bint = head & 7 == LST or (head & 7 == STR and source.cells[(head >> 3) + 1] & 7 != REF)
        tests: cython.bint = False
        while source.goal_kind(c) == G_AND and source.is_simple_test(source.cells[(c >> 3) + 1]):
            self.body.goals(source.cells[(c >> 3) + 1], False, -1, -1)
            c = source.cells[(c >> 3) + 2]
            tests = True
        if tests or (unifies and not keyed):
            self.shallow = SH_HEAD if unifies else SH_TESTS
            self.code.emit(NECK_TRY)
        return c

    def record(self, pred, keep_term, line):
        """Write the record of the clause; returns its address."""
        m = self.m
        source = self.source
        i: cython.longlong
        to: cython.longlong
        size: cython.longlong = C_CODE + self.code.top
        if keep_term:
            size += 2 + source.kept + source.nboxes
        at: cython.longlong = m.program.alloc_code(size)
        code: cython.p_longlong = m.program.code
        for i in range(C_CODE):
            code[at + i] = 0
        code[at + C_PRED] = pred
        code[at + C_SIZE] = size
        code[at + C_LINE] = line
        code[at + C_SHALLOW] = self.shallow
        code[at + C_KEY] = source.first_key()
        self.code.copy_to(code, at + C_CODE)
        if keep_term:  # the image as flatten() left it, whatever parts were shared since
            to = at + C_CODE + self.code.top
            code[at + C_TERM] = to
            code[to] = source.kept
            code[to + 1] = source.nboxes
            to += 2
            for i in range(source.kept):
                code[to + i] = m.heap.image[i]
            to += source.kept
            for i in range(source.nboxes):
                code[to + i] = source.boxes[i]
        return at


def note_overwritten(shallow, bits):
    """What kind of neck it is, with the arguments that it overwrites: those are saved before it runs."""
    return shallow if bits == 0 else SH_HEAD | bits << SH_BITS


def constant_fact(m, clause, keep_term, line):
    """A fact whose arguments are all constants, as most asserted clauses are: its record is written
    at once. Returns its address, or 0 if it is something else."""
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
