"""How the native modules are found that are linked as one shared object (joining.py)."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import Any


class Finder:
    """Makes native modules; both finder and loader of imports."""

    def __init__(self, modules: Any):
        self.modules = modules
        self.names = frozenset(modules.names())

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self.names:
            return None
        return spec_from_file_location(name, self.modules.__file__, loader=self)  # type: ignore[arg-type]

    def get_code(self, name: str) -> None:
        """What `python -m` asks for: there is none."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.modules.make(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.modules.run(module)


def install() -> None:
    """Let imports find native modules, if they are linked as one."""
    if any(isinstance(finder, Finder) for finder in sys.meta_path):
        return
    try:
        modules = import_module("prism_repl.native.modules")
    except ModuleNotFoundError:  # each is a shared object of its own, or runs uncompiled
        return
    sys.meta_path.insert(0, Finder(modules))
