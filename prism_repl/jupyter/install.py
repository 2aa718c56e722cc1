"""How Jupyter finds the kernel: its specification, and beside it highlighting for JupyterLab's editors."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

NAME = "prism"
DISPLAY_NAME = "PRISM"


def specification(display_name: str) -> dict[str, object]:
    """What kernel.json says."""
    return {
        "argv": [sys.executable, "-m", "prism_repl.jupyter", "-f", "{connection_file}"],
        "display_name": display_name,
        "language": "prism",
        "interrupt_mode": "signal",
        "metadata": {"debugger": False},
    }


def install(name: str = NAME, display_name: str = DISPLAY_NAME, prefix: str | None = None) -> Path:
    """Install the kernel for the user, or below a prefix; the folder that was written."""
    with tempfile.TemporaryDirectory() as folder:
        spec = json.dumps(specification(display_name), indent=1)
        (Path(folder) / "kernel.json").write_text(spec + "\n", encoding="utf-8")
        for resource in (files("prism_repl.jupyter") / "resources").iterdir():
            with as_file(resource) as path:
                (Path(folder) / path.name).write_bytes(path.read_bytes())
        manager = KernelSpecManager()
        kernel = Path(manager.install_kernel_spec(folder, name, user=prefix is None, prefix=prefix))
    with as_file(files("prism_repl.jupyter") / "labextension") as extension:
        shutil.copytree(extension, extension_beside(kernel), dirs_exist_ok=True)
    return kernel


def extension_beside(kernel: Path) -> Path:
    """Where JupyterLab finds the extension that belongs to an installed kernel."""
    return kernel.parent.parent / "labextensions" / "prism-repl"


def uninstall(name: str = NAME, prefix: str | None = None) -> Path | None:
    """Remove the kernel from where install puts it; None if it is not there."""
    manager = KernelSpecManager()
    if prefix is not None:
        manager.kernel_dirs = [str(Path(prefix) / "share" / "jupyter" / "kernels")]
    try:
        kernel = Path(manager.remove_kernel_spec(name))
    except (KeyError, NoSuchKernel):
        return None
    others = [path.read_text(encoding="utf-8") for path in kernel.parent.glob("*/kernel.json")]
    if not any("prism_repl.jupyter" in spec for spec in others):
        shutil.rmtree(extension_beside(kernel), ignore_errors=True)
    return kernel
