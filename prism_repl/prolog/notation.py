"""How atoms, floats and variables are spelled: the text of one token, quoted where it has to be."""

import math
import re

SYMBOL_CHARS = "#$&*+-./:<=>?@^~\\"
PLAIN_ATOM = re.compile(r"[a-z][A-Za-z0-9_]*|[#$&*+\-./:<=>?@^~\\]+|\[\]|\{\}|!|;")
ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def needs_quotes(text: str) -> bool:
    """True if an atom with this text must be quoted to be read back."""
    if PLAIN_ATOM.fullmatch(text):
        return text == "." or text.startswith("/*")
    if text.isascii() or not text:
        return True
    return not (text[0].islower() and all(c == "_" or c.isalnum() for c in text))


def quote(text: str) -> str:
    """The text in single quotes, with escapes, as in 'don\\'t'."""
    if text.isalnum():
        return "'" + text + "'"
    out = ["'"]
    for c in text:
        if c in ESCAPES:
            out.append(ESCAPES[c])
        elif c == " " or c.isprintable():
            out.append(c)
        else:
            out.append(f"\\x{ord(c):x}\\")
    out.append("'")
    return "".join(out)


def atom_source(text: str) -> str:
    """The text of an atom, quoted if it has to be."""
    return quote(text) if needs_quotes(text) else text


def float_text(x: float, full: bool = False) -> str:
    """A float as write prints it (6 digits), or with as many digits as it takes to read it back."""
    if x != x or x - x != 0.0:
        sign = "-" if math.copysign(1.0, x) < 0 else ""
        if full:
            return sign + ("1.5NaN" if x != x else "1.0Inf")
        return sign + ("nan" if x != x else "inf")
    text = repr(x) if full else short_float(x)
    if "e" in text:
        mantissa, exponent = text.split("e")
        return text if "." in mantissa else mantissa + ".0e" + exponent
    return text if "." in text else text + ".0"


def short_float(x: float) -> str:
    """Six significant digits, but plain notation where six decimals hold the fraction exactly."""
    size = abs(x)
    if size < 1e7:
        fraction = size % 1.0
        if float(f"{fraction:.6f}") == fraction:
            plain = f"{x:.6f}".rstrip("0")
            return plain + "0" if plain.endswith(".") else plain
    return f"{x:g}"


def variable_text(c: int) -> str:
    """The name of a fresh variable."""
    return f"_{c:x}"


def numbered_name(n: int) -> str:
    """The name of '$VAR'(n): A, B, ... Z, A1, ..."""
    return chr(65 + n % 26) + (str(n // 26) if n >= 26 else "")
