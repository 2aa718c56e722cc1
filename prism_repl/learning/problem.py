"""What learning is given: options and the numbers of the switches; what it returns; and its error."""

from __future__ import annotations

from dataclasses import dataclass, field

from prism_repl.arrays import Array
from prism_repl.graph.graph import Graph

DEFAULT_MAX_ITERATE = 10000


class LearningError(Exception):
    """Learning cannot go on. `reason` is the atom in prism_runtime_error(reason); `goal` the index of the
    observed goal and `instance` the graph's switch instance that is to blame, if one is."""

    def __init__(
        self, message: str, reason: str, goal: int | None = None, instance: int | None = None
    ) -> None:
        super().__init__(message)
        self.message, self.reason, self.goal, self.instance = message, reason, goal, instance


@dataclass(frozen=True)
class LearnOptions:
    mode: str = "ml"  # ml, vb, both, ml_vt, vb_vt, both_vt
    init: str = "random"  # random, noisy_u, none
    restart: int = 1
    epsilon: float = 1e-4
    max_iterate: int | None = DEFAULT_MAX_ITERATE  # None: no limit
    std_ratio: float = 0.2
    daem: bool = False
    itemp_init: float = 0.1
    itemp_rate: float = 1.5
    log_scale: bool = False
    refuse_zero: bool = False  # whether EM stops with an error at a parameter of 0
    threads: int = 1
    vt_best: int = 1  # explanations of each goal that Viterbi training counts
    failure: int | None = None  # index of the goal `failure` among the observed ones
    init_order: list[int] | None = None  # graph switches in the order of initialisation

    def __post_init__(self) -> None:
        if self.mode not in ("ml", "vb", "both", "ml_vt", "vb_vt", "both_vt"):
            raise ValueError(f"no such mode of learning: {self.mode}")
        if self.init not in ("random", "noisy_u", "none"):
            raise ValueError(f"no such initialisation: {self.init}")

    @property
    def viterbi(self) -> bool:
        return self.mode.endswith("_vt")

    @property
    def variational(self) -> bool:
        return not self.mode.startswith("ml")


@dataclass
class SwitchNumbers:
    """The numbers of a graph's switches: one per instance, flags one per switch. Alpha is delta + 1."""

    theta: Array
    delta: Array
    fixed: Array  # bool: parameters fixed
    fixed_h: Array  # bool: hyperparameters fixed


def sizes_of(graph: Graph) -> dict[str, float | int]:
    """The statistics of every kind of learning: switches that occur, their values, free parameters."""
    return {
        "num_switches": graph.n_switches,
        "num_switch_values": graph.n_instances,
        "num_parameters": graph.n_instances - graph.n_switches,
    }


@dataclass
class LearnResult:
    """The best run. `theta` is set by ml and both, `alpha` by vb and both; `counts` are the (expected)
    counts of the last update."""

    theta: Array | None
    alpha: Array | None
    counts: Array
    objective: float
    iterations: int
    converged: bool
    best_run: int
    log_scale: bool  # whether logarithms were used
    em_time: float  # seconds of all runs, without what was made ready before them
    statistics: dict[str, float | int] = field(default_factory=dict)
