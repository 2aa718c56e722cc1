"""What the whole suite shares: one line at the end that says which code was tested, and the options

--shortcuts-off  searches run without their short cuts: all results must be the same
"""

import importlib.machinery
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

import prism_repl
from prism_repl.inference import search

PACKAGE = Path(prism_repl.__file__).parent


def native_modules() -> list[Path]:
    """The files that are compiled at installation: those that begin with a Cython directive."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        with path.open(encoding="utf-8") as file:
            if file.readline().startswith("# cython:"):
                found.append(path)
    return found


try:
    from prism_repl.native import modules as JOINED  # type: ignore[attr-defined]
except ImportError:
    JOINED = SimpleNamespace(names=list)


def extension_of(path: Path) -> Path | None:
    """The shared object that has a native module, or None if it runs uncompiled."""
    if ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) in JOINED.names():
        return Path(JOINED.__file__)
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        extension = path.with_name(path.stem + suffix)
        if extension.exists():
            return extension
    return None


def pytest_addoption(parser):
    parser.addoption("--shortcuts-off", action="store_true", help="search without short cuts")


def pytest_configure(config):
    # Ignored if a script's shell runs pytest in the background; what tests start would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--shortcuts-off"):
        search.use_shortcuts = without_shortcuts


def without_shortcuts(m):
    if m.tabling.shortcuts.on():
        m.tabling.shortcuts.use(False)
        m.outcomes.forget()


def pytest_collection_modifyitems(config, items):
    if config.getoption("--shortcuts-off"):
        for item in items:
            if item.get_closest_marker("shortcuts") is not None:
                item.add_marker(pytest.mark.skip(reason="counts what short cuts save"))


def pytest_terminal_summary(terminalreporter):
    uncompiled = []
    stale = []
    for path in native_modules():
        extension = extension_of(path)
        if extension is None:
            uncompiled.append(path.stem)
            continue
        sources = [path, path.with_suffix(".pxd")]
        newest = max(source.stat().st_mtime for source in sources if source.exists())
        if extension.stat().st_mtime < newest:
            stale.append(path.stem)
    terminalreporter.write_line(f"package: {PACKAGE}")
    terminalreporter.write_line("uncompiled: " + (", ".join(uncompiled) or "nothing"))
    if stale:
        terminalreporter.write_line("OLDER THAN THEIR SOURCE (build again): " + ", ".join(stale), red=True)
