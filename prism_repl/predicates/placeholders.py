"""save_placeholder_goals and save_placeholder_data: one graph for many goals, with the data beside it."""

from __future__ import annotations

import json
import os
from typing import Any

from prism_repl.arrays import np
from prism_repl.core.cells import ATM
from prism_repl.core.errors import PrologError, type_error
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, runtime_error, say
from prism_repl.predicates.tensor_formats import (
    FORMATS,
    UNSUPPORTED,
    atom_argument,
    check_format,
    save_message,
    term_string,
)
from prism_repl.prolog.builtins.registry import builtin

DATA_FILE = "data.h5"
Records = list[list[int]]


class Placeholders:
    """For each pattern the names of its placeholders, and the records of values that they stand for."""

    def __init__(self, m: Any) -> None:
        self.m = m
        self.names: list[list[str]] = []
        self.records: list[Records] = []

    def add(self, names: list[str], records: Records) -> None:
        self.names.append(names)
        self.records.append(records)

    def save(self, file: int, mode: str) -> bool:
        m = self.m
        name = atom_argument(m, file)
        check_format(m, mode, FORMATS + UNSUPPORTED, ())
        for records in self.records:
            if not records:
                say(m, "[ERROR] A data term is not a list")
        if mode == "json":
            file = m.atom(f"{name}{len(self.names)}_0")
        if mode in FORMATS:
            save_message(m, file, mode, self.message(), "PlaceholderData")
            return True
        arrays = [self.array(i) for i in range(len(self.names))]
        try:
            (self.save_hdf5 if mode == "hdf5" else self.save_npy)(os.path.expanduser(name), arrays)
        except OSError:
            raise PrologError("permission_error", "open", "source_sink", file, context=("open", 3)) from None
        say(m, f"[SAVE:{mode}] {name}\n")
        return True

    def message(self) -> dict[str, Any]:
        m = self.m
        goals = [
            {
                "id": i,
                "placeholders": [{"name": name} for name in names],
                "records": [{"items": [term_string(m, item) for item in record]} for record in records],
            }
            for i, (names, records) in enumerate(zip(self.names, self.records, strict=True))
        ]
        return {"goals": goals}

    def array(self, i: int) -> np.ndarray[Any, Any]:
        """The records of a pattern as 32-bit integers."""
        m = self.m
        rows = []
        for record in self.records[i]:
            for item in record:
                if not m.is_integer(item):
                    raise type_error("integer", item)
                if not -(2**31) <= m.int_value(item) < 2**31:
                    raise PrologError("representation_error", "int32")
            rows.append([m.int_value(item) for item in record])
        return np.array(rows, dtype="<i4").reshape(len(rows), len(self.names[i]))

    def save_hdf5(self, path: str, arrays: list[np.ndarray[Any, Any]]) -> None:
        h5py = hdf5_package()
        with h5py.File(path, "w") as file:
            for i, (names, array) in enumerate(zip(self.names, arrays, strict=True)):
                data = file.create_dataset(f"{i}/data", data=array)
                data.attrs.create("placeholders", names, dtype=h5py.string_dtype())

    def save_npy(self, path: str, arrays: list[np.ndarray[Any, Any]]) -> None:
        os.makedirs(path, exist_ok=True)
        listed = []
        for i, (names, array) in enumerate(zip(self.names, arrays, strict=True)):
            np.save(os.path.join(path, f"placeholder_{i}.npy"), array)
            listed.append({"filename": f"placeholder_{i}.npy", "placeholders": names})
        with open(os.path.join(path, "placeholder.npy.json"), "w", encoding="utf-8") as file:
            json.dump(listed, file)


def hdf5_package() -> Any:
    try:
        import h5py  # large, and only these files need it
    except ImportError:
        error = runtime_error("hdf5_is_not_available")
        text = (
            "hdf5 files need the Python package h5py: pip install 'prism-repl[tensors]', or use npy or json"
        )
        error.announcement = f"***  PRISM ERROR: {text}\n"
        raise error from None
    return h5py


def save_goals(m: Any, file: int, mode: str, patterns: int, goals: int) -> bool:
    """The variables of the patterns become placeholders; the goals that match a pattern give its records."""
    forms = checks.proper_list(m, "2104", patterns)
    data = checks.proper_list(m, "2104", goals)
    found = Placeholders(m)
    names: dict[int, str] = {}
    for form in forms:
        variables = m.term_vars(form)
        records: Records = []
        for goal in data:
            pair = m.copy(m.struct("-", form, m.list_from(variables)))
            if m.unify(m.arg(pair, 0), m.copy(goal)):
                records.append(m.list_items(m.arg(pair, 1))[0])
        for variable in variables:
            names.setdefault(variable, f"$placeholder{len(names) + 1}$")
        found.add([names[variable] for variable in variables], records)
    found.save(file, mode)
    return all(m.unify(variable, m.atom(name)) for variable, name in names.items())


def save_data(m: Any, file: int, mode: str, placeholders: int, data: int) -> bool:
    lists, tables = checks.proper_list(m, "2104", placeholders), checks.proper_list(m, "2104", data)
    if len(lists) != len(tables):
        raise prism_error(m, "3400", PrologError("domain_error", "placeholder_data", data), data)
    found = Placeholders(m)
    for names, table in zip(lists, tables, strict=True):
        words = checks.proper_list(m, "2104", names)
        wrong = next((word for word in words if word & 7 != ATM), None)
        if wrong is not None:
            raise type_error("atom", wrong)
        records = [checks.proper_list(m, "2104", record) for record in checks.proper_list(m, "2104", table)]
        if any(len(record) != len(words) for record in records):
            raise prism_error(m, "3400", PrologError("domain_error", "placeholder_data", table), table)
        found.add([m.atom_text(word) for word in words], records)
    return found.save(file, mode)


def define(name: str, arguments: str, save: Any) -> None:
    """Make name/2 (hdf5, the usual file), name/3 (hdf5) and name/4."""

    def usual(m: Any, what: int, data: int) -> bool:
        return save(m, m.atom(DATA_FILE), "hdf5", what, data)

    def named(m: Any, file: int, what: int, data: int) -> bool:
        return save(m, file, "hdf5", what, data)

    def in_format(m: Any, file: int, mode: int, what: int, data: int) -> bool:
        return save(m, file, atom_argument(m, mode), what, data)

    builtin(f"{name}({arguments}) is det")(usual)
    builtin(f"{name}(+File:file, {arguments}) is det")(named)
    builtin(f"{name}(+File:file, +Mode, {arguments}) is det")(in_format)


define("save_placeholder_goals", "+Patterns, +Goals", save_goals)
define("save_placeholder_data", "+Names, +Data", save_data)
