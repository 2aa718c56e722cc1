"""save_embedding_from_pattern: arrays from the solutions of a goal."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.errors import PrologError, instantiation_error, type_error
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, runtime_error, say, text_of
from prism_repl.model.switches import key_of
from prism_repl.predicates.placeholders import hdf5_package
from prism_repl.predicates.tensor_formats import FORMATS, UNSUPPORTED, atom_argument, check_format
from prism_repl.prolog.builtins.registry import helper
from prism_repl.prolog.standard_order import by_first
from prism_repl.prolog.whole_files import write_file

GROUP = "train"
MOST_CELLS = 1 << 28  # of an array


@helper("$embedding_format", 2)
def embedding_format(m: Any, mode: int, called: int) -> bool:
    """The error of a format that embeddings do not have, before any goal is run."""
    try:
        check_format(m, atom_argument(m, mode), UNSUPPORTED, FORMATS)
    except PrologError as error:
        error.context = indicator(m, called)
        raise
    return True


def indicator(m: Any, called: int) -> tuple[str, int]:
    return m.atom_text(m.arg(called, 0)), m.int_value(m.arg(called, 1))


@helper("$save_embedding", 6)
def save_embedding(m: Any, tuples: int, target: int, base: int, mode: int, shown: int, called: int) -> bool:
    """`tuples` are pairs Values-Number, one for each solution; with `shown` the axes are printed."""
    try:
        return Embedding(m, tuples).save(target, base, atom_argument(m, mode), m.atom_text(shown) == "on")
    except PrologError as error:
        error.context = error.context or indicator(m, called)
        raise


class Embedding:
    """An array with an axis for each variable: the sorted values that it takes."""

    def __init__(self, m: Any, tuples: int) -> None:
        self.m = m
        solutions = m.list_items(tuples)[0]
        if not solutions:
            raise prism_error(m, "4034", runtime_error("no_solution"))
        rows = [checks.proper_list(m, "2104", m.arg(pair, 0)) for pair in solutions]
        for row in rows:
            for value in row:
                if not m.is_ground(value):
                    raise instantiation_error()
        self.axes = [self.axis(column) for column in zip(*rows, strict=True)]
        shape = [len(axis) for axis in self.axes]
        if not shape or np.prod(shape, dtype=float) > MOST_CELLS:
            raise prism_error(m, "4035", runtime_error("invalid_embedding"), "x".join(map(str, shape)))
        places = [{key_of(m, value): i for i, value in enumerate(axis)} for axis in self.axes]
        self.array = np.zeros(shape)
        for row, pair in zip(rows, solutions, strict=True):
            at = tuple(place[key_of(m, value)] for place, value in zip(places, row, strict=True))
            self.array[at] = self.number(m.arg(pair, 1))

    def axis(self, column: tuple[int, ...]) -> list[int]:
        distinct = {key_of(self.m, value): value for value in column}
        return [value for (value,) in by_first(self.m, [(value,) for value in distinct.values()])]

    def number(self, cell: int) -> float:
        cell = self.m.deref(cell)
        if not self.m.is_number(cell):
            raise type_error("number", cell)
        return float(self.m.number_value(cell))

    def save(self, target: int, base: int, mode: str, shown: bool) -> bool:
        m = self.m
        if shown:
            axes = [m.list_from(axis) for axis in self.axes]
            say(m, text_of(m, axes[0] if len(axes) == 1 else m.list_from(axes)) + "\n")
        name = atom_argument(m, base)
        path = os.path.expanduser(name)
        written = text_of(m, target)
        dataset = re.sub(r"[\[\](){},'\"$]+", "_", written)
        say(m, f"[SAVE] {name}{'.h5' if mode == 'hdf5' else ''}\n")
        say(m, f"[INFO] {GROUP}\n[INFO] {written} -> {dataset}\n")
        try:
            if mode == "hdf5":
                with hdf5_package().File(path + ".h5", "w") as file:
                    file.create_dataset(f"{GROUP}/{dataset}", data=self.array, dtype="<f4")
            else:
                self.save_npy(path, dataset)
        except OSError:
            raise PrologError("permission_error", "open", "source_sink", base, context=("open", 3)) from None
        lines = ["axis\tindex\tlabel\n"]
        for i, axis in enumerate(self.axes):
            lines += [f"{i}\t{j}\t{text_of(m, value)}\n" for j, value in enumerate(axis)]
        write_file(m, m.atom(name + ".txt"), "".join(lines))
        say(m, f"[SAVE] {name}.txt\n")
        return True

    def save_npy(self, path: str, dataset: str) -> None:
        np.save(path + ".npy", self.array)
        about = {
            "filename": os.path.basename(path) + ".npy",
            "group": GROUP,
            "name": dataset,
            "shape": list(self.array.shape),
        }
        with open(path + ".npy.json", "w", encoding="utf-8") as file:
            json.dump(about, file)
