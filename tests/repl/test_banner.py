"""The lines above the first prompt."""

import sys
from importlib import metadata
from pathlib import Path

from prism_repl.repl import banner


def test_compiled(monkeypatch):
    monkeypatch.setattr(banner, "is_compiled", lambda: True)
    assert banner.banner().count("\n") == 1


def test_not_compiled_in_a_clone(monkeypatch):
    """One line, which can be run as it is."""
    monkeypatch.setattr(banner, "is_compiled", lambda: False)
    clone = Path(banner.__file__).parents[2]
    text = banner.banner()
    assert text.count("\n") == 2
    assert f"{sys.executable} -m pip install --force-reinstall --no-deps -e {clone}" in text


class Installed:
    def __init__(self, direct_url):
        self.direct_url = direct_url

    def read_text(self, name):
        return self.direct_url


def test_source_of_an_installed_package(monkeypatch, tmp_path):
    monkeypatch.setattr(banner, "__file__", str(tmp_path / "prism_repl" / "toplevel" / "banner.py"))
    for direct_url, source in [
        ('{"url": "file:///home/me/prism-repl", "dir_info": {}}', "/home/me/prism-repl"),
        (None, "prism-repl"),
        ("no JSON", "prism-repl"),
    ]:
        monkeypatch.setattr(metadata, "distribution", lambda name, text=direct_url: Installed(text))
        assert banner.source() == source
