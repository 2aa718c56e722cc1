"""How good predicted parse trees are: whole trees, brackets that cross, and PARSEVAL's precision and recall.

Labelled tree, bracketed tree and zero crossing brackets are the measures of Goodman (1996), as in the paper
on Viterbi training in PRISM: shares of the sentences, each less strict than the one before. Precision and
recall count the brackets of all nodes, also those above one word, which some programs leave out: without
them the figures are lower.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from prism_repl.experiments.trees import Tree


@dataclass(frozen=True)
class ParsingScores:
    """Scores of a set of sentences, from 0 to 1."""

    sentences: int
    labelled_tree: float  # all brackets and labels are right
    bracketed_tree: float  # all brackets are right
    zero_crossing: float  # no bracket crosses one of the right tree
    precision: float  # share of the predicted labelled brackets that are right
    recall: float  # share of the right labelled brackets that are predicted

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score_parses(pairs: Iterable[tuple[Tree, Tree | None]]) -> ParsingScores:
    """Scores of predicted trees: pairs of the right tree and the predicted one, None if there is none."""
    sentences = labelled = bracketed = uncrossed = 0
    common = predicted_brackets = right_brackets = 0
    for right, predicted in pairs:
        sentences += 1
        right_spans = right.brackets()
        right_brackets += len(right_spans)
        if predicted is None:
            continue
        if predicted.words() != right.words():
            raise ValueError(f"the trees have different words: {right} and {predicted}")
        spans = predicted.brackets()
        predicted_brackets += len(spans)
        common += (Counter(spans) & Counter(right_spans)).total()
        # children come first in both, so equal trees have equal lists, and equal shapes equal places
        labelled += spans == right_spans
        bracketed += [span[1:] for span in spans] == [span[1:] for span in right_spans]
        uncrossed += not crosses({span[1:] for span in spans}, {span[1:] for span in right_spans})
    if not sentences:
        raise ValueError("there are no trees to score")
    return ParsingScores(
        sentences,
        labelled / sentences,
        bracketed / sentences,
        uncrossed / sentences,
        common / predicted_brackets if predicted_brackets else 0.0,
        common / right_brackets,
    )


def crosses(spans: set[tuple[int, int]], others: set[tuple[int, int]]) -> bool:
    """Whether a span overlaps one of the others and neither contains the other one."""
    return any(
        first < start < behind < end or start < first < end < behind
        for first, behind in spans - others
        for start, end in others
    )
