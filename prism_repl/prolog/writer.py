# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Terms as text.

No function here recurses on a term: what is left to write waits in frames on an explicit stack,
so that depth costs memory, never the C stack.
"""

import math

import cython

from prism_repl.prolog.digits import int_text
from prism_repl.prolog.notation import SYMBOL_CHARS, atom_source, float_text, numbered_name, variable_text

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import ATM, BOX, GLS, GST, INT, LST, REF, STR
    from prism_repl.prolog.token_text import TokenText
    from prism_repl.prolog.writer_states import (
        ALNUM,
        ARGUMENT,
        BOUND,
        BREAK,
        F_ARGUMENTS,
        F_CLOSE,
        F_ELEMENTS,
        F_INFIX,
        F_LEAVE,
        F_POSTFIX,
        F_TERM,
        LEFT,
        LEFT_OPEN,
        OPENER,
        OPERAND,
        QUOTE,
        SYMBOL,
    )


def class_of(ch: str) -> int:
    """The class of a character at either end of a token."""
    if ch == "_" or ch.isalnum():
        return ALNUM
    if ch in SYMBOL_CHARS:
        return SYMBOL
    if ch == "'":
        return QUOTE
    return BREAK


def write_term(
    m,
    cell,
    *,
    quoted=False,
    ignore_ops=False,
    numbervars=False,
    dotlists=False,
    variable_names=(),
    max_depth=0,
    max_length=0,
    float_format="short",
    priority=1200,
    spacing="standard",
    bounded=False,
):
    """The text of a term.

    variable_names: pairs (name, variable cell), or a dict variable cell -> name; max_depth: 0 is
    no limit; max_length: after so many bytes the text ends in ` ...`, 0 is no limit;
    float_format: "short" (6 digits) or "full" (reads back); priority: operators above it
    are put in parentheses; dotlists: lists as '.'(H,T); spacing "next_argument": a blank after the
    commas of arguments; bounded: a term whose text is far longer than the term, because parts of it are
    shared, is cut. A cyclic term ends in `...` where it meets itself.
    """
    w = Writer(
        m,
        m.operators,
        quoted,
        ignore_ops,
        numbervars,
        dotlists,
        variable_names,
        max_depth,
        max_length,
        float_format == "full",
        spacing == "next_argument",
        bounded,
    )
    return w.write(cell, priority)


class Writer(TokenText):
    """One term on its way to text."""

    def __init__(
        self,
        m,
        operators,
        quoted,
        ignore_ops,
        numbervars,
        dotlists,
        variable_names,
        max_depth,
        max_length,
        full_floats,
        wide,
        bounded,
    ):
        super().__init__(m.heap)
        self.m = m
        self.operators = operators
        self.quoted = quoted
        self.ignore_ops = ignore_ops
        self.numbervars = numbervars
        self.dotlists = dotlists
        self.full_floats = full_floats
        self.wide = wide
        self.bounded = bounded
        self.written = 0
        self.distinct = 1000
        self.max_depth = max_depth
        self.max_length = max_length
        if isinstance(variable_names, dict):
            self.names = variable_names
        else:  # the first name of a variable counts
            self.names = {}
            for name, variable in variable_names:
                self.names.setdefault(m.terms.deref(variable), name)
        self.atoms = {}
        self.operator_cache = {}
        self.top = 0
        self.stack_size = first_size(256)
        self.stack = new_area(self.stack_size)
        self.cyclic = False
        self.var_atom = m.symbols.atom("$VAR")
        self.curly_atom = m.symbols.atom("{}")
        self.minus_atom = m.symbols.atom("-")
        self.slash_atom = m.symbols.atom("/")
        self.comma_atom = m.symbols.atom(",")
        self.bar_atom = m.symbols.atom("|")
        self.semicolon_atom = m.symbols.atom(";")

    def __dealloc__(self):
        if cython.compiled:
            free(self.stack)
            free(self.marks)

    def write(self, cell: int, priority: int) -> str:
        """The text of the term."""
        c: cython.longlong = self.m.terms.deref(cell)
        if not self.is_small_tree(c):
            self.cyclic = self.has_cycle(c)
        self.distinct += self.m.store.top
        self.run(c, priority)
        return self.result()

    # ---- names

    def atom_info(self, c):
        """(text, class of its first character, of its last, written like a word)"""
        info = self.atoms.get(c)
        if info is None:
            text: str = self.m.symbols.atom_text(c)
            if self.quoted:
                text = atom_source(text)
            if text:
                first = class_of(text[0])
                last = class_of(text[len(text) - 1])
                info = (text, first, last, first != SYMBOL)
            else:
                info = (text, BREAK, BREAK, True)
            self.atoms[c] = info
        return info

    def operator_info(self, name):
        """Priorities: prefix, its operand, infix, its left, its right, postfix, its operand; 0 is none.

        None if the atom is no operator at all.
        """
        info = self.operator_cache.get(name, 0)
        if info == 0:
            text: str = self.m.symbols.atom_text(name)
            prefix = self.operators.prefix(text)
            infix = self.operators.infix(text)
            postfix = self.operators.postfix(text)
            if not prefix and not infix and not postfix:
                info = None
            else:
                pp = pa = ip = il = ir = sp = sa = 0
                if prefix:
                    pp, kind = prefix
                    pa = pp if kind == "fy" else pp - 1
                if infix:
                    ip, kind = infix
                    il = ip if kind == "yfx" else ip - 1
                    ir = ip if kind == "xfy" else ip - 1
                if postfix:
                    sp, kind = postfix
                    sa = sp if kind == "yf" else sp - 1
                info = (pp, pa, ip, il, ir, sp, sa)
            self.operator_cache[name] = info
        return info

    # ---- frames

    def push(self, kind, cell, number, depth):
        at: cython.longlong = self.top
        if at + 4 > self.stack_size:
            size: cython.longlong = larger(self.stack_size, 0)
            self.stack = grow_area(self.stack, self.stack_size, size)
            self.stack_size = size
        self.stack[at] = kind
        self.stack[at + 1] = cell
        self.stack[at + 2] = number
        self.stack[at + 3] = depth
        self.top = at + 4
        return 0

    def push_term(self, cell, priority, where, depth):
        return self.push(F_TERM, cell, priority << 2 | where, depth)

    def run(self, c, priority):
        kind: cython.longlong
        number: cython.longlong
        depth: cython.longlong
        steps: cython.longlong = 0
        self.term(c, priority, ARGUMENT if priority >= 999 else OPERAND, 1)
        while self.top > 0:
            steps += 1
            if steps & 0xFFFF == 0:
                self.m.interrupts.check()
            if self.max_length > 0 and self.size > self.max_length:
                return self.put(" ...")
            self.top -= 4
            kind = self.stack[self.top]
            c = self.stack[self.top + 1]
            number = self.stack[self.top + 2]
            depth = self.stack[self.top + 3]
            if kind == F_TERM:
                self.term(c, number >> 2, number & 3, depth)
            elif kind == F_ARGUMENTS:
                self.arguments(c, number, depth)
            elif kind == F_ELEMENTS:
                self.elements(c, number, depth)
            elif kind == F_INFIX:
                self.infix_name(c)
            elif kind == F_POSTFIX:
                if self.atom_info(c)[3]:
                    self.punctuation(32, BREAK)
                self.name(c)
            elif kind == F_CLOSE:
                self.punctuation(number, BREAK)
            else:  # F_LEAVE
                self.set_mark(c, 0)
        return 0

    def term(self, c, priority, where, depth):
        c = self.m.terms.deref(c)
        t: cython.longlong = c & 7
        if t == INT or t == BOX:
            self.number(c)
        elif t == ATM:
            self.atom(c, where)
        elif t == REF:
            self.variable(c)
        else:
            self.compound(c, priority, where, depth)
        return 0

    def part(self, c, depth):
        """An argument or element: at once if it is atomic, else as a frame, for this must not recurse."""
        if self.m.terms.is_compound(c):
            self.push_term(c, 999, ARGUMENT, depth)
        else:
            self.term(c, 999, ARGUMENT, depth)
        return 0

    def variable(self, c):
        name = self.names.get(c)
        if name is None:
            name = variable_text(c)
        self.token(name, ALNUM, ALNUM)
        return 0

    def number(self, c):
        if c & 7 == INT:
            if (c < 0 and self.last == SYMBOL) or (c >= 0 and self.last == ALNUM):
                self.put_char(32)
            self.put_small(c >> 3)
            self.last = ALNUM
            self.after_prefix = False
            return 0
        if self.m.terms.is_float(c):
            text = float_text(self.m.terms.float_value(c), self.full_floats)
        else:
            text = int_text(self.m.terms.int_value(c))
        self.token(text, SYMBOL if text[0] == "-" else ALNUM, ALNUM)
        return 0

    def name(self, c):
        """An atom as it is, without parentheses."""
        info = self.atom_info(c)
        if c == self.m.symbols.nil and self.last == SYMBOL:
            self.put_char(32)  # a= [], as PRISM writes it
        self.token(info[0], info[1], info[2])
        return 0

    def atom(self, c, where):
        if where == ARGUMENT:
            self.name(c)
            return 0
        if self.quoted and not self.after_prefix and (c == self.comma_atom or c == self.bar_atom):
            self.name(c)  # ',' in quotes is no operator
            return 0
        info = self.operator_info(c)
        if info is None:
            self.name(c)
        elif where == LEFT and info[0] == 0 and self.last == OPENER and c != self.semicolon_atom:
            self.name(c)  # > /2
        else:
            self.open_paren()
            self.name(c)
            self.punctuation(41, BREAK)
        return 0

    def is_cut(self):
        """True if the text gets too long: parts that are shared were written again and again."""
        self.written += 1
        return self.bounded and self.size > BOUND and self.written > 2 * self.distinct

    # ---- lists

    def elements(self, c, count, depth):
        """Go on after `count` elements of a list: c is what is left."""
        head: cython.longlong
        t: cython.longlong
        while True:
            c = self.m.terms.deref(c)
            t = c & 7
            if t == LST or t == GLS:
                if count > 0:
                    if (
                        (self.max_depth > 0 and count >= self.max_depth)
                        or (self.cyclic and self.entered(c))
                        or self.is_cut()
                    ):
                        self.put("|...")
                        break
                    self.punctuation(44, OPENER)
                count += 1
                head = self.m.terms.head(c)
                if head & 7 == INT:
                    self.number(head)
                    c = self.m.terms.tail(c)
                    if self.max_length == 0 or self.size <= self.max_length:
                        continue
                    self.push(F_ELEMENTS, c, count, depth)
                    return 0
                self.push(F_ELEMENTS, self.m.terms.tail(c), count, depth)
                self.part(head, depth)
                return 0
            if c != self.m.symbols.nil:
                self.punctuation(124, OPENER)
                self.push(F_CLOSE, 0, 93, 0)
                self.part(c, depth)
                return 0
            break
        self.punctuation(93, BREAK)
        return 0

    # ---- compound terms

    def compound(self, c, priority, where, depth):
        if (self.max_depth > 0 and depth > self.max_depth) or self.is_cut():
            self.token("...", SYMBOL, SYMBOL)
            return 0
        if self.cyclic and self.entered(c):
            self.token("...", SYMBOL, SYMBOL)
            return 0
        t: cython.longlong = c & 7
        if (t == LST or t == GLS) and not self.dotlists:
            self.punctuation(91, OPENER)
            self.elements(c, 0, depth + 1)
            return 0
        f: cython.longlong = self.m.terms.functor_of(c)
        name: cython.longlong = self.m.symbols.functor_name_of(f)
        n: cython.longlong = self.m.symbols.functor_arity_of(f)
        if n == 1:
            if self.numbervars and name == self.var_atom:
                x: cython.longlong = self.m.terms.arg(c, 0)
                if x & 7 == INT and x >= 0:
                    self.token(numbered_name(x >> 3), ALNUM, ALNUM)
                    return 0
            if name == self.curly_atom and not self.ignore_ops:
                self.punctuation(123, OPENER)
                self.push(F_CLOSE, 0, 125, 0)
                self.push_term(self.m.terms.arg(c, 0), 1200, ARGUMENT, depth + 1)
                return 0
        if n <= 2 and not self.ignore_ops and self.operator_term(c, name, n, priority, where, depth):
            return 0
        self.name(name)
        self.punctuation(40, OPENER)
        self.arguments(c, 0, depth + 1)
        return 0

    def operator_term(self, c, name, n, priority, where, depth):
        """Write a term as an operator with its operands; False if it is none."""
        info = self.operator_info(name)
        if info is None:
            return False
        own: cython.longlong
        x: cython.longlong
        operand: cython.longlong
        if n == 2:
            own = info[2]
            if own == 0:
                return False
            if own > priority or (where == LEFT_OPEN and own == priority and info[4] == own):
                self.open_paren()
                self.push(F_CLOSE, 0, 41, 0)
            self.push_term(self.m.terms.arg(c, 1), info[4], OPERAND, depth + 1)
            self.push(F_INFIX, name, 0, 0)
            x = self.m.terms.arg(c, 0)
            if x & 7 == ATM:
                where = LEFT if name == self.slash_atom and self.m.terms.arg(c, 1) & 7 == INT else OPERAND
            else:
                where = LEFT_OPEN if info[3] == own else LEFT
            self.push_term(x, info[3], where, depth + 1)
            return True
        x = self.m.terms.arg(c, 0)
        own = info[0]
        if own > 0:
            operand = info[1]
            # after a prefix operator that is a word, `- (` would read as infix: dynamic (- (1))
            signed: cython.bint = self.after_prefix and self.last == BREAK and info[2] > 0
            if own > priority or signed or (where == LEFT_OPEN and own == priority):
                self.open_paren()
                self.push(F_CLOSE, 0, 41, 0)
            self.name(name)
            if self.atom_info(name)[3]:
                self.punctuation(32, BREAK)
            self.after_prefix = True
            if name == self.minus_atom and (self.starts_with_number(x, operand) or self.is_set_off(x)):
                self.open_paren()
                self.push(F_CLOSE, 0, 41, 0)
            self.push_term(x, operand, OPERAND, depth + 1)
            return True
        own = info[5]
        if own == 0:
            return False
        if own > priority:
            self.open_paren()
            self.push(F_CLOSE, 0, 41, 0)
        self.push(F_POSTFIX, name, 0, 0)
        self.push_term(x, info[6], LEFT_OPEN if info[6] == own else LEFT, depth + 1)
        return True

    def arguments(self, c, i, depth):
        if i == self.m.terms.arity_of(c):
            self.punctuation(41, BREAK)
            return 0
        if i > 0:
            self.punctuation(44, OPENER)
            if self.wide:
                self.put_char(32)
        self.push(F_ARGUMENTS, c, i + 1, depth)
        self.part(self.m.terms.arg(c, i), depth)
        return 0

    def infix_name(self, name):
        if name == self.comma_atom:
            self.punctuation(44, OPENER)
        elif name == self.semicolon_atom:
            self.put(" ;  ")
            self.last = BREAK
            self.after_prefix = False
        elif name == self.bar_atom:
            self.punctuation(124, OPENER)
        elif self.atom_info(name)[3]:
            self.punctuation(32, BREAK)
            self.name(name)
            self.punctuation(32, BREAK)
        else:
            self.name(name)
        return 0

    def is_set_off(self, c):
        """Is it a sign before a number in parentheses? PRISM sets this off once more: - (- (5))."""
        if (
            not self.m.terms.is_compound(c)
            or self.m.terms.arity_of(c) != 1
            or self.m.terms.name_of(c) != self.minus_atom
        ):
            return False
        return self.starts_with_number(self.m.terms.arg(c, 0), self.operator_info(self.minus_atom)[1])

    def is_negative(self, c):
        if c & 7 == INT:
            return c < 0
        if self.m.terms.is_float(c):
            return math.copysign(1.0, self.m.terms.float_value(c)) < 0
        return self.m.terms.int_value(c) < 0

    def starts_with_number(self, c, priority):
        """True if the operand's text would begin with a digit: -1 would be a number, as would - 1.

        Only infix and postfix operators are gone down, so that each is met once: from the one
        prefix operator above it.
        """
        steps: cython.longlong = 0
        own: cython.longlong
        while True:
            c = self.m.terms.deref(c)
            if c & 7 == INT or c & 7 == BOX:
                return not self.is_negative(c)
            steps += 1
            if not self.m.terms.is_compound(c) or (self.cyclic and steps > 1000):
                return False
            n: cython.longlong = self.m.terms.arity_of(c)
            if n > 2:
                return False
            info = self.operator_info(self.m.terms.name_of(c))
            if info is None:
                return False
            own = info[2] if n == 2 else info[5]
            if own == 0 or own > priority or (n == 1 and info[0] > 0):
                return False
            priority = info[3] if n == 2 else info[6]
            c = self.m.terms.arg(c, 0)

    # ---- cycles

    def entered(self, c):
        """True if c is being written already; otherwise note that it is, until its frame is left."""
        t: cython.longlong = c & 7
        if t == GLS or t == GST:
            return False
        if self.mark_of(c) == 1:
            return True
        self.set_mark(c, 1)
        self.push(F_LEAVE, c, 0, 0)
        return False

    def mark_of(self, c):
        i: cython.longlong = c >> 3
        return (self.marks[i >> 4] >> ((i & 15) * 2)) & 3

    def set_mark(self, c, mark):
        i: cython.longlong = c >> 3
        word: cython.longlong = self.marks[i >> 4]
        shift: cython.longlong = (i & 15) * 2
        one: cython.longlong = 1
        self.marks[i >> 4] = (word & ~((3 * one) << shift)) | (mark * one) << shift
        return 0

    def is_small_tree(self, c):
        """True if a walk of some hundred steps shows that the term ends: no need to look for cycles."""
        steps: cython.longlong = 0
        i: cython.longlong
        n: cython.longlong
        self.push(c, 0, 0, 0)
        while self.top > 0:
            self.top -= 4
            c = self.m.terms.deref(self.stack[self.top])
            if c & 7 != LST and c & 7 != STR:
                continue
            n = self.m.terms.arity_of(c)
            steps += n
            if steps > 500:
                self.top = 0
                return False
            for i in range(n):
                self.push(self.m.terms.arg(c, i), 0, 0, 0)
        return True

    def has_cycle(self, c):
        """Depth first: a term is marked 1 while its parts are visited, 2 when they are done."""
        x: cython.longlong
        part: cython.longlong
        i: cython.longlong
        n: cython.longlong
        at: cython.longlong = 0
        mark: cython.int
        found: cython.bint = False
        size: cython.longlong
        words: cython.longlong = (self.m.heap.H >> 4) + 1
        self.marks = new_area(words)
        if c & 7 == LST or c & 7 == STR:
            self.stack[0] = c
            at = 1
        while at > 0:
            at -= 1
            x = self.stack[at]
            if x < 0:
                self.set_mark(~x, 2)
                continue
            mark = self.mark_of(x)
            if mark == 2:
                continue
            if mark == 1:
                found = True
                break
            self.set_mark(x, 1)
            self.distinct += 1
            n = self.m.terms.arity_of(x)
            if at + n + 1 > self.stack_size:
                size = larger(self.stack_size, at + n + 1)
                self.stack = grow_area(self.stack, self.stack_size, size)
                self.stack_size = size
            self.stack[at] = ~x
            at += 1
            for i in range(n):
                part = self.m.terms.arg(x, i)
                if part & 7 == LST or part & 7 == STR:
                    self.stack[at] = part
                    at += 1
        self.marks = renew_area(self.marks, words if found else 1)
        return found
