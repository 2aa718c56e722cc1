"""Whole files: read at once, and written whole or not at all. Errors are those of open/3."""

import os
import stat
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
    write_bytes(m, name, text.encode("utf-8"))


def write_bytes(m: Any, name: int, data: bytes) -> None:
    """Write a file whole or not at all. Links are followed; a fifo, a device or a file with other names is
    written into, and mode and owner of a file stay as they are."""
    path = os.path.realpath(file_name(name, m))
    try:
        before = os.stat(path) if os.path.exists(path) else None
        if before is not None and (not stat.S_ISREG(before.st_mode) or before.st_nlink > 1):
            write_into(path, data)
        else:
            replace_file(path, data, before)
    except (OSError, ValueError):
        raise PrologError("permission_error", "open", "source_sink", name, context=OPEN) from None


def write_into(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def replace_file(path: str, data: bytes, before: os.stat_result | None) -> None:
    """Write a temporary file beside the target, then put it in its place."""
    try:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".prism")
    except PermissionError:
        if before is None:
            raise
        write_into(path, data)  # the folder is not ours, the file is
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if before is None:
            os.chmod(temporary, 0o666 & ~current_umask())
        else:
            if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
                os.chown(temporary, before.st_uid, before.st_gid)
            os.chmod(temporary, stat.S_IMODE(before.st_mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
