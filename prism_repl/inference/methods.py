"""Which way of inference the flags ask for."""

from __future__ import annotations

from typing import Any

import numpy as np

from prism_repl.flags import Flags
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll
from prism_repl.inference.interface import Inference
from prism_repl.inference.sums import Sums

Array = np.ndarray[Any, Any]


def inference_on(
    graph: Graph, theta: Array, flags: Flags, log_scale: bool | None = None, poll: Poll = None
) -> Inference:
    """Inference on a graph under these parameters; log_scale is the flag's, if not told."""
    if log_scale is None:
        log_scale = flags["log_scale"] == "on"
    return Sums(graph, theta, log_scale, poll)
