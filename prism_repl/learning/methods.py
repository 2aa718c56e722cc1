"""Which way of finding counts the flags ask for."""

from __future__ import annotations

from prism_repl.flags import Flags
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Plan, Poll
from prism_repl.inference.interface import NotOffered
from prism_repl.inference.methods import size_limits
from prism_repl.learning.expectations import Expecting, GraphExpecting


def expecting_on(graph: Graph, viterbi: bool, flags: Flags, poll: Poll = None) -> Expecting:
    """Expectations for learning from a graph."""
    if flags["trials"] == "once":
        try:
            # Loads the package of decision diagrams, which nobody else needs.
            from prism_repl.learning.exact import DiagramExpecting
        except ImportError as error:
            raise NotOffered(f"throwing switches once needs the Python package oxidd: {error}") from None
        return DiagramExpecting(graph, viterbi, size_limits(flags), poll)
    return GraphExpecting(Plan(graph, poll=poll), viterbi)
