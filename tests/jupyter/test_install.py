"""prism-repl kernel install, and uninstall."""

import json
import re
import subprocess
import sys

import pytest

pytest.importorskip("ipykernel", reason="SKIPPED: ipykernel is not installed (extra `jupyter`)")

from prism_repl.cli import main


def test_below_a_prefix(tmp_path, capsys):
    assert (
        main(["kernel", "install", "--prefix", str(tmp_path), "--name", "mine", "--display-name", "Mine"])
        == 0
    )
    folder = tmp_path / "share" / "jupyter" / "kernels" / "mine"
    assert str(folder) in capsys.readouterr().out
    spec = json.loads((folder / "kernel.json").read_text())
    assert spec["argv"] == [sys.executable, "-m", "prism_repl.jupyter", "-f", "{connection_file}"]
    assert (spec["display_name"], spec["language"]) == ("Mine", "prism")
    assert (folder / "logo-svg.svg").read_text().startswith("<svg")
    extension = tmp_path / "share" / "jupyter" / "labextensions" / "prism-repl"
    build = json.loads((extension / "package.json").read_text())["jupyterlab"]["_build"]
    assert (extension / build["load"]).is_file()
    assert main(["kernel", "install", "--prefix", str(tmp_path)]) == 0
    assert main(["kernel", "uninstall", "--prefix", str(tmp_path), "--name", "mine"]) == 0
    assert not folder.exists()
    assert extension.exists()  # the other kernel uses it
    assert main(["kernel", "uninstall", "--prefix", str(tmp_path)]) == 0
    assert not extension.exists()
    assert main(["kernel", "uninstall", "--prefix", str(tmp_path), "--name", "mine"]) == 1
    assert "there is no kernel mine" in capsys.readouterr().err


def test_for_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    assert main(["kernel", "install"]) == 0
    assert (tmp_path / "kernels" / "prism" / "kernel.json").exists()
    assert main(["kernel", "uninstall"]) == 0
    assert not (tmp_path / "kernels" / "prism").exists()


def test_bad_names_and_places(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["kernel", "install", "--prefix", str(tmp_path / "file")]) == 1
    assert main(["kernel", "install", "--prefix", str(tmp_path), "--name", "a b"]) == 1
    assert capsys.readouterr().err.count("prism-repl: ") == 2
    with pytest.raises(SystemExit):
        main(["kernel", "install", "--user", "--sys-prefix"])


def test_without_the_extra():
    code = "import sys; sys.modules['jupyter_client'] = None; from prism_repl.cli import main; "
    code += "sys.exit(main(['kernel', 'install']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert "pip install 'prism-repl[jupyter]'" in done.stderr


def test_the_editor_knows_the_words_of_the_lexer():
    from importlib.resources import files

    from prism_repl.jupyter.cells import COMMANDS
    from prism_repl.repl.lexer import CONTROL, DECLARATIONS, PROBABILISTIC

    script = (files("prism_repl.jupyter") / "labextension" / "static" / "remoteEntry.js").read_text()
    words = set(re.findall(r"\w+", script))
    assert {*CONTROL, *DECLARATIONS, *PROBABILISTIC, *COMMANDS, "program"} <= words
