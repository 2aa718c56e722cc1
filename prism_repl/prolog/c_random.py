"""The numbers of the C library's rand(), which is what `X is random` gives in B-Prolog: additive feedback
over 31 words. It is not PRISM's generator, and no seed of PRISM touches it."""

WORDS = 31
LAG = 3
DROPPED = 310  # numbers after seeding that nobody sees


class CRandom:
    """rand() and srand(); unseeded, it starts from 1."""

    def __init__(self) -> None:
        self.seed(1)

    def seed(self, number: int) -> None:
        word = number % (1 << 32) or 1
        if word >= 1 << 31:
            word -= 1 << 32
        words = [word % (1 << 32)]
        for _ in range(WORDS - 1):
            # word * 16807 modulo 2^31 - 1, as C does it with signed 32-bit numbers
            high, low = int(word / 127773), int(abs(word) % 127773) * (1 if word >= 0 else -1)
            word = 16807 * low - 2836 * high
            if word < 0:
                word += 2147483647
            words.append(word)
        self.words = words
        self.at = LAG
        for _ in range(DROPPED):
            self.number()

    def number(self) -> int:
        """From 0 to 2147483647."""
        words, at = self.words, self.at
        words[at] = (words[at] + words[(at - LAG) % WORDS]) % (1 << 32)
        self.at = (at + 1) % WORDS
        return words[at] >> 1
