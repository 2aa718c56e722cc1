# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# native: -O1
"""Text to tokens: characters, names, variables, numbers, quoted items, and where clauses end."""

import unicodedata

import cython

if not cython.compiled:
    from prism_repl.core.cells import INT, LST
    from prism_repl.prolog.syntax import (
        CAPITAL,
        DIGIT,
        END,
        END_OF_TEXT,
        ILLEGAL,
        LAYOUT,
        NAME,
        NUMBER,
        PUNCTUATION,
        QUOTE,
        SMALL,
        SOLO,
        SYMBOL,
        TEXT,
        VARIABLE,
    )

from prism_repl.prolog.digits import text_int


class Fault(Exception):
    """Inside the reader: a message and the offset of the place, before they become a ReadError."""

    def __init__(self, message, offset):
        super().__init__(message)
        self.message = message
        self.offset = offset


# ---- characters


def char_class(ch):
    """What a token that begins with this character can be."""
    if "a" <= ch <= "z":
        return SMALL
    if ch == " " or "\t" <= ch <= "\r":
        return LAYOUT
    if "A" <= ch <= "Z" or ch == "_":
        return CAPITAL
    if "0" <= ch <= "9":
        return DIGIT
    if ch in "()[]{},|!;%":
        return SOLO
    if ch in "+-*/\\^<>=~:.?@#$&":
        return SYMBOL
    if ch in "'\"`":
        return QUOTE
    if ch < "\x80":
        return ILLEGAL
    if ch.isalpha():
        if ch.isupper() or ch.istitle():
            return CAPITAL
        return SMALL
    if ch.isspace():
        return LAYOUT
    category = unicodedata.category(chr(ord(ch)))
    if category[0] in "SP":
        return SYMBOL
    if category[0] in "NM":
        return SMALL
    return ILLEGAL


def continues_word(ch):
    """Can this character stand within an unquoted name or a variable?"""
    if "a" <= ch <= "z" or "A" <= ch <= "Z" or ch == "_" or "0" <= ch <= "9":
        return True
    if ch < "\x80":
        return False
    kind: cython.int = char_class(ch)
    return kind == SMALL or kind == CAPITAL


def ends_clause(text, i):
    """Is the period at offset i the end of a clause?"""
    n: cython.longlong = len(text)
    if i + 1 >= n:
        return True
    ch: cython.Py_UCS4 = text[i + 1]
    return ch == "%" or char_class(ch) == LAYOUT


def is_digit(ch, base):
    """Is this a digit of the base (8, 10 or 16)?"""
    if "0" <= ch <= "9":
        return ord(ch) - 48 < base
    return base == 16 and ("a" <= ch <= "f" or "A" <= ch <= "F")


# ---- the end of a clause


def skip_quoted(text, i):
    """The offset after the quoted item that opens at i, or minus the offset of where it breaks off."""
    n: cython.longlong = len(text)
    quote: cython.Py_UCS4 = text[i]
    ch: cython.Py_UCS4
    i += 1
    while i < n:
        ch = text[i]
        if ch == quote:
            if i + 1 < n and text[i + 1] == quote:
                i += 2
                continue
            return i + 1
        if ch == "\\":
            i += 2
            continue
        if ch == "\n":
            return -i
        i += 1
    return -n


def skip_number(text, i):
    """The offset after something that begins with a digit; 0'c may hide a quote or a period."""
    n: cython.longlong = len(text)
    if text[i] == "0" and i + 2 < n and text[i + 1] == "'":
        if text[i + 2] == "\\":
            i = i + 4
            while i < n and continues_word(text[i]):
                i += 1
            if i < n and text[i] == "\\":
                i += 1
            return min(i, n)
        if text[i + 2] == "'":
            if i + 3 < n and text[i + 3] == "'":
                return i + 4
            return i + 2
        return i + 3
    while i < n:
        if continues_word(text[i]):
            i += 1
        elif text[i] == "." and i + 1 < n and char_class(text[i + 1]) == DIGIT:
            i += 1
        else:
            return i
    return i


def find_end(text: str, start: int = 0) -> tuple[int, int]:
    """(offset just after the period that ends the clause at `start`, brackets still open there).

    The offset is -1 if there is no such period. Nothing is parsed: only quotes, comments, numbers and
    brackets count. A quote that is not closed on its line ends there.
    """
    i: cython.longlong = start
    n: cython.longlong = len(text)
    depth: cython.longlong = 0
    kind: cython.int
    j: cython.longlong
    ch: cython.Py_UCS4
    while i < n:
        ch = text[i]
        kind = char_class(ch)
        if kind == SMALL or kind == CAPITAL:
            while i < n and continues_word(text[i]):
                i += 1
        elif kind == DIGIT:
            i = skip_number(text, i)
        elif kind == QUOTE:
            j = skip_quoted(text, i)
            if j < 0:
                # Where a closing quote was forgotten, a period at the end of the line is meant as one.
                j = -j
                if text[i:j].rstrip().endswith("."):
                    return j, depth
            i = j
        elif kind == SYMBOL:
            if ch == "." and ends_clause(text, i):
                return i + 1, depth
            if ch == "/" and i + 1 < n and text[i + 1] == "*":
                i = text.find("*/", i + 2)
                if i < 0:
                    return -1, depth
                i += 2
            else:
                while i < n and char_class(text[i]) == SYMBOL:
                    i += 1
        else:
            if ch == "%":
                i = text.find("\n", i)
                if i < 0:
                    return -1, depth
            elif ch in "([{":
                depth += 1
            elif ch in ")]}":
                depth -= 1
            i += 1
    return -1, depth


class Tokens:
    """The tokens of a text; their values are cells. `advance` scans the next one.

    `kind` says what the current token is; `start` and `end` are its offsets, `last_end` is the end of the
    token before it; `cell` is the value, `word` the text of a name or a punctuation character. `functional`
    is true of a name with an opening bracket right behind it.
    """

    def __init__(self, m, text):
        self.m = m
        self.text = text
        self.length = len(text)
        self.end_position = 0
        self.ticks = 0
        self.forget()

    def forget(self):
        """Begin a new clause: no token, no variables; the flags may have changed."""
        flags = getattr(self.m, "prolog_flags", None) or {}
        self.double_quotes = flags.get("double_quotes", "codes")
        self.back_quotes = flags.get("back_quotes", "error")
        operators = getattr(self.m, "operators", None)
        # $name is an atom, as in B-Prolog, unless a program makes $ an operator
        self.dollar_words = operators is None or operators.prefix("$") is None
        self.variable_numbers = {}
        self.variables = []
        self.occurrences = []
        self.start = self.end = self.last_end = self.end_position
        self.kind = 0
        return 0

    def skip_layout(self, i):
        """The offset of the next character that is neither layout nor in a comment."""
        text: str = self.text
        n: cython.longlong = self.length
        ch: cython.Py_UCS4
        while i < n:
            ch = text[i]
            if ch == " " or ch == "\n":
                i += 1
            elif ch == "%":
                i = text.find("\n", i)
                if i < 0:
                    return n
            elif ch == "/":
                if i + 1 >= n or text[i + 1] != "*":
                    return i
                at: cython.longlong = text.find("*/", i + 2)
                if at < 0:
                    self.start = i
                    self.kind = END_OF_TEXT
                    raise Fault("a comment that is not closed", i)
                i = at + 2
            elif char_class(ch) == LAYOUT:
                i += 1
            else:
                return i
        return n

    def advance(self):
        """Scan the next token: kind, start, end, and cell or word."""
        text: str = self.text
        n: cython.longlong = self.length
        self.ticks += 1
        if cython.compiled:
            if self.ticks & 0xFFFF == 0:
                # so that Ctrl-C works within a large term
                PyErr_CheckSignals()  # noqa: F821
        self.last_end = self.end
        i: cython.longlong = self.skip_layout(self.end_position)
        self.start = i
        self.functional = False
        if i >= n:
            self.kind = END_OF_TEXT
            self.end = n
            self.end_position = n
            return 0
        ch: cython.Py_UCS4 = text[i]
        kind: cython.int = char_class(ch)
        if kind == SMALL:
            i += 1
            while i < n and continues_word(text[i]):
                i += 1
            self.name_token(text[self.start : i], i)
        elif kind == CAPITAL:
            i += 1
            while i < n and continues_word(text[i]):
                i += 1
            self.kind = VARIABLE
            self.end = i
            self.end_position = i
            self.cell = self.variable(text[self.start : i])
        elif kind == DIGIT:
            self.number_token(i)
        elif kind == SYMBOL:
            if ch == "." and ends_clause(text, i):
                self.kind = END
                self.end = i + 1
                self.end_position = i + 1
                return 0
            i += 1
            if ch == "$" and self.dollar_words and i < n and continues_word(text[i]):
                while i < n and continues_word(text[i]):
                    i += 1
            else:
                while i < n and char_class(text[i]) == SYMBOL:
                    i += 1
            self.name_token(text[self.start : i], i)
        elif kind == SOLO:
            if ch == "!" or ch == ";":
                self.name_token(text[i : i + 1], i + 1)
            else:
                self.kind = PUNCTUATION
                self.word = text[i : i + 1]
                self.end = i + 1
                self.end_position = i + 1
        elif kind == QUOTE:
            self.quoted_token(i)
        else:
            self.kind = 0
            raise Fault("an illegal character (code %d)" % ord(ch), i)
        return 0

    def name_token(self, word, i):
        """An atom that ends before offset i; an opening bracket right after it makes it a functor."""
        self.kind = NAME
        self.word = word
        self.cell = self.m.symbols.atom(word)
        self.end = i
        self.end_position = i
        self.functional = i < self.length and self.text[i] == "("
        return 0

    def variable(self, name):
        if name == "_":
            return self.m.terms.new_var()
        number = self.variable_numbers.get(name)
        if number is None:
            c: cython.longlong = self.m.terms.new_var()
            self.variable_numbers[name] = len(self.variables)
            self.variables.append((name, c))
            self.occurrences.append(1)
            return c
        self.occurrences[number] += 1
        return self.variables[number][1]

    def number_token(self, i):
        text: str = self.text
        n: cython.longlong = self.length
        ch: cython.Py_UCS4
        start: cython.longlong = i
        self.kind = NUMBER
        if text[i] == "0" and i + 1 < n:
            ch = text[i + 1]
            if ch == "'":
                return self.character_token(i + 2)
            if ch == "x":
                return self.radix_token(i, 16)
            if ch == "o":
                return self.radix_token(i, 8)
            if ch == "b":
                return self.radix_token(i, 2)
        value: cython.longlong = 0
        grouped: cython.bint = False
        while i < n:
            ch = text[i]
            if "0" <= ch <= "9":
                if i - start < 18:
                    value = value * 10 + (ord(ch) - 48)
                i += 1
            elif ch == "_" and i + 1 < n and "0" <= text[i + 1] <= "9":
                grouped = True
                i += 1
            else:
                break
        if i + 1 < n and text[i] == "." and "0" <= text[i + 1] <= "9":
            i += 1
            while i < n and "0" <= text[i] <= "9":
                i += 1
            digits: cython.longlong = i
            if i < n and (text[i] == "e" or text[i] == "E"):
                i += 1
                if i < n and (text[i] == "+" or text[i] == "-"):
                    i += 1
                if i < n and "0" <= text[i] <= "9":
                    while i < n and "0" <= text[i] <= "9":
                        i += 1
                else:
                    i = digits
            if text.startswith("Inf", i):
                number = float("inf")
                i += 3
            elif text.startswith("NaN", i):
                number = float("nan")
                i += 3
            else:
                number = float(text[start:i].replace("_", ""))
                if number == float("inf"):
                    raise Fault("a float that is too large", start)
            self.end = i
            self.end_position = i
            self.cell = self.m.terms.float_cell(number)
            return 0
        self.end = i
        self.end_position = i
        if i - start <= 18 and not grouped:
            self.cell = value << 3 | INT
        elif i - start <= 40:
            self.cell = self.m.terms.int_cell(int(text[start:i]))  # int() knows digit groups, too
        else:
            self.cell = self.m.terms.int_cell(text_int(text[start:i].replace("_", "")))
        return 0

    def radix_token(self, i, base):
        """0x, 0o, 0b; without a digit after it, 0 is a token of its own."""
        text: str = self.text
        n: cython.longlong = self.length
        start: cython.longlong = i + 2
        digit: cython.int
        ch: cython.Py_UCS4
        i = start
        while i < n:
            ch = text[i]
            if "0" <= ch <= "9":
                digit = ord(ch) - 48
            elif "a" <= ch <= "f":
                digit = ord(ch) - 87
            elif "A" <= ch <= "F":
                digit = ord(ch) - 55
            elif ch == "_" and i > start and i + 1 < n and text[i + 1] != "_":
                # a digit group, if a digit of this base follows
                if not is_digit(text[i + 1], base):
                    break
                digit = 0
            else:
                break
            if digit >= base:
                break
            i += 1
        if i == start:
            self.end = start - 1
            self.end_position = start - 1
            self.cell = INT
            return 0
        self.end = i
        self.end_position = i
        self.cell = self.m.terms.int_cell(int(text[start:i].replace("_", ""), base))
        return 0

    def character_token(self, i):
        """0'c: i is the offset after the quote."""
        text: str = self.text
        n: cython.longlong = self.length
        ch: cython.Py_UCS4
        code: cython.longlong
        if i >= n:
            raise Fault("a character is missing after 0'", i)
        ch = text[i]
        if ch == "\\":
            if i + 1 < n and text[i + 1] == "\n":
                raise Fault("a character is missing after 0'", i)
            code = self.escape(i + 1, "'")
            i = self.end_position
        elif ch == "'":
            if i + 1 >= n or text[i + 1] != "'":
                raise Fault("the quote character is written 0'''", i)
            code = 39
            i += 2
        elif char_class(ch) == ILLEGAL or (ch != " " and char_class(ch) == LAYOUT):
            raise Fault("a character is missing after 0'", i)
        else:
            code = ord(ch)
            i += 1
        self.end = i
        self.end_position = i
        self.cell = code << 3 | INT
        return 0

    def quoted_token(self, i):
        quote: cython.Py_UCS4 = self.text[i]
        self.kind = TEXT
        word: str = self.quoted_text(i + 1, quote)
        if quote == "'":
            self.name_token(word, self.end_position)
            return 0
        self.end = self.end_position
        if quote == '"':
            self.text_token(word, self.double_quotes)
        else:
            if self.back_quotes == "error":
                raise Fault("back-quoted text (see the flag back_quotes)", i)
            self.text_token(word, self.back_quotes)
        return 0

    def quoted_text(self, i, quote):
        """The characters of the quoted item whose text begins at i; end_position goes behind it."""
        text: str = self.text
        n: cython.longlong = self.length
        start: cython.longlong = i
        ch: cython.Py_UCS4
        code: cython.longlong
        pieces = None
        while i < n:
            ch = text[i]
            if ch == quote:
                if i + 1 < n and text[i + 1] == quote:
                    if pieces is None:
                        pieces = []
                    pieces.append(text[start : i + 1])
                    i += 2
                    start = i
                    continue
                self.end_position = i + 1
                if pieces is None:
                    return text[start:i]
                pieces.append(text[start:i])
                return "".join(pieces)
            if ch == "\\":
                if pieces is None:
                    pieces = []
                pieces.append(text[start:i])
                if i + 1 < n and text[i + 1] == "\n":  # a continuation line
                    i += 2
                elif i + 2 < n and text[i + 1] == "\r" and text[i + 2] == "\n":
                    i += 3
                else:
                    code = self.escape(i + 1, quote)
                    pieces.append(chr(code))
                    i = self.end_position
                start = i
            elif ch == "\n":
                raise Fault("a quoted item that is not closed on its line", i)
            elif (ch < " " and ch != "\t") or ch == "\x7f":
                raise Fault("an illegal character (code %d)" % ord(ch), i)
            else:
                i += 1
        raise Fault("a quoted item that is not closed", n)

    def escape(self, i, quote):
        """The code of the escape sequence whose letter is at i; end_position goes behind it."""
        text: str = self.text
        n: cython.longlong = self.length
        if i >= n:
            raise Fault("an escape sequence that is not complete", i)
        ch: cython.Py_UCS4 = text[i]
        self.end_position = i + 1
        if ch in "\\'\"`":
            return ord(ch)
        if ch == "n":
            return 10
        if ch == "t":
            return 9
        if ch == "r":
            return 13
        if ch == "a":
            return 7
        if ch == "b":
            return 8
        if ch == "f":
            return 12
        if ch == "v":
            return 11
        start: cython.longlong = i
        base: cython.int
        if ch == "x":
            base = 16
            start = i + 1
        elif "0" <= ch <= "7":
            base = 8
        elif ch == "u":
            return self.unicode_escape(i + 1, 4)
        elif ch == "U":
            return self.unicode_escape(i + 1, 8)
        else:
            raise Fault("an unknown escape sequence", i)
        i = start
        while i < n and is_digit(text[i], base):
            i += 1
        if i == start or i >= n or text[i] != "\\":
            raise Fault("a numeric escape sequence ends in \\", i)
        return self.character_code(text[start:i], base, start, i + 1)

    def unicode_escape(self, i, count):
        """\\uXXXX or \\UXXXXXXXX; i is the offset of the digits."""
        text: str = self.text
        k: cython.longlong
        for k in range(i, i + count):
            if k >= self.length or not is_digit(text[k], 16):
                raise Fault("\\u takes 4 hexadecimal digits, \\U takes 8", k)
        return self.character_code(text[i : i + count], 16, i, i + count)

    def character_code(self, digits, base, start, end):
        """The code that an escape sequence gives in digits; end_position goes to its end."""
        code = int(digits, base)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise Fault("an escape sequence that is no character", start)
        self.end_position = end
        return code

    def text_token(self, text, flag):
        """Double- or back-quoted text as the flag says: codes, chars or atom."""
        m = self.m
        n: cython.longlong = len(text)
        i: cython.longlong
        at: cython.longlong
        self.kind = TEXT
        if flag == "atom":
            self.cell = m.symbols.atom(text)
            return 0
        if n == 0:
            self.cell = m.symbols.nil
            return 0
        m.heap.room(2 * n)
        at = m.heap.H
        for i in range(n):
            if flag == "chars":
                m.heap.cells[at] = m.symbols.atom(text[i : i + 1])
            else:
                m.heap.cells[at] = ord(text[i]) << 3 | INT
            m.heap.cells[at + 1] = (at + 2) << 3 | LST
            at += 2
        m.heap.cells[at - 1] = m.symbols.nil
        self.cell = m.heap.H << 3 | LST
        m.heap.H = at
        return 0
