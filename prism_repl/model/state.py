"""What a session knows about probability: flags, switches, chance, statistics.

The machine carries it as `m.prob`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from prism_repl.core.instructions import CONSTANTS
from prism_repl.core.queries import solve_once
from prism_repl.flags import Flags
from prism_repl.model.chance import Random
from prism_repl.model.switches import Kept, Switches


class ProbState:
    """The probabilistic side of a session."""

    def __init__(self, m: Any, seed: int | None = None) -> None:
        self.m = m
        self.flags = Flags()
        self.random = Random(seed)
        self.switches = Switches(self)
        self.statistics: dict[str, Any] = {}
        # Goals of the last inference that are not in the tables, because they are not ground or an msw, by
        # the numbers of their nodes.
        self.goals_above: dict[int, Kept] = {}
        self.thrown: dict[int, int] = {}  # switches with their outcomes in this sample (flag trials = once)
        # Shows a text on the last line of a terminal until it is called again; "" takes it away.
        self.show_progress: Callable[[str], None] | None = None
        # Asks whether the parameters of an interrupted learn are to be kept; without it they are not.
        self.keep_learned: Callable[[str], bool] | None = None
        self.learn_listener: Any = None  # is told of the progress of learning, too
        self.samples: Any = None  # for and from $learn_samples/1
        self.program_path: Path | None = None  # of the program that prism/1,2 loaded last
        self.notices: list[str] = []  # what a person at the prompt should know of the last query
        self.probabilistic: set[tuple[str, int]] = set()  # predicates of the program that reach msw
        self.tabled: set[tuple[str, int]] = set()  # those of them that inference accepts
        self.index_ranges: dict[str, int] = {}  # of tensors: what set_index_range/2 was told
        self.crf = False  # whether the program may be a conditional random field
        self.tabling = True  # whether the program was loaded for inference, too

    def has_declarations(self) -> bool:
        """Whether values/2 declarations were ever loaded. A fact tells it: get_values/2 asks often."""
        seen = self.m.program.pred(self.m.functor(self.m.atom("$values_seen"), 0))
        return bool(self.m.program.pred_field(seen, CONSTANTS["P_LIVE"]) > 0)

    def note_declarations(self) -> None:
        if not self.has_declarations():
            self.m.database.add_clause(self.m.atom("$values_seen"), True, 0)

    def get_values(self, name: int) -> list[int] | None:
        """The outcome cells of the first values declaration that matches a ground name."""
        values = self.m.new_var()
        if not self.solve_plainly("get_values0", name, values):
            return None
        return self.m.proper_list(self.m.deref(values))

    def declares(self, pattern: int) -> bool:
        """Whether some declaration is about a switch that matches."""
        return self.solve_plainly("get_values0", self.m.copy(pattern), self.m.new_var())

    def computes_values(self, name: int) -> bool:
        """Whether the outcomes of a ground name may change: a declaration computes them."""
        return self.solve_plainly("$computed_values", name)

    def solve_plainly(self, predicate: str, *arguments: int) -> bool:
        """Run a goal as plain Prolog, for its first solution, also in an explanation search, or after one
        whose tables are needed: searches that the goal begins leave these alone."""
        m = self.m
        mode, m.stacks.mode = m.stacks.mode, 0
        m.tabling.tables.held += 1
        try:
            return bool(solve_once(m, m.struct(predicate, *arguments)))
        finally:
            m.tabling.tables.held -= 1
            m.stacks.mode = mode
