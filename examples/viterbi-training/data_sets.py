"""Data sets for classification: ARFF files, read with all attributes nominal."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

BINS = 5  # a numeric attribute is cut into this many parts of (nearly) equal frequency,
FEW = 10  # if it has more than this many different values
MISSING = "?"
CELL = re.compile(r"""\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,]*?)\s*,""")


@dataclass(frozen=True)
class DataSet:
    """Rows of attribute values and their classes; a missing value is '?'."""

    name: str
    classes: list[str]
    values: list[list[str]]  # of each attribute
    rows: list[tuple[str, ...]]
    labels: list[str]


class DataError(ValueError):
    """A file is not what it should be; says where."""


def read_arff(path: Path) -> DataSet:
    """A data set whose last attribute, or the one called class, is the class."""
    attributes: list[tuple[str, list[str] | None]] = []  # numeric ones have no list of values
    rows: list[list[str]] = []
    in_data = False
    try:
        text = path.read_text(encoding="utf-8-sig", errors="backslashreplace")
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            row = cells(line)
            check_row(f"{path}:{number}", row, attributes)
            rows.append(row)
        elif line.lower().startswith("@data"):
            in_data = True
        elif line.lower().startswith("@attribute"):
            attributes.append(attribute(path, number, line))
        elif not line.lower().startswith("@relation"):
            raise DataError(f"{path}:{number}: neither @relation nor @attribute nor @data: {line}")
    if not rows:
        raise DataError(f"{path}: no data")
    names = [name.lower() for name, _ in attributes]
    place = names.index("class") if "class" in names else len(names) - 1
    columns = [[row[i] for row in rows] for i in range(len(attributes))]
    labels = columns.pop(place)
    if MISSING in labels:
        raise DataError(f"{path}: a row has no class")
    kinds = [values for i, (_, values) in enumerate(attributes) if i != place]
    nominal = [
        column if values else discretised(column) for column, values in zip(columns, kinds, strict=True)
    ]
    nominal = [column for column in nominal if not is_name(column) and set(column) != {MISSING}]
    return DataSet(
        path.stem,
        sorted(set(labels)),
        [sorted(set(column) - {MISSING}) for column in nominal],
        [tuple(column[i] for column in nominal) for i in range(len(rows))],
        labels,
    )


def cells(text: str) -> list[str]:
    """Values between commas; within quotes there may be commas, and a backslash before a quote."""
    return [unquoted(cell) for cell in CELL.findall(text + ",")]


def unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def check_row(where: str, row: list[str], attributes: list[tuple[str, list[str] | None]]) -> None:
    """Whether a row has a value that is allowed for each attribute."""
    if len(row) != len(attributes):
        raise DataError(f"{where}: {len(row)} values for {len(attributes)} attributes")
    for value, (name, values) in zip(row, attributes, strict=True):
        if value == MISSING:
            continue
        if values is not None and value not in values:
            raise DataError(f"{where}: {value} is not a value of {name}: {', '.join(values)}")
        if values is None and not is_number(value):
            raise DataError(f"{where}: {value} is not a number, which {name} should be")


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def attribute(path: Path, number: int, line: str) -> tuple[str, list[str] | None]:
    """Name and values of an @attribute line."""
    found = re.match(r"@attribute\s+('[^']*'|\"[^\"]*\"|[^\s{]+)(?:\s+|(?={))(\S.*)", line, re.IGNORECASE)
    if not found:
        raise DataError(f"{path}:{number}: not an attribute: {line}")
    name, kind = unquoted(found[1]), found[2]
    if kind.startswith("{"):
        return name, cells(kind[1 : kind.rfind("}")])
    if kind.lower().split()[0] in ("numeric", "real", "integer"):
        return name, None
    raise DataError(f"{path}:{number}: attributes are nominal or numeric, not {kind}")


def is_name(column: list[str]) -> bool:
    """Whether an attribute only names the rows, as the animals of zoo do."""
    return len(set(column)) > len(column) / 2


def discretised(column: list[str]) -> list[str]:
    """Numbers as the names of the parts they are in: b1, b2, ..."""
    if len(set(column)) <= FEW:
        return [value if value == MISSING else f"v{value}" for value in column]
    numbers = sorted(float(value) for value in column if value != MISSING)
    bounds = sorted({numbers[len(numbers) * i // BINS] for i in range(1, BINS)})
    return [
        MISSING if value == MISSING else f"b{1 + sum(float(value) >= bound for bound in bounds)}"
        for value in column
    ]
