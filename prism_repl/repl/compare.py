"""Is this output the one that the transcript shows? And if not, where do they differ?

Not compared: white space (folded), digits beyond those that the transcript prints, names of unbound
variables, times and table space, `loading::`, `consulting::` and `%` lines, a last ` ?`, a missing last
`yes`. A line `...` stands for any lines.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

DROPPED = re.compile(r"^(?:\s*(?:loading|consulting)::|compiled in |%)")
# A figure that depends on the machine: `Total learning time: 0.013 seconds`, `  em_time   : 0.013`.
FIGURE = re.compile(r"^(\s*(?:[\w /-]* time|\w+_time|[\w ]*table space used)\s*:\s*)[-+.\deE]+")
ANY_LINES = "..."

TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<variable>(?<![\w'])_(?:G?[0-9a-f]+)?(?!\w))
    | (?P<number>(?<![\w.])\d+(?:\.\d+(?:[eE][-+]?\d+)?)?(?![\w]))
    | (?P<word>\w+)
    | (?P<other>[^\s\w])
    """,
    re.VERBOSE,
)

# A float with fewer significant digits than this is taken to have lost its trailing zeros in %g, not
# to have been rounded: 0.5 means 0.500000.
ROUNDED = 3
PRINTED = 6
# Sums in another order differ in the last digits of a double; PRISM prints all of them.
NOISE = 1e-12


@dataclass(frozen=True)
class Number:
    """A number as printed, and the unit of its last digit."""

    text: str

    @property
    def is_float(self) -> bool:
        return "." in self.text

    def unit(self) -> float:
        mantissa, _, exponent = self.text.lower().partition("e")
        decimals = len(mantissa.partition(".")[2])
        digits = len(mantissa.replace(".", "").lstrip("-0"))
        if 0 < digits < ROUNDED:
            decimals += PRINTED - digits
        return 10.0 ** (int(exponent or 0) - decimals)


Token = str | Number


def same_token(expected: Token, actual: Token) -> bool:
    if expected == actual:
        return True
    if not (isinstance(expected, Number) and isinstance(actual, Number)):
        return False
    if not (expected.is_float and actual.is_float):
        return False
    wanted, got = float(expected.text), float(actual.text)
    slack = 0.5 * (expected.unit() + actual.unit()) * (1 + 1e-6)
    return abs(wanted - got) <= max(slack, NOISE * abs(wanted))


def tokens_of(line: str) -> list[Token]:
    """The tokens of a line; white space is folded to one blank, and none at the ends."""
    tokens: list[Token] = []
    for match in TOKEN.finditer(FIGURE.sub(r"\1#", line).strip()):
        kind, text = match.lastgroup, match.group()
        if kind == "space":
            tokens.append(" ")
        elif kind == "variable":
            tokens.append("_#")
        elif kind == "number":
            # A sign belongs to the number, so that -0.000000001 and 0.000000000 can be equal.
            if (
                tokens
                and tokens[-1] == "-"
                and (len(tokens) == 1 or tokens[-2] in (" ", "(", "[", ",", "=", ":"))
            ):
                tokens.pop()
                text = "-" + text
            tokens.append(Number(text))
        else:
            tokens.append(text)
    return tokens


def lines_of(output: str) -> list[str]:
    """The lines that are compared."""
    return [line for line in output.splitlines() if line.strip() and not DROPPED.match(line)]


def settle_end(lines: list[str]) -> list[str]:
    """The same output without what only says that no answer was known to be left.

    `X = a ?` + `yes`, and `X = a ?;` + `no`, both become `X = a` + `yes`; `true ?` disappears.
    """
    if len(lines) < 2 or lines[-1].strip() not in ("yes", "no"):
        if lines and lines[-1].rstrip().endswith(" ?"):
            return settle_end([*lines, "yes"])
        return lines
    last, answer = lines[-2].rstrip(), lines[-1].strip()
    if answer == "yes" and last.endswith(" ?"):
        last = last[:-2]
    elif answer == "no" and last.endswith(" ?;"):
        last = last[:-3]
    else:
        return lines
    return [*lines[:-2], *([] if last == "true" else [last]), "yes"]


def comparable(expected: str, actual: str) -> tuple[list[str], list[str]]:
    """The lines of both sides, after what may be missing on one side has been made equal."""
    left, right = settle_end(lines_of(expected)), settle_end(lines_of(actual))
    ends_open = not left or not (left[-1].strip() in ("yes", "no", ANY_LINES) or left[-1].startswith("***"))
    if ends_open and right and right[-1].strip() == "yes":
        right = right[:-1]  # the transcript leaves out `yes`, as the figures in papers do
    return left, right


def same_output(expected: str, actual: str) -> bool:
    """Does the output agree with what the transcript shows?"""
    left, right = comparable(expected, actual)
    parts: list[list[Token]] = [[]]
    for line in left:
        if line.strip() == ANY_LINES:
            parts.append([])
        else:
            parts[-1] += [" ", *tokens_of(line)]
    actual_tokens = [token for line in right for token in (" ", *tokens_of(line))]
    return match_parts(parts, actual_tokens)


def match_parts(parts: list[list[Token]], actual: list[Token]) -> bool:
    """Do the parts occur in order, the first at the beginning, the last at the end, anything between?"""
    first, last = parts[0], parts[-1]
    if not same_at(first, actual, 0):
        return False
    if len(parts) == 1:
        return len(first) == len(actual)
    at = len(first)
    for part in parts[1:-1]:
        while not same_at(part, actual, at):
            at += 1
            if at > len(actual):
                return False
        at += len(part)
    end = len(actual) - len(last)
    return end >= at and same_at(last, actual, end)


def same_at(part: list[Token], actual: list[Token], at: int) -> bool:
    return len(part) <= len(actual) - at and all(
        same_token(a, b) for a, b in zip(part, actual[at : at + len(part)], strict=True)
    )


def same_line(expected: str, actual: str) -> bool:
    left, right = tokens_of(expected), tokens_of(actual)
    return len(left) == len(right) and all(map(same_token, left, right))


def diff_lines(expected: str, actual: str) -> list[tuple[str, str]]:
    """A line diff as (mark, line): mark is ' ' for what agrees, '-' for expected only, '+' for got only."""
    left, right = comparable(expected, actual)
    # difflib wants equality: a line that agrees with an expected one is represented by it.
    keys = []
    for line in right:
        keys.append(next((known for known in left if same_line(known, line)), line))
    result = []
    matcher = difflib.SequenceMatcher(None, left, keys, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            result += [(" ", line) for line in right[j1:j2]]
        elif left[i1:i2] == [ANY_LINES]:
            result.append((" ", ANY_LINES))
        else:
            result += [("-", line) for line in left[i1:i2]]
            result += [("+", line) for line in right[j1:j2]]
    return result


COLORS = {"-": "\x1b[31m", "+": "\x1b[32m"}


def diff_text(expected: str, actual: str, color: bool = False) -> str:
    """The diff for a person to read."""
    lines = []
    for mark, line in diff_lines(expected, actual):
        text = f"{mark} {line}"
        lines.append(f"{COLORS[mark]}{text}\x1b[0m" if color and mark in COLORS else text)
    return "\n".join(lines)
