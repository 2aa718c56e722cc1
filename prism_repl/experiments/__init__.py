"""What experiments with grammars and classifiers need: trees, parsing scores, cross validation, significance.

The modules are independent of each other and of a session; examples/viterbi-training puts them together.
"""

from prism_repl.experiments.cross_validation import Fold, folds, learned_folds, restarted
from prism_repl.experiments.parse_trees import left_corner_tree, leftmost_tree, switches_in_order
from prism_repl.experiments.parsing_scores import ParsingScores, score_parses
from prism_repl.experiments.significance import Comparison, compare_with_control, significance_table
from prism_repl.experiments.trees import Tree, TreeError, plain_tree, read_trees

__all__ = [
    "Comparison",
    "Fold",
    "ParsingScores",
    "Tree",
    "TreeError",
    "compare_with_control",
    "folds",
    "learned_folds",
    "left_corner_tree",
    "leftmost_tree",
    "plain_tree",
    "read_trees",
    "restarted",
    "score_parses",
    "significance_table",
    "switches_in_order",
]
