"""What the whole suite shares: one line at the end that says which code was tested."""

import importlib.machinery
from pathlib import Path

import prism_repl

PACKAGE = Path(prism_repl.__file__).parent


def native_modules() -> list[Path]:
    """The files that are compiled at installation: those that begin with a Cython directive."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        with path.open(encoding="utf-8") as file:
            if file.readline().startswith("# cython:"):
                found.append(path)
    return found


def extension_of(path: Path) -> Path | None:
    """The extension module beside a native module, or None if it runs uncompiled."""
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        extension = path.with_name(path.stem + suffix)
        if extension.exists():
            return extension
    return None


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
