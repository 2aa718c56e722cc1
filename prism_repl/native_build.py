"""How setuptools compiles the native modules: all files whose first line is a Cython directive, in parallel.

The second line of such a file, `# native: -O3 ...`, has the options of the compiler. setuptools loads this
file by its path (pyproject.toml names the class), so it must not import the package.
"""

import os
from pathlib import Path

from setuptools import Extension
from setuptools.command.build_ext import build_ext

PACKAGE = Path(__file__).parent


def native_sources() -> list[Path]:
    """The files to compile."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        with path.open(encoding="utf-8") as file:
            if file.readline().startswith("# cython:"):
                found.append(path)
    return found


def compiler_options(path: Path) -> list[str]:
    """The options on the second line of a native module."""
    line = path.read_text(encoding="utf-8").splitlines()[1]
    head, _, options = line.partition("# native:")
    if head or not options:
        raise ValueError(f"{path}: line 2 must be '# native:' and the options of the C compiler")
    return options.split()


def extension(path: Path) -> Extension:
    """What setuptools needs to know about a native module; it is optional, as the file also runs as it is."""
    source = path.relative_to(PACKAGE.parent)
    name = ".".join(source.with_suffix("").parts)
    options = compiler_options(path) + os.environ.get("PRISM_NATIVE_CFLAGS", "").split()
    return Extension(name, [str(source)], extra_compile_args=options, optional=True)


class BuildNative(build_ext):
    """build_ext for all native modules, on all cores."""

    parallel: int | bool | None

    def build_extension(self, ext: Extension) -> None:
        # what is installed needs no debugging information, which takes a quarter of the compiler's time
        if not self.inplace:
            ext.extra_compile_args.append("-g0")
        super().build_extension(ext)

    def finalize_options(self) -> None:
        # the largest first: the last one to finish decides how long the build takes
        sources = sorted(native_sources(), key=lambda path: -path.stat().st_size)
        self.distribution.ext_modules = [extension(path) for path in sources]
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()
