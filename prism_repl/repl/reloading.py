"""make/0,1 and edit/1,2: loading programs again after their files have changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from prism_repl.core.errors import domain_error, existence_error, instantiation_error
from prism_repl.core.queries import solve_once
from prism_repl.model.messages import say
from prism_repl.model.switches import Switch, fetch
from prism_repl.prolog.builtins.registry import builtin
from prism_repl.prolog.definitions import loaded_files
from prism_repl.prolog.source import file_name, find_file
from prism_repl.prolog.writer import write_term

NAMED = 5  # switches that a message names


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
    program = m.prob.program_path
    if program is None or program.resolve() != path:
        solve_once(m, m.struct("consult", m.atom(str(path))))
        return
    before = list(m.prob.switches.live())
    solve_once(m, m.struct("prism", m.atom(str(path))))
    if keep:
        lost = [switch for switch in before if not restored(m, switch)]
        report(m, lost, "not declared so any more: parameters dropped")
    else:
        report(m, [switch for switch in before if is_lost(m, switch)], "parameters dropped (keep keeps them)")


def restored(m: Any, old: Switch) -> bool:
    """Give a switch of the program as it is now the numbers that it had. False if it has no longer the same
    outcomes."""
    switches = m.prob.switches
    if switches.state.get_values(fetch(m, old.name)) is None:
        return False
    switch = switches.declared(m, fetch(m, old.name))
    if switch.outcome_keys != old.outcome_keys:
        return False
    if old.parameters is not None:
        switches.store_parameters(switch, old.parameters)
    if old.alphas is not None and old.deltas is not None:
        switches.store_hyperparameters(switch, old.alphas, old.deltas)
    switch.fixed, switch.fixed_h = old.fixed, old.fixed_h
    return True


def is_lost(m: Any, old: Switch) -> bool:
    """Has a switch other parameters now? One that is not used yet will have the default ones."""
    if old.parameters is None:
        return False
    now = m.prob.switches.by_key.get(old.key)
    if now is not None and now.parameters is not None:
        return list(now.parameters) != list(old.parameters)
    return any(abs(p - 1 / old.size) > 1e-9 for p in old.parameters)


def report(m: Any, switches: list[Switch], what: str) -> None:
    if switches:
        names = [write_term(m, fetch(m, switch.name), quoted=True) for switch in switches[:NAMED]]
        more = f" and {len(switches) - NAMED} more" if len(switches) > NAMED else ""
        say(m, f"** Switch {', '.join(names)}{more}: {what}\n")


def make(m: Any, keep: bool) -> bool:
    for path in changed_files(m):
        load_again(m, path, keep)
    return True


@builtin("make is det")
def make_0(m: Any) -> bool:
    return make(m, False)


@builtin("make(+Keep) is det")
def make_1(m: Any, option: int) -> bool:
    """make(keep): the switches keep their parameters and pseudo counts."""
    check_keep(m, option)
    return make(m, True)


def check_keep(m: Any, option: int) -> None:
    if not m.is_callable(option) and not m.is_number(option):
        raise instantiation_error()
    if not m.is_callable(option) or m.is_compound(option) or m.atom_text(option) != "keep":
        raise domain_error("make_option", option)


@builtin("edit(+File:file) is det")
def edit(m: Any, file: int) -> bool:
    """edit(File): in the user's editor; what has changed is loaded again."""
    open_editor(m, file)
    return make(m, False)


@builtin("edit(+File:file, +Keep) is det")
def edit_keep(m: Any, file: int, option: int) -> bool:
    """edit(File,keep): as make(keep)."""
    check_keep(m, option)
    open_editor(m, file)
    return make(m, True)


def open_editor(m: Any, file: int) -> None:
    import shlex
    import subprocess

    name = file_name(m, file)
    path = find_file(name, (".psm", ".pl", "")) or Path(name)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        subprocess.run([*shlex.split(editor), str(path)], check=False)
    except OSError:
        raise existence_error("editor", m.atom(editor)) from None
