"""load_csv and save_csv."""

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

from prism_repl.core.cells import ATM
from prism_repl.core.errors import type_error
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, runtime_error
from prism_repl.model.term_values import to_plain
from prism_repl.predicates.clauses import given_extent
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.whole_files import read_file, write_file
from prism_repl.prolog.writer import write_term

NUMBER = re.compile(r"[+-]?\d+(\.\d+([eE][+-]?\d+)?)?\Z", re.ASCII)
PARTS = {f"{what}_{word}": {1} for what in ("row", "col") for word in ("from", "skip", "size")}
OPTIONS = PARTS | {
    "pred": {1},
    "comment": {0, 1},
    "missing": {0, 1},
    "parse_number": {1},
    "double_quote": {1},
}


class Lines:
    """The lines of a text for the csv module, without those that begin a row with the comment sign."""

    def __init__(self, text: str, comment: str | None) -> None:
        self.lines = io.StringIO(text, newline="")
        self.comment = comment
        self.at_row = True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self.lines)
        while self.at_row and self.comment is not None and line.startswith(self.comment):
            line = next(self.lines)
        self.at_row = False
        return line


def rows(m: Any, text: str, comment: str | None, quoted: bool) -> Iterator[list[str]]:
    lines = Lines(text, comment)
    csv.field_size_limit(1 << 31)
    reader = csv.reader(lines, strict=True, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
    while True:
        lines.at_row = True
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            ident = "3005" if "unexpected end" in str(error) else "3006"
            formal = runtime_error("invalid_csv_format")
            raise prism_error(m, ident, formal, f"line {reader.line_num}") from None
        yield row or [""]


def yes_or_no(m: Any, options: dict[str, list[int]], name: str) -> bool:
    if name not in options:
        return True
    value = to_plain(m, options[name][0])
    if value not in ("yes", "no"):
        raise checks.unknown_option(m, m.struct(name, options[name][0]))
    return value == "yes"


def atom_option(m: Any, options: dict[str, list[int]], name: str, default: str) -> str | None:
    """The atom of comment(A) or missing(A), `default` without an argument, None without the option."""
    if name not in options:
        return None
    if not options[name]:
        return default
    cell = options[name][0]
    if cell & 7 != ATM:
        raise checks.unknown_option(m, m.struct(name, cell))
    return m.atom_text(cell)


def row_maker(m: Any, options: dict[str, list[int]]) -> Callable[[list[int]], int]:
    """How a row's cells become a term: csvrow(List), List, p(List) or p(Cell,...)."""
    form = to_plain(m, options["pred"][0]) if "pred" in options else "csvrow"
    if form == []:
        return m.list_from
    if isinstance(form, str) or (isinstance(form, tuple) and form[0] == "/" and form[2:] == (1,)):
        name = m.atom(form if isinstance(form, str) else form[1])
        functor = m.functor(name, 1)
        return lambda cells: m.new_struct(functor, [m.list_from(cells)])
    if (
        isinstance(form, tuple)
        and len(form) == 3
        and form[0] == "/"
        and form[2] == "n"
        and isinstance(form[1], str)
    ):
        name = m.atom(form[1])
        return lambda cells: m.new_struct(m.functor(name, len(cells)), cells)
    raise checks.unknown_option(m, m.struct("pred", options["pred"][0]))


class Cells(dict[str, int]):
    """The cell of each field. Files repeat their fields, so cells are remembered and shared."""

    def __init__(self, m: Any, parse: bool, missing: str | None) -> None:
        super().__init__()
        self.m = m
        self.parse = parse
        self.missing = missing

    def __missing__(self, text: str) -> int:
        if text == self.missing:
            return self.m.new_var()
        if self.parse and NUMBER.match(text):
            cell = self.m.float_cell(float(text)) if "." in text else self.m.int_cell(int(text))
        else:
            cell = self.m.atom(text)
        self[text] = cell
        return cell


@builtin("load_csv(+File:file_name!3000, ?Rows:list_or_nil!2105) is semidet")
def load_csv(m: Any, file: int, result: int) -> bool:
    return load_csv_with(m, file, result, m.nil)


@builtin("load_csv(+File:file_name!3000, ?Rows:list_or_nil!2105, +Options:options) is semidet")
def load_csv_with(m: Any, file: int, result: int, option_cells: int) -> bool:
    options = checks.option_list(m, option_cells, OPTIONS)

    skip, size = given_extent(m, options, "row_")
    first_column, width = given_extent(m, options, "col_")
    columns = slice(first_column, None if width is None else first_column + width)
    comment = atom_option(m, options, "comment", "#")
    cells = Cells(m, yes_or_no(m, options, "parse_number"), atom_option(m, options, "missing", ""))
    make = row_maker(m, options)
    found = rows(m, read_file(m, file), comment, yes_or_no(m, options, "double_quote"))
    found = itertools.islice(found, skip, None if size is None else skip + size)
    return m.unify(result, m.list_from([make([cells[text] for text in row[columns]]) for row in found]))


# ---- saving


def field_text(m: Any, cell: int, quote: str) -> str:
    if not m.is_atomic(cell):
        raise prism_error(m, "3009", type_error("atomic", cell), cell)
    text = write_term(m, cell, quoted=quote == "single", float_format="full")
    if quote == "double" and any(c in text for c in ',"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def row_cells(m: Any, row: int) -> list[int]:
    """The cells of a row: a list, csvrow(List), p(Cell,...), or one cell alone."""
    if m.is_compound(row) and not m.is_list_cell(row):
        arguments = [m.arg(row, i) for i in range(m.arity_of(row))]
        if len(arguments) > 1 or not (m.is_list_cell(arguments[0]) or arguments[0] == m.nil):
            return arguments
        row = arguments[0]
    if not m.is_list_cell(row) and row != m.nil:
        return [row]
    items, tail = m.list_items(row)
    if tail != m.nil:
        raise prism_error(m, "3008", type_error("list", row), row)
    return items


@builtin("save_csv(+File:file_name!3000, +Rows) is det")
def save_csv(m: Any, file: int, given: int) -> bool:
    return save_csv_with(m, file, given, m.nil)


@builtin("save_csv(+File:file_name!3000, +Rows, +Options:options) is det")
def save_csv_with(m: Any, file: int, given: int, option_cells: int) -> bool:
    options = checks.option_list(m, option_cells, {"quote": {1}})
    quote = to_plain(m, options["quote"][0]) if "quote" in options else "double"
    if quote not in ("double", "single", "none"):
        raise checks.unknown_option(m, m.struct("quote", options["quote"][0]))
    items = checks.list_or_nil(m, "2105", given)
    checks.ground(m, "3009", given)
    lines = [",".join(field_text(m, c, quote) for c in row_cells(m, row)) for row in items]
    write_file(m, file, "".join(line + "\n" for line in lines))
    return True
