"""Which way of finding counts the flags ask for."""

from __future__ import annotations

from prism_repl.flags import Flags
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll
from prism_repl.inference.interface import NotOffered
from prism_repl.inference.methods import size_limits
from prism_repl.learning.expectations import Expecting
from prism_repl.learning.problem import LearnOptions


def expecting_on(graph: Graph, options: LearnOptions, flags: Flags, poll: Poll = None) -> Expecting | None:
    """Expectations for learning from a graph; None for those that learn() makes of the graph itself."""
    if flags["trials"] != "once":
        return None
    if options.viterbi and options.vt_best > 1:
        raise NotOffered("where switches are thrown once, the best explanations overlap: vt_best must be 1")
    try:
        # Loads the package of decision diagrams, which nobody else needs.
        from prism_repl.learning.exact import DiagramExpecting
    except ImportError as error:
        raise NotOffered(f"throwing switches once needs the Python package oxidd: {error}") from None
    return DiagramExpecting(graph, options.viterbi, size_limits(flags), poll)
