"""Expectations where every switch is thrown once for each goal: over decision diagrams, compiled once for all
iterations and restarts."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

from prism_repl.arrays import Array
from prism_repl.graph.graph import Graph
from prism_repl.graph.plan import Poll
from prism_repl.inference.compiling import Functions
from prism_repl.inference.diagrams import BestExpectation, Diagram, Expectation
from prism_repl.inference.interface import SizeLimits


class DiagramExpecting:
    """Worlds in which the observed goals hold, or their best explanations if `viterbi`."""

    splits = False
    side_by_side = True

    def __init__(self, graph: Graph, viterbi: bool, limits: SizeLimits, poll: Poll) -> None:
        functions = Functions(graph, viterbi, limits, poll)
        diagram = Diagram(functions, [functions.nodes[root] for root in graph.roots.tolist()])
        self.passes = BestExpectation(diagram) if viterbi else Expectation(diagram)

    def expectations(self, lanes: int, pool: ThreadPoolExecutor | None, poll: Poll) -> DiagramExpectations:
        return DiagramExpectations(self.passes, lanes, poll)


class DiagramExpectations:
    def __init__(self, passes: Expectation | BestExpectation, lanes: int, poll: Poll) -> None:
        self.lanes = lanes
        self.passes = copy.copy(passes)
        self.passes.diagram = copy.copy(passes.diagram)
        self.passes.diagram.poll = poll

    def values(self, theta: Array, logs: bool) -> Array:
        return self.passes.values(theta, logs)

    def expect(self, theta: Array, weights: Array, logs: bool) -> tuple[Array, Array]:
        return self.passes.expect(theta, weights, logs)
