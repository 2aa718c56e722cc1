"""make/0,1 and edit/1: loading programs again after their files have changed."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from prism_repl.core.errors import domain_error, existence_error
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.definitions import loaded_files
from prism_repl.prolog.source import file_name, find_file


def changed_files(m: Any) -> list[Path]:
    """The loaded files that have changed since, in the order in which they were loaded."""
    found = []
    for name, file in loaded_files(m).items():
        path = Path(name)
        if path.exists() and path.stat().st_mtime != file.modified:
            found.append(path)
    return found


def load_again(m: Any, path: Path, keep: bool) -> None:
    """Load a file as it was loaded before; `keep` keeps the numbers of the switches."""
    name = m.atom(str(path))
    program = m.prob.program_path
    if program is None or program.resolve() != path:
        m.solve_once(m.struct("consult", name))
    elif not keep:
        m.solve_once(m.struct("prism", name))
    else:
        with tempfile.TemporaryDirectory() as folder:
            saved = [str(Path(folder, part)) for part in ("parameters", "counts")]
            m.solve_once(m.struct("save_sw_pd", *map(m.atom, saved)))
            m.solve_once(m.struct("prism", m.atom(str(path))))
            m.solve_once(m.struct("restore_sw_pd", *map(m.atom, saved)))


def make(m: Any, keep: bool) -> bool:
    for path in changed_files(m):
        load_again(m, path, keep)
    return True


@builtin("make", 0)
def make_0(m: Any) -> bool:
    return make(m, False)


@builtin("make", 1)
def make_1(m: Any, option: int) -> bool:
    """make(keep): the switches keep their parameters and pseudo counts."""
    if not m.is_callable(option) or m.is_compound(option) or m.atom_text(option) != "keep":
        raise domain_error("make_option", option)
    return make(m, True)


@builtin("edit", 1)
def edit(m: Any, file: int) -> bool:
    """edit(File): in the user's editor; what has changed is loaded again."""
    name = file_name(m, file)
    path = find_file(name, (".psm", ".pl", "")) or Path(name)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        subprocess.run([*shlex.split(editor), str(path)], check=False)
    except OSError:
        raise existence_error("editor", m.atom(editor)) from None
    return make(m, False)
