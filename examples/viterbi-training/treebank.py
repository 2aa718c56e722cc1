"""A synthetic treebank of the size of the ATR corpus, which is protected.

The corpus of the paper has 10,995 sentences of about 10 words, 861 rules over 168 nonterminals and 446 words,
and 958 parses a sentence on average. Here a random grammar of that size is made (no empty rule, no unit
cycle, every symbol reachable and productive), and sentences are sampled from it with their trees; those with
more than MAX_PARSES parses are dropped. The same size and seed give the same trees.

Two dials shape the grammar: `popularity`, how far it leans on few popular symbols, decides how ambiguous
sentences are; `growth` tilts the probabilities of rules by their length, and decides how long sentences are.
For the sizes of SIZES they are known; they were found by trying.

The trees of a treebank that people made follow no grammar of this kind. `dependence` above 0 makes trees by
a richer process: the weight of a rule is multiplied by exp(dependence * g), where g is a normal random number
of its own for each symbol above the head. The rules are the same, but no PCFG with these rules generates such
trees.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from prism_repl.experiments import Tree, read_trees

LEAST_WORDS, MOST_WORDS = 2, 25
MAX_PARSES = 30_000
SEED = 1

# Families of phrases and of word classes with their shares of the symbols. A unit rule goes down in rank.
PHRASES = {"S": 2, "M": 3, "P": 4, "V": 5, "N": 6}
CLASSES = {"n": 8, "v": 5, "p": 3, "a": 3, "d": 2, "x": 2, "c": 1}
# Right-hand sides by families: the first kind makes every symbol productive, the second is recursive.
BASE = {
    "S": ["V", "Vx", "PV"],
    "M": ["a", "V", "da", "Np"],
    "P": ["Np", "Npp", "np"],
    "V": ["v", "Nv", "vx", "nv", "npv"],
    "N": ["n", "nn", "an", "ann", "npnn"],
}
MORE = {
    "S": ["PS", "PS", "ScS", "dS", "PPV", "Sx", "PPPV"],
    "M": ["dM", "PV", "McM", "Sx", "V", "PM"],
    "P": ["Sp", "Pp", "MNp", "PcPp", "Np"],
    "V": ["PV", "PV", "dV", "Vx", "VcV", "NpV", "PPV", "V"],
    "N": ["MN", "MN", "NN", "NpN", "PN", "NcN", "MMN", "N"],
}

Rule = tuple[int, tuple[int, ...], float]  # head, body, weight; symbols from `nonterminals` on are words


@dataclass(frozen=True)
class Size:
    """How large a treebank is, and the dials that give it."""

    sentences: int
    rules: int
    nonterminals: int
    words: int
    popularity: float
    growth: float


SIZES = {
    "full": Size(10_995, 861, 168, 446, 1.9, 1.2),
    "quick": Size(600, 200, 40, 90, 1.8, 0.65),
}


def treebank(size: Size, cache: Path | None = None, dependence: float = 0.0) -> list[Tree]:
    """The trees of a treebank; with a cache they are made once."""
    file = cache_file(size, cache, dependence) if cache else None
    if file and file.exists():
        return read_trees(file.read_text(encoding="utf-8"))
    trees = made(size, dependence)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".part")
        partial.write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
        partial.replace(file)  # whole or not at all
    return trees


def cache_file(size: Size, cache: Path, dependence: float) -> Path:
    """Where a treebank is kept."""
    mark = f"-{dependence:g}" if dependence else ""
    return cache / f"treebank-{size.sentences}-{size.rules}-{SEED}{mark}.txt"


def made(size: Size, dependence: float = 0.0) -> list[Tree]:
    """Sample trees until there are enough with few parses."""
    rules = GrammarMaker(size, np.random.default_rng([SEED, 1])).rules()
    sampler = Sampler(rules, size, dependence)
    counter = ParseCounter(rules, size)
    rng = np.random.default_rng([SEED, 3])
    trees: list[Tree] = []
    while len(trees) < size.sentences:
        found = sampler.trees(rng, size.sentences - len(trees))
        counts = counter.counts([words for _, words in found])
        trees += [tree for (tree, _), count in zip(found, counts, strict=True) if count <= MAX_PARSES]
    return trees


class GrammarMaker:
    """Makes a random grammar. Symbol 0 is the start; other phrases, word classes and words follow."""

    def __init__(self, size: Size, rng: np.random.Generator) -> None:
        self.size = size
        self.rng = rng
        self.classes = max(7, size.nonterminals // 2)
        self.phrases = size.nonterminals - self.classes
        if self.phrases < 5 or size.words < self.classes:
            raise ValueError("a grammar needs 12 nonterminals at least, and as many words as word classes")
        self.members: dict[str, list[int]] = {}
        self.family: dict[int, str] = {}
        at = 0
        for table, total in ((PHRASES, self.phrases), (CLASSES, self.classes)):
            for family, share in shares(table, total).items():
                self.members[family] = list(range(at, at + share))
                self.family.update(dict.fromkeys(self.members[family], family))
                at += share
        self.found: list[Rule] = []
        self.seen: set[tuple[int, tuple[int, ...]]] = set()
        # symbols that no rule mentions yet, and phrases that the start symbol reaches
        self.fresh = {family: [x for x in reversed(m) if x != 0] for family, m in self.members.items()}
        self.reached = [0]

    def rules(self) -> list[Rule]:
        self.make_words()
        self.make_phrases()
        while len(self.found) < self.size.rules:
            family = self.pick(["S", "M", "P", "V", "V", "N", "N"])
            table = MORE if self.rng.random() < 0.55 else BASE
            self.until(
                lambda family=family, table=table: (
                    self.fill(self.popular(family), self.pick(table[family]))
                    or self.fill(self.pick(self.members[family]), self.pick(MORE[family]))
                )
            )
        return sorted(self.weighted(), key=lambda rule: rule[:2])

    def make_words(self) -> None:
        """A rule for each word; a few words, frequent ones, have a second class."""
        size, rng = self.size, self.rng
        share = np.concatenate([1.0 / np.arange(1, len(self.members[f]) + 1) ** 0.5 for f in CLASSES])
        share /= share.sum()
        home: dict[int, int] = {}
        for i, word in enumerate((rng.permutation(size.words) + size.nonterminals).tolist()):
            chosen = i if i < self.classes else int(rng.choice(self.classes, p=share))
            home[word] = self.phrases + chosen
            self.add(home[word], [word], 1.0 / rng.integers(1, 12))
        frequency = np.array([w / (1 + self.members[self.family[a]].index(a)) for a, _, w in self.found])
        frequency /= frequency.sum()
        words = [body[0] for _, body, _ in self.found]
        extra = min(round(0.22 * size.words), max(0, size.rules - size.words - 3 * self.phrases))
        while extra > 0:
            word = words[int(rng.choice(len(words), p=frequency))]
            near = rng.random() < 0.85
            family = self.family[home[word]] if near else str(rng.choice(list(CLASSES)))
            extra -= self.add(self.popular(family), [word], 1.0 / rng.integers(1, 8))

    def make_phrases(self) -> None:
        """A downward rule for each phrase, and rules until every symbol is mentioned."""
        self.until(lambda: self.fill(0, "V", down=True))
        have = {0}
        while len(have) < self.phrases or any(self.fresh.values()):
            if len(self.found) >= self.size.rules:
                raise ValueError("too few rules for so many symbols")
            bare = [x for x in self.reached if x not in have]
            if bare:
                x = bare[0]
                self.until(lambda x=x: self.fill(x, self.pick(BASE[self.family[x]]), down=True))
                have.add(x)
            else:
                self.until(*(lambda f=f: self.mention(f) for f in self.members if self.fresh[f]))

    def mention(self, family: str) -> bool:
        """Use a symbol that no rule mentions yet, in a rule of a reached phrase."""
        x = self.pick(self.reached)
        if self.rng.random() >= 0.5:
            x = self.members[self.family[x]][0]
        kinds = (BASE[self.family[x]] if family.islower() else []) + MORE[self.family[x]]
        kinds = [kind for kind in kinds if family in kind]
        return x in self.reached and bool(kinds) and self.fill(x, self.pick(kinds), self.fresh[family][-1])

    def fill(self, head: int, kind: str, want: int | None = None, down: bool = False) -> bool:
        """Add a rule with a right-hand side of these families; False if that is no new and fitting rule."""
        body = []
        for family in kind:
            if want is not None and self.family[want] == family:
                body.append(want)
                want = None
                continue
            fits = family.islower() or down
            if self.fresh[family] and fits and self.rng.random() < 0.7 and head in self.reached:
                body.append(self.fresh[family][-1])
            else:
                body.append(self.popular(family))
        if (down and any(x <= head for x in body)) or not self.add(head, body, 1.0):
            return False
        if head in self.reached:
            for x in body:
                if x in self.fresh[self.family[x]]:
                    self.fresh[self.family[x]].remove(x)
                    if x < self.phrases:
                        self.reached.append(x)
        return True

    def add(self, head: int, body: list[int], weight: float) -> bool:
        key = (head, tuple(int(x) for x in body))
        if key in self.seen or (len(body) == 1 and body[0] <= head):
            return False
        self.seen.add(key)
        self.found.append((*key, float(weight)))
        return True

    def popular(self, family: str) -> int:
        """A symbol of a family; the one numbered j has the weight 1/(j+1)**popularity."""
        members = self.members[family]
        weights = np.cumsum(1.0 / np.arange(1, len(members) + 1) ** self.size.popularity)
        return members[min(int(np.searchsorted(weights, self.rng.random() * weights[-1])), len(members) - 1)]

    def pick(self, items):
        return items[int(self.rng.integers(len(items)))]

    def until(self, *attempts) -> None:
        for attempt in attempts:
            for _ in range(5000):
                if attempt():
                    return
        raise ValueError("no place for another rule: the grammar is too small")

    def weighted(self) -> Iterator[Rule]:
        """Skewed weights, larger for rules that are made of popular symbols."""
        place = {x: 1.0 / (j + 1) for members in self.members.values() for j, x in enumerate(members)}
        of_head: dict[int, list[int]] = {}
        for i, (head, _, _) in enumerate(self.found):
            of_head.setdefault(head, []).append(i)
        for indices in of_head.values():
            for rank, i in enumerate(self.rng.permutation(indices).tolist()):
                head, body, weight = self.found[i]
                lean = min(place.get(x, 1.0) for x in body) ** 0.7
                yield head, body, weight * lean / (1 + rank) ** 0.9


def shares(table: dict[str, int], n: int) -> dict[str, int]:
    """n things shared out by weight, at least one each."""
    found = dict.fromkeys(table, 1)
    while sum(found.values()) < n:
        found[max(table, key=lambda key: table[key] / (found[key] + 1))] += 1
    return found


class Sampler:
    """Samples trees of a grammar; those that grow too long are given up early."""

    def __init__(self, rules: list[Rule], size: Size, dependence: float = 0.0) -> None:
        self.nonterminals = size.nonterminals
        self.dependence = dependence
        phrases = size.nonterminals - max(7, size.nonterminals // 2)
        self.names = [
            "S" if x == 0 else f"P{x}" if x < phrases else f"T{x - phrases + 1}"
            for x in range(self.nonterminals)
        ] + [f"w{x + 1}" for x in range(size.words)]
        self.weights: dict[int, list[float]] = {}
        self.bodies: dict[int, list[tuple[int, ...]]] = {}
        for head, body, weight in rules:
            self.bodies.setdefault(head, []).append(body)
            self.weights.setdefault(head, []).append(weight * size.growth ** (len(body) - 1))
        self.known: dict[tuple[int, int], list[float]] = {}
        self.least = self.least_words()

    def cumulated(self, head: int, above: int) -> list[float]:
        """The cumulated probabilities of the rules of a head below a symbol."""
        found = self.known.get((head, above))
        if found is None:
            weights = np.array(self.weights[head])
            if self.dependence:
                lean = np.random.default_rng([SEED, 4, head, above]).standard_normal(len(weights))
                weights *= np.exp(self.dependence * lean)
            found = [*(np.cumsum(weights) / sum(weights)).tolist()[:-1], 2.0]
            self.known[head, above] = found
        return found

    def least_words(self) -> list[float]:
        """The least number of words of each nonterminal."""
        least = [math.inf] * self.nonterminals
        changed = True
        while changed:
            changed = False
            for head, bodies in self.bodies.items():
                new = min(sum(self.words_of(x, least) for x in body) for body in bodies)
                changed |= new < least[head]
                least[head] = min(new, least[head])
        return least

    def words_of(self, symbol: int, least: list[float]) -> float:
        return 1 if symbol >= self.nonterminals else least[symbol]

    def trees(self, rng: np.random.Generator, n: int) -> list[tuple[Tree, list[int]]]:
        """n trees with their words as numbers."""
        found: list[tuple[Tree, list[int]]] = []
        while len(found) < n:
            uniforms = iter(rng.random(200_000).tolist())
            try:
                while len(found) < n:
                    derivation = self.derivation(uniforms)
                    if derivation is not None:
                        tree, words = self.tree(derivation)
                        if len(words) >= LEAST_WORDS:
                            found.append((tree, words))
            except StopIteration:
                pass
        return found

    def derivation(self, uniforms: Iterator[float]) -> list[tuple[int, tuple[int, ...]]] | None:
        """The rules of a leftmost derivation, None if it would be too long."""
        rules = []
        stack = [(0, self.nonterminals)]  # symbols with the one above them; nothing is above the start
        length = self.least[0]
        while stack:
            head, above = stack.pop()
            body = self.bodies[head][bisect_right(self.cumulated(head, above), next(uniforms))]
            rules.append((head, body))
            length += sum(self.words_of(x, self.least) for x in body) - self.least[head]
            if length > MOST_WORDS:
                return None
            stack.extend((x, head) for x in reversed(body) if x < self.nonterminals)
        return rules

    def tree(self, derivation: list[tuple[int, tuple[int, ...]]]) -> tuple[Tree, list[int]]:
        """The tree of a leftmost derivation: built from its end, where subtrees are complete."""
        done: list[Tree] = []  # the tree that comes first is last
        words: list[int] = []
        for head, body in reversed(derivation):
            children: list[Tree | str] = []
            for x in body:
                if x < self.nonterminals:
                    children.append(done.pop())
                else:
                    children.append(self.names[x])
                    words.append(x - self.nonterminals)
            done.append(Tree(self.names[head], tuple(children)))
        [tree] = done
        number = {name: x - self.nonterminals for x, name in enumerate(self.names)}
        return tree, [number[word] for word in tree.words()]


class ParseCounter:
    """The number of parses of sentences: the inside recursion with weights 1 over a binarised grammar, for
    many sentences of one length at once."""

    def __init__(self, rules: list[Rule], size: Size) -> None:
        n = self.nonterminals = size.nonterminals
        prefixes: dict[tuple[int, ...], int] = {}
        binary: list[tuple[int, int, int]] = []

        def column(body: tuple[int, ...]) -> int:
            """A column for a symbol, or for the first part of a right-hand side."""
            if len(body) == 1:
                return body[0]
            if body not in prefixes:
                prefixes[body] = n + len(prefixes)
                binary.append((prefixes[body], column(body[:-1]), body[-1]))
            return prefixes[body]

        unit, lexical = np.zeros((n, n)), np.zeros((n, size.words))
        for head, body, _ in rules:
            if len(body) > 1:
                binary.append((head, column(body[:-1]), body[-1]))
            elif body[0] < n:
                unit[head, body[0]] += 1
            else:
                lexical[head, body[0] - n] += 1
        self.columns = n + len(prefixes)
        binary.sort()
        heads, self.left, self.right = np.array(binary).T
        self.heads, self.starts = np.unique(heads, return_index=True)
        # unit rules have no cycles, so the sum of the powers of their matrix is finite
        chains, power = np.eye(n), np.eye(n)
        while (power := power @ unit).any():
            chains += power
        self.chains, self.lexical = chains.T.copy(), (chains @ lexical).T.copy()

    def counts(self, sentences: list[list[int]]) -> np.ndarray:
        found = np.zeros(len(sentences))
        by_length: dict[int, list[int]] = {}
        for i, words in enumerate(sentences):
            by_length.setdefault(len(words), []).append(i)
        for length, indices in by_length.items():
            step = max(1, 2_000_000 // (length * (length + 1) * self.columns))
            for k in range(0, len(indices), step):
                part = indices[k : k + step]
                found[part] = self.batch(np.array([sentences[i] for i in part]))
        return found

    def batch(self, sentences: np.ndarray) -> np.ndarray:
        """Counts of sentences of one length."""
        size, n = sentences.shape
        chart = np.zeros((n, n + 1, size, self.columns))  # [i][j]: words i to j-1
        for i in range(n):
            chart[i, i + 1, :, : self.nonterminals] = self.lexical[sentences[:, i]]
        for width in range(2, n + 1):
            for i in range(n - width + 1):
                j = i + width
                sums = np.zeros((size, len(self.left)))
                for k in range(i + 1, j):
                    sums += chart[i, k][:, self.left] * chart[k, j][:, self.right]
                cell = chart[i, j]
                cell[:, self.heads] = np.add.reduceat(sums, self.starts, axis=1)
                cell[:, : self.nonterminals] = cell[:, : self.nonterminals] @ self.chains
        return chart[0, n, :, 0]
