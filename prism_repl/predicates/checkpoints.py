"""Checkpoints of learning: the switches as they are so far, in a file that restore_sw reads."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy
from typing import Any

from prism_repl.arrays import Array, np
from prism_repl.core.errors import PrologError, domain_error, instantiation_error, type_error
from prism_repl.inference.search import Search
from prism_repl.inference.slices import Survey
from prism_repl.learning.events import LearnEvents
from prism_repl.learning.problem import LearnResult
from prism_repl.model.messages import say
from prism_repl.predicates.saving import line
from prism_repl.prolog.source import file_name
from prism_repl.prolog.whole_files import write_file
from prism_repl.prolog.writer import write_term

SECONDS = 60.0  # between two checkpoints


class Checkpoint(LearnEvents):
    """Saves the numbers of the best run every so often, and when learning is interrupted."""

    def __init__(self, m: Any, file: int, seconds: float) -> None:
        self.m, self.path, self.seconds = m, file_name(m, file), seconds
        self.last = time.monotonic()
        self.found: Search | Survey | None = None
        self.so_far: Callable[[], LearnResult | None] = lambda: None

    def continued(self, iteration: int) -> None:
        if time.monotonic() - self.last >= self.seconds:
            self.last = time.monotonic()
            self.save()

    def save(self) -> None:
        """A file that cannot be written is told of; learning goes on."""
        result = self.so_far()
        if result is None or self.found is None:
            return
        m = self.m
        try:
            for kind, path, numbers in self.files(result):
                write_file(m, m.atom(path), self.text(self.found, kind, numbers))
        except PrologError:
            say(m, f"\n***  PRISM WARNING: the checkpoint cannot be written -- {self.path}\n")
            self.seconds = float("inf")

    def files(self, result: LearnResult) -> list[tuple[str, str, Array]]:
        """What to save: parameters, or in variational learning pseudo counts; where both are learned, the
        pseudo counts have a file of their own."""
        if result.theta is None:
            assert result.alpha is not None
            return [("a", self.path, result.alpha)]
        files = [("p", self.path, result.theta)]
        return files if result.alpha is None else [*files, ("a", f"{self.path}_a", result.alpha)]

    def restoring(self, result: LearnResult) -> str:
        """The query that restores what was saved."""
        files = self.files(result)
        suffix = "".join(kind for kind, _, _ in files)
        names = ",".join(write_term(self.m, self.m.atom(path), quoted=True) for _, path, _ in files)
        return f"restore_sw{'' if suffix == 'p' else '_' + suffix}({names})"

    def text(self, found: Search | Survey, kind: str, numbers: Array) -> str:
        """Lines as save_sw and save_sw_a write them."""
        switches, graph = self.m.prob.switches, found.graph
        values = np.zeros(switches.instances)
        values[graph.instance_ids] = numbers
        lines = []
        for number in graph.switch_ids.tolist():
            switch = copy(switches[number])
            own = values[switch.base : switch.base + switch.size].tolist()
            if kind == "p" and not switch.fixed:
                switch.parameters = own
            elif kind == "a" and not switch.fixed_h:
                switch.alphas = own
            lines.append(line(self.m, kind, switch))
        return "".join(lines)


def checkpoint_of(m: Any, options: int) -> Checkpoint | None:
    """What the options of learn/2 say: checkpoint(File) or checkpoint(File,Seconds), or nothing."""
    if not m.is_ground(options):
        raise instantiation_error()
    items, tail = m.list_items(options) if m.is_list_cell(options) else ([], options)
    if tail != m.nil:
        raise type_error("list", options)
    found = None
    for item in items:
        option = m.deref(item)
        arity = m.arity_of(option) if m.is_compound(option) else 0
        if arity not in (1, 2) or m.atom_text(m.name_of(option)) != "checkpoint":
            raise domain_error("learn_option", option)
        seconds = SECONDS
        if arity == 2:
            given = m.deref(m.arg(option, 1))
            if not m.is_number(given):
                raise type_error("number", given)
            seconds = float(m.number_value(given))
            if seconds < 0:
                raise domain_error("not_less_than_zero", given)
        found = Checkpoint(m, m.deref(m.arg(option, 0)), seconds)
    return found
