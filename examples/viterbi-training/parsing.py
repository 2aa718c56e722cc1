"""Tables 1 to 3: how fast grammars are learned, and how well they parse then."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from grammars import Grammar, goal_text, pcfg_program, plcg_program, quoted
from jobs import Job
from treebank import SIZES, cache_file, treebank

from prism_repl import Session, Struct
from prism_repl.experiments import (
    Tree,
    TreeError,
    folds,
    left_corner_tree,
    leftmost_tree,
    plain_tree,
    read_trees,
    restarted,
    score_parses,
)

GRAMMARS = {"PCFG": pcfg_program, "PLCG": plcg_program}
K_BEST = 5  # explanations of each sentence that k-best Viterbi training counts
METHODS = ["VT", "EM", "MAP", "VB", f"{K_BEST}-best VT"]
COMPLETE = "complete data"
FOLDS = 8
RERANK = 5  # candidates of VB that are ranked again, as in the paper
SMALL = "1.0e-9"  # the paper's pseudo count of EM

# The switches of an explanation are in the order of the proof: a derivation.
BESTS = """
bests(Goals,Bests) :- viterbif_all(Goals,Explained), switches_of(Explained,Bests).

switches_of([],[]).
switches_of([v_expl(_,0.0,_)|Es],[[]|Bests]) :- !, switches_of(Es,Bests).
switches_of([v_expl(_,_,E)|Es],[Switches|Bests]) :- viterbi_switches(E,Switches), switches_of(Es,Bests).
"""


@dataclass(frozen=True)
class Corpus:
    """Where trees come from: a folder of bracketed trees, or a synthetic treebank of some size."""

    folder: str | None
    size: str
    cache: str
    dependence: float = 0.0  # of a synthetic treebank, see treebank.py

    def trees(self) -> list[Tree]:
        if self.folder is None:
            return treebank(SIZES[self.size], Path(self.cache), self.dependence)
        return self.read()[0]

    def read(self) -> tuple[list[Tree], int]:
        """The trees of the folder, and how many were left out. A quick run reads the first of them."""
        assert self.folder is not None
        return read_corpus(self.folder, SIZES["quick"].sentences if self.size == "quick" else None)

    def must_be_made(self) -> bool:
        """Whether trees() will take a while."""
        file = cache_file(SIZES[self.size], Path(self.cache), self.dependence)
        return self.folder is None and not file.exists()

    @property
    def word(self) -> str:
        """What reports on the corpus are called."""
        mark = f"-dependence-{self.dependence:g}" if self.dependence else ""
        if self.folder is None:
            return self.size + mark
        return Path(self.folder).resolve().name + ("-quick" if self.size == "quick" else "")

    @property
    def name(self) -> str:
        """What results belong to: other trees have another name."""
        return f"synthetic-{self.word}" if self.folder is None else f"{self.word}-{fingerprint(self)}"


class CorpusError(ValueError):
    """A treebank cannot be read; says where."""


@functools.lru_cache(maxsize=1)
def fingerprint(corpus: Corpus) -> str:
    """Tells trees from others."""
    return hashlib.sha256("".join(map(str, corpus.trees())).encode()).hexdigest()[:8]


@functools.lru_cache(maxsize=1)
def read_corpus(folder: str, most: int | None) -> tuple[list[Tree], int]:
    """The first trees of all files in a folder and below, as a grammar needs them; how many are left out."""
    there = (Path(place, name) for place, _, names in os.walk(folder, onerror=refuse) for name in names)
    files = sorted(path for path in there if path.suffix.lower() in (".mrg", ".txt", ".ptb"))
    if not files:
        raise CorpusError(f"{folder}: no file of bracketed trees (.mrg, .ptb or .txt)")
    trees: list[Tree] = []
    for file in files:
        try:
            trees += read_trees(file.read_text(encoding="utf-8-sig"))
        except TreeError as error:
            raise CorpusError(f"{file}: {error}") from None
        except UnicodeDecodeError as error:
            raise CorpusError(f"{file}: not UTF-8, byte {error.start + 1}") from None
        except OSError as error:
            refuse(error)
    plain = [tree for tree in map(plain_tree, trees[:most]) if tree is not None]
    kept = without_cycles(one_grammar(plain)) if plain else []
    if len(kept) < FOLDS:
        raise CorpusError(f"{folder}: {len(kept)} trees, too few for {FOLDS} folds")
    return kept, len(plain) - len(kept)


def refuse(error: OSError) -> NoReturn:
    """A folder or file cannot be read."""
    raise CorpusError(f"{error.filename}: {error.strerror}") from None


def without_cycles(trees: list[Tree]) -> list[Tree]:
    """The trees whose rules do not derive a symbol from itself alone: else a sentence has infinitely many
    parses. Of the rules A -> B that make a cycle the rarest are given up, with their trees."""
    symbols = {label for tree in trees for label, _, _ in tree.brackets()}
    units = Counter(rule for tree in trees for rule in tree.rules() if len(rule[1]) == 1)
    below: dict[str, set[str]] = {symbol: {symbol} for symbol in symbols}  # what a symbol derives alone
    given_up = set()
    for (head, (child,)), _ in units.most_common():
        if child in symbols and head in below[child]:
            given_up.add((head, (child,)))
        elif child in symbols:
            for derived in below.values():
                if head in derived:
                    derived |= below[child]
    return [tree for tree in trees if given_up.isdisjoint(tree.rules())]


def one_grammar(trees: list[Tree]) -> list[Tree]:
    """Trees as a grammar needs them: with one start symbol, and no word that is also a symbol, as the comma
    is in the Penn treebank."""
    symbols = {label for tree in trees for label, _, _ in tree.brackets()}
    if len({tree.label for tree in trees}) > 1:
        top = "TOP"
        while top in symbols:
            top += "_"
        trees = [Tree(top, (tree,)) for tree in trees]
    words = {word for tree in trees for word in tree.words()}
    other: dict[str, str] = {}
    for word in sorted(words & symbols):
        other[word] = word + "_"
        while other[word] in words | symbols:
            other[word] += "_"
    return renamed(trees, other) if other else trees


def renamed(trees: list[Tree], other: dict[str, str]) -> list[Tree]:
    """Trees with other words, which stand behind a blank where labels stand behind a bracket."""
    text = "".join(map(str, trees))
    return read_trees(re.sub(r"(?<= )[^\s()]+", lambda word: other.get(word[0], word[0]), text))


class Parser:
    """A session with the program of a grammar, which is learned again and again."""

    def __init__(self, corpus: Corpus, kind: str, threads: int) -> None:
        self.kind = kind
        self.trees = corpus.trees()
        self.grammar = Grammar.of_trees(self.trees)
        self.session = Session(output=lambda text: None)
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / f"{kind.lower()}.psm"
            program.write_text(GRAMMARS[kind](self.grammar) + BESTS, encoding="utf-8")
            self.session.prism(program)
        self.threads = threads

    def goal(self, tree: Tree) -> str:
        return goal_text(self.kind.lower(), tree.words())

    def learn(self, method: str, trees: list[Tree], restarts: int, seed: int) -> dict[str, Any]:
        """Learn from the sentences of trees with the paper's pseudo counts."""
        ask = self.session.once
        ask(f"set_seed({seed}), reset_prism_flags, set_prism_flag(threads,{self.threads})")
        ask("set_prism_flag(clean_table,off)")  # a sentence is searched once for all methods and folds
        if method == "VB":
            ask("set_prism_flag(default_sw_a,1.0), set_sw_all_a(_,1.0)")
            ask(f"set_prism_flag(viterbi_mode,vb), set_prism_flag(rerank,{RERANK})")
        else:
            count = SMALL if method == "EM" else "1.0"
            ask(f"set_prism_flag(default_sw_d,{count}), set_sw_all_d(_,{count})")
        mode = {"VB": "vb", "VT": "ml_vt", f"{K_BEST}-best VT": "ml_vt"}.get(method, "ml")
        flags = {"vt_best": K_BEST} if method == f"{K_BEST}-best VT" else {}
        return restarted(self.session, map(self.goal, trees), mode, restarts, **flags)

    def count_rules(self, trees: list[Tree]) -> None:
        """Parameters from complete data: the relative frequencies of the rules of a PCFG."""
        counts = Counter(rule for tree in trees for rule in tree.rules())
        for head, bodies in self.grammar.rules.items():
            total = sum(counts[head, body] for body in bodies)
            if total:
                self.session.set_switch(quoted(head), [counts[head, body] / total for body in bodies])

    def parses(self, trees: list[Tree]) -> list[Tree | None]:
        """The most probable trees of the words of some trees."""
        answer = self.session.once(f"bests([{','.join(map(self.goal, trees))}],Bests)")
        bests = answer["Bests"]
        assert isinstance(bests, list)
        return [self.parse_of(switches) for switches in bests]

    def parse_of(self, switches: list[Struct]) -> Tree | None:
        """The tree of a derivation, none if it has no switches."""
        if not switches:
            return None
        steps = [(switch.args[0], switch.args[1]) for switch in switches]
        if self.kind == "PCFG":
            return leftmost_tree(self.grammar.start, steps, self.grammar.is_word)
        return left_corner_tree(self.grammar.start, steps)


@functools.lru_cache(maxsize=1)  # a process keeps what it worked with last
def parser(corpus: Corpus, kind: str, threads: int) -> Parser:
    return Parser(corpus, kind, threads)


def convergence(corpus: Corpus, kind: str, method: str, run: int, threads: int) -> dict[str, Any]:
    """A run of Table 1: iterations and seconds from a random start."""
    p = parser(corpus, kind, threads)
    found = p.learn(method, p.trees, 1, seed=1000 + run)
    return {"iterations": found["num_iterations"], "seconds": found["em_time"]}


def parsing(
    corpus: Corpus, kind: str, method: str, fold_number: int, restarts: int, threads: int
) -> dict[str, Any]:
    """A fold of Tables 2 and 3: scores of the parses of sentences that were not learned from."""
    p = parser(corpus, kind, threads)
    fold = next(f for f in folds(p.trees, FOLDS, seed=1) if f.number == fold_number)
    if method == COMPLETE:
        p.session.once("set_prism_flag(viterbi_mode,ml)")
        p.count_rules(fold.training)
    else:
        p.learn(method, fold.training, restarts, seed=fold_number)
    scores = score_parses(zip(fold.test, p.parses(fold.test), strict=True))
    return asdict(scores) | {"f1": scores.f1}


def convergence_jobs(corpus: Corpus, runs: int, threads: int) -> list[Job]:
    return [
        Job(
            f"convergence {corpus.name} {kind} {method} {run}",
            convergence,
            (corpus, kind, method, run, threads),
        )
        for kind in GRAMMARS
        for method in ("VT", "EM")
        for run in range(runs)
    ]


def parsing_jobs(corpus: Corpus, kind: str, methods: list[str], restarts: int, threads: int) -> list[Job]:
    return [
        Job(
            f"parsing {corpus.name} {kind} {method} fold {fold} best of {restarts}",
            parsing,
            (corpus, kind, method, fold, restarts, threads),
        )
        for fold in range(FOLDS)
        for method in methods
    ]
