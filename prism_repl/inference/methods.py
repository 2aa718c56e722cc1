"""Which way of inference the flags ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_repl.arrays import Array
from prism_repl.flags import Flags
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll
from prism_repl.inference.interface import Inference, NotOffered, SizeLimits
from prism_repl.inference.sums import Sums

if TYPE_CHECKING:
    from prism_repl.inference.once import Once


def inference_on(
    graph: Graph, theta: Array, flags: Flags, log_scale: bool | None = None, poll: Poll = None
) -> Inference:
    """Inference on a graph under these parameters; log_scale is the flag's, if not told."""
    if log_scale is None:
        log_scale = flags["log_scale"] == "on"
    if flags["trials"] == "once":
        return exact(graph, theta, flags, log_scale, poll)
    return Sums(graph, theta, log_scale, poll)


def size_limits(flags: Flags) -> SizeLimits:
    """How far decision diagrams may grow."""
    return SizeLimits(flags["diagram_nodes"], float(flags["diagram_time"]))


def exact(graph: Graph, theta: Array, flags: Flags, log_scale: bool | None = None, poll: Poll = None) -> Once:
    """Inference by decision diagrams, whatever the flag trials says."""
    try:
        # Loads the package of decision diagrams, which nobody else needs.
        from prism_repl.inference.once import Once
    except ImportError as error:
        raise NotOffered(f"throwing switches once needs the Python package oxidd: {error}") from None
    if log_scale is None:
        log_scale = flags["log_scale"] == "on"
    return Once(graph, theta, log_scale, poll, size_limits(flags))
