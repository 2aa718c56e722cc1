"""load_clauses and save_clauses: files of terms."""

import itertools
from typing import Any

from prism_repl.model import checks
from prism_repl.model.messages import prism_warning
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.whole_files import read_terms, write_file
from prism_repl.prolog.writer import write_term

LARGEST = 1 << 60  # more than any file has; what Python can count to is not much more
Part = tuple[int, int | None]  # how many to skip, how many to take at most (None: all)


def natural(m: Any, option: str, c: int) -> int:
    """The value of option(N), which must not be negative."""
    if not m.is_integer(c) or m.int_value(c) < 0:
        raise checks.unknown_option(m, m.struct(option, c))
    return min(m.int_value(c), LARGEST)


def options_extent(m: Any, options: int) -> Part:
    given = checks.option_list(m, options, {"from": {1}, "skip": {1}, "size": {1}})
    return given_extent(m, given, "")


def given_extent(m: Any, given: dict[str, list[int]], prefix: str) -> Part:
    """The extent that options such as row_from(K), row_skip(K), row_size(N) give; N may be `max`."""
    skip, size = 0, None
    for option in (prefix + "skip", prefix + "from"):
        if option in given:
            skip = natural(m, option, given[option][0])
    option = prefix + "size"
    if option in given and given[option][0] != m.atom("max"):
        size = natural(m, option, given[option][0])
    return skip, size


def load(m: Any, file: int, clauses: int, part: Part) -> bool:
    skip, size = part
    end = None if size is None else skip + size
    cells = list(itertools.islice(read_terms(m, file), skip, end))
    return m.unify(clauses, m.list_from(cells))


def save(m: Any, file: int, items: list[int], part: Part) -> bool:
    skip, size = part
    items = items[skip:] if size is None else items[skip : skip + size]
    write_file(m, file, "".join(write_term(m, c, quoted=True, float_format="full") + ".\n" for c in items))
    return True


@builtin("load_clauses(+File:file_name!3000, ?Terms:list_or_nil!2105) is semidet")
def load_clauses(m: Any, file: int, clauses: int) -> bool:
    return load(m, file, clauses, (0, None))


@builtin("load_clauses(+File:file_name!3000, ?Terms:list_or_nil!2105, +Options:options) is semidet")
def load_clauses_with(m: Any, file: int, clauses: int, options: int) -> bool:
    return load(m, file, clauses, options_extent(m, options))


@builtin("load_clauses(+File:file_name!3000, ?Terms:list_or_nil!2105, +From, +Size) is semidet")
def load_clauses_part(m: Any, file: int, clauses: int, start: int, size: int) -> bool:
    prism_warning(m, "3300", "load_clauses/4", "load_clauses/3")
    return load(m, file, clauses, old_extent(m, start, size))


@builtin("save_clauses(+File:file_name!3000, +Terms:list_or_nil!2105) is det")
def save_clauses(m: Any, file: int, clauses: list[int]) -> bool:
    return save(m, file, clauses, (0, None))


@builtin("save_clauses(+File:file_name!3000, +Terms:list_or_nil!2105, +Options:options) is det")
def save_clauses_with(m: Any, file: int, clauses: list[int], options: int) -> bool:
    return save(m, file, clauses, options_extent(m, options))


@builtin("save_clauses(+File:file_name!3000, +Terms:list_or_nil!2105, +From, +Size) is det")
def save_clauses_part(m: Any, file: int, clauses: list[int], start: int, size: int) -> bool:
    prism_warning(m, "3300", "save_clauses/4", "save_clauses/3")
    return save(m, file, clauses, old_extent(m, start, size))


def old_extent(m: Any, start: int, size: int) -> Part:
    """Of the forms with two arguments in the place of the options."""
    checks.bound(m, "3002", start)
    checks.bound(m, "3002", size)
    return given_extent(m, {"from": [start], "size": [size]}, "")
