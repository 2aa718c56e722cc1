"""The session's one source of chance: PRISM's Mersenne Twister, drawn from as PRISM draws.

The same seed gives the same session, digit by digit: which numbers are drawn, in which order, and what
becomes of them is fixed. So nothing else may draw, and no draw may be saved or added.
"""

import math
import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

from prism_repl.arrays import Array, np

WORDS = 624  # of a block of the generator
PIECES = WORDS // 3 * 4  # of 24 bits, as which the state's 32-bit words are told
FULL = 1 << 32


def left_sum(numbers: Iterable[Any]) -> Any:
    """The sum from the left, each addition rounded: sum/1 of newer Pythons rounds only once."""
    total: Any = 0
    for number in numbers:
        total += number
    return total


def words_from(seed: int) -> list[int]:
    """The first words of the Mersenne Twister from a seed below 2**32."""
    words = [seed]
    for i in range(1, WORDS):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) % FULL)
    return words


class Random:
    """Random numbers. `uniform` gives a number in [0,1), with 53 bits of chance."""

    def __init__(self, seed: int | None = None) -> None:
        self.twister = random.Random()  # the machine is the same, its seeding is not
        self.uniform = self.twister.random
        self.seed: int | list[int] = 0
        self.kept: float | None = None  # the second number of a pair of Gaussians
        if seed is None:
            self.set_seed(int(time.time()))
            self.word()  # PRISM makes a file name of it
        else:
            self.set_seed(seed)

    def set_seed(self, seed: int | list[int]) -> None:
        """Start afresh from an integer or a list of integers, of any sign and size. A Gaussian that is kept
        stays."""
        if isinstance(seed, list):
            seeded: Any = np.random.RandomState([word % FULL for word in seed]).get_state()
            words = seeded[1].tolist()
        else:
            words = words_from(seed % FULL)  # as numpy would: a start does not wait for its import
        self.twister.setstate((3, (*words, WORDS), None))
        self.seed = seed

    def state(self) -> list[int]:
        """The position in the block of words, and the words in pieces of 24 bits."""
        *words, position = self.twister.getstate()[1]
        pieces = [position]
        for i in range(0, WORDS, 3):
            bits = words[i] << 64 | words[i + 1] << 32 | words[i + 2]
            pieces += [bits >> 72, bits >> 48 & 0xFFFFFF, bits >> 24 & 0xFFFFFF, bits & 0xFFFFFF]
        return pieces

    def set_state(self, pieces: Sequence[int]) -> bool:
        """Go back to a state; False if it is none."""
        if len(pieces) != PIECES + 1 or not 0 <= pieces[0] <= WORDS:
            return False
        if not all(0 <= piece < 1 << 24 for piece in pieces[1:]):
            return False
        words = []
        for i in range(1, PIECES, 4):
            a, b, c, d = pieces[i : i + 4]
            bits = a << 72 | b << 48 | c << 24 | d
            words += [bits >> 64, bits >> 32 & 0xFFFFFFFF, bits & 0xFFFFFFFF]
        self.twister.setstate((3, (*words, pieces[0]), None))
        return True

    def mark(self) -> Any:
        """Where the drawing is, to go back to."""
        return self.twister.getstate(), self.kept

    def go_back(self, mark: Any) -> None:
        state, self.kept = mark
        self.twister.setstate(state)

    def word(self) -> int:
        """32 bits."""
        return self.twister.getrandbits(32)

    def words(self, n: int) -> "Array":
        """n times 32 bits."""
        return np.frombuffer(self.twister.getrandbits(32 * n).to_bytes(4 * n, "little"), dtype="<u4")

    def gamma(self, x: float) -> float:
        """A number from the gamma distribution with this shape, as PRISM draws it: when a draw is not
        accepted, only half of it is done again."""
        whole = math.floor(x)
        total = left_sum(-math.log(self.uniform()) for _ in range(whole)) if whole else 0.0
        part = x - whole
        if part <= 0.0:
            return float(total)
        b = (math.e + part) / math.e
        p = b * self.uniform()
        if p <= 1.0:
            y = p ** (1.0 / part)
            bound = math.exp(-y)
        else:
            y = -math.log((b - p) / part)
            bound = y ** (part - 1.0)
        while self.uniform() > bound:
            pass
        return float(total + y)

    def uniforms(self, n: int) -> list[float]:
        uniform = self.uniform
        return [uniform() for _ in range(n)]

    def gaussian(self) -> float:
        """A number from the standard normal distribution: they come in pairs."""
        if self.kept is not None:
            number, self.kept = self.kept, None
            return number
        u = self.uniform()
        angle = 2.0 * math.pi * self.uniform()
        radius = math.sqrt(-2.0 * math.log(u)) if u > 0.0 else math.inf
        self.kept = radius * math.sin(angle)
        return radius * math.cos(angle)

    def gaussians(self, n: int) -> list[float]:
        return [self.gaussian() for _ in range(n)]

    def below(self, n: int) -> int:
        """An integer in [0, n), of any size."""
        if n == 1:
            return 0
        bits = max(32, n.bit_length())
        bits += -bits % 32
        size = (1 << bits) // n
        while True:
            value = self.word()
            for _ in range(32, bits, 32):
                value = value << 32 | self.word()
            if value < size * n:
                return value // size

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high), of any size."""
        return low + self.below(high - low)

    def index(self, weights: Sequence[float]) -> int:
        """An index, drawn in proportion to the weights (which need not sum to one)."""
        rest = self.uniform() * left_sum(weights)
        last = len(weights) - 1
        for i, weight in enumerate(weights):
            if i == last or rest < weight:
                return i
            rest -= weight
        raise ValueError("nothing to choose from")

    def sample(self, size: int, count: int) -> list[int]:
        """`count` different indices below `size`, in increasing order."""
        if 2 * count <= size:
            return sorted(self.permutation(size, count)[:count])
        return sorted(self.permutation(size, size - count)[size - count :])

    def permutation(self, size: int, count: int | None = None) -> list[int]:
        """The indices below `size`, the first `count` places (or all) filled by chance."""
        order = list(range(size))
        for k in range(size if count is None else count):
            j = k + self.below(size - k)
            order[k], order[j] = order[j], order[k]
        return order
