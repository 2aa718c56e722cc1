"""load_clauses and save_clauses: files of terms."""

import itertools
from typing import Any

from prism_repl.core.errors import type_error
from prism_repl.model import checks
from prism_repl.model.messages import prism_error, prism_warning
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.whole_files import read_terms, write_file
from prism_repl.prolog.writer import write_term

LARGEST = 1 << 60  # more than any file has; what Python can count to is not much more
Part = tuple[int, int | None]  # how many to skip, how many to take at most (None: all)


def natural(m: Any, option: str, c: int, source: tuple[str, int]) -> int:
    """The value of option(N), which must not be negative."""
    if not m.is_integer(c) or m.int_value(c) < 0:
        raise checks.unknown_option(m, m.struct(option, c), source)
    return min(m.int_value(c), LARGEST)


def options_extent(m: Any, options: int, source: tuple[str, int]) -> Part:
    given = checks.option_list(m, options, {"from": {1}, "skip": {1}, "size": {1}}, source)
    return given_extent(m, given, "", source)


def given_extent(m: Any, given: dict[str, list[int]], prefix: str, source: tuple[str, int]) -> Part:
    """The extent that options such as row_from(K), row_skip(K), row_size(N) give; N may be `max`."""
    skip, size = 0, None
    for option in (prefix + "skip", prefix + "from"):
        if option in given:
            skip = natural(m, option, given[option][0], source)
    option = prefix + "size"
    if option in given and given[option][0] != m.atom("max"):
        size = natural(m, option, given[option][0], source)
    return skip, size


def check_file(m: Any, file: int, source: tuple[str, int]) -> None:
    checks.atom(m, "3000", file, source)


def load(m: Any, file: int, clauses: int, part: Part) -> bool:
    skip, size = part
    end = None if size is None else skip + size
    cells = list(itertools.islice(read_terms(m, file), skip, end))
    return m.unify(clauses, m.list_from(cells))


def save(m: Any, file: int, clauses: int, part: Part, source: tuple[str, int]) -> bool:
    items, tail = m.list_items(clauses)
    if tail != m.nil:
        raise prism_error(m, "2104", type_error("list", clauses), clauses, source=source)
    skip, size = part
    items = items[skip:] if size is None else items[skip : skip + size]
    write_file(m, file, "".join(write_term(m, c, quoted=True, float_format="full") + ".\n" for c in items))
    return True


@builtin("load_clauses", 2)
def load_clauses(m: Any, file: int, clauses: int) -> bool:
    check_file(m, file, ("load_clauses", 3))
    return load(m, file, clauses, (0, None))


@builtin("load_clauses", 3)
def load_clauses_with(m: Any, file: int, clauses: int, options: int) -> bool:
    source = ("load_clauses", 3)
    check_file(m, file, source)
    return load(m, file, clauses, options_extent(m, options, source))


@builtin("load_clauses", 4)
def load_clauses_part(m: Any, file: int, clauses: int, start: int, size: int) -> bool:
    source = ("load_clauses", 4)
    prism_warning(m, "3300", "load_clauses/4", "load_clauses/3")
    check_file(m, file, source)
    return load(m, file, clauses, given_extent(m, {"from": [start], "size": [size]}, "", source))


@builtin("save_clauses", 2)
def save_clauses(m: Any, file: int, clauses: int) -> bool:
    source = ("save_clauses", 3)
    check_file(m, file, source)
    return save(m, file, clauses, (0, None), source)


@builtin("save_clauses", 3)
def save_clauses_with(m: Any, file: int, clauses: int, options: int) -> bool:
    source = ("save_clauses", 3)
    check_file(m, file, source)
    return save(m, file, clauses, options_extent(m, options, source), source)


@builtin("save_clauses", 4)
def save_clauses_part(m: Any, file: int, clauses: int, start: int, size: int) -> bool:
    source = ("save_clauses", 4)
    prism_warning(m, "3300", "save_clauses/4", "save_clauses/3")
    check_file(m, file, source)
    return save(m, file, clauses, given_extent(m, {"from": [start], "size": [size]}, "", source), source)
