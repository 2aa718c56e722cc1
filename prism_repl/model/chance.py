"""The session's one source of chance: a Mersenne Twister that can be seeded, saved and restored."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np


class Random:
    """Random numbers. `generator` is the numpy Generator that array code draws from, so that
    one seed decides everything that a session does by chance."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed: int | list[int] = 0
        self.set_seed(int(time.time()) if seed is None else seed)

    def set_seed(self, seed: int | list[int]) -> None:
        """Start afresh from an integer (of any sign and size) or a list of integers."""
        words = seed if isinstance(seed, list) else [seed]
        entropy = [2 * w if w >= 0 else -2 * w - 1 for w in words]  # numpy takes no negative ones
        self.bits = np.random.MT19937(entropy)
        self.generator = np.random.Generator(self.bits)
        self.seed = seed

    def state(self) -> list[int]:
        """The state as integers: the 624 words and the position in them."""
        state: Any = self.bits.state["state"]
        return [int(word) for word in state["key"]] + [int(state["pos"])]

    def set_state(self, words: Sequence[int]) -> bool:
        """Go back to a state; False if it is none."""
        if len(words) != 625 or not 0 <= words[624] <= 624:
            return False
        if not all(0 <= word < 1 << 32 for word in words):
            return False
        key = np.array(words[:624], dtype=np.uint32)
        self.bits.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": words[624]}}
        return True

    def uniform(self) -> float:
        """A number in [0,1)."""
        return self.generator.random()

    def gaussian(self) -> float:
        """A number from the standard normal distribution."""
        return self.generator.standard_normal()

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high), of any size."""
        span = high - low
        if span <= 1 << 62:
            return low + int(self.generator.integers(span))
        bits = span.bit_length()
        while True:  # a random number of enough bits is in range at least every other time
            value = int.from_bytes(self.generator.bytes((bits + 7) // 8), "little") >> (-bits % 8)
            if value < span:
                return low + value

    def index(self, weights: Sequence[float]) -> int:
        """An index, drawn in proportion to the weights (which need not sum to one)."""
        target = self.uniform() * sum(weights)
        last = 0
        for i, weight in enumerate(weights):
            if weight > 0:
                target -= weight
                last = i
                if target < 0:
                    return i
        return last

    def sample(self, size: int, count: int) -> list[int]:
        """`count` different indices below `size`, in increasing order."""
        return sorted(int(i) for i in self.generator.choice(size, count, replace=False))

    def permutation(self, size: int) -> list[int]:
        return [int(i) for i in self.generator.permutation(size)]
