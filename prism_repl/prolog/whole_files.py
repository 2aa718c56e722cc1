"""Whole files: read at once, and written whole or not at all. Errors are those of open/3."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prism_repl.core.cells import ATM, REF
from prism_repl.core.errors import PrologError
from prism_repl.prolog.reader import Reader, ReadError
from prism_repl.prolog.source import decoded

OPEN = ("open", 3)


def file_name(c: int, m: Any) -> str:
    if c & 7 == REF:
        raise PrologError("instantiation_error", context=OPEN)
    if c & 7 != ATM:
        raise PrologError("domain_error", "source_sink", c, context=OPEN)
    return os.path.expanduser(m.atom_text(c))


def read_file(m: Any, name: int) -> str:
    path = file_name(name, m)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise PrologError("existence_error", "source_sink", name, context=OPEN) from None
    except (OSError, ValueError):
        raise PrologError("permission_error", "open", "source_sink", name, context=OPEN) from None
    return decoded(m, data, os.path.basename(path))


def read_terms(m: Any, name: int) -> Iterator[int]:
    """The terms of a file, one by one. A syntax error is reported and raised."""
    reader = Reader(m, read_file(m, name), m.atom_text(name))
    while True:
        try:
            read = reader.read_term()
        except ReadError as error:
            m.streams.complain(error.report)
            raise
        if read is None:
            return
        yield m.deref(read.cell)


def write_file(m: Any, name: int, text: str) -> None:
    """Write a temporary file beside the target, then put it in its place."""
    path = file_name(name, m)
    temporary = None
    try:
        mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~current_umask()
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".prism")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except (OSError, ValueError):
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise PrologError("permission_error", "open", "source_sink", name, context=OPEN) from None


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
