# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Instructions for arithmetic: X is Expression, and comparisons."""

import cython

if not cython.compiled:
    from prism_repl.core.cells import *  # noqa: F403
    from prism_repl.core.instructions import *  # noqa: F403
    from prism_repl.prolog.compiler.variables import NEW_IN_SLOT, ONLY_HERE

# Expressions nested deeper are built as terms and evaluated.
MAX_EXPRESSION_DEPTH = 500


class Expressions:
    """Writes the code of expressions."""

    def __init__(self, symbols, source, variables, code, terms):
        self.symbols = symbols
        self.source = source
        self.variables = variables
        self.code = code
        self.terms = terms

    def assign(self, goal, depth):
        """X is Expression."""
        variables = self.variables
        code = self.code
        p: cython.longlong = goal >> 3
        x: cython.longlong = self.source.cells[p + 1]
        r: cython.longlong
        where: cython.int
        value: list = []
        self.operand(self.source.cells[p + 2], depth, value)
        kind, v = value
        # the value must be a number: results of operations are
        if self.source.cells[p + 2] & 7 == STR:
            r = v
        else:
            r = variables.new_temp()
            code.emit2(EVAL, r)
            code.emit2(kind, v)
        if x & 7 == REF and not variables.seen(x >> 3):
            where = variables.meet(x >> 3)
            if where == NEW_IN_SLOT:
                code.emit3(SET_Y, r, variables.slot(x >> 3))
            elif where != ONLY_HERE:
                variables.set_register(x >> 3, r)
            return 0
        code.binds = True
        if x & 7 == INT or x & 7 == ATM:
            code.emit3(GET_CONST, x, r)
        else:
            code.emit3(GET_VAL, self.terms.register_of(x), r)
        return 0

    def compare(self, goal, depth):
        """Two expressions are compared. The label to jump to is left to be emitted."""
        code = self.code
        p: cython.longlong = goal >> 3
        a: list = []
        b: list = []
        self.operand(self.source.cells[p + 1], depth, a)
        self.operand(self.source.cells[p + 2], depth, b)
        code.emit2(CMP, self.source.goal_op(goal))
        code.emit2(a[0], a[1])
        code.emit2(b[0], b[1])
        return 0

    def operand(self, c, depth, result):
        """Compile an expression; result becomes [kind, value]."""
        t: cython.longlong = c & 7
        r: cython.longlong
        n: cython.longlong
        if t == INT or t == ATM:
            result.append(OC)
            result.append(c)
            return 0
        if t == REF and self.variables.in_slot(c >> 3):
            result.append(OY)
            result.append(self.variables.slot(c >> 3))
            return 0
        if t == STR and depth < MAX_EXPRESSION_DEPTH and self.source.arity(c) <= 2:
            return self.operation(c, depth, result)
        r = self.terms.register_of(c)
        if t == STR:
            n = self.variables.new_temp()
            self.code.emit2(EVAL, n)
            self.code.emit2(OX, r)
            r = n
        result.append(OX)
        result.append(r)
        return 0

    def operation(self, c, depth, result):
        """A function of one or two operands."""
        code = self.code
        symbols = self.symbols
        p: cython.longlong = c >> 3
        f: cython.longlong = self.source.cells[p] >> 3
        n: cython.longlong = self.source.arity(c)
        r: cython.longlong
        a: list = []
        b: list = []
        self.operand(self.source.cells[p + 1], depth + 1, a)
        if n == 2:
            self.operand(self.source.cells[p + 2], depth + 1, b)
        r = self.variables.new_temp()
        if n == 1:
            code.emit3(ARITH1, f, r)
            code.emit2(a[0], a[1])
        else:
            if f == symbols.f_plus:
                code.emit(ADD)
            elif f == symbols.f_minus:
                code.emit(SUB)
            elif f == symbols.f_times:
                code.emit(MUL)
            else:
                code.emit2(ARITH2, f)
            code.emit(r)
            code.emit2(a[0], a[1])
            code.emit2(b[0], b[1])
        code.ask_room()  # numbers may be of any size
        result.append(OX)
        result.append(r)
        return 0
