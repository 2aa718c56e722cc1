"""The example notebooks run, and their outputs are those that they are committed with."""

import os

import pytest

for library in ("ipykernel", "nbclient", "svgling", "graphviz", "matplotlib"):
    pytest.importorskip(
        library, reason=f"SKIPPED: {library} is not installed (extras `jupyter` and `pictures`)"
    )

import nbformat  # noqa: E402
from nbclient import NotebookClient  # noqa: E402

from prism_repl.jupyter.install import install  # noqa: E402
from prism_repl.repl.compare import diff_text, same_output  # noqa: E402
from tests.pictures.test_files import needs  # noqa: E402
from tests.test_examples import EXAMPLES, ROOT  # noqa: E402


def texts(notebook):
    """Source, kinds of pictures and tables, and text of each cell."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            # what was shown for a while, such as progress, is empty now
            outputs = [output for output in cell.outputs if output.get("data", {}).get("text/html") != ""]
            kinds = [sorted(output.data) for output in outputs if "data" in output]
            text = "".join(
                output.text if output.output_type == "stream" else output.data["text/plain"] + "\n"
                for output in outputs
            )
            found.append((cell.source, kinds, text))
    return found


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path, tmp_path, monkeypatch):
    needs("dot")
    install("prism", "PRISM", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share" / "jupyter"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    committed = texts(notebook)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    executed = texts(notebook)
    assert [(source, kinds) for source, kinds, _ in executed] == [(s, kinds) for s, kinds, _ in committed]
    for (source, _, before), (_, _, now) in zip(committed, executed, strict=True):
        assert same_output(before, now), f"{source}\n{diff_text(before, now)}"
    assert sum("image/svg+xml" in kind for _, kinds, _ in executed for kind in kinds) >= 4
