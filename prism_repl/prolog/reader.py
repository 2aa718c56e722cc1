# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Text to terms: the operator-precedence parser.

The parser keeps two stacks of its own, operands and frames (operators that wait for their right side,
brackets that are open), so that nesting costs memory and never the C stack. Terms are built on the heap
as soon as they are complete.
"""

import cython

if not cython.compiled:
    from prism_repl.core.areas import *  # noqa: F403
    from prism_repl.core.cells import INT, LST, STR
    from prism_repl.prolog.syntax import (
        ARGUMENTS,
        CURLY,
        END,
        END_OF_TEXT,
        F_BASE,
        F_CONTEXT,
        F_KIND,
        F_LIMIT,
        F_NAME,
        F_PRIORITY,
        F_START,
        FRAME,
        INFIX,
        LIST,
        LIST_TAIL,
        NAME,
        NUMBER,
        O_CELL,
        O_END,
        O_PRIORITY,
        O_START,
        OPERAND,
        PAREN,
        PREFIX,
        PUNCTUATION,
        SUBSCRIPT,
        TEXT,
        TOP,
        VARIABLE,
    )
    from prism_repl.prolog.tokens import ends_clause, skip_quoted

from prism_repl.core.errors import PrologError
from prism_repl.prolog.operators import Operators
from prism_repl.prolog.read_terms import ReadError, ReadTerm
from prism_repl.prolog.tokens import Fault, Tokens, find_end

__all__ = ["ReadError", "ReadTerm", "Reader", "find_end", "read_term"]


def read_term(m, text, name="user_input"):
    """The first term of the text (a final period may be missing), or None if there is none."""
    return Reader(m, text + " .", name).read_term()


class Reader(Tokens):
    """Reads the clauses of a text one after the other.

    `operators` are m.operators, flags are m.prolog_flags (double_quotes, back_quotes), both looked up
    anew for each term, so that directives between the clauses count.
    """

    def __init__(self, m, text, name="user_input", line=1, positions=False):
        Tokens.__init__(self, m, text)
        self.name = name
        self.line = line
        self.line_known = 0
        self.line_start = 0
        self.keep_positions = positions
        self.operators = None
        self.operands_size = first_size(64 * OPERAND)
        self.operands = new_area(self.operands_size)
        self.frames_size = first_size(16 * FRAME)
        self.frames = new_area(self.frames_size)
        if text.startswith("\ufeff"):
            self.end_position = 1
        if line == 1 and text.startswith("#!", self.end_position):
            at = text.find("\n")
            self.end_position = at if at >= 0 else self.length

    def __dealloc__(self):
        if cython.compiled:
            free_area(self.operands)
            free_area(self.frames)

    def read_term(self):
        """The next term, or None at the end of the text.

        After a ReadError the reader stands behind the bad clause and can go on.
        """
        mark: cython.longlong = self.m.heap.H
        self.prepare()
        try:
            self.advance()
            if self.kind == END_OF_TEXT:
                return None
            self.first = self.start
            cell: cython.longlong = self.parse()
        except Fault as fault:
            self.m.heap.H = mark  # the pieces of the bad term
            raise self.error(fault.message, fault.offset) from None
        except PrologError:  # no memory for the term
            self.m.heap.H = mark
            self.skip_clause()
            raise
        finally:
            self.shrink()
        term = ReadTerm(
            cell, self.variables, self.occurrences, self.text, self.first, self.end, self.positions
        )
        term.start_line, term.start_column = self.place_of(self.first)
        term.end_line, term.end_column = self.place_of(self.end)
        return term

    def place_of(self, offset):
        """(line, column) of an offset that is not before the last one asked for."""
        self.place(offset)
        return self.line, offset - self.line_start + 1

    def place(self, offset):
        if offset > self.line_known:
            self.line += self.text.count("\n", self.line_known, offset)
            at: cython.longlong = self.text.rfind("\n", self.line_known, offset)
            if at >= 0:
                self.line_start = at + 1
            self.line_known = offset
        return 0

    def skip_clause(self):
        """Go behind the clause that the current token belongs to."""
        end, _ = find_end(self.text, self.start)
        self.end_position = end if end >= 0 else self.length

    def error(self, message, offset):
        """The ReadError for this place, with the reader moved behind the clause."""
        if self.first < 0:
            self.first = self.start
        self.skip_clause()
        shown: cython.longlong = self.end_position
        if shown == self.length:
            shown = self.first + len(self.text[self.first :].rstrip())
        offset = min(max(offset, self.first), shown)
        first_line, _ = self.place_of(self.first)
        line, column = self.place_of(offset)
        last_line, _ = self.place_of(shown)
        text = self.text[self.first : shown]
        at = offset - self.first
        return ReadError(message, self.name, text, at, line, column, first_line, last_line)

    def prepare(self):
        """Forget the last term; look up flags and operators."""
        operators = getattr(self.m, "operators", None) or self.operators or Operators()
        self.operators = operators
        self.prefix_codes = operators.prefix_codes
        self.infix_codes = operators.infix_codes
        self.postfix_codes = operators.postfix_codes
        self.forget()
        self.positions = {} if self.keep_positions else None
        self.first = -1
        self.otop = 0
        self.ftop = 0
        self.context = 0
        return 0

    def shrink(self):
        """Give back the stacks of an unusually large term."""
        if self.operands_size > 1 << 16:
            self.operands = renew_area(self.operands, 64 * OPERAND)
            self.operands_size = 64 * OPERAND
        if self.frames_size > 1 << 16:
            self.frames = renew_area(self.frames, 16 * FRAME)
            self.frames_size = 16 * FRAME
        return 0

    # ---- the parser

    def parse(self):
        """The term whose first token is the current one, up to the end token."""
        self.push_frame(TOP, 0, 1200, 1200, self.start)
        self.context = 0
        while True:
            while not self.operand():
                pass
            if not self.operator_follows():
                break
        return self.operands[O_CELL]

    def unexpected(self, wanted):
        """The fault at the current token, marked where the last good token ends."""
        offset: cython.longlong = self.start
        if self.text.find("\n", self.last_end, self.start) >= 0:
            offset = self.last_end
        if self.kind == END_OF_TEXT:
            return Fault("the end of the text where %s was expected" % wanted, self.last_end)
        if self.kind == END:
            return Fault("the end of the clause where %s was expected" % wanted, offset)
        return Fault("%s was expected" % wanted, offset)

    def not_closed(self):
        """The fault of a token that comes where the innermost open bracket should be closed first."""
        kind: cython.longlong = self.frames[self.context]
        at: cython.longlong = self.frames[self.context + F_START]
        opener = "("
        if kind == LIST or kind == LIST_TAIL or kind == SUBSCRIPT:
            opener = "["
        elif kind == CURLY:
            opener = "{"
        if kind == ARGUMENTS and self.text[at] == "'":  # the bracket is behind the functor's name
            at = skip_quoted(self.text, at)
        at = self.text.find(opener, at)
        line = self.line + self.text.count("\n", self.line_known, at)
        column = at - self.text.rfind("\n", 0, at)
        closer = {"(": ")", "[": "]", "{": "}"}[opener]
        return self.unexpected("%s, for the %s at line %d, column %d," % (closer, opener, line, column))

    def operand(self):
        """At the beginning of a term: take one token. True when a whole operand has been pushed."""
        start: cython.longlong = self.start
        ch: cython.Py_UCS4
        if self.kind == NAME:
            if self.functional:
                self.end_position += 1
                self.end = self.end_position
                self.open_frame(ARGUMENTS, self.cell, 999)
                self.advance()
                return False
            return self.prefix_or_atom()
        if self.kind == VARIABLE:
            self.push_operand(self.cell, 0, start, self.end)
            # B-Prolog's array access A[I,J] is the term A^[I,J]
            if self.end < self.length and self.text[self.end] == "[":
                self.advance()
                self.open_frame(SUBSCRIPT, 0, 999)
                self.advance()
                return False
            self.advance()
            return True
        if self.kind == NUMBER or self.kind == TEXT:
            self.push_operand(self.cell, 0, start, self.end)
            self.advance()
            return True
        if self.kind == PUNCTUATION:
            ch = self.word[0]
            if ch == "(":
                self.open_frame(PAREN, 0, 1200)
                self.advance()
                return False
            if ch == "[":
                self.advance()
                if self.kind == PUNCTUATION and self.word == "]":
                    self.start = start
                    self.name_token("[]", self.end)
                    return self.operand()
                self.start, start = start, self.start
                self.open_frame(LIST, 0, 999)
                self.start = start
                return False
            if ch == "{":
                self.advance()
                if self.kind == PUNCTUATION and self.word == "}":
                    self.start = start
                    self.name_token("{}", self.end)
                    return self.operand()
                self.start, start = start, self.start
                self.open_frame(CURLY, 0, 1200)
                self.start = start
                return False
        raise self.unexpected("a term")

    def prefix_or_atom(self):
        """A name that is no functor: a sign, a prefix operator or an atom."""
        word: str = self.word
        name: cython.longlong = self.cell
        start: cython.longlong = self.start
        end: cython.longlong = self.end
        self.advance()
        if self.kind == NUMBER and word == "-":
            if self.cell & 7 == INT:
                self.cell = -(self.cell >> 3) << 3 | INT
            elif self.m.terms.is_float(self.cell):
                self.cell = self.m.terms.float_cell(-self.m.terms.float_value(self.cell))
            else:
                self.cell = self.m.terms.int_cell(-self.m.terms.int_value(self.cell))
            self.push_operand(self.cell, 0, start, self.end)
            self.advance()
            return True
        found = self.prefix_codes.get(word)
        if found is None:
            self.push_operand(name, 0, start, end)
            return True
        code: cython.longlong = found
        limit: cython.longlong = code & 4095
        applies: cython.bint = True
        if self.kind == END or self.kind == END_OF_TEXT:
            applies = False
        elif self.kind == PUNCTUATION:
            applies = self.word[0] in "([{"
        elif self.kind == NAME and not self.functional:
            if self.word in self.infix_codes or self.word in self.postfix_codes:
                applies = self.terminator_follows() or self.signs_operand(word, limit)
        # With too high a priority it is an atom as well: the next token is then the place of the error.
        if applies and (code >> 24) <= self.frames[self.ftop - FRAME + F_LIMIT]:
            self.push_frame(PREFIX, name, code >> 24, limit, start)
            return False
        self.push_operand(name, 0, start, end)
        return True

    def signs_operand(self, word, limit):
        """After the prefix operator `word`, does the infix operator that follows begin its operand?

        In `- - a`, `not -a` and `f f a` it does, in `- = a`, `dynamic - a` and `prob :- a` it does not.
        """
        found = self.prefix_codes.get(self.word)
        if found is None or found >> 24 > limit:
            return False
        if not word[0].isalpha() or self.word == word or self.word not in self.infix_codes:
            return True
        blank_before: cython.bint = self.start > self.last_end
        blank_after: cython.bint = self.skip_layout(self.end) > self.end
        return blank_before and not blank_after

    def terminator_follows(self):
        """Is the current token followed by a closing bracket, a comma, a bar or the end?"""
        i: cython.longlong = self.skip_layout(self.end_position)
        if i >= self.length:
            return True
        ch: cython.Py_UCS4 = self.text[i]
        return ch in ")]},|" or (ch == "." and ends_clause(self.text, i))

    def operator_follows(self):
        """After an operand: True if an infix operator or a separator asks for another one."""
        ch: cython.Py_UCS4
        while True:
            if self.kind == NAME:
                found = self.infix_codes.get(self.word)
                if self.postfix_codes:
                    after = self.postfix_codes.get(self.word)
                    if after is not None and (found is None or self.terminator_follows()):
                        self.postfix(self.cell, after)
                        continue
                if found is None:
                    raise self.unexpected("an operator")
                return self.infix(self.cell, found)
            if self.kind == PUNCTUATION:
                ch = self.word[0]
                if ch == "," or ch == "|":
                    return self.separator()
                if ch == ")":
                    if self.frames[self.context] == ARGUMENTS:
                        self.close(ARGUMENTS)
                        continue
                    self.close(PAREN)
                    continue
                if ch == "]":
                    if self.frames[self.context] == SUBSCRIPT:
                        self.close(SUBSCRIPT)
                        if self.kind == PUNCTUATION and self.word == "[" and self.start == self.last_end:
                            self.open_frame(SUBSCRIPT, 0, 999)
                            self.advance()
                            return True
                        continue
                    self.close(LIST_TAIL if self.frames[self.context] == LIST_TAIL else LIST)
                    continue
                if ch == "}":
                    self.close(CURLY)
                    continue
            if self.kind == END and self.frames[self.context] == TOP:
                self.reduce_all()
                return False
            if self.kind == END and self.frames[self.context] != TOP:
                raise self.not_closed()
            raise self.unexpected("an operator")

    def separator(self):
        """A comma or a bar: between arguments or elements, or an infix operator."""
        comma: cython.bint = self.word == ","
        kind: cython.longlong = self.frames[self.context]
        if comma and (kind == ARGUMENTS or kind == LIST or kind == SUBSCRIPT):
            self.reduce_all()
            self.advance()
            return True
        if not comma and kind == LIST:
            self.reduce_all()
            self.frames[self.context] = LIST_TAIL
            self.advance()
            return True
        if kind == LIST_TAIL:
            raise self.unexpected("a closing bracket")
        found = self.infix_codes.get(self.word)
        if found is None:
            raise self.unexpected("an operator")
        return self.infix(self.m.symbols.atom(self.word), found)

    def infix(self, name, code):
        """Take an infix operator; operators that bind tighter are reduced first."""
        priority: cython.longlong = code >> 24
        frame: cython.longlong = self.ftop - FRAME
        while priority > self.frames[frame + F_LIMIT] and self.frames[frame] <= INFIX:
            self.reduce()
            frame -= FRAME
        if priority > self.frames[frame + F_LIMIT]:
            raise self.unexpected("an operator of at most priority %d" % self.frames[frame + F_LIMIT])
        top: cython.longlong = self.otop - OPERAND
        if self.operands[top + O_PRIORITY] > ((code >> 12) & 4095):
            raise self.unexpected("an operator that takes such a left side")
        self.push_frame(INFIX, name, priority, code & 4095, self.operands[top + O_START])
        self.advance()
        return True

    def postfix(self, name, code):
        priority: cython.longlong = code >> 24
        frame: cython.longlong = self.ftop - FRAME
        while priority > self.frames[frame + F_LIMIT] and self.frames[frame] <= INFIX:
            self.reduce()
            frame -= FRAME
        top: cython.longlong = self.otop - OPERAND
        if priority > self.frames[frame + F_LIMIT]:
            raise self.unexpected("an operator of at most priority %d" % self.frames[frame + F_LIMIT])
        if self.operands[top + O_PRIORITY] > ((code >> 12) & 4095):
            raise self.unexpected("an operator that takes such a left side")
        start: cython.longlong = self.operands[top + O_START]
        c: cython.longlong = self.structure(name, 1)
        self.push_operand(c, priority, start, self.end)
        self.advance()
        return 0

    def close(self, opened):
        """A closing bracket: build what it closes and push it."""
        frame: cython.longlong = self.context
        if self.frames[frame] != opened:
            raise self.unexpected("an operator") if self.frames[frame] == TOP else self.not_closed()
        self.reduce_all()
        n: cython.longlong = (self.otop - self.frames[frame + F_BASE]) // OPERAND
        start: cython.longlong = self.frames[frame + F_START]
        end: cython.longlong = self.end
        c: cython.longlong
        if opened == ARGUMENTS:
            c = self.structure(self.frames[frame + F_NAME], n)
        elif opened == LIST:
            c = self.list_of(n, False)
        elif opened == LIST_TAIL:
            c = self.list_of(n, True)
        elif opened == PAREN:
            c = self.operands[self.otop - OPERAND + O_CELL]
            self.otop -= OPERAND
        elif opened == CURLY:
            c = self.structure(self.m.symbols.atom("{}"), 1)
        else:
            c = self.list_of(n, False)
            start = self.operands[self.otop - OPERAND + O_START]
            self.push_operand(c, 0, self.frames[frame + F_START], end)
            c = self.structure(self.m.symbols.atom("^"), 2)
        self.ftop = frame
        self.context = self.frames[frame + F_CONTEXT]
        self.push_operand(c, 0, start, end)
        self.advance()
        return 0

    # ---- the stacks

    def open_frame(self, kind, name, limit):
        """Open a bracket at the current token; its content has at most priority `limit`."""
        at: cython.longlong = self.ftop
        self.push_frame(kind, name, 0, limit, self.start)
        self.frames[at + F_CONTEXT] = self.context
        self.context = at
        return 0

    def push_frame(self, kind, name, priority, limit, start):
        at: cython.longlong = self.ftop
        if at + FRAME > self.frames_size:
            size: cython.longlong = larger(self.frames_size, at + FRAME)
            self.frames = grow_area(self.frames, self.frames_size, size)
            self.frames_size = size
        self.frames[at + F_KIND] = kind
        self.frames[at + F_NAME] = name
        self.frames[at + F_PRIORITY] = priority
        self.frames[at + F_LIMIT] = limit
        self.frames[at + F_START] = start
        self.frames[at + F_BASE] = self.otop
        self.ftop = at + FRAME
        return 0

    def push_operand(self, c, priority, start, end):
        at: cython.longlong = self.otop
        if at + OPERAND > self.operands_size:
            size: cython.longlong = larger(self.operands_size, at + OPERAND)
            self.operands = grow_area(self.operands, self.operands_size, size)
            self.operands_size = size
        self.operands[at + O_CELL] = c
        self.operands[at + O_PRIORITY] = priority
        self.operands[at + O_START] = start
        self.operands[at + O_END] = end
        self.otop = at + OPERAND
        return 0

    def reduce(self):
        """Apply the operator of the top frame to its operands."""
        frame: cython.longlong = self.ftop - FRAME
        end: cython.longlong = self.operands[self.otop - OPERAND + O_END]
        n: cython.longlong = 1 if self.frames[frame] == PREFIX else 2
        c: cython.longlong = self.structure(self.frames[frame + F_NAME], n)
        self.push_operand(c, self.frames[frame + F_PRIORITY], self.frames[frame + F_START], end)
        self.ftop = frame
        return 0

    def reduce_all(self):
        """Apply the operators above the open bracket."""
        while self.frames[self.ftop - FRAME] <= INFIX:
            self.reduce()
        return 0

    def structure(self, name, n):
        """Build name(...) of the top n operands, which are popped."""
        m = self.m
        m.heap.room(n + 1)
        base: cython.longlong = self.otop - n * OPERAND
        at: cython.longlong = m.heap.H
        c: cython.longlong
        i: cython.longlong
        f: cython.longlong = m.symbols.functor(name, n)
        if f == m.symbols.list_functor:
            c = at << 3 | LST
        else:
            m.heap.cells[at] = f << 3 | INT
            c = at << 3 | STR
            at += 1
        for i in range(n):
            m.heap.cells[at + i] = self.operands[base + i * OPERAND + O_CELL]
            if self.positions is not None:
                self.positions[at + i] = (
                    self.operands[base + i * OPERAND + O_START],
                    self.operands[base + i * OPERAND + O_END],
                )
        m.heap.H = at + n
        self.otop = base
        return c

    def list_of(self, n, has_tail):
        """Build a list of the top n operands, which are popped; the last is the tail if has_tail."""
        m = self.m
        m.heap.room(2 * n)
        base: cython.longlong = self.otop - n * OPERAND
        start: cython.longlong = m.heap.H
        at: cython.longlong = start
        items: cython.longlong = n - 1 if has_tail else n
        i: cython.longlong
        for i in range(items):
            m.heap.cells[at] = self.operands[base + i * OPERAND + O_CELL]
            m.heap.cells[at + 1] = (at + 2) << 3 | LST
            if self.positions is not None:
                self.positions[at] = (
                    self.operands[base + i * OPERAND + O_START],
                    self.operands[base + i * OPERAND + O_END],
                )
            at += 2
        m.heap.cells[at - 1] = self.operands[base + items * OPERAND + O_CELL] if has_tail else m.symbols.nil
        m.heap.H = at
        self.otop = base
        return start << 3 | LST
