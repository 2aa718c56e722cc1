"""Integers of any size to decimal text.

Python's own conversion is quadratic and refuses long integers; decimal multiplies fast.
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
