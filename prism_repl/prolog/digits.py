"""Integers of any size to decimal text and back.

Python's own conversions are quadratic and refuse long integers; decimal multiplies fast.
"""

import decimal

SHORT = 2000  # bits: below Python's lowest limit of digits


def int_text(n: int) -> str:
    """The decimal digits of an integer of any size."""
    if n.bit_length() <= SHORT:
        return str(n)
    with decimal.localcontext() as context:
        context.prec = decimal.MAX_PREC
        context.Emax = decimal.MAX_EMAX
        context.Emin = decimal.MIN_EMIN
        context.traps[decimal.Inexact] = True
        powers: dict[int, decimal.Decimal] = {}
        digits = str(to_decimal(abs(n), n.bit_length(), powers))
    return "-" + digits if n < 0 else digits


def power_of_two(bits: int, powers: dict[int, decimal.Decimal]) -> decimal.Decimal:
    if bits not in powers:
        powers[bits] = decimal.Decimal(2) ** bits
    return powers[bits]


def to_decimal(n: int, bits: int, powers: dict[int, decimal.Decimal]) -> decimal.Decimal:
    """Halve until a part is short; the recursion is as deep as the logarithm of the length."""
    if bits <= SHORT:
        return decimal.Decimal(n)
    half = bits >> 1
    high = n >> half
    low = n & ((1 << half) - 1)
    return to_decimal(low, half, powers) + to_decimal(high, bits - half, powers) * power_of_two(half, powers)


PIECE = 4000  # digits, below Python's limit


def text_int(digits: str) -> int:
    """The integer of any number of decimal digits: pieces are joined two by two."""
    pieces = []
    end = len(digits)
    while end > PIECE:
        pieces.append(int(digits[end - PIECE : end]))
        end -= PIECE
    pieces.append(int(digits[:end]))
    power = 10**PIECE
    while len(pieces) > 1:
        if len(pieces) % 2:
            pieces.append(0)
        pieces = [low + high * power for low, high in zip(pieces[::2], pieces[1::2], strict=True)]
        if len(pieces) > 1:
            power *= power
    return pieces[0]
