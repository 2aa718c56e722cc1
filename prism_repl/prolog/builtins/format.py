"""format/1,2,3: text with directives and column stops."""

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologThrow, domain_error, instantiation_error, type_error
from prism_repl.prolog.arithmetic import evaluate
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.builtins.term_output import canonical, printed, quoted, text_output, written
from prism_repl.prolog.digits import int_text
from prism_repl.prolog.notation import float_text

# The greatest number in a directive: a slip should not fill the memory with blanks.
MOST = 10_000_000


class BadFormat(Exception):
    """The directives and their arguments do not fit: error(invalid_argument,format(Format,Args))."""


@builtin("format(+Format) is det, protected")
def format_1(m, directives):
    return format_2(m, directives, m.nil)


@builtin("format(+Format, +Arguments) is det, protected")
def format_2(m, directives, args):
    out = text_output(m)
    out.write(format_term(m, directives, args, out.column))
    return True


@builtin("format(+Stream:stream, +Format, +Arguments) is det, protected")
def format_3(m, target, directives, args):
    if m.is_compound(target) and m.arity_of(target) <= 2:
        sink = m.atom_text(m.name_of(target)), m.arity_of(target)
        if sink in SINKS:
            text = format_term(m, directives, args, 0)
            return m.unify(m.arg(target, 0), SINKS[sink](m, target, text))
    out = text_output(m, target)
    out.write(format_term(m, directives, args, out.column))
    return True


SINKS = {
    ("atom", 1): lambda m, target, text: m.atom(text),
    ("codes", 1): lambda m, target, text: m.list_from([m.int_cell(ord(c)) for c in text]),
    ("codes", 2): lambda m, target, text: m.list_from([m.int_cell(ord(c)) for c in text], m.arg(target, 1)),
    ("chars", 1): lambda m, target, text: m.list_from([m.atom(c) for c in text]),
}


def format_term(m, directives, args, column):
    """The text of format/2; nothing is written before all of it is known to be right."""
    text = plain_text(m, directives)
    if text is None:
        if directives & 7 == REF:
            raise instantiation_error()
        raise domain_error("format", directives)
    items, tail = m.list_items(args)
    values = [m.deref(x) for x in items] if tail == m.nil else [args]
    try:
        return Formatter(m, text, values, column).run()
    except BadFormat:
        ball = m.struct("error", m.atom("invalid_argument"), m.struct("format", directives, args))
        raise PrologThrow(m.freeze(ball)) from None


def plain_text(m, c):
    """The text of an atom or of a list of codes or characters; None for anything else."""
    if c == m.nil:
        return ""
    if c & 7 == ATM:
        return m.atom_text(c)
    if not m.is_list_cell(c):
        return None
    items, tail = m.list_items(c)
    if tail != m.nil:
        return None
    chars = []
    for item in items:
        item = m.deref(item)
        if m.is_integer(item) and 0 <= m.int_value(item) <= 0x10FFFF:
            chars.append(chr(m.int_value(item)))
        elif item & 7 == ATM and len(m.atom_text(item)) == 1:
            chars.append(m.atom_text(item))
        else:
            return None
    return "".join(chars)


class Formatter:
    """One run over the directives.

    `done` is text that will not change; `segment` the text since the last column stop, in which
    `fills` are the places (offset, character) that take up the white space of the column.
    """

    def __init__(self, m, text, args, column):
        self.m = m
        self.text = text
        self.args = args
        self.used = 0
        self.done = []
        self.segment = ""
        self.fills = []
        self.column = column  # where the segment begins
        self.stop = column  # the last column stop

    def run(self):
        text = self.text
        at = 0
        while True:
            tilde = text.find("~", at)
            if tilde < 0:
                self.put(text[at:])
                break
            self.put(text[at:tilde])
            at = self.directive(tilde + 1)
        if self.used < len(self.args):
            raise BadFormat
        self.done.append(self.segment)
        return "".join(self.done)

    def put(self, text):
        """Add text; a newline ends the columns of its line."""
        newline = text.rfind("\n")
        if newline >= 0:
            self.done += [self.segment, text[: newline + 1]]
            self.segment = ""
            self.fills = []
            self.column = self.stop = 0
            text = text[newline + 1 :]
        self.segment += text

    def next_arg(self):
        if self.used == len(self.args):
            raise BadFormat
        self.used += 1
        return self.args[self.used - 1]

    def directive(self, at):
        """Do the directive whose text begins at `at` (after the tilde); the place after it."""
        text = self.text
        n = None
        if text[at : at + 1] == "`":
            if at + 1 >= len(text):
                raise BadFormat
            n = ord(text[at + 1])
            at += 2
        elif text[at : at + 1] == "*":
            n = self.number(self.next_arg())
            if n < 0:
                raise BadFormat
            at += 1
        else:
            start = at
            while text[at : at + 1].isdecimal():
                at += 1
            if at > start:
                n = int(text[start : min(at, start + 12)])
        if n is not None and n > MOST:
            raise BadFormat
        name = text[at : at + 1]
        if name in PLAIN and n is None:
            self.put(PLAIN[name](self.m, self.next_arg()))
        elif name in NUMERIC:
            self.put(NUMERIC[name](self, n))
        elif name == "t":
            self.fills.append((len(self.segment), " " if n is None else chr(n)))
        elif name == "|":
            self.column_stop(self.column + len(self.segment) if n is None else n)
        elif name == "+":
            self.column_stop(self.stop + (8 if n is None else n))
        elif name == "~" and n is None:
            self.put("~")
        elif name == "i" and n is None:
            self.next_arg()
        elif name == "n":
            self.put("\n" * (1 if n is None else n))
        else:
            raise BadFormat
        return at + 1

    def column_stop(self, target):
        """Fill the segment up to the column; what is too long already stays as it is."""
        missing = target - self.column - len(self.segment)
        if missing > 0:
            fills = self.fills or [(len(self.segment), " ")]
            share, more = divmod(missing, len(fills))
            pieces = []
            start = 0
            for i, (offset, ch) in enumerate(fills):
                # what does not divide goes to the last fills
                width = share + (1 if i >= len(fills) - more else 0)
                pieces += [self.segment[start:offset], ch * width]
                start = offset
            self.segment = "".join(pieces) + self.segment[start:]
        self.done.append(self.segment)
        self.column += len(self.segment)
        self.stop = target
        self.segment = ""
        self.fills = []

    # ---- directives with numbers

    def number(self, c):
        """The value of an argument that must be an integer."""
        if c & 7 == REF:
            raise instantiation_error()
        if not self.m.is_integer(c):
            raise type_error("integer", c)
        return self.m.int_value(c)

    def integer(self, n):
        """~Nd: an integer (an expression is evaluated, a float cut), at least N wide."""
        return int_text(self.integer_value()).rjust(n or 0)

    def grouped(self, n):
        """~ND: as ~Nd, with commas between thousands."""
        digits = int_text(self.integer_value())
        sign = "-" if digits[0] == "-" else ""
        digits = digits[len(sign) :]
        first = len(digits) % 3 or 3
        groups = [digits[:first]] + [digits[i : i + 3] for i in range(first, len(digits), 3)]
        return (sign + ",".join(groups)).rjust(n or 0)

    def integer_value(self):
        value = self.m.number_value(evaluate(self.m, self.next_arg()))
        if isinstance(value, float):
            if value - value != 0.0:
                raise type_error("integer", self.args[self.used - 1])
            return int(value)
        return value

    def fixed(self, n):
        """~Nf: N digits after the point; exact for integers of any size."""
        value = self.m.number_value(evaluate(self.m, self.next_arg()))
        n = 6 if n is None else n
        if isinstance(value, int):
            return int_text(value) + ("." + "0" * n if n else "")
        return f"{value:.{n}f}" if value - value == 0.0 else float_text(value)

    def exponent(self, n):
        """~Ne."""
        return f"{self.float_value():.{6 if n is None else n}e}"

    def general(self, n):
        """~Ng."""
        return f"{self.float_value():.{6 if n is None else n}g}"

    def upper_exponent(self, n):
        """~NE."""
        return self.exponent(n).upper()

    def upper_general(self, n):
        """~NG."""
        return self.general(n).upper()

    def float_value(self):
        value = self.m.number_value(evaluate(self.m, self.next_arg()))
        try:
            return float(value)
        except OverflowError:
            raise BadFormat from None

    def character(self, n):
        """~Nc: the character of a code, N times."""
        code = self.number(self.next_arg())
        if not 0 <= code <= 0x10FFFF:
            raise BadFormat
        return chr(code) * (1 if n is None else n)

    def string(self, n):
        """~Ns: text from a list, cut or filled up to N characters."""
        text = plain_text(self.m, self.next_arg())
        if text is None:
            raise BadFormat
        return text if n is None else text[:n].ljust(n)

    def radix(self, n):
        """~Nr: an integer to base N, 8 if there is no N."""
        n = 8 if n is None else n
        if not 2 <= n <= 36:
            raise BadFormat
        return based(self.number(self.next_arg()), n)

    def upper_radix(self, n):
        """~NR: as ~Nr, in capitals."""
        return self.radix(n).upper()


def based(value, base):
    """An integer in any base from 2 to 36."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    rest = abs(value)
    out = []
    while rest:
        rest, digit = divmod(rest, base)
        out.append(digits[digit])
    return ("-" if value < 0 else "") + ("".join(reversed(out)) or "0")


def atomic(m, c):
    """~a: an atom as it is."""
    if c & 7 == REF:
        raise instantiation_error()
    if not m.is_atomic(c):
        raise BadFormat
    return written(m, c)


PLAIN = {"w": written, "q": quoted, "p": printed, "k": canonical, "a": atomic}
NUMERIC = {
    "d": Formatter.integer,
    "D": Formatter.grouped,
    "f": Formatter.fixed,
    "e": Formatter.exponent,
    "g": Formatter.general,
    "E": Formatter.upper_exponent,
    "G": Formatter.upper_general,
    "c": Formatter.character,
    "s": Formatter.string,
    "r": Formatter.radix,
    "R": Formatter.upper_radix,
}
